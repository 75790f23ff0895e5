//! Instructions of machine code, as text.
//!
//! In: code of a function, up to where its instructions end. Out: [`Disassembled`] instructions, in order. Jumps and operands relative to the
//! instruction pointer are shown by the offset that they lead to; a table behind a jump through it, as its targets,
//! without bytes in front of it that are never executed.

use super::FILLER;
use iced_x86::{Decoder, DecoderOptions, FastFormatter, Instruction, Mnemonic, OpKind};

/// One instruction, or an entry of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disassembled {
    /// Its offset.
    pub offset: u32,
    /// The instruction as assemblers for Intel's syntax read it.
    pub text: String,
    /// The constant that it loads into a register, if it does.
    pub constant: Option<u64>,
}

/// Reads instructions.
pub fn disassemble(code: &[u8]) -> Vec<Disassembled> {
    let mut formatter = FastFormatter::new();
    let options = formatter.options_mut();
    options.set_space_after_operand_separator(true);
    options.set_use_hex_prefix(true);
    options.set_uppercase_hex(false);
    let mut decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    let mut found = Vec::new();
    let mut address = 0;
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let mnemonic = instruction.mnemonic();
        if mnemonic == Mnemonic::Lea && instruction.is_ip_rel_memory_operand() {
            address = instruction.ip_rel_memory_address() as usize;
        }
        let is_near = instruction.op0_kind() == OpKind::NearBranch64;
        let mut text = String::new();
        if is_near {
            let mnemonic = format!("{mnemonic:?}").to_lowercase();
            text = format!("{mnemonic} {:04x}", instruction.near_branch_target());
        } else {
            formatter.format(&instruction, &mut text);
        }
        let is_constant = mnemonic == Mnemonic::Mov
            && matches!(instruction.op1_kind(), OpKind::Immediate32 | OpKind::Immediate32to64 | OpKind::Immediate64);
        let (start, table) = match mnemonic {
            Mnemonic::Jmp if !is_near => {
                let start = table_behind(code, decoder.position(), address);
                (start, entries(code, start))
            }
            _ => (decoder.position(), Vec::new()),
        };
        found.push(Disassembled {
            offset: instruction.ip() as u32,
            text,
            constant: is_constant.then(|| instruction.immediate(1)),
        });
        found.extend(table.iter().zip((start as u32..).step_by(4)).map(|(target, offset)| Disassembled {
            offset,
            text: format!(".long {target:04x}"),
            constant: None,
        }));
        let behind = start + 4 * table.len();
        decoder.set_position(behind).expect("the table is in the code");
        decoder.set_ip(behind as u64);
    }
    found
}

/// The place of the table behind a jump: at the address that was computed last, if nothing but what is never executed is in front of that.
fn table_behind(code: &[u8], jump_end: usize, address: usize) -> usize {
    let is_free = |between: &[u8]| between.iter().all(|byte| *byte == FILLER);
    if code.get(jump_end..address).is_some_and(is_free) { address } else { jump_end }
}

/// The targets in a table: distances from its start. It ends where code that it leads to begins, or where a word is no offset.
fn entries(code: &[u8], start: usize) -> Vec<u32> {
    let target = |at: usize| {
        let word = code.get(at..at + 4)?.try_into().expect("four bytes");
        let target = start.checked_add_signed(i32::from_le_bytes(word) as isize)?;
        (target < code.len() && !(start..at + 4).contains(&target)).then_some(target)
    };
    let (mut at, mut end) = (start, code.len());
    let mut found = Vec::new();
    while let Some(next) = target(at).filter(|_| at < end) {
        if next > start {
            end = end.min(next);
        }
        found.push(next as u32);
        at += 4;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_name_the_offset_they_lead_to() {
        // mov eax, 0x1234; mov rbx, [rip+9]; jne 5; call 0; add [rdi+8*rsi+16], rcx
        let code = [
            0xb8, 0x34, 0x12, 0, 0, 0x48, 0x8b, 0x1d, 9, 0, 0, 0, 0x75, 0xf7, 0xe8, 0xed, 0xff, 0xff, 0xff, 0x48, 0x01,
            0x4c, 0xf7, 0x10,
        ];
        let found = disassemble(&code);
        let told: Vec<(u32, &str)> = found.iter().map(|found| (found.offset, found.text.as_str())).collect();
        let expected = [
            (0, "mov eax, 0x1234"),
            (5, "mov rbx, [0x15]"),
            (12, "jne 0005"),
            (14, "call 0000"),
            (19, "add [rdi+rsi*8+0x10], rcx"),
        ];
        assert_eq!(told, expected);
        assert_eq!([found[0].constant, found[1].constant], [Some(0x1234), None]);
    }

    #[test]
    fn a_table_is_shown_as_its_targets() {
        // 0: jmp rax; 2: 10, 8, -2; 14..: nop, nop, ret. The entry of 8 is the table's last word, and so no target.
        let table = |words: [i32; 3]| -> Vec<u8> {
            let words = words.into_iter().flat_map(i32::to_le_bytes);
            [0xff, 0xe0].into_iter().chain(words).chain([0x90, 0x90, 0xc3]).collect()
        };
        let told = |words: [i32; 3]| disassemble(&table(words)).into_iter().map(|found| found.text).collect::<Vec<_>>();
        assert_eq!(told([13, 12, -2]), ["jmp rax", ".long 000f", ".long 000e", ".long 0000", "nop", "nop", "ret"]);
        let entries: Vec<String> = told([13, 3, -2]).into_iter().filter(|text| text.starts_with(".long")).collect();
        assert_eq!(entries, [".long 000f"]);
    }

    #[test]
    fn bytes_in_front_of_a_table_are_left_out() {
        // 0: lea rax, [rip+3]; 7: jmp rax; 9: int3; 10: 4; 14: ret
        let code = [0x48, 0x8d, 0x05, 3, 0, 0, 0, 0xff, 0xe0, 0xcc, 4, 0, 0, 0, 0xc3];
        let told: Vec<String> = disassemble(&code).into_iter().map(|found| found.text).collect();
        assert_eq!(told, ["lea rax, [0xa]", "jmp rax", ".long 000e", "ret"]);
    }
}
