//! The machine code of a binary.
//!
//! In: the text of `objdump -d`. Out: [`Code`], one a function. Invariant: what cannot be read has no code.

use crate::jitdump::Code;

/// Reads what `objdump -d` prints.
pub(super) fn codes(text: &str) -> Vec<Code> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_read() {
        let text = "\nfib:     file format elf64-x86-64\n\nDisassembly of section .text:\n\n0000000000001070 <main>:\n    \
                    1070:\t89 f8                \tmov    %edi,%eax\n    1072:\tc3                   \tret\n\n\
                    0000000000001080 <fib>:\n    1080:\t48 83 ec 08 01 02 03 \tsub    $0x8,%rsp\n    1087:\t04 \n";
        let found = codes(text);
        assert_eq!(found.iter().map(|code| code.name.as_str()).collect::<Vec<_>>(), ["main", "fib"]);
        assert_eq!(found[0].bytes, [0x89, 0xf8, 0xc3]);
        assert_eq!(found[1].range(), 0x1080..0x1088);
    }
}
