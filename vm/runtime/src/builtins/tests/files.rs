//! Files, the rest of the input, errors, the environment; and all of them on a tape.

use super::*;
use crate::tape::kept;
use crate::{Answers, InterruptHandle, Tape};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A folder of its own, which goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("holloway-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("text").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Another test cannot use it anyway.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(super) fn check(b: &mut Bench) {
    let folder = Folder::new("builtins");
    let path = folder.file("a.txt");
    let (path_word, text) = (b.str(&path), b.bytes(b"one\n\xff"));
    assert_eq!(b.ok(Builtin::FileExists, &[path_word]), 0);
    assert_eq!(b.fails(Builtin::ReadFile, &[path_word]), format!("cannot read {path}: there is no such file"));
    b.ok(Builtin::AppendFile, &[path_word, text]);
    b.ok(Builtin::WriteFile, &[path_word, text]);
    b.ok(Builtin::AppendFile, &[path_word, path_word]);
    assert_eq!(b.ok(Builtin::FileExists, &[path_word]), 1);
    let read = b.ok(Builtin::ReadFile, &[path_word]);
    assert_eq!(handle(read).bytes(), [b"one\n\xff", path.as_bytes()].concat());
    let (folder_word, within) = (b.str(&folder.file("")), b.str(&folder.file("no/such")));
    assert!(b.fails(Builtin::ReadFile, &[folder_word]).ends_with("/: it is a folder"));
    assert!(b.fails(Builtin::WriteFile, &[folder_word, text]).ends_with("/: it is a folder"));
    assert!(b.fails(Builtin::AppendFile, &[within, text]).ends_with("no/such: there is no such file"));
    let (zero, full, nul, own) = (b.str("/dev/zero"), b.str("/dev/full"), b.str("a\0b"), b.str("/proc/self/stat"));
    assert_eq!(b.fails(Builtin::ReadFile, &[zero]), "cannot read /dev/zero: it has more than 16777216 bytes");
    assert_eq!(b.fails(Builtin::WriteFile, &[full, text]), "cannot write /dev/full: No space left on device");
    assert!(b.fails(Builtin::ReadFile, &[nul]).starts_with("cannot read a\0b: "));
    let stat = b.ok(Builtin::ReadFile, &[own]);
    assert!(!handle(stat).is_empty(), "a file whose size is said to be 0");
    outside(b);
}

fn outside(b: &mut Bench) {
    let rest = b.ok(Builtin::ReadAll, &[]);
    assert_eq!(text(rest), "", "it was read before");
    let line = b.bytes(b"wrong \xff");
    b.ok(Builtin::WriteError, &[line]);
    assert_eq!(*b.errors.lock().expect("no panic"), b"wrong \xff\n");
    let (path, unset, odd) = (b.str("PATH"), b.str("HOLLOWAY_NO_SUCH_VARIABLE"), b.str("A=\0"));
    let found = b.ok(Builtin::Env, &[path]);
    assert_eq!(Some(text(found)), std::env::var("PATH").ok());
    assert_eq!([unset, odd].map(|name| b.ok(Builtin::Env, &[name])), [0, 0]);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs_f64();
    let time = f64::from_bits(b.ok(Builtin::Time, &[]));
    assert!((since..since + 60.0).contains(&time), "{time} at {since}");
}

#[test]
fn the_rest_of_the_input_comes_behind_its_lines() {
    let mut b = Bench::new(Module::default());
    let first = b.ok(Builtin::Input, &[]);
    assert_eq!(text(first), "first");
    let rest = b.ok(Builtin::ReadAll, &[]);
    assert_eq!(text(rest), "\nlast");
    assert_eq!(b.ok(Builtin::Input, &[]), 0);
}

#[test]
fn files_may_be_refused() {
    let mut b = Bench::new(Module::default());
    b.rt.files = FileAccess::Refused;
    let path = b.str("/etc/hostname");
    for (builtin, operands) in [
        (Builtin::ReadFile, &[path][..]),
        (Builtin::WriteFile, &[path, path]),
        (Builtin::AppendFile, &[path, path]),
        (Builtin::FileExists, &[path]),
    ] {
        assert_eq!(b.fails(builtin, operands), "files are not allowed");
    }
    b.ok(Builtin::Env, &[path]);
    b.ok(Builtin::ReadAll, &[]);
}

/// A pipe to which nobody writes makes the program wait, but not whoever stops it.
#[test]
fn a_program_that_waits_for_a_file_can_be_stopped() {
    let folder = Folder::new("pipe");
    let path = folder.file("pipe");
    let made = Command::new("mkfifo").arg(&path).status().expect("`mkfifo` is there");
    assert!(made.success());
    let mut b = Bench::new(Module::default());
    let word = b.str(&path);
    let stop = |after: Duration, handle: InterruptHandle| {
        std::thread::spawn(move || {
            std::thread::sleep(after);
            handle.interrupt();
        })
    };
    let stopper = stop(Duration::from_millis(50), b.rt.interrupt_handle());
    let start = Instant::now();
    assert_eq!(b.fails(Builtin::ReadFile, &[word]), "interrupted");
    assert!(start.elapsed() >= Duration::from_millis(40), "it waited");
    stopper.join().expect("no panic");
    let text_word = b.str("text");
    assert!(b.fails(Builtin::WriteFile, &[word, text_word]).starts_with("cannot write "), "nobody reads");
    let writer = std::thread::spawn(move || fs::write(path, "from the other end"));
    let read = b.ok(Builtin::ReadFile, &[word]);
    writer.join().expect("no panic").expect("it was written");
    assert_eq!(text(read), "from the other end");
}

/// Asks everything; gives what was found.
fn ask(b: &mut Bench, path: &Path) -> Vec<String> {
    let (path, missing, name) = (b.str(path.to_str().expect("text")), b.str("/no/such"), b.str("PATH"));
    b.ok(Builtin::WriteFile, &[path, name]);
    b.ok(Builtin::AppendFile, &[path, name]);
    let read = b.ok(Builtin::ReadFile, &[path]);
    let exists = b.ok(Builtin::FileExists, &[path]);
    let env = b.ok(Builtin::Env, &[name]);
    let rest = b.ok(Builtin::ReadAll, &[]);
    let time = b.ok(Builtin::Time, &[]);
    b.ok(Builtin::WriteError, &[name]);
    let failure = b.fails(Builtin::ReadFile, &[missing]);
    vec![text(read), exists.to_string(), text(env), text(rest), time.to_string(), failure]
}

#[test]
fn a_tape_tells_all_that_the_world_told() {
    let folder = Folder::new("tape");
    let path = folder.0.join("written");
    let mut b = Bench::new(Module::default());
    let answers = Arc::<Mutex<Answers>>::default();
    b.rt.tape = Tape::Recording(Arc::clone(&answers));
    let told = ask(&mut b, &path);
    assert_eq!((told[0].as_str(), told[1].as_str()), ("PATHPATH", "1"));
    fs::remove_file(&path).expect("it was written");
    let mut b = Bench::new(Module::default());
    b.rt.input = Input::bytes("another input");
    b.rt.files = FileAccess::Refused;
    b.rt.tape = Tape::playing(kept(&answers).clone());
    assert_eq!(ask(&mut b, &path), told);
    assert!(!path.exists(), "nothing outside is changed");
    assert_eq!(*b.errors.lock().expect("no panic"), b"", "and nothing is written");
    let word = b.str("/etc/hostname");
    assert_eq!(b.fails(Builtin::ReadFile, &[word]), "cannot read /etc/hostname: it is not on the tape");
}
