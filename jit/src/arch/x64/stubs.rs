//! Stubs: short jumps from code into the runtime, assembled by hand.
//!
//! In: where the runtime's part is. Out: code. The stub behind a function's table entry until its first call passes the
//! function's number and the context to the routine that compiles; the barrier is where frames return whose return the
//! runtime wants to know of.
//! Invariant: every argument and result register of the calling convention is left alone (`r10` and `r11` carry
//! none; `rax` carries no argument).

use holloway_lang::ir::FuncRef;

/// Bytes each stub takes.
pub const STUB_SIZE: usize = 32;

/// The code of one stub: `mov eax, func; mov r10, context; mov r11, target; jmp r11`.
pub fn lazy_stub(func: FuncRef, context: usize, target: usize) -> [u8; STUB_SIZE] {
    let mut code = [0xcc; STUB_SIZE];
    code[0] = 0xb8;
    code[1..5].copy_from_slice(&func.as_u32().to_le_bytes());
    code[5..7].copy_from_slice(&[0x49, 0xba]);
    code[7..15].copy_from_slice(&context.to_le_bytes());
    code[15..17].copy_from_slice(&[0x49, 0xbb]);
    code[17..25].copy_from_slice(&target.to_le_bytes());
    code[25..28].copy_from_slice(&[0x41, 0xff, 0xe3]);
    code
}

/// The code of the barrier: `mov r10, context; mov r11, target; jmp r11`.
pub fn return_barrier(context: usize, target: usize) -> [u8; STUB_SIZE] {
    let mut code = [0xcc; STUB_SIZE];
    code[0..2].copy_from_slice(&[0x49, 0xba]);
    code[2..10].copy_from_slice(&context.to_le_bytes());
    code[10..12].copy_from_slice(&[0x49, 0xbb]);
    code[12..20].copy_from_slice(&target.to_le_bytes());
    code[20..23].copy_from_slice(&[0x41, 0xff, 0xe3]);
    code
}
