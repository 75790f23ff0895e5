//! `calibrate`: measures the tiers, prints the table, saves it to a file if one is named.

use crate::{Exit, refuse, show};
use holloway_measure::bench::calibrate::{CalibrateConfig, calibrate as measure};
use holloway_study::report::style::OutputFormat;

/// Measures tier speeds and compile rates.
pub fn calibrate(config: &CalibrateConfig) -> Exit {
    let results = match measure(config) {
        Ok(results) => results,
        Err(error) => return refuse(&error, Exit::Failure),
    };
    let table = results.calibration.to_json();
    if let Some(path) = &config.output
        && let Err(error) = std::fs::write(path, &table)
    {
        return refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure);
    }
    match config.format {
        OutputFormat::Text => show(&results.text()),
        OutputFormat::Json => show(&table),
    }
}
