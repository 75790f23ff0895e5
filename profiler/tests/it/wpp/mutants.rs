//! Damaged files: an error or a consistent value, never a panic, and never more than a file's length is worth.
//!
//! `HOLLOWAY_MUTANTS=100000` tries more.

use std::io::Cursor;

use holloway_profiler::wpp::{Checks, Effort, FileError, Replay, TwppFile, find, write};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::execution::executions;
use super::record::recorded;

/// Marsaglia's xorshift.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn mutate(bytes: &mut Vec<u8>, choices: &mut Choices) {
    for _ in 0..=choices.below(4) {
        let at = choices.below(bytes.len().max(1)).min(bytes.len());
        match choices.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, choices.below(256) as u8),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 if at < bytes.len() => bytes[at] = 255,
            _ if at < bytes.len() => bytes[at] ^= 1 << choices.below(8),
            _ => {}
        }
    }
}

/// Reads all that a file gives.
fn read(bytes: &[u8], checks: Checks) -> Result<(), FileError> {
    let mut file = TwppFile::open_with(Cursor::new(bytes), checks)?;
    for entry in file.functions().to_vec() {
        // Extraction is as long as the traces; the traces themselves are not.
        if let Ok((traces, _)) = file.function(entry.function) {
            let lengths = (0..traces.len()).map(|trace| traces.block_count(trace));
            if lengths.fold(0, u64::saturating_add) < 100_000 {
                drop(file.extract(entry.function));
            }
        }
    }
    let path = file.whole()?;
    let _ = path.events();
    Replay::new(&path).take(2000).for_each(drop);
    let mut end = Replay::at_end(&path);
    std::iter::from_fn(|| end.previous()).take(2000).for_each(drop);
    if path.events() < 20_000
        && let Some(first) = Replay::new(&path).next()
    {
        drop(find(&path, first.function, &[first.block], 10));
        drop(holloway_profiler::wpp::stages(&path));
    }
    Ok(())
}

#[test]
fn damaged_files_are_errors() {
    let mutants = std::env::var("HOLLOWAY_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1500);
    let mut runner = TestRunner::deterministic();
    let mut choices = Choices(0x9e37_79b9_7f4a_7c15);
    let mut refused = 0;
    let mut files = Vec::new();
    for effort in [Effort::Fast, Effort::Best].repeat(8) {
        let execution = executions().new_tree(&mut runner).unwrap().current();
        let mut bytes = Vec::new();
        write(&recorded(&execution, 64), effort, &mut bytes).unwrap();
        assert!(read(&bytes, Checks::Verify).is_ok());
        files.push(bytes);
    }
    for number in 0..mutants {
        let original = &files[number % files.len()];
        let mut bytes = original.clone();
        mutate(&mut bytes, &mut choices);
        drop(read(&bytes, Checks::Ignore));
        let is_same = bytes.starts_with(original);
        let verified = read(&bytes, Checks::Verify);
        refused += usize::from(verified.is_err());
        // The flag of completeness and the header's own numbers have no checksum; all else has.
        assert!(verified.is_err() || is_same || bytes[9..18] != original[9..18] || bytes.len() > original.len());
    }
    assert!(refused * 2 > mutants, "checksums notice most");
}

#[test]
fn every_beginning_of_a_file_is_an_error() {
    let mut runner = TestRunner::deterministic();
    let execution = executions().new_tree(&mut runner).unwrap().current();
    let mut bytes = Vec::new();
    write(&recorded(&execution, 64), Effort::Best, &mut bytes).unwrap();
    for len in 0..bytes.len() {
        assert!(read(&bytes[..len], Checks::Verify).is_err(), "{len}");
    }
    assert!(matches!(
        TwppFile::open(Cursor::new(b"PNG and so on, longer than any header is")),
        Err(FileError::Foreign)
    ));
}
