//! Intraprocedural context paths against brute force.
//!
//! In: random reducible graphs and executions, and small graphs worked by hand. Out: numbers compared with a search of the
//! transformed graph, counts with naive ones.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use holloway_profiler::graph::{DepthFirst, ExitKind, Graph, Node};
use holloway_profiler::number::context::encode::{Activation, ContextCounts};
use holloway_profiler::number::context::{ContextError, ContextPath, number_contexts};
use holloway_profiler::path_id::{PathEnd, PathStart};
use proptest::prelude::*;

use super::common::{Run, structured_runs};

const MOST: usize = 2000;

fn empty() -> ContextPath {
    ContextPath { start: PathStart::Entry, blocks: Vec::new(), surrogates: Vec::new(), end: PathEnd::Return }
}

impl Search<'_> {
    /// Every path of the transformed graph from `node` on; false if there are too many.
    fn visit(&mut self, node: Node, mut path: ContextPath) -> bool {
        if self.graph.is_block(node) {
            path.blocks.push(node);
        }
        let is_header = self.order.back_edges().iter().any(|&edge| self.graph.edge(edge).to == node);
        let mut copies = vec![path.clone()];
        if is_header {
            path.surrogates.push(path.blocks.len());
            path.blocks.push(node);
            copies.push(path);
        }
        copies.into_iter().all(|copy| self.leave(node, copy))
    }

    fn leave(&mut self, node: Node, path: ContextPath) -> bool {
        let ways = self.graph.successors(node);
        let end = match node == self.graph.exit() {
            true => Some(PathEnd::Return),
            false if ways.is_empty() => Some(PathEnd::DeadEnd),
            false => ways.iter().any(|&edge| self.order.is_back_edge(edge)).then_some(PathEnd::Cut),
        };
        if let Some(end) = end {
            self.found.push(ContextPath { end, ..path.clone() });
        }
        let kept = ways.iter().filter(|&&edge| !self.order.is_back_edge(edge));
        let kept: Vec<Node> = kept.map(|&edge| self.graph.edge(edge).to).collect();
        self.found.len() <= MOST && kept.into_iter().all(|to| self.visit(to, path.clone()))
    }
}

struct Search<'a> {
    graph: &'a Graph,
    order: DepthFirst,
    found: Vec<ContextPath>,
}

/// Counts of whole paths and of prefixes, by definition.
fn naive(run: &Run) -> [BTreeMap<ContextPath, u64>; 2] {
    let (graph, order) = (&run.graph, DepthFirst::new(&run.graph));
    let [mut paths, mut prefixes] = [BTreeMap::new(), BTreeMap::new()];
    for activation in &run.activations {
        let mut path = ContextPath { blocks: vec![graph.entry()], ..empty() };
        let mut saved = BTreeMap::from([(graph.entry(), path.clone())]);
        for &edge in &activation.edges {
            let to = graph.edge(edge).to;
            if order.is_back_edge(edge) {
                *paths.entry(ContextPath { end: PathEnd::Cut, ..path }).or_default() += 1;
                path = saved[&to].clone();
                path.surrogates.push(path.blocks.len());
                path.blocks.push(to);
                continue;
            }
            if graph.is_block(to) {
                path.blocks.push(to);
            }
            saved.insert(to, path.clone());
        }
        match activation.aborted_in {
            Some(_) => *prefixes.entry(ContextPath { end: PathEnd::Failure, ..path }).or_default() += 1,
            None => *paths.entry(path).or_default() += 1,
        }
    }
    [paths, prefixes]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(667))]

    /// The search finds the paths in the order of their numbers: they are dense, unique, and decoded into these paths.
    #[test]
    fn numbers_are_those_of_an_exhaustive_search(run in structured_runs()) {
        let graph = &run.graph;
        let numbering = number_contexts(graph).expect("structured graphs are reducible");
        let mut search = Search { graph, order: DepthFirst::new(graph), found: Vec::new() };
        if !search.visit(graph.entry(), empty()) {
            return Ok(());
        }
        prop_assert_eq!(numbering.num_paths(), search.found.len() as u128);
        for (number, path) in (0..).zip(&search.found) {
            prop_assert_eq!(&numbering.path_of(graph, number).unwrap(), path);
        }
        prop_assert_eq!(numbering.path_of(graph, numbering.num_paths()), None);
    }

    /// Counts along random executions equal naive ones, and so do prefixes.
    #[test]
    fn counts_are_naive_counts(run in structured_runs()) {
        let graph = &run.graph;
        let numbering = number_contexts(graph).expect("structured graphs are reducible");
        let mut counts = ContextCounts::default();
        for run in &run.activations {
            let mut activation = Activation::start();
            for &edge in &run.edges {
                activation.take(graph, &numbering, edge, &mut counts);
            }
            match run.aborted_in {
                Some(block) => activation.abort(block, &mut counts),
                None => activation.leave(&mut counts),
            }
        }
        let paths = counts.paths.iter().map(|(&number, &count)| (numbering.path_of(graph, number).unwrap(), count));
        let prefixes = counts.prefixes.iter();
        let prefixes =
            prefixes.map(|(&(block, number), &count)| (numbering.prefix_of(graph, block, number).unwrap(), count));
        prop_assert_eq!([paths.collect::<BTreeMap<_, _>>(), prefixes.collect()], naive(&run));
    }
}

/// A loop with two ways through it: the way to the loop and the first iteration are told apart in later iterations.
#[test]
fn a_loop_behind_a_branch() {
    // 0 -> 1 or 2 -> header 3 -> 4 -> 3, or 3 -> 5.
    let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 3)];
    let graph = Graph::from_pairs(6, &edges, 0, 5, ExitKind::Block).unwrap();
    let numbering = number_contexts(&graph).unwrap();
    // Two ways to the header, there the first time or not, and two ways on.
    assert_eq!(numbering.num_paths(), 8);
    let spelled: Vec<String> = (0..8)
        .map(|number| {
            let path = numbering.path_of(&graph, number).unwrap();
            let text = |nodes: &[Node]| nodes.iter().map(|node| node.index().to_string()).collect::<String>();
            format!("{}/{}", text(path.context()), text(path.active()))
        })
        .collect();
    assert_eq!(spelled, ["/0134", "/0135", "013/34", "013/35", "/0234", "/0235", "023/34", "023/35"]);
    let value = |from, to| numbering.val(&graph, graph.find_edge(Node::new(from), Node::new(to)).unwrap());
    assert_eq!((value(0, 2), value(3, 5), value(4, 3)), (Some(4), Some(1), Some(0)));
    assert_eq!((numbering.surrogate_val(Node::new(3)), numbering.surrogate_val(Node::new(4))), (Some(2), None));
}

#[test]
fn a_loop_with_two_entries_is_refused() {
    let graph = Graph::from_pairs(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)], 0, 3, ExitKind::Block).unwrap();
    let Err(ContextError::Irreducible(edge)) = number_contexts(&graph) else { panic!("it is irreducible") };
    assert_eq!((edge.from.index(), edge.to.index()), (2, 1));
}

#[test]
fn too_many_paths_are_refused() {
    let diamonds = |count: usize| {
        let edges: Vec<(usize, usize)> =
            (0..count).map(|i| 3 * i).flat_map(|i| [(i, i + 1), (i, i + 2), (i + 1, i + 3), (i + 2, i + 3)]).collect();
        Graph::from_pairs(3 * count + 1, &edges, 0, 3 * count, ExitKind::Block).unwrap()
    };
    assert_eq!(number_contexts(&diamonds(127)).unwrap().num_paths(), 1 << 127);
    assert_eq!(number_contexts(&diamonds(128)).unwrap_err(), ContextError::TooManyPaths);
}
