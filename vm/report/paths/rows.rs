//! Results of plans as paths of blocks.
//!
//! In: the profile of a function. Out: rows with counts, prefixes apart, and each edge's count.
//! Invariant: every id was reported by the plan that reads it back.

use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::graph::Node;
use holloway_profiler::number::bala::{BranchHistories, history_bits};
use holloway_profiler::path_id::{Path, path_of, prefix_of};

use crate::engine::FunctionPaths;
use crate::profile::edges::edge_counts;
use crate::profile::{Collected, FunctionPlan, Paths};

/// A path with its count.
pub(super) struct PathRow {
    /// Decimal, or for branch histories `start:bits`.
    pub(super) id: String,
    pub(super) path: Path,
    pub(super) count: u64,
}

/// The paths of one function.
#[derive(Default)]
pub(super) struct Rows {
    /// Complete paths, by id.
    pub(super) paths: Vec<PathRow>,
    /// Prefixes.
    pub(super) prefixes: Vec<PathRow>,
    /// Sequences of path ids, in lexicographic order: `k-bl`.
    pub(super) forest: Option<PathForest>,
}

impl Rows {
    /// Decodes the profile of a function.
    pub(super) fn of(function: &FunctionPaths) -> Rows {
        let Ok(plan) = &function.plan else { return Rows::default() };
        match (&function.collected, &plan.paths) {
            (Collected::Bl(counts), _) => Rows {
                paths: counts.paths.taken().into_iter().map(|(id, count)| numbered(plan, id, count)).collect(),
                prefixes: counts.prefixes().into_iter().map(|prefix| cut_short(plan, prefix)).collect(),
                forest: None,
            },
            (Collected::KBl(joined), _) => {
                let forest = PathForest::of(joined.forest.slabs());
                let trie = forest.trie();
                let single = trie.roots().into_iter().map(|root| (trie.label(root), trie.count(root)));
                Rows {
                    paths: single.map(|(id, count)| numbered(plan, id, count)).collect(),
                    prefixes: joined.prefixes.prefixes().into_iter().map(|prefix| cut_short(plan, prefix)).collect(),
                    forest: Some(forest),
                }
            }
            (Collected::Bala(counts), Paths::Branches(histories)) => {
                let paths = counts.paths().into_iter();
                let prefixes = counts.prefixes().into_iter();
                Rows {
                    paths: paths.map(|(start, h, n)| branches(plan, histories, None, start, h, n)).collect(),
                    prefixes: prefixes
                        .map(|(block, start, h, n)| branches(plan, histories, Some(block), start, h, n))
                        .collect(),
                    forest: None,
                }
            }
            (Collected::Bala(_), Paths::BallLarus(_) | Paths::Regions(_)) => {
                panic!("branch histories are read back as such")
            }
            (Collected::Tfp(_) | Collected::Nothing, _) => Rows::default(),
        }
    }

    /// Each edge's count, if the paths determine it.
    pub(super) fn edges(&self, function: &FunctionPaths, plan: &FunctionPlan) -> Vec<Option<u64>> {
        let tells = match &function.collected {
            Collected::Bl(_) | Collected::Bala(_) | Collected::Nothing => true,
            Collected::KBl(joined) => joined.forest.is_exact(),
            Collected::Tfp(_) => false,
        };
        if !tells {
            return vec![None; plan.graph.edge_count()];
        }
        let counted = |rows: &[PathRow]| rows.iter().map(|row| (row.path.clone(), row.count)).collect::<Vec<_>>();
        edge_counts(plan, &counted(&self.paths), &counted(&self.prefixes), &function.unwound)
    }
}

fn numbered(plan: &FunctionPlan, id: u64, count: u64) -> PathRow {
    let numbering = plan.numbering().expect("numbered paths have a numbering");
    let path = path_of(&plan.graph, numbering, id).expect("a plan reports ids of its numbering");
    PathRow { id: id.to_string(), path, count }
}

fn cut_short(plan: &FunctionPlan, (block, _, id, count): (Node, u32, u64, u64)) -> PathRow {
    let numbering = plan.numbering().expect("numbered paths have a numbering");
    let path = prefix_of(&plan.graph, numbering, block, id).expect("a plan reports prefixes of its numbering");
    PathRow { id: id.to_string(), path, count }
}

fn branches(
    plan: &FunctionPlan,
    histories: &BranchHistories,
    failed_in: Option<Node>,
    start: Node,
    history: u64,
    count: u64,
) -> PathRow {
    let path = match failed_in {
        None => histories.path_of(&plan.graph, start, history),
        Some(block) => histories.prefix_of(&plan.graph, block, start, history),
    };
    let id = format!("{}:{}", start.as_u32(), history_bits(history));
    PathRow { id, path: path.expect("a plan reports its own histories"), count }
}

/// Flags of the `top` hottest rows, for each function and row.
pub(super) fn hottest(counts: &[Vec<u64>], top: Option<usize>) -> Vec<Vec<bool>> {
    let mut all: Vec<(u64, usize, usize)> = Vec::new();
    for (function, rows) in counts.iter().enumerate() {
        all.extend(rows.iter().enumerate().map(|(row, &count)| (count, function, row)));
    }
    all.sort_by_key(|&(count, function, row)| (std::cmp::Reverse(count), function, row));
    all.truncate(top.unwrap_or(usize::MAX));
    let mut chosen: Vec<Vec<bool>> = counts.iter().map(|rows| vec![false; rows.len()]).collect();
    for (_, function, row) in all {
        chosen[function][row] = true;
    }
    chosen
}
