//! The scripts of `examples/scripts/` print what their versions in Python print, each in two of the tiers.
//!
//! In: each script, with its input if it has one. Out: the text in `expected/`, which Python wrote (`True` and `False` in
//! small letters).

use super::command::{holloway, run, run_with_input};
use std::fs;
use std::path::Path;

#[test]
fn scripts_print_what_python_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scripts");
    let mut scripts = 0;
    let entries =
        fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("it is readable").path());
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    for path in paths {
        if path.extension().is_none_or(|extension| extension != "hw") {
            continue;
        }
        let name = path.file_stem().expect("a file has a name").to_str().expect("its name is text");
        let expected = fs::read_to_string(folder.join(format!("expected/{name}.out"))).expect("its output is there");
        let input = fs::read(folder.join(format!("expected/{name}.in"))).unwrap_or_default();
        for tier in ["auto", ["interp", "baseline", "optimized"][scripts % 3]] {
            let done = run_with_input(holloway(&folder, ["run", "--tier", tier, &format!("{name}.hw")]), &input);
            assert_eq!((done.out.as_str(), done.err.as_str()), (expected.as_str(), ""), "{name} in {tier}");
        }
        let checked = run(holloway(&folder, ["check", "--deny-warnings", &format!("{name}.hw")]));
        assert_eq!(checked.err, "", "{name}");
        scripts += 1;
    }
    assert_eq!(scripts, 36);
}
