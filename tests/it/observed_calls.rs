//! Observations about indirect calls show in recompiled code only: the program's behaviour is the same if the guess is
//! right, if it is wrong, and if the inlined function fails.

use std::process::{Command, Output};

/// `apply` mostly calls `mix`, sometimes `other`, and in the end `fails`.
const PROGRAM: &str = r#"struct Stage { run: fn(int, int) -> int }

fn mix(x: int, y: int) -> int {
    let z = x ^ (y * 31)
    assert(z >= 0, "mixed")
    return z & 0xFFFFFF
}

fn other(x: int, y: int) -> int { return (x * 3 + y) & 0xFFFFFF }

fn fails(x: int, y: int) -> int { return x / (y - y) }

fn apply(stages: [Stage], n: int) -> int {
    var s = 1
    for i in 0..n {
        for j in 0..(i & 3) { s = (s + j) & 0xFFFFFF }
        let stage = stages[i & 127]
        s = stage.run(s, i)
    }
    return s
}

let stages = [Stage(run: mix); 128]
stages[77] = Stage(run: other)
var total = 0
for i in 0..60 { total += apply(stages, 10000) }
print(total)
stages[5] = Stage(run: fails)
try { print(apply(stages, 1000)) } catch e { print("caught", e) }
stages[5] = Stage(run: mix)
try { print(stages[5].run(-1, 1) + apply(stages, -1)) } catch e { print("caught", e) }
print(apply([Stage(run: other); 128], 5000))
stages[5] = Stage(run: fails)
print(apply(stages, 1000))
"#;

fn run(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.hw");
    std::fs::write(&file, PROGRAM).expect("the folder is ours");
    let command = &mut Command::new(env!("CARGO_BIN_EXE_holloway"));
    command.args(args).arg("program.hw").current_dir(folder.path()).output().expect("the binary starts")
}

#[test]
fn a_guess_does_not_show() {
    let expected = run(&["run", "--tier", "interp"]);
    assert_eq!(expected.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&expected.stdout).contains("caught division by zero"));
    for args in [
        &["run", "--sync-compile"][..],
        &["run", "--sync-compile", "--disable-pass", "inline-observed"],
        &["run", "--tier", "optimized"],
        &["run"],
    ] {
        let found = run(args);
        assert_eq!((found.status, found.stdout), (expected.status, expected.stdout.clone()), "{args:?}");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&found.stderr), text(&expected.stderr), "{args:?}");
    }
}

/// For each compilation of `apply`: the number of inlined calls, and the number of those behind a guard.
fn inlined(more: &[&str]) -> Vec<(u64, u64)> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("events.json");
    run(&[&["run", "--sync-compile", "--events", file.to_str().expect("a name in UTF-8")], more].concat());
    let events = std::fs::read_to_string(&file).expect("the events are written");
    let events: serde_json::Value = serde_json::from_str(&events).expect("the file is JSON");
    let events = events.as_array().expect("it is an array").iter().map(|line| &line["args"]);
    let ends = events.filter(|event| event["event"] == "compile-end" && event["function"] == "apply");
    let figure = |event: &serde_json::Value, name: &str| event[name].as_u64().expect("the figure is told");
    ends.map(|event| (figure(event, "inlined"), figure(event, "guarded"))).collect()
}

#[test]
fn a_guess_is_told() {
    let (observed, not) = (inlined(&[]), inlined(&["--disable-pass", "inline-observed"]));
    assert!(
        !observed.is_empty() && observed.iter().all(|(all, guarded)| *guarded > 0 && all == guarded),
        "{observed:?}"
    );
    assert!(!not.is_empty() && not.iter().all(|figures| *figures == (0, 0)), "{not:?}");
}
