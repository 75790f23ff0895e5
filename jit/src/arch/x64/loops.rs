//! Loops of machine code.
//!
//! In: code of a function. Out: the bytes of each loop, from its header to the end of the jump back to it.
//! Constants behind the last instruction are decoded too; what few ranges this adds are no loops, and their users must bear them.

use hashbrown::HashSet;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// An instruction, as far as control goes.
struct Step {
    at: usize,
    end: usize,
    /// The target of its jump, if it jumps: nothing is known of jumps through a register.
    jump: Option<Option<usize>>,
    /// True iff the instruction behind it may be next.
    goes_on: bool,
}

/// Loops by their headers' offsets; of several jumps back to one header the nearest counts, for others come from code laid out as cold.
/// A jump back that control does not get to from where it leads makes none: it only returns there.
pub fn loops(code: &[u8]) -> Vec<Range<usize>> {
    let steps = steps(code);
    let mut ends = BTreeMap::new();
    for step in &steps {
        if let Some(Some(target)) = step.jump
            && target <= step.at
        {
            ends.entry(target).or_insert(step.end);
        }
    }
    let mut loops: Vec<_> = ends.into_iter().map(|(header, end)| header..end).collect();
    loops.retain(|range| leads(&steps, range));
    loops
}

fn steps(code: &[u8]) -> Vec<Step> {
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    let mut steps = Vec::new();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let mnemonic = instruction.mnemonic();
        let jump = match instruction.op0_kind() {
            OpKind::NearBranch64 if mnemonic != Mnemonic::Call => Some(Some(instruction.near_branch_target() as usize)),
            _ if mnemonic == Mnemonic::Jmp => Some(None),
            _ => None,
        };
        steps.push(Step {
            at: instruction.ip() as usize,
            end: instruction.next_ip() as usize,
            jump,
            goes_on: !matches!(mnemonic, Mnemonic::Jmp | Mnemonic::Ret | Mnemonic::Ud2),
        });
    }
    steps
}

/// True iff control may get from the first instruction of a range to the last.
fn leads(steps: &[Step], range: &Range<usize>) -> bool {
    let nth = |at: usize| steps.binary_search_by_key(&at, |step| step.at).ok();
    // Most loops are small, so a mark for each instruction of the function would be far more than what is looked at.
    let mut seen = HashSet::new();
    let mut work: Vec<usize> = nth(range.start).into_iter().collect();
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        let step = &steps[at];
        if step.end == range.end || step.jump == Some(None) {
            return true;
        }
        let next = step.goes_on.then_some(at + 1).filter(|next| *next < steps.len());
        work.extend(step.jump.flatten().and_then(nth).into_iter().chain(next));
    }
    false
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
    fn a_jump_back_from_cold_code_ends_none() {
        // 0: jb 7; 2: nop; 3: jne 2; 5: nop; 6: ret; 7: nop; 8: jmp 2
        let code = [0x72, 0x05, 0x90, 0x75, 0xfd, 0x90, 0xc3, 0x90, 0xeb, 0xf8];
        assert_eq!(loops(&code), vec![2..5]);
        // The same without the loop's own jump.
        let code = [0x72, 0x05, 0x90, 0x90, 0x90, 0x90, 0xc3, 0x90, 0xeb, 0xf8];
        assert_eq!(loops(&code), vec![]);
    }

    #[test]
    fn bytes_that_are_no_code_do_no_harm() {
        let bytes: Vec<u8> = (0..=255).rev().cycle().take(4096).collect();
        assert!(loops(&bytes).iter().all(|found| found.end <= bytes.len()));
    }
}
