//! `diff`, as a person and a program see it.
//!
//! In: profiles of two runs of a small program. Out: snapshots of the difference, and errors that name the remedy.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "\
fn small(x: int) -> int {
    if x < 10 { return x } else { return 10 }
}
fn main(args: [str]) {
    var sum = 0
    for i in 0..parse_int(args[0], 0) {
        if i == 7 { sum -= 1 }
        sum += small(i)
    }
    print(sum)
}
";

fn holloway(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split(' ');
    Command::new(env!("CARGO_BIN_EXE_holloway")).args(arguments).current_dir(folder).output().expect("it runs")
}

fn save(folder: &Path, run: &str, out: &str) {
    let output = holloway(folder, &format!("profile program.hw {run} -o {out}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A folder with the program and two profiles of it, `a` and `b`.
fn profiles(options: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.hw"), PROGRAM).expect("it is written");
    save(folder.path(), &format!("5 {options}"), "a");
    save(folder.path(), &format!("40 {options}"), "b");
    folder
}

fn shown(folder: &Path, arguments: &str) -> String {
    let output = holloway(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn refused(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output = holloway(folder, arguments);
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn what_changed_most_is_first() {
    insta::assert_snapshot!(shown(profiles("--scheme bl").path(), "diff a b --top 4"));
}

#[test]
fn sequences_are_told_once() {
    insta::assert_snapshot!(shown(profiles("--scheme k-bl --k 3").path(), "diff a b --top 3"));
}

#[test]
fn edges_differ_too() {
    let text = shown(profiles("--scheme edge").path(), "diff a b");
    assert!(text.contains("taken in a only") && text.contains("small"), "{text}");
}

#[test]
fn a_run_does_not_differ_from_itself() {
    for scheme in ["edge", "bl", "k-bl", "k-iter", "bala"] {
        let folder = profiles(&format!("--scheme {scheme}"));
        let text = shown(folder.path(), "diff b b");
        assert!(text.ends_with("the frequencies are the same\n"), "{scheme}: {text}");
    }
}

#[test]
fn the_json_has_all() {
    let folder = profiles("--scheme bl");
    let json: serde_json::Value = serde_json::from_str(&shown(folder.path(), "diff a b --json")).expect("JSON");
    let changes = json["changes"].as_array().expect("a list");
    let sum = |side: usize| changes.iter().map(|change| change["counts"][side].as_u64().expect("a count")).sum::<u64>();
    assert_eq!((sum(0), sum(1)), (json["a"]["taken"].as_u64().unwrap(), json["b"]["taken"].as_u64().unwrap()));
    let shares: f64 = changes.iter().map(|change| change["shares"][1].as_f64().expect("a share")).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    let only_b = changes.iter().filter(|change| change["counts"][0] == 0).count();
    assert_eq!(only_b, 2, "the seventh iteration, and the other side of `small`: {json}");
    let one: serde_json::Value = serde_json::from_str(&shown(folder.path(), "diff a b --json --top 1")).expect("JSON");
    assert_eq!(one["changes"].as_array().map(Vec::len), Some(1));
}

/// Text above a function moves its lines, and changes nothing; other blocks are not compared.
#[test]
fn functions_are_compared_while_their_blocks_stay() {
    let folder = profiles("--scheme bl");
    let moved = PROGRAM.replace("fn main", "// more\n\nfn main");
    std::fs::write(folder.path().join("program.hw"), moved).expect("it is written");
    save(folder.path(), "40 --scheme bl", "b");
    let text = shown(folder.path(), "diff a b --top 0");
    assert!(text.contains("     8 |     for i in 0..") && !text.contains("not compared"), "{text}");
    let changed = PROGRAM.replace("else { return 10 }", "else if x < 20 { return 10 } else { return 20 }");
    std::fs::write(folder.path().join("program.hw"), changed).expect("it is written");
    save(folder.path(), "40 --scheme bl", "b");
    let text = shown(folder.path(), "diff a b --top 0");
    assert!(text.contains("small is not compared: its blocks differ"), "{text}");
    assert!(!text.contains("return 10"), "{text}");
    // The program that was profiled is gone.
    std::fs::write(folder.path().join("program.hw"), "\n\n\nfn main() { print(1) }\n").expect("it is written");
    let text = shown(folder.path(), "diff a b --top 0");
    assert!(text.contains("       lines 6-9\n"), "{text}");
}

/// A function that does another thing with the same blocks is compared by them, and each side shows its own source; nothing is said of equal frequencies
/// where something is not compared.
#[test]
fn each_side_shows_its_own_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    let profiled = |name: &str| {
        let output = holloway(folder.path(), &format!("profile {name}.hw --scheme bl -o {name}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    write(
        "a.hw",
        "fn f(n: int) -> int {\n    return if n % 3 == 0 { n } else { 1 }\n}\nfor i in 0..9 { print(f(i)) }\n",
    );
    write(
        "b.hw",
        "fn f(n: int) -> int {\n    return if n % 2 == 0 { n } else { 5 }\n}\nfor i in 0..9 { print(f(i)) }\n",
    );
    write(
        "c.hw",
        "var t = 0\nfn g(m: int) -> int {\n    return if m % 3 == 0 { m } else { 1 }\n}\nfor i in 0..9 { print(g(i)) }\n",
    );
    write("d.hw", "fn f(n: int) -> int {\n    return if n > 9 { n } else if n > 5 { 5 } else { 1 }\n}\nprint(f(1))\n");
    write("e.hw", "fn f(n: int) -> int {\n    return n\n}\nprint(f(1))\n");
    ["a", "b", "c", "d", "e"].into_iter().for_each(profiled);
    let text = shown(folder.path(), "diff a b --top 0");
    let own = "       in a\n     2 |     return if n % 3 == 0 { n } else { 1 }\n";
    assert!(text.contains(own) && text.contains("       in b\n     2 |     return if n % 2 == 0 {"), "{text}");
    assert!(text.contains("f has the same blocks in a and b, but another body"), "{text}");
    let text = shown(folder.path(), "diff a c --top 0");
    assert!(text.contains("f of a is g in b: they have one body"), "{text}");
    assert!(!text.contains("not compared"), "{text}");
    let text = shown(folder.path(), "diff d e --top 0");
    assert!(text.contains("f is not compared") && !text.contains("\nthe frequencies are the same"), "{text}");
    assert!(
        text.contains("of what can be compared the frequencies are the same") && !text.contains("d.hw of a"),
        "{text}"
    );
    let text = shown(folder.path(), "diff d e --json");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["not_compared"], serde_json::json!(["f"]));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = profiles("--scheme bl");
    let folder = folder.path();
    save(folder, "5 --scheme k-bl --k 2", "two");
    save(folder, "5 --scheme k-bl --k 3", "three");
    save(folder, "5 --scheme tfp", "tfp");
    for (arguments, status, message) in [
        ("diff a two", 65, "one profile is by bl and the other by k-bl; profile both runs by one scheme"),
        ("diff two three", 65, "one profile has --k 2 and the other --k 3; profile both runs with one K"),
        ("diff tfp tfp", 65, "profiles by tfp do not say how often each path was taken; profile both runs by bl"),
        ("diff a nothing", 66, "cannot read nothing: there is no such file"),
        ("diff - -", 64, "standard input is one profile; save the other to a file (see 'holloway diff --help')"),
    ] {
        assert_eq!(refused(folder, arguments), (Some(status), format!("holloway: {message}\n")));
    }
    save(folder, "5 --scheme k-bl --k 2 --sample 3/4", "sample");
    let message = "one profile is of a sample and the other of a whole run; profile both runs alike";
    assert_eq!(refused(folder, "diff two sample"), (Some(65), format!("holloway: {message}\n")));
    let top = shown(folder, "profile program.hw 5 --scheme bl --json --top 1");
    std::fs::write(folder.join("top"), top).expect("it is written");
    let message = "a profile lacks 3 of its paths; save it whole, without --top";
    assert_eq!(refused(folder, "diff a top"), (Some(65), format!("holloway: {message}\n")));
    let (status, message) = refused(folder, "diff a program.hw");
    assert!(status == Some(65) && message.starts_with("holloway: program.hw is no profile: "), "{message}");
    std::fs::write(folder.join("odd"), r#"{"scheme":"bx","k":null,"program":"p","functions":[]}"#).expect("written");
    assert_eq!(refused(folder, "diff odd a").1, "holloway: there is no profiling scheme 'bx'\n");
}

/// Nothing that is read is trusted: blocks and ids that no function has.
#[test]
fn a_profile_with_unknown_blocks_is_no_panic() {
    let folder = profiles("--scheme bl");
    let text = std::fs::read_to_string(folder.path().join("b")).expect("a profile");
    let odd = text.replace(r#""blocks":[0,"#, r#""blocks":[4294967295,"#);
    assert_ne!(text, odd);
    std::fs::write(folder.path().join("b"), odd).expect("it is written");
    assert!(shown(folder.path(), "diff a b --top 0").contains("different"));
}
