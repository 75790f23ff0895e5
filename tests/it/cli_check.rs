//! `check` and `explain-code`: warnings, fixes and codes from outside.

use std::fs;
use std::path::Path;

use super::command::{Done, holloway, run};

const STRANGE: &str =
    "import \"geo.hw\" as geo\nfn f(x: int, y: int) -> int {\n    var t = x\n    return t\n}\nprint(f(1, 2))\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("geo.hw"), "fn area(w: int) -> int { return w }\n").expect("a file");
    fs::write(folder.path().join("a.hw"), STRANGE).expect("a file");
    folder
}

fn check(folder: &Path, args: &[&str]) -> Done {
    run(holloway(folder, ["check"].iter().chain(args)))
}

#[test]
fn warnings_do_not_change_the_status_unless_they_are_denied() {
    let folder = folder();
    let done = check(folder.path(), &["--message-format", "short", "a.hw"]);
    assert_eq!(done.status, 0);
    let expected = "a.hw:1:1: warning: the import of `geo` is never used [W0004]\n\
                    a.hw:2:14: warning: the parameter `y` is never used [W0002]\n\
                    a.hw:3:9: warning: `t` is declared with `var`, but never assigned [W0006]\n";
    assert_eq!(done.err, expected);
    assert_eq!(check(folder.path(), &["--deny-warnings", "a.hw"]).status, 65);
    assert_eq!(check(folder.path(), &["--deny-warnings", "geo.hw"]).status, 0);
    let done = run(holloway(folder.path(), ["run", "a.hw"].iter()));
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "1\n", ""));
}

#[test]
fn fixes_are_carried_out_at_once() {
    let folder = folder();
    let done = check(folder.path(), &["--fix", "a.hw"]);
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "a.hw: 3 fixes\n", ""));
    let fixed = fs::read_to_string(folder.path().join("a.hw")).expect("a file");
    assert_eq!(fixed, "fn f(x: int, _y: int) -> int {\n    let t = x\n    return t\n}\nprint(f(1, 2))\n");
    let again = check(folder.path(), &["--fix", "--deny-warnings", "a.hw"]);
    assert_eq!((again.status, again.out.as_str()), (0, ""));
}

#[test]
fn a_file_with_errors_stays_as_it_is() {
    let folder = folder();
    let text = "fn f(x: int) { let y: int = \"a\" }\nvar z = 1\nprint(z)\nf(1)\n";
    fs::write(folder.path().join("b.hw"), text).expect("a file");
    let done = check(folder.path(), &["--fix", "b.hw"]);
    assert_eq!((done.status, done.out.as_str()), (65, ""));
    assert_eq!(fs::read_to_string(folder.path().join("b.hw")).expect("a file"), text);
    assert!(done.err.contains("`holloway explain-code E0326` tells more"), "{}", done.err);
}

#[test]
fn json_carries_codes_and_fixes() {
    let folder = folder();
    let done = check(folder.path(), &["--message-format", "json", "a.hw"]);
    let lines: Vec<serde_json::Value> =
        done.err.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect();
    let codes: Vec<&str> = lines.iter().filter_map(|line| line["code"].as_str()).collect();
    assert_eq!(codes, ["W0004", "W0002", "W0006"]);
    assert_eq!(lines[1]["fix"]["edits"][0]["text"], "_y");
    assert_eq!(lines[1]["severity"], "warning");
}

#[test]
fn codes_are_explained() {
    let here = Path::new("/");
    let done = run(holloway(here, ["explain-code", "w0001"].iter()));
    assert_eq!(done.status, 0);
    assert!(done.out.starts_with("W0001: a variable that is never used\n"), "{}", done.out);
    assert!(done.out.contains("wrong:\n\n    let width = 3\n"), "{}", done.out);
    let all = run(holloway(here, ["explain-code"].iter()));
    assert!(all.out.lines().count() > 100 && all.out.contains("E0301: a name that nothing defines\n"), "{}", all.out);
    let unknown = run(holloway(here, ["explain-code", "E9999"].iter()));
    assert_eq!(unknown.status, 64);
    let refused = run(holloway(here, ["check", "--fix", "-"].iter()));
    assert_eq!(refused.status, 64);
}
