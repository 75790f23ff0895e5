//! Questions about the values of recorded modules of WebAssembly, on the command line.
//!
//! In: text modules, recorded. Out: slices, facts and currency, from the recording alone; and what is told of damaged ones.

use crate::command::{done, holloway, run_with_input, succeeds};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Reads its input and a clock; line 1 of the file of functions is `fd_read`, line 2 `clock`.
const READER: &str = r#"(module
(import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
(memory 1)
(func (export "_start") (local $n i32) (local $t i32)
(i32.store (i32.const 0) (i32.const 100))
(i32.store (i32.const 4) (i32.const 8))
(i32.store8 (i32.const 101) (i32.const 3))
(drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
(local.set $n (i32.load (i32.const 100)))
(drop (call $clock (i32.const 1) (i64.const 0) (i32.const 200)))
(local.set $t (i32.load (i32.const 200)))
(if (i32.gt_u (local.get $n) (i32.const 5))
(then (local.set $n (i32.add (local.get $n) (i32.load (i32.const 100))))))
(drop (i32.add (local.get $n) (local.get $t)))))
"#;

/// Opens a file of the first directory, and reads it.
const OPENER: &str = r#"(module
(import "wasi_snapshot_preview1" "path_open"
(func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
(memory 1)
(data (i32.const 64) "in.txt")
(func (export "_start") (local $n i32)
(drop (call $path_open (i32.const 3) (i32.const 0) (i32.const 64) (i32.const 6) (i32.const 0)
(i64.const 2) (i64.const 0) (i32.const 0) (i32.const 20)))
(i32.store (i32.const 0) (i32.const 100))
(i32.store (i32.const 4) (i32.const 8))
(drop (call $fd_read (i32.load (i32.const 20)) (i32.const 0) (i32.const 1) (i32.const 8)))
(local.set $n (i32.load8_u (i32.const 100)))
(if (i32.ne (local.get $n) (i32.const 55)) (then unreachable))))
"#;

const SUM: &str = "(module
(func $sum (export \"sum\") (param $n i32) (param i32) (result i32) (local i32)
(loop $more
(local.set 2 (i32.add (local.get 2) (local.get $n)))
(br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
(i32.add (local.get 2) (local.get 1))))
";

fn asked(folder: &Path, question: &[&str]) -> Value {
    let told = succeeds(folder, &[question, &["--json"]].concat());
    serde_json::from_str(&told).expect("one JSON object")
}

/// The lines of a slice that are in the text.
fn lines(slice: &Value, file: &str) -> Vec<u64> {
    let all = slice["lines"].as_array().expect("lines").iter().filter(|line| line["file"] == file);
    all.filter_map(|line| line["line"].as_u64()).collect()
}

fn read() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("reader.wat"), READER).unwrap();
    let record = holloway(folder.path(), ["trace", "record", "reader.wat", "-o", "r.twpp"]);
    assert_eq!(run_with_input(record, b"\x07\0\0\0").status, 0);
    folder
}

#[test]
fn slices_go_through_what_wasi_writes() {
    let folder = read();
    let of = |at: &str, variable| asked(folder.path(), &["trace", "slice", "r.twpp", "--at", at, "--var", variable]);
    let first = of("reader.wat:13", "n");
    let all: Vec<String> = first["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .flat_map(|line| line["why"].as_array().expect("reasons"))
        .filter_map(|why| Some(why.as_str()?.to_owned()))
        .collect();
    assert!(
        all.iter().any(|why| why == "data: has the host write the bytes that line 10 of reader.wat loads"),
        "{all:?}"
    );
    assert!(all.iter().any(|why| why == "data: sets `n`, the value asked about"), "{all:?}");
    // The list of buffers, which the host reads, and not the byte that the input has overwritten.
    let of_text = |slice: &Value| {
        let named = lines(slice, "reader.wat");
        named.into_iter().filter(|line| *line > 3).collect::<Vec<_>>()
    };
    assert_eq!(of_text(&first), [6, 7, 9, 10]);
    assert_eq!(of_text(&of("reader.wat:15", "n")), [6, 7, 9, 10, 13, 14]);
    assert_eq!(of_text(&of("reader.wat:15", "t")), [11, 12]);
    for approach in ["1", "2"] {
        let slice = ["trace", "slice", "r.twpp", "--at", "reader.wat:15", "--var", "t", "--approach", approach];
        assert!(of_text(&asked(folder.path(), &slice)).contains(&12), "{approach}");
    }
}

#[test]
fn facts_and_currency_of_modules_are_told() {
    let folder = read();
    let query = |question: &[&str]| asked(folder.path(), &[&["trace", "query", "r.twpp"], question].concat());
    let load = query(&["--fact", "load", "--at", "reader.wat:14"]);
    assert_eq!((&load["executions"], &load["holds"]), (&json!(1), &json!(1)), "line 10 has loaded it");
    assert_eq!(load["sources"][0]["times"], json!(1));
    let definition = query(&["--fact", "def", "--at", "reader.wat:15", "--var", "n"]);
    assert_eq!((&definition["executions"], &definition["holds"]), (&json!(1), &json!(1)));
    let hottest = query(&["--fact", "load", "--hottest", "0"]);
    assert!(hottest["facts"].is_array(), "{hottest}");
    let currency = asked(folder.path(), &["trace", "currency", "r.twpp", "--at", "reader.wat:15", "--var", "n"]);
    assert_eq!(currency["occurrences"].as_array().expect("occurrences").len(), 1);
    let refused = done(folder.path(), &["trace", "query", "r.twpp", "--fact", "load", "--hottest", "-o", "f.json"]);
    assert_eq!(refused.status, 65);
    assert!(refused.complaint().ends_with("the optimizer has no use for facts about a module"), "{}", refused.err);
}

/// Answers of the world are in the recording: the directory may be gone.
#[test]
fn the_recording_is_all_that_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/in.txt"), "7").unwrap();
    fs::write(folder.path().join("opener.wat"), OPENER).unwrap();
    succeeds(folder.path(), &["trace", "record", "--dir", "data", "opener.wat", "-o", "o.twpp"]);
    fs::remove_dir_all(folder.path().join("data")).unwrap();
    fs::remove_file(folder.path().join("opener.wat")).unwrap();
    let slice = asked(folder.path(), &["trace", "slice", "o.twpp", "--at", "opener.wat:14", "--var", "n"]);
    assert!([8, 10, 11, 12, 13].iter().all(|line| lines(&slice, "opener.wat").contains(line)), "{slice}");
}

#[test]
fn exports_that_were_called_are_called_again() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("sum.wat"), SUM).unwrap();
    let record = ["trace", "record", "--invoke", "sum", "-o", "s.twpp", "sum.wat", "4", "3"];
    assert_eq!(succeeds(folder.path(), &record), "13\n");
    let slice = asked(folder.path(), &["trace", "slice", "s.twpp", "--at", "sum.wat:6", "--var", "local2"]);
    // The local is zero from the first instruction on.
    assert_eq!((lines(&slice, "sum.wat"), &slice["executions"]), (vec![3, 4, 5], &json!(1)));
    let of_call = asked(folder.path(), &["trace", "slice", "s.twpp", "--at", "sum.wat:6", "--var", "local1"]);
    assert!(lines(&of_call, "sum.wat").is_empty(), "the host passed it");
    let query = asked(folder.path(), &["trace", "query", "s.twpp", "--fact", "def", "--at", "sum.wat:4", "--var", "n"]);
    assert_eq!(query["executions"], json!(4));
}

/// Any byte of a recording may be another one.
#[test]
fn damaged_recordings_are_refused() {
    let folder = read();
    let whole = fs::read(folder.path().join("r.twpp")).unwrap();
    let slice = ["trace", "slice", "d.twpp", "--at", "reader.wat:13", "--var", "n"];
    let of = |bytes: &[u8]| {
        fs::write(folder.path().join("d.twpp"), bytes).unwrap();
        done(folder.path(), &slice).status
    };
    assert_eq!(of(&whole), 0);
    for cut in [9, 18, whole.len() / 2, whole.len() - 1] {
        assert_eq!(of(&whole[..cut]), 65, "{cut}");
    }
    for at in (0..whole.len()).step_by(whole.len() / 12 + 1) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        assert_eq!(of(&bytes), 65, "byte {at}");
    }
    // A file of a program of sources says nothing of a module.
    let mut older = whole;
    older[8] = 5;
    assert_eq!(of(&older), 65);
}

/// Loops so often as it has arguments and variables of the environment.
const COUNTER: &str = r#"(module
(import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ (param i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "args_sizes_get" (func $args (param i32 i32) (result i32)))
(memory 1)
(func (export "_start") (local $n i32)
(drop (call $environ (i32.const 0) (i32.const 4)))
(drop (call $args (i32.const 8) (i32.const 12)))
(local.set $n (i32.add (i32.load (i32.const 0)) (i32.load (i32.const 8))))
(loop $more
(br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))
"#;

#[test]
fn arguments_and_environment_are_given_again() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("counter.wat"), COUNTER).unwrap();
    let record = ["trace", "record", "--env", "A=B", "--env", "C=D", "-o", "c.twpp", "counter.wat", "x"];
    succeeds(folder.path(), &record);
    let slice = asked(folder.path(), &["trace", "slice", "c.twpp", "--at", "counter.wat:10", "--var", "n"]);
    // Two variables, the name of the program, and an argument.
    assert_eq!(slice["executions"], json!(4));
    assert!([6, 7, 8, 10].iter().all(|line| lines(&slice, "counter.wat").contains(line)), "{slice}");
}
