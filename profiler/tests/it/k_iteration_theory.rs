//! k-iteration paths by definition, and the theorem that ties them to path forests.
//!
//! In: random graphs with executions. Out: failed properties. The enumeration follows Definition 1 of Roy and Srikant, block by block, and knows no
//! values; the theorem is proved in `docs/profiling.md`. `HOLLOWAY_GRAPHS` is the number of graphs, 86 if unset.

use std::collections::{BTreeMap, BTreeSet};

use holloway_profiler::counts::TableKind;
use holloway_profiler::graph::{EdgeId, EdgeKind, Graph, LoopId, LoopNest, Node};
use holloway_profiler::machine::Machine;
use holloway_profiler::number::k_iteration::{KNumbering, loops_to_iterate, number_mixed};
use holloway_profiler::path_id::PathEnd;
use holloway_profiler::scheme::{NumberingOrder, PathId, Scheme};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::common::{Run, cases, execute, runs, structured_runs};

/// Paths that are enumerated at most.
const MOST: usize = 3_000;

type Walk = (Vec<Node>, PathEnd);

/// All paths by definition, those of each start apart; `None` if there are too many.
struct Enumerated<'a> {
    graph: &'a Graph,
    nest: LoopNest,
    iterated: Vec<(LoopId, u32)>,
    found: Vec<Walk>,
}

impl Enumerated<'_> {
    fn new<'a>(graph: &'a Graph, k_of: impl Fn(Node) -> u32) -> Enumerated<'a> {
        let nest = LoopNest::of(graph);
        let headers = loops_to_iterate(graph);
        let is_innermost = |id: LoopId| nest.get(id).members.iter().all(|&member| nest.innermost(member) == Some(id));
        let has_k = |(id, header): (LoopId, Node)| {
            (headers.contains(&header) && is_innermost(id) && k_of(header) > 1).then(|| (id, k_of(header)))
        };
        let iterated = nest.iter().map(|(id, each)| (id, each.header)).filter_map(has_k).collect();
        Enumerated { graph, nest, iterated, found: Vec::new() }
    }

    fn around(&self, node: Node) -> Option<(LoopId, u32)> {
        self.iterated.iter().copied().find(|(id, _)| self.nest.contains(*id, node))
    }

    /// A node that is left by an edge to a header of a loop around it.
    fn is_back(&self, edge: EdgeId) -> bool {
        let ends = self.graph.edge(edge);
        self.nest.chain(ends.from).any(|id| self.nest.get(id).header == ends.to)
    }

    /// Continues a path at its last block, in iteration `i` of the loop around; `bound` if it began at that loop's head.
    fn walk(&mut self, blocks: &mut Vec<Node>, node: Node, (i, bound): (u32, bool)) -> Option<()> {
        if self.graph.is_block(node) {
            blocks.push(node);
        }
        let around = self.around(node);
        let (mut ends, mut goes_on) = (false, false);
        for edge in self.graph.normal_successors(node).collect::<Vec<_>>() {
            let to = self.graph.edge(edge).to;
            let k = around.map_or(1, |(_, k)| k);
            let starts_iteration = around.is_some_and(|(id, _)| self.nest.get(id).header == to);
            let stays = around.is_some() && around == self.around(to);
            goes_on = true;
            match (starts_iteration, stays) {
                (true, _) if i < k => self.walk(blocks, to, (i + 1, bound))?,
                (true, _) => ends = true,
                (false, _) if self.is_back(edge) => ends = !bound || i == k || ends,
                (false, true) => self.walk(blocks, to, (i, bound))?,
                // Out of the loop at whose head it began, before the last iteration.
                (false, false) if bound && i < k => {}
                (false, false) => self.walk(blocks, to, (1, false))?,
            }
        }
        if ends {
            self.push(blocks, PathEnd::Cut)?;
        }
        if !goes_on {
            let end = if node == self.graph.exit() { PathEnd::Return } else { PathEnd::DeadEnd };
            self.push(blocks, end)?;
        }
        if self.graph.is_block(node) {
            blocks.pop();
        }
        Some(())
    }

    fn push(&mut self, blocks: &[Node], end: PathEnd) -> Option<()> {
        self.found.push((blocks.to_vec(), end));
        (self.found.len() <= MOST).then_some(())
    }
}

/// The paths of a numbering by the order of its starts, against those by definition.
fn check(graph: &Graph, numbering: &KNumbering, k_of: impl Fn(Node) -> u32) -> Result<(), TestCaseError> {
    let mut by_definition = Enumerated::new(graph, k_of);
    let mut from = Vec::new();
    for start in numbering.starts() {
        let bound = start.kind == holloway_profiler::number::k_iteration::KStartKind::Head;
        from.push(by_definition.found.len() as u64);
        if by_definition.walk(&mut Vec::new(), start.node, (1, bound)).is_none() {
            return Ok(());
        }
    }
    prop_assert_eq!(numbering.num_paths(), by_definition.found.len() as u64, "dense");
    let bases: Vec<u64> = numbering.starts().iter().map(|start| start.base).collect();
    prop_assert_eq!(bases, from);
    for (start, next) in
        numbering.starts().iter().zip(numbering.starts()[1..].iter().map(|s| s.base).chain([numbering.num_paths()]))
    {
        let decoded: BTreeSet<_> = (start.base..next)
            .map(|id| numbering.path_of(graph, id).unwrap())
            .map(|p| (p.blocks, end(p.end)))
            .collect();
        let listed = &by_definition.found[start.base as usize..next as usize];
        let expected: BTreeSet<_> = listed.iter().map(|(blocks, kind)| (blocks.clone(), end(*kind))).collect();
        prop_assert_eq!(decoded.len() as u64, next - start.base, "unique");
        prop_assert_eq!(decoded, expected);
    }
    Ok(())
}

fn end(end: PathEnd) -> u8 {
    match end {
        PathEnd::Return => 0,
        PathEnd::Cut => 1,
        PathEnd::DeadEnd => 2,
        PathEnd::Failure => 3,
        PathEnd::Left => unreachable!("the graph is no part of another"),
    }
}

fn results(scheme: Scheme, run: &Run) -> holloway_profiler::scheme::Results {
    let plan = scheme.plan(run.graph.clone(), None).expect("it counts paths").expect("the graph is small");
    let mut collected = plan.decoder.collector();
    execute(run, &mut Machine::new(&run.graph, (*plan.plan).clone()), &mut collected);
    collected.results(&run.graph)
}

/// The block sequences of counts.
fn by_blocks(rows: impl Iterator<Item = (Vec<Node>, u64)>) -> BTreeMap<Vec<Node>, u64> {
    let mut counts = BTreeMap::new();
    rows.for_each(|(blocks, count)| *counts.entry(blocks).or_insert(0) += count);
    counts
}

/// Counts of k-iteration paths; of k acyclic paths in a row, with whole activations of fewer.
fn both_sides(run: &Run, k: u64) -> [BTreeMap<Vec<Node>, u64>; 2] {
    let scheme = |name: &str| Scheme::named(name).and_then(|scheme| scheme.with_k(k).ok()).expect("it takes such a k");
    let mut forest = scheme("k-bl");
    forest.settings.numbering = NumberingOrder::Source;
    let mut iterated = scheme("k-iter");
    (iterated.settings.path_limit, iterated.settings.table) = (Some(u64::MAX), Some(TableKind::Hash));
    let iterated = results(iterated, run).paths.into_iter().map(|row| (row.path.blocks, row.count));
    let found = results(forest, run);
    let blocks_of: BTreeMap<u64, Vec<Node>> = found
        .paths
        .iter()
        .filter_map(|row| match row.id {
            PathId::Number(id) => Some((id, row.path.blocks.clone())),
            PathId::History { .. } => None,
        })
        .collect();
    let sequences = found.sequences.expect("k-bl has sequences").k_ipf.sequences();
    let joined = |ids: &[u64]| ids.iter().flat_map(|id| blocks_of[id].clone()).collect::<Vec<_>>();
    let deep = sequences.iter().filter(|(ids, _)| ids.len() as u64 == k).map(|(ids, count)| (joined(ids), *count));
    let nest = LoopNest::of(&run.graph);
    let short = run.activations.iter().filter_map(|activation| {
        let is_back = |edge: &EdgeId| {
            let ends = run.graph.edge(*edge);
            nest.chain(ends.from).any(|id| nest.get(id).header == ends.to)
        };
        let paths = 1 + activation.edges.iter().filter(|edge| is_back(edge)).count() as u64;
        let blocks =
            std::iter::once(run.graph.entry()).chain(activation.edges.iter().map(|edge| run.graph.edge(*edge).to));
        (paths < k).then(|| (blocks.filter(|node| run.graph.is_block(*node)).collect(), 1))
    });
    [by_blocks(iterated), by_blocks(deep.chain(short))]
}

/// The run with the activations that end at the exit alone, if the graph has one loop, whose iterations can be told apart.
fn with_one_loop(mut run: Run) -> Option<Run> {
    let nest = LoopNest::of(&run.graph);
    let is_failing = run.graph.edges().any(|(_, edge)| edge.kind == EdgeKind::Failure);
    let has_one = nest.irreducible().is_none() && nest.iter().count() == 1 && loops_to_iterate(&run.graph).len() == 1;
    run.activations.retain(|activation| activation.aborted_in.is_none());
    (has_one && !is_failing && !run.activations.is_empty()).then_some(run)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..ProptestConfig::with_cases(cases(86)) })]

    /// Numbers are dense and unique, and decoded into the paths of the definition, with one k for all loops and with several.
    #[test]
    fn numbers_are_those_of_the_definition(run in prop_oneof![runs(), structured_runs()], k in 1..6_u32, other in 1..6_u32) {
        let k_of = |header: Node| if header.as_u32().is_multiple_of(2) { k } else { other };
        if let Ok(numbering) = number_mixed(&run.graph, k_of, 1 << 40) {
            check(&run.graph, &numbering, k_of)?;
        }
    }

    /// With one loop, counts of k-iteration paths are those of k acyclic paths in a row, and of whole activations of fewer.
    #[test]
    fn one_loop_has_the_counts_of_the_forest(run in structured_runs().prop_filter_map("one loop", with_one_loop), k in 2..6_u64) {
        let [iterated, forest] = both_sides(&run, k);
        prop_assert_eq!(iterated, forest);
    }
}
