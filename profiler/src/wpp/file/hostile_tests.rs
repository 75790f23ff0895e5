//! Files that would take far more memory than their length is worth.

use std::io::Cursor;

use super::index::{FunctionEntry, Index, checksum, header};
use super::numbers::put;
use super::seal::{Content, Effort, seal};
use super::*;
use crate::event::FunctionId;

/// Each content of this length is a section of about a kilobyte.
const LONG: u64 = 16 << 20;

/// A file of three sections with these contents, of a function with so many traces.
fn file(traces: u32, contents: [Content<'_>; 3]) -> Vec<u8> {
    let sealed = contents.map(|content| seal(content, Effort::Best).unwrap());
    let section = |nth: usize| {
        let bytes = &sealed[nth].bytes;
        Section { offset: 0, stored: bytes.len() as u64, encoding: sealed[nth].encoding, checksum: checksum(bytes) }
    };
    let function = FunctionId::from_u32(0);
    let entry = FunctionEntry { function, name: "f".into(), calls: 1, unique_traces: traces, section: section(0) };
    let index = Index { events: 1, functions: vec![entry], calls: section(1), program: section(2) };
    let index = seal(&|to| index.write(to), Effort::Best).unwrap();
    let mut bytes = header(&index, true).unwrap().to_vec();
    bytes.extend(&index.bytes);
    sealed.iter().for_each(|sealed| bytes.extend(&sealed.bytes));
    bytes
}

fn numbers(first: u64, then: u64) -> impl Fn(&mut dyn std::io::Write) -> std::io::Result<()> {
    move |to| {
        put(to, first)?;
        (0..LONG).try_for_each(|_| put(to, then))
    }
}

fn nothing(_: &mut dyn std::io::Write) -> std::io::Result<()> {
    Ok(())
}

fn open(bytes: &[u8]) -> TwppFile<Cursor<&[u8]>> {
    assert!(bytes.len() < 4 << 10, "{}", bytes.len());
    TwppFile::open(Cursor::new(bytes)).unwrap()
}

#[test]
fn many_traces_are_refused() {
    // Layout 0, and 2^24 traces with one activation each.
    let bytes = file(LONG as u32, [&numbers(0, 1), &nothing, &nothing]);
    let read = open(&bytes).function(FunctionId::from_u32(0));
    assert!(matches!(read, Err(FileError::TooLarge("function"))), "{read:?}");
}

#[test]
fn many_pieces_are_refused() {
    // Layout 0, one activation of the only trace, and 2^24 pieces.
    let pieces = |to: &mut dyn std::io::Write| put(to, 0).and_then(|()| put(to, 1)).and_then(|()| numbers(LONG, 1)(to));
    let bytes = file(1, [&pieces, &nothing, &nothing]);
    let read = open(&bytes).function(FunctionId::from_u32(0));
    assert!(matches!(read, Err(FileError::TooLarge("function"))), "{read:?}");
}

#[test]
fn long_programs_are_refused() {
    let bytes = file(1, [&nothing, &nothing, &numbers(LONG, 0)]);
    let read = open(&bytes).program();
    assert!(matches!(read, Err(FileError::TooLarge("program"))), "{read:?}");
}

#[test]
fn long_call_graphs_are_refused() {
    // One trace of one block, 2^24 nodes, and the shape of one function.
    let trace = |to: &mut dyn std::io::Write| [0, 1, 1, 1, 0, 1, 0].into_iter().try_for_each(|number| put(to, number));
    let shape = |to: &mut dyn std::io::Write| {
        [1, 1, u64::from(b'f'), 1, 0, 0, 0, 0, 0].into_iter().try_for_each(|number| put(to, number))
    };
    let bytes = file(1, [&trace, &numbers(LONG, 0), &shape]);
    let mut file = open(&bytes);
    assert!(file.function(FunctionId::from_u32(0)).is_ok() && file.program().is_ok());
    let read = file.whole();
    assert!(matches!(read, Err(FileError::TooLarge("call graph"))), "{read:?}");
}
