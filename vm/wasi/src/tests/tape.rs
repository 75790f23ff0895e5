//! Runs that are executed again.

use super::Arg::{Text, Word};
use super::{DIRECTORY, Program, RESULT};
use holloway_runtime::tape::kept;
use holloway_runtime::{Answers, FileAccess, Tape};
use std::fs;
use std::sync::{Arc, Mutex};

/// The numbers of a file's size, and of two files that are not there.
fn ends(program: &mut Program) -> (u64, [u8; 8], u64, u64) {
    let stat = |path| [Word(DIRECTORY), Word(0), Text(path), Word(RESULT)];
    let found = program.call("path_filestat_get", &stat("file"));
    let size = program.bytes(RESULT + 32, 8).try_into().expect("there are eight");
    let missing = program.call("path_filestat_get", &stat("missing"));
    (found, size, missing, program.call("path_filestat_get", &stat("../file")))
}

#[test]
fn the_world_answers_as_it_did() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "text").unwrap();
    let answers = Arc::<Mutex<Answers>>::default();
    let mut recorded = Program::new(folder.path(), FileAccess::Allowed);
    recorded.rt.tape = Tape::Recording(Arc::clone(&answers));
    let expected = (0, 4_u64.to_le_bytes(), 44, 76);
    assert_eq!(ends(&mut recorded), expected);
    fs::remove_file(folder.path().join("file")).unwrap();
    let mut again = Program::new(folder.path(), FileAccess::Allowed);
    assert_eq!(ends(&mut again).0, 44, "the file is gone");
    again.rt.tape = Tape::playing(kept(&answers).clone());
    assert_eq!(ends(&mut again), expected);
    assert_eq!(again.call("fd_sync", &[Word(DIRECTORY)]), 29, "nothing is behind the end");
}
