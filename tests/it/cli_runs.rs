//! Recorded runs and the profile of time, as a person and a program meet them.
//!
//! In: programs that run for some tenths of a second. Out: checks of sums and of what files hold; which function took how long is only asserted
//! where nothing else could.

use crate::command::{done, holloway, run_with_input, succeeds};
use serde_json::Value;
use tempfile::TempDir;

/// Most of the time is in `work`, whose frames lie below a deep recursion.
const PROGRAM: &str = "\
fn work(n: int) -> int {
    var sum = 0
    for i in 0..n {
        if i % 3 == 0 { sum += i * 2 } else { sum += i }
    }
    return sum
}
fn deep(depth: int, n: int) -> int {
    if depth == 0 { return work(n) }
    return deep(depth - 1, n) + 1
}
fn main() {
    var sum = 0
    for round in 0..30 { sum += deep(300, 1_000_000) }
    print(sum)
}
";

fn folder(program: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("deep.hw"), program).expect("the program is written");
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn sum(profile: &Value, table: &str, field: &str) -> f64 {
    let rows = profile[table].as_array().expect("a table");
    rows.iter().map(|row| row[field].as_f64().expect("a time")).sum()
}

/// The row of a table about a function.
fn of<'a>(profile: &'a Value, table: &str, function: &str) -> &'a Value {
    let rows = profile[table].as_array().expect("a table");
    rows.iter().find(|row| row["function"] == function).unwrap_or_else(|| panic!("no {function} in {profile}"))
}

#[test]
fn own_times_add_up_to_the_cpu_time_of_the_thread() {
    // Long enough that the samples which a loaded machine withholds at the end are few of all.
    let folder = folder(&PROGRAM.replace("0..30", "0..300"));
    let done = done(folder.path(), &["profile", "deep.hw", "--scheme", "time", "--json"]);
    assert_eq!(done.err.lines().count(), 1, "the program's output is no part of the profile: {}", done.err);
    let profile = json(&done.out);
    let (total, cpu) = (profile["total"].as_f64().expect("a time"), profile["cpu"].as_f64().expect("a time"));
    assert!(total <= cpu && total >= 0.9 * cpu, "{total} of {cpu}");
    for table in ["functions", "lines", "versions"] {
        let all = sum(&profile, table, "own") + profile["outside"].as_f64().expect("a time");
        assert!((all - total).abs() < 1e-6 * total, "{table}: {all} of {total}");
    }
}

#[test]
fn a_recursive_function_counts_once_a_sample() {
    let folder = folder(PROGRAM);
    let profile = json(&succeeds(folder.path(), &["profile", "deep.hw", "--scheme", "time", "--json"]));
    let total = profile["total"].as_f64().expect("a time");
    let inclusive = |function| of(&profile, "functions", function)["inclusive"].as_f64().expect("a time");
    assert!(of(&profile, "functions", "work")["own"].as_f64().expect("a time") > 0.5 * total, "{profile}");
    for function in ["deep", "main"] {
        assert!(inclusive(function) > 0.5 * total && inclusive(function) <= total * (1.0 + 1e-9), "{profile}");
    }
}

#[test]
fn a_kept_run_is_told_the_same_each_time() {
    let folder = folder(PROGRAM);
    succeeds(folder.path(), &["run", "--save", "run.hwrun", "deep.hw"]);
    for command in [
        &["explain", "run.hwrun"][..],
        &["explain", "--story", "run.hwrun"],
        &["explain", "--why", "work", "run.hwrun"],
        &["explain", "--json", "run.hwrun"],
        &["profile", "run.hwrun", "--scheme", "time"],
    ] {
        let told = succeeds(folder.path(), command);
        assert_eq!(told, succeeds(folder.path(), command), "{command:?}");
        assert!(told.contains("work"), "{command:?}: {told}");
    }
    let profile = json(&succeeds(folder.path(), &["profile", "run.hwrun", "--scheme", "time", "--json"]));
    let versions = json(&succeeds(folder.path(), &["explain", "--json", "run.hwrun"]));
    let (of_profile, of_explain) = (sum(&profile, "versions", "own"), sum(&versions, "versions", "time_us"));
    assert!((of_profile - of_explain).abs() < 1e-6 * of_profile, "{of_profile}, {of_explain}");
}

#[test]
fn a_run_that_was_killed_opens() {
    let folder = folder(PROGRAM);
    let file = folder.path().join("run.hwrun");
    succeeds(folder.path(), &["run", "--save", "run.hwrun", "deep.hw"]);
    let whole = std::fs::read(&file).expect("the run was kept");
    std::fs::write(&file, &whole[..whole.len() * 3 / 4]).expect("a part of it is written");
    succeeds(folder.path(), &["explain", "run.hwrun"]);
    assert!(succeeds(folder.path(), &["profile", "run.hwrun", "--scheme", "time"]).contains("the run was killed"));
}

#[test]
fn what_is_no_run_is_refused_with_the_reason() {
    let folder = folder(PROGRAM);
    succeeds(folder.path(), &["run", "--save", "run.hwrun", "deep.hw"]);
    let file = folder.path().join("run.hwrun");
    let mut bytes = std::fs::read(&file).expect("the run was kept");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 0xa5);
    std::fs::write(&file, &bytes).expect("it is written");
    let damaged = done(folder.path(), &["explain", "run.hwrun"]);
    assert!(damaged.status == 65 && damaged.complaint().contains("damaged"), "{}", damaged.err);
    succeeds(folder.path(), &["run", "--save", "run.hwrun", "deep.hw"]);
    for (args, told) in [
        (&["run", "--save", "deep.hw", "deep.hw"][..], "--save would write over deep.hw"),
        (&["run", "--tier", "interp", "--save", "run.hwrun", "deep.hw"], "--save keeps runs of compiled code"),
        (&["profile", "deep.hw", "--scheme", "time", "--k", "3"], "--k goes with schemes that count"),
        (&["profile", "deep.hw", "--scheme", "bl", "--hz", "100"], "--hz goes with --scheme time"),
        (&["profile", "deep.hw", "--scheme", "time", "--tier", "interp"], "leave --tier interp out"),
        (&["diff", "run.hwrun", "deep.hw"], "a recorded run is compared with runs"),
        (&["explain", "run.hwrun", "--without", "traces"], "--without is about a run that is made"),
        (&["explain", "run.hwrun", "--without", "work/trace-1"], "--without is about a run that is made"),
        (&["explain", "run.hwrun", "--audit"], "--audit is about a run that is made"),
        (
            &["explain", "deep.hw", "--without", "trace"],
            "name a part, observed-edges, traces, splits, osr, or a version",
        ),
        (
            &["explain", "deep.hw", "--without", "work/trace-99"],
            "the run has no such version that was decided on; there are",
        ),
        (&["explain", "deep.hw", "--without", "3", "--story"], "--without VERSION measures by replays, and --story"),
        (&["explain", "run.hwrun", "7"], "an argument of the program is about a run that is made"),
        (&["profile", "run.hwrun", "7", "--scheme", "time"], "run.hwrun was recorded with its arguments"),
        (&["run", "-i", "--save", "run.hwrun", "deep.hw"], "--save keeps the run of a program"),
        (
            &["profile", "deep.hw", "--compare", "bl", "--loop", "deep.hw:3", "--hz", "9"],
            "--hz goes with --scheme time",
        ),
    ] {
        let refused = done(folder.path(), args);
        assert!(refused.status == 64 && refused.err.contains(told), "{args:?}: {}", refused.err);
    }
}

#[test]
fn a_failing_program_has_a_profile_and_its_status() {
    let folder = folder(&PROGRAM.replace("print(sum)", "print(sum / (sum - sum))"));
    let failed = done(folder.path(), &["profile", "deep.hw", "--scheme", "time"]);
    assert!(failed.status == 1 && failed.out.contains("work"), "{}{}", failed.out, failed.err);
    let short = done(folder.path(), &["profile", "-", "--scheme", "time"]);
    assert!(short.status == 0 && short.out.contains("no samples"), "{}{}", short.out, short.err);
}

#[test]
fn two_runs_are_compared_and_a_slower_one_fails_the_gate() {
    let folder = folder(PROGRAM);
    let slower =
        PROGRAM.replace("0..30", "0..90").replace("fn work", "fn labour").replace("return work", "return labour");
    std::fs::write(folder.path().join("slower.hw"), slower).expect("it is written");
    succeeds(folder.path(), &["run", "--save", "a.hwrun", "deep.hw"]);
    succeeds(folder.path(), &["run", "--save", "b.hwrun", "slower.hw"]);
    let told = succeeds(folder.path(), &["diff", "a.hwrun", "b.hwrun"]);
    assert!(told.contains("work, now labour") && told.contains("renamed"), "{told}");
    let gate = done(folder.path(), &["diff", "a.hwrun", "b.hwrun", "--fail-above", "5%"]);
    assert!(gate.status == 1 && gate.err.contains("5.0% are allowed"), "{}", gate.err);
    succeeds(folder.path(), &["diff", "b.hwrun", "a.hwrun", "--fail-above", "5%"]);
    let both = json(&succeeds(folder.path(), &["diff", "--a", "a.hwrun,a.hwrun", "--b", "b.hwrun", "--json"]));
    assert_eq!(both["cpu"][0]["runs"], 2);
}

#[test]
fn inputs_of_a_dialogue_are_not_kept() {
    let folder = folder(PROGRAM);
    let refused = run_with_input(holloway(folder.path(), ["--save", "run.hwrun"]), b"let a = 1\n:type a\n");
    assert!(refused.status == 64 && refused.err.contains("--save is about a program"), "{}", refused.err);
}

/// A run that nothing decides is told by its samples, and one that counts polls by its CPU time.
#[test]
fn runs_without_a_controller_have_figures() {
    let folder = folder(PROGRAM);
    let at = folder.path();
    succeeds(at, &["run", "--advice", "advice.json", "--save", "auto.hwrun", "deep.hw"]);
    for (options, policy, sampled) in [
        (&["--tier", "optimized"][..], "none", true),
        (&["--replay", "advice.json"], "replay", false),
        (&["--stress", "7"], "stress", false),
    ] {
        succeeds(at, &[&["run"], options, &["--save", "run.hwrun", "deep.hw"]].concat());
        let told = succeeds(at, &["explain", "run.hwrun"]);
        assert!(!told.contains("No tick fell") && !told.contains("0.00 ms of CPU time of the"), "{options:?}: {told}");
        assert_eq!(told.contains("without samples"), !sampled, "{options:?}: {told}");
        let rows = json(&succeeds(at, &["explain", "--json", "run.hwrun"]))["versions"].clone();
        let rows = rows.as_array().expect("versions");
        assert!(rows.iter().any(|row| row["function"] == "work"), "{options:?}: {rows:?}");
        let taken: f64 = rows.iter().filter_map(|row| row["time_us"].as_f64()).sum();
        assert_eq!(taken > 0.0, sampled, "{options:?}: {rows:?}");
        succeeds(at, &["export", "run.hwrun", "--to", "csv", "-o", "tables"]);
        let runs = std::fs::read_to_string(at.join("tables/runs.csv")).expect("it is written");
        assert!(runs.contains(&format!(",{policy},")), "{options:?}: {runs}");
    }
    let diff = succeeds(at, &["diff", "run.hwrun", "auto.hwrun"]);
    assert!(!diff.contains("no CPU time is known"), "{diff}");
}

#[test]
fn what_if_leaves_the_files_of_the_run_alone() {
    let folder = folder(PROGRAM);
    let explain = ["explain", "--sync-compile", "--events", "events.json", "--advice", "advice.json"];
    let written = |rest: &[&str]| {
        succeeds(folder.path(), &[&explain, rest].concat());
        ["events.json", "advice.json"]
            .map(|file| std::fs::read_to_string(folder.path().join(file)).expect("it is there"))
    };
    let [events, advice] = written(&["deep.hw"]);
    let [again, same] = written(&["--what-if", "loop_share=1", "--what-if", "k=2", "deep.hw"]);
    assert!(advice == same && events.lines().count() == again.lines().count(), "{advice}{same}");
}

#[test]
fn as_much_is_shown_as_is_asked_for() {
    let folder = folder(PROGRAM);
    succeeds(folder.path(), &["run", "--save", "a.hwrun", "deep.hw"]);
    let diff = json(&succeeds(folder.path(), &["diff", "a.hwrun", "a.hwrun", "--json", "--top", "1"]));
    for table in ["functions", "lines"] {
        assert_eq!(diff[table].as_array().map(Vec::len), Some(1), "{diff}");
    }
    let compare = ["profile", "deep.hw", "--compare", "bl", "--loop", "deep.hw:3", "--fuel", "1000000"];
    let rows = |top: &[&str]| done(folder.path(), &[&compare, top].concat());
    let (one, all) = (rows(&["--top", "1"]), rows(&["--top", "0"]));
    assert!(one.err.contains("out of fuel") && all.err.contains("out of fuel"), "{}", one.err);
    assert!(one.out.contains("and 1 more") && !all.out.contains(" more"), "{}{}", one.out, all.out);
}

/// Replays of a run with its decisions left out: what the table has, not how long anything took.
#[test]
fn decisions_are_left_out_of_replays() {
    let folder = folder(PROGRAM);
    let at = folder.path();
    let audited = done(at, &["explain", "--audit=2", "--sync-compile", "--json", "deep.hw"]);
    assert_eq!((audited.status, audited.err.lines().count()), (0, 1), "the program prints once: {}", audited.err);
    let audit = json(&audited.out);
    assert_eq!((audit["replay_us"]["runs"].as_u64(), audit["left_out"].as_u64()), (Some(2), Some(0)), "{audit}");
    let decisions = audit["decisions"].as_array().expect("decisions");
    assert!(decisions.iter().any(|decision| decision["function"] == "work"), "{audit}");
    for decision in decisions {
        assert_eq!(decision["without_us"]["runs"], 2, "{decision}");
        assert!(decision["saved_us"].is_f64() && decision["versions"][0]["name"].is_string(), "{decision}");
    }
    let name = decisions[0]["versions"][0]["name"].as_str().expect("a name");
    let told = succeeds(at, &["explain", "--audit=1", "--sync-compile", "--without", name, "deep.hw"]);
    assert!(told.lines().any(|line| line.starts_with(name)) && told.contains("by replay"), "{told}");
    assert!(told.contains("1 replay ") && told.lines().all(|line| line.chars().count() <= 100), "{told}");
}

/// Does more, the more it reads.
const READER: &str = "\
fn work(n: int) -> int {
    var sum = 0
    for i in 0..n { sum += i % 7 }
    return sum
}
fn main() {
    var lines = 0
    loop {
        if input() == none { break }
        lines += 1
    }
    if lines != 3 { fail \"three lines were given\" }
    print(lines, work(lines * 1_000_000))
}
";

#[test]
fn further_runs_read_what_the_first_one_read() {
    let folder = folder(READER);
    for again in [&["--audit=1"][..], &["--measure", "1"], &["--what-if", "k=2"]] {
        let args = [&["explain", "--sync-compile"], again, &["deep.hw"]].concat();
        let done = run_with_input(holloway(folder.path(), &args), b"a\nb\nlast");
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{again:?}");
        assert_eq!(done.out.matches("3 8999994\n").count(), 1, "one run tells its output: {}", done.out);
    }
}

/// Replays are alike, and not like the run.
#[test]
fn replays_of_another_program_are_no_replays() {
    let program = PROGRAM.replace("print(sum)", "print(file_exists(\"seen\"), sum)\n    write_file(\"seen\", \"x\")");
    let folder = folder(&program);
    let audited = done(folder.path(), &["explain", "--audit=1", "--sync-compile", "deep.hw"]);
    assert_eq!(audited.status, 1, "{}", audited.out);
    assert!(audited.complaint().contains("do not end alike"), "{}", audited.err);
}
