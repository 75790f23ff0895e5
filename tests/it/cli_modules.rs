//! Modules of a folder, measured: a small one, and programs in C where a compiler for WebAssembly is installed.
//!
//! In: modules and their `expected.json`. Out: what `bench --wasm` and `reproduce --wasm` tell. Other engines take part where they are installed.

use crate::command::{done, holloway, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use wast::Wat;
use wast::parser::{ParseBuffer, parse};

/// Prints a letter for each character of its argument, of two kinds in turn.
const LETTERS: &str = include_str!("../../vm/measure/tests/it/letters.wat");

/// The C peers that are built, with their small sizes and outputs.
const PEERS: [&str; 2] = ["fib", "crc"];

fn folder() -> (TempDir, Vec<&'static str>) {
    let folder = tempfile::tempdir().expect("a folder");
    let buffer = ParseBuffer::new(LETTERS).expect("it is text");
    let bytes = parse::<Wat<'_>>(&buffer).and_then(|mut wat| wat.encode()).expect("it is a module");
    fs::write(folder.path().join("letters.wasm"), bytes).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-programs");
    let expected = fs::read_to_string(root.join("expected.json")).unwrap();
    let mut expected: Value = serde_json::from_str(&expected).unwrap();
    expected["letters"] = json!({ "sizes": { "small": 1_234_567 }, "checksums": { "1234567": "eoeoeoe" } });
    fs::write(folder.path().join("expected.json"), expected.to_string()).unwrap();
    let mut names = vec!["letters"];
    for name in PEERS {
        let (source, module) =
            (root.join(format!("peers/programs/{name}.c")), folder.path().join(format!("{name}.wasm")));
        let mut clang = Command::new("clang-14");
        clang.args(["--target=wasm32-wasi", "-O2", "-g", "-U__wasm__"]).arg(source).arg("-lm").arg("-o").arg(module);
        match clang.output() {
            Ok(built) if built.status.success() => names.push(name),
            _ => println!("{name} is not built: there is no clang-14 with wasi-libc"),
        }
    }
    names.sort_unstable();
    (folder, names)
}

#[test]
fn modules_are_measured_beside_other_engines() {
    let (folder, names) = folder();
    let done = done(folder.path(), &["bench", "--wasm", ".", "--size", "small", "--rounds", "1", "--json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let value: Value = serde_json::from_str(&done.out).expect("JSON");
    let modules = value["modules"].as_array().expect("modules are there");
    assert_eq!(modules.iter().map(|module| &module["name"]).collect::<Vec<_>>(), names);
    for module in modules {
        for own in ["optimized", "auto", "without"] {
            assert!(module["results"][own]["cpu"][0].as_f64().is_some_and(|cpu| cpu > 0.0), "{module}");
        }
        assert!(module["ratios"]["auto/optimized"].is_f64(), "{module}");
    }
    assert_eq!((&value["ok"], &value["faults"]), (&json!(true), &json!([])));

    let table = run(holloway(folder.path(), ["bench", "--wasm", ".", "letters", "--size", "small", "--rounds", "1"]));
    assert!(table.out.contains("auto/without") && table.out.contains("geometric mean"), "{}", table.out);
    fs::write(folder.path().join("expected.json"), r#"{"letters": {"sizes": {"small": 7}, "checksums": {"7": "x"}}}"#)
        .unwrap();
    let wrong = run(holloway(folder.path(), ["bench", "--wasm", ".", "--size", "small", "--rounds", "1"]));
    assert_ne!(wrong.status, 0);
    assert!(wrong.err.contains("letters: auto WRONG CHECKSUM: expected x, printed e"), "{}", wrong.err);
    let unknown = run(holloway(folder.path(), ["bench", "--wasm", ".", "letter", "--size", "small"]));
    assert!(unknown.err.contains("did you mean 'letters'?"), "{}", unknown.err);
    for command in ["bench", "reproduce"] {
        let missing = run(holloway(folder.path(), [command, "--wasm", "missing"]));
        assert_eq!(missing.status, 66, "{}", missing.err);
    }
}

#[test]
fn tables_of_papers_are_made_of_modules() {
    let (folder, names) = folder();
    let args =
        ["reproduce", "delia", "tfp", "twpp", "roy", "--wasm", ".", "--size", "small", "--rounds", "1", "--json"];
    let done = done(folder.path(), &args);
    assert_eq!(done.status, 0, "{}", done.err);
    let value: Value = serde_json::from_str(&done.out).expect("JSON");
    let sheets = value["sheets"].as_array().expect("tables are there");
    let sheet =
        |key: &str| sheets.iter().find(|sheet| sheet["key"] == key).unwrap_or_else(|| panic!("there is no {key}"));
    let of =
        |key: &str| sheet(key)["rows"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect::<Vec<_>>();
    assert_eq!(of("tfp_table2").len(), names.len());
    assert_eq!([of("delia_figure11"), of("roy_table3")], [names.clone(), names]);
    // Of functions that are embedded.
    assert!(sheets.iter().all(|sheet| sheet["key"] != "roy_table4" && sheet["key"] != "tfp_figure7"));
    let letters =
        &sheet("delia_figure12")["rows"].as_array().unwrap().iter().find(|row| row["name"] == "letters").unwrap();
    // Into the loop, round it by two paths, and out of it; and one each of two imported functions and the start.
    assert_eq!(letters["values"][0], 4.0 + 3.0, "{letters}");
}
