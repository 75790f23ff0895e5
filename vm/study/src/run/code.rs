//! The machine code of a run as text.
//!
//! In: bytes, with where they come from, and names of addresses. Out: instructions. Invariant: bytes that are no code give no text, and
//! nothing worse.

use super::Run;
use super::record::{Code, Instruction, MachineCode};
use holloway_jit::arch;
use std::collections::HashMap;

impl Run {
    /// Makes text of the machine code, if that was not done before.
    pub fn disassemble(&mut self) {
        if self.code.is_empty() {
            let names: HashMap<u64, &String> =
                self.addresses.iter().rev().map(|(address, name)| (*address, name)).collect();
            self.code = self.machine_code.iter().map(|code| text(code, &names)).collect();
        }
    }
}

fn text(code: &MachineCode, names: &HashMap<u64, &String>) -> Code {
    let mut bytes = bytes(&code.bytes);
    // Behind the last instruction stand constants.
    let end = code.lines.last().map_or(0, |(_, end, ..)| *end as usize);
    bytes.truncate(end);
    let loops = arch::loops(&bytes);
    let at = |offset: u32| {
        let nth = code.lines.partition_point(|(_, end, ..)| *end <= offset);
        let (.., function, line) = code.lines.get(nth).filter(|(start, ..)| *start <= offset)?;
        Some((*function, *line))
    };
    let instructions = arch::disassemble(&bytes).into_iter().map(|found| Instruction {
        depth: loops.iter().filter(|range| range.contains(&(found.offset as usize))).count(),
        at: at(found.offset),
        note: found.constant.and_then(|address| names.get(&address).map(|name| (*name).clone())),
        offset: found.offset,
        text: found.text,
    });
    Code { version: code.version, instructions: instructions.collect() }
}

fn bytes(digits: &str) -> Vec<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.map_while(|pair| Some(digit(&pair[0])? << 4 | digit(&pair[1])?)).collect()
}

/// Bytes as they stand in a record.
pub(super) fn digits(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |byte: u8| char::from(DIGITS[usize::from(byte)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bytes: &str) -> Run {
        let machine_code =
            vec![MachineCode { version: 0, bytes: bytes.to_owned(), lines: vec![(0, 5, 0, 3), (5, 6, 0, 4)] }];
        Run { machine_code, addresses: vec![(0x1234, "context".to_owned())], ..Run::default() }
    }

    #[test]
    fn code_has_its_lines_and_names() {
        let mut run = run(&digits(&[0xb9, 0x34, 0x12, 0, 0, 0xc3, 9, 9]));
        run.disassemble();
        let told = |at: usize| {
            let one = &run.code[0].instructions[at];
            (one.offset, one.text.as_str(), one.at, one.note.as_deref())
        };
        let expected = [(0, "mov ecx, 0x1234", Some((0, 3)), Some("context")), (5, "ret", Some((0, 4)), None)];
        assert_eq!([told(0), told(1)], expected);
        assert_eq!(run.code[0].instructions.len(), 2);
    }

    #[test]
    fn what_is_no_code_is_no_panic() {
        for bytes in ["", "0", "zz", "ffffffffffff", "b9zz"] {
            run(bytes).disassemble();
        }
    }
}
