//! Each pass on small functions: files in `jit/filetests/PASS/` with a function before the pass and after it.
//!
//! ```text
//! ; What the case shows.
//! type t0 = int          what the function refers to, as IR text, if it refers to anything
//! global g0 "g": t0
//! ssa -> int {           before the pass
//! ...
//! }
//! ; becomes
//! ssa -> int {           after it; or instead of both: `; is left alone`
//! ...
//! }
//! ```
//!
//! `HOLLOWAY_BLESS=1 cargo test -p holloway-jit --test it filetests` writes what the passes give into the files. Sites are shown
//! where the function before the pass declares them. Invariant: what says that it changed nothing has changed nothing, and both
//! functions are well formed.

use holloway_jit::opt::pipeline::{PASSES, Pass};
use holloway_jit::opt::print::{Sites, function};
use holloway_jit::opt::{Changed, parse, verify};
use holloway_lang::ir::{self, Module};
use std::fs;
use std::path::{Path, PathBuf};

const BECOMES: &str = "; becomes\n";
const STAYS: &str = "; is left alone\n";

/// The parts of a file.
struct Case<'a> {
    /// Comments and what the function refers to.
    head: &'a str,
    before: &'a str,
    /// From [`BECOMES`] or [`STAYS`] on.
    after: &'a str,
}

impl Case<'_> {
    fn of(text: &str) -> Result<Case<'_>, String> {
        let starts = |line: &str| line.starts_with("ssa ");
        let start = offset(text, starts).ok_or("there is no function")?;
        let end = offset(&text[start..], |line| line == "}").ok_or("the function has no end")?;
        let (before, after) = text[start..].split_at(end + 2);
        Ok(Case { head: &text[..start], before, after })
    }
}

/// Offset of the start of the first such line.
fn offset(text: &str, is: impl Fn(&str) -> bool) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is(line.trim_end_matches('\n')) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// Expected contents of a file: its own first half, and what the pass makes of that.
fn expected(pass: &Pass, text: &str) -> Result<String, String> {
    let case = Case::of(text)?;
    let module: Module = ir::parse::module(case.head).map_err(|error| error.to_string())?;
    let sites = if case.before.contains("    site 0 =") { Sites::Shown } else { Sites::Hidden };
    let mut func = parse::function(case.before).map_err(|error| format!("in the function: {error}"))?;
    verify::verify(&module, &func).map_err(|problem| format!("before the pass, {problem}"))?;
    let before = function(&module, &func, sites);
    let changed = pass.run(&mut func);
    verify::verify(&module, &func).map_err(|problem| format!("after the pass, {problem}"))?;
    let after = function(&module, &func, sites);
    if changed == Changed::No && after != before {
        return Err("the pass says that it changed nothing".to_owned());
    }
    let after = if after == before { STAYS.to_owned() } else { format!("{BECOMES}{after}") };
    Ok(format!("{}{}{after}", case.head, case.before))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests")
}

/// The folders with their files, in order.
fn folders() -> Vec<(String, Vec<PathBuf>)> {
    let entries = |path: &Path| {
        let mut found: Vec<PathBuf> = fs::read_dir(path).expect("it is a folder").flatten().map(|e| e.path()).collect();
        found.sort();
        found
    };
    let name = |path: &PathBuf| path.file_name().expect("it has a name").to_string_lossy().into_owned();
    entries(&folder()).into_iter().map(|path| (name(&path), entries(&path))).collect()
}

#[test]
fn passes_do_what_their_files_say() {
    let bless = std::env::var_os("HOLLOWAY_BLESS").is_some();
    let mut wrong = Vec::new();
    for (name, files) in folders() {
        let pass = PASSES.iter().find(|pass| pass.name == name).unwrap_or_else(|| panic!("there is no pass `{name}`"));
        for file in files {
            let text = fs::read_to_string(&file).expect("the file is text");
            match expected(pass, &text) {
                Err(problem) => wrong.push(format!("{}: {problem}", file.display())),
                Ok(expected) if expected == text => {}
                Ok(expected) if bless => fs::write(&file, expected).expect("the file can be written"),
                Ok(expected) => {
                    let found = Case::of(&expected).map_or("", |case| case.after).to_owned();
                    wrong.push(format!("{}: the pass gives\n{found}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "HOLLOWAY_BLESS=1 accepts what the passes give:\n{}", wrong.join("\n"));
}

/// A pass runs several times under names that start with that of its folder.
#[test]
fn every_pass_has_files_and_something_that_it_leaves_alone() {
    let folders = folders();
    for pass in PASSES {
        let is_of =
            |folder: &str| pass.name.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        let (name, files) =
            folders.iter().find(|(folder, _)| is_of(folder)).unwrap_or_else(|| panic!("{} has no files", pass.name));
        let stay = files.iter().filter(|file| fs::read_to_string(file).is_ok_and(|text| text.ends_with(STAYS))).count();
        assert!(
            files.len() >= 2 && stay >= 1 && stay < files.len(),
            "{name} has {} files, of which {stay} stay",
            files.len()
        );
    }
}

#[test]
fn a_wrong_expectation_is_found() {
    let pass = PASSES.iter().find(|pass| pass.name == "simplify").expect("there is such a pass");
    let text = "; A sum.\nssa -> int {\nb0():\n    %0: int = iadd 1, 2\n    return %0\n}\n; is left alone\n";
    let found = expected(pass, text).expect("it is well formed");
    assert!(
        found != text && found.ends_with("; becomes\nssa -> int {\nb0() from block0:\n    return 3\n}\n"),
        "{found}"
    );
}
