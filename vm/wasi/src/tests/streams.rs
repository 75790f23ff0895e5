//! Functions of the standard streams.

use super::Arg::Word;
use super::{Program, RESULT};
use holloway_runtime::tape::kept;
use holloway_runtime::{Answer, Answers, FileAccess, Tape};
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
