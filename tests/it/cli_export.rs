//! `export`, as a person sees it: a real run in each form.
//!
//! In: a recorded run of a small program. Out: checks that each form is whole and tells of the same time, and errors that name the remedy.

use crate::command::{holloway, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

const PROGRAM: &str = "\
fn steps(start: int) -> int {
    var x = start
    var count = 0
    while x != 1 {
        if x % 2 == 0 { x = x / 2 } else { x = 3 * x + 1 }
        count += 1
    }
    return count
}
fn main() {
    var sum = 0
    for i in 1..200000 { sum += steps(i) }
    print(sum)
}
";

/// A folder with a program and a run of it.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("steps.hw"), PROGRAM).expect("it is written");
    let done = run(holloway(folder.path(), ["run", "--save", "steps.hwrun", "steps.hw"]));
    assert_eq!((done.status, done.out.as_str()), (0, "22938473\n"), "{}", done.err);
    folder
});

fn exported(form: &str) -> Vec<u8> {
    let mut command = holloway(FOLDER.path(), ["export", "steps.hwrun", "--to", form]);
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{form}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn json(form: &str) -> Value {
    serde_json::from_slice(&exported(form)).expect("it is JSON")
}

fn sum(column: &Value) -> f64 {
    column.as_array().expect("a column").iter().filter_map(Value::as_f64).sum()
}

/// The time that the samples of the run stand for, as `profile` tells it, in microseconds.
fn total() -> f64 {
    let done = run(holloway(FOLDER.path(), ["profile", "steps.hwrun", "--scheme", "time", "--json"]));
    let profile: Value = serde_json::from_str(&done.out).expect("it is JSON");
    profile["total"].as_f64().unwrap_or_else(|| panic!("no total in {profile}"))
}

#[test]
fn every_form_tells_of_the_same_time() {
    let total = total();
    assert!(total > 0.0);
    let firefox = json("firefox");
    let program = firefox["threads"].as_array().unwrap().iter().find(|thread| thread["isMainThread"] == true).unwrap();
    let folded = String::from_utf8(exported("folded")).unwrap();
    let folded_sum: f64 = folded.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum();
    let chrome = json("chrome");
    let spans = chrome.as_array().unwrap().iter().filter_map(|event| event["args"]["cpu_us"].as_f64()).sum::<f64>();
    let outside: f64 = folded.lines().filter_map(|line| line.strip_prefix("(outside) ")?.parse::<f64>().ok()).sum();
    for (form, sum) in [
        ("firefox", 1e3 * sum(&program["samples"]["weight"])),
        ("speedscope", sum(&json("speedscope")["profiles"][0]["weights"])),
        ("folded", folded_sum),
        ("chrome", spans + outside),
    ] {
        assert!((sum - total).abs() < 2.0, "{form} tells of {sum} us, and the profile of {total}");
    }
    assert!(folded.lines().any(|line| line.contains("steps [")), "{folded}");
}

#[test]
fn a_flame_graph_and_a_pprof_file_are_written() {
    let svg = String::from_utf8(exported("flamegraph")).unwrap();
    assert!(svg.starts_with("<?xml") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("steps.hw") && svg.contains("steps ["));
    assert_eq!(exported("pprof")[..2], [0x1f, 0x8b], "gzip");
    let done = run(holloway(FOLDER.path(), ["export", "steps.hwrun", "--to", "pprof", "-o", "steps.pb.gz"]));
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "", ""));
    assert!(fs::metadata(FOLDER.path().join("steps.pb.gz")).unwrap().len() > 100);
}

#[test]
fn tables_have_headers_and_one_run() {
    let done = run(holloway(FOLDER.path(), ["export", "steps.hwrun", "--to", "csv", "-o", "tables/steps"]));
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    for table in ["runs", "functions", "versions", "lines", "samples", "loops", "events"] {
        let text = fs::read_to_string(FOLDER.path().join(format!("tables/steps/{table}.csv"))).unwrap();
        assert!(text.starts_with("run,program_hash,"), "{table}: {text}");
    }
    let runs = fs::read_to_string(FOLDER.path().join("tables/steps/runs.csv")).unwrap();
    assert!(runs.lines().count() == 2 && runs.contains(",steps.hw,"), "{runs}");
}

#[test]
fn what_cannot_be_exported_is_refused_with_the_remedy() {
    let folder = FOLDER.path();
    fs::write(folder.join("notes"), "none").unwrap();
    fs::create_dir_all(folder.join("inside")).unwrap();
    let refused = |line: &str| {
        let done = run(holloway(folder, line.split(' ')));
        assert_eq!(done.out, "", "{line}");
        (done.status, done.complaint().to_owned())
    };
    for (line, status, complaint) in [
        (
            "export steps.hw --to folded",
            65,
            "steps.hw is no recorded run; 'holloway run --save RUN.hwrun steps.hw' makes one",
        ),
        ("export notes --to folded", 65, "notes is no recorded run; 'holloway run --save RUN.hwrun FILE' makes one"),
        ("export inside --to folded", 66, "inside is a folder, and no recorded run"),
        (
            "export gone.hwrun --to folded",
            66,
            "cannot read gone.hwrun: there is no such file; 'holloway run --save RUN.hwrun FILE' makes one",
        ),
        (
            "export steps.hwrun --to csv",
            64,
            "--to csv writes several tables; name a folder for them with -o (see 'holloway export --help')",
        ),
        (
            "export steps.hwrun --to csv -o notes",
            64,
            "notes is a file, and --to csv writes a folder of tables: name another",
        ),
        (
            "export steps.hwrun --to flamegraph -o inside",
            64,
            "inside is a folder, and --to flamegraph writes one file: name one, such as inside/run.svg",
        ),
        (
            "export steps.hwrun --to folded -o steps.hwrun",
            64,
            "-o would write over steps.hwrun, which this command reads: name another file",
        ),
        (
            "export steps.hwrun --to folded -o steps.hw",
            64,
            "-o would write over steps.hw, which is a program: name another file",
        ),
        (
            "export - --to folded",
            64,
            "a run is read from its file; name it instead of - (see 'holloway export --help')",
        ),
    ] {
        assert_eq!(refused(line), (status, format!("holloway: {complaint}")), "{line}");
    }
    let (status, complaint) = refused("export steps.hwrun --to speedscop");
    assert_eq!(status, 64);
    assert!(complaint.contains("speedscope"), "{complaint}");
}

#[test]
fn a_run_without_samples_says_so() {
    let folder = FOLDER.path();
    let recorded = run(holloway(folder, ["run", "--sync-compile", "--save", "sync.hwrun", "steps.hw"]));
    assert_eq!(recorded.status, 0, "{}", recorded.err);
    let done = run(holloway(folder, ["export", "sync.hwrun", "--to", "folded"]));
    assert_eq!(done.status, 65);
    assert!(done.complaint().starts_with("holloway: sync.hwrun: the run has no samples"), "{}", done.err);
    assert_eq!(run(holloway(folder, ["export", "sync.hwrun", "--to", "chrome", "-o", "sync.json"])).status, 0);
}

/// The views of `docs/fleet.sql` by DuckDB's own command, where it is installed.
#[test]
fn the_views_of_many_runs_are_read_by_duckdb() {
    let is_there = Command::new("duckdb").arg("-version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        return;
    }
    let done = run(holloway(FOLDER.path(), ["export", "steps.hwrun", "--to", "csv", "-o", "fleet/tables/one"]));
    assert_eq!(done.status, 0, "{}", done.err);
    let views = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fleet.sql")).unwrap();
    let asked = "SELECT function FROM hottest_functions LIMIT 1; FROM hotter; FROM regressed; FROM tiers; FROM traces;";
    let mut command = Command::new("duckdb");
    command.args(["-csv", "-c", &format!("{views}\n{asked}")]).current_dir(FOLDER.path().join("fleet"));
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("function\nsteps\n"));
}
