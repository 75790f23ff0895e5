//! `report`: the page of a recorded run.

use std::fs;
use std::path::Path;

use crate::config::ReportConfig;
use crate::overwriting::refuse_overwriting;
use crate::{Exit, recording, refuse, show};
use holloway_study::page::page;
use holloway_study::report::text::one_line;

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
    let mut run = recording::read_run(&config.run)?;
    run.disassemble();
    let other = config.other.as_deref().map(recording::read_run).transpose()?;
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
