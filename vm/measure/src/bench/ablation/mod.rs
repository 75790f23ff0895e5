//! `bench --ablation`: each program with the adaptive system whole, and without each of its parts in turn.
//!
//! In: the programs. Out: for each the CPU time of all threads of whole processes, and that without a part as a ratio to it: above 1 the part
//! gains, below 1 it costs; of one more run the specialized versions, by what each was expected and measured to gain, and the loops whose paths
//! repeat. Variants take turns, so that a disturbance of the machine affects all of them alike.

mod repeating;

use std::io;

use serde_json::{Map, Value, json};

use super::BenchError;
use super::child::Children;
use super::config::RunsConfig;
use super::contender::{RunOptions, holloway};
use super::gains::{ProgramGains, Specialized, agreements, events_of, specialized, versions};
use super::progress;
use super::race::{Entrant, Fault, Interrupted, Outcome, Series, race};
use super::statistics::geometric_mean;
use super::suite::BenchProgram;
use super::workspace::Workspace;
use holloway::TierChoice;
use holloway_aos::{Part, Parts};
use holloway_study::report::columns::{NOTHING, Table};
use holloway_study::report::story::{ProfiledLoop, profiled_loops};
use holloway_study::report::text::plural;

/// A way to run a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    /// The adaptive system, without these parts.
    Auto(Parts),
    /// Optimized code for everything.
    Optimized,
}

impl Variant {
    /// The whole system first, then each part alone, all that path profiles lead to, and no adaptive system.
    fn all() -> Vec<Variant> {
        let without = |parts: &[Part]| Variant::Auto(parts.iter().copied().collect());
        let each = Part::ALL.map(|part| without(&[part]));
        let ends = [Variant::Optimized];
        std::iter::once(without(&[])).chain(each).chain(ends).collect()
    }

    fn name(self) -> String {
        match self {
            Variant::Auto(Parts::NONE) => TierChoice::Auto.name().to_owned(),
            Variant::Auto(parts) => parts.names(),
            Variant::Optimized => "(optimized)".to_owned(),
        }
    }

    fn options(self) -> RunOptions<'static> {
        match self {
            Variant::Auto(without) => RunOptions { without, ..RunOptions::of(TierChoice::Auto) },
            Variant::Optimized => RunOptions::of(TierChoice::Optimized),
        }
    }
}

/// The programs, measured.
pub struct Ablation {
    variants: Vec<Variant>,
    programs: Vec<Measured>,
}

/// One program, measured.
struct Measured {
    program: BenchProgram,
    /// By variant.
    outcomes: Vec<Outcome>,
    /// Versions of one run.
    specialized: Vec<Specialized>,
    /// The loops of that run whose paths repeat.
    repeating: Vec<ProfiledLoop>,
}

/// Measures as `config` says.
pub fn measure_ablation(config: &RunsConfig, children: &Children) -> Result<Ablation, BenchError> {
    let workspace = Workspace::new().map_err(BenchError::Workspace)?;
    let variants = Variant::all();
    let runs = config.programs.len() * (variants.len() * config.rounds.get() as usize + 1);
    let bar = progress::bar(config.progress, runs as u64);
    let mut programs = Vec::new();
    for program in &config.programs {
        let workload = program.workload(config.size);
        let expected = workload.checksum.to_string();
        let entrant = |variant: &Variant| {
            let recipe = holloway(&config.executable, variant.options(), program, workload, &workspace)?;
            Ok(Entrant { recipe, expected: expected.clone() })
        };
        let entrants: Vec<Entrant> =
            variants.iter().map(entrant).collect::<io::Result<_>>().map_err(BenchError::Workspace)?;
        let raced = race(&entrants, config.rounds, children, |at| {
            bar.set_message(format!("{}: {}", program.name, variants[at].name()));
            bar.inc(1);
        });
        let outcomes = raced.map_err(|Interrupted| BenchError::Interrupted)?;
        bar.set_message(format!("{}: events", program.name));
        bar.inc(1);
        let events = events_of(&entrants[0].recipe.run, &workspace, children)?;
        let specialized = specialized(&events);
        let repeating = profiled_loops(&events).into_iter().filter(repeating::repeats).collect();
        programs.push(Measured { program: *program, outcomes, specialized, repeating });
    }
    bar.finish_and_clear();
    Ok(Ablation { variants, programs })
}

impl Measured {
    /// The part of CPU time that all traces save, by whole runs.
    fn whole(&self, variants: &[Variant]) -> Option<f64> {
        let without = Variant::Auto([Part::Traces].into_iter().collect());
        let ratio = Ablation::ratio(&self.outcomes, variants.iter().position(|variant| *variant == without)?)?;
        Some(1.0 - 1.0 / ratio)
    }
}

impl Ablation {
    /// The CPU time of a variant as a multiple of the whole system's, by the least of each.
    fn ratio(outcomes: &[Outcome], variant: usize) -> Option<f64> {
        let seconds = |at: usize| Some(outcomes[at].series()?.least_cpu().as_secs_f64());
        Some(seconds(variant)? / seconds(0)?)
    }

    fn mean(&self, variant: usize) -> Option<f64> {
        geometric_mean(self.programs.iter().filter_map(|measured| Self::ratio(&measured.outcomes, variant)))
    }

    /// One line for each fault.
    pub fn faults(&self) -> Vec<String> {
        let of = |Measured { program, outcomes, .. }: &Measured| {
            let fault = |(variant, outcome): (&Variant, &Outcome)| {
                let fault: &Fault = outcome.fault()?;
                Some(format!("{}: {} {fault}", program.name, variant.name()))
            };
            self.variants.iter().zip(outcomes).filter_map(fault).collect::<Vec<_>>()
        };
        self.programs.iter().flat_map(of).collect()
    }

    /// The table for people.
    pub fn text(&self, config: &RunsConfig) -> String {
        let shown = |ratio: Option<f64>| ratio.map_or(NOTHING.to_owned(), |ratio| format!("{ratio:.3}"));
        let others = 1..self.variants.len();
        let names = self.variants.iter().map(|variant| variant.name());
        let mut table = Table::new(std::iter::once("program".to_owned()).chain(names));
        for Measured { program, outcomes, .. } in &self.programs {
            let time = outcomes[0].series().map(Series::least_cpu);
            let time = time.map_or(NOTHING.to_owned(), |time| format!("{:.3} s", time.as_secs_f64()));
            let ratios = others.clone().map(|variant| shown(Self::ratio(outcomes, variant)));
            table.row([program.name.to_owned(), time].into_iter().chain(ratios));
        }
        table.rule();
        let means = others.map(|variant| shown(self.mean(variant)));
        table.row(["geometric mean".to_owned(), String::new()].into_iter().chain(means));
        format!(
            "CPU time of all threads with the adaptive system whole (auto), size {}, and without a part of it as a ratio to that: above 1 \
             the part gains; least of {} in turn\n\n{}\n{}",
            config.size.name(),
            plural(config.rounds.get() as usize, "round"),
            table.render(),
            versions(&self.gains()) + "\n" + &self.repeating()
        )
    }

    /// The programs with their versions.
    fn gains(&self) -> Vec<ProgramGains<'_>> {
        let programs = self.programs.iter().map(|measured| ProgramGains {
            name: measured.program.name,
            versions: &measured.specialized,
            whole: measured.whole(&self.variants),
        });
        programs.collect()
    }

    /// The programs whose paths repeat, with or without versions.
    fn repeating(&self) -> String {
        let programs = self.programs.iter();
        repeating::text(programs.map(|one| (one.program.name, !one.specialized.is_empty(), &one.repeating[..])))
    }

    /// The same for programs: seconds by variant and round.
    pub fn json(&self, config: &RunsConfig) -> Value {
        let times = |outcome: &Outcome| match outcome {
            Outcome::Measured(series) => json!({
                "cpu": series.runs.iter().map(|run| run.cpu.as_secs_f64()).collect::<Vec<_>>(),
                "wall": series.runs.iter().map(|run| run.wall.as_secs_f64()).collect::<Vec<_>>(),
            }),
            Outcome::Failed(fault) => json!({ "error": fault.to_string() }),
            Outcome::Absent => Value::Null,
        };
        let program = |measured: &Measured| {
            let variants = self.variants.iter().zip(&measured.outcomes);
            let variants: Map<String, Value> =
                variants.map(|(variant, outcome)| (variant.name(), times(outcome))).collect();
            json!({
                "name": measured.program.name,
                "variants": variants,
                "versions": measured.specialized.iter().map(Specialized::json).collect::<Vec<_>>(),
                "repeating": measured.repeating.iter().map(repeating::json).collect::<Vec<_>>(),
                "saved": measured.whole(&self.variants),
            })
        };
        json!({
            "size": config.size.name(),
            "rounds": config.rounds,
            "programs": self.programs.iter().map(program).collect::<Vec<_>>(),
            "agreement": agreements(&self.gains()),
            "ok": self.faults().is_empty(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::child::PeakMemory;
    use super::super::progress::Progress;
    use super::super::race::Run;
    use super::super::select;
    use super::*;
    use crate::extent::{Rounds, SizeName};
    use holloway_aos::version::VersionState;
    use holloway_study::report::style::OutputFormat;
    use std::time::Duration;

    fn measured(milliseconds: &[u64]) -> Outcome {
        let run = |cpu: &u64| Run {
            wall: Duration::from_millis(2 * cpu),
            cpu: Duration::from_millis(*cpu),
            peak_memory: PeakMemory::Exactly(1),
        };
        Outcome::Measured(Series { runs: milliseconds.iter().map(run).collect() })
    }

    fn config() -> RunsConfig {
        RunsConfig {
            programs: select(&["fib".to_owned()]).unwrap(),
            size: SizeName::Small,
            rounds: Rounds::new(2).unwrap(),
            format: OutputFormat::Text,
            progress: Progress::Silent,
            executable: "/bin/holloway".into(),
        }
    }

    #[test]
    fn each_part_is_left_out_alone() {
        let names: Vec<String> = Variant::all().into_iter().map(Variant::name).collect();
        let expected = ["auto", "observed-edges", "traces", "osr", "(optimized)"];
        assert_eq!(names, expected);
    }

    #[test]
    fn command_lines() {
        let (config, workspace) = (config(), Workspace::new().unwrap());
        let line = |variant: Variant| {
            let program = &config.programs[0];
            let workload = program.workload(config.size);
            let recipe = holloway(&config.executable, variant.options(), program, workload, &workspace).unwrap();
            let args = recipe.run.args.iter().map(|arg| arg.to_string_lossy().into_owned());
            args.collect::<Vec<_>>().join(" ").replace(&workspace.path().display().to_string(), "$W")
        };
        let without: Parts = [Part::Traces].into_iter().collect();
        assert_eq!(line(Variant::Auto(Parts::NONE)), "run --tier auto $W/fib.hw 20");
        assert_eq!(line(Variant::Auto(without)), "run --tier auto --without traces $W/fib.hw 20");
        assert_eq!(line(Variant::Optimized), "run --tier optimized $W/fib.hw 20");
    }

    #[test]
    fn ratios_are_to_the_whole_system() {
        let (config, variants) = (config(), Variant::all());
        let outcomes = (0..variants.len() as u64).map(|at| measured(&[220 + 22 * at, 200 + 20 * at])).collect();
        let version = |line: u32, expected: f64, measured: Option<f64>| Specialized {
            function: "run".to_owned(),
            line,
            form: "trace, forest".to_owned(),
            expected,
            measured: measured.map(|gain| (gain, (gain - 0.1, gain + 0.1))),
            outcome: VersionState::Live,
        };
        let specialized = vec![version(3, 0.5, Some(0.4)), version(12, 0.2, None)];
        let repeating = Vec::new();
        let programs = vec![Measured { program: config.programs[0], outcomes, specialized, repeating }];
        let ablation = Ablation { programs, variants };
        insta::assert_snapshot!(ablation.text(&config));
        assert_eq!(ablation.json(&config)["programs"][0]["variants"]["traces"]["cpu"], json!([0.264, 0.24]));
        assert!(ablation.faults().is_empty());
    }
}
