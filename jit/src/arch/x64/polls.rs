//! Polls in place: the two instructions of each, and the stub that armed ones call.
//!
//! In: where things are. Out: bytes. Invariant: the instructions have the same length and the same operand, and the one without
//! effect changes nothing but flags, which a call changes too.

use super::stubs::STUB_SIZE;

/// Bytes of a poll: an opcode, and 32 bits.
pub const POLL_SIZE: usize = 5;

/// The first byte of a poll that does nothing: `test eax, imm32`.
pub const DISARMED_POLL: u8 = 0xa9;

/// The first byte of a poll that calls: `call rel32`.
pub const ARMED_POLL: u8 = 0xe8;

/// The operand of a poll.
pub fn poll_operand(poll: usize, stub: usize) -> [u8; 4] {
    let distance = stub as i64 - (poll + POLL_SIZE) as i64;
    i32::try_from(distance).expect("code lies within 2 GiB").to_le_bytes()
}

/// The code of the stub: `push rdi; mov rdi, context; jmp [rip]; target`. The target finds `rdi` on the stack.
pub fn poll_stub(context: usize, target: usize) -> [u8; STUB_SIZE] {
    let mut code = [0xcc; STUB_SIZE];
    code[0] = 0x57;
    code[1..3].copy_from_slice(&[0x48, 0xbf]);
    code[3..11].copy_from_slice(&context.to_le_bytes());
    code[11..17].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
    code[17..25].copy_from_slice(&target.to_le_bytes());
    code
}
