//! Rights that descriptors have, or not, and directories that are none.

use super::Arg::{Text, Word};
use super::{Arg, DIRECTORY, Program, RESULT};
use crate::{Directory, Wasi};
use holloway_runtime::FileAccess;
use std::fs;
use tempfile::TempDir;

const SUCCESS: u64 = 0;
const NOENT: u64 = 44;
const NOTCAPABLE: u64 = 76;
const READ: u64 = 1 << 1;
const SEEK: u64 = 1 << 2;
const WRITE: u64 = 1 << 6;

/// The number of the file that a program opens first.
const FILE: Arg<'_> = Word(4);
/// The address of a list of one empty buffer.
const BUFFERS: Arg<'_> = Word(8);
const TO: Arg<'_> = Word(RESULT);
const ZERO: Arg<'_> = Word(0);
const ONE: Arg<'_> = Word(1);

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "text").unwrap();
    folder
}

fn open(program: &mut Program, directory: u64, path: &str, flags: u64, rights: u64) -> u64 {
    let args = [Word(directory), ONE, Text(path), Word(flags), Word(rights), Word(rights), ZERO, TO];
    program.call("path_open", &args)
}

/// Functions of files, each with the right that it needs.
const OF_FILES: &[(&str, &[Arg<'_>], u64)] = &[
    ("fd_read", &[FILE, BUFFERS, ONE, TO], READ),
    ("fd_pread", &[FILE, BUFFERS, ONE, ZERO, TO], READ | SEEK),
    ("fd_write", &[FILE, BUFFERS, ONE, TO], WRITE),
    ("fd_pwrite", &[FILE, BUFFERS, ONE, ZERO, TO], WRITE | SEEK),
    ("fd_seek", &[FILE, ZERO, ZERO, TO], SEEK),
    ("fd_seek", &[FILE, ZERO, ONE, TO], 1 << 5),
    ("fd_tell", &[FILE, TO], 1 << 5),
    ("fd_advise", &[FILE, ZERO, ZERO, ZERO], 1 << 7),
    ("fd_datasync", &[FILE], 1 << 0),
    ("fd_sync", &[FILE], 1 << 4),
    ("fd_fdstat_set_flags", &[FILE, ZERO], 1 << 3),
    ("fd_filestat_get", &[FILE, TO], 1 << 21),
    ("fd_filestat_set_times", &[FILE, ZERO, ZERO, ZERO], 1 << 23),
];

#[test]
fn functions_of_files_need_a_right() {
    let folder = folder();
    for access in [FileAccess::Allowed, FileAccess::Unchanged] {
        for (name, args, right) in OF_FILES {
            let mut program = Program::new(folder.path(), access);
            assert_eq!(open(&mut program, DIRECTORY, "file", 0, *right), SUCCESS);
            assert_eq!(program.call(name, args), SUCCESS, "{name} with its right");
            let mut program = Program::new(folder.path(), access);
            // Who may seek may tell.
            let others = !(right | SEEK);
            assert_eq!(open(&mut program, DIRECTORY, "file", 0, others), SUCCESS);
            assert_eq!(program.call(name, args), NOTCAPABLE, "{name} without its right");
        }
    }
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "text");
}

/// Functions of paths below a directory, which all need a right to it.
const OF_PATHS: &[(&str, &[Arg<'_>])] = &[
    ("path_create_directory", &[Word(DIRECTORY), Text("new")]),
    ("path_filestat_get", &[Word(DIRECTORY), ONE, Text("file"), TO]),
    ("path_filestat_set_times", &[Word(DIRECTORY), ONE, Text("file"), ZERO, ZERO, ZERO]),
    ("path_link", &[Word(DIRECTORY), ZERO, Text("file"), Word(DIRECTORY), Text("hard")]),
    ("path_open", &[Word(DIRECTORY), ONE, Text("file"), ZERO, Word(READ), ZERO, ZERO, TO]),
    ("path_readlink", &[Word(DIRECTORY), Text("file"), TO, ONE, TO]),
    ("path_remove_directory", &[Word(DIRECTORY), Text("file")]),
    ("path_rename", &[Word(DIRECTORY), Text("file"), Word(DIRECTORY), Text("other")]),
    ("path_symlink", &[Text("file"), Word(DIRECTORY), Text("soft")]),
    ("path_unlink_file", &[Word(DIRECTORY), Text("file")]),
    ("fd_readdir", &[Word(DIRECTORY), TO, Word(100), ZERO, TO]),
];

#[test]
fn rights_that_were_given_up_are_gone() {
    let folder = folder();
    let mut program = Program::new(folder.path(), FileAccess::Allowed);
    assert_eq!(program.call("fd_fdstat_set_rights", &[Word(DIRECTORY), ZERO, Word(READ)]), SUCCESS);
    for (name, args) in OF_PATHS {
        assert_eq!(program.call(name, args), NOTCAPABLE, "{name}");
    }
    let more = [Word(DIRECTORY), Word(READ), ZERO];
    assert_eq!(program.call("fd_fdstat_set_rights", &more), NOTCAPABLE, "rights become fewer");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_directory_hands_on_no_more_rights_than_it_may() {
    let folder = folder();
    let mut program = Program::new(folder.path(), FileAccess::Allowed);
    let rights = [Word(DIRECTORY), Word(u64::MAX), Word(READ)];
    assert_eq!(program.call("fd_fdstat_set_rights", &rights), SUCCESS);
    assert_eq!(open(&mut program, DIRECTORY, "file", 0, READ | WRITE), NOTCAPABLE);
    assert_eq!(open(&mut program, DIRECTORY, "file", 0, READ), SUCCESS);
}

#[test]
fn a_file_that_is_not_made_would_be_in_a_folder() {
    let folder = folder();
    let mut program = Program::new(folder.path(), FileAccess::Unchanged);
    assert_eq!(open(&mut program, DIRECTORY, "new", 1, WRITE), SUCCESS);
    assert_eq!(open(&mut program, DIRECTORY, "missing/new", 1, WRITE), NOENT);
    assert_eq!(open(&mut program, DIRECTORY, "../new", 1, WRITE), NOTCAPABLE);
}

#[test]
fn links_do_not_climb() {
    let folder = folder();
    let mut program = Program::new(folder.path(), FileAccess::Allowed);
    for target in ["..", "../secret", "below/../../secret", "/etc/passwd"] {
        assert_eq!(program.call("path_symlink", &[Text(target), Word(DIRECTORY), Text("soft")]), NOTCAPABLE);
    }
    assert_eq!(program.call("path_symlink", &[Text("..file"), Word(DIRECTORY), Text("soft")]), SUCCESS);
}

#[test]
fn a_pipe_is_no_directory() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).expect("the system has pipes");
    for path in ["pipe", "file"] {
        let directories = [Directory { host: folder.path().join(path), guest: "data".to_owned() }];
        let error = Wasi::new(Vec::new(), &[], &directories, FileAccess::Allowed).err().expect("it is refused");
        assert!(error.to_string().ends_with(": it is no directory"), "{error}");
    }
}
