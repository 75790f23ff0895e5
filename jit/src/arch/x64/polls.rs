//! Polls in place: the two instructions of each, and the stub that armed ones call.
//!
//! In: where things are. Out: bytes. Armed, a poll calls the stub, or jumps to a block of its own code, for which Cranelift has made a branch that is never
//! taken. Invariant: the instructions have the same length and the same operand, and the one without effect changes nothing but flags, which a call and a
//! test change too.

use super::stubs::STUB_SIZE;
use iced_x86::{Decoder, DecoderOptions, Mnemonic, Register};

/// Bytes of a poll: an opcode, and 32 bits.
pub const POLL_SIZE: usize = 5;

/// The first byte of a poll that does nothing: `test eax, imm32`.
pub const DISARMED_POLL: u8 = 0xa9;

/// The first byte of a poll that calls: `call rel32`.
pub const ARMED_POLL: u8 = 0xe8;

/// The first byte of a poll that jumps: `jmp rel32`.
pub const ARMED_BRANCH: u8 = 0xe9;

/// Bytes of a test that never holds: `mov r, rsp; test r, r; je rel32`.
const TEST_SIZE: usize = 12;

/// `nop dword ptr [rax + 0]`.
const NOP: [u8; TEST_SIZE - POLL_SIZE] = [0x0f, 0x1f, 0x80, 0, 0, 0, 0];

/// Makes polls of tests of the stack pointer for 0. The register allocator's moves among a test come before the poll, and jumps behind it stay. Returns for each
/// poll the offset, and the distance from there to where the test would jump; or nothing if there is any other code.
pub fn branches_in_place(code: &mut [u8]) -> Option<Vec<(usize, i32)>> {
    let mut polls = Vec::new();
    let mut made: Vec<u8> = Vec::with_capacity(code.len());
    let (mut copy, mut is_tested) = (None, false);
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    while decoder.can_decode() {
        let instruction = decoder.decode();
        let registers = (instruction.op0_register(), instruction.op1_register());
        match instruction.mnemonic() {
            Mnemonic::Mov if registers.1 == Register::RSP && copy.is_none() => copy = Some(registers.0),
            Mnemonic::Test if registers.0 == registers.1 && copy == Some(registers.0) => is_tested = true,
            Mnemonic::Je if is_tested => {
                let distance = instruction.near_branch_target().wrapping_sub(made.len() as u64);
                polls.push((made.len(), i32::try_from(distance as i64).ok()?));
                made.extend([DISARMED_POLL, 0, 0, 0, 0]);
                made.extend(NOP);
                (copy, is_tested) = (None, false);
            }
            mnemonic => {
                let is_jump = mnemonic == Mnemonic::Jmp && copy.is_none();
                let is_move = is_move(mnemonic) && !instruction.is_ip_rel_memory_operand();
                let bytes = instruction.ip() as usize..instruction.next_ip() as usize;
                made.extend((is_jump || is_move).then(|| &code[bytes])?);
            }
        }
    }
    if copy.is_some() || made.len() != code.len() {
        return None;
    }
    code.copy_from_slice(&made);
    Some(polls)
}

/// True for moves among registers and the frame.
fn is_move(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{Mov, Movapd, Movaps, Movdqa, Movdqu, Movq, Movsd, Movups, Vmovaps, Vmovdqu, Vmovsd, Vmovups};
    matches!(
        mnemonic,
        Mov | Movapd | Movaps | Movdqa | Movdqu | Movq | Movsd | Movups | Vmovaps | Vmovdqu | Vmovsd | Vmovups
    )
}

/// The operand of a poll that leads to an address.
pub fn poll_operand(poll: usize, to: usize) -> [u8; 4] {
    let distance = to as i64 - (poll + POLL_SIZE) as i64;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `mov r12, rsp; test r12, r12; je +0x100`.
    const TEST: [u8; TEST_SIZE] = [0x49, 0x89, 0xe4, 0x4d, 0x85, 0xe4, 0x0f, 0x84, 0, 1, 0, 0];
    /// `jmp -5`.
    const JUMP: [u8; POLL_SIZE] = [0xe9, 0xfb, 0xff, 0xff, 0xff];

    #[test]
    fn tests_that_never_hold_are_polls() {
        let mut code = [&TEST[..], &JUMP, &TEST].concat();
        let distance = TEST_SIZE as i32 + 0x100;
        assert_eq!(branches_in_place(&mut code), Some(vec![(0, distance), (TEST_SIZE + POLL_SIZE, distance)]));
        assert_eq!([code[0], code[TEST_SIZE + POLL_SIZE]], [DISARMED_POLL; 2]);
        assert_eq!(code[TEST_SIZE..][..POLL_SIZE], JUMP);
    }

    #[test]
    fn moves_come_before_the_poll() {
        // `mov rdi, [rsp + 8]`.
        let load = [0x48, 0x8b, 0x7c, 0x24, 0x08];
        let mut code = [&TEST[..6], &load, &TEST[6..], &JUMP].concat();
        let distance = TEST_SIZE as i32 + 0x100;
        assert_eq!(branches_in_place(&mut code), Some(vec![(load.len(), distance)]));
        assert_eq!(code[..load.len()], load);
        assert_eq!(code[load.len()], DISARMED_POLL);
        assert_eq!(code[load.len() + TEST_SIZE..], JUMP);
    }

    #[test]
    fn other_code_is_none() {
        for (at, byte) in [(1, 0x8b), (2, 0xec), (5, 0xe5), (7, 0x85)] {
            let mut code = TEST;
            code[at] = byte;
            assert_eq!(branches_in_place(&mut code), None, "byte {at}");
        }
        assert_eq!(branches_in_place(&mut TEST[..8].to_vec()), None);
    }
}
