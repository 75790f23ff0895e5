//! TFP against the same properties, evaluated by definition on the blocks passed.

use std::collections::BTreeMap;

use super::common;
use cranelift_entity::EntityRef;
use holloway_profiler::graph::{EdgeId, ExitKind, Graph, LoopId, LoopNest, Node};
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::persistence::{Ending, Findings, Keep, PathFrequencies, Persistence, RegionPlace, Regions};
use holloway_profiler::plan::BitRegister;
use proptest::prelude::*;

use super::common::{Activation, Run, activation_of, conformance, execute, runs, structured_runs};

/// One execution of a region, by definition: the places passed, and the edges of the region taken between them.
#[derive(Clone, Debug, PartialEq)]
struct Execution {
    places: Vec<RegionPlace>,
    edges: Vec<EdgeId>,
}

fn place(nest: &LoopNest, around: Option<LoopId>, node: Node) -> RegionPlace {
    let mut inner = None;
    let mut at = nest.innermost(node);
    while at != around {
        inner = at;
        at = nest.get(at.unwrap()).parent;
    }
    inner.map_or(RegionPlace::Block(node), |id| RegionPlace::Loop(nest.get(id).header))
}

/// The executions of a loop: the parts of one activation from the header to a back edge. Those of the body: activations
/// that return.
fn executions(graph: &Graph, nest: &LoopNest, around: Option<LoopId>, activation: &Activation) -> Vec<Execution> {
    let mut done = Vec::new();
    let mut open: Option<Execution> = None;
    let head = around.map_or(graph.entry(), |id| nest.get(id).header);
    let fresh = || Some(Execution { places: vec![place(nest, around, head)], edges: Vec::new() });
    if head == graph.entry() {
        open = fresh();
    }
    for &id in &activation.edges {
        let edge = graph.edge(id);
        let within = |node| around.is_none_or(|id| nest.contains(id, node));
        if !within(edge.to) {
            open = None;
        } else if around.is_some() && edge.to == head {
            if within(edge.from) {
                let mut execution = open.take().unwrap();
                execution.edges.push(id);
                done.push(execution);
            }
            open = fresh();
        } else if let Some(execution) = &mut open {
            let (from, to) = (place(nest, around, edge.from), place(nest, around, edge.to));
            if from != to {
                execution.edges.push(id);
                if graph.is_block(edge.to) {
                    execution.places.push(to);
                }
            }
        }
    }
    if around.is_none() && activation.aborted_in.is_none() {
        done.extend(open);
    }
    done
}

fn check(
    found: &Findings,
    window: &[Execution],
    all: &[RegionPlace],
    monitored: &[EdgeId],
) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.executions, window.len() as u64);
    let one = window.iter().all(|e| e.places == window[0].places);
    prop_assert_eq!(&found.path, &one.then(|| window[0].places.clone()));
    let mut untaken: Vec<RegionPlace> =
        all.iter().copied().filter(|p| window.iter().all(|e| !e.places.contains(p))).collect();
    let mut said = found.untaken.clone();
    untaken.sort();
    said.sort();
    prop_assert_eq!(said, untaken);
    prop_assert_eq!(&found.segments, &segments(window));
    for &edge in monitored {
        let taken = window.iter().any(|e| e.edges.contains(&edge));
        prop_assert!(found.edges.contains(&(edge, taken)), "{} in {:?}", edge, found.edges);
    }
    let mut runs = vec![1_u64];
    for pair in window.windows(2) {
        match pair[0].places == pair[1].places {
            true => *runs.last_mut().unwrap() += 1,
            false => runs.push(1),
        }
    }
    prop_assert_eq!((found.least, found.greatest), (*runs.iter().min().unwrap(), *runs.iter().max().unwrap()));
    Ok(())
}

/// Pairs of places that follow each other in every execution, joined.
fn segments(window: &[Execution]) -> Vec<Vec<RegionPlace>> {
    let mut segments: Vec<Vec<RegionPlace>> = Vec::new();
    for pair in window[0].places.windows(2) {
        let always = window.iter().all(|e| e.places.windows(2).any(|p| p == pair));
        if always {
            match segments.last_mut() {
                Some(last) if last.last() == Some(&pair[0]) => last.push(pair[1]),
                _ => segments.push(pair.to_vec()),
            }
        }
    }
    segments
}

fn check_run(run: &Run, k: u64) -> Result<(), TestCaseError> {
    let graph = &run.graph;
    let regions = Regions::new(graph).unwrap();
    let nest = LoopNest::of(graph);
    let mut persistence = Persistence::new(regions.clone(), k, Ending::Fixed);
    let monitored: Vec<EdgeId> =
        graph.edges().map(|(id, _)| id).filter(|&id| persistence.monitor(graph, id).is_ok()).collect();
    persistence.count_paths();
    execute(run, &mut Machine::new(graph, regions.plan(graph)), &mut persistence);
    let finished = persistence.take_finished();
    for (register, region) in regions.iter() {
        let all: Vec<Execution> =
            run.activations.iter().flat_map(|a| executions(graph, &nest, region.around, a)).collect();
        let mut naive: BTreeMap<Vec<RegionPlace>, u64> = BTreeMap::new();
        all.iter().for_each(|execution| *naive.entry(execution.places.clone()).or_insert(0) += 1);
        let counted = persistence.frequencies(register).unwrap().paths();
        let spelled: Vec<(Vec<RegionPlace>, u64)> = counted.iter().map(|(bits, n)| (region.path(bits), *n)).collect();
        prop_assert_eq!(spelled.len(), naive.len());
        prop_assert_eq!(spelled.into_iter().collect::<BTreeMap<_, _>>(), naive);
        let ours: Vec<&Findings> = finished.iter().filter(|f| f.register == register).collect();
        let whole = all.chunks_exact(k as usize);
        let rest = whole.remainder();
        prop_assert_eq!(ours.len(), whole.len());
        let here: Vec<EdgeId> = monitored
            .iter()
            .copied()
            .filter(|&e| persistence.current(register).edges.iter().any(|&(edge, _)| edge == e))
            .collect();
        for (found, window) in ours.iter().zip(whole) {
            check(found, window, &region.places, &here)?;
            prop_assert_eq!(found.is_persistent(), found.path.is_some());
        }
        if !rest.is_empty() {
            check(&persistence.current(register), rest, &region.places, &here)?;
        }
    }
    // An edge between two places can be monitored unless another edge joins the same two places.
    let ends = |id: EdgeId| {
        let edge = graph.edge(id);
        let around = nest.common(edge.from, edge.to);
        (around, place(&nest, around, edge.from), place(&nest, around, edge.to))
    };
    for (id, _) in graph.edges() {
        let twins = graph.edges().filter(|&(other, _)| ends(other) == ends(id)).count();
        prop_assert_eq!(monitored.contains(&id), twins == 1, "{}", id);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(86))]

    #[test]
    fn structured_programs(run in structured_runs(), k in 1..5_u64) {
        check_run(&run, k)?;
    }

    #[test]
    fn reducible_graphs_with_failures(run in runs(), k in 1..4_u64) {
        if LoopNest::of(&run.graph).irreducible().is_none() {
            check_run(&run, k)?;
        }
    }

    #[test]
    fn irreducible_graphs_are_refused(run in runs()) {
        prop_assert_eq!(Regions::new(&run.graph).is_err(), LoopNest::of(&run.graph).irreducible().is_some());
    }
}

/// Figure 3 with the node D, absent from its text: A -> B | C, B -> C | E, C -> D | E, D -> F, E -> F, F -> A | exit.
fn figure_3() -> (Graph, Vec<String>) {
    let pairs = [(0, 1), (0, 2), (1, 2), (1, 4), (2, 3), (2, 4), (3, 5), (4, 5), (5, 0), (5, 6)];
    let names = ["A", "B", "C", "D", "E", "F", "X"].map(String::from).to_vec();
    (Graph::from_pairs(7, &pairs, 0, 6, ExitKind::Block).unwrap(), names)
}

fn spelled(places: &[RegionPlace], names: &[String]) -> String {
    places
        .iter()
        .map(|p| match p {
            RegionPlace::Block(n) | RegionPlace::Loop(n) => names[n.index()].as_str(),
        })
        .collect()
}

fn binary(words: &[u64]) -> String {
    format!("{:05b}", words[0])
}

fn iterate(executions: &serde_json::Value, graph: &Graph, names: &[String]) -> (Run, u64) {
    let list = executions.as_array().unwrap();
    let text: String = list.iter().map(|e| e.as_str().unwrap()).collect();
    // One more A closes the last iteration; the position afterwards does not matter.
    let blocks: Vec<String> = text.chars().map(String::from).chain(["A".to_string()]).collect();
    let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
    let mut activation = activation_of(graph, names, &blocks);
    activation.aborted_in = Some(graph.entry());
    (Run { graph: graph.clone(), activations: vec![activation] }, list.len() as u64)
}

#[derive(Default)]
struct Registers(Vec<String>);

impl Sink for Registers {
    fn fold(&mut self, _: BitRegister, bits: &[u64]) {
        self.0.push(binary(bits));
    }
}

#[test]
fn figure_3_registers() {
    let example = conformance("tfp-fig3");
    let (graph, names) = figure_3();
    let regions = Regions::new(&graph).unwrap();
    let region = regions.get(regions.loop_at(graph.entry()).unwrap());
    for (bit, &place) in region.places.iter().enumerate() {
        assert_eq!(example["bits"][spelled(&[place], &names)].as_u64().unwrap(), bit as u64);
    }
    for (path, register) in example["registers"].as_object().unwrap() {
        let (run, _) = iterate(&serde_json::json!([path]), &graph, &names);
        let mut registers = Registers::default();
        execute(&run, &mut Machine::new(&graph, regions.plan(&graph)), &mut registers);
        assert_eq!(registers.0, [register.as_str().unwrap()]);
    }
}

#[test]
fn figure_3_properties() {
    let example = conformance("tfp-fig3");
    let (graph, names) = figure_3();
    for case in ["persistent_path", "always_taken"] {
        let case = &example[case];
        let (run, k) = iterate(&case["executions"], &graph, &names);
        let regions = Regions::new(&graph).unwrap();
        let register = regions.loop_at(graph.entry()).unwrap();
        // K is one above the number of executions, so that the window stays open and can be inspected.
        let mut open = Persistence::new(regions.clone(), k + 1, Ending::Fixed);
        execute(&run, &mut Machine::new(&graph, regions.plan(&graph)), &mut open);
        assert_eq!(binary(open.window(register).and()), case["and"].as_str().unwrap());
        assert_eq!(binary(open.window(register).or()), case["or"].as_str().unwrap());
        let mut closed = Persistence::new(regions.clone(), k, Ending::Fixed);
        execute(&run, &mut Machine::new(&graph, regions.plan(&graph)), &mut closed);
        let findings = closed.take_finished();
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].is_persistent(), case["persistent"].as_bool().unwrap());
        if let Some(segments) = case["segments"].as_array() {
            let ours: Vec<String> = findings[0].segments.iter().map(|s| spelled(s, &names)).collect();
            assert_eq!(ours, segments.iter().map(|s| s.as_str().unwrap()).collect::<Vec<_>>());
            assert_eq!(spelled(&findings[0].untaken, &names), "D");
        } else {
            assert_eq!(spelled(findings[0].path.as_ref().unwrap(), &names), "ABEF");
        }
    }
}

/// Figure 2: a loop with a conditional, whose outcomes are `choices`.
fn figure_2(choices: impl Iterator<Item = bool>, k: u64, ending: Ending) -> Vec<Findings> {
    let pairs = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)];
    let graph = Graph::from_pairs(6, &pairs, 0, 5, ExitKind::Synthetic).unwrap();
    let regions = Regions::new(&graph).unwrap();
    let header = regions.loop_at(Node::new(1)).unwrap();
    let edge = |from: usize, to: usize| graph.find_edge(Node::new(from), Node::new(to)).unwrap();
    let mut edges = vec![edge(0, 1)];
    for choice in choices {
        let call = if choice { 2 } else { 3 };
        edges.extend([edge(1, call), edge(call, 4), edge(4, 1)]);
    }
    let aborted_in = Some(Node::new(1));
    let run = Run { activations: vec![Activation { edges, aborted_in }], graph };
    let mut persistence = Persistence::new(regions.clone(), k, ending);
    execute(&run, &mut Machine::new(&run.graph, regions.plan(&run.graph)), &mut persistence);
    let mut finished = persistence.take_finished();
    finished.retain(|f| f.register == header);
    finished
}

#[test]
fn figure_2_tells_persistence_from_frequency() {
    let alternating = figure_2((0..100).map(|i| i % 2 == 0), 50, Ending::Fixed);
    assert_eq!(alternating.iter().map(Findings::is_persistent).collect::<Vec<_>>(), [false, false]);
    assert_eq!((alternating[0].least, alternating[0].greatest), (1, 1));
    let halves = figure_2((0..100).map(|i| i < 50), 50, Ending::Fixed);
    assert_eq!(halves.iter().map(Findings::is_persistent).collect::<Vec<_>>(), [true, true]);
    assert_ne!(halves[0].path, halves[1].path);
}

#[test]
fn an_early_window_ends_when_k_in_a_row_took_one_path() {
    // 3 executions of one path, then 12 of the other: a fixed window of 10 sees both paths, and the next is partial.
    let choices = || (0..15).map(|i| i >= 3);
    assert_eq!(figure_2(choices(), 10, Ending::Fixed).iter().filter(|f| f.is_persistent()).count(), 0);
    let early = figure_2(choices(), 10, Ending::Early);
    let found: Vec<(u64, bool)> = early.iter().map(|f| (f.executions, f.is_persistent())).collect();
    assert_eq!(found, [(10, false), (3, true)]);
}

#[test]
fn what_was_left_out_ends_persistence() {
    let graph = Graph::from_pairs(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], 0, 3, ExitKind::Synthetic).unwrap();
    let regions = Regions::new(&graph).unwrap();
    let register = regions.loop_at(Node::new(1)).unwrap();
    let found = |before: u64, after: u64, is_interrupted: bool| {
        let mut persistence = Persistence::new(regions.clone(), 10, Ending::Early);
        persistence.folds(register, &[1], before);
        if is_interrupted {
            persistence.interrupt();
        }
        persistence.folds(register, &[1], after);
        let persistent = persistence.take_finished().iter().filter(|findings| findings.is_persistent()).count();
        (persistent, persistence.overall(register).greatest)
    };
    assert_eq!(found(6, 6, false), (1, 12));
    assert_eq!(found(6, 6, true), (0, 6));
    assert_eq!(found(6, 16, true), (1, 16));
}

#[test]
fn persistence_counts_across_calls_and_not_across_recursion() {
    // A loop with two iterations a call: entry 0, header 1, body 2, exit 3.
    let graph = Graph::from_pairs(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], 0, 3, ExitKind::Synthetic).unwrap();
    let regions = Regions::new(&graph).unwrap();
    let register = regions.loop_at(Node::new(1)).unwrap();
    let mut persistence = Persistence::new(regions.clone(), 6, Ending::Fixed);
    let mut machine = Machine::new(&graph, regions.plan(&graph));
    let edge = |from: usize, to: usize| graph.find_edge(Node::new(from), Node::new(to)).unwrap();
    let steps = [edge(0, 1), edge(1, 2), edge(2, 1), edge(1, 2), edge(2, 1), edge(1, 3)];
    // The second call happens during the first.
    let mut outer = machine.enter(&mut persistence);
    for &step in &steps[..2] {
        machine.take(&mut outer, step, &mut persistence);
    }
    for _ in 0..2 {
        let mut inner = machine.enter(&mut persistence);
        for &step in &steps {
            machine.take(&mut inner, step, &mut persistence);
        }
    }
    assert_eq!(persistence.window(register).executions(), 4);
    for &step in &steps[2..] {
        machine.take(&mut outer, step, &mut persistence);
    }
    let finished = persistence.take_finished();
    assert_eq!(finished.len(), 1);
    assert_eq!(finished[0].path, Some(vec![RegionPlace::Block(Node::new(1)), RegionPlace::Block(Node::new(2))]));
}

#[test]
fn a_region_of_two_hundred_places_has_four_words() {
    let mut pairs = Vec::new();
    let diamonds = 66;
    for i in 0..diamonds {
        let at = 3 * i;
        pairs.extend([(at, at + 1), (at, at + 2), (at + 1, at + 3), (at + 2, at + 3)]);
    }
    let last = 3 * diamonds;
    pairs.extend([(last, 0), (last, last + 1)]);
    let graph = Graph::from_pairs(last + 2, &pairs, 0, last + 1, ExitKind::Synthetic).unwrap();
    let regions = Regions::new(&graph).unwrap();
    assert_eq!(regions.words(regions.loop_at(graph.entry()).unwrap()), 4);
    // Every place's bit is above those of the places before it.
    let choices: Vec<u8> = (0..400).map(|i| if i % 133 == 132 { 0 } else { (i * i % 7) as u8 }).collect();
    let activations = common::walk(&graph, &choices);
    check_run(&Run { graph, activations }, 1).unwrap();
}

proptest! {
    /// Equal executions recorded together give the same result as one after the other, with or without findings.
    #[test]
    fn runs_of_executions_may_be_booked_together(
        rows in prop::collection::vec((0..4_u64, 1..40_u64), 1..12),
        k in 1..9_u64,
        early in any::<bool>(),
    ) {
        // A loop of two diamonds: bits of B, C and the joins vary with the choice.
        let pairs = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)];
        let graph = Graph::from_pairs(6, &pairs, 0, 5, ExitKind::Block).unwrap();
        let regions = Regions::new(&graph).unwrap();
        let ending = if early { Ending::Early } else { Ending::Fixed };
        let register = regions.loop_at(Node::from_u32(1)).unwrap();
        let make = |keep| {
            let mut persistence = Persistence::keeping(keep, regions.clone(), k, ending);
            persistence.monitor_all(&graph);
            persistence.count_paths();
            persistence
        };
        let (mut one_by_one, mut together, mut summed) = (make(Keep::Findings), make(Keep::Findings), make(Keep::Summary));
        for &(bits, count) in &rows {
            (0..count).for_each(|_| one_by_one.fold(register, &[bits]));
            together.folds(register, &[bits], count);
            summed.folds(register, &[bits], count);
        }
        prop_assert_eq!(one_by_one.take_finished(), together.take_finished());
        prop_assert!(summed.take_finished().is_empty());
        for other in [&together, &summed] {
            prop_assert_eq!(one_by_one.summary(register), other.summary(register));
            prop_assert_eq!(one_by_one.overall(register), other.overall(register));
            prop_assert_eq!(one_by_one.current(register), other.current(register));
            let paths = |of: &Persistence| of.frequencies(register).unwrap().paths();
            prop_assert_eq!(paths(&one_by_one), paths(other));
        }
        // By definition: runs of executions along one path, and the places passed by any of them.
        let merged: Vec<u64> = rows.chunk_by(|a, b| a.0 == b.0).map(|run| run.iter().map(|r| r.1).sum()).collect();
        let overall = summed.overall(register);
        prop_assert_eq!(overall.executions, merged.iter().sum::<u64>());
        prop_assert_eq!(Some(overall.least), merged.iter().min().copied());
        prop_assert_eq!(Some(overall.greatest), merged.iter().max().copied());
        let ever = rows.iter().fold(0, |all, (bits, _)| all | bits);
        let never = regions.get(register).places.iter().enumerate().filter(|(bit, _)| ever >> bit & 1 == 0);
        prop_assert_eq!(overall.untaken, never.map(|(_, place)| *place).collect::<Vec<_>>());
    }
}

proptest! {
    /// The places that none of the last K executions or more passed, where K were.
    #[test]
    fn places_are_untaken_by_k_executions(
        rows in prop::collection::vec((0..64_u64, 1..20_u64), 1..12),
        k in 1..30_u64,
        early in any::<bool>(),
    ) {
        let pairs = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (5, 1), (5, 6)];
        let graph = Graph::from_pairs(7, &pairs, 0, 6, ExitKind::Block).unwrap();
        let regions = Regions::new(&graph).unwrap();
        let register = regions.loop_at(Node::from_u32(1)).unwrap();
        let places = &regions.get(register).places;
        let ending = if early { Ending::Early } else { Ending::Fixed };
        let mut persistence = Persistence::keeping(Keep::Last, regions.clone(), k, ending);
        let mut all: Vec<u64> = Vec::new();
        for &(bits, count) in &rows {
            let bits = bits & ((1 << places.len()) - 1);
            persistence.folds(register, &[bits], count);
            (0..count).for_each(|_| all.push(bits));
            let (untaken, executions) = persistence.untaken(register);
            let latest = &all[all.len() - executions as usize..];
            let taken = latest.iter().fold(0, |taken, bits| taken | bits);
            let never = places.iter().enumerate().filter(|(bit, _)| taken >> bit & 1 == 0);
            prop_assert_eq!(untaken, never.map(|(_, place)| *place).collect::<Vec<_>>());
            prop_assert!(executions >= k.min(all.len() as u64));
        }
    }
}

proptest! {
    /// Random streams of registers, of one word and of several, against a sorted list of all that was counted.
    #[test]
    fn frequencies_of_a_random_stream(
        stream in prop::collection::vec((prop::collection::vec(0..3_u64, 3), 1..5_u64), 0..60),
        words in 1..4_u32,
    ) {
        let mut frequencies = PathFrequencies::new(words);
        let mut naive: Vec<Vec<u64>> = Vec::new();
        for (r, count) in &stream {
            let r = &r[..words as usize];
            frequencies.add(r, *count);
            (0..*count).for_each(|_| naive.push(r.to_vec()));
        }
        naive.sort_unstable();
        let runs: Vec<(Vec<u64>, u64)> = naive.chunk_by(|a, b| a == b).map(|run| (run[0].clone(), run.len() as u64)).collect();
        prop_assert_eq!((frequencies.len(), frequencies.is_empty()), (runs.len(), runs.is_empty()));
        prop_assert_eq!(frequencies.paths(), runs);
    }
}
