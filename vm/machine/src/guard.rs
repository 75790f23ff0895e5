//! Accesses out of bounds of a linear memory, which the system tells by a signal.
//!
//! In: the addresses that accesses of a machine's code may name. Out: the failure, as if the instruction that faulted were a call of the runtime.
//! Invariants: the handler takes no lock and allocates nothing; a fault that is none of ours goes to the handler that was there before.
#![expect(unsafe_code, reason = "signal handlers are C interfaces, and change where a thread goes on")]

use holloway_jit::arch::{Interrupted, call_instead};
use holloway_runtime::Runtime;
use std::mem::{transmute, zeroed};
use std::ops::Range;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The machines that may be guarded at once. Code of others tests the bounds.
const MOST_GUARDED: usize = 64;

/// A machine with a linear memory.
struct Guarded {
    memory: Range<usize>,
    code: Range<usize>,
    context: usize,
    /// The stub of the runtime call that raises the failure.
    fails: usize,
}

static GUARDED: [AtomicPtr<Guarded>; MOST_GUARDED] = [const { AtomicPtr::new(ptr::null_mut()) }; MOST_GUARDED];
/// Handlers that look at them now.
static HANDLING: AtomicUsize = AtomicUsize::new(0);
/// The action that was there before.
static BEFORE: OnceLock<Option<libc::sigaction>> = OnceLock::new();

/// As long as it lives, accesses out of bounds of a machine's linear memory fail.
pub(super) struct Guard {
    slot: &'static AtomicPtr<Guarded>,
}

impl Guard {
    /// Guards the memory of the runtime's module, if it has one and there is room. Accesses out of bounds call the stub given.
    pub(super) fn of(runtime: &Runtime, code: Range<usize>, fails: usize) -> Option<Guard> {
        let memory = runtime.linear()?.memory.reach();
        BEFORE.get_or_init(install_handler).as_ref()?;
        let context = runtime.context().as_ptr().expose_provenance();
        let guarded = Box::into_raw(Box::new(Guarded { memory, code, context, fails }));
        let is_taken = |slot: &&AtomicPtr<Guarded>| {
            slot.compare_exchange(ptr::null_mut(), guarded, Ordering::SeqCst, Ordering::Relaxed).is_ok()
        };
        match GUARDED.iter().find(is_taken) {
            Some(slot) => Some(Guard { slot }),
            None => {
                // SAFETY: it was made above, and no slot has it.
                drop(unsafe { Box::from_raw(guarded) });
                None
            }
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let guarded = self.slot.swap(ptr::null_mut(), Ordering::SeqCst);
        while HANDLING.load(Ordering::SeqCst) > 0 {
            std::hint::spin_loop();
        }
        // SAFETY: no slot has it any more, and no handler that found it there is under way.
        drop(unsafe { Box::from_raw(guarded) });
    }
}

/// Installs the handler; gives what was there before, or nothing where that is not possible.
fn install_handler() -> Option<libc::sigaction> {
    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = handle;
    // SAFETY: all zeros is a valid action, with an empty mask; the handler has the type that SA_SIGINFO asks for.
    unsafe {
        let (mut action, mut before): (libc::sigaction, libc::sigaction) = (zeroed(), zeroed());
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        (libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut before) == 0).then_some(before)
    }
}

extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system passes what it knows of the signal, and the thread's context.
    let (address, pc) = unsafe { ((*info).si_addr().addr(), Interrupted::of(context).pc) };
    HANDLING.fetch_add(1, Ordering::SeqCst);
    let found = GUARDED.iter().find_map(|slot| {
        let guarded = slot.load(Ordering::SeqCst);
        // SAFETY: what a slot has is there as long as a handler is under way.
        let guarded = unsafe { guarded.as_ref() }?;
        (guarded.memory.contains(&address) && guarded.code.contains(&pc)).then_some((guarded.context, guarded.fails))
    });
    HANDLING.fetch_sub(1, Ordering::SeqCst);
    match found {
        // SAFETY: compiled code of the machine faulted where the code map knows it, in a function with a frame.
        Some((of, fails)) => unsafe { call_instead(context, fails, of) },
        None => before(signal, info, context),
    }
}

/// Does what the handler before does.
fn before(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let action = BEFORE.get().and_then(Option::as_ref);
    match action.map(|action| (action.sa_sigaction, action.sa_flags & libc::SA_SIGINFO != 0)) {
        None | Some((libc::SIG_DFL | libc::SIG_IGN, _)) => {
            // SAFETY: the instruction faults again, without a handler.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Some((handler, true)) => {
            // SAFETY: the action says that its handler is of this type.
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                unsafe { transmute(handler) };
            handler(signal, info, context);
        }
        Some((handler, false)) => {
            // SAFETY: as above.
            let handler: extern "C" fn(libc::c_int) = unsafe { transmute(handler) };
            handler(signal);
        }
    }
}
