//! `bench` as a command: its exit status and its JSON.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

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
