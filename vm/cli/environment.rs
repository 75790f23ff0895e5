//! The process's environment, gathered once, so that resolving the command line is a pure function.

use std::env;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The part of the environment that decides how an invocation behaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Environment {
    /// Standard input is a terminal: no arguments start the REPL.
    pub stdin_is_terminal: bool,
    /// Standard error is a terminal: messages are coloured, progress is shown.
    pub stderr_is_terminal: bool,
    /// `NO_COLOR` is set, or the terminal is known to be dumb.
    pub no_color: bool,
    /// Columns of the terminal, if there is one.
    pub width: Option<usize>,
    /// The folder for state that outlives a session: `$XDG_STATE_HOME`, or `~/.local/state`.
    pub state_home: Option<PathBuf>,
    /// The folder for a person's settings: `$XDG_CONFIG_HOME`, or `~/.config`.
    pub config_home: Option<PathBuf>,
    /// This very binary; the benchmarks start it again.
    pub executable: Option<PathBuf>,
}

impl Environment {
    /// Returns the environment of this process.
    pub fn of_process() -> Self {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        Self {
            // The handle of the standard library comes with a buffer, which a program that reads nothing does without.
            stdin_is_terminal: rustix::stdio::stdin().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
            no_color: is_set("NO_COLOR") || env::var_os("TERM").is_some_and(|term| term == "dumb"),
            width: terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| width.0.into()),
            state_home: absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state"))),
            config_home: absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config"))),
            executable: env::current_exe().ok(),
        }
    }
}
