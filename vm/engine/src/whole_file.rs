//! Files that are read whole, up to a limit.
//!
//! In: a reader, which may have no end. Out: its bytes, or an error that says how many there may be. Invariant: no more
//! bytes than that are ever held; of what is no JSON object only the beginning is, which is enough for a parser to
//! refuse it.

use holloway_lang::source::MOST_BYTES;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes of an input that programs write: saved profiles, graphs and traces of the lab, LLVM IR. What is larger stands
/// in files that are read as streams.
pub const LARGEST_INPUT: u64 = 1 << 30;
/// Bytes of advice and of facts: some hundred thousand steps or loads.
pub const LARGEST_ADVICE: u64 = 64 << 20;

/// Reads a program's text, or so much of it that the source map refuses it as too long.
pub fn source(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads at most so many bytes.
pub fn bytes(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= limit {
        true => Ok(bytes),
        false => Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes"))),
    }
}

/// Reads a JSON object, or the beginning of something else.
pub fn json(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut from = BufReader::new(from);
    let start = from.fill_buf()?;
    match start.trim_ascii_start().first() {
        None | Some(b'{') => bytes(from, limit),
        Some(_) => Ok(start.to_vec()),
    }
}

/// Reads a file of advice, or of facts.
pub fn advice(path: &Path) -> io::Result<String> {
    let bytes = json(File::open(path)?, LARGEST_ADVICE)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_end_is_read_up_to_the_limit() {
        assert_eq!(source(io::repeat(b' ')).unwrap().len(), MOST_BYTES + 1);
        let refused = bytes(io::repeat(0), 1000).unwrap_err();
        assert_eq!(refused.to_string(), "it has more than 1000 bytes");
        assert_eq!(bytes(&[7; 1000][..], 1000).unwrap().len(), 1000);
        assert!(json(io::repeat(0), u64::MAX - 1).unwrap().len() < 1 << 20);
        assert_eq!(json(&b" \n{}"[..], 10).unwrap(), b" \n{}");
        assert!(json((&b"{"[..]).chain(io::repeat(b' ')), 1000).is_err());
        assert!(advice(Path::new("/dev/zero")).is_ok_and(|text| text.starts_with('\0')));
    }
}
