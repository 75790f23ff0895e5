//! Errors in use: one line that names the remedy.
//!
//! In: the objection of clap or `resolve`. Out: [`UsageError`], whose `Display` is one line without a trailing newline.

use std::fmt;

use holloway_study::report::text::one_line;

/// A command line that cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsageError {
    message: String,
    /// The command whose help tells more.
    command: Option<String>,
}

impl UsageError {
    /// An error found in the options of `command`.
    pub(super) fn new(command: &str, message: impl Into<String>) -> Self {
        Self { message: message.into(), command: Some(command.to_owned()) }
    }

    /// Clap's own message: its first paragraph and its first tip, on one line.
    pub(super) fn of_clap(error: &clap::Error, command: Option<&str>) -> Self {
        let rendered = error.render().to_string();
        let said = rendered.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
        let (mut message, mut has_tip) = (String::new(), false);
        for line in said.map(str::trim).filter(|line| !line.is_empty()) {
            match line.strip_prefix("tip: ") {
                // Of several tips the first is the best guess.
                Some(tip) if !has_tip => {
                    message.extend(["; ", tip]);
                    has_tip = true;
                }
                Some(_) => {}
                None if message.is_empty() => message.push_str(line.strip_prefix("error: ").unwrap_or(line)),
                None => message.extend([" ", line]),
            }
        }
        let message = message.replace("the following required arguments were not provided:", "missing:");
        Self { message, command: command.map(str::to_owned) }
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&self.message))?;
        match &self.command {
            Some(command) => write!(f, " (see 'holloway {command} --help')"),
            None => f.write_str(" (see 'holloway --help')"),
        }
    }
}
