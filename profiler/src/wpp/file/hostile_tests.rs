//! Files that would take far more memory than their length is worth.

use std::io::Cursor;

use super::index::{FunctionEntry, Header, Index, Section, SectionPlace, Stretch, header};
use super::numbers::put;
use super::seal::{Content, Effort, Encoding, Sealed, seal};
use super::*;
use crate::event::FunctionId;
use crate::settings::wpp::INDEXED;

/// Each content of this length is a section of about a kilobyte.
const LONG: u64 = 16 << 20;

/// A file of a function with so many traces, one function with a name, and three sections with these contents: its own, the call graph's and the program's.
fn file(traces: u32, contents: [Content<'_>; 3]) -> Vec<u8> {
    file_with(Header { is_complete: true, has_module: false }, traces, contents)
}

fn file_with(first: Header, traces: u32, contents: [Content<'_>; 3]) -> Vec<u8> {
    let sealed = contents.map(|content| seal(content, Effort::Fast).unwrap());
    let section = |nth: usize| {
        let Sealed { encoding, bytes } = &sealed[nth];
        if bytes.len() <= INDEXED {
            return Section { encoding: *encoding, place: SectionPlace::Indexed(bytes.concat()) };
        }
        let offset =
            sealed[..nth].iter().map(|sealed| sealed.bytes.len() as u64).filter(|&len| len > INDEXED as u64).sum();
        let stretch = Stretch { offset, stored: bytes.len() as u64, checksum: bytes.checksum() };
        Section { encoding: *encoding, place: SectionPlace::Behind(stretch) }
    };
    let names = Section { encoding: Encoding::Plain, place: SectionPlace::Indexed(vec![1, 1, b'f']) };
    let function = FunctionId::from_u32(0);
    let entry = FunctionEntry { function, calls: 1, unique_traces: traces, section: section(0) };
    let index = Index { events: 1, functions: vec![entry], calls: section(1), names, program: section(2) };
    let index = seal(&|to| index.write(to), Effort::Best).unwrap();
    let mut bytes = header(&index, first).unwrap().to_vec();
    bytes.extend(index.bytes.concat());
    sealed.iter().filter(|sealed| sealed.bytes.len() > INDEXED).for_each(|sealed| bytes.extend(sealed.bytes.concat()));
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
    let shape = |to: &mut dyn std::io::Write| [1, 1, 0, 0, 0, 0, 0].into_iter().try_for_each(|number| put(to, number));
    let bytes = file(1, [&trace, &numbers(LONG, 0), &shape]);
    let mut file = open(&bytes);
    assert!(file.function(FunctionId::from_u32(0)).is_ok() && file.program().is_ok());
    let read = file.whole();
    assert!(matches!(read, Err(FileError::TooLarge("call graph"))), "{read:?}");
}

#[test]
fn other_numbers_of_names_than_of_functions_are_refused() {
    // Functions without blocks, no texts, no arguments, no input.
    for (functions, is_right) in [(0, false), (1, true), (2, false)] {
        let shapes = (0..functions).map(|_| 0);
        let program: Vec<u64> = [functions].into_iter().chain(shapes).chain([0, 0, 0]).collect();
        let bytes = file(1, [&nothing, &nothing, &|to| program.iter().try_for_each(|&number| put(to, number))]);
        assert_eq!(open(&bytes).program().is_ok(), is_right, "{functions} functions, one name");
    }
}

#[test]
fn modules_are_read_where_the_header_says_so() {
    let module = |text: &'static [u8]| {
        move |to: &mut dyn std::io::Write| {
            [1, 0, 0, 0, 0].into_iter().try_for_each(|number| put(to, number))?;
            to.write_all(text)
        }
    };
    let read = |has_module: bool, text: &'static [u8]| {
        let first = Header { is_complete: true, has_module };
        let bytes = file_with(first, 1, [&nothing, &nothing, &module(text)]);
        open(&bytes).program().map(|program| program.module)
    };
    assert_eq!(read(false, b"").unwrap(), None);
    let found = read(true, b"\x03abc\x01\x04main\x05\x01\x01A\x01B").unwrap().expect("it has one");
    assert_eq!((found.bytes.as_slice(), found.export.as_deref(), found.room), (&b"abc"[..], Some("main"), 5));
    assert_eq!(found.environment, [("A".to_owned(), "B".to_owned())]);
    assert_eq!(read(true, b"\0\0\x05\0").unwrap().map(|module| module.export), Some(None));
    for damaged in
        [&b""[..], b"\x09abc\0\x05", b"\x03abc\x02\x05", b"\x03abc\0\x05\x01\x05", b"\0\x01\x01\xff\x05\0", b"\0\0\x05"]
    {
        assert!(matches!(read(true, damaged), Err(FileError::Invalid("program"))), "{damaged:?}");
    }
    assert!(matches!(read(false, b"\0\0\x05\0"), Err(FileError::Invalid("program"))));
    // More bytes than there are, and many times as many as the file is long.
    assert!(matches!(read(true, b"\xff\xff\xff\xff\x7f"), Err(FileError::TooLarge("program"))));
}
