//! State of a session: the program, its execution and the form of its messages.
//!
//! In: the configuration. Out: an engine that later inputs find as earlier ones left it. Invariant: there is one engine
//! at a time, and Ctrl-C stops its program.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use holloway_lang::ir::FuncRef;
use holloway_lang::session::Definition;

use super::complete::Scope;
use super::highlight::{Part, painted};
use super::interrupts::Interrupts;
use super::keyboard::Keyboard;
use super::measure::Spent;
use super::program_text::Logged;
use super::tally::Tally;
use crate::config::{Inputs, ReplConfig};
use crate::{Exit, program, recompilation};
use holloway::Engine;
use holloway::internals::Executor;
use holloway_aos::session::Keep;
use holloway_runtime::{Limits, Sink};
use holloway_study::report::style::{Color, MessageConfig, Style};
use holloway_study::report::text::{nearest, one_line};

/// Name of the program in files about it.
const SESSION: &str = "<repl>";

/// The result of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// It ran.
    Well,
    /// It was refused or failed, which was reported.
    Badly,
    /// It called `exit` with this status.
    Exit(u8),
}

/// The time at which profiles are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Showing {
    WhenAsked,
    AfterEachInput,
}

/// State of a session; see the module.
pub struct Workspace {
    pub(super) engine: Engine,
    pub(super) config: ReplConfig,
    pub(super) interrupts: Interrupts,
    keyboard: Keyboard,
    /// Number of inputs so far, which names the next one.
    pub(super) inputs: usize,
    /// The functions that the last input gave a body.
    pub(super) recent: Vec<FuncRef>,
    /// The time of the last input.
    pub(super) spent: Spent,
    /// The time at which profiles are shown.
    pub(super) showing: Showing,
    /// The edge counts of inputs that ran apart.
    pub(super) tally: Tally,
    /// The text of the last input of code.
    pub(super) last: Option<String>,
    /// A text from the person's editor that belongs in the history.
    pub(super) edited: Option<String>,
    /// The inputs that ran, for `:save`.
    pub(super) log: Vec<Logged>,
    /// The files that the session was saved in.
    pub(super) saved: Vec<PathBuf>,
    /// The answer so far of a command whose answer goes elsewhere.
    captured: RefCell<Option<String>>,
}

impl Workspace {
    /// Makes an empty program. From now on Ctrl-C stops it rather than the process.
    pub fn new(config: &ReplConfig) -> Result<Self, Exit> {
        let interrupts = Interrupts::listen();
        let text = match &config.inputs {
            Inputs::Text(text) => Some(text.as_slice()),
            Inputs::Terminal | Inputs::Stream => None,
        };
        let keyboard = Keyboard::new(interrupts.clone(), text);
        let engine = engine(config, &interrupts, &keyboard)?;
        Ok(Self {
            engine,
            config: config.clone(),
            interrupts,
            keyboard,
            inputs: 0,
            recent: Vec::new(),
            spent: Spent::default(),
            showing: Showing::WhenAsked,
            tally: Tally::default(),
            last: None,
            edited: None,
            log: Vec::new(),
            saved: Vec::new(),
            captured: RefCell::new(None),
        })
    }

    /// The program.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// `:reset`
    pub(super) fn reset(&mut self) -> Ended {
        let Ok(engine) = engine(&self.config, &self.interrupts, &self.keyboard) else { return Ended::Badly };
        let mut before = std::mem::replace(&mut self.engine, engine);
        // A listener to installed code keeps listening.
        if let (Executor::Compiled(before), Executor::Compiled(now)) =
            (before.executor_mut(), self.engine.executor_mut())
        {
            now.code.listeners = std::mem::take(&mut before.code.listeners);
        }
        self.inputs = 0;
        self.recent.clear();
        self.log.clear();
        self.tally = Tally::default();
        if self.showing == Showing::AfterEachInput {
            self.count_in_interpreter();
        }
        self.say("everything is forgotten\n")
    }

    /// Ends the session: closes the files that it wrote.
    pub(super) fn finish(&mut self) -> Result<(), Exit> {
        recompilation::finish(&mut self.engine, &self.config.execution)
    }

    /// The source of lines while the program runs, or between inputs.
    pub(super) fn keyboard(&self) -> Keyboard {
        self.keyboard.clone()
    }

    /// The limits of each input.
    pub(super) fn limits(&self) -> Limits {
        let limits = self.config.execution.limits;
        Limits { fuel: limits.fuel, time: limits.time }
    }

    /// The names for completion.
    pub(super) fn scope(&self) -> Scope {
        let names: Vec<String> = self.engine.names().map(str::to_owned).collect();
        let functions = names.iter().filter(|name| self.engine.function_named(name).is_some()).cloned().collect();
        let heads = self.engine.definitions().into_iter().map(|found| (found.name, found.head)).collect();
        Scope { names, functions, heads, session: Some(self.engine.session().clone()) }
    }

    /// Returns true if the program gave the name a meaning.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.engine.definition(name).is_some()
    }

    /// The definition that a name means, or a name behind an import's and a dot.
    pub(super) fn definition(&self, name: &str) -> Option<Definition> {
        self.engine.session().definition_of(&path(name))
    }

    /// The function that such a name means.
    pub(super) fn function_named(&self, name: &str) -> Option<FuncRef> {
        self.engine.session().function_of(&path(name))
    }

    /// Says that nothing has a name, and what may have been meant: a definition, or one of `others`.
    pub(super) fn unknown(&self, name: &str, others: impl Iterator<Item = &'static str>) -> String {
        let module = name.split_once('.').map_or("", |(module, _)| module);
        let members = self.engine.session().members(&[module]);
        let members: Vec<String> = members.iter().map(|member| format!("{module}.{member}")).collect();
        let mut names: Vec<&str> = others.collect();
        names.extend(members.iter().map(String::as_str).chain(self.engine.names()));
        let hint = nearest(name, names).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        format!("nothing is called '{}'{hint}", one_line(name))
    }

    /// The form of messages, at the present width of the terminal.
    pub(super) fn messages(&self) -> MessageConfig {
        let MessageConfig { format, style } = self.config.messages;
        let style = if self.is_captured() { Style { color: Color::Plain, ..style } } else { style };
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(style.width, |(width, _)| width.0.into());
        MessageConfig { format, style: Style { width, ..style } }
    }

    /// A text for standard output, coloured if that is selected and visible.
    pub(super) fn painted(&self, text: &str, part: Part) -> String {
        let color = if io::stdout().is_terminal() && !self.is_captured() {
            self.config.messages.style.color
        } else {
            Color::Plain
        };
        painted(text, part, color)
    }

    /// Keeps answers back from now on.
    pub(super) fn capture(&self) {
        *self.captured.borrow_mut() = Some(String::new());
    }

    /// Prints answers again. Returns those that were kept back.
    pub(super) fn take_captured(&self) -> String {
        self.captured.borrow_mut().take().unwrap_or_default()
    }

    fn is_captured(&self) -> bool {
        self.captured.borrow().is_some()
    }

    /// Prints an answer.
    pub(super) fn say(&self, text: &str) -> Ended {
        if let Some(captured) = &mut *self.captured.borrow_mut() {
            captured.push_str(text);
            return Ended::Well;
        }
        let mut stdout = io::stdout().lock();
        // If it is closed, there is nobody to tell.
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        Ended::Well
    }

    /// Reports why a command was refused.
    pub(super) fn refuse(&self, reason: &str) -> Ended {
        program::tell(&format!("{reason}\n"));
        Ended::Badly
    }
}

fn path(name: &str) -> Vec<&str> {
    name.split('.').collect()
}

fn engine(config: &ReplConfig, interrupts: &Interrupts, keyboard: &Keyboard) -> Result<Engine, Exit> {
    let mut settings = program::engine(&config.execution, &config.args, Sink::Stdout)?;
    settings.adaptive = recompilation::session(&config.execution, Keep::Events)?;
    settings.input = keyboard.input();
    let mut engine = program::start(settings, Engine::interactive)?;
    recompilation::begin(&mut engine, &config.execution, SESSION)?;
    if let Executor::Compiled(machine) = engine.executor_mut() {
        machine.code.list_versions();
    }
    interrupts.point_at(engine.interrupt_handle());
    Ok(engine)
}
