//! The `holloway` binary: parse, dispatch, exit status.

use std::process::ExitCode;

use holloway::cli::{self, Environment, Exit, ParseEnd};

fn main() -> ExitCode {
    let exit = match cli::parse(std::env::args_os(), &Environment::of_process()) {
        Ok(command) => cli::dispatch(command),
        Err(ParseEnd::Shown(text)) => cli::show(&text),
        Err(ParseEnd::Refused(error)) => cli::refuse(&error, Exit::Usage),
    };
    exit.into()
}
