//! Instructions of machine code, by what they do.
//!
//! In: code, and the parts of it that do not count. Out: [`Mix`]. An instruction that adds to memory is a load and a store; the stack's own
//! (`push`, `pop`, `call`, `ret`) are neither. Bytes that are never executed (`int3`) do not count.

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use std::ops::Range;

/// Numbers of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mix {
    /// All of them.
    pub instructions: u32,
    /// Those that read memory.
    pub loads: u32,
    /// Those that write memory.
    pub stores: u32,
    /// Jumps, conditional or not, and returns.
    pub branches: u32,
    /// Calls.
    pub calls: u32,
}

/// Counts the instructions of a part of the code, but for those in `skipped`.
pub fn mix(code: &[u8], part: Range<usize>, skipped: &[Range<usize>]) -> Mix {
    let mut found = Mix::default();
    let mut decoder = Decoder::with_ip(64, &code[part.clone()], part.start as u64, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let is_free = instruction.mnemonic() == Mnemonic::Int3;
        if !is_free && !skipped.iter().any(|range| range.contains(&(instruction.ip() as usize))) {
            found.add(&instruction);
        }
    }
    found
}

impl Mix {
    fn add(&mut self, instruction: &Instruction) {
        self.instructions += 1;
        let is_near = instruction.op0_kind() == OpKind::NearBranch64;
        match instruction.mnemonic() {
            Mnemonic::Call => self.calls += 1,
            mnemonic => self.branches += u32::from(is_near || matches!(mnemonic, Mnemonic::Jmp | Mnemonic::Ret)),
        }
        let is_memory = |operand| instruction.op_kind(operand) == OpKind::Memory;
        let Some(operand) = (0..instruction.op_count()).find(|operand| is_memory(*operand)) else { return };
        match instruction.mnemonic() {
            Mnemonic::Lea | Mnemonic::Nop => {}
            mnemonic => {
                let is_first = operand == 0;
                self.stores += u32::from(is_first && !only_reads(mnemonic));
                self.loads += u32::from(!is_first || !only_writes(mnemonic));
            }
        }
    }
}

/// True iff an instruction does not change its first operand.
fn only_reads(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{Bt, Call, Cmp, Comisd, Comiss, Div, Idiv, Imul, Jmp, Mul, Push, Test, Ucomisd, Ucomiss};
    matches!(
        mnemonic,
        Bt | Call | Cmp | Comisd | Comiss | Div | Idiv | Imul | Jmp | Mul | Push | Test | Ucomisd | Ucomiss
    )
}

/// True iff an instruction does not read its first operand: moves, and `setCC`.
fn only_writes(mnemonic: Mnemonic) -> bool {
    let name = format!("{mnemonic:?}");
    name.starts_with("Mov") || name.starts_with("Vmov") || name.starts_with("Set")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_told_apart() {
        // mov [rax], rbx; mov rbx, [rax]; add [rax], rbx; add rbx, [rax]; cmp [rax], rbx; lea rbx, [rax]; sete [rax]; jne -2; call +0; ret
        let code = [
            0x48, 0x89, 0x18, 0x48, 0x8b, 0x18, 0x48, 0x01, 0x18, 0x48, 0x03, 0x18, 0x48, 0x39, 0x18, 0x48, 0x8d, 0x18,
            0x0f, 0x94, 0x00, 0x75, 0xfe, 0xe8, 0, 0, 0, 0, 0xc3,
        ];
        let all = Mix { instructions: 10, loads: 4, stores: 3, branches: 2, calls: 1 };
        assert_eq!(mix(&code, 0..code.len(), &[]), all);
        assert_eq!(mix(&code, 0..6, &[]), Mix { instructions: 2, loads: 1, stores: 1, ..Mix::default() });
        assert_eq!(
            mix(&code, 0..6, std::slice::from_ref(&(0..3))),
            Mix { instructions: 1, loads: 1, ..Mix::default() }
        );
    }
}
