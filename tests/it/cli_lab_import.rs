//! `lab import` and what the lab makes of its files, from outside; wrong files and wrong command lines.
//!
//! In: `tests/data/tiny.ll` and its trace, as clang and `c-trace/holloway_trace.c` wrote them, shortened; `tests/data/tiny.c` is the program.

use std::path::Path;

use serde_json::Value;

use super::command::{Done, holloway, run, run_with_input};

const TINY: &str = "tests/data/tiny.ll";
const TRACE: &str = "tests/data/tiny.trace";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn lab(args: &[&str]) -> Done {
    let mut all = vec!["lab"];
    all.extend(args);
    run(holloway(root(), all))
}

fn succeeds(args: &[&str]) -> String {
    let done = lab(args);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{args:?}");
    done.out
}

fn refused(status: i32, args: &[&str]) -> String {
    let done = lab(args);
    assert_eq!((done.status, done.out.as_str(), done.err.lines().count()), (status, "", 1), "{args:?}: {}", done.err);
    done.complaint().to_owned()
}

/// A result without its name, and the lists that it has only without a file of blocks.
fn comparable(text: &str) -> Value {
    let mut result: Value = serde_json::from_str(text).expect("JSON");
    result["program"] = Value::Null;
    for function in result["functions"].as_array_mut().expect("a list") {
        function.as_object_mut().expect("an object").remove("path_list");
    }
    result.as_object_mut().expect("an object").remove("path_list");
    result
}

#[test]
fn a_trace_in_a_file_gives_the_same_as_one_in_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = folder.path().join("tiny.json");
    let path = json.to_str().expect("text");
    assert_eq!(succeeds(&["import", "--llvm", TINY, TRACE, "-o", path]), "");
    let one = succeeds(&["import", "--llvm", TINY, TRACE]);
    for scheme in ["edge", "bl", "k-bl", "k-iter", "tfp", "bala", "context", "ip-context", "ip-piecewise", "ip-hybrid"]
    {
        let in_file = succeeds(&[path, "--scheme", scheme]);
        let in_json = run_with_input(holloway(root(), ["lab", "-", "--scheme", scheme]), one.as_bytes());
        assert_eq!(comparable(&in_file), comparable(&in_json.out), "{scheme}");
    }
    let result = comparable(&succeeds(&[path]));
    let main = &result["functions"][0];
    assert_eq!(
        (&main["file"], &main["blocks"][4]),
        (&"tiny.c".into(), &serde_json::json!({ "id": "6", "lines": [19, 20] }))
    );
}

#[test]
fn summaries() {
    let one = succeeds(&["import", "--llvm", TINY, TRACE]);
    let summary = |args: &[&str]| {
        let mut all = vec!["lab", "-", "--summary"];
        all.extend(args);
        let done = run_with_input(holloway(root(), all), one.as_bytes());
        assert_eq!((done.status, done.err.as_str()), (0, ""));
        done.out
    };
    let all = ["bl", "k-bl", "k-iter", "tfp", "ip-hybrid"].map(|scheme| summary(&["--scheme", scheme, "--top", "3"]));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn wrong_files_are_refused_in_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("it is written");
        path.to_str().expect("text").to_owned()
    };
    let import = |status, llvm: &str, trace: &str| refused(status, &["import", "--llvm", llvm, trace]);
    assert!(import(66, "tests/data/none.ll", TRACE).starts_with("holloway: cannot read tests/data/none.ll: "));
    assert!(import(66, TINY, "tests/data/none").starts_with("holloway: cannot read tests/data/none: "));
    assert!(import(65, "tests/data/tiny.c", TRACE).contains("tests/data/tiny.c: no function has guards"));
    assert!(import(65, TINY, TINY).ends_with("tiny.ll: this is no trace; c-trace/holloway_trace.c writes them"));
    let text = std::fs::read_to_string(root().join(TINY)).expect("it is there");
    let other = file("other.ll", (text.clone() + "; changed\n").as_bytes());
    assert!(import(65, &other, TRACE).contains("the trace is of another build"));
    let no_main = file("no_main.ll", text.replace("@main", "@start").as_bytes());
    assert!(import(65, &no_main, TRACE).contains("no function with guards is `main`"));
    let wrong = file("wrong.ll", text.replace("label %12,", "label %99,").as_bytes());
    assert!(import(65, &wrong, TRACE).contains("wrong.ll:11: block `entry` leads to `99`, which is no block"));
    let bitcode = file("prog.bc", b"BC\xc0\xde\xff");
    assert!(import(65, &bitcode, TRACE).contains("prog.bc:1: this is no text; bitcode becomes text by llvm-dis"));
    let unwritten = refused(1, &["import", "--llvm", TINY, TRACE, "-o", "tests/none/tiny.json"]);
    assert!(unwritten.starts_with("holloway: cannot write tests/none/tiny.json: "));
}

#[test]
fn a_file_of_blocks_must_be_that_of_the_graphs() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = folder.path().join("tiny.json");
    let path = json.to_str().expect("text");
    succeeds(&["import", "--llvm", TINY, TRACE, "-o", path]);
    let blocks = folder.path().join("tiny.blocks");
    let bytes = std::fs::read(&blocks).expect("it is there");
    let with = |bytes: &[u8]| {
        std::fs::write(&blocks, bytes).expect("it is written");
        refused(65, &[path])
    };
    assert!(with(&bytes[..bytes.len() - 1]).ends_with("the file ends before the trace does; import it again"));
    assert!(with(&bytes[..5]).ends_with("the file ends before the trace does; import it again"));
    assert!(with(b"something else").contains("this is no trace of the lab"));
    let mut other = bytes.clone();
    other[8] += 1;
    assert!(with(&other).contains("it is of graphs with 34 blocks, and these have 33"));
    let mut step = bytes.clone();
    step[20] = 3;
    assert!(with(&step).contains(
        "tiny.blocks: event 1: a trace starts at `main:entry@compare`, which is not the entry of the main procedure"
    ));
    let mut cut = bytes.clone();
    cut[20] = 0;
    assert!(with(&cut).ends_with("tiny.blocks: event 1: the trace cuts an activation before its first block"));
    std::fs::remove_file(&blocks).expect("it is there");
    assert!(refused(65, &[path]).ends_with("tiny.blocks: there is no such file"));
}

#[test]
fn an_import_overwrites_none_of_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (program, trace, linked) = (path("p.ll"), path("q.blocks"), path("linked.json"));
    let bytes = |name: &str| std::fs::read(root().join(name)).expect("it is there");
    std::fs::write(&program, bytes(TINY)).expect("it is written");
    std::fs::write(&trace, bytes(TRACE)).expect("it is written");
    std::os::unix::fs::symlink(&program, &linked).expect("it is linked");
    let import = |output: &str| refused(64, &["import", "--llvm", &program, &trace, "-o", output]);
    assert!(import(&path("q.json")).ends_with("q.blocks, which is the trace to import"));
    assert!(import(&trace).ends_with("q.blocks, which is the trace to import"));
    assert!(import(&program).ends_with("p.ll, which is the program to import"));
    assert!(import(&path("./p.ll")).ends_with("p.ll, which is the program to import"));
    assert!(import(&linked).ends_with("linked.json, which is the program to import"));
    assert!(import(&path("p.blocks")).ends_with("p.blocks, which is where the trace goes; name the input LAB.json"));
    assert_eq!(std::fs::read(&program).expect("it is there"), bytes(TINY));
    assert_eq!(std::fs::read(&trace).expect("it is there"), bytes(TRACE));
    assert!(!Path::new(&path("q.json")).exists() && !Path::new(&path("p.blocks")).exists());
}

/// `main` calls `f`, and continues in `a` or, after an exception, in `b`; `f` calls `g`.
const CUT: &str = "tests/data/cut.ll";

/// Checksum of [`CUT`], as cksum prints it.
const CHECKSUM: u32 = 4_203_286_197;

#[test]
fn a_trace_with_cuts_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (trace, json) = (path("p.trace"), path("p.json"));
    let words = [CHECKSUM, 5, 4, 0, 1, 4, 5, 3].into_iter().flat_map(u32::to_le_bytes);
    std::fs::write(&trace, b"hwtrace1".iter().copied().chain(words).collect::<Vec<_>>()).expect("it is written");
    let error = refused(65, &["import", "--llvm", CUT, &trace]);
    assert!(error.contains("the trace cuts activations") && error.ends_with("write it to a file with -o"), "{error}");
    succeeds(&["import", "--llvm", CUT, &trace, "-o", &json]);
    succeeds(&[&json, "--scheme", "bl"]);
}

#[test]
fn wrong_command_lines() {
    assert!(refused(64, &["import", TRACE]).contains("--llvm"));
    assert!(refused(64, &["import", "--llvm", TINY]).contains("TRACE"));
    assert!(refused(64, &["examples/pow.json", "--k", "3"]).contains("--scheme"));
    assert!(refused(64, &["examples/pow.json", "--top", "3"]).contains("--top goes with --summary"));
    let dot = refused(64, &["examples/pow.json", "--dot", "--top", "3"]);
    assert!(dot.contains("--top goes with --summary") && !dot.contains("JSON"), "{dot}");
    assert!(refused(64, &[]).contains("INPUT"));
    assert!(
        refused(65, &["examples/pow.json", "--scheme", "bla"])
            .ends_with("there is no scheme `bla`; did you mean `bl`?")
    );
    assert!(refused(65, &["examples/pow.json", "--scheme", "bl", "--k", "3"]).contains("bl"));
}
