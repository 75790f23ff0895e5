//! `report`: the page of a recorded run.

use std::fs;
use std::path::Path;

use crate::config::ReportConfig;
use crate::overwriting::refuse_overwriting;
use crate::{Exit, refuse, show};
use holloway_study::page::page;
use holloway_study::report::text::one_line;
use holloway_study::run::{self, ReadError, Run};

/// Writes the page.
pub fn report(config: &ReportConfig) -> Exit {
    try_report(config).unwrap_or_else(|exit| exit)
}

fn try_report(config: &ReportConfig) -> Result<Exit, Exit> {
    let read: Vec<&Path> =
        [Some(&config.run), config.other.as_ref()].into_iter().flatten().map(AsRef::as_ref).collect();
    if let Some(output) = &config.output {
        refuse_overwriting("-o", output, &read)?;
    }
    let mut run = recorded(&config.run)?;
    run.disassemble();
    let other = config.other.as_deref().map(recorded).transpose()?;
    let html = page(&run, other.as_ref());
    let Some(output) = &config.output else { return Ok(show(&html)) };
    match fs::write(output, html) {
        Ok(()) => Ok(Exit::Success),
        Err(error) => {
            let name = one_line(&output.display().to_string());
            Err(refuse(&format_args!("cannot write {name}: {error}"), Exit::Failure))
        }
    }
}

/// The run in a file.
fn recorded(path: &Path) -> Result<Run, Exit> {
    let name = one_line(&path.display().to_string());
    if path.is_file() && !run::is_run(path) {
        let reason = format_args!("{name} is no recorded run; `holloway run --save RUN.hwrun FILE` makes one");
        return Err(refuse(&reason, Exit::DoesNotCompile));
    }
    run::read(path).map_err(|error| match error {
        ReadError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let reason = format_args!(
                "cannot read {name}: there is no such file; `holloway run --save {name} FILE` makes a recorded run"
            );
            refuse(&reason, Exit::NoInput)
        }
        ReadError::Io(error) => {
            refuse(&format_args!("cannot read {name}: {}", one_line(&error.to_string())), Exit::NoInput)
        }
        ReadError::Damaged(reason) => refuse(&format_args!("{name}: {}", one_line(&reason)), Exit::DoesNotCompile),
    })
}
