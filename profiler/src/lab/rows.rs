//! Results of schemes in names of blocks.
//!
//! In: a scheme's counts and a procedure's names. Out: rows of a [`FunctionResult`].
//!
//! Invariant: nothing is counted here; every id was reported by a plan of the same numbering.

use super::procedure::Named;
use super::{FunctionResult, IterationValues, PATH_LIST_MAX, PathRow, RegionRow, StaticPath, WindowRow};
use crate::counts::PathCounts;
use crate::graph::{Graph, Node};
use crate::number::bala::{BranchCounts, BranchHistories, history_bits};
use crate::number::ball_larus::Numbering;
use crate::number::k_iteration::{KNumbering, KPath};
use crate::path_id::{all_paths, path_of, prefix_of};
use crate::persistence::{Findings, Persistence, Place};

/// Edge values and the list of static paths.
pub(super) fn numbered(result: &mut FunctionResult, named: &Named, numbering: &Numbering) {
    let graph = &named.graph;
    for (id, edge) in graph.edges() {
        if let Some(val) = numbering.printed_val(graph, id) {
            result.values.push((named.name(edge.from), named.name(edge.to), val));
        }
    }
    if numbering.num_paths() <= PATH_LIST_MAX {
        let paths = all_paths(graph, numbering);
        result.path_list = Some(paths.map(|(id, p)| StaticPath { id, blocks: named.names(&p.blocks) }).collect());
    }
}

/// A complete path by id.
pub(super) fn path_row(named: &Named, numbering: &Numbering, id: u64, count: u64) -> PathRow {
    let path = path_of(&named.graph, numbering, id).expect("a plan reports ids of its numbering");
    PathRow { id: id.to_string(), blocks: named.names(&path.blocks), count }
}

/// Prefixes by id.
pub(super) fn prefix_rows(named: &Named, numbering: &Numbering, counts: &PathCounts) -> Vec<PathRow> {
    let row = |(block, _, id, count): (Node, u32, u64, u64)| {
        let path = prefix_of(&named.graph, numbering, block, id).expect("a plan reports prefixes of its numbering");
        PathRow { id: id.to_string(), blocks: named.names(&path.blocks), count }
    };
    counts.prefixes().into_iter().map(row).collect()
}

/// Rows of branch histories.
pub(super) fn branch_rows(
    result: &mut FunctionResult,
    named: &Named,
    histories: &BranchHistories,
    counts: &BranchCounts,
) {
    let graph: &Graph = &named.graph;
    let id = |start: Node, history: u64| format!("{}:{}", named.name(start), history_bits(history));
    for (start, history, count) in counts.paths() {
        let path = histories.path_of(graph, start, history).expect("a plan reports its own histories");
        result.paths.push(PathRow { id: id(start, history), blocks: named.names(&path.blocks), count });
    }
    for (block, start, history, count) in counts.prefixes() {
        let path = histories.prefix_of(graph, block, start, history).expect("a plan reports its own histories");
        result.prefixes.push(PathRow { id: id(start, history), blocks: named.names(&path.blocks), count });
    }
}

/// Rows of k-iteration paths.
pub(super) fn iteration_rows(result: &mut FunctionResult, named: &Named, numbering: &KNumbering, counts: &PathCounts) {
    let graph = &named.graph;
    let row = |id: u64, path: Option<KPath>, count: u64| {
        let path = path.expect("a plan reports ids of its numbering");
        PathRow { id: id.to_string(), blocks: named.names(&path.blocks), count }
    };
    result.num_paths = Some(numbering.num_paths());
    for (edge, ends) in graph.edges() {
        let values: Vec<(u64, u64)> =
            (1..=numbering.iterations(ends.from)).filter_map(|i| numbering.values(graph, edge, i)).collect();
        if !values.is_empty() {
            let (from, to) = (named.name(ends.from), named.name(ends.to));
            result.iteration_values.push(IterationValues { from, to, values });
        }
    }
    let taken = counts.paths.taken().into_iter();
    result.paths = taken.map(|(id, n)| row(id, numbering.path_of(graph, id), n)).collect();
    let prefixes = counts.prefixes().into_iter();
    result.prefixes = prefixes.map(|(b, i, id, n)| row(id, numbering.prefix_of(graph, b, i, id), n)).collect();
    if numbering.num_paths() <= PATH_LIST_MAX {
        let path = |id| numbering.path_of(graph, id).expect("the id is below num_paths");
        let blocks = |id| named.names(&path(id).blocks);
        result.path_list = Some((0..numbering.num_paths()).map(|id| StaticPath { id, blocks: blocks(id) }).collect());
    }
}

/// Rows of regions.
pub(super) fn region_rows(named: &Named, mut persistence: Persistence) -> Vec<RegionRow> {
    let finished = persistence.take_finished();
    let regions = persistence.regions();
    let mut rows = Vec::new();
    for (register, region) in regions.iter() {
        let bits = region.places.len();
        let windows = finished.iter().filter(|f| f.register == register);
        let rest = persistence.current(register);
        rows.push(RegionRow {
            header: region.around.map(|id| named.name(regions.nest().get(id).header)),
            places: places(named, &region.places),
            windows: windows.map(|f| window_row(named, f, bits)).collect(),
            rest: (rest.executions > 0).then(|| window_row(named, &rest, bits)),
        });
    }
    rows
}

fn window_row(named: &Named, findings: &Findings, bits: usize) -> WindowRow {
    let text = |words: &[u64]| -> String {
        let bit = |bit: usize| if words[bit / 64] >> (bit % 64) & 1 == 1 { '1' } else { '0' };
        (0..bits).rev().map(bit).collect()
    };
    WindowRow {
        executions: findings.executions,
        persistent: findings.is_persistent(),
        and: text(&findings.and),
        or: text(&findings.or),
        path: findings.path.as_deref().map(|path| places(named, path)),
        untaken: places(named, &findings.untaken),
        segments: findings.segments.iter().map(|s| places(named, s)).collect(),
        edges: findings
            .edges
            .iter()
            .map(|&(id, taken)| {
                let edge = named.graph.edge(id);
                (named.name(edge.from), named.name(edge.to), taken)
            })
            .collect(),
        least: findings.least,
        greatest: findings.greatest,
    }
}

fn places(named: &Named, places: &[Place]) -> Vec<String> {
    let node = |place: &Place| match *place {
        Place::Block(node) | Place::Loop(node) => node,
    };
    places.iter().map(|place| named.name(node(place))).collect()
}
