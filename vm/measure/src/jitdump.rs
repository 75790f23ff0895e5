//! The dump of compiled code that Linux perf reads: `jit-PID.dump`.
//!
//! In: code as it is installed; or a dump. Out: the bytes of its records; or the code in it. The format is that of the
//! kernel's `tools/perf/Documentation/jitdump-specification.txt`, version 1. Invariant: what is written is read back; what cannot be read has no
//! code.

use std::ops::Range;

const MAGIC: u32 = 0x4a69_5444;
const FORMAT_VERSION: u32 = 1;
const HEADER_SIZE: usize = 40;
const EM_X86_64: u32 = 62;
const JIT_CODE_LOAD: u32 = 0;
const JIT_CODE_DEBUG_INFO: u32 = 2;
/// Size of a record of code without its name and the code.
const LOAD_FIXED_SIZE: usize = 56;

/// Code of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// Its name.
    pub name: String,
    /// The address of its first byte.
    pub start: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Code {
    /// The addresses of its bytes.
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + self.bytes.len() as u64
    }
}

/// The beginning of a dump of a process, at a time in nanoseconds.
pub fn header(pid: u32, time: u64) -> Vec<u8> {
    let words = [MAGIC, FORMAT_VERSION, HEADER_SIZE as u32, EM_X86_64, 0, pid];
    let flags = 0_u64;
    words.into_iter().flat_map(u32::to_le_bytes).chain([time, flags].into_iter().flat_map(u64::to_le_bytes)).collect()
}

/// The record of code, the `index`th of the dump, which is loaded at an address and a time.
pub fn load((name, start, code): (&str, u64, &[u8]), index: u64, (pid, time): (u32, u64)) -> Vec<u8> {
    let size = LOAD_FIXED_SIZE + name.len() + 1 + code.len();
    let mut record = Vec::with_capacity(size);
    record.extend([JIT_CODE_LOAD, size as u32].into_iter().flat_map(u32::to_le_bytes));
    record.extend(time.to_le_bytes());
    let thread = pid;
    record.extend([pid, thread].into_iter().flat_map(u32::to_le_bytes));
    record.extend([start, start, code.len() as u64, index].into_iter().flat_map(u64::to_le_bytes));
    record.extend(name.as_bytes().iter().chain(&[0]).chain(code));
    record
}

/// A place in the source, from an address on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The address of its first instruction.
    pub address: u64,
    /// The line, from 1.
    pub line: u32,
    /// The file.
    pub file: String,
}

/// The record of the lines of code that is loaded at an address by the next record.
pub fn lines(start: u64, lines: &[Line], time: u64) -> Vec<u8> {
    let mut entries = Vec::new();
    for line in lines {
        let (number, discriminator) = (line.line, 0_u32);
        entries.extend(line.address.to_le_bytes());
        entries.extend([number, discriminator].into_iter().flat_map(u32::to_le_bytes));
        entries.extend(line.file.bytes().filter(|byte| *byte != 0).chain([0]));
    }
    let fixed = 16 + 16;
    let mut record = Vec::with_capacity(fixed + entries.len());
    record.extend([JIT_CODE_DEBUG_INFO, (fixed + entries.len()) as u32].into_iter().flat_map(u32::to_le_bytes));
    record.extend([time, start, lines.len() as u64].into_iter().flat_map(u64::to_le_bytes));
    record.extend(entries);
    record
}

/// The code in a dump.
pub fn codes(dump: &[u8]) -> Vec<Code> {
    let mut rest = dump.get(HEADER_SIZE..).unwrap_or_default();
    let mut codes = Vec::new();
    while let Some((record, behind)) = first(rest) {
        codes.extend(code(record));
        rest = behind;
    }
    codes
}

/// The first record, and what is behind it.
fn first(dump: &[u8]) -> Option<(&[u8], &[u8])> {
    let size = u32::from_le_bytes(dump.get(4..8)?.try_into().ok()?) as usize;
    dump.split_at_checked(size.max(16))
}

/// The code of a record, if it is one of code.
fn code(record: &[u8]) -> Option<Code> {
    let id = u32::from_le_bytes(record.get(..4)?.try_into().ok()?);
    let word = |at: usize| Some(u64::from_le_bytes(record.get(at..at + 8)?.try_into().ok()?));
    let (start, len) = (word(32)?, word(40)? as usize);
    let named = record.get(LOAD_FIXED_SIZE..).filter(|_| id == JIT_CODE_LOAD)?;
    let end = named.iter().position(|byte| *byte == 0)?;
    let bytes = named.get(end + 1..)?.get(..len)?.to_vec();
    Some(Code { name: String::from_utf8_lossy(&named[..end]).into_owned(), start, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let code = |name: &str, start, bytes: &[u8]| Code { name: name.to_owned(), start, bytes: bytes.to_vec() };
        let both = vec![code("f", 0x1000, &[0x90, 0xc3]), code("g", 0x2000, &[0xc3])];
        let mut dump = header(7, 1);
        assert_eq!(dump.len(), HEADER_SIZE);
        for (index, code) in (0..).zip(&both) {
            let line = Line { address: code.start, line: 3, file: "walk.hw".to_owned() };
            dump.extend(lines(code.start, &[line], 2));
            dump.extend(load((&code.name, code.start, &code.bytes), index, (7, 2)));
        }
        assert_eq!(codes(&dump), both);
        assert_eq!(codes(&dump[..dump.len() - 1]), both[..1]);
        assert_eq!(codes(&dump[..3]), []);
    }
}
