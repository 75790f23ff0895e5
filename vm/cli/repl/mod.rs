//! The REPL: a person types, the program grows, answers come back.
//!
//! In: inputs from a terminal, a file or a pipe. Out: their values, definitions, diagnostics and failures, and an exit
//! status. The pipeline of an input: [`lines`] (typed, perhaps with `editor` and its `typing` helper) -> `command` or code ->
//! [`Workspace`] -> `evaluate` -> `answer`. Invariants: whatever an input does, the next one finds the program as if
//! the parts that failed had never been; nothing but `exit`, `:quit` and the end of input ends the loop, and Ctrl-C where
//! nobody types.

mod after_dot;
mod answer;
mod command;
mod complete;
mod count;
mod decisions;
mod definition_text;
mod edit;
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
mod pipe;
mod profile;
mod program_text;
mod save;
mod script;
mod settings;
mod source;
mod tally;
mod typing;
mod vars;
mod workspace;

pub use script::is_dialogue;
pub use workspace::Workspace;

use std::cell::RefCell;
use std::rc::Rc;

use crate::config::{Inputs, ReplConfig, Source};
use crate::{Exit, input, program};
use command::Command;
use editor::Read;
use lines::Lines;
use workspace::Ended;

/// Says if there is a next input.
enum Flow {
    /// There is; the last one ended so.
    Continue(Ended),
    Leave(Exit),
}

/// Takes inputs until the person leaves.
pub fn run(workspace: Workspace, config: &ReplConfig) -> Exit {
    let workspace = Rc::new(RefCell::new(workspace));
    let exit = talk(&workspace, config);
    match workspace.borrow_mut().finish() {
        Ok(()) => exit,
        Err(lost) => lost,
    }
}

/// The loop. While an input is read, completion looks at the workspace.
fn talk(workspace: &Rc<RefCell<Workspace>>, config: &ReplConfig) -> Exit {
    let keyboard = workspace.borrow().keyboard();
    let completed = Rc::clone(workspace);
    let mut lines = Lines::open(config, keyboard, Rc::new(move || completed.borrow().scope()));
    let is_typed = config.inputs == Inputs::Terminal;
    if is_typed {
        lines::say(&format!("Holloway {}  :help for help, Ctrl-D to leave\n", env!("CARGO_PKG_VERSION")));
    }
    let mut failed = match begin(&mut workspace.borrow_mut(), config) {
        Flow::Continue(ended) => ended == Ended::Badly,
        Flow::Leave(exit) => return exit,
    };
    loop {
        let read = lines.read();
        let workspace = &mut *workspace.borrow_mut();
        match read {
            Read::Input(text) => {
                let flow = take(workspace, &text);
                if let Some(edited) = workspace.edited.take() {
                    lines.remember(&edited);
                }
                match flow {
                    Flow::Continue(ended) => failed |= ended == Ended::Badly,
                    Flow::Leave(exit) => return exit,
                }
            }
            Read::Cleared => {}
            Read::End => return if failed && !is_typed { Exit::Failure } else { Exit::Success },
        }
        if !is_typed && workspace.interrupts.pressed() {
            return Exit::Interrupted;
        }
    }
}

/// Runs what comes before the first input: the start-up file, and the program of `-i`.
fn begin(workspace: &mut Workspace, config: &ReplConfig) -> Flow {
    if let Some(startup) = config.startup.as_ref().filter(|path| path.exists()) {
        let source = Source::File(startup.clone());
        let ended = match input::read(&source) {
            Ok(text) => workspace.run_program(&source, &text),
            Err(error) => workspace.refuse(&error.to_string()),
        };
        if let Ended::Exit(status) = ended {
            return Flow::Leave(Exit::Program(status));
        }
    }
    let Some(source) = &config.program else { return Flow::Continue(Ended::Well) };
    let text = match program::read(source) {
        Ok(text) => text,
        Err(exit) => return Flow::Leave(exit),
    };
    match workspace.run_program(source, &text) {
        Ended::Well => {}
        Ended::Badly => return Flow::Continue(Ended::Badly),
        Ended::Exit(status) => return Flow::Leave(Exit::Program(status)),
    }
    // Its definitions are whole, so there is something to go on with.
    Flow::Continue(workspace.run_main())
}

/// Runs an input.
fn take(workspace: &mut Workspace, text: &str) -> Flow {
    if text.trim().is_empty() {
        return Flow::Continue(Ended::Well);
    }
    // Blanks may stand before a command.
    let text = Some(text.trim_start()).filter(|text| command::is_command(text)).unwrap_or(text);
    let Some((command, shell)) = pipe::divided(text) else { return take_whole(workspace, text) };
    if shell.is_empty() {
        return Flow::Continue(workspace.refuse(pipe::NO_SHELL));
    }
    workspace.capture();
    let flow = take_whole(workspace, command);
    let answer = workspace.take_captured();
    let lent = workspace.interrupts.lend();
    let ran = pipe::run(shell, &answer);
    drop(lent);
    match ran {
        Ok(()) => flow,
        Err(reason) => Flow::Continue(workspace.refuse(&reason)),
    }
}

fn take_whole(workspace: &mut Workspace, text: &str) -> Flow {
    let ended = match command::parse(text) {
        None => match command::meant_by(text).filter(|(word, _)| !workspace.is_defined(word)) {
            Some((_, hint)) => workspace.refuse(hint),
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
            Command::Vars => workspace.vars(),
            Command::Source(name) => workspace.source(name),
            Command::Edit(name) => workspace.edit(name),
            Command::Save(target) => workspace.save(&target.path, target.force),
            Command::Quit => return Flow::Leave(Exit::Success),
        },
    };
    match ended {
        Ended::Well | Ended::Badly => Flow::Continue(ended),
        Ended::Exit(status) => Flow::Leave(Exit::Program(status)),
    }
}
