//! `bench --policies`: each program under every strategy of the adaptive system.
//!
//! In: the programs. Out: for each the CPU time of all threads of whole processes by strategy, as ratios to the first one's; and of one more run by
//! each the versions that were compiled by decision and the CPU time of all compilation. Strategies take turns, so that a disturbance of the machine affects
//! all of them alike.

use std::io;

use serde_json::{Map, Value, json};

use super::BenchError;
use super::child::Children;
use super::config::RunsConfig;
use super::contender::{RunOptions, holloway};
use super::gains::events_of;
use super::progress;
use super::race::{Entrant, Interrupted, Outcome, Series, race};
use super::statistics::geometric_mean;
use super::suite::BenchProgram;
use super::workspace::Workspace;
use holloway::TierChoice;
use holloway_aos::event::{Event, What};
use holloway_aos::strategies::STRATEGIES;
use holloway_study::report::columns::{NOTHING, Table};
use holloway_study::report::text::plural;

/// The programs, measured.
pub struct Policies {
    programs: Vec<Measured>,
}

/// One program, measured.
struct Measured {
    program: BenchProgram,
    /// By strategy.
    outcomes: Vec<Outcome>,
    /// Of one run by each strategy.
    compiled: Vec<Compiled>,
}

/// The compilations of one run.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Compiled {
    /// Versions that were asked for.
    versions: usize,
    /// CPU time of all compilation, in milliseconds.
    milliseconds: f64,
}

impl Compiled {
    fn of(events: &[Event]) -> Compiled {
        let versions = events.iter().filter(|event| matches!(event.what, What::CompileEnd(_))).count();
        let end = events.iter().rev().find_map(|event| match &event.what {
            What::RunEnd(end) => Some(end.compiling.as_f64() / 1e3),
            _ => None,
        });
        Compiled { versions, milliseconds: end.unwrap_or(0.0) }
    }
}

/// Measures as `config` says.
pub fn measure_policies(config: &RunsConfig, children: &Children) -> Result<Policies, BenchError> {
    let workspace = Workspace::new().map_err(BenchError::Workspace)?;
    let runs = config.programs.len() * STRATEGIES.len() * (config.rounds.get() as usize + 1);
    let bar = progress::bar(config.progress, runs as u64);
    let mut programs = Vec::new();
    for program in &config.programs {
        let workload = program.workload(config.size);
        let expected = workload.checksum.to_string();
        let entrants = STRATEGIES.iter().map(|strategy| {
            let options = RunOptions { policy: Some(strategy.name), ..RunOptions::of(TierChoice::Auto) };
            let recipe = holloway(&config.executable, options, program, workload, &workspace)?;
            Ok(Entrant { recipe, expected: expected.clone() })
        });
        let entrants: Vec<Entrant> = entrants.collect::<io::Result<_>>().map_err(BenchError::Workspace)?;
        let raced = race(&entrants, config.rounds, children, |at| {
            bar.set_message(format!("{}: {}", program.name, STRATEGIES[at].name));
            bar.inc(1);
        });
        let outcomes = raced.map_err(|Interrupted| BenchError::Interrupted)?;
        let mut compiled = Vec::new();
        for entrant in &entrants {
            bar.set_message(format!("{}: events", program.name));
            bar.inc(1);
            compiled.push(Compiled::of(&events_of(&entrant.recipe.run, &workspace, children)?));
        }
        programs.push(Measured { program: *program, outcomes, compiled });
    }
    bar.finish_and_clear();
    Ok(Policies { programs })
}

impl Measured {
    fn seconds(&self, strategy: usize) -> Option<f64> {
        Some(self.outcomes[strategy].series()?.least_cpu().as_secs_f64())
    }

    /// The CPU time by a strategy as a multiple of that by the first.
    fn ratio(&self, strategy: usize) -> Option<f64> {
        Some(self.seconds(strategy)? / self.seconds(0)?)
    }
}

impl Policies {
    /// One line for each fault.
    pub fn faults(&self) -> Vec<String> {
        let of = |measured: &Measured| {
            let outcomes = STRATEGIES.iter().zip(&measured.outcomes);
            let fault = |(strategy, outcome): (&&holloway_aos::strategy::Strategy, &Outcome)| {
                Some(format!("{}: {} {}", measured.program.name, strategy.name, outcome.fault()?))
            };
            outcomes.filter_map(fault).collect::<Vec<_>>()
        };
        self.programs.iter().flat_map(of).collect()
    }

    /// The tables for people.
    pub fn text(&self, config: &RunsConfig) -> String {
        let names = || STRATEGIES.iter().map(|strategy| strategy.name.to_owned());
        let shown = |ratio: Option<f64>| ratio.map_or(NOTHING.to_owned(), |ratio| format!("{ratio:.3}"));
        let mut times = Table::new(std::iter::once("program".to_owned()).chain(names()));
        let mut compiled = Table::new(std::iter::once("program".to_owned()).chain(names()));
        for measured in &self.programs {
            let first = measured.seconds(0).map_or(NOTHING.to_owned(), |seconds| format!("{seconds:.3} s"));
            let ratios = (1..STRATEGIES.len()).map(|strategy| shown(measured.ratio(strategy)));
            times.row([measured.program.name.to_owned(), first].into_iter().chain(ratios));
            let of = |compiled: &Compiled| format!("{} in {:.1} ms", compiled.versions, compiled.milliseconds);
            compiled.row(std::iter::once(measured.program.name.to_owned()).chain(measured.compiled.iter().map(of)));
        }
        times.rule();
        let means = (1..STRATEGIES.len()).map(|strategy| shown(self.mean(strategy)));
        times.row(["geometric mean".to_owned(), String::new()].into_iter().chain(means));
        let rounds = plural(config.rounds.get() as usize, "round");
        format!(
            "CPU time of all threads by strategy, size {}: seconds of the first, the others as ratios to it; least of {rounds} in turn\n\n{}\n\
             Versions that were compiled by decision, and the CPU time of all compilation, in one run\n\n{}",
            config.size.name(),
            times.render(),
            compiled.render()
        )
    }

    fn mean(&self, strategy: usize) -> Option<f64> {
        geometric_mean(self.programs.iter().filter_map(|measured| measured.ratio(strategy)))
    }

    /// The same for programs.
    pub fn json(&self, config: &RunsConfig) -> Value {
        let of = |outcome: &Outcome, compiled: &Compiled| {
            let seconds = |series: &Series| series.runs.iter().map(|run| run.cpu.as_secs_f64()).collect::<Vec<_>>();
            json!({
                "cpu": outcome.series().map(seconds),
                "error": outcome.fault().map(ToString::to_string),
                "versions": compiled.versions,
                "compiling_ms": compiled.milliseconds,
            })
        };
        let program = |measured: &Measured| {
            let all = STRATEGIES.iter().zip(measured.outcomes.iter().zip(&measured.compiled));
            let policies: Map<String, Value> =
                all.map(|(strategy, (outcome, compiled))| (strategy.name.to_owned(), of(outcome, compiled))).collect();
            json!({ "name": measured.program.name, "policies": policies })
        };
        json!({
            "size": config.size.name(),
            "rounds": config.rounds,
            "programs": self.programs.iter().map(program).collect::<Vec<_>>(),
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
    use holloway_aos::event::examples;
    use holloway_study::report::style::OutputFormat;
    use std::time::Duration;

    #[test]
    fn strategies_stand_beside_the_first_one() {
        let programs = select(&["fib".to_owned()]).expect("it is a program");
        let rounds = Rounds::new(1).expect("one is enough");
        let config = RunsConfig {
            programs: programs.clone(),
            size: SizeName::Small,
            rounds,
            format: OutputFormat::Text,
            progress: Progress::Silent,
            executable: "/bin/holloway".into(),
        };
        let outcome = |milliseconds: u64| {
            let cpu = Duration::from_millis(milliseconds);
            Outcome::Measured(Series { runs: vec![Run { wall: cpu, cpu, peak_memory: PeakMemory::Exactly(1) }] })
        };
        let outcomes = (0..STRATEGIES.len() as u64).map(|nth| outcome(200 + 50 * nth)).collect();
        let compiled = vec![Compiled { versions: 3, milliseconds: 1.25 }; STRATEGIES.len()];
        let policies = Policies { programs: vec![Measured { program: programs[0], outcomes, compiled }] };
        let text = policies.text(&config);
        for told in ["0.200 s", "1.250", "3 in 1.2 ms", "geometric mean", "cost-benefit"] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert_eq!(policies.json(&config)["programs"][0]["policies"]["cost-benefit"]["versions"], 3);
        assert!(policies.faults().is_empty());
    }

    #[test]
    fn versions_are_those_that_were_compiled() {
        let compiled = Compiled::of(&examples());
        assert!(compiled.versions > 0 && compiled.milliseconds > 0.0, "{compiled:?}");
    }
}
