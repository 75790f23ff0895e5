//! The walk over the frames of a thread that was stopped anywhere.
//!
//! In: its registers, and the places of code, stack and context. Out: a sample in the ring.
//! In compiled code the frame pointer leads the way, but in the first and the last instructions of a function, whose frame is not
//! there yet or no more; these are told by their bytes. Where the runtime runs, the context says which frame called it, if what it
//! says is still on the stack: some routines are called without telling it. Then the innermost return address on the stack is
//! taken, and the frame pointer where it has not been changed.
//! Invariant: no address is read but those in the code memory and in the program's stack.
#![expect(unsafe_code, reason = "reads the stack of the program that it interrupts")]

use super::ring::Ring;
use super::sample::{Doing, MOST_INNER, MOST_OUTER};
use crate::Machine;
use holloway_abi::Context;
use holloway_jit::arch::{CALLER_FP, Interrupted, RETURN_ADDRESS};
use std::ops::Range;
use std::ptr::with_exposed_provenance;

/// Frames that are walked at most. Of deeper stacks the outermost frames are not known.
const MOST_WALKED: usize = 1 << 14;
/// Words of the runtime's own frames in which the return address into compiled code is looked for: a compilation takes many.
const MOST_SEARCHED: usize = 1 << 16;

/// The places that a walk looks at.
pub(super) struct Places {
    code: Range<usize>,
    stack: Range<usize>,
    context: *const Context,
}

// SAFETY: the context is read by the thread that runs the machine alone, in the signal handler.
unsafe impl Send for Places {}
// SAFETY: as above.
unsafe impl Sync for Places {}

impl Places {
    pub(super) fn of(machine: &Machine) -> Places {
        let stack = machine.stack.bottom()..machine.stack.top();
        let context = machine.runtime.context().as_ptr().cast_const();
        Places { code: machine.code.memory.addresses(), stack, context }
    }

    /// The word at an address of the stack.
    fn word(&self, at: usize) -> Option<usize> {
        let is_there = at.is_multiple_of(8) && self.stack.contains(&at);
        // SAFETY: the address lies in the mapping of the stack, above the guard.
        is_there.then(|| unsafe { with_exposed_provenance::<usize>(at).read_volatile() })
    }

    /// The byte at an address of the code.
    fn byte(&self, at: usize) -> u8 {
        // SAFETY: the callers read where code runs, or behind it within the mapping.
        if self.code.contains(&at) { unsafe { with_exposed_provenance::<u8>(at).read_volatile() } } else { 0 }
    }
}

/// A frame that waits at a return address.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    pc: usize,
    fp: usize,
}

/// Takes a sample of the thread.
///
/// # Safety
/// This thread runs the machine that the places are of, and was interrupted with these registers.
pub(super) unsafe fn take(places: &Places, registers: Interrupted, ring: &Ring) {
    let nanos = thread_nanos();
    let (mut inner, mut outer) = ([0; MOST_INNER], [0; MOST_OUTER]);
    let mut count = 0;
    let mut keep = |pc: usize| {
        match count {
            0..MOST_INNER => inner[count] = pc,
            _ => outer[count % MOST_OUTER] = pc,
        }
        count += 1;
    };
    let (doing, mut waiting) = if places.code.contains(&registers.pc) {
        keep(registers.pc);
        (Doing::Code, caller_of_running(places, registers))
    } else {
        // SAFETY: the context lives as long as the machine, and only this thread uses these fields.
        let exit = unsafe { exit_frame(places.context) };
        match called_from(places, registers, exit) {
            Some(frame) => (Doing::Call, Some(frame)),
            None => (Doing::Outside, None),
        }
    };
    let mut walked = 0;
    while let Some(frame) = waiting
        && places.code.contains(&frame.pc)
        && walked < MOST_WALKED
    {
        keep(frame.pc);
        walked += 1;
        waiting = caller(places, frame);
    }
    let kept = count.min(MOST_INNER);
    let behind = (count - kept).min(MOST_OUTER);
    if behind == MOST_OUTER {
        // The oldest of them is the one that would be overwritten next.
        outer.rotate_left(count % MOST_OUTER);
    }
    ring.put(nanos, doing, count - kept - behind, (&inner[..kept], &outer[..behind]));
}

/// The CPU time of this thread.
fn thread_nanos() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec`, and may be made in signal handlers.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The frame that called the code which is running.
fn caller_of_running(places: &Places, registers: Interrupted) -> Option<Waiting> {
    let next = [0, 1, 2].map(|at| places.byte(registers.pc + at));
    match registers.frameless(next) {
        Some(address) => Some(Waiting { pc: places.word(address)?, fp: registers.fp }),
        None => caller(places, Waiting { pc: registers.pc, fp: registers.fp }),
    }
}

fn caller(places: &Places, frame: Waiting) -> Option<Waiting> {
    let pc = places.word(frame.fp.wrapping_add(RETURN_ADDRESS))?;
    let fp = places.word(frame.fp.wrapping_add(CALLER_FP))?;
    // Frames lie above those that they called.
    (fp > frame.fp || !places.code.contains(&pc)).then_some(Waiting { pc, fp })
}

/// The frame of which the context says that it called the runtime last.
///
/// # Safety
/// The context lives.
unsafe fn exit_frame(context: *const Context) -> Waiting {
    // SAFETY: plain fields, which the stub of a runtime call writes on this thread.
    unsafe {
        Waiting {
            pc: (&raw const (*context).exit_pc).read_volatile(),
            fp: (&raw const (*context).exit_fp).read_volatile(),
        }
    }
}

/// The compiled frame that called what is running outside of compiled code.
fn called_from(places: &Places, Interrupted { sp, fp, .. }: Interrupted, exit: Waiting) -> Option<Waiting> {
    if !places.stack.contains(&sp) {
        // The compiler and functions of the host run on the host's stack.
        let is_there = places.code.contains(&exit.pc) && places.stack.contains(&exit.fp);
        return is_there.then_some(exit);
    }
    let words = (0..MOST_SEARCHED).map_while(|at| Some((sp + 8 * at, places.word(sp + 8 * at)?)));
    let mut returns = words.filter(|(_, word)| places.code.contains(word));
    let (at, pc) = returns.next()?;
    // A return address that is left over from earlier calls may lie before the one of this call.
    if pc == exit.pc || returns.take_while(|(at, _)| *at < exit.fp).any(|(_, word)| word == exit.pc) {
        return Some(exit);
    }
    let is_above = |fp: usize| fp > at && places.word(fp).is_some();
    // A routine that makes a frame of its own keeps its caller's frame pointer right below the return address.
    let kept = places.word(at - 8).filter(|fp| is_above(*fp));
    Some(Waiting { pc, fp: Some(fp).filter(|fp| is_above(*fp)).or(kept)? })
}
