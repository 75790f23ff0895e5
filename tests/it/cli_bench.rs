//! `bench` as a command: its exit status and its JSON, with a scheme and with a folder, too.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::command::{holloway, run};

#[test]
fn the_exit_status_tells_whether_all_is_well() {
    let output = Command::new(env!("CARGO_BIN_EXE_holloway"))
        .args(["bench", "crc", "--size", "small", "--rounds", "1", "--json"])
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts");
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON alone on standard output");
    let ok = value["ok"].as_bool().expect("ok is there");
    assert_eq!(output.status.code(), Some(if ok { 0 } else { 1 }));
    assert_eq!(output.stderr.is_empty(), ok);
    assert_eq!(value["programs"][0]["name"], json!("crc"));
}

#[test]
fn a_scheme_counts_the_same_with_both_numberings() {
    let measured = |options: &[&str]| {
        let args =
            [&["bench", "--scheme", "k-bl", "--size", "small", "--rounds", "1", "lzw", "packets"], options].concat();
        let done = run(holloway(Path::new("."), args));
        assert_eq!((done.status, done.err.as_str()), (0, ""));
        done.out
    };
    let found = |options: &[&str]| -> Value {
        serde_json::from_str(&measured(&[options, &["--json"]].concat())).expect("JSON alone on standard output")
    };
    let (smart, source) = (found(&["--numbering", "smart"]), found(&[]));
    assert_eq!([&smart["numbering"], &source["numbering"]], [&json!("smart"), &json!("source")]);
    for program in [0, 1] {
        for figure in ["name", "counters", "hottest"] {
            assert_eq!(smart["programs"][program][figure], source["programs"][program][figure], "{figure}");
        }
    }
    assert!(measured(&["--numbering", "smart"]).starts_with("k-bl --k 4 --numbering smart, size small"));
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file is written");
    }
    folder
}

#[test]
fn a_folder_is_measured_beside_c() {
    let in_c = "#include <stdio.h>\n#include <stdlib.h>\n\
                int main(int count, char **args) { return printf(\"%d\\n\", 2 * atoi(args[1])) < 0; }\n";
    let own = "fn main(args: [str]) { print(2 * parse_int(args[0], 0)) }\n";
    let good = [("good.hw", own), ("good.c", in_c), ("broken.hw", "let\n"), ("broken.c", in_c), ("alone.hw", own)];
    let measured = |folder: &Path, options: &[&str]| {
        let args = [&["bench", "--unseen", ".", "--sizes", "21", "--rounds", "1"], options].concat();
        run(holloway(folder, args))
    };
    let place = folder(&good);
    let done = measured(place.path(), &["--json"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&done.out).expect("JSON alone on standard output");
    assert_eq!((&value["ok"], &value["without_c"]), (&json!(true), &json!(["alone"])));
    assert_eq!(value["programs"].as_array().map(Vec::len), Some(1));
    assert_eq!((&value["programs"][0]["name"], &value["programs"][0]["output"]), (&json!("good"), &json!("42")));
    let skipped = value["skipped"][0]["why"].as_str().expect("one is left out");
    assert!(skipped.starts_with("ended with exit status: 65: "), "{skipped}");

    // A wrong output is an error, and the others have their times.
    let wrong = "fn main(args: [str]) { print(3) }\n";
    let place = folder(&[&good[..], &[("wrong.hw", wrong), ("wrong.c", in_c)]].concat());
    let done = measured(place.path(), &[]);
    assert_eq!(done.status, 1);
    let said = |tier| format!("holloway: wrong: {tier} WRONG CHECKSUM: expected 42, printed 3\n");
    assert_eq!(done.err, ["optimized", "auto", "without"].map(said).concat());
    assert!(
        done.out.contains("\nwrong ") && done.out.contains("FAILED") && done.out.contains("\ngood "),
        "{}",
        done.out
    );
    assert!(done.out.contains("Without a C program beside them: alone"), "{}", done.out);
    let only = measured(place.path(), &["good"]);
    assert_eq!((only.status, only.err.as_str()), (0, ""), "the others are not measured");
    assert_eq!(
        measured(place.path(), &["goood"]).complaint(),
        "holloway: there is no 'goood' with a C program beside it; did you mean 'good'?"
    );
}
