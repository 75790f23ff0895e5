//! `trace`, as a person and a program see it.
//!
//! In: a small program that fails at its end. Out: its recording and what is asked of it, and errors that name the remedy.

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const PROGRAM: &str = "\
fn step(n: int) -> int {
    if n % 3 == 0 { return n / 3 }
    return n + 1
}

fn main() {
    var n = 7
    var sum = 0
    for i in 0..20 {
        n = step(n)
        sum += n
    }
    print(sum)
    print([1, 2][n])
}
";

fn holloway(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split(' ');
    Command::new(env!("CARGO_BIN_EXE_holloway")).args(arguments).current_dir(folder).output().expect("it runs")
}

/// A folder with a program.
fn with_program(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.hw"), text).expect("it is written");
    folder
}

/// A folder with the program and its recording, from a tier.
fn recorded(tier: &str) -> tempfile::TempDir {
    let folder = with_program(PROGRAM);
    let output = holloway(folder.path(), &format!("trace record p.hw -o p.twpp --tier {tier}"));
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b"53\n"[..]));
    folder
}

fn asked(folder: &Path, arguments: &str) -> Value {
    let output = holloway(folder, &format!("{arguments} --json"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn refused(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output = holloway(folder, arguments);
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn a_recording_tells_of_the_run() {
    for tier in ["interp", "baseline", "optimized", "auto"] {
        let folder = recorded(tier);
        let info = asked(folder.path(), "trace info p.twpp");
        assert_eq!((&info["events"], &info["complete"]), (&json!(116), &json!(true)), "{tier}");
        assert_eq!(info["functions"][0]["name"], "step");
        let traces = json!([{ "blocks": [0, 3, 1], "calls": 13 }, { "blocks": [0, 2], "calls": 7 }]);
        let step = json!({ "function": "step", "traces": traces });
        assert_eq!(asked(folder.path(), "trace extract p.twpp --fn step"), step, "{tier}");
        assert_eq!(asked(folder.path(), "trace find p.twpp --fn step --path 3,1")["count"], 13);
        let replay = |options: &str| {
            let output = holloway(folder.path(), &format!("trace replay p.twpp {options}"));
            String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let (all, mut backward) = (replay("--from 1"), replay("--backward"));
        backward.reverse();
        assert_eq!((all.len(), &all), (116, &backward));
        assert_eq!(replay("--from 4 --events 2"), all[3..5]);
    }
}

#[test]
fn values_are_asked_about() {
    let folder = recorded("auto");
    let slice = asked(folder.path(), "trace slice p.twpp --at p.hw:13 --var sum --occurrence 1");
    let lines: Vec<u64> =
        slice["lines"].as_array().expect("lines").iter().filter_map(|at| at["line"].as_u64()).collect();
    assert_eq!(lines, [2, 3, 7, 8, 9, 10, 11]);
    let query = asked(folder.path(), "trace query p.twpp --fact def --at p.hw:11 --var sum");
    assert_eq!((&query["executions"], &query["holds"]), (&json!(20), &json!(20)));
    let hottest = asked(folder.path(), "trace query p.twpp --fact expr --hottest 0");
    assert!(hottest["facts"].is_array(), "{hottest}");
    let currency = asked(folder.path(), "trace currency p.twpp --at p.hw:11 --var n");
    assert_eq!(currency["occurrences"].as_array().expect("occurrences").len(), 20);
}

/// A load behind a store to another element, which no compiler can tell without a test.
const REREADING: &str = "\
fn mix(a: [int], far: int) -> int {
    var s = 0
    for i in 0..20 {
        let x = a[i]
        a[i + far] = x + 1
        s += a[i] * 3
    }
    return s
}

fn main(args: [str]) {
    let a = [1; 64]
    print(mix(a, 30), mix(a, 41), mix(a, 30), mix(a, parse_int(args[0], 0)))
    print(a)
}
";

#[test]
fn the_optimizer_is_told_which_loads_are_redundant() {
    let folder = with_program(REREADING);
    let run = |arguments: &str| {
        let output = holloway(folder.path(), arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    run("trace record p.hw 30 -o p.twpp");
    let (_, table) = run("trace query p.twpp --fact load --hottest -o facts.json");
    assert!(table.contains("always redundant: 1 loads, 80 executions; optimized code has them still"), "{table}");
    let facts = std::fs::read_to_string(folder.path().join("facts.json")).expect("it was written");
    assert!(facts.contains("\"function\":\"mix\"") && facts.lines().count() == 3, "{facts}");
    // Elsewhere the distance is 0, and the last store is out of range: what the facts say of one run need not hold in another.
    for far in [30, 0, -1, 45] {
        let expected = run(&format!("run --tier interp p.hw {far}"));
        for tier in ["optimized", "auto"] {
            assert_eq!(run(&format!("run --tier {tier} --facts facts.json p.hw {far}")), expected, "{far}");
        }
    }
}

#[test]
fn what_would_be_lost_or_does_not_fit_is_refused() {
    let folder = with_program(REREADING);
    holloway(folder.path(), "trace record p.hw 30 -o p.twpp");
    holloway(folder.path(), "trace query p.twpp --fact load --hottest -o facts.json");
    let facts = std::fs::read_to_string(folder.path().join("facts.json")).expect("it was written");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    write("old.json", &facts.replace("\"format\":1", "\"format\":0"));
    write("cut.json", &facts[..40]);
    write("past.json", &facts.replace("\"instruction\":", "\"instruction\":9"));
    write("q.hw", &REREADING.replace("x + 1", "x + 2"));
    let expected = [
        ("run --facts facts.json q.hw 30", 66, "there is no such `mix`; record it and ask again"),
        ("run --facts old.json p.hw 30", 66, "the facts have format 0"),
        ("run --facts cut.json p.hw 30", 66, "this is no file of facts"),
        ("run --facts past.json p.hw 30", 66, "`mix` has no such instruction"),
        ("run --facts none.json p.hw 30", 66, "cannot read none.json"),
        ("run --tier interp --facts facts.json p.hw", 64, "--facts goes with --tier auto or optimized"),
        ("bench fib sieve --facts facts.json", 64, "--facts are about one program"),
        ("run --events p.hw p.hw", 64, "would write over p.hw, which is a program"),
        ("run --facts facts.json --advice facts.json p.hw", 64, "would write over facts.json"),
        ("profile p.hw 3 --scheme bl -o q.hw", 64, "which is a program"),
        ("trace query p.twpp --fact expr --hottest -o facts.json", 64, "-o saves redundant loads"),
    ];
    for (arguments, status, part) in expected {
        let (code, said) = refused(folder.path(), arguments);
        assert!(code == Some(status) && said.contains(part), "{arguments}: {code:?} {said}");
    }
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = recorded("auto");
    let whole = std::fs::read(folder.path().join("p.twpp")).expect("it was written");
    std::fs::write(folder.path().join("cut.twpp"), &whole[..100]).expect("it is written");
    let expected = [
        ("trace info cut.twpp", 65, "the file ends too early"),
        ("trace info p.hw", 65, "'holloway trace record' writes one"),
        ("trace info none.twpp", 66, "cannot read none.twpp"),
        ("trace extract p.twpp --fn stp", 65, "did you mean 'step'?"),
        ("trace query p.twpp --fact def --hottest", 64, "--hottest ranks loads and operations"),
        ("trace query p.twpp --fact load", 64, "--at"),
        ("trace query p.twpp --fact load --at 13 -o facts.json", 64, "leave --at out"),
        ("trace query p.twpp --fact def --at 13", 65, "name it with --var"),
        ("trace", 64, "name a command of trace: record, info"),
        ("trace info", 64, "see 'holloway trace info --help'"),
        ("trace slice p.twpp --at q.hw:13 --var sum", 65, "no source is called q.hw"),
        ("trace slice p.twpp --at 13 --var x", 65, "there are `n`, `sum`"),
        ("trace slice p.twpp --at 13 --var sum --occurrence 0", 64, "--occurrence counts from 1"),
        ("trace record p.hw -o small.twpp --limit 100", 1, "--limit"),
        ("trace record p.hw -o -", 64, "name one instead of -"),
        ("trace record p.hw -o no/such/folder.twpp", 1, "cannot write no/such/folder.twpp"),
    ];
    for (arguments, status, part) in expected {
        let (code, said) = refused(folder.path(), arguments);
        assert!(code == Some(status) && said.contains(part), "{arguments}: {code:?} {said}");
    }
}

#[test]
fn the_last_paths_before_a_failure_are_shown() {
    let folder = recorded("auto");
    for tier in ["interp", "auto"] {
        let output = holloway(folder.path(), &format!("run --trace-paths --tier {tier} p.hw"));
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1));
        let parts = ["index out of range", "last paths", "19 times", "then, to the failure"];
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
}

/// The failing function has been called from a loop, whose paths before are told only while the failure unwinds; a failure before was caught.
const NESTED: &str = "\
fn risky(n: int) -> int {
    if n == 9 { fail \"nine\" }
    if n % 2 == 0 { return n }
    return n * 2
}

fn main() {
    try { print(risky(9)) } catch e { print(e) }
    var sum = 0
    for i in 0..12 { sum += risky(i) }
    print(sum)
}
";

#[test]
fn every_tier_shows_the_same_last_paths() {
    let folder = with_program(NESTED);
    let said = |options: &str| {
        let output = holloway(folder.path(), &format!("run --trace-paths {options} p.hw"));
        assert_eq!(output.status.code(), Some(1), "{options}");
        String::from_utf8(output.stderr).expect("text")
    };
    let expected = said("--tier interp");
    assert_eq!(expected.matches("then, to the failure").count(), 2, "{expected}");
    for options in ["--tier baseline", "--tier optimized", "--tier auto", "--fuel 100000"] {
        assert_eq!(said(options), expected, "{options}");
    }
}

/// Each function fails in the middle of a block.
const STRAIGHT: &str = "\
fn step(n: int, d: int) -> int {
    let a = n * 2
    let q = a / d
    let z = q + 1
    return z
}
fn main() {
    var s = 0
    for i in 0..3 {
        s += step(i, 2 - i)
        s *= 3
    }
    print(s)
}
";

#[test]
fn lines_behind_the_failure_are_no_part_of_the_last_path() {
    let folder = with_program(STRAIGHT);
    for tier in ["interp", "baseline", "optimized", "auto"] {
        let output = holloway(folder.path(), &format!("run --trace-paths --tier {tier} p.hw"));
        let said = String::from_utf8(output.stderr).expect("text");
        let lasts: Vec<&str> = said.split("then, to the failure\n").skip(1).collect();
        let lines = |last: &&str| -> Vec<u32> {
            let shown = last.lines().take_while(|line| line.starts_with("    "));
            shown.filter_map(|line| line.split('|').next()?.trim().parse().ok()).collect()
        };
        assert_eq!(lasts.iter().map(lines).collect::<Vec<_>>(), [vec![2, 3], vec![9, 10]], "{tier}: {said}");
        assert!(!lasts[1].contains('^'), "no branch was reached: {said}");
    }
}

/// A run whose recording grows until it is killed.
const ENDLESS: &str = "\
fn even(x: int) -> bool {
    if (x >> 16) & 1 == 0 { return true }
    return false
}

fn main() {
    var x = 42
    var evens = 0
    loop {
        x = x * 48271 % 2147483647
        if even(x) { evens += 1 }
    }
}
";

#[test]
fn a_full_file_says_how_much_it_holds() {
    let folder = with_program(ENDLESS);
    let run = holloway(folder.path(), "trace record p.hw -o p.twpp --limit 20K --fuel 300000");
    let info = asked(folder.path(), "trace info p.twpp");
    assert_eq!(info["complete"], false);
    assert!(std::fs::metadata(folder.path().join("p.twpp")).expect("it was written").len() <= 20 << 10);
    let told = String::from_utf8(run.stderr).expect("text").replace(',', "");
    let blocks = info["events"].as_u64().expect("a number");
    assert!(blocks > 0 && told.contains(&format!("it holds the first {blocks} blocks of the path")), "{told}");
}

#[test]
fn a_recording_that_was_cut_short_has_answers() {
    let folder = with_program(ENDLESS);
    holloway(folder.path(), "trace record p.hw -o p.twpp --limit 2K --fuel 300000");
    assert_eq!(asked(folder.path(), "trace info p.twpp")["complete"], false);
    // Each iteration enters the same blocks: what the recording holds of `even` says how many there were.
    let even = asked(folder.path(), "trace extract p.twpp --fn even");
    let calls: u64 = even["traces"].as_array().unwrap().iter().map(|trace| trace["calls"].as_u64().unwrap()).sum();
    let query = asked(folder.path(), "trace query p.twpp --fact def --at p.hw:11 --var x");
    let executions = query["executions"].as_u64().expect("a number");
    assert!(calls > 100 && executions.abs_diff(calls) <= 1, "{calls} calls, {query}");
    let slice = asked(folder.path(), "trace slice p.twpp --at p.hw:11 --var evens");
    let lines: Vec<u64> =
        slice["lines"].as_array().unwrap().iter().map(|line| line["line"].as_u64().unwrap()).collect();
    for line in [2, 7, 8, 10, 11] {
        assert!(lines.contains(&line), "{line} of {lines:?}");
    }
    let currency = asked(folder.path(), "trace currency p.twpp --at p.hw:11 --var evens");
    assert_eq!(currency["occurrences"].as_array().map(|all| all.len() as u64), Some(executions));
    let told = holloway(folder.path(), "trace query p.twpp --fact def --at p.hw:11 --var x");
    assert!(String::from_utf8_lossy(&told.stderr).contains("the recording ends before its run did"));
}

/// The caller of a loop that calls is live when the recording ends, so its blocks are in no file; they are executed again.
#[test]
fn the_replay_of_a_recording_that_was_cut_short_begins_the_run() {
    let folder = with_program(ENDLESS);
    let replay = |options: &str| {
        let output = holloway(folder.path(), format!("trace replay p.twpp {options}").trim_end());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    holloway(folder.path(), "trace record --tier interp p.hw -o p.twpp --fuel 300000");
    let whole = replay("");
    holloway(folder.path(), "trace record p.hw -o p.twpp --limit 2K --fuel 300000");
    assert_eq!(asked(folder.path(), "trace info p.twpp")["complete"], false);
    let cut = replay("");
    assert!(cut.len() > 20 && cut.len() < whole.len(), "{} of {}", cut.len(), whole.len());
    assert!(cut == whole[..cut.len()], "{:?}\n{:?}", &cut[..8], &whole[..8]);
    assert_eq!(replay("--from 5 --events 3"), whole[4..7]);
    let backward: Vec<String> = whole[2..5].iter().rev().cloned().collect();
    assert_eq!(replay("--backward --from 5 --events 3"), backward);
    assert_eq!(replay("--backward --events 1"), cut[cut.len() - 1..]);
}

/// Killed at 100 moments if `HOLLOWAY_PROGRAMS` asks for more.
#[test]
fn a_killed_run_leaves_a_file_that_opens() {
    let folder = with_program(ENDLESS);
    let kills = if std::env::var_os("HOLLOWAY_PROGRAMS").is_some() { 100 } else { 8 };
    for nth in 0..kills {
        let name = format!("{nth}.twpp");
        let mut child = Command::new(env!("CARGO_BIN_EXE_holloway"))
            .args(["trace", "record", "p.hw", "-o", &name])
            .current_dir(folder.path())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        while !folder.path().join(&name).exists() {
            assert_eq!(child.try_wait().expect("it was started"), None, "it runs until it is killed");
            sleep(Duration::from_millis(1));
        }
        // Around and between the first writes of the file.
        sleep(Duration::from_micros(nth * 618_034 % 1_000_000));
        child.kill().expect("it still runs");
        child.wait().expect("it was killed");
        let info = asked(folder.path(), &format!("trace info {name}"));
        assert_eq!(info["complete"], false, "{nth}");
        let events = info["events"].as_u64().expect("a number");
        let replayed = holloway(folder.path(), &format!("trace replay {name} --backward --events 3"));
        assert!(replayed.status.success(), "{nth}: {}", String::from_utf8_lossy(&replayed.stderr));
        assert_eq!(String::from_utf8_lossy(&replayed.stdout).lines().count() as u64, events.min(3), "{nth}");
    }
}
