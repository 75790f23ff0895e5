//! Programs that ask WASI for something.
//!
//! In: text modules that call one function each way. Out: their output, errors and files.

use holloway::wasm::{Directory, WasmConfig, WasmValue};
use holloway::{Config, Engine, ErrorSink, FileAccess, Input, Sink, TierChoice};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Imports of functions, with their types, and helpers: `$say` writes bytes to a stream.
fn program(imports: &str, body: &str) -> String {
    format!(
        r#"(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  {imports}
  (memory (export "memory") 2)
  (func $say (param $stream i32) (param $at i32) (param $len i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $len))
    (if (call $fd_write (local.get $stream) (i32.const 0) (i32.const 1) (i32.const 8)) (then unreachable)))
  {body})"#
    )
}

fn import(name: &str, params: &str) -> String {
    format!("(import \"wasi_snapshot_preview1\" \"{name}\" (func ${name} (param {params}) (result i32)))")
}

fn config(folder: Option<&Path>) -> Config {
    let directories = folder.map(|host| Directory { host: host.to_owned(), guest: "data".to_owned() });
    Config {
        tier: TierChoice::Interp,
        output: Sink::Captured(Vec::new()),
        files: FileAccess::Allowed,
        wasm: WasmConfig { directories: directories.into_iter().collect(), ..WasmConfig::default() },
        ..Config::default()
    }
}

fn engine(text: &str, config: Config) -> Engine {
    let mut engine = Engine::new(config).expect("there is memory");
    engine.load("program.wat", text).unwrap_or_else(|error| panic!("{error}"));
    engine
}

fn output(text: &str, config: Config) -> String {
    let mut engine = engine(text, config);
    engine.run().unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(engine.take_output()).expect("it is text")
}

#[test]
fn output_and_errors_go_where_those_of_programs_go() {
    let body = r#"(data (i32.const 100) "hello\nno!")
        (func (export "_start")
            (call $say (i32.const 1) (i32.const 100) (i32.const 6))
            (call $say (i32.const 2) (i32.const 106) (i32.const 3)))"#;
    let errors = Arc::new(Mutex::new(Vec::new()));
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        let kept = Arc::clone(&errors);
        let take = move |bytes: &[u8]| kept.lock().unwrap().extend_from_slice(bytes);
        let config = Config { tier, errors: ErrorSink::Callback(Box::new(take)), ..config(None) };
        assert_eq!(output(&program("", body), config), "hello\n");
    }
    assert_eq!(*errors.lock().unwrap(), b"no!no!no!");
}

#[test]
fn input_is_that_of_programs() {
    let body = r#"(func (export "_start")
        (local $count i32)
        (loop $more
            (i32.store (i32.const 16) (i32.const 200))
            (i32.store (i32.const 20) (i32.const 5))
            (if (call $fd_read (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 24)) (then unreachable))
            (local.set $count (i32.load (i32.const 24)))
            (call $say (i32.const 1) (i32.const 200) (local.get $count))
            (br_if $more (local.get $count))))"#;
    let text = program(&import("fd_read", "i32 i32 i32 i32"), body);
    let input = "one\r\na longer line\nend";
    assert_eq!(output(&text, Config { input: Input::bytes(input), ..config(None) }), input);
}

#[test]
fn arguments_and_the_environment_are_given() {
    let imports = import("args_sizes_get", "i32 i32")
        + &import("args_get", "i32 i32")
        + &import("environ_sizes_get", "i32 i32")
        + &import("environ_get", "i32 i32");
    let body = r#"(func (export "_start")
        (drop (call $args_sizes_get (i32.const 16) (i32.const 20)))
        (drop (call $args_get (i32.const 100) (i32.const 200)))
        (call $say (i32.const 1) (i32.const 200) (i32.load (i32.const 20)))
        (drop (call $environ_sizes_get (i32.const 16) (i32.const 20)))
        (drop (call $environ_get (i32.const 100) (i32.const 200)))
        (call $say (i32.const 1) (i32.const 200) (i32.load (i32.const 20))))"#;
    let mut config = config(None);
    config.args = vec![b"x".to_vec(), b"yz".to_vec()];
    config.wasm.environment = vec![("A".to_owned(), "1".to_owned())];
    assert_eq!(output(&program(&imports, body), config), "program.wat\0x\0yz\0A=1\0");
}

#[test]
fn a_program_ends_with_a_status() {
    let imports = r#"(import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))"#;
    let body = r#"(func (export "_start") (call $proc_exit (i32.const 7)) unreachable)"#;
    for tier in [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized] {
        let ended = engine(&program(imports, body), Config { tier, ..config(None) }).run();
        assert!(matches!(ended, Ok(7)), "{ended:?}");
    }
}

/// A program whose export opens the path at 100 below the first directory, and gives the error number.
fn opener(path: &str, open_flags: u32, rights: u64) -> String {
    let imports = import("path_open", "i32 i32 i32 i32 i32 i64 i64 i32 i32");
    let body = format!(
        r#"(data (i32.const 100) "{path}")
        (func (export "open") (result i32)
            (call $path_open (i32.const 3) (i32.const 1) (i32.const 100) (i32.const {}) (i32.const {open_flags})
                (i64.const {rights}) (i64.const 0) (i32.const 0) (i32.const 16)))"#,
        path.len()
    );
    program(&imports, &body)
}

fn opened(folder: Option<&Path>, path: &str, open_flags: u32, rights: u64) -> WasmValue {
    let mut engine = engine(&opener(path, open_flags, rights), config(folder));
    engine.call_export("open", &[]).unwrap_or_else(|error| panic!("{error}"))[0]
}

const READ: u64 = 1 << 1;
const WRITE: u64 = 1 << 6;
const CREATE: u32 = 1;

#[test]
fn paths_stay_in_their_directory() {
    let outside = tempfile::tempdir().expect("a folder");
    let inside = outside.path().join("inside");
    std::fs::create_dir_all(inside.join("below")).unwrap();
    std::fs::write(inside.join("file"), "text").unwrap();
    std::fs::write(outside.path().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink("../secret", inside.join("out")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", inside.join("absolute")).unwrap();
    std::os::unix::fs::symlink("../file", inside.join("below/back")).unwrap();
    let try_open = |path: &str| opened(Some(&inside), path, 0, READ);
    assert_eq!(try_open("file"), WasmValue::I32(0));
    assert_eq!(try_open("below/../file"), WasmValue::I32(0));
    assert_eq!(try_open("below/back"), WasmValue::I32(0));
    for escape in ["../secret", "below/../../secret", "/etc/passwd", "out", "absolute", ".."] {
        assert_eq!(try_open(escape), WasmValue::I32(76), "{escape} leads out");
    }
    assert_eq!(try_open("missing"), WasmValue::I32(44));
    assert_eq!(opened(Some(&inside), "../new", CREATE, WRITE), WasmValue::I32(76));
    assert!(!outside.path().join("new").exists());
    assert_eq!(opened(Some(&inside), "new", CREATE, WRITE), WasmValue::I32(0));
    assert!(inside.join("new").exists());
    assert_eq!(opened(None, "file", 0, READ), WasmValue::I32(8), "no directory, no files");
}

#[test]
fn what_is_not_to_be_changed_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = opener("new", CREATE, WRITE);
    let mut engine = engine(&text, Config { files: FileAccess::Unchanged, ..config(Some(folder.path())) });
    assert_eq!(engine.call_export("open", &[]).unwrap(), [WasmValue::I32(0)]);
    assert!(!folder.path().join("new").exists());
    let mut refused = Engine::new(Config { files: FileAccess::Refused, ..config(Some(folder.path())) }).unwrap();
    refused.load("program.wat", &text).unwrap();
    assert_eq!(refused.call_export("open", &[]).unwrap(), [WasmValue::I32(8)]);
}

#[test]
fn a_file_is_written_and_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let imports = import("path_open", "i32 i32 i32 i32 i32 i64 i64 i32 i32")
        + &import("fd_read", "i32 i32 i32 i32")
        + &import("fd_seek", "i32 i64 i32 i32")
        + &import("fd_close", "i32")
        + &import("fd_filestat_get", "i32 i32");
    let body = r#"(data (i32.const 100) "new file") (data (i32.const 120) "some text\n")
        (func (export "_start") (local $fd i32)
            (if (call $path_open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const 8) (i32.const 1)
                (i64.const 0x200046) (i64.const 0) (i32.const 0) (i32.const 16)) (then unreachable))
            (local.set $fd (i32.load (i32.const 16)))
            (call $say (local.get $fd) (i32.const 120) (i32.const 10))
            (if (call $fd_seek (local.get $fd) (i64.const 5) (i32.const 0) (i32.const 24)) (then unreachable))
            (i32.store (i32.const 32) (i32.const 200))
            (i32.store (i32.const 36) (i32.const 100))
            (if (call $fd_read (local.get $fd) (i32.const 32) (i32.const 1) (i32.const 40)) (then unreachable))
            (if (call $fd_filestat_get (local.get $fd) (i32.const 300)) (then unreachable))
            (if (i64.ne (i64.load (i32.const 332)) (i64.const 10)) (then unreachable))
            (if (call $fd_close (local.get $fd)) (then unreachable))
            (if (i32.ne (call $fd_close (local.get $fd)) (i32.const 8)) (then unreachable))
            (call $say (i32.const 1) (i32.const 200) (i32.load (i32.const 40))))"#;
    assert_eq!(output(&program(&imports, body), config(Some(folder.path()))), "text\n");
    assert_eq!(std::fs::read(folder.path().join("new file")).unwrap(), b"some text\n");
}

#[test]
fn addresses_outside_are_faults() {
    let imports = import("random_get", "i32 i32") + &import("clock_time_get", "i32 i64 i32");
    let body = r#"(func (export "random") (param i32 i32) (result i32) (call $random_get (local.get 0) (local.get 1)))
        (func (export "clock") (param i32 i32) (result i32) (call $clock_time_get (local.get 0) (i64.const 0) (local.get 1)))"#;
    let mut engine = engine(&program(&imports, body), config(None));
    let mut call = |name: &str, args: [i32; 2]| engine.call_export(name, &args.map(WasmValue::I32)).unwrap()[0];
    assert_eq!(call("random", [0, 16]), WasmValue::I32(0));
    assert_eq!(call("random", [131_060, 16]), WasmValue::I32(21));
    assert_eq!(call("random", [-1, -1]), WasmValue::I32(21));
    assert_eq!(call("clock", [0, 131_064]), WasmValue::I32(0));
    assert_eq!(call("clock", [1, 131_065]), WasmValue::I32(21));
    assert_eq!(call("clock", [9, 0]), WasmValue::I32(28));
}

#[test]
fn directories_are_opened_for_programs_that_ask_wasi() {
    let missing = || Config { files: FileAccess::Allowed, ..config(Some(Path::new("/no such directory"))) };
    assert!(Engine::new(missing()).unwrap().load("a.wat", "(module)").is_ok());
    let error = Engine::new(missing()).unwrap().load("a.wat", program("", "")).unwrap_err().to_string();
    assert!(error.starts_with("a.wat: cannot open a directory of the program: /no such directory: "), "{error}");
}
