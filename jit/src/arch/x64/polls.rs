//! Polls in place: the two instructions of each, and the stub that armed ones call.
//!
//! In: where things are. Out: bytes. Armed, a poll calls the stub, or jumps to a block of its own code, for which Cranelift has made a branch that is never
//! taken. Invariant: the instructions have the same length and the same operand, and the one without effect changes nothing but flags, which a call and a
//! test change too.

use super::stubs::STUB_SIZE;

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

/// Makes tests of the stack pointer for 0 polls, with the jumps behind them as they are. Returns for each the offset, and the distance from there to where the
/// test would jump; or nothing if there is any other code.
pub fn branches_in_place(code: &mut [u8]) -> Option<Vec<(usize, i32)>> {
    let mut polls = Vec::new();
    let mut at = 0;
    while at < code.len() {
        if code[at] == ARMED_BRANCH {
            at += POLL_SIZE;
            continue;
        }
        let test = code.get_mut(at..at + TEST_SIZE)?;
        let [0x48 | 0x49, 0x89, moved, 0x48 | 0x4d, 0x85, tested, 0x0f, 0x84, distance @ ..] = &*test else {
            return None;
        };
        let register = *moved & 7;
        if *moved & 0xf8 != 0xe0 || *tested != 0xc0 | register << 3 | register {
            return None;
        }
        polls.push((at, TEST_SIZE as i32 + i32::from_le_bytes(distance.try_into().ok()?)));
        test[..POLL_SIZE].copy_from_slice(&[DISARMED_POLL, 0, 0, 0, 0]);
        test[POLL_SIZE..].copy_from_slice(&NOP);
        at += TEST_SIZE;
    }
    Some(polls)
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
    fn other_code_is_none() {
        for (at, byte) in [(1, 0x8b), (2, 0xec), (5, 0xe5), (7, 0x85)] {
            let mut code = TEST;
            code[at] = byte;
            assert_eq!(branches_in_place(&mut code), None, "byte {at}");
        }
        assert_eq!(branches_in_place(&mut TEST[..8].to_vec()), None);
    }
}
