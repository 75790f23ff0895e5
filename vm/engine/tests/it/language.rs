//! The language's definition as tests: each program in `tests/programs/` behaves in every tier as its end says.
//!
//! A file holds programs, each after a line `//--- WHAT IT SHOWS`. Trailing comments hold the expectations: `//> TEXT`
//! is a line of output (`//>> TEXT` one without a newline), `//= TEXT` the end of the program if not with status 0, or
//! the reason why it does not compile. `//< TEXT` is a line of its input, `//$ TEXT` an argument. A title that ends in
//! `.hw` makes the text a file of that name, which the programs of its file can import.
//!
//! `HOLLOWAY_BLESS=1 cargo test --test language` writes the interpreter's results in place of the expectations.

use super::common::{captured, engine, patient};
use holloway::{Adaptive, Config, Engine, LoadError, RunError, TierChoice};
use holloway_aos::Session;
use holloway_lang::source::Span;
use holloway_runtime::Input;
use holloway_runtime::heap::HeapConfig;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A tier, under a schedule by chance if there is a seed.
type Executor = (TierChoice, Option<u64>);

const EXECUTORS: [Executor; 6] = [
    (TierChoice::Interp, None),
    (TierChoice::Baseline, None),
    (TierChoice::Optimized, None),
    (TierChoice::Auto, None),
    (TierChoice::Auto, Some(1)),
    (TierChoice::Auto, Some(2)),
];

/// A program with its input and expectations.
#[derive(Default)]
struct Case {
    title: String,
    source: String,
    input: Vec<String>,
    args: Vec<String>,
    expected: String,
}

impl Case {
    fn is_file(&self) -> bool {
        self.title.ends_with(".hw")
    }

    /// The program as in its file, with other expectations.
    fn text(&self, expected: &str) -> String {
        let mut text = if self.title.is_empty() { String::new() } else { format!("//--- {}\n", self.title) };
        text += &self.source;
        for (mark, lines) in [("//<", &self.input), ("//$", &self.args)] {
            lines.iter().for_each(|line| text += &(marked(mark, line) + "\n"));
        }
        text + expected
    }
}

fn marked(mark: &str, line: &str) -> String {
    if line.is_empty() { mark.to_owned() } else { format!("{mark} {line}") }
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = vec![Case::default()];
    for line in text.lines() {
        let case = cases.last_mut().expect("there is one");
        let rest = |mark: &str| line.strip_prefix(mark).map(|rest| rest.strip_prefix(' ').unwrap_or(rest).to_owned());
        if let Some(title) = rest("//---") {
            if !case.title.is_empty() || !case.source.is_empty() {
                cases.push(Case::default());
            }
            cases.last_mut().expect("there is one").title = title;
        } else if let Some(input) = rest("//<") {
            case.input.push(input);
        } else if let Some(arg) = rest("//$") {
            case.args.push(arg);
        } else if line.starts_with("//>") || line.starts_with("//=") {
            case.expected += line;
            case.expected += "\n";
        } else {
            case.source += line;
            case.source += "\n";
        }
    }
    cases
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

fn config((tier, seed): Executor, case: &Case) -> Config {
    let args: Vec<&str> = case.args.iter().map(String::as_str).collect();
    Config {
        adaptive: seed.map(|seed| Adaptive(Session::by_chance(seed))),
        heap: HeapConfig { limit: 16 << 20, ..HeapConfig::default() },
        limits: patient(),
        input: Input::bytes(case.input.iter().map(|line| format!("{line}\n")).collect::<String>()),
        ..captured(tier, &args)
    }
}

/// The behaviour of a program, in the form of expectations.
fn seen(executor: Executor, case: &Case, folder: &Path) -> String {
    let main = folder.join("main.hw");
    fs::write(&main, &case.source).expect("the program is written");
    let mut engine = engine(config(executor, case));
    let mut out = String::new();
    let ended = match engine.load_file(&main) {
        Ok(()) => engine.run(),
        Err(LoadError::Diagnostics(all)) => {
            for one in &all {
                writeln!(out, "//= {}: {}", place(&engine, one.span), one.message()).expect("strings take all text");
            }
            return out;
        }
        Err(LoadError::Io(path, error)) => panic!("{}: {error}", path.display()),
        Err(LoadError::Module(name, error)) => panic!("{name}: {error}"),
    };
    let output = engine.take_output();
    for line in String::from_utf8_lossy(&output).split_inclusive('\n') {
        let (mark, line) = match line.strip_suffix('\n') {
            Some(line) => ("//>", line),
            None => ("//>>", line),
        };
        out += &(marked(mark, line) + "\n");
    }
    out + &how_it_ended(&engine, ended)
}

fn how_it_ended(engine: &Engine, ended: Result<i32, RunError>) -> String {
    match ended {
        Ok(0) => String::new(),
        Ok(status) | Err(RunError::Exit(status)) => format!("//= status {status}\n"),
        Err(RunError::Setup(reason)) => panic!("{reason}"),
        Err(RunError::Failure(failure)) => {
            let mut out = format!("//= {}: {failure}\n", place(engine, failure.span));
            assert_eq!(failure.stack[0].at, failure.span);
            // The two ends of a stack overflow's call stack are enough.
            let (head, tail) = (failure.stack.len().min(4), failure.stack.len().saturating_sub(2).max(4));
            let shown = failure.stack.iter().take(head).chain(failure.stack.iter().skip(tail));
            for frame in shown {
                let name = &engine.module().function(frame.function).name;
                let name = if name.ends_with(".hw") { "top level" } else { name };
                writeln!(out, "//=   {name} at {}", place(engine, frame.at)).expect("strings take all text");
            }
            if failure.stack.len() > 6 {
                writeln!(out, "//=   {} calls in all", failure.stack.len()).expect("strings take all text");
            }
            out
        }
    }
}

/// `LINE:COL`, with the file's name before it if that is another file.
fn place(engine: &Engine, span: Span) -> String {
    let (line, col) = engine.sources().line_col(span);
    let name = &engine.sources().file(span.file).name;
    match Path::new(name).file_name().and_then(|name| name.to_str()) {
        Some("main.hw") | None => format!("{line}:{col}"),
        Some(name) => format!("{name}:{line}:{col}"),
    }
}

/// Runs the programs of a file. Returns its text as it should be, or the differences.
fn check(path: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(path).expect("a file of programs");
    let cases = cases(&text);
    let files = tempfile::tempdir().expect("a temporary folder");
    for case in cases.iter().filter(|case| case.is_file()) {
        let path = files.path().join(&case.title);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
        fs::write(path, &case.source).expect("the file is written");
    }
    let (mut blessed, mut wrong) = (String::new(), Vec::new());
    for case in &cases {
        if case.is_file() {
            blessed += &case.text("");
            continue;
        }
        let found: Vec<String> = EXECUTORS.iter().map(|executor| seen(*executor, case, files.path())).collect();
        // A blessed result is at least the same in every tier.
        let expected = if blessing() { &found[0] } else { &case.expected };
        for ((tier, seed), found) in EXECUTORS.iter().zip(&found).filter(|(_, found)| *found != expected) {
            let (file, title) = (path.file_name().unwrap_or_default().display(), &case.title);
            let seed = seed.map(|seed| format!(" under stress, seed {seed}")).unwrap_or_default();
            wrong.push(format!("{file}, {title:?}, {}{seed}:\n{}", tier.name(), difference(expected, found)));
        }
        blessed += &case.text(&found[0]);
    }
    (blessed, wrong)
}

fn difference(expected: &str, found: &str) -> String {
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let line = |lines: &[&str]| lines.get(same).map_or("nothing more".to_owned(), |line| format!("`{line}`"));
    format!("  expected {}\n  found    {}", line(&expected), line(&found))
}

fn blessing() -> bool {
    std::env::var_os("HOLLOWAY_BLESS").is_some_and(|value| value != "0")
}

#[test]
fn programs_do_what_stands_at_their_end_in_every_tier() {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "only {} files", paths.len());
    let mut wrong = Vec::new();
    for path in &paths {
        let (blessed, problems) = check(path);
        if blessing() {
            fs::write(path, blessed).expect("the file is written");
        }
        wrong.extend(problems);
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn expectations_are_read_as_they_are_written() {
    let text = "//--- one\nprint(1)\n//< in\n//$ arg\n//> 1\n//>> x\n//--- two.hw\nfn f() {}\n//--- three\nexit(1)\n//= status 1\n";
    let cases = cases(text);
    let titles: Vec<&str> = cases.iter().map(|case| case.title.as_str()).collect();
    assert_eq!(titles, ["one", "two.hw", "three"]);
    assert_eq!(
        (cases[0].input.as_slice(), cases[0].args.as_slice()),
        (&["in".to_owned()][..], &["arg".to_owned()][..])
    );
    assert_eq!(cases[0].expected, "//> 1\n//>> x\n");
    assert_eq!(cases.iter().map(|case| case.text(&case.expected)).collect::<String>(), text);
    assert!(cases[1].is_file() && !cases[2].is_file());
}
