//! `check`: parses and type-checks, each file on its own, and tells what is wrong and what is strange.
//!
//! Invariants: nothing runs; a file is rewritten whole or stays as it is, and only where it has no errors.

use std::collections::HashSet;
use std::path::Path;

use holloway::Engine;
use holloway::internals::{Files, is_module};
use holloway_lang::codes::Code;
use holloway_lang::diagnostic::{Diagnostic, Fix};
use holloway_lang::fix::apply;
use holloway_lang::session::{Input, Session, SessionKind};
use holloway_runtime::Sink;
use holloway_study::report::diagnostics;

use super::fmt::write_whole;
use crate::config::{CheckConfig, ExecutionConfig, FixMode, Source, WarningMode};
use crate::{Exit, program, refuse, show};

/// Times that a file is fixed and looked at again: a fix may make way for another.
const MOST_ROUNDS: usize = 8;

/// The byte-order mark that a file may begin with; the compiler sees the text behind it.
const MARK: &str = "\u{feff}";

/// A file as it was looked at.
struct Checked {
    session: Session,
    found: Vec<Diagnostic>,
}

/// Checks every file. The exit status is that of the worst result.
pub fn check(config: &CheckConfig) -> Exit {
    let mut worst = Exit::Success;
    // A file that several programs import is warned of once.
    let mut told = HashSet::new();
    for source in &config.sources {
        let exit = check_one(source, config, &mut told).unwrap_or_else(|exit| exit);
        if exit.status() > worst.status() {
            worst = exit;
        }
    }
    worst
}

fn check_one(source: &Source, config: &CheckConfig, told: &mut HashSet<(String, u32, Code)>) -> Result<Exit, Exit> {
    let text = program::read(source)?;
    if is_module(&text.name, &text.bytes) {
        let execution = ExecutionConfig::interpreted();
        let mut engine = program::start(program::engine(&execution, &[], Sink::Stdout)?, Engine::new)?;
        return program::add(&mut engine, source, &text, config.messages).map(|()| Exit::Success);
    }
    let mut checked = look(source, &text.name, &text.bytes);
    if let (FixMode::Apply, Source::File(path)) = (config.fixes, source) {
        checked = fix(path, source, &text.name, &text.bytes, checked)?;
    }
    let Checked { session, found } = checked;
    let place = |found: &Diagnostic| session.sources().file(found.span.file).name.clone();
    let is_new =
        |found: &Diagnostic| found.is_error() || told.insert((place(found), found.span.start, found.kind.code()));
    let found: Vec<Diagnostic> = found.into_iter().filter(is_new).collect();
    program::tell(&diagnostics::render_all(&found, session.sources(), config.messages));
    program::tell(&diagnostics::render_codes(&found, config.messages));
    let fails = found.iter().any(Diagnostic::is_error) || config.warnings == WarningMode::Deny && !found.is_empty();
    Ok(if fails { Exit::DoesNotCompile } else { Exit::Success })
}

fn look(source: &Source, name: &str, bytes: &[u8]) -> Checked {
    let key = match source {
        Source::File(path) => Files::key(path).ok(),
        Source::Stdin | Source::Code(_) | Source::Bench(_) => None,
    };
    let mut session = Session::new(SessionKind::Program);
    let found = session.diagnose(Input { name, key: key.as_deref(), bytes }, &mut Files);
    Checked { session, found }
}

/// Carries out the fixes in one file, and says so. Imported files are left alone: they were not named.
fn fix(path: &Path, source: &Source, name: &str, bytes: &[u8], mut checked: Checked) -> Result<Checked, Exit> {
    let mark = if bytes.starts_with(MARK.as_bytes()) { MARK } else { "" };
    let mut changes = 0;
    let mut text = None;
    for _ in 0..MOST_ROUNDS {
        if checked.found.iter().any(Diagnostic::is_error) {
            break;
        }
        let Some((file, source_file)) = checked.session.sources().files().next() else { break };
        let of_file = |fix: &&Fix| fix.edits.iter().all(|edit| edit.span.file == file);
        let fixes: Vec<&Fix> = checked.found.iter().filter_map(|found| found.fix.as_ref()).filter(of_file).collect();
        let (after, done) = apply(&source_file.text, &fixes);
        if done.is_empty() {
            break;
        }
        let next = look(source, name, after.as_bytes());
        if next.found.iter().any(Diagnostic::is_error) {
            break;
        }
        changes += done.len();
        text = Some(after);
        checked = next;
    }
    if let Some(text) = text {
        write_whole(path, &format!("{mark}{text}"))
            .map_err(|error| refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure))?;
        let plural = if changes == 1 { "fix" } else { "fixes" };
        show(&format!("{name}: {changes} {plural}\n"));
    }
    Ok(checked)
}
