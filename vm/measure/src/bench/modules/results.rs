//! The modules of a folder, measured, and the figures that summarize them.
//!
//! In: runs. Out: ratios of least values, geometric means. Invariant: a ratio has both sides, of the same module.

use std::collections::BTreeMap;

use super::super::race::Fault;
use super::super::statistics::geometric_mean;
use super::contestant::{Comparison, Contestant};
use super::sample::Sample;
use crate::extent::{Rounds, SizeName};
use crate::subject::Subject;

/// A folder's modules, measured.
pub struct Modules {
    /// Number of runs of each contestant.
    pub(super) rounds: Rounds,
    /// The size of the workloads.
    pub(super) size: SizeName,
    /// Those that ran.
    pub(super) contestants: Vec<Contestant>,
    /// Those that are not installed.
    pub(super) absent: Vec<Contestant>,
    /// By module.
    pub(super) modules: Vec<Measured>,
}

/// One module, measured.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) size: u64,
    /// The output that all should print, once it is known.
    output: Option<String>,
    runs: BTreeMap<Contestant, Result<Vec<Sample>, Fault>>,
}

impl Measured {
    /// A module that did not run yet.
    pub(super) fn new(subject: &Subject) -> Measured {
        let Subject { name, size, output, .. } = subject.clone();
        Measured { name, size, output, runs: BTreeMap::new() }
    }

    pub(super) fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    pub(super) fn has_failed(&self, contestant: Contestant) -> bool {
        matches!(self.runs.get(&contestant), Some(Err(_)))
    }

    /// Adds a run.
    pub(super) fn add(&mut self, contestant: Contestant, run: Result<(Sample, String), Fault>) {
        let runs = self.runs.entry(contestant).or_insert_with(|| Ok(Vec::new()));
        match (run, runs) {
            (Ok((sample, output)), Ok(samples)) => {
                samples.push(sample);
                self.output.get_or_insert(output);
            }
            (Err(fault), runs) => *runs = Err(fault),
            (Ok(_), Err(_)) => unreachable!("who failed is not run again"),
        }
    }

    /// The runs of a contestant, in the order of the rounds; none if it failed.
    pub(super) fn samples(&self, contestant: Contestant) -> &[Sample] {
        self.runs.get(&contestant).and_then(|runs| runs.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn fault(&self, contestant: Contestant) -> Option<&Fault> {
        self.runs.get(&contestant)?.as_ref().err()
    }

    /// The least value of a figure.
    pub(super) fn least(&self, contestant: Contestant, of: fn(&Sample) -> f64) -> Option<f64> {
        self.samples(contestant).iter().map(of).min_by(f64::total_cmp)
    }

    /// The ratio of least values; values that are too small to measure have none.
    pub(super) fn ratio(&self, comparison: Comparison) -> Option<f64> {
        let (one, other) = comparison.sides;
        let (one, other) = (self.least(one, comparison.of)?, self.least(other, comparison.of)?);
        (one > 0.0 && other > 0.0).then(|| one / other)
    }
}

impl Modules {
    /// The geometric mean of a ratio.
    pub(super) fn mean(&self, comparison: Comparison) -> Option<f64> {
        geometric_mean(self.modules.iter().filter_map(|module| module.ratio(comparison)))
    }

    /// The largest ratio, and its module.
    pub(super) fn worst(&self, comparison: Comparison) -> Option<(&str, f64)> {
        let ratios = self.modules.iter().filter_map(|module| Some((module.name.as_str(), module.ratio(comparison)?)));
        ratios.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// A line for each contestant that failed or printed something else.
    pub fn faults(&self) -> Vec<String> {
        let of = |module: &Measured| {
            let fault = |contestant: &Contestant| {
                Some(format!("{}: {} {}", module.name, contestant.name(), module.fault(*contestant)?))
            };
            self.contestants.iter().filter_map(fault).collect::<Vec<_>>()
        };
        self.modules.iter().flat_map(of).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::contestant::COMPARISONS;
    use super::*;
    use crate::bench::Arithmetic;
    use crate::subject::Code;

    /// Two modules in two rounds; the second one's `auto` prints something else, and there is no Node.js.
    pub(in super::super) fn modules() -> Modules {
        let subject = |name: &str, output: Option<&str>| Subject {
            name: name.to_owned(),
            arithmetic: Arithmetic::Int,
            code: Code::Module(format!("{name}.wasm").into()),
            size: 7,
            output: output.map(str::to_owned),
        };
        let contestants = vec![Contestant::Optimized, Contestant::Auto, Contestant::Without, Contestant::Wasmtime];
        let mut modules = [subject("lua", None), subject("zstd", Some("1 2"))].map(|subject| Measured::new(&subject));
        for (at, module) in modules.iter_mut().enumerate() {
            for (by, contestant) in contestants.iter().enumerate() {
                for round in 0..2_u32 {
                    let cpu = (1.0 + at as f64) * (1.0 + by as f64) * (1.0 + f64::from(round) / 10.0);
                    let sample = Sample { ready: cpu / 10.0, cpu, wall: cpu / 2.0, memory: 1e6 * cpu };
                    module.add(*contestant, Ok((sample, "1 2".to_owned())));
                }
            }
        }
        let fault = Fault::WrongChecksum { expected: "1 2".to_owned(), found: "1 3".to_owned() };
        modules[1].add(Contestant::Auto, Err(fault));
        let (rounds, size) = (Rounds::new(2).unwrap(), SizeName::Mid);
        Modules { rounds, size, contestants, absent: vec![Contestant::Node], modules: modules.into() }
    }

    #[test]
    fn ratios_are_of_least_values() {
        let modules = modules();
        let of = |name: &str| *COMPARISONS.iter().find(|comparison| comparison.name == name).unwrap();
        assert_eq!(modules.modules[0].output(), Some("1 2"));
        assert_eq!(modules.mean(of("optimized/wasmtime")), Some(0.25));
        assert_eq!(
            (modules.mean(of("auto/wasmtime")), modules.worst(of("auto/wasmtime"))),
            (Some(0.5), Some(("lua", 0.5)))
        );
        assert_eq!((modules.mean(of("auto/node")), modules.worst(of("auto/node"))), (None, None));
        assert_eq!(modules.faults(), ["zstd: auto WRONG CHECKSUM: expected 1 2, printed 1 3"]);
    }
}
