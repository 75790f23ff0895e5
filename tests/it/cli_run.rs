//! Options of `run` and `explain` that concern where things go: to the program, to standard output, to perf.
//!
//! In: a small program with a hot loop. Out: what the command printed and wrote. Invariant: nothing is done silently with an option.

use super::command::{holloway, run};
use std::collections::BTreeMap;

/// Loops long enough to be recompiled.
const HOT: &str = "
fn hot(n: int) -> int {
    var s = 0
    for i in 0..n { if i % 3 == 0 { s += i } else { s ^= i } }
    return s
}
fn main(args: [str]) { print(hot(3000000), len(args)) }
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("hot.hw"), HOT).expect("the folder is ours");
    folder
}

#[test]
fn an_option_after_the_file_goes_to_the_program_and_is_said() {
    let folder = folder();
    let done = run(holloway(folder.path(), ["hot.hw", "--tier", "interp"]));
    assert!(done.out.ends_with(" 2\n"), "{}", done.out);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    assert!(done.err.contains("--tier stands after hot.hw and goes to the program"), "{}", done.err);
    for args in [&["hot.hw", "--verbose", "x"][..], &["hot.hw", "--", "--tier"], &["--tier", "baseline", "hot.hw", "x"]]
    {
        assert_eq!(run(holloway(folder.path(), args)).err, "", "{args:?}");
    }
}

#[test]
fn events_go_to_standard_output() {
    let folder = folder();
    let done = run(holloway(folder.path(), ["run", "--sync-compile", "--events", "-", "hot.hw"]));
    let events: serde_json::Value = serde_json::from_str(&done.out).expect("standard output is the events alone");
    assert!(events.as_array().is_some_and(|events| events.len() > 5), "{events}");
    assert!(done.err.ends_with(" 0\n"), "the program's output is on standard error: {}", done.err);
    assert!(!folder.path().join("-").exists());
    let refused = run(holloway(folder.path(), ["explain", "--events", "-", "hot.hw"]));
    assert_eq!((refused.status, refused.err.lines().count()), (64, 1), "{}", refused.err);
}

#[test]
fn a_run_ends_with_what_compilation_took() {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/vm/aos/src/demo.hw");
    let folder = folder();
    let ends = |options: &[&str]| {
        let done = run(holloway(folder.path(), [&["run", "--events", "-"], options, &[demo, "2000"]].concat()));
        let events: Vec<serde_json::Value> = serde_json::from_str(&done.out).expect("events are JSON");
        let place = events.iter().position(|event| event["name"] == "run-end");
        place.map(|at| (events.len() - at, events[at]["args"].clone()))
    };
    assert_eq!(ends(&["--sync-compile"]), None, "two runs write the same");
    let (from_behind, end) = ends(&[]).expect("the end is told");
    assert_eq!(from_behind, 2, "only the end of the file comes behind it");
    let [cpu, compiling, on_program_thread, share] =
        ["cpu", "compiling", "on_program_thread", "share"].map(|field| end[field].as_f64().expect("a number"));
    assert!(0.0 < on_program_thread && on_program_thread < compiling && compiling < cpu, "{end}");
    assert!((compiling / cpu - share).abs() < 1e-3, "{end}");
}

#[test]
fn parts_of_the_adaptive_system_are_left_out() {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/vm/aos/src/demo.hw");
    let folder = folder();
    let names = |without: &[&str]| {
        let args = [&["run", "--sync-compile", "--events", "-"], without, &[demo, "2000"]].concat();
        let done = run(holloway(folder.path(), args));
        assert_eq!((done.status, done.err.as_str()), (0, "1054111752\n"), "{without:?}");
        let events: Vec<serde_json::Value> = serde_json::from_str(&done.out).expect("events are JSON");
        let name = |event: &serde_json::Value| event["name"].as_str().expect("events have names").to_owned();
        events.iter().map(name).collect::<Vec<String>>()
    };
    let has = |names: &[String], what: &str| names.iter().any(|name| name.starts_with(what));
    let whole = names(&[]);
    assert!(["trace-formed", "persistent", "osr"].iter().all(|what| has(&whole, what)), "{whole:?}");
    let no_traces = names(&["--without", "traces"]);
    let is_without = |names: &[String]| !has(names, "trace-formed") && !has(names, "persistent");
    assert!(has(&no_traces, "osr") && is_without(&no_traces), "{no_traces:?}");
    assert!(is_without(&names(&["--without", "traces,splits"])), "a part that is gone is accepted");
    assert!(!has(&names(&["--without=osr"]), "osr"));

    for (args, said) in [
        (&["run", "--without", "traces", "--stress", "1", demo][..], "--replay and --stress choose by themselves"),
        (&["run", "--without", "traces", "--tier", "baseline", demo], "--without goes with --tier auto"),
        (&["run", "--without", "trace", demo], "a similar value exists: 'traces'"),
        (&["bench", "--without", "traces", "--tier", "interp"], "--without goes with --tier auto"),
        (&["bench", "--without", "traces", "--ablation"], "cannot be used with"),
    ] {
        let refused = run(holloway(folder.path(), args));
        assert_eq!((refused.status, refused.err.lines().count()), (64, 1), "{}", refused.err);
        assert!(refused.err.contains(said), "{}", refused.err);
    }
}

#[test]
fn explain_takes_the_options_of_execution() {
    let folder = folder();
    let args = ["explain", "--sync-compile", "--disable-pass", "unroll", "--time-limit", "60", "hot.hw"];
    let done = run(holloway(folder.path(), args));
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    assert!(done.out.contains("hot"), "{}", done.out);
    let refused = run(holloway(folder.path(), ["explain", "--tier", "interp", "hot.hw"]));
    assert_eq!(refused.status, 64);
    assert!(refused.err.contains("nothing is decided with --tier interp"), "{}", refused.err);
    let refused = run(holloway(folder.path(), ["explain", "--fuel", "9", "hot.hw"]));
    assert_eq!(refused.status, 64);
    assert!(refused.err.contains("nothing is decided where fuel is counted"), "{}", refused.err);
}

/// Lines of a perf map: start, length, name.
fn perf_map(process: u32) -> Vec<(u64, u64, String)> {
    let path = format!("/tmp/perf-{process}.map");
    let text = std::fs::read_to_string(&path).expect("the map is written");
    std::fs::remove_file(path).expect("the map is ours");
    let line = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let mut number = || u64::from_str_radix(words.next().expect("a number"), 16).expect("hexadecimal");
        let (start, length) = (number(), number());
        (start, length, words.next().expect("a name").to_owned())
    };
    text.lines().map(line).collect()
}

#[test]
fn perf_is_told_each_version_at_an_address_of_its_own() {
    let folder = folder();
    // Many versions are compiled, left and freed.
    let mut command = holloway(folder.path(), ["run", "--stress", "3", "--perf-map", "hot.hw"]);
    let child = command.stdout(std::process::Stdio::null()).spawn().expect("the binary starts");
    let process = child.id();
    assert!(child.wait_with_output().expect("it ends").status.success());
    let entries = perf_map(process);
    let mut names = BTreeMap::new();
    for (_, _, name) in &entries {
        *names.entry(name.rsplit(':').nth(1).expect("a kind").to_owned()).or_insert(0) += 1;
    }
    assert!(names.contains_key("baseline") && names.len() > 1, "{names:?}");
    let mut ranges: Vec<(u64, u64)> = entries.iter().map(|(start, length, _)| (*start, start + length)).collect();
    ranges.sort_unstable();
    assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0), "entries do not overlap");
}

/// A loop whose path repeats every three iterations, and a long one.
const PERIODIC: &str = "
fn hot(n: int) -> int {
    var s = 0
    for i in 0..n {
        if i % 3 == 0 { s += i * 7 % 5 } else { s ^= i << 2 }
        if s > 1000000 { s = s / 3 }
    }
    return s
}
print(hot(30000000))
";

/// Lines of the source, in order of the code; a bar for each loop; names of what is called.
#[test]
fn dump_shows_machine_code_below_its_source() {
    let folder = folder();
    let text = "fn one(a: [int], i: int) -> int { return a[i] }\nfn sum(a: [int]) -> int {\n    var s = 0\n    for i in 0..len(a) {\n        \
                s += one(a, i) * 3\n    }\n    return s\n}\nprint(sum([1, 2][0..2]))\n";
    std::fs::write(folder.path().join("sum.hw"), text).expect("the folder is ours");
    let shown = |tier: &str, name: &str| {
        let done = run(holloway(folder.path(), ["dump", "--stage", "asm", "--tier", tier, "--fn", name, "sum.hw"]));
        assert_eq!(done.status, 0, "{}", done.err);
        done.out
    };
    let code = shown("optimized", "sum");
    let inlined = "     1 | fn one(a: [int], i: int) -> int { return a[i] }    ; one, called in line 5 of sum\n";
    assert!(code.contains("     3 |     var s = 0\n") && code.contains(inlined), "{code}");
    let in_loop: Vec<&str> = code.lines().filter(|line| line.contains("  | ")).collect();
    assert!(in_loop.iter().any(|line| line.ends_with("; poll in place")), "{code}");
    assert!(in_loop.iter().all(|line| !line.contains("ret")) && code.contains("  ret\n"), "{code}");
    assert!(shown("baseline", "sum").contains("; entry of one\n"));
    assert!(shown("optimized", "one").contains("; FailIndex\n"));
}

/// The sum is needed by the next iteration and behind the loop.
#[test]
fn loads_for_a_sum_over_a_loop_are_operands() {
    let folder = folder();
    let text = "fn product(a: [int], b: [int]) -> int {\n    var s = 0\n    for i in 0..min(len(a), len(b)) { s += a[i] * b[i] }\n    \
                return s\n}\nprint(product([1, 2][0..2], [3, 4][0..2]))\n";
    std::fs::write(folder.path().join("product.hw"), text).expect("the folder is ours");
    let done = run(holloway(folder.path(), ["dump", "--stage", "asm", "--fn", "product", "product.hw"]));
    assert_eq!(done.status, 0, "{}", done.err);
    let in_loop: Vec<&str> = done.out.lines().filter(|line| line.contains("  | imul ")).collect();
    assert!(!in_loop.is_empty() && in_loop.iter().all(|line| line.contains('[')), "{}", done.out);
}

#[test]
fn dump_shows_every_version_of_a_run() {
    let folder = folder();
    std::fs::write(folder.path().join("periodic.hw"), PERIODIC).expect("the folder is ours");
    let args = ["dump", "--stage", "asm", "--versions", "--fn", "hot", "periodic.hw"];
    let done = run(holloway(folder.path(), args));
    assert_eq!(done.status, 0, "{}", done.err);
    let heads: Vec<&str> = done.out.lines().filter(|line| line.starts_with("; hot, version ")).collect();
    for kind in ["baseline", "optimized", "profiled"] {
        assert!(heads.iter().any(|head| head.contains(kind)), "{heads:?} have a {kind} version");
    }
    assert!(done.out.contains("ret"), "there is machine code");
    let refused = run(holloway(folder.path(), ["dump", "--stage", "ir", "--versions", "hot.hw"]));
    assert_eq!((refused.status, refused.err.lines().count()), (64, 1), "{}", refused.err);
}
