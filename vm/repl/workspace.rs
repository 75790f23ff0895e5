//! What a session works with: the program, and how it is run and talked about.
//!
//! In: the configuration. Out: an engine that later inputs find as earlier ones left it. Invariant: there is one engine
//! at a time, and Ctrl-C stops its program.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use holloway_lang::ir::FuncRef;

use super::complete::Scope;
use super::evaluate::Ended;
use super::highlight::{Part, painted};
use super::interrupts::Interrupts;
use super::keyboard::Keyboard;
use super::measure::Spent;
use super::profile::{Showing, Tally};
use crate::adaptive::session::Keep;
use crate::cli::{Exit, adaptive, program};
use crate::config::{Color, MessageConfig, ReplConfig, Style};
use crate::engine::{Engine, Executor};
use crate::runtime::{Limits, Sink};

/// What the program is called in files about it.
const SESSION: &str = "<repl>";

/// See the module.
pub struct Workspace {
    pub(super) engine: Engine,
    pub(super) config: ReplConfig,
    pub(super) interrupts: Interrupts,
    /// Inputs so far, to name the next one.
    pub(super) inputs: usize,
    /// The functions that the last input gave a body.
    pub(super) recent: Vec<FuncRef>,
    /// What the last input took to run.
    pub(super) spent: Spent,
    /// When profiles are shown.
    pub(super) showing: Showing,
    /// The edges of inputs that ran apart.
    pub(super) tally: Tally,
}

impl Workspace {
    /// An empty program. From now on Ctrl-C stops it rather than the process.
    pub fn new(config: &ReplConfig) -> Result<Self, Exit> {
        let interrupts = Interrupts::listen();
        let engine = engine(config, &interrupts)?;
        Ok(Self {
            engine,
            config: config.clone(),
            interrupts,
            inputs: 0,
            recent: Vec::new(),
            spent: Spent::default(),
            showing: Showing::WhenAsked,
            tally: Tally::default(),
        })
    }

    /// The program.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// `:reset`
    pub(super) fn reset(&mut self) -> Ended {
        let Ok(engine) = engine(&self.config, &self.interrupts) else { return Ended::Badly };
        let mut before = std::mem::replace(&mut self.engine, engine);
        // Whoever listens to code being installed listens on.
        if let (Executor::Compiled(before), Executor::Compiled(now)) =
            (before.executor_mut(), self.engine.executor_mut())
        {
            now.code.listener = before.code.listener.take();
        }
        self.inputs = 0;
        self.recent.clear();
        self.tally = Tally::default();
        if self.showing == Showing::AfterEachInput {
            self.count_in_interpreter();
        }
        self.say("everything is forgotten\n")
    }

    /// The end: closes the files that the session wrote.
    pub(super) fn finish(&mut self) -> Result<(), Exit> {
        adaptive::finish(&mut self.engine, &self.config.execution)
    }

    /// What lines are read with while the program, or nothing, runs.
    pub(super) fn keyboard(&self) -> Keyboard {
        Keyboard::new(self.interrupts.clone())
    }

    /// What each input may use up.
    pub(super) fn limits(&self) -> Limits {
        let limits = self.config.execution.limits;
        Limits { fuel: limits.fuel, time: limits.time }
    }

    /// What names there are, for completion.
    pub(super) fn scope(&self) -> Scope {
        let names: Vec<String> = self.engine.names().map(str::to_owned).collect();
        let functions = names.iter().filter(|name| self.engine.function(name).is_some()).cloned().collect();
        Scope { names, functions, module: Arc::clone(self.engine.module()) }
    }

    /// Returns true if the program gave the name a meaning.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.engine.definition(name).is_some()
    }

    /// How messages look, on the terminal as wide as it is now.
    pub(super) fn messages(&self) -> MessageConfig {
        let MessageConfig { format, style } = self.config.messages;
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(style.width, |(width, _)| width.0.into());
        MessageConfig { format, style: Style { width, ..style } }
    }

    /// A text for standard output, in colour if that is asked for and seen.
    pub(super) fn painted(&self, text: &str, part: Part) -> String {
        let color = if io::stdout().is_terminal() { self.config.messages.style.color } else { Color::Plain };
        painted(text, part, color)
    }

    /// Answers.
    pub(super) fn say(&self, text: &str) -> Ended {
        let mut stdout = io::stdout().lock();
        // Nobody is left to tell when it is closed.
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        Ended::Well
    }

    /// Says why something was not done.
    pub(super) fn refuse(&self, reason: &str) -> Ended {
        program::tell(&format!("{reason}\n"));
        Ended::Badly
    }
}

fn engine(config: &ReplConfig, interrupts: &Interrupts) -> Result<Engine, Exit> {
    let mut settings = program::engine(&config.execution, &[], Sink::Stdout)?;
    settings.adaptive = adaptive::session(&config.execution, Keep::Events, SESSION)?;
    settings.input = Keyboard::new(interrupts.clone()).input();
    let engine = program::start(settings, Engine::interactive)?;
    interrupts.point_at(engine.interrupt_handle());
    Ok(engine)
}
