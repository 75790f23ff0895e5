//! The README is true: its program runs, and its test command is the one that `.ci/run` ends with.

use std::fs;
use std::path::Path;

use holloway::{Config, Engine};
use holloway_runtime::Sink;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).expect("the file is there")
}

/// The blocks of the README in the given language.
fn blocks(language: &str) -> Vec<String> {
    let text = read("README.md");
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

#[test]
fn its_program_runs() {
    let programs = blocks("holloway");
    assert_eq!(programs.len(), 1);
    let config = Config { output: Sink::Captured(Vec::new()), ..Config::default() };
    let mut engine = Engine::new(config).expect("there is memory for an engine");
    engine.load("README.hw", &programs[0]).expect("it compiles");
    assert_eq!(engine.run().expect("it does not fail"), 0);
    insta::assert_snapshot!(String::from_utf8_lossy(&engine.take_output()), @"
    centre Point(x: 1.0, y: 1.0)
    caught: index out of range: the length is 3 but the index is 3
    ");
}

#[test]
fn its_test_command_is_what_has_to_pass() {
    let commands = blocks("sh").concat();
    let test = commands.lines().find(|line| line.starts_with("cargo test")).expect("a test command");
    assert_eq!(read(".ci/run").lines().last(), Some(test));
}
