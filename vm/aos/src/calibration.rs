//! The calibrated table: how fast each tier's code runs and compiles. `holloway calibrate` writes `calibration.json`,
//! which the binary embeds. Invariant: every speed and rate is positive; a file that says otherwise is an error.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// Speed of code with probes to that of optimized code in a derived table: the bound that path profiling has to keep.
const PROBED_SPEED: f64 = 1.0 / 1.15;
/// Time to compile it by that of optimized code: probes are more code, and passes that copy loops leave them alone. This
/// factor and the next are what the compilations of runs of all benchmark programs took (76 programs, 465 compilations,
/// `run --events`, 2026-11-30).
const PROBED_COMPILE: f64 = 1.0;
/// The same of code with traces: they are copies of the loop, a few iterations long.
const TRACED_COMPILE: f64 = 2.3;
/// The same of optimized and profiled code of what another compiler has optimized: few passes run. Six modules took a
/// quarter to a third (308 compilations, on the same day).
pub(crate) const FEW_PASSES: f64 = 0.3;

/// Figures that were measured, with where and when.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Calibration {
    pub format: u32,
    pub provenance: Provenance,
    /// Baseline code, by which all speeds are measured.
    pub baseline: TierFigures,
    pub optimized: TierFigures,
    pub profiled: TierFigures,
    /// Optimized code with traces; its speed is that of the general loop, for what traces save is estimated for each.
    pub specialized: TierFigures,
}

/// Source of the figures of a calibration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Provenance {
    pub command: String,
    /// The day, as YYYY-MM-DD.
    pub date: String,
    /// The host's target triple; older tables do not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    pub machine: String,
    pub programs: Vec<String>,
    pub version: String,
}

/// A tier in figures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TierFigures {
    /// Speed of its code as a multiple of baseline code's, in the geometric mean of the programs.
    pub speed: f64,
    /// Instructions of the IR compiled in a millisecond.
    pub instructions_per_ms: f64,
    /// Time that a compilation takes besides, in microseconds.
    pub function_us: f64,
    pub origin: Origin,
}

/// Way in which figures were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    Measured,
    /// From the optimized tier's, by the factors above.
    Derived,
}

/// The format written here.
pub const FORMAT: u32 = 1;

impl TierFigures {
    /// The figures of code that is made from optimized code with more in it.
    fn derived(optimized: &Self, speed: f64, effort: f64) -> Self {
        Self {
            speed: optimized.speed * speed,
            instructions_per_ms: optimized.instructions_per_ms / effort,
            function_us: optimized.function_us * effort,
            origin: Origin::Derived,
        }
    }

    fn is_usable(&self) -> bool {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        positive(self.speed)
            && positive(self.instructions_per_ms)
            && self.function_us.is_finite()
            && self.function_us >= 0.0
    }
}

impl Calibration {
    /// A table from what was measured of the two tiers that run alone.
    pub fn of(provenance: Provenance, baseline: TierFigures, optimized: TierFigures) -> Self {
        let profiled = TierFigures::derived(&optimized, PROBED_SPEED, PROBED_COMPILE);
        let specialized = TierFigures::derived(&optimized, 1.0, TRACED_COMPILE);
        Self { format: FORMAT, provenance, baseline, optimized, profiled, specialized }
    }

    /// The table in the binary, read at the first call: programs that end before anything is hot need none.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Calibration> = LazyLock::new(|| {
            Calibration::parse(include_str!("calibration.json")).expect("the embedded calibration is sound")
        });
        &EMBEDDED
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let table: Self = serde_json::from_str(text).map_err(|error| format!("this is no calibration: {error}"))?;
        if table.format != FORMAT {
            return Err(format!("the calibration has format {}, and this version reads format {FORMAT}", table.format));
        }
        let tiers = [&table.baseline, &table.optimized, &table.profiled, &table.specialized];
        match tiers.iter().all(|tier| tier.is_usable()) {
            true => Ok(table),
            false => Err("speeds and rates of a calibration are positive numbers".to_owned()),
        }
    }

    pub fn to_json(&self) -> String {
        format!("{}\n", serde_json::to_string_pretty(self).expect("a table is JSON"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_table_reads_back_as_it_is_written() {
        let table = Calibration::embedded();
        assert_eq!(Calibration::parse(&table.to_json()).as_ref(), Ok(table));
        assert!(
            table.optimized.speed > 1.0 && table.baseline.instructions_per_ms > table.optimized.instructions_per_ms
        );
    }

    #[test]
    fn tables_that_cannot_be_are_refused() {
        let text = Calibration::embedded().to_json();
        let speed = format!("\"speed\": {:?}", Calibration::embedded().optimized.speed);
        assert!(text.contains(&speed));
        let refusals = [
            Calibration::parse(&text.replace(&speed, "\"speed\": 0.0")),
            Calibration::parse(&text.replace("\"format\": 1", "\"format\": 7")),
            Calibration::parse(&text[..text.len() / 2]),
        ];
        for refusal in refusals {
            assert!(refusal.is_err(), "{refusal:?}");
        }
    }
}
