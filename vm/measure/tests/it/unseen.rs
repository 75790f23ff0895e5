//! Programs of a folder, with a stand-in for the binary and a real C compiler. Nothing depends on how long anything
//! takes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use holloway_measure::FolderError;
use holloway_measure::bench::unseen::{GivenSize, Unseen, json, report};
use holloway_measure::bench::{Children, Progress, UnseenConfig, UnseenError, measure_unseen};
use holloway_measure::extent::{Rounds, SizeName};
use holloway_study::report::style::OutputFormat;
use serde_json::{Value, json as object};
use tempfile::TempDir;

/// A folder of programs, and a script in place of `holloway`.
struct Programs {
    folder: TempDir,
    binary: TempDir,
}

/// C that prints twice its argument.
const TWICE: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int count, char **args) { return printf("%d\n", 2 * atoi(args[1])) < 0; }
"#;
/// The same, in a stand-in for the command: `$file` is the program's name and `$size` its argument.
const HONEST: &str = "*) echo $((2 * size)) ;;";

impl Programs {
    /// `cases` are what the stand-in does by "FILE OPTIONS".
    fn new(cases: &str, files: &[(&str, &str)]) -> Programs {
        let (folder, binary) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let script = format!(
            "#!/bin/sh\nfor size; do file=$previous; previous=$size; done\n\
             case \"$(basename $file) $*\" in\n{cases}\n{HONEST}\nesac\n"
        );
        let path = binary.path().join("holloway");
        fs::write(&path, script).expect("the script is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is made executable");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file is written");
        }
        Programs { folder, binary }
    }

    fn config(&self) -> UnseenConfig {
        UnseenConfig {
            folder: self.folder.path().to_owned(),
            names: Vec::new(),
            sizes: vec![GivenSize { program: None, size: 21 }],
            size: SizeName::Default,
            rounds: Rounds::new(2).expect("not zero"),
            format: OutputFormat::Text,
            progress: Progress::Silent,
            executable: self.binary.path().join("holloway"),
        }
    }

    fn measure(&self) -> Unseen {
        measure_unseen(&self.config(), &Children::default()).expect("the folder is read")
    }

    fn refused(&self, config: &UnseenConfig) -> String {
        match measure_unseen(config, &Children::default()) {
            Ok(_) => panic!("it is measured"),
            Err(error) => error.to_string().replace(&self.folder.path().display().to_string(), "DIR"),
        }
    }
}

/// The names of contestants that have times, of a program.
fn measured(program: &Value) -> Vec<&str> {
    let results = program["results"].as_object().expect("by contestant");
    let with_times = results.iter().filter(|(_, result)| result["cpu"].as_array().is_some_and(|cpu| cpu.len() == 2));
    let mut names: Vec<&str> = with_times.map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names
}

#[test]
fn what_goes_wrong_is_told_and_the_others_are_measured() {
    let cases = "wrong.hw*--tier\\ auto\\ /*) echo 43 ;;\nunfit.hw*) echo 'unfit.hw:1:1: error: no' >&2; exit 65 ;;\n\
                 frail.hw*optimized*) echo 'oh no' >&2; exit 1 ;;";
    let programs = Programs::new(
        cases,
        &[
            ("right.hw", ""),
            ("right.c", TWICE),
            ("wrong.hw", ""),
            ("wrong.c", TWICE),
            ("frail.hw", ""),
            ("frail.c", TWICE),
            ("unfit.hw", ""),
            ("unfit.c", TWICE),
            ("uncompiled.hw", ""),
            ("uncompiled.c", "int main( {"),
            ("failing.hw", ""),
            ("failing.c", "int main(void) { return 3; }"),
            ("alone.hw", ""),
            ("other.c", TWICE),
        ],
    );
    let found = programs.measure();
    assert_eq!(
        found.faults(),
        ["frail: optimized ended with exit status: 1: oh no", "wrong: auto WRONG CHECKSUM: expected 42, printed 43"]
    );
    let value = json::json(&found);
    let names: Vec<&str> =
        value["programs"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["frail", "right", "wrong"]);
    assert_eq!(measured(&value["programs"][0]), ["auto", "gcc", "without"]);
    assert_eq!(measured(&value["programs"][1]), ["auto", "gcc", "optimized", "without"]);
    assert_eq!(measured(&value["programs"][2]), ["gcc", "optimized", "without"]);
    assert_eq!(
        (&value["programs"][1]["output"], &value["programs"][1]["size_from"]),
        (&object!("42"), &object!("given"))
    );
    let skipped: Vec<String> = value["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{}: {}", one["name"].as_str().unwrap(), one["why"].as_str().unwrap()))
        .collect();
    assert_eq!(skipped[0], "failing: its C program ended with exit status: 3");
    assert!(skipped[1].starts_with("uncompiled: its C program could not be built: "), "{skipped:?}");
    assert_eq!(skipped[2], "unfit: ended with exit status: 65: unfit.hw:1:1: error: no");
    assert_eq!((&value["without_c"], &value["ok"]), (&object!(["alone"]), &object!(false)));
    assert!(report::text(&found).contains("FAILED"));
}

#[test]
fn sizes_and_outputs_are_expected() {
    let expected = r#"{
        "stale": {"size": 5, "checksum": 11},
        "mid": {"size": 7, "checksum": 14, "mid": 3, "mid_checksum": 6},
        "own": {"sizes": {"default": 9, "mid": 4}, "checksums": {"9": 18, "4": 8}}
    }"#;
    // Only at size mid does one of them print something else.
    let cases = "mid.hw*without*\\ 3) echo 7 ;;";
    let files = ["stale", "mid", "own"].map(|name| [(format!("{name}.hw"), ""), (format!("{name}.c"), TWICE)]);
    let files: Vec<(&str, &str)> = files.iter().flatten().map(|(name, text)| (name.as_str(), *text)).collect();
    let programs = Programs::new(cases, &[&files[..], &[("expected.json", expected)]].concat());
    let config = UnseenConfig { sizes: Vec::new(), ..programs.config() };
    let found = measure_unseen(&config, &Children::default()).expect("the folder is read");
    let mut faults = vec!["mid: without WRONG CHECKSUM: expected 6, printed 7".to_owned()];
    let stale = |contestant| format!("stale: {contestant} WRONG CHECKSUM: expected 11, printed 10");
    faults.extend(["gcc", "optimized", "auto", "without"].map(stale));
    assert_eq!(found.faults(), faults);
    let value = json::json(&found);
    let of = |at: usize| {
        [&value["programs"][at]["size"], &value["programs"][at]["output"], &value["programs"][at]["size_from"]]
    };
    assert_eq!(of(0), [&object!(7), &object!("14"), &object!("expected")]);
    assert_eq!(of(1), [&object!(9), &object!("18"), &object!("expected")]);

    // What the command line says comes first, and is compared with C.
    let sizes = vec![GivenSize { program: Some("own".to_owned()), size: 4 }];
    let config = UnseenConfig { sizes, names: vec!["own".to_owned()], ..programs.config() };
    let value = json::json(&measure_unseen(&config, &Children::default()).expect("the folder is read"));
    assert_eq!((&value["programs"][0]["size"], &value["ok"]), (&object!(4), &object!(true)));
    assert_eq!(value["programs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_cannot_be_measured_at_all_is_refused() {
    let programs = Programs::new("", &[("first.hw", ""), ("first.c", TWICE), ("alone.hw", "")]);
    let named = |name: &str| UnseenConfig { names: vec![name.to_owned()], ..programs.config() };
    assert_eq!(
        programs.refused(&named("frist")),
        "there is no 'frist' with a C program beside it; did you mean 'first'?"
    );
    assert_eq!(programs.refused(&named("alone")), "there is no 'alone' with a C program beside it; there are: first");
    let sizes = vec![GivenSize { program: Some("zzz".to_owned()), size: 4 }];
    let said = programs.refused(&UnseenConfig { sizes, ..programs.config() });
    assert_eq!(said, "there is no 'zzz' with a C program beside it; there are: first");
    let missing = UnseenConfig { folder: PathBuf::from("/no/such"), ..programs.config() };
    assert!(matches!(
        measure_unseen(&missing, &Children::default()),
        Err(UnseenError::Folder(FolderError::NotRead(..)))
    ));
    let empty = UnseenConfig { folder: programs.binary.path().to_owned(), ..programs.config() };
    assert!(matches!(measure_unseen(&empty, &Children::default()), Err(UnseenError::Folder(FolderError::Empty(..)))));
    fs::write(programs.folder.path().join("expected.json"), "{").expect("a file is written");
    assert!(programs.refused(&programs.config()).starts_with("DIR/expected.json: EOF while parsing"));
}

#[test]
fn an_interrupt_ends_all() {
    let programs = Programs::new("", &[("first.hw", ""), ("first.c", TWICE)]);
    let children = Children::default();
    children.interrupt();
    let said = measure_unseen(&programs.config(), &children).map(|_| ()).expect_err("it is interrupted").to_string();
    assert_eq!(said, "interrupted");
}
