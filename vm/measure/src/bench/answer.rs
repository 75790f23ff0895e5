//! Jobs that the command carries out in a process of its own, as a child of itself.
//!
//! In: the arguments and the standard input of a child. Out: its answer, JSON on its standard output, or a sentence about why there is none.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::child::{ChildError, Children, CommandLine};
use holloway_study::report::text::one_line;

/// Ctrl-C.
#[derive(Debug)]
pub struct Interrupted;

/// Asks a child of the binary, which a command carries out, with something on its standard input.
pub fn answer<T: DeserializeOwned>(
    (executable, command): (&Path, &str),
    request: &impl Serialize,
    input: &str,
    children: &Children,
) -> Result<Result<T, String>, Interrupted> {
    let request = serde_json::to_string(request).expect("a request is plain data");
    match children.run(&CommandLine::new(executable, [command, "--child", &request], ".").with_input(input)) {
        Err(ChildError::Interrupted) => Err(Interrupted),
        Err(ChildError::System(error)) => Ok(Err(format!("could not be started: {error}"))),
        Err(ChildError::TimedOut(limit)) => Ok(Err(format!("took longer than {} s", limit.as_secs_f64()))),
        Ok(finished) if !finished.status.success() => {
            // The first line of a panic is its location, the next its message.
            let said = finished.stderr.lines().filter(|line| !line.trim().is_empty()).take(2);
            let said = one_line(&said.collect::<Vec<_>>().join(" "));
            Ok(Err(format!("ended with {}: {said}", finished.status)))
        }
        Ok(finished) => {
            Ok(serde_json::from_str(&finished.stdout).map_err(|error| format!("its answer is unreadable: {error}")))
        }
    }
}
