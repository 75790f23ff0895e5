//! The probes of a run: their variables, and the functions that have none.
//!
//! In: the profile of a run. Out: [`ProbeFigures`], for table 1 of `[DD13]`. Invariant: a function whose plan failed has no probes, so
//! its paths are missing from the profile.

use serde::{Deserialize, Serialize};

use holloway::PathProfile;
use holloway_profiler::plan::Plan;

/// Figures of a program's probes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProbeFigures {
    /// The most variables that the probes of one function keep.
    pub variables: u64,
    /// Number of functions that the scheme could not profile.
    pub unprofiled: u64,
}

impl ProbeFigures {
    /// The figures of a profile.
    pub fn of(profile: &PathProfile) -> ProbeFigures {
        let plans = || profile.functions.iter().map(|function| function.plan.as_ref());
        ProbeFigures {
            variables: plans().flatten().map(|plan| variables(&plan.plan)).max().unwrap_or(0),
            unprofiled: plans().filter(Result::is_err).count() as u64,
        }
    }
}

/// The path register; or an accumulator for each of k iterations, whose values tell the number of the iteration.
fn variables(plan: &Plan) -> u64 {
    match plan.most_iterations() {
        1 => u64::from(plan.uses_path_register()),
        k => u64::from(k),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_profiler::graph::{ExitKind, Graph};
    use holloway_profiler::scheme::Scheme;

    #[test]
    fn one_register_or_one_for_each_iteration() {
        // A loop of two paths: entry 0, header 1, sides 2 and 3, latch 4, exit 5.
        let pairs = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)];
        let graph = Graph::from_pairs(6, &pairs, 0, 5, ExitKind::Synthetic).unwrap();
        let of = |name: &str, k: u64| {
            let scheme = Scheme::named(name).and_then(|scheme| scheme.with_k(k).ok()).expect("the registry has it");
            variables(&scheme.plan(graph.clone(), None).expect("it counts paths").expect("it has a plan").plan)
        };
        assert_eq!((of("bl", 1), of("k-bl", 2), of("k-bl", 16)), (1, 1, 1));
        assert_eq!((of("k-iter", 2), of("k-iter", 3)), (2, 3));
    }
}
