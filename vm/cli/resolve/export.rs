//! Resolution of `export`.
//!
//! In: its arguments. Out: the command, or why it is none. Invariant: as in the module around.

use super::shared::is_stdin;
use crate::args::ExportArgs;
use crate::command::Command;
use crate::config::{Export, ExportConfig, ExportForm};
use crate::usage::UsageError;

pub(super) fn export(args: ExportArgs) -> Result<Command, UsageError> {
    if is_stdin(&args.run) {
        return Err(UsageError::new("export", "a run is read from its file; name it instead of -"));
    }
    let output = args.output.filter(|output| !is_stdin(output));
    let to = match (args.to, output) {
        (ExportForm::File(format), output) => Export::File(format, output),
        (ExportForm::Tables(format), Some(folder)) => Export::Tables(format, folder),
        (ExportForm::Tables(format), None) => {
            let problem = format!("--to {} writes several tables; name a folder for them with -o", format.name());
            return Err(UsageError::new("export", problem));
        }
    };
    Ok(Command::Export(ExportConfig { run: args.run, to }))
}
