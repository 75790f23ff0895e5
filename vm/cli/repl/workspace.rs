//! State of a session: the program, its execution and the form of its messages.
//!
//! In: the configuration. Out: an engine that later inputs find as earlier ones left it. Invariant: there is one engine
//! at a time, and Ctrl-C stops its program.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use holloway_lang::ir::FuncRef;

use super::complete::Scope;
use super::highlight::{Part, painted};
use super::interrupts::Interrupts;
use super::keyboard::Keyboard;
use super::measure::Spent;
use super::tally::Tally;
use crate::config::ReplConfig;
use crate::{Exit, program, recompilation};
use holloway::Engine;
use holloway::internals::Executor;
use holloway_aos::session::Keep;
use holloway_runtime::{Limits, Sink};
use holloway_study::report::style::{Color, MessageConfig, Style};

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
}

impl Workspace {
    /// Makes an empty program. From now on Ctrl-C stops it rather than the process.
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
        // A listener to installed code keeps listening.
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

    /// Ends the session: closes the files that it wrote.
    pub(super) fn finish(&mut self) -> Result<(), Exit> {
        recompilation::finish(&mut self.engine, &self.config.execution)
    }

    /// The source of lines while the program runs, or between inputs.
    pub(super) fn keyboard(&self) -> Keyboard {
        Keyboard::new(self.interrupts.clone())
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
        Scope { names, functions, module: Arc::clone(self.engine.module()) }
    }

    /// Returns true if the program gave the name a meaning.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.engine.definition(name).is_some()
    }

    /// The form of messages, at the present width of the terminal.
    pub(super) fn messages(&self) -> MessageConfig {
        let MessageConfig { format, style } = self.config.messages;
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(style.width, |(width, _)| width.0.into());
        MessageConfig { format, style: Style { width, ..style } }
    }

    /// A text for standard output, coloured if that is selected and visible.
    pub(super) fn painted(&self, text: &str, part: Part) -> String {
        let color = if io::stdout().is_terminal() { self.config.messages.style.color } else { Color::Plain };
        painted(text, part, color)
    }

    /// Prints an answer.
    pub(super) fn say(&self, text: &str) -> Ended {
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

fn engine(config: &ReplConfig, interrupts: &Interrupts) -> Result<Engine, Exit> {
    let mut settings = program::engine(&config.execution, &[], Sink::Stdout)?;
    settings.adaptive = recompilation::session(&config.execution, Keep::Events)?;
    settings.input = Keyboard::new(interrupts.clone()).input();
    let mut engine = program::start(settings, Engine::interactive)?;
    recompilation::begin(&mut engine, &config.execution, SESSION)?;
    if let Executor::Compiled(machine) = engine.executor_mut() {
        machine.code.list_versions();
    }
    interrupts.point_at(engine.interrupt_handle());
    Ok(engine)
}
