//! Slices of random programs equal those of the dependence graph by brute force.
//!
//! In: random programs; reads of variables as criteria. Out: approach 3 against the closure over the graph, and that each approach's slice is
//! within the one before.

use super::dependence_graph::{DependenceGraph, Read, ReadVariable, function_name};
use super::programs::{ARRAYS, TestProgram};
use crate::common::programs::{FAILURES, seeds};
use holloway_generator::{Size, program};
use holloway_profiler::wpp::slice::{ActivationId, Approach, Criterion, Point, Slicer, StatementId};
use holloway_study::trace::execution::ProgramExecution;
use holloway_study::trace::facts::locations;
use std::collections::BTreeSet;

/// Number of criteria in one program.
const CRITERIA: usize = 12;

#[test]
fn slices_of_random_programs_equal_those_by_brute_force() {
    for seed in seeds(20) {
        let source = program(seed, if seed % 4 == 0 { Size::Medium } else { Size::Small });
        check(&format!("seed {seed}"), &source);
    }
}

#[test]
fn slices_through_failures_equal_those_by_brute_force() {
    check("failures", FAILURES);
}

#[test]
fn slices_through_whole_arrays_equal_those_by_brute_force() {
    check("arrays", ARRAYS);
}

#[test]
fn slices_through_printed_values_equal_those_by_brute_force() {
    check(
        "printed values",
        "enum E { A, B(int, list[int]), C(str, E) }
         struct P { x: int?, d: dict[str, int], t: (int, E) }
         fn make(n: int) -> P {
             let d: dict[str, int] = dict()
             for word in \"one two three two\".split() { d[word] = d.get(word, n) + 1 }
             return P(x: none, d: d, t: (n, E.C(\"c\", E.B(n, list(1, 2)))))
         }
         fn main() {
             let p = make(3)
             let before = f\"{p}\"
             p.x = 4
             p.d.remove(\"two\")
             let after = f\"{p} {p.x:>3}\"
             let parts = after.split(\",\")
             parts.push(str(len(before)))
             let joined = parts.join(\"-\")
             let s = set(1, 2)
             s.add(p.d[\"one\"])
             let shown = f\"{s} {joined[..4]}\"
             print(joined, shown, len(shown), joined.chars()[2])
         }",
    );
}

fn check(name: &str, source: &str) {
    check_program(name, source, &TestProgram::new(source));
}

/// Compares the slices of a program by some of its reads. Returns the statements that they had.
pub(super) fn check_program(name: &str, source: &str, program: &TestProgram) -> usize {
    let graph = program.watch(DependenceGraph::new(program.module()));
    let run = program.execution("");
    let mut slicer = Slicer::new(&run.execution, &run.memory);
    let distance = (graph.reads.len() / CRITERIA).max(1);
    let mut found = 0;
    for read in graph.reads.iter().rev().step_by(distance).take(CRITERIA) {
        let criterion = criterion_of(&run, *read);
        let mut statements = |approach| -> BTreeSet<StatementId> {
            let slice = slicer.slice(criterion, approach).expect("it was executed");
            slice.statements.into_keys().collect()
        };
        let exact = statements(Approach::Instances);
        found += exact.len();
        let expected = graph.slice(*read);
        if exact != expected {
            let show = |set: &BTreeSet<StatementId>, other: &BTreeSet<StatementId>| {
                let only = set.difference(other);
                only.map(|it| format!("{}:{it:?} ", function_name(program.module(), *it))).collect::<String>()
            };
            panic!(
                "{name}, {read:?}\nmissing {}\nextra {}\n{source}",
                show(&expected, &exact),
                show(&exact, &expected)
            );
        }
        let edges = statements(Approach::Edges);
        let nodes = statements(Approach::Nodes);
        assert!(exact.is_subset(&edges), "{name}, {read:?}: approach 3 is not within 2\n{source}");
        assert!(edges.is_subset(&nodes), "{name}, {read:?}: approach 2 is not within 1\n{source}");
    }
    found
}

fn criterion_of(run: &ProgramExecution, read: Read) -> Criterion {
    let location = match read.variable {
        ReadVariable::Local(local) => locations::local(local),
        ReadVariable::Global(global) => locations::global(global),
    };
    let activation = ActivationId::from_u32(read.activation);
    assert!(run.execution.activations.is_valid(activation), "the executions are the same");
    Criterion { activation, point: Point::at(read.time, read.statement), location }
}
