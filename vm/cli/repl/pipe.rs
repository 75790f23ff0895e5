//! `:COMMAND | SHELL`: the answer of a command as the input of a program.
//!
//! In: an input. Out: the command and the shell's part of it; and the program's run. Invariant: code is never cut, as
//! `|` is an operator there: commands that take some have no pipe.

use std::io::Write;
use std::process::{Command, Stdio};

use super::command::{self, Argument};

/// A command, and what its answer goes through.
pub(super) fn divided(text: &str) -> Option<(&str, &str)> {
    let (before, after) = text.split_once('|')?;
    let word = before.split_whitespace().next().filter(|_| command::is_command(text))?;
    let takes_pipe = match command::argument_of(word)? {
        Argument::None | Argument::Name | Argument::Function => true,
        // `:profile --scheme S CODE` takes code.
        Argument::Wish => !before.contains("--"),
        Argument::Code | Argument::Counted(_) | Argument::File | Argument::Definition => false,
    };
    takes_pipe.then_some((before.trim_end(), after.trim()))
}

/// The refusal of a pipe that leads nowhere.
pub(super) const NO_SHELL: &str = "a command of the shell follows '|', as in ':vars | less'";

/// Runs a shell's command with a text as its input, and waits for its end.
pub(super) fn run(shell: &str, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot start the shell: {error}");
    let mut child = Command::new("sh").arg("-c").arg(shell).stdin(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        // A program that has seen enough closes it.
        let _ = input.write_all(text.as_bytes());
    }
    // Its own messages say what went wrong in it.
    child.wait().map(drop).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_never_cut() {
        assert_eq!(divided(":vars | sort | head -3"), Some((":vars", "sort | head -3")));
        assert_eq!(divided(":asm f|less"), Some((":asm f", "less")));
        assert_eq!(divided(":profile f | cat"), Some((":profile f", "cat")));
        assert_eq!(divided(":tiers |"), Some((":tiers", "")));
        for code in
            [":type 1 | 2", ":time f() | 1", ":paths f(1 | 2)", ":profile --scheme bl 1 | 2", "1 | 2", ":nonsense | x"]
        {
            assert_eq!(divided(code), None, "{code}");
        }
    }
}
