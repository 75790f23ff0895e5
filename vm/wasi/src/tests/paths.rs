//! Functions of paths, each as it should end, below a directory and out of it.

use super::Arg::{Text, Word};
use super::{Arg, DIRECTORY, Program, RESULT};
use holloway_runtime::FileAccess;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

const SUCCESS: u64 = 0;
const EXIST: u64 = 20;
const INVAL: u64 = 28;
const ISDIR: u64 = 31;
const LOOP: u64 = 32;
const NOENT: u64 = 44;
const NOTEMPTY: u64 = 55;
const NOTCAPABLE: u64 = 76;

/// The argument that names the directory.
const AT: Arg<'_> = Word(DIRECTORY);
/// The lookup flags: links at the end are followed, or not.
const FOLLOW: Arg<'_> = Word(1);
const STAY: Arg<'_> = Word(0);
const ZERO: Arg<'_> = Word(0);

/// A folder with a secret beside the directory `inside`, which has files, a folder, and links, some of which lead out.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join("inside");
    fs::create_dir_all(inside.join("full")).unwrap();
    fs::write(folder.path().join("secret"), "secret").unwrap();
    fs::write(inside.join("file"), "text").unwrap();
    fs::write(inside.join("full/file"), "").unwrap();
    symlink("file", inside.join("link")).unwrap();
    symlink("..", inside.join("up")).unwrap();
    symlink("../secret", inside.join("out")).unwrap();
    folder
}

fn program(folder: &Path) -> Program {
    Program::new(&folder.join("inside"), FileAccess::Allowed)
}

/// Calls, and the error numbers that they end with, in this order.
const CALLS: &[(&str, &[Arg<'_>], u64)] = &[
    ("path_filestat_get", &[AT, FOLLOW, Text("file"), Word(RESULT)], SUCCESS),
    ("path_filestat_get", &[AT, FOLLOW, Text("link"), Word(RESULT)], SUCCESS),
    ("path_filestat_get", &[AT, STAY, Text("link"), Word(RESULT)], SUCCESS),
    ("path_filestat_get", &[AT, STAY, Text("full"), Word(RESULT)], SUCCESS),
    ("path_filestat_get", &[AT, FOLLOW, Text("missing"), Word(RESULT)], NOENT),
    ("path_filestat_get", &[AT, FOLLOW, Text("../secret"), Word(RESULT)], NOTCAPABLE),
    ("path_filestat_get", &[AT, FOLLOW, Text("out"), Word(RESULT)], NOTCAPABLE),
    ("path_filestat_get", &[AT, STAY, Text("out"), Word(RESULT)], SUCCESS),
    ("path_create_directory", &[AT, Text("new")], SUCCESS),
    ("path_create_directory", &[AT, Text("new/")], EXIST),
    ("path_create_directory", &[AT, Text("new/below")], SUCCESS),
    ("path_create_directory", &[AT, Text("../new")], NOTCAPABLE),
    ("path_create_directory", &[AT, Text("up/new")], NOTCAPABLE),
    ("path_create_directory", &[AT, Text("..")], INVAL),
    ("path_filestat_set_times", &[AT, FOLLOW, Text("file"), Word(5), Word(7_000_000_000), Word(5)], SUCCESS),
    ("path_filestat_set_times", &[AT, STAY, Text("link"), Word(5), Word(7_000_000_000), Word(5)], SUCCESS),
    ("path_filestat_set_times", &[AT, FOLLOW, Text("out"), Word(5), Word(5), Word(5)], NOTCAPABLE),
    ("path_filestat_set_times", &[AT, FOLLOW, Text("file"), Word(5), Word(5), Word(3)], INVAL),
    ("path_link", &[AT, STAY, Text("file"), AT, Text("new/hard")], SUCCESS),
    ("path_link", &[AT, STAY, Text("../secret"), AT, Text("new/secret")], NOTCAPABLE),
    ("path_link", &[AT, STAY, Text("file"), AT, Text("../file")], NOTCAPABLE),
    ("path_symlink", &[Text("hard"), AT, Text("new/soft")], SUCCESS),
    ("path_symlink", &[Text("hard"), AT, Text("new/soft")], EXIST),
    ("path_symlink", &[Text("/etc/passwd"), AT, Text("new/absolute")], NOTCAPABLE),
    ("path_symlink", &[Text("file"), AT, Text("../soft")], NOTCAPABLE),
    ("path_readlink", &[AT, Text("new/soft"), Word(RESULT), Word(100), Word(RESULT + 100)], SUCCESS),
    ("path_readlink", &[AT, Text("file"), Word(RESULT), Word(100), Word(RESULT + 100)], INVAL),
    ("path_readlink", &[AT, Text("../inside/link"), Word(RESULT), Word(100), Word(RESULT + 100)], NOTCAPABLE),
    ("path_rename", &[AT, Text("new/soft"), AT, Text("soft")], SUCCESS),
    ("path_rename", &[AT, Text("soft"), AT, Text("../soft")], NOTCAPABLE),
    ("path_rename", &[AT, Text("../secret"), AT, Text("secret")], NOTCAPABLE),
    ("path_rename", &[AT, Text("missing"), AT, Text("other")], NOENT),
    ("path_unlink_file", &[AT, Text("soft")], SUCCESS),
    ("path_unlink_file", &[AT, Text("soft")], NOENT),
    ("path_unlink_file", &[AT, Text("full")], ISDIR),
    ("path_unlink_file", &[AT, Text("up/secret")], NOTCAPABLE),
    ("path_remove_directory", &[AT, Text("full")], NOTEMPTY),
    ("path_remove_directory", &[AT, Text("new/below")], SUCCESS),
    ("path_remove_directory", &[AT, Text("up/inside")], NOTCAPABLE),
    ("path_open", &[AT, STAY, Text("link"), ZERO, Word(2), ZERO, ZERO, Word(RESULT)], LOOP),
    ("path_open", &[AT, FOLLOW, Text("link"), ZERO, Word(2), ZERO, ZERO, Word(RESULT)], SUCCESS),
];

#[test]
fn functions_of_paths_end_as_they_should() {
    let folder = folder();
    let mut program = program(folder.path());
    for (at, (name, args, expected)) in CALLS.iter().enumerate() {
        assert_eq!(program.call(name, args), *expected, "call {at}, of {name}");
    }
    let inside = folder.path().join("inside");
    let mut names: Vec<String> =
        fs::read_dir(&inside).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["file", "full", "link", "new", "out", "up"]);
    assert_eq!(fs::read_to_string(inside.join("new/hard")).unwrap(), "text");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was made outside");
}

#[test]
fn what_is_found_is_written() {
    let folder = folder();
    let mut program = program(folder.path());
    assert_eq!(program.call("path_filestat_get", &[AT, STAY, Text("link"), Word(RESULT)]), SUCCESS);
    assert_eq!(program.bytes(RESULT + 16, 1), [7], "it is the link itself");
    assert_eq!(program.call("path_filestat_get", &[AT, FOLLOW, Text("link"), Word(RESULT)]), SUCCESS);
    assert_eq!(program.bytes(RESULT + 16, 1), [4], "it is a file");
    assert_eq!(program.bytes(RESULT + 32, 8), 4_u64.to_le_bytes(), "of four bytes");
    let read = [AT, Text("out"), Word(RESULT), Word(5), Word(RESULT + 100)];
    assert_eq!(program.call("path_readlink", &read), SUCCESS);
    assert_eq!((program.bytes(RESULT, 5), program.bytes(RESULT + 100, 4)), (&b"../se"[..], &[5, 0, 0, 0][..]));
}

#[test]
fn nothing_changes_where_nothing_may() {
    let folder = folder();
    let mut program = Program::new(&folder.path().join("inside"), FileAccess::Unchanged);
    let calls: [(&str, &[Arg<'_>]); 6] = [
        ("path_create_directory", &[AT, Text("new")]),
        ("path_link", &[AT, STAY, Text("file"), AT, Text("hard")]),
        ("path_symlink", &[Text("file"), AT, Text("soft")]),
        ("path_rename", &[AT, Text("file"), AT, Text("other")]),
        ("path_unlink_file", &[AT, Text("file")]),
        ("path_remove_directory", &[AT, Text("full")]),
    ];
    for (name, args) in calls {
        assert_eq!(program.call(name, args), SUCCESS, "{name}");
    }
    assert_eq!(fs::read_dir(folder.path().join("inside")).unwrap().count(), 5);
}
