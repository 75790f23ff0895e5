//! Slices: those of [ZG01 Figure 10], and random executions against a dynamic dependence graph that is built while they run.
//!
//! In: worked examples, and the random programs of `programs`. Out: equal statements and reasons for approach 3, equal statements for
//! approach 2, and each approach a subset of the one before.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_profiler::graph::{ExitKind, Graph, Node};
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use holloway_profiler::wpp::slice::{
    Activation, ActivationId, Approach, Criterion, Definition, Execution, LocalId, Location, NoCells, Point, Procedure,
    Reason, Slice, Slicer, Statement, StatementId,
};
use proptest::prelude::*;

use super::blocks;
use super::programs::{Program, Run, programs};
use crate::common::conformance;

const FIG10_EDGES: [(usize, usize); 16] = [
    (1, 2),
    (2, 3),
    (3, 4),
    (4, 5),
    (4, 13),
    (5, 6),
    (6, 7),
    (6, 8),
    (7, 9),
    (8, 9),
    (9, 10),
    (10, 11),
    (11, 12),
    (12, 4),
    (13, 14),
    (0, 1),
];

/// For each statement of the figure, the variable that it sets and those that it uses.
const FIG10_STATEMENTS: [(&str, &str); 15] = [
    ("", ""),
    ("N", ""),
    ("I", ""),
    ("J", ""),
    ("", "IN"),
    ("X", ""),
    ("", "X"),
    ("Y", "X"),
    ("Y", "X"),
    ("Z", "Y"),
    ("", "Z"),
    ("J", ""),
    ("I", "I"),
    ("Z", "ZJ"),
    ("", ""),
];

fn variable(name: char) -> Location {
    Location::Local(LocalId::from_u32("NIJXYZ".find(name).unwrap() as u32))
}

fn figure_10(trace: &[u64]) -> Execution {
    let graph = Graph::from_pairs(15, &FIG10_EDGES, 0, 14, ExitKind::Block).unwrap();
    let mut blocks_of: SecondaryMap<Node, Vec<Statement>> = SecondaryMap::new();
    for (block, (target, uses)) in FIG10_STATEMENTS.iter().enumerate() {
        let uses: Vec<Location> = uses.chars().map(variable).collect();
        let definition = |name| Definition { target: variable(name), uses: uses.clone() };
        let definitions: Vec<Definition> = target.chars().map(definition).collect();
        let decides_on = if definitions.is_empty() { uses } else { Vec::new() };
        blocks_of[Node::new(block)] = vec![Statement { definitions, decides_on }];
    }
    let mut execution = Execution::default();
    let procedure = execution.procedures.push(Procedure { graph, blocks: blocks_of, parameters: Vec::new() });
    let trace = execution.traces.push(DynamicGraph::of_trace(blocks(trace)));
    execution.activations.push(Activation { procedure, trace, caller: None, failures: Vec::new() });
    execution
}

fn lines(slice: &Slice) -> Vec<usize> {
    slice.statements.keys().map(|statement| statement.block.index()).collect()
}

#[test]
fn the_slices_of_figure_10() {
    let example = conformance("twpp-slicing-fig10");
    let trace: Vec<u64> = serde_json::from_value(example["trace"].clone()).unwrap();
    let execution = figure_10(&trace);
    let graph = &execution.traces[holloway_profiler::wpp::slice::TraceId::from_u32(0)];
    for (block, times) in example["timestamps"].as_object().unwrap() {
        let (node, _) = graph.home(Node::new(block.parse().unwrap())).unwrap();
        assert_eq!(graph.times(node).to_string(), times.as_str().unwrap().replace(',', ", "));
    }
    let mut slicer = Slicer::new(&execution, &NoCells);
    let criterion =
        Criterion { activation: ActivationId::from_u32(0), point: Point::at(30, 0), location: variable('Z') };
    let approaches = [(Approach::Nodes, "1"), (Approach::Edges, "2"), (Approach::Instances, "3")];
    for (approach, number) in approaches {
        let slice = slicer.slice(criterion, approach).unwrap();
        let expected = &example["slice_on_Z_at_14"][format!("approach_{number}")];
        assert_eq!(serde_json::json!(lines(&slice)), *expected, "approach {number}");
        assert!(slice.unset.is_empty());
        let again = slicer.slice(criterion, approach).unwrap();
        assert_eq!(again.statements, slice.statements);
        match approach {
            Approach::Nodes | Approach::Edges => {
                assert!(again.queries <= 1, "the dependences are kept: {} queries", again.queries);
            }
            // There are too many.
            Approach::Instances => assert_eq!(again.queries, slice.queries),
        }
    }
}

/// Approach 3 has in memory what is live, however long the execution is.
#[test]
fn a_slice_of_a_long_execution_takes_no_more_memory() {
    let sliced = |iterations: usize| {
        let body = [[4, 5, 6, 7, 9, 10, 11, 12], [4, 5, 6, 8, 9, 10, 11, 12]];
        let loops = (0..iterations).flat_map(|at| body[at % 2]);
        let trace: Vec<u64> = [0, 1, 2, 3].into_iter().chain(loops).chain([4, 13, 14]).collect();
        let execution = figure_10(&trace);
        let point = Point::at(trace.len() as u64, 0);
        let criterion = Criterion { activation: ActivationId::from_u32(0), point, location: variable('I') };
        Slicer::new(&execution, &NoCells).slice(criterion, Approach::Instances).unwrap()
    };
    let (short, long) = (sliced(20), sliced(2_000));
    assert_eq!(long.statements, short.statements);
    assert!(long.queries > 50 * short.queries, "{} {}", long.queries, short.queries);
    assert_eq!(long.most_pending, short.most_pending);
}

/// The dependences of [ZG01 Figure 11], third algorithm: which query brought which statement in, by data or by control.
#[test]
fn the_reasons_of_figure_11() {
    let trace: Vec<u64> = serde_json::from_value(conformance("twpp-slicing-fig10")["trace"].clone()).unwrap();
    let execution = figure_10(&trace);
    let criterion =
        Criterion { activation: ActivationId::from_u32(0), point: Point::at(30, 0), location: variable('Z') };
    let slice = Slicer::new(&execution, &NoCells).slice(criterion, Approach::Instances).unwrap();
    let spell = |reason: &Reason| match reason {
        Reason::Data { location: Location::Local(local), user } => {
            let name = "NIJXYZ".chars().nth(local.index()).unwrap();
            user.map_or_else(|| format!("{name}"), |user| format!("{name}@{}", user.block.index()))
        }
        Reason::Data { location, .. } => panic!("{location:?} is no variable of the figure"),
        Reason::Control { of } => format!("control of {}", of.block.index()),
    };
    let reasons: Vec<String> = slice
        .statements
        .iter()
        .map(|(id, reasons)| {
            format!("{}: {}", id.block.index(), reasons.iter().map(spell).collect::<Vec<_>>().join(", "))
        })
        .collect();
    let expected = [
        "1: N@4",
        "2: I@4, I@12",
        "4: control of 4, control of 5, control of 6, control of 9, control of 11, control of 12",
        "5: X@6, X@7",
        "6: control of 7",
        "7: Y@9",
        "9: Z@13",
        "11: J@13",
        "12: I@4, I@12",
        "13: Z",
    ];
    assert_eq!(reasons, expected);
}

/// The statements of a slice, by definition: what the recorded dependences lead to.
fn naive_slice(run: &Run, event: usize, location: Location) -> BTreeMap<StatementId, BTreeSet<Reason>> {
    let mut slice: BTreeMap<StatementId, BTreeSet<Reason>> = BTreeMap::new();
    let (mut seen, mut pending) = (BTreeSet::new(), Vec::new());
    if let Some(unit) = run.events[event].reaching[&location] {
        pending.push((unit, Reason::Data { location, user: None }));
    }
    while let Some(((event, part), reason)) = pending.pop() {
        let at = &run.events[event];
        slice.entry(at.statement).or_default().insert(reason);
        if !seen.insert((event, part)) {
            continue;
        }
        for &location in at.uses(&run.execution, part) {
            let reason = Reason::Data { location, user: Some(at.statement) };
            pending.extend(at.reaching[&location].map(|unit| (unit, reason)));
        }
        pending.extend(at.control.map(|by| ((by, None), Reason::Control { of: at.statement })));
    }
    slice
}

/// The same closure over statements: the dependences of all executions of a part together.
fn naive_edges(run: &Run, event: usize, location: Location) -> BTreeSet<StatementId> {
    let mut edges: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for at in &run.events {
        for part in at.parts(&run.execution) {
            let sources = edges.entry((at.statement, part)).or_default();
            let data = at.uses(&run.execution, part).iter().filter_map(|location| at.reaching[location]);
            let all = data.chain(at.control.map(|by| (by, None)));
            sources.extend(all.map(|(event, part)| (run.events[event].statement, part)));
        }
    }
    let first = run.events[event].reaching[&location].map(|(event, part)| (run.events[event].statement, part));
    let mut pending: Vec<_> = first.into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(unit) = pending.pop() {
        if seen.insert(unit) {
            pending.extend(edges.get(&unit).into_iter().flatten().copied());
        }
    }
    seen.into_iter().map(|(statement, _)| statement).collect()
}

fn check(program: &Program) -> Result<(), TestCaseError> {
    let run = program.run();
    let mut slicer = Slicer::new(&run.execution, &run);
    for event in (0..run.events.len()).rev().step_by(1 + run.events.len() / 6) {
        let at = &run.events[event];
        for &location in at.reaching.keys() {
            let criterion = Criterion { activation: at.activation, point: at.point, location };
            let slices = [Approach::Nodes, Approach::Edges, Approach::Instances]
                .map(|approach| slicer.slice(criterion, approach).expect("the event is there"));
            let statements = slices.each_ref().map(|slice| slice.statements.keys().copied().collect::<BTreeSet<_>>());
            prop_assert_eq!(&slices[2].statements, &naive_slice(&run, event, location));
            prop_assert_eq!(&statements[1], &naive_edges(&run, event, location));
            prop_assert!(statements[2].is_subset(&statements[1]));
            let missing: Vec<_> = statements[1].difference(&statements[0]).collect();
            prop_assert!(missing.is_empty(), "approach 1 misses {:?}", missing);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(167))]

    #[test]
    fn slices_are_those_of_the_dependence_graph(program in programs()) {
        check(&program)?;
    }
}
