//! `reproduce`: the papers' figures and tables, measured; and the jobs of its child processes.

use crate::commands::bench::{answered, finish, interruptible, of_folder, pretty};
use crate::{Exit, refuse};
use holloway_measure::reproduce::job::{Request, carry_out, carry_out_base};
use holloway_measure::reproduce::plot::{Plot, plots};
use holloway_measure::reproduce::result_table::ResultTable;
use holloway_measure::reproduce::whole_path;
use holloway_measure::reproduce::{ReproduceConfig, ReproduceError, reproduce as measure};
use holloway_study::report::style::OutputFormat;
use std::fs;
use std::path::Path;

/// Measures and prints.
pub fn reproduce(config: &ReproduceConfig) -> Exit {
    // A folder that takes no files is found before the programs run.
    if let Some(folder) = &config.plot
        && let Err(error) = fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder))
    {
        return refuse(&format_args!("--plot {}: {error}; name a folder", folder.display()), Exit::Usage);
    }
    let reproduced = match measure(config, &interruptible()) {
        Ok(reproduced) => reproduced,
        Err(ReproduceError::Interrupted) => return refuse(&"interrupted", Exit::Interrupted),
        Err(ReproduceError::Folder(error)) => return refuse(&error, of_folder(&error)),
    };
    let text = match config.format {
        OutputFormat::Text => reproduced.text(),
        OutputFormat::Json => pretty(&reproduced.json()),
    };
    // What was measured is told even where a figure cannot be written.
    let shown = finish(&text, &reproduced.faults);
    let drawn = config.plot.as_ref().map_or(Ok(()), |folder| draw(&reproduced.tables, folder));
    match (drawn, shown) {
        (Ok(()), shown) => shown,
        (Err(reason), Exit::Success) => refuse(&reason, Exit::Failure),
        (Err(reason), shown) => refuse(&reason, shown),
    }
}

/// Draws tables into files of a folder.
fn draw(tables: &[ResultTable], folder: &Path) -> Result<(), String> {
    for table in tables {
        for Plot { name, svg } in plots(table)? {
            let file = folder.join(format!("{name}.svg"));
            fs::write(&file, svg).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        }
    }
    Ok(())
}

/// Runs one job and prints the answer for the parent process.
pub fn child(request: &Request) -> Exit {
    match request {
        Request::Run(job) => answered(carry_out(job)),
        Request::Base(job) => answered(carry_out_base(job)),
        Request::WholePath(job) => answered(whole_path::carry_out(job)),
    }
}
