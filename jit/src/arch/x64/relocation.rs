//! Relocations: what code refers to, written into it when the code's own address is known.
//!
//! In: code, where it refers to something, and to what. Out: the code as it must stand at its address.

use cranelift_codegen::binemit::Reloc;

/// Writes the reference at offset `at` of code that will stand at `address`.
pub fn relocate(code: &mut [u8], address: usize, at: usize, kind: Reloc, value: i64) {
    match kind {
        Reloc::Abs8 => code[at..at + 8].copy_from_slice(&value.to_le_bytes()),
        Reloc::X86PCRel4 | Reloc::X86CallPCRel4 => {
            let relative = value - (address + at) as i64;
            let relative = i32::try_from(relative).expect("code lies within 2 GiB");
            code[at..at + 4].copy_from_slice(&relative.to_le_bytes());
        }
        other => unreachable!("relocation {other:?} does not occur on x86-64 without PIC"),
    }
}
