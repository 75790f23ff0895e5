//! The time of a run: samples summed up by function, line and version.
//!
//! In: a run with samples. Out: [`Time`]. Own time is that of the innermost frame, with what the runtime did for it; inclusive time is
//! that of all samples in whose stack a function or line occurs, each counted once, however often it recurs there.
//! Invariant: own times, and what fell outside of the program's code, add up to the total.

use super::Run;
use super::record::Doing;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Times of one thing, in microseconds of CPU time of the program's thread.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Spent {
    /// In it alone.
    pub own: f64,
    /// The part of that in the runtime: allocation, collection, builtins, compilation at first calls.
    pub runtime: f64,
    /// In it and in what it called.
    pub inclusive: f64,
    /// Samples in it alone.
    pub samples: u64,
}

/// The time of a function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FunctionTime {
    /// Its index in the run.
    pub function: u32,
    /// The time.
    pub spent: Spent,
}

/// The time of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineTime {
    /// The index of its function in the run.
    pub function: u32,
    /// The line.
    pub line: u32,
    /// The time.
    pub spent: Spent,
}

/// The time in the code of a version.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VersionTime {
    /// Its index in the run.
    pub version: u32,
    /// The time; what is inlined into it is its own.
    pub spent: Spent,
}

/// The time of a run. Each list has what took most of its own time first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Time {
    /// All that samples stand for.
    pub total: f64,
    /// Samples.
    pub samples: u64,
    /// Time outside of the program's code.
    pub outside: f64,
    /// By function.
    pub functions: Vec<FunctionTime>,
    /// By line.
    pub lines: Vec<LineTime>,
    /// By version.
    pub versions: Vec<VersionTime>,
}

impl Time {
    /// The time of a run.
    pub fn of(run: &Run) -> Time {
        let mut by_stack: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
        for sample in &run.samples {
            let (time, count) = by_stack.entry(sample.stack).or_default();
            *time += sample.weight;
            *count += 1;
        }
        let mut time = Time::default();
        let (mut functions, mut lines, mut versions) = (Sums::default(), Sums::default(), Sums::default());
        for (stack, (weight, count)) in by_stack {
            let stack = &run.stacks[stack as usize];
            time.total += weight;
            time.samples += count;
            let frames: Vec<_> = stack.frames.iter().map(|frame| run.frames[*frame as usize]).collect();
            if frames.is_empty() {
                time.outside += weight;
                continue;
            }
            let fell = Fell { weight, count, in_runtime: stack.doing == Doing::Runtime };
            functions.add(frames.iter().map(|frame| frame.function), fell);
            lines.add(frames.iter().map(|frame| (frame.function, frame.line)), fell);
            versions.add(frames.iter().map(|frame| frame.version), fell);
        }
        time.functions = functions.sorted(|function, spent| FunctionTime { function, spent });
        time.lines = lines.sorted(|(function, line), spent| LineTime { function, line, spent });
        time.versions = versions.sorted(|version, spent| VersionTime { version, spent });
        time
    }

    /// The own time of a version.
    pub fn in_version(&self, version: u32) -> f64 {
        self.versions.iter().find(|found| found.version == version).map_or(0.0, |found| found.spent.own)
    }
}

/// Samples of one stack, summed up.
#[derive(Clone, Copy)]
struct Fell {
    weight: f64,
    count: u64,
    in_runtime: bool,
}

struct Sums<K>(BTreeMap<K, Spent>);

impl<K> Default for Sums<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Copy> Sums<K> {
    /// Adds samples whose stack has these, innermost first.
    fn add(&mut self, keys: impl Iterator<Item = K>, fell: Fell) {
        let mut seen = BTreeSet::new();
        for (nth, key) in keys.enumerate() {
            let spent = self.0.entry(key).or_default();
            if nth == 0 {
                spent.own += fell.weight;
                spent.samples += fell.count;
                spent.runtime += if fell.in_runtime { fell.weight } else { 0.0 };
            }
            if seen.insert(key) {
                spent.inclusive += fell.weight;
            }
        }
    }

    fn sorted<T>(self, make: impl Fn(K, Spent) -> T) -> Vec<T> {
        let mut all: Vec<(K, Spent)> = self.0.into_iter().collect();
        all.sort_by(|(a, of_a), (b, of_b)| of_b.own.total_cmp(&of_a.own).then(a.cmp(b)));
        all.into_iter().map(|(key, spent)| make(key, spent)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::record::{Frame, Sample, Stack};

    /// `main` calls `walk`, which calls itself; and both are inlined nowhere.
    fn run() -> Run {
        let frame = |function, line, version| Frame { function, line, version, inlined: false };
        let stack = |doing, frames: &[u32]| Stack { doing, frames: frames.to_vec(), left_out: None };
        let sample = |at, weight, stack| Sample { at, weight, stack };
        Run {
            frames: vec![frame(0, 9, 0), frame(1, 2, 1), frame(1, 3, 1)],
            stacks: vec![
                stack(Doing::Code, &[0]),
                stack(Doing::Runtime, &[1, 2, 2, 0]),
                stack(Doing::Code, &[2, 2, 0]),
                stack(Doing::Outside, &[]),
            ],
            samples: vec![
                sample(1.0, 1.0, 0),
                sample(3.0, 2.0, 1),
                sample(7.0, 4.0, 2),
                sample(15.0, 8.0, 3),
                sample(31.0, 16.0, 1),
            ],
            ..Run::default()
        }
    }

    #[test]
    fn a_function_counts_once_a_sample_however_often_it_recurs() {
        let time = Time::of(&run());
        let spent = |own, runtime, inclusive, samples| Spent { own, runtime, inclusive, samples };
        assert_eq!((time.total, time.outside, time.samples), (31.0, 8.0, 5));
        assert_eq!(time.functions[0], FunctionTime { function: 1, spent: spent(22.0, 18.0, 22.0, 3) });
        assert_eq!(time.functions[1], FunctionTime { function: 0, spent: spent(1.0, 0.0, 23.0, 1) });
        assert_eq!(time.lines[1], LineTime { function: 1, line: 3, spent: spent(4.0, 0.0, 22.0, 1) });
        assert_eq!(time.in_version(1), 22.0);
    }

    #[test]
    fn own_times_add_up() {
        let time = Time::of(&run());
        let sums = [
            time.functions.iter().map(|found| found.spent.own).sum::<f64>(),
            time.lines.iter().map(|found| found.spent.own).sum(),
            time.versions.iter().map(|found| found.spent.own).sum(),
        ];
        assert_eq!(sums.map(|sum| sum + time.outside), [time.total; 3]);
    }
}
