//! Jobs on a WebAssembly module, carried out in this process.

use std::fs;
use std::path::PathBuf;

use holloway_measure::bench::Request;
use holloway_measure::bench::modules::{ModuleRun, carry_out};
use holloway_measure::reproduce::job::{self, Figures, Job};
use holloway_measure::reproduce::variant::RoyTable;
use holloway_measure::reproduce::{Variant, whole_path};
use holloway_measure::subject::Code;
use serde_json::json;
use tempfile::TempDir;

/// Prints a letter for each character of its argument, in a loop with two paths.
const MODULE: &str = include_str!("letters.wat");

fn module() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    // Text is read like the binary form.
    let file = folder.path().join("letters.wat");
    fs::write(&file, MODULE).expect("the module is written");
    (folder, file)
}

fn run(file: &PathBuf, by: &str) -> Result<ModuleRun, String> {
    let request = json!({ "Module": { "file": file, "size": 1_234_567, "by": by } });
    match serde_json::from_value(request).expect("a request") {
        Request::Module(job) => carry_out(&job),
        Request::Run(_) | Request::Base(_) => unreachable!("it is of a module"),
    }
}

#[test]
fn every_way_of_this_system_tells_output_and_times() {
    let (_folder, file) = module();
    for by in ["Optimized", "Auto", "AutoWithoutTraces"] {
        let ModuleRun { output, ready, cpu, wall } = run(&file, by).expect("it runs");
        assert_eq!(output, "eoeoeoe");
        assert!(ready > 0.0 && cpu >= ready && wall > 0.0);
    }
    assert!(run(&"no/such.wasm".into(), "Auto").unwrap_err().starts_with("cannot read no/such.wasm: "));
    fs::write(&file, "(module (func (export \"_start\") unreachable))").expect("the module is written");
    assert!(run(&file, "Optimized").unwrap_err().starts_with("it failed: "));
}

#[test]
fn tables_are_made_of_modules() {
    let (_folder, file) = module();
    let job = |variant, output: &str| Job {
        program: Code::Module(file.clone()),
        size: 1_234_567,
        output: Some(output.to_owned()),
        replaced: None,
        variant,
        figures: true,
    };
    let answer = job::carry_out(&job(Variant::Iterated(RoyTable::HashTables, 1), "eoeoeoe")).expect("it runs");
    let Figures::Counts(counts) = answer.figures else { panic!("paths are counted: {answer:?}") };
    // Into the loop, five times round it by two paths, and out of it with the last; and once each two imported functions and the start.
    assert_eq!((counts.executed, counts.distinct), (7 + 3, 4 + 3));
    let whole = whole_path::carry_out(&job(Variant::Plain, "eoeoeoe")).expect("it is recorded");
    assert_eq!(whole.functions.len(), 4);
    let wrong = job::carry_out(&job(Variant::Plain, "eo")).unwrap_err();
    assert_eq!(wrong, "WRONG CHECKSUM: expected eo, printed eoeoeoe");
}
