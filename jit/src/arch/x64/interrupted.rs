//! A thread that a signal stopped anywhere: its registers, the way from there to the frame that called, and where it goes on.
//!
//! In: what the system passes to a signal handler, and the bytes of code. Out: registers; where the return address stands.
//! Invariant: nothing allocates or locks, so that handlers may ask.
#![expect(unsafe_code, reason = "reads the thread's context, whose address the system passes")]

/// `push rbp`.
const PUSH_FP: u8 = 0x55;
/// `mov rbp, rsp`.
const SET_FP: [u8; 3] = [0x48, 0x89, 0xe5];
/// `ret`.
const RETURN: u8 = 0xc3;

/// The registers of a thread that lead to its frames.
#[derive(Clone, Copy, Debug)]
pub struct Interrupted {
    /// The address of the next instruction.
    pub pc: usize,
    /// The stack pointer.
    pub sp: usize,
    /// The frame pointer.
    pub fp: usize,
}

impl Interrupted {
    /// The registers in what a handler was passed as its third operand.
    ///
    /// # Safety
    /// The system passed it to the handler that is running.
    pub unsafe fn of(context: *mut core::ffi::c_void) -> Interrupted {
        // SAFETY: handlers with information are passed the thread's context.
        let registers = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
        let register = |number: libc::c_int| registers[number as usize] as usize;
        Interrupted { pc: register(libc::REG_RIP), sp: register(libc::REG_RSP), fp: register(libc::REG_RBP) }
    }

    /// The place of the return address, if the frame pointer is the caller's; `None` where compiled code has its frame. That is told by
    /// the first bytes of the next instruction: the first instructions of a function make its frame, and the last one returns.
    pub fn frameless(&self, next: [u8; 3]) -> Option<usize> {
        match next {
            [PUSH_FP | RETURN, ..] => Some(self.sp),
            SET_FP => Some(self.sp + 8),
            _ => None,
        }
    }
}

/// Has a thread call the stub of a runtime call when the signal handler returns, as if the instruction at which it was stopped were the call:
/// the return address is the one by which the code map knows the instruction.
///
/// # Safety
/// The system passed `context` to the handler that is running. The thread was stopped in compiled code, in a function with its frame, at an
/// instruction that the code map knows; the stub is one of the code's runtime, and `operand` its context.
pub unsafe fn call_instead(context: *mut core::ffi::c_void, stub: usize, operand: usize) {
    // SAFETY: handlers with information are passed the thread's context.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let pc = registers[libc::REG_RIP as usize] as usize;
    let sp = registers[libc::REG_RSP as usize] as usize - 8;
    // SAFETY: below the stack pointer of compiled code is room for a call.
    unsafe { std::ptr::with_exposed_provenance_mut::<usize>(sp).write(pc + 1) };
    registers[libc::REG_RSP as usize] = sp as i64;
    registers[libc::REG_RIP as usize] = stub as i64;
    registers[libc::REG_RDI as usize] = operand as i64;
}
