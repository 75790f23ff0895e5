//! Figures of paths with contexts and of paths across calls.
//!
//! In: the profile of a run by a scheme of `[MR98]`. Out: [`AcrossFigures`]. Invariant: a program that the scheme refuses has how many paths
//! it would have, if they can be counted, and no counts.

use serde::{Deserialize, Serialize};

use holloway::PathProfile;
use holloway_profiler::number::interprocedural::Arrival;
use holloway_profiler::scheme::{CrossRow, NotProfiled, View};

/// Figures of one program.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AcrossFigures {
    /// Number of possible paths; `None` if 128 bits do not count them.
    pub possible: Option<f64>,
    /// Bits that a number needs; `None` with it.
    pub bits: Option<u32>,
    /// Set if paths were counted.
    pub is_profiled: bool,
    /// Call sites that paths do not cross, beside the recursive ones.
    pub cut: u64,
    /// Number of paths executed.
    pub executed: u64,
    /// Number of distinct paths.
    pub distinct: u64,
    /// Number of paths executed that run through several activations.
    pub crossing: u64,
    /// Number of distinct ones.
    pub distinct_crossing: u64,
}

impl AcrossFigures {
    /// The figures of a profile.
    pub fn of(profile: &PathProfile) -> AcrossFigures {
        match profile.scheme.row().view {
            View::Across => of_program(profile),
            View::Edges | View::Paths | View::Sequences | View::Regions | View::Contexts => of_functions(profile),
        }
    }
}

/// Bits of the greatest of so many numbers.
fn bits(paths: u128) -> u32 {
    u128::BITS - paths.saturating_sub(1).leading_zeros()
}

fn of_program(profile: &PathProfile) -> AcrossFigures {
    let Some(program) = profile.programs.last() else { return AcrossFigures::default() };
    let plan = match program.plan() {
        Ok(plan) => plan,
        Err(NotProfiled::TooManyProgramPaths(paths)) => {
            let (possible, bits) = (paths.map(|paths| paths as f64), paths.map(bits));
            return AcrossFigures { possible, bits, ..AcrossFigures::default() };
        }
        Err(_) => return AcrossFigures::default(),
    };
    let paths = u128::from(plan.num_paths());
    let rows = program.results().map(|results| results.paths).unwrap_or_default();
    let crossing = || rows.iter().filter(|row| crosses(row));
    AcrossFigures {
        possible: Some(paths as f64),
        bits: Some(bits(paths)),
        is_profiled: true,
        cut: plan.cut_calls().1.len() as u64,
        executed: rows.iter().map(|row| row.count).sum(),
        distinct: rows.len() as u64,
        crossing: crossing().map(|row| row.count).sum(),
        distinct_crossing: crossing().count() as u64,
    }
}

/// Returns whether a path enters or leaves a call.
fn crosses(row: &CrossRow) -> bool {
    let vertices = row.path.context.iter().chain(&row.path.active);
    vertices.into_iter().any(|vertex| matches!(vertex.arrival, Arrival::Call | Arrival::Return(_)))
}

fn of_functions(profile: &PathProfile) -> AcrossFigures {
    let mut figures = AcrossFigures { possible: Some(0.0), is_profiled: true, ..AcrossFigures::default() };
    for function in &profile.functions {
        let paths = match &function.plan {
            Ok(plan) => plan.num_paths().map(u128::from),
            Err(NotProfiled::TooManyContexts(paths)) => *paths,
            Err(_) => None,
        };
        figures.possible = figures.possible.zip(paths).map(|(sum, paths)| sum + paths as f64);
        figures.bits = figures.bits.max(paths.map(bits));
        let rows = function.results().paths;
        figures.executed += rows.iter().map(|row| row.count).sum::<u64>();
        figures.distinct += rows.len() as u64;
    }
    figures
}
