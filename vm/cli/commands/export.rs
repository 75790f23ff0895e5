//! `export`: a recorded run for another tool.

use std::io::IsTerminal;
use std::path::Path;

use crate::config::{Export, ExportConfig};
use crate::overwriting::refuse_overwriting;
use crate::{Exit, exit, recording, refuse};
use holloway_study::export::{self, ExportError, Format};
use holloway_study::run::Run;

/// Writes the run in the form that was asked for.
pub fn export(config: &ExportConfig) -> Exit {
    try_export(config).unwrap_or_else(|exit| exit)
}

fn try_export(config: &ExportConfig) -> Result<Exit, Exit> {
    let fail = |message: String| Err(refuse(&message, Exit::Failure));
    match &config.to {
        Export::Tables(format, folder) if folder.exists() && !folder.is_dir() => {
            let (folder, form) = (folder.display(), format.name());
            let message = format!("{folder} is a file, and --to {form} writes a folder of tables: name another");
            Err(refuse(&message, Exit::Usage))
        }
        Export::Tables(format, folder) => {
            let run = recording::read_run(&config.run)?;
            match export::write_tables(&run, *format, folder) {
                Ok(()) => Ok(Exit::Success),
                Err(error) => fail(format!("cannot write the tables in {}: {error}", folder.display())),
            }
        }
        Export::File(format, None) => {
            if format.is_binary() && std::io::stdout().is_terminal() {
                let message = format!("--to {} is no text for a terminal: name a file with -o", format.name());
                return Err(refuse(&message, Exit::Usage));
            }
            let run = recording::read_run(&config.run)?;
            Ok(exit::show_bytes(&bytes(&run, *format, &config.run)?))
        }
        Export::File(format, Some(output)) => {
            if output.is_dir() {
                let message = format!(
                    "{0} is a folder, and --to {1} writes one file: name one, such as {0}/run.{2}",
                    output.display(),
                    format.name(),
                    extension(*format)
                );
                return Err(refuse(&message, Exit::Usage));
            }
            refuse_overwriting("-o", output, &[&config.run])?;
            let run = recording::read_run(&config.run)?;
            match std::fs::write(output, bytes(&run, *format, &config.run)?) {
                Ok(()) => Ok(Exit::Success),
                Err(error) => fail(format!("cannot write {}: {error}", output.display())),
            }
        }
    }
}

fn bytes(run: &Run, format: Format, file: &Path) -> Result<Vec<u8>, Exit> {
    export::bytes(run, format).map_err(|error| {
        let exit = match error {
            ExportError::NoSamples => Exit::DoesNotCompile,
            ExportError::Io(_) => Exit::Failure,
        };
        refuse(&format_args!("{}: {error}", file.display()), exit)
    })
}

/// The usual ending of files of a format.
fn extension(format: Format) -> &'static str {
    match format {
        Format::Firefox | Format::Speedscope | Format::Chrome => "json",
        Format::Pprof => "pb.gz",
        Format::Folded => "folded",
        Format::Flamegraph => "svg",
    }
}
