//! The REPL: a person types, the program grows, answers come back.
//!
//! In: inputs from a terminal. Out: their values, definitions, diagnostics and failures, and an exit status. The
//! pipeline of an input: [`lines`] (typed, perhaps with `editor` and its `typing` helper) -> `command` or code ->
//! [`Workspace`] -> `evaluate` -> `answer`. Invariants: whatever an input does, the next one finds the program as if
//! the parts that failed had never been; nothing but `exit`, `:quit` and the end of input ends the loop.

mod answer;
mod builtins;
mod command;
mod complete;
mod count;
mod decisions;
mod editor;
mod evaluate;
mod help;
mod highlight;
mod inspect;
mod interrupts;
mod keyboard;
mod keys;
mod lines;
mod margin;
mod measure;
mod options;
mod profile;
mod settings;
mod tally;
mod typing;
mod workspace;

pub use workspace::Workspace;

use crate::Exit;
use crate::config::ReplConfig;
use command::Command;
use editor::Read;
use lines::Lines;
use workspace::Ended;

/// Says if there is a next input.
enum Flow {
    Continue,
    Leave(Exit),
}

/// Takes inputs until the person leaves.
pub fn run(mut workspace: Workspace, config: &ReplConfig) -> Exit {
    let exit = talk(&mut workspace, config);
    match workspace.finish() {
        Ok(()) => exit,
        Err(lost) => lost,
    }
}

fn talk(workspace: &mut Workspace, config: &ReplConfig) -> Exit {
    let mut lines = Lines::open(config, workspace.keyboard());
    lines::say(&format!("Holloway {}  :help for help, Ctrl-D to leave\n", env!("CARGO_PKG_VERSION")));
    loop {
        match lines.read(workspace.scope()) {
            Read::Input(text) => match take(workspace, &text) {
                Flow::Continue => {}
                Flow::Leave(exit) => return exit,
            },
            Read::Cleared => {}
            Read::End => return Exit::Success,
        }
    }
}

/// Runs an input.
fn take(workspace: &mut Workspace, text: &str) -> Flow {
    if text.trim().is_empty() {
        return Flow::Continue;
    }
    let ended = match command::parse(text) {
        None => match command::meant_by(text).filter(|_| !workspace.is_defined(text.trim())) {
            Some(hint) => workspace.refuse(hint),
            None => workspace.evaluate_typed(text),
        },
        Some(Err(refusal)) => workspace.refuse(&refusal),
        Some(Ok(command)) => match command {
            Command::Help(name) => workspace.help(name),
            Command::Type(code) => workspace.type_of(code),
            Command::Load(path) => workspace.load(&path),
            Command::Reset => workspace.reset(),
            Command::Ir(name) => workspace.ir(name),
            Command::Clif(target) => workspace.clif(target),
            Command::Asm(target) => workspace.asm(target),
            Command::Time(code) => workspace.time(code),
            Command::Profile(wish) => workspace.profile(wish),
            Command::Count(count) => workspace.count(count),
            Command::Tiers => workspace.tiers(),
            Command::Decisions(name) => workspace.decisions(name),
            Command::Quit => return Flow::Leave(Exit::Success),
        },
    };
    match ended {
        Ended::Well | Ended::Badly => Flow::Continue,
        Ended::Exit(status) => Flow::Leave(Exit::Program(status)),
    }
}
