//! Polls in place: the two instructions of each, and the stub that armed ones call.
//!
//! In: where things are. Out: bytes. Armed, a poll calls the stub, or goes to a block of its own code, for which Cranelift has made a branch: one that is
//! never taken, or one around that block, which always is. Invariant: the instructions have the same length and the same operand, and the one without
//! effect changes nothing but flags, which a call and a test change too.

use super::stubs::STUB_SIZE;
use holloway_abi::Opcodes;
use iced_x86::{Decoder, DecoderOptions, Mnemonic, Register};

/// Bytes of a poll: an opcode, and 32 bits.
pub const POLL_SIZE: usize = 5;

/// `test eax, imm32`.
const TEST: u8 = 0xa9;
/// `jmp rel32`.
const JUMP: u8 = 0xe9;

/// A poll that is a call while it is armed: `call rel32`.
pub const CALLS: Opcodes = Opcodes { armed: 0xe8, disarmed: TEST };

/// One that jumps to code that polls.
const BRANCHES: Opcodes = Opcodes { armed: JUMP, disarmed: TEST };

/// One that has code that polls right behind it, and jumps around it while it is disarmed.
const SKIPS: Opcodes = Opcodes { armed: TEST, disarmed: JUMP };

/// Bytes of a test that never holds: `mov r, rsp; test r, r; je rel32`.
const TEST_SIZE: usize = 12;

/// `nop dword ptr [rax + 0]`.
const NOP: [u8; TEST_SIZE - POLL_SIZE] = [0x0f, 0x1f, 0x80, 0, 0, 0, 0];

/// Makes disarmed polls of tests of the stack pointer for 0. The register allocator's moves among a test come before the poll, and jumps behind it stay. Returns
/// the offsets and the kinds of the polls; nothing if there is any other code.
pub fn branches_in_place(code: &mut [u8]) -> Option<Vec<(usize, Opcodes)>> {
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
            mnemonic @ (Mnemonic::Je | Mnemonic::Jne) if is_tested => {
                let kind = if mnemonic == Mnemonic::Je { BRANCHES } else { SKIPS };
                let distance = instruction.near_branch_target().wrapping_sub((made.len() + POLL_SIZE) as u64);
                polls.push((made.len(), kind));
                made.push(kind.disarmed);
                made.extend(i32::try_from(distance as i64).ok()?.to_le_bytes());
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
    const NEVER: [u8; TEST_SIZE] = [0x49, 0x89, 0xe4, 0x4d, 0x85, 0xe4, 0x0f, 0x84, 0, 1, 0, 0];
    /// `jmp -5`.
    const BACK: [u8; POLL_SIZE] = [0xe9, 0xfb, 0xff, 0xff, 0xff];

    fn target(code: &[u8], poll: usize) -> usize {
        let operand = code[poll + 1..poll + POLL_SIZE].try_into().expect("four bytes");
        (poll + POLL_SIZE).wrapping_add_signed(i32::from_le_bytes(operand) as isize)
    }

    #[test]
    fn tests_that_never_hold_are_polls() {
        let second = TEST_SIZE + POLL_SIZE;
        let mut code = [&NEVER[..], &BACK, &NEVER].concat();
        assert_eq!(branches_in_place(&mut code), Some(vec![(0, BRANCHES), (second, BRANCHES)]));
        assert_eq!([code[0], code[second]], [BRANCHES.disarmed; 2]);
        assert_eq!([target(&code, 0), target(&code, second)], [TEST_SIZE + 0x100, second + TEST_SIZE + 0x100]);
        assert_eq!(code[TEST_SIZE..second], BACK);
    }

    #[test]
    fn tests_that_always_hold_skip() {
        let mut code = NEVER;
        code[7] = 0x85;
        assert_eq!(branches_in_place(&mut code), Some(vec![(0, SKIPS)]));
        assert_eq!((code[0], target(&code, 0)), (SKIPS.disarmed, TEST_SIZE + 0x100));
    }

    #[test]
    fn moves_come_before_the_poll() {
        // `mov rdi, [rsp + 8]`.
        let load = [0x48, 0x8b, 0x7c, 0x24, 0x08];
        let mut code = [&NEVER[..6], &load, &NEVER[6..], &BACK].concat();
        assert_eq!(branches_in_place(&mut code), Some(vec![(load.len(), BRANCHES)]));
        assert_eq!(code[..load.len()], load);
        assert_eq!(target(&code, load.len()), load.len() + TEST_SIZE + 0x100);
        assert_eq!(code[load.len() + TEST_SIZE..], BACK);
    }

    #[test]
    fn other_code_is_none() {
        for (at, byte) in [(1, 0x8b), (2, 0xec), (5, 0xe5), (7, 0x8f)] {
            let mut code = NEVER;
            code[at] = byte;
            assert_eq!(branches_in_place(&mut code), None, "byte {at}");
        }
        assert_eq!(branches_in_place(&mut NEVER[..8].to_vec()), None);
    }
}
