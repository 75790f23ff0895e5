//! `bench` as a command: its exit status and its JSON, with a scheme, too.

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
