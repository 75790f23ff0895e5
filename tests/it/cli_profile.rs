//! The tables and the JSON of path profiles, as a person and a program see them.
//!
//! In: a small program. Out: snapshots.

use std::process::{Command, Output};

const PROGRAM: &str = "\
fn step(i: int) -> int {
    if i % 3 == 0 { return i / 3 } else { return i + 1 }
}
var sum = 0
for i in 0..60 {
    if i < 30 {
        sum += step(i)
    } else if i % 2 == 0 {
        sum += 2
    } else {
        sum -= 1
    }
}
try { print(sum / (sum - sum)) } catch e { print(e) }
";

fn profile(options: &str) -> Output {
    profile_of(PROGRAM, options)
}

fn profile_of(program: &str, options: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.hw"), program).expect("the program is written");
    Command::new(env!("CARGO_BIN_EXE_holloway"))
        .args(["profile", "program.hw"])
        .args(options.split(' '))
        .current_dir(folder.path())
        .output()
        .expect("the command runs")
}

fn shown(options: &str) -> String {
    let output = profile(options);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").lines().map(|line| format!("{line}\n")).collect()
}

#[test]
fn acyclic_paths() {
    insta::assert_snapshot!(shown("--scheme bl --top 3"));
}

#[test]
fn branch_histories_show_the_same_paths() {
    let paths = |scheme: &str| {
        let text = shown(&format!("--scheme {scheme}"));
        let (paths, _) = text.split_once(" different").expect("a summary");
        paths.to_owned()
    };
    assert_eq!(paths("bala"), paths("bl"), "but for the number of possible paths, which histories do not tell");
}

#[test]
fn sequences() {
    insta::assert_snapshot!(shown("--scheme k-bl --k 6 --top 4"));
}

#[test]
fn paths_of_two_iterations() {
    insta::assert_snapshot!(shown("--scheme k-iter --top 2"));
}

#[test]
fn calling_contexts() {
    insta::assert_snapshot!(shown("--scheme cct --top 3"));
}

#[test]
fn persistence() {
    insta::assert_snapshot!(shown("--scheme tfp --k 5"));
}

#[test]
fn frequencies_of_the_paths_of_regions() {
    let text = shown("--scheme tfp --k 5 --frequencies");
    let of_loop: String = text.lines().take_while(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(of_loop);
}

/// Every execution of a region has one path, and those that persist are among the counted ones.
#[test]
fn frequencies_add_up_to_executions() {
    let regions = |options: &str| -> Vec<serde_json::Value> {
        let found: serde_json::Value = serde_json::from_slice(&profile(options).stdout).expect("one JSON object");
        let functions = found["functions"].as_array().expect("functions");
        functions.iter().flat_map(|function| function["regions"].as_array().expect("regions").clone()).collect()
    };
    let counted = regions("--scheme tfp --k 5 --frequencies --json");
    assert!(counted.len() > 2);
    for region in counted {
        let paths = region["paths"].as_array().expect("paths");
        let sum: u64 = paths.iter().map(|path| path["executions"].as_u64().expect("a count")).sum();
        assert_eq!(sum, region["executions"], "{region}");
        for persistent in region["persistent_paths"].as_array().expect("paths") {
            assert!(paths.iter().any(|path| path["blocks"] == persistent["blocks"]), "{region}");
        }
    }
    assert!(regions("--scheme tfp --k 5 --json").iter().all(|region| region["paths"].is_null()));
}

/// A loop's header and its latch start in one column; their edges have different names.
#[test]
fn edges_out_of_one_line_have_different_names() {
    let program = "fn f(n: int) -> int {
    var s = 0
    for i in 0..n {
        if i % 2 == 0 { s += i }
        s += 1
    }
    return s
}
print(f(100))
";
    let output = profile_of(program, "--scheme edge --top 0");
    let text = String::from_utf8(output.stdout).expect("text");
    for row in ["3 header true -> 4:12", "3 latch -> 3 header", "5 -> 3 latch", "3 header false -> 7"] {
        assert!(text.contains(row), "{row}: {text}");
    }
    let rows = text.lines().skip(2).filter_map(|line| line.split_whitespace().nth(1)?.strip_suffix('%'));
    let sum: f64 = rows.map(|share| share.parse::<f64>().expect("a share")).sum();
    assert!((sum - 100.0).abs() < 0.5, "{sum}: {text}");
}

/// There are 100 columns where the width is not known.
#[test]
fn profiles_fit_the_screen_and_have_colours() {
    let long =
        format!("var t = 1\nfor i in 0..9 {{ if i % 2 == 0 {{ t += {} }} }}\nprint(t)\n", "1 + ".repeat(40) + "1");
    for scheme in ["edge", "bl", "k-bl", "tfp", "cct", "ip-context", "time"] {
        let output = profile_of(&long, &format!("--scheme {scheme} --color never"));
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{scheme}: {text}");
        assert!(!text.contains('\x1b'), "{scheme}: {text}");
    }
    let text = String::from_utf8(profile_of(&long, "--scheme bl --color never").stdout).expect("text");
    assert!(text.lines().any(|line| line.starts_with("     2 | ") && line.ends_with("...")), "{text}");
    let painted = String::from_utf8(profile_of(&long, "--scheme bl --color always").stdout).expect("text");
    assert!(painted.contains("\x1b[1m     count"), "{painted}");
}

#[test]
fn what_was_left_out_is_said() {
    let text = shown("--scheme k-bl --k 6 --sample 5/10 --top 1");
    assert!(text.contains("a sample of "), "{text}");
    // Without lengths timer ticks begin bursts, so that nobody counts all paths of the run.
    let bare: serde_json::Value =
        serde_json::from_slice(&profile("--scheme k-bl --sample --json").stdout).expect("one JSON object");
    let samples: Vec<&serde_json::Value> =
        bare["functions"].as_array().expect("functions").iter().map(|function| &function["sample"]).collect();
    assert!(samples.iter().all(|sample| sample.is_object() && sample["paths"].is_null()), "{samples:?}");
    let text = shown("--scheme k-bl --k 6 --forest-limit 256 --top 1");
    assert!(text.contains("counts are too low by at most "), "{text}");
}

/// The keys that are a contract, and their kinds.
#[test]
fn json_has_its_shape() {
    let json = |options: &str| -> serde_json::Value {
        let output = profile(options);
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "the program's own output is apart");
        serde_json::from_str(&text).expect("one JSON object")
    };
    let found = json("--scheme bl --json");
    assert_eq!(
        (found["scheme"].as_str(), found["k"].as_u64(), found["program"].as_str()),
        (Some("bl"), None, Some("program.hw"))
    );
    let step = &found["functions"][0];
    insta::assert_snapshot!(step);
    let found = json("--scheme k-bl --k 2 --json");
    insta::assert_snapshot!(found["functions"][0]);
    assert_eq!(found["k"].as_u64(), Some(2));
    let found = json("--scheme tfp --k 2 --json");
    insta::assert_snapshot!(found["functions"][0]);
    let found = json("--scheme bala --json --top 1");
    let paths =
        found["functions"].as_array().expect("functions").iter().map(|f| f["paths"].as_array().expect("paths").len());
    assert_eq!(paths.sum::<usize>(), 1, "--top counts for JSON where it is given");
}

#[test]
fn a_profile_is_saved_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("profile.json");
    let output = profile(&format!("--scheme k-bl --k 3 --top 1 -o {}", file.display()));
    assert!(output.status.success());
    let saved = std::fs::read_to_string(file).expect("it was saved");
    assert_eq!(saved, String::from_utf8(profile("--scheme k-bl --k 3 --json").stdout).expect("text"));
}

/// A function that never ran, compiled or not, has the keys of one that did.
#[test]
fn functions_that_never_ran_have_every_key() {
    let program = "fn never() { for i in 0..3 { } }\nfn g() { never() }\nfn ran() { }\nif 1 > 2 { g() }\nran()\n";
    for row in holloway_profiler::scheme::SCHEMES {
        for tier in ["interp", "optimized"] {
            let output = profile_of(program, &format!("--scheme {} --tier {tier} --json", row.name));
            let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
            let functions = found["functions"].as_array().expect("functions");
            let keys = |name: &str| -> Vec<&String> {
                let function = functions.iter().find(|function| function["name"] == name).expect("it is listed");
                function.as_object().expect("an object").keys().collect()
            };
            assert_eq!((keys("never"), keys("g")), (keys("ran"), keys("ran")), "{}, {tier}", row.name);
        }
    }
}

#[test]
fn benchmark_programs_of_the_binary_are_profiled() {
    let holloway = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_holloway")).args(args).output().expect("the command runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let (status, text) = holloway(&["profile", "--bench", "sieve", "--size", "small", "--scheme", "bl", "--top", "1"]);
    assert_eq!(status, Some(0));
    assert!(text.contains("paths taken"), "{text}");
    let table = ["bench", "sieve", "--size", "small", "--rounds", "1", "--scheme", "k-bl", "--k", "3", "--json"];
    let (status, json) = holloway(&table);
    let found: serde_json::Value = serde_json::from_str(&json).expect("one JSON object");
    let sieve = &found["programs"][0];
    assert_eq!((status, found["k"].as_u64(), sieve["name"].as_str()), (Some(0), Some(3), Some("sieve")));
    assert!(sieve["ratio"].is_f64() && sieve["counters"].as_u64() > Some(10), "{sieve}");
    assert!(sieve["hottest"].as_str().is_some_and(|line| line.contains("period 1 in ")), "{sieve}");
}

#[test]
fn the_coldest_paths_come_first_on_request() {
    let counts = |options: &str| -> Vec<u64> {
        let rows = shown(options);
        let count = |line: &str| {
            let (count, rest) = line.trim_start().split_once("  ")?;
            rest.contains('%').then(|| count.replace(',', "").parse().ok())?
        };
        rows.lines().filter_map(count).collect()
    };
    let (hot, cold) = (counts("--scheme bl --top 0"), counts("--scheme bl --cold --top 0"));
    assert!(hot.len() > 3 && hot.is_sorted_by(|a, b| a >= b) && cold.is_sorted(), "{hot:?} {cold:?}");
    assert_eq!(hot.len(), cold.len());
    assert_eq!(counts("--scheme bl --cold --top 1"), [cold[0]]);
    let refused = profile("--scheme tfp --cold");
    assert_eq!(refused.status.code(), Some(64));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--scheme tfp counts none; use bl"));
}
