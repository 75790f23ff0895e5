//! Functions of the standard streams.

use super::Arg::Word;
use super::{Program, RESULT};
use holloway_runtime::tape::kept;
use holloway_runtime::{Answer, Answers, FileAccess, Input, Tape};
use std::sync::{Arc, Mutex};

/// The kind of a terminal.
const TERMINAL: [u8; 1] = [2];

fn program() -> (tempfile::TempDir, Program) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::new(folder.path(), FileAccess::Allowed);
    (folder, program)
}

#[test]
fn a_terminal_is_one_again_when_the_run_is_repeated() {
    let (_folder, mut program) = program();
    program.rt.tape = Tape::playing(Answers { others: vec![Answer::Is(true); 2], ..Answers::default() });
    assert_eq!(program.call("fd_fdstat_get", &[Word(1), Word(RESULT)]), 0);
    assert_eq!(program.bytes(RESULT, 1), TERMINAL);
    assert_eq!(program.call("fd_filestat_get", &[Word(0), Word(RESULT)]), 0);
    assert_eq!(program.bytes(RESULT + 16, 1), TERMINAL);
    let answers = Arc::<Mutex<Answers>>::default();
    program.rt.tape = Tape::Recording(Arc::clone(&answers));
    assert_eq!(program.call("fd_fdstat_get", &[Word(2), Word(RESULT)]), 0);
    assert!(matches!(kept(&answers).others[..], [Answer::Is(_)]));
}

/// Reads into a buffer of so many bytes.
fn read(program: &mut Program, room: u32) -> Vec<u8> {
    let list = [1000_u32.to_le_bytes(), room.to_le_bytes()].concat();
    program.rt.linear_mut().memory.write(RESULT, &list).expect("it fits");
    assert_eq!(program.call("fd_read", &[Word(0), Word(RESULT), Word(1), Word(RESULT + 8)]), 0);
    let count = u32::from_le_bytes(program.bytes(RESULT + 8, 4).try_into().expect("there are four"));
    program.bytes(1000, count as usize).to_vec()
}

#[test]
fn a_read_takes_as_much_as_there_is_room_for() {
    let (_folder, mut program) = program();
    program.rt.input = Input::bytes("one\ntwo\nthree");
    assert_eq!(read(&mut program, 10), b"one\ntwo\nth");
    assert_eq!(read(&mut program, 10), b"ree");
    assert_eq!(read(&mut program, 10), b"");
}

#[test]
fn a_line_is_taken_by_pieces() {
    let (_folder, mut program) = program();
    let mut lines = vec!["four", "one two three"];
    program.rt.input = Input::Callback(Box::new(move || lines.pop().map(Into::into)));
    let pieces: Vec<Vec<u8>> = (0..5).map(|_| read(&mut program, 6)).collect();
    assert_eq!(pieces, [&b"one tw"[..], b"o thre", b"e\n", b"four\n", b""]);
}
