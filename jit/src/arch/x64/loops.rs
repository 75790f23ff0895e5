//! Loops of machine code.
//!
//! In: code of a function. Out: the bytes of each loop, from its header to the end of the jump back to it.
//! Constants behind the last instruction are decoded too; what few ranges this adds are no loops, and their users must bear them.

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// Loops by their headers' offsets; of several jumps back to one header the nearest counts, for others come from code laid out as cold.
pub fn loops(code: &[u8]) -> Vec<Range<usize>> {
    let mut ends = BTreeMap::new();
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let is_jump = instruction.op0_kind() == OpKind::NearBranch64 && instruction.mnemonic() != Mnemonic::Call;
        if is_jump && instruction.near_branch_target() <= instruction.ip() {
            ends.entry(instruction.near_branch_target() as usize).or_insert(instruction.next_ip() as usize);
        }
    }
    ends.into_iter().map(|(header, end)| header..end).collect()
}

/// True iff the bytes of one loop are among those of another.
pub fn encloses(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer != inner && outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_back_ends_a_loop() {
        // 0: nop; 1: nop; 2: jne 1; 4: jmp 6; 6: jmp 0; 8: jne 1; 10: ret
        let code = [0x90, 0x90, 0x75, 0xfd, 0xeb, 0x00, 0xeb, 0xf8, 0x75, 0xf7, 0xc3];
        assert_eq!(loops(&code), vec![0..8, 1..4]);
    }

    #[test]
    fn bytes_that_are_no_code_do_no_harm() {
        let bytes: Vec<u8> = (0..=255).rev().cycle().take(4096).collect();
        assert!(loops(&bytes).iter().all(|found| found.end <= bytes.len()));
    }
}
