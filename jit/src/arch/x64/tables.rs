//! Jumps through tables, without the test of their bounds.
//!
//! In: Cranelift's code of a jump through a table, where the index was compared with the table's length before, in 64 bits. Out: the same without the clamp
//! of the index, which takes four instructions, two of them in a row behind whatever the index comes from. The bytes saved are filled in front of the table,
//! which stays where it is. Any other code, as with moves of the register allocator in between, stays as it is: the clamp does nothing.

use super::FILLER;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// Leaves out the clamp.
pub fn without_bounds(code: &mut [u8]) {
    if let Some((made, end)) = shorter(code) {
        let (jump, free) = code[..end].split_at_mut(made.len());
        jump.copy_from_slice(&made);
        free.fill(FILLER);
    }
}

/// The code in which `mov size, N; mov index, from; cmp index, size; cmovb size, index; lea table, [rip+D]; movsxd way, [table+size*4]; add table, way;
/// jmp table` has only its second instruction, as `mov size, from`, and its last four; and where all of them end.
fn shorter(code: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
    let [limit, copy, compare, clamp, address, distance, add, jump] =
        std::array::from_fn(|_| decoder.decode()) as [Instruction; 8];
    let (size, index, from, table) =
        (limit.op0_register(), copy.op0_register(), copy.op1_register(), address.op0_register());
    let is_whole = |instruction: &Instruction, mnemonic, registers: (Register, Register)| {
        instruction.mnemonic() == mnemonic
            && (instruction.op0_register(), instruction.op1_register()) == registers
            && [OpKind::Register; 2] == [instruction.op0_kind(), instruction.op1_kind()]
    };
    let has_clamp = limit.mnemonic() == Mnemonic::Mov
        && limit.op1_kind() == OpKind::Immediate32
        && is_whole(&copy, Mnemonic::Mov, (index, from))
        && [size, index, from].into_iter().all(|register| number(register).is_some())
        && is_whole(&compare, Mnemonic::Cmp, (index, size))
        && is_whole(&clamp, Mnemonic::Cmovb, (size, index));
    let looks_up = address.mnemonic() == Mnemonic::Lea
        && address.is_ip_rel_memory_operand()
        && address.ip_rel_memory_address() == jump.next_ip()
        && distance.mnemonic() == Mnemonic::Movsxd
        && distance.memory_base() == table
        && (distance.memory_index() as usize).checked_sub(Register::RAX as usize) == number(size).map(usize::from)
        && is_whole(&add, Mnemonic::Add, (table, distance.op0_register()))
        && jump.mnemonic() == Mnemonic::Jmp
        && jump.op0_register() == table;
    if !(has_clamp && looks_up && size != from) {
        return None;
    }
    let mut made = copy_of(number(size)?, number(from)?);
    let end = jump.next_ip() as usize;
    let moved_by = address.ip() as usize - made.len();
    let tail = &code[address.ip() as usize..end];
    // `lea` ends with its distance.
    let size_of_lea = address.len();
    let lea = (jump.next_ip() - address.next_ip()) as u32 + moved_by as u32;
    made.extend(&tail[..size_of_lea - size_of::<u32>()]);
    made.extend(lea.to_le_bytes());
    made.extend(&tail[size_of_lea..]);
    Some((made, end))
}

/// The number of a register of 32 bits.
fn number(register: Register) -> Option<u8> {
    (register as usize).checked_sub(Register::EAX as usize).filter(|number| *number < 16).map(|number| number as u8)
}

/// `mov to, from` of 32 bits, which makes the upper half of the register 0.
fn copy_of(to: u8, from: u8) -> Vec<u8> {
    let extended = 0x40 | (from >> 3) << 2 | to >> 3;
    let prefix = (extended != 0x40).then_some(extended);
    prefix.into_iter().chain([0x89, 0xc0 | (from & 7) << 3 | to & 7]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::disassemble;

    /// `mov ebx, 5; mov r10d, r9d; cmp r10d, ebx; cmovb ebx, r10d; lea r12, [rip+10]; movsxd r10, [r12+rbx*4]; add r12, r10; jmp r12`, and a table of three places.
    const CLAMPED: [u8; 45] = [
        0xbb, 5, 0, 0, 0, 0x45, 0x89, 0xca, 0x41, 0x39, 0xda, 0x41, 0x0f, 0x42, 0xda, 0x4c, 0x8d, 0x25, 0x0a, 0, 0, 0,
        0x4d, 0x63, 0x14, 0x9c, 0x4d, 0x01, 0xd4, 0x41, 0xff, 0xe4, 12, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0, 0xc3,
    ];

    fn texts(code: &[u8]) -> Vec<String> {
        disassemble(code).into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn the_clamp_is_left_out() {
        let mut code = CLAMPED;
        without_bounds(&mut code);
        let expected = ["mov ebx, r9d", "lea r12, [0x20]", "movsxd r10, [r12+rbx*4]", "add r12, r10", "jmp r12"];
        assert_eq!(texts(&code)[..5], expected);
        assert_eq!(code[20..32], [FILLER; 12], "nothing gets there");
        assert_eq!(code[32..], CLAMPED[32..], "the table stays");
    }

    #[test]
    fn other_code_stays() {
        // Another index, another limit, another register behind each instruction, and a move in between.
        for at in [6, 7, 9, 10, 14, 17, 25, 28, 31] {
            let mut code = CLAMPED;
            code[at] ^= 1;
            let before = code;
            without_bounds(&mut code);
            assert_eq!(code, before, "byte {at}");
        }
        let mut moved = [&CLAMPED[..15], &[0x48, 0x89, 0xc1], &CLAMPED[15..]].concat();
        let before = moved.clone();
        without_bounds(&mut moved);
        assert_eq!(moved, before);
    }

    #[test]
    fn any_bytes_do_no_harm() {
        for len in 0..CLAMPED.len() {
            let mut code = CLAMPED[..len].to_vec();
            without_bounds(&mut code);
        }
    }
}
