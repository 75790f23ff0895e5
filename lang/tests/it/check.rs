//! Filetests of the checker: `check/*.hw` are programs with the errors they cause, `warn/*.hw` with their warnings too,
//! `repl/*.hw` dialogues.
//!
//! A file holds cases. `//# title` starts one, the lines after it are the input, and `//> ` lines hold the expected
//! diagnostics. In a dialogue a case has several inputs, each followed by its expectations. `BLESS=1 cargo test` writes
//! the actual results; look at the difference before you commit it.

use std::fmt::Write;
use std::path::Path;

use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::fix::apply;
use holloway_lang::ir::verify::verify;
use holloway_lang::session::{Added, Input, NoFiles, Session, SessionKind};

#[test]
fn programs_cause_the_diagnostics_they_expect() {
    run_folder("tests/check", SessionKind::Program, answer);
}

#[test]
fn programs_cause_the_warnings_they_expect() {
    run_folder("tests/warn", SessionKind::Program, warnings);
}

#[test]
fn dialogues_go_as_expected() {
    run_folder("tests/repl", SessionKind::Repl, answer);
}

/// Gives the expected lines for an input.
type Answer = fn(&mut Session, &str) -> String;

fn run_folder(folder: &str, kind: SessionKind, answer: Answer) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = String::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let actual = rerun(&text, kind, answer);
        if actual != text {
            match std::env::var_os("BLESS") {
                Some(_) => std::fs::write(&path, actual).unwrap(),
                None => describe(&path, &text, &actual, &mut wrong),
            }
        }
    }
    assert!(wrong.is_empty(), "unexpected diagnostics (BLESS=1 accepts them):\n{wrong}");
}

/// The first line in which two texts differ.
fn describe(path: &Path, expected: &str, actual: &str, out: &mut String) {
    let lines = expected.lines().chain([""]).zip(actual.lines().chain([""]));
    let (at, (expected, actual)) = lines.enumerate().find(|(_, (a, b))| a != b).unwrap();
    writeln!(out, "{}:{}\n  expected {expected}\n     found {actual}", path.display(), at + 1).unwrap();
}

/// Returns the file with the actual diagnostics in place of the expected ones.
fn rerun(text: &str, kind: SessionKind, answer: Answer) -> String {
    let mut out = String::new();
    let mut session = Session::new(kind);
    let mut input = String::new();
    let mut answered = true;
    for line in text.lines().chain(["//#"]) {
        if line.starts_with("//> ") || line.starts_with("//#") {
            if !answered {
                out.truncate(out.trim_end().len());
                out.push('\n');
                for line in answer(&mut session, &input).lines() {
                    writeln!(out, "//> {line}").unwrap();
                }
                if line.starts_with("//# ") {
                    out.push('\n');
                }
                input.clear();
                answered = true;
            }
            if line.starts_with("//#") {
                session = Session::new(kind);
            }
        } else if !line.is_empty() {
            writeln!(input, "{line}").unwrap();
            answered = false;
        }
        if !line.starts_with("//> ") && line != "//#" {
            writeln!(out, "{line}").unwrap();
        }
    }
    out
}

/// Returns the session's answer to an input.
fn answer(session: &mut Session, input: &str) -> String {
    match session.add(Input { name: "test.hw", key: None, bytes: input.as_bytes() }, &mut NoFiles) {
        Ok(added) => {
            let module = session.module();
            for decl in module.funcs.values() {
                verify(module, &decl.body).unwrap();
            }
            describe_added(session, &added)
        }
        Err(diagnostics) => diagnostics.iter().map(|diagnostic| short(session, diagnostic)).collect(),
    }
}

/// Returns the errors and warnings of an input with their codes, and the input with all fixes.
fn warnings(session: &mut Session, input: &str) -> String {
    let all = session.diagnose(Input { name: "test.hw", key: None, bytes: input.as_bytes() }, &mut NoFiles);
    if all.is_empty() {
        return "none".to_owned();
    }
    let mut out = String::new();
    for diagnostic in &all {
        write!(out, "{} {}", diagnostic.kind.code(), short(session, diagnostic)).unwrap();
    }
    let fixes: Vec<_> = all.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()).collect();
    let (fixed, _) = apply(input, &fixes);
    for (before, after) in input.lines().zip(fixed.lines()).filter(|(before, after)| before != after) {
        writeln!(out, "    - {before}\n    + {after}").unwrap();
    }
    if !all.iter().any(Diagnostic::is_error) {
        let mut session = Session::new(SessionKind::Program);
        let fixed = Input { name: "test.hw", key: None, bytes: fixed.as_bytes() };
        session.add(fixed, &mut NoFiles).expect("a fix leaves a program that compiles");
    }
    out
}

fn describe_added(session: &Session, added: &Added) -> String {
    let module = session.module();
    let mut out = "ok".to_owned();
    if let Some(ty) = added.shown {
        write!(out, ", shows a {}", module.type_name(ty)).unwrap();
    }
    for func in &added.replaced {
        write!(out, ", new body for {}", module.function(*func).name).unwrap();
    }
    out
}

fn short(session: &Session, diagnostic: &Diagnostic) -> String {
    let place = |span| {
        let (line, col) = session.sources().line_col(span);
        format!("{line}:{col}")
    };
    let mut out = format!("{}: {}\n", place(diagnostic.span), diagnostic.message());
    for (span, text) in &diagnostic.labels {
        writeln!(out, "    {}: {text}", place(*span)).unwrap();
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "    help: {help}").unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(out, "    note: {note}").unwrap();
    }
    out
}
