//! The stub behind a function's table entry until its first call: passes the function's number and
//! the context to the runtime's lazy-compile routine. Hand-assembled, x86-64 only.
//!
//! Invariant: every argument register of the calling convention is left alone (`rax`, `r10`, `r11`
//! carry none).

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
