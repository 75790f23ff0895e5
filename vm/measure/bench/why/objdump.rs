//! The machine code that ran.
//!
//! In: a jitdump, or the text of `objdump -d`. Out: [`Code`], one a function. Invariant: what cannot be read has no code.

use std::ops::Range;

/// Code of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Code {
    /// Its name.
    pub(super) name: String,
    /// The address of its first byte.
    pub(super) start: u64,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
}

/// Size of a jitdump's header, and of a record of code without its name and code.
const HEADER: usize = 40;
const RECORD: usize = 56;

impl Code {
    /// The addresses of its bytes.
    pub(super) fn range(&self) -> Range<u64> {
        self.start..self.start + self.bytes.len() as u64
    }

    /// Reads a jitdump of ours, which has records of code only.
    pub(super) fn of_jitdump(mut dump: &[u8]) -> Vec<Code> {
        let mut found = Vec::new();
        dump = dump.get(HEADER..).unwrap_or_default();
        while let Some((code, rest)) = record(dump) {
            found.push(code);
            dump = rest;
        }
        found
    }

    /// Reads what `objdump -d` prints.
    pub(super) fn of_objdump(text: &str) -> Vec<Code> {
        let mut found: Vec<Code> = Vec::new();
        for line in text.lines() {
            if let Some((start, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
                let Ok(start) = u64::from_str_radix(start, 16) else { continue };
                found.push(Code { name: name.to_owned(), start, bytes: Vec::new() });
            } else if let (Some(code), Some((_, bytes))) = (found.last_mut(), line.split_once(":\t")) {
                let hex = bytes.split('\t').next().unwrap_or_default();
                code.bytes.extend(hex.split_whitespace().filter_map(|byte| u8::from_str_radix(byte, 16).ok()));
            }
        }
        found
    }
}

/// The first record, and what is behind it.
fn record(dump: &[u8]) -> Option<(Code, &[u8])> {
    let size = u32::from_le_bytes(dump.get(4..8)?.try_into().ok()?) as usize;
    let start = u64::from_le_bytes(dump.get(32..40)?.try_into().ok()?);
    let len = u64::from_le_bytes(dump.get(40..48)?.try_into().ok()?) as usize;
    let (record, rest) = dump.split_at_checked(size)?;
    let named = record.get(RECORD..)?;
    let end = named.iter().position(|byte| *byte == 0)?;
    let bytes = named.get(end + 1..)?.get(..len)?.to_vec();
    Some((Code { name: String::from_utf8_lossy(&named[..end]).into_owned(), start, bytes }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jitdump_is_read() {
        let mut dump = vec![0; HEADER];
        for (start, name, bytes) in [(0x1000_u64, "f", &[0x90, 0xc3][..]), (0x2000, "g", &[0xc3])] {
            let size = RECORD + name.len() + 1 + bytes.len();
            let mut record = [0; RECORD];
            record[4..8].copy_from_slice(&(size as u32).to_le_bytes());
            record[32..40].copy_from_slice(&start.to_le_bytes());
            record[40..48].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            dump.extend(record.iter().chain(name.as_bytes()).chain(&[0]).chain(bytes));
        }
        let code = |name: &str, start, bytes: &[u8]| Code { name: name.to_owned(), start, bytes: bytes.to_vec() };
        let both = vec![code("f", 0x1000, &[0x90, 0xc3]), code("g", 0x2000, &[0xc3])];
        assert_eq!(Code::of_jitdump(&dump), both);
        assert_eq!(Code::of_jitdump(&dump[..dump.len() - 1]), both[..1]);
    }

    #[test]
    fn a_listing_is_read() {
        let text = "\nfib:     file format elf64-x86-64\n\nDisassembly of section .text:\n\n0000000000001070 <main>:\n    \
                    1070:\t89 f8                \tmov    %edi,%eax\n    1072:\tc3                   \tret\n\n\
                    0000000000001080 <fib>:\n    1080:\t48 83 ec 08 01 02 03 \tsub    $0x8,%rsp\n    1087:\t04 \n";
        let found = Code::of_objdump(text);
        assert_eq!(found.iter().map(|code| code.name.as_str()).collect::<Vec<_>>(), ["main", "fib"]);
        assert_eq!(found[0].bytes, [0x89, 0xf8, 0xc3]);
        assert_eq!(found[1].range(), 0x1080..0x1088);
    }
}
