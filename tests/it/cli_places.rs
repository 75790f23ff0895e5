//! Options of profiles that need the program, loaded or run: `--k LOOP=K`, `--k auto`, `--numbering smart` and `--cut`; and limits of tables.
//!
//! In: small programs. Out: the loops and calls that were chosen, and refusals.

use super::command::{Done, holloway, run_with_input};
use serde_json::{Value, json};

const LOOPS: &str = "\
fn inner(n: int) -> int {
    var s = 0
    for i in 0..n {
        if i % 2 == 0 { s += i } else { s ^= i }
    }
    return s
}
var sum = 0
for i in 0..100 {
    if i % 3 == 0 { sum += i } else { sum -= 1 }
    sum += inner(20)
}
for i in 0..10 { sum += i }
let line = input()
print(sum, if let text = line { text } else { \"none\" })
";

fn profile(files: &[(&str, &str)], options: &str, input: &str) -> Done {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("the program is written");
    }
    let args = ["profile", files[0].0].into_iter().chain(options.split(' '));
    run_with_input(holloway(folder.path(), args), input.as_bytes())
}

fn json_of(files: &[(&str, &str)], options: &str) -> Value {
    let done = profile(files, &format!("{options} --json"), "");
    assert_eq!(done.status, 0, "{}", done.err);
    serde_json::from_str(&done.out).expect("JSON alone on standard output")
}

/// Each function's loops with iterations.
fn loops(value: &Value) -> Vec<(String, Value)> {
    let functions = value["functions"].as_array().expect("functions").iter();
    functions.map(|one| (one["name"].as_str().expect("a name").to_owned(), one["loops"].clone())).collect()
}

#[test]
fn each_loop_has_the_k_that_is_written_for_it() {
    let value = json_of(&[("p.hw", LOOPS)], "--scheme k-iter --k 2 --k inner:3=5 --k p.hw:13=1");
    let found = loops(&value);
    let of =
        |name: &str| found.iter().find(|(one, _)| one == name).map(|(_, loops)| loops.clone()).expect("it is there");
    let ks = |name: &str| of(name).as_array().map(|all| all.iter().map(|pair| pair[1].clone()).collect::<Vec<_>>());
    assert_eq!(ks("inner"), Some(vec![json!(5)]));
    assert_eq!(ks("p.hw"), Some(vec![json!(2)]), "the loop of line 9; that of line 13 is acyclic");
    // Without a K for all, the others are acyclic.
    let alone = json_of(&[("p.hw", LOOPS)], "--scheme k-iter --k inner:3=5");
    assert!(loops(&alone).iter().all(|(name, loops)| (name == "inner") != (*loops == json!([]))));
}

#[test]
fn a_base_run_chooses_k_and_its_input_is_read_once() {
    let done = profile(&[("p.hw", LOOPS)], "--scheme k-iter --k auto", "from the first line\nnot read\n");
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let mut lines = done.out.lines();
    assert!(lines.next().is_some_and(|line| line.ends_with("from the first line")), "printed once: {}", done.out);
    assert_eq!(done.out.matches("from the first line").count(), 1);
    let chosen: Vec<&str> = done.out.lines().filter(|line| line.contains("iterations")).collect();
    // Hot, with two paths that alternate; those of line 9 are a twentieth of all; the last loop has one path.
    assert_eq!(chosen, ["inner:3 has paths of up to 8 iterations", "p.hw:9 has paths of up to 8 iterations"]);
}

#[test]
fn smart_numbers_follow_a_silent_run() {
    // The rare way stands first, so in the order of the source it has the lower number.
    let text = "\
fn walk(n: int) -> int {
    var s = 0
    for i in 0..n {
        if i % 16 == 0 { s += i } else { s ^= i }
    }
    return s
}
print(walk(1000), input())
";
    let numbered = |options: &str| {
        let found = json_of(&[("p.hw", text)], &format!("--scheme bl --top 1 {options}"));
        let functions = found["functions"].as_array().expect("functions").clone();
        let walk = functions.into_iter().find(|function| function["name"] == "walk").expect("it ran");
        (walk["paths"][0]["id"].clone(), walk["paths"][0]["count"].clone())
    };
    let (in_source, counted) = numbered("--numbering source");
    assert_eq!(
        (numbered(""), numbered("--numbering smart")),
        ((in_source.clone(), counted.clone()), (json!("0"), counted))
    );
    assert_ne!(in_source, json!("0"));
    // A program that comes by standard input is read once, for both runs.
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["profile", "-", "--scheme", "bl", "--numbering", "smart"];
    let done = run_with_input(holloway(folder.path(), args), text.as_bytes());
    assert!(done.out.contains("walk"), "{}", done.out);
    let done = profile(&[("p.hw", text)], "--scheme bl --numbering smart", "read once\n");
    assert_eq!(done.out.matches("read once").count(), 1, "{}", done.out);
}

#[test]
fn the_choice_stays_within_the_array() {
    let few = json_of(&[("p.hw", LOOPS)], "--scheme k-iter --k auto --array-limit 20");
    for function in few["functions"].as_array().expect("functions") {
        if function["loops"] != json!([]) {
            let paths: u64 = function["num_paths"].as_str().and_then(|text| text.parse().ok()).expect("a number");
            assert!(paths <= 20, "{function}");
            assert_eq!(function["table"], json!("array"));
        }
    }
    assert!(loops(&few).iter().any(|(name, loops)| name == "inner" && *loops != json!([])), "{few}");
}

#[test]
fn limits_choose_tables_and_refuse() {
    let table = |options: &str| {
        let value = json_of(&[("p.hw", LOOPS)], options);
        let inner = value["functions"].as_array().unwrap().iter().find(|one| one["name"] == "inner").cloned().unwrap();
        (inner["table"].clone(), inner["not_profiled"].clone())
    };
    assert_eq!(table("--scheme k-iter --k 4"), (json!("array"), Value::Null));
    assert_eq!(table("--scheme k-iter --k 4 --array-limit 3"), (json!("hash"), Value::Null));
    assert_eq!(table("--scheme bl --array-limit 3"), (json!("hash"), Value::Null));
    let (_, why) = table("--scheme k-iter --k 16");
    assert!(why.as_str().is_some_and(|why| why.contains("and those of more than 60000 are not profiled")), "{why}");
    assert_eq!(table("--scheme k-iter --k 16 --path-limit 10000000").1, Value::Null);
    assert!(table("--scheme bl --path-limit 1").1.is_string());
}

const MAIN: &str = "\
import \"far.hw\"

fn near(n: int) -> int { return far(n) + leaf(n) }

for n in 0..4 {
    print(near(n), far(n))
}
";

const FAR: &str = "\
fn leaf(n: int) -> int { if n > 2 { return 1 }
    return n }
fn far(n: int) -> int { return leaf(n) + 1 }
";

#[test]
fn strategies_cut_calls_by_the_files_and_names_of_functions() {
    let files = [("main.hw", MAIN), ("far.hw", FAR)];
    for base in ["context", "piecewise"] {
        let cut = |cut: &str| {
            let value = json_of(&files, &format!("--scheme ip-hybrid --base {base} --cut {cut}"));
            let calls = value["cut"].as_array().expect("calls").iter();
            calls.map(|call| call.as_str().expect("a name").split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(cut("coldest"), [""; 0]);
        assert_eq!(cut("all").len(), 5);
        assert_eq!(cut("other-files"), ["main.hw", "near", "near"]);
        assert_eq!(cut("exported").len(), 4, "near is named in its own file only");
        assert_eq!(cut("non-leaves").iter().filter(|caller| *caller == "main.hw").count(), 2);
        assert_eq!(cut("leaf").len(), 2);
        assert_eq!(cut("near:3"), ["near", "near"]);
        assert_eq!(cut("main.hw:6,leaf").len(), 4);
    }
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    let refused = |options: &str| {
        let done = profile(&[("p.hw", LOOPS)], options, "");
        assert_eq!((done.status, done.out.as_str()), (64, ""), "{options}");
        done.err
    };
    let said = [
        refused("--scheme k-iter --k inner:7=2"),
        refused("--scheme k-iter --k outer:3=2"),
        refused("--scheme k-iter --k inner=2"),
        refused("--scheme bl --k auto"),
        refused("--scheme k-bl --k inner:3=2"),
        refused("--scheme ip-hybrid --cut outer"),
        refused("--scheme ip-hybrid --cut inner:4"),
        refused("--scheme ip-context --cut all"),
        refused("--scheme bl --table hash --array-limit 7"),
    ];
    insta::assert_snapshot!(said.concat());
}
