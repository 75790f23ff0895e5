//! The [`Context`] that compiled code and the runtime share, and the handle through which other threads stop the
//! program.
//!
//! In: nothing. Out: a context at an address that never changes, below 2 GiB if possible. Invariants: a thread that
//! raises a flag first sets its bit and then makes every prologue and every loop poll; a thread that takes flags first clears bits,
//! then undoes that, then looks again. So no raised flag is ever left without a poll.
//!
//! Contract: the fields that other threads touch are atomics and are reached by shared reference only. The others are
//! read and written by the thread that runs the program, through the methods here or by compiled code, and no reference
//! to them is kept while code runs.
#![expect(unsafe_code, reason = "the context lives in memory that compiled code writes")]

use crate::heap::FreeLists;
use crate::heap::mapping::Mapping;
use holloway_abi::{Context, EXIT_REGISTERS, MAX_STATE, PollSites, Reason};
use std::io;
use std::ptr::{NonNull, with_exposed_provenance_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Bits of [`Context::interrupt`].
pub mod flag {
    /// The user wants the program to stop.
    pub const INTERRUPT: u32 = 1;
    /// The time is used up.
    pub const DEADLINE: u32 = 2;
    /// A sample is due; the adaptive system's flag.
    pub const TICK: u32 = 4;
    /// Compiled code waits to be installed; the adaptive system's flag.
    pub const INSTALL: u32 = 8;
    /// A burst of paths is over that a tick began.
    pub const BURST: u32 = 16;
    /// Output cannot be written.
    pub const OUTPUT: u32 = 32;
}

#[derive(Debug)]
struct Memory {
    mapping: Mapping,
    /// The program's true stack limit, to restore after a poll.
    stack_limit: AtomicUsize,
    /// The polls that are armed while a flag is raised, or a frame is to be left.
    polls: PollSites,
}

/// The owner of the context.
#[derive(Debug)]
pub struct ContextBox(Arc<Memory>);

/// A compiled frame that waits for the runtime, while the host calls the program again.
#[derive(Clone, Copy, Debug)]
pub struct ExitState {
    fp: usize,
    pc: usize,
    sp: usize,
    /// Its registers, which may hold references.
    pub registers: [u64; EXIT_REGISTERS],
    host_sp: usize,
}

/// Stops the program from any thread, and from a signal handler: raising a flag writes atomics, and waits for nobody.
#[derive(Clone, Debug)]
pub struct InterruptHandle(Arc<Memory>);

impl Memory {
    #[inline]
    fn context(&self) -> NonNull<Context> {
        NonNull::new(with_exposed_provenance_mut(self.mapping.base())).expect("a mapping has an address")
    }

    #[inline]
    fn interrupt(&self) -> &AtomicU32 {
        // SAFETY: the mapping holds a context from its construction on, and this field is an atomic.
        unsafe { &(*self.context().as_ptr()).interrupt }
    }

    fn prologue_limit(&self) -> &AtomicUsize {
        // SAFETY: as for `interrupt`.
        unsafe { &(*self.context().as_ptr()).stack_limit }
    }

    fn raise(&self, flags: u32) {
        self.interrupt().fetch_or(flags, Ordering::SeqCst);
        self.poll_everywhere();
    }

    /// Makes prologues poll, and loops that poll in place.
    fn poll_everywhere(&self) {
        self.prologue_limit().store(usize::MAX, Ordering::SeqCst);
        self.polls.want(Reason::Flag, true);
    }

    /// Makes them poll while a flag is raised, and no longer.
    fn poll_if_raised(&self) {
        self.prologue_limit().store(self.stack_limit.load(Ordering::SeqCst), Ordering::SeqCst);
        if !self.is_raised() {
            self.polls.want(Reason::Flag, false);
        }
        if self.is_raised() {
            self.poll_everywhere();
        }
    }

    fn is_raised(&self) -> bool {
        self.interrupt().load(Ordering::SeqCst) != 0
    }
}

impl InterruptHandle {
    /// Asks the program to stop at its next poll.
    pub fn interrupt(&self) {
        self.raise(flag::INTERRUPT);
    }

    /// Raises flags of [`flag`].
    pub fn raise(&self, flags: u32) {
        self.0.raise(flags);
    }

    /// Clears flags that were raised for nothing.
    pub(crate) fn withdraw(&self, flags: u32) {
        self.0.interrupt().fetch_and(!flags, Ordering::SeqCst);
        self.0.poll_if_raised();
    }
}

impl ContextBox {
    /// Maps a zeroed context with unlimited fuel.
    pub fn new() -> io::Result<ContextBox> {
        // All zeroes is a valid context: no flags, empty lists, null pointers.
        let mapping = Mapping::zeroed(size_of::<Context>())?;
        let mut context =
            ContextBox(Arc::new(Memory { mapping, stack_limit: AtomicUsize::new(0), polls: PollSites::default() }));
        context.set_fuel(i64::MAX);
        context.set_countdown(1);
        Ok(context)
    }

    /// The context's address, for compiled code and the trampolines into it.
    #[inline]
    pub fn as_ptr(&self) -> *mut Context {
        self.0.context().as_ptr()
    }

    /// The polls in place that are armed while a flag is raised, or a frame is to be left.
    pub fn polls(&self) -> PollSites {
        self.0.polls.clone()
    }

    /// A handle to stop the program with.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle(Arc::clone(&self.0))
    }

    /// Raises flags, from the thread that runs the program.
    pub fn raise(&self, flags: u32) {
        self.0.interrupt().fetch_or(flags, Ordering::SeqCst);
        self.0.poll_if_raised();
    }

    /// Flags raised and not yet taken.
    #[inline]
    pub fn flags(&self) -> u32 {
        self.0.interrupt().load(Ordering::Relaxed)
    }

    /// Clears some flags. Returns those of them that were set.
    #[inline]
    pub fn take_flags(&self, flags: u32) -> u32 {
        if self.flags() & flags == 0 {
            return 0;
        }
        let before = self.0.interrupt().fetch_and(!flags, Ordering::SeqCst);
        self.0.poll_if_raised();
        before & flags
    }

    /// Requests on-stack replacement of the running frame: see [`Context::leaving`].
    #[inline]
    pub fn request_osr(&self, wanted: Option<u32>) {
        // Each call from the host withdraws what is mostly not there.
        if wanted.is_none() && self.osr_request().is_none() {
            return;
        }
        self.leaving().store(wanted.unwrap_or(0), Ordering::Relaxed);
        self.0.polls.want(Reason::Leaving, wanted.is_some());
    }

    /// The request for on-stack replacement.
    #[inline]
    pub fn osr_request(&self) -> Option<u32> {
        Some(self.leaving().load(Ordering::Relaxed)).filter(|wanted| *wanted != 0)
    }

    #[inline]
    fn leaving(&self) -> &AtomicU32 {
        // SAFETY: the mapping holds a context from its construction on, and this field is an atomic.
        unsafe { &(*self.as_ptr()).leaving }
    }

    /// Number of polls on back edges until one calls the runtime.
    pub fn countdown(&self) -> u32 {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw const (*self.as_ptr()).countdown).read() }
    }

    /// The loop header at which the exit frame polls, where it can be left there.
    pub fn header(&self) -> u32 {
        // SAFETY: as for `countdown`.
        unsafe { (&raw const (*self.as_ptr()).header).read() }
    }

    /// Sets the stack pointer below which prologues poll.
    #[inline]
    pub fn set_stack_limit(&self, limit: usize) {
        // Mostly it is as it was, and other threads have nothing to see.
        if self.0.stack_limit.load(Ordering::Relaxed) == limit {
            return;
        }
        self.0.stack_limit.store(limit, Ordering::SeqCst);
        self.0.poll_if_raised();
    }

    /// The stack limit last set, whatever flags are raised.
    pub fn stack_limit(&self) -> usize {
        self.0.stack_limit.load(Ordering::SeqCst)
    }

    /// Fuel left.
    #[inline]
    pub fn fuel(&self) -> i64 {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw const (*self.as_ptr()).fuel).read() }
    }

    /// Sets the fuel left.
    #[inline]
    pub fn set_fuel(&mut self, fuel: i64) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).fuel).write(fuel) }
    }

    /// An index, and the length that it is not below: what code found.
    pub fn out_of_range(&self) -> (i64, i64) {
        let context = self.as_ptr();
        // SAFETY: plain fields that only this thread uses.
        unsafe { ((&raw const (*context).index).read(), (&raw const (*context).length).read()) }
    }

    /// Sets the bytes of the linear memory that can be used.
    pub fn set_memory_size(&mut self, size: u64) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).memory_size).write(size) }
    }

    /// Sets the address at which the polling function continues; 0 continues in place.
    pub fn set_instead(&mut self, address: usize) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).instead).write(address) }
    }

    /// Takes one unit of fuel; false if there was none.
    #[inline]
    pub fn spend(&mut self) -> bool {
        let left = self.fuel() - 1;
        self.set_fuel(left.max(0));
        left >= 0
    }

    /// The message of the failure being handled: a string, as a word.
    pub fn caught(&self) -> u64 {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw const (*self.as_ptr()).caught).read() as u64 }
    }

    /// Sets the message of the failure being handled.
    pub fn set_caught(&mut self, message: u64) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).caught).write(message as usize) }
    }

    /// Stack pointer of the compiled frame that called the runtime last.
    pub fn exit_sp(&self) -> usize {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw const (*self.as_ptr()).exit_sp).read() }
    }

    /// The register contents of that frame.
    pub fn exit_registers(&self) -> [u64; EXIT_REGISTERS] {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw const (*self.as_ptr()).exit_registers).read() }
    }

    /// Sets the number of polls in loops with OSR points until one calls the runtime, that one included; at least 1.
    pub fn set_countdown(&mut self, polls: u32) {
        assert!(polls > 0, "some poll is looked into");
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).countdown).write(polls) }
    }

    /// Makes the polling frame continue at another version's OSR entry.
    pub fn set_transfer(&mut self, entry: usize) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).transfer).write(entry) }
    }

    /// Sets a word of the frame state that OSR passes on.
    pub fn set_state(&mut self, word: usize, value: u64) {
        assert!(word < MAX_STATE, "the state fits the context");
        // SAFETY: a plain field that only this thread uses; the index was checked.
        unsafe { (&raw mut (*self.as_ptr()).state[word]).write(value) }
    }

    /// The event buffer's next position and its end.
    pub fn events(&self) -> (usize, usize) {
        // SAFETY: plain fields that only this thread uses.
        unsafe { ((&raw const (*self.as_ptr()).events).read(), (&raw const (*self.as_ptr()).events_end).read()) }
    }

    /// Sets the event buffer's next position and its end.
    pub fn set_events(&mut self, next: usize, end: usize) {
        // SAFETY: plain fields that only this thread uses.
        unsafe {
            (&raw mut (*self.as_ptr()).events).write(next);
            (&raw mut (*self.as_ptr()).events_end).write(end);
        }
    }

    /// The path that an activation passed last.
    #[inline]
    pub fn passed(&self) -> i64 {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw const (*self.as_ptr()).passed).read() }
    }

    /// Passes nothing, so that the activation that is called begins a path.
    #[inline]
    pub fn pass_nothing(&mut self) {
        // SAFETY: plain fields that only this thread uses.
        unsafe {
            (&raw mut (*self.as_ptr()).passed).write(0);
            (&raw mut (*self.as_ptr()).passed_completions).write(0);
        }
    }

    /// The header of the table, and the word of a path that is in no slot.
    pub fn counted_path(&self) -> (usize, u64) {
        let context = self.as_ptr();
        // SAFETY: plain fields that only this thread uses.
        unsafe { ((&raw const (*context).path_table).read(), (&raw const (*context).path).read()) }
    }

    /// Sets the slot of that path.
    pub fn set_path_slot(&mut self, slot: usize) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).path_slot).write(slot) }
    }

    /// The first state, the state and the item of a step that has no slot.
    pub fn counted_step(&self) -> (usize, u64, u64) {
        let (first, item) = self.counted_path();
        // SAFETY: a plain field that only this thread uses.
        (first, unsafe { (&raw const (*self.as_ptr()).step_state).read() }, item)
    }

    /// Sets the state behind that step.
    pub fn set_step_state(&mut self, state: u64) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).step_state).write(state) }
    }

    /// The cell, the tag and the id of a path of which bursts are recorded.
    pub fn sampled_path(&self) -> (usize, u64, u64) {
        let context = self.as_ptr();
        // SAFETY: plain fields that only this thread uses.
        unsafe {
            let tag = (&raw const (*context).tag).read();
            ((&raw const (*context).burst_cell).read(), tag, (&raw const (*context).path).read())
        }
    }

    /// The id of other iterations than the first, and the number of all.
    pub fn sampled_iterations(&self) -> (u64, u64) {
        let context = self.as_ptr();
        // SAFETY: plain fields that only this thread uses.
        unsafe { ((&raw const (*context).further_path).read(), (&raw const (*context).iterations).read()) }
    }

    /// Sets the tag that the activation has from now on.
    pub fn set_tag(&mut self, tag: u64) {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw mut (*self.as_ptr()).tag).write(tag) }
    }

    /// The cell in which a run begins for which it has no slot.
    pub fn run_cell(&self) -> usize {
        // SAFETY: a plain field that only this thread uses.
        unsafe { (&raw const (*self.as_ptr()).run_cell).read() }
    }

    /// Makes an outer frame, which keeps nothing in registers, the one that called the runtime.
    pub fn exit_to(&mut self, sp: usize) {
        // SAFETY: plain fields that only this thread uses.
        unsafe {
            (&raw mut (*self.as_ptr()).exit_sp).write(sp);
            (&raw mut (*self.as_ptr()).exit_registers).write([0; EXIT_REGISTERS]);
        }
    }

    /// The compiled frame that called the runtime last, and the host's stack below which it runs.
    pub fn exit_state(&self) -> ExitState {
        let context = self.as_ptr();
        // SAFETY: plain fields that only this thread uses.
        unsafe {
            ExitState {
                fp: (&raw const (*context).exit_fp).read(),
                pc: (&raw const (*context).exit_pc).read(),
                sp: (&raw const (*context).exit_sp).read(),
                registers: (&raw const (*context).exit_registers).read(),
                host_sp: (&raw const (*context).host_sp).read(),
            }
        }
    }

    /// Makes that frame again the one that called the runtime last.
    pub fn set_exit_state(&mut self, state: &ExitState) {
        let context = self.as_ptr();
        // SAFETY: plain fields that only this thread uses.
        unsafe {
            (&raw mut (*context).exit_fp).write(state.fp);
            (&raw mut (*context).exit_pc).write(state.pc);
            (&raw mut (*context).exit_sp).write(state.sp);
            (&raw mut (*context).exit_registers).write(state.registers);
            (&raw mut (*context).host_sp).write(state.host_sp);
        }
    }

    /// The lists of free cells.
    pub fn free_lists(&mut self) -> &mut FreeLists {
        // SAFETY: a plain field that only this thread uses; no code runs while the reference is held.
        unsafe { &mut (*self.as_ptr()).free }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_flags_make_prologues_poll_until_they_are_taken() {
        let context = ContextBox::new().expect("memory");
        let limit = |context: &ContextBox| context.0.prologue_limit().load(Ordering::SeqCst);
        context.set_stack_limit(0x1000);
        assert_eq!(limit(&context), 0x1000);
        let handle = context.interrupt_handle();
        std::thread::spawn(move || handle.raise(flag::INTERRUPT | flag::TICK)).join().expect("no panic");
        assert_eq!((context.flags(), limit(&context)), (5, usize::MAX));
        assert_eq!(context.take_flags(flag::TICK | flag::INSTALL), flag::TICK);
        assert_eq!(limit(&context), usize::MAX, "the interrupt still waits");
        context.set_stack_limit(0x2000);
        assert_eq!(limit(&context), usize::MAX);
        assert_eq!(context.take_flags(flag::INTERRUPT), flag::INTERRUPT);
        assert_eq!((context.flags(), limit(&context)), (0, 0x2000));
    }

    #[test]
    fn fuel_counts_down_to_nothing_and_stays_there() {
        let mut context = ContextBox::new().expect("memory");
        context.set_fuel(2);
        assert_eq!([context.spend(), context.spend(), context.spend(), context.spend()], [true, true, false, false]);
    }

    #[test]
    fn the_context_lies_low() {
        let context = ContextBox::new().expect("memory");
        assert!((context.as_ptr() as usize) < 1 << 32, "there is room below 4 GiB in a test process");
    }
}
