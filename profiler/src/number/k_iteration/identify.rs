//! k-iteration paths from their ids.
//!
//! In: an id. Out: its [`KPath`]. Algorithm 2 of `[RS09]`: from each node take the step with the greatest value that
//! does not exceed the rest of the id. For a path that started at a loop's head and has iterations left, values are
//! compensated and exits of the loop are invalid.
//!
//! Invariant: every id of the numbering has a path, and no two have the same start and blocks.

use super::{KNumbering, KStartKind, Reach};
use crate::graph::{Graph, Node};
use crate::number::ball_larus::StepKind;
use crate::path_id::PathEnd;

/// A k-iteration path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KPath {
    /// Kind of its start.
    pub start: KStartKind,
    /// Its blocks.
    pub blocks: Vec<Node>,
    /// The iteration, counted from 1, of each block; 1 outside loops with iterations.
    pub iterations: Vec<u32>,
    /// Kind of its end.
    pub end: PathEnd,
}

impl KNumbering {
    /// The path with this id; `None` if there is none.
    pub fn path_of(&self, graph: &Graph, id: u64) -> Option<KPath> {
        if !self.ids().contains(&id) {
            return None;
        }
        let start = self.starts[self.starts.partition_point(|s| s.base <= id) - 1];
        let mut rest = id - start.base;
        let mut path = KPath { start: start.kind, blocks: Vec::new(), iterations: Vec::new(), end: PathEnd::Return };
        let (mut node, mut i, mut started) = (start.node, 1, start.kind);
        loop {
            if graph.is_block(node) {
                path.blocks.push(node);
                path.iterations.push(i);
            }
            let bound = started == KStartKind::Head && i < self.iterations(node);
            let weight = |step: &super::KStep| if bound { step.val - step.cval } else { step.val };
            let mut ways = self.steps(node, i).iter().filter(|step| !bound || step.reach == Reach::Within).rev();
            let step = ways.find(|step| weight(step) <= rest).expect("the first valid way has value 0");
            rest -= weight(step);
            match (step.kind, step.to) {
                (StepKind::Cut, _) => path.end = PathEnd::Cut,
                (StepKind::Stop, _) if node != graph.exit() => path.end = PathEnd::DeadEnd,
                (StepKind::Edge(_), Some((to, there))) => {
                    if step.reach == Reach::Leaves {
                        started = KStartKind::Free;
                    }
                    (node, i) = (to, there);
                    continue;
                }
                (StepKind::Stop | StepKind::Edge(_), _) => {}
            }
            return Some(path);
        }
    }

    /// The path that a failure inside `block` in iteration `i` cut short, from the id reported with it.
    ///
    /// The sum of values up to a node is the id of the path that continues with the first valid steps.
    pub fn prefix_of(&self, graph: &Graph, block: Node, i: u32, id: u64) -> Option<KPath> {
        let mut path = self.path_of(graph, id)?;
        let at = path.blocks.iter().zip(&path.iterations).position(|(&b, &there)| (b, there) == (block, i))?;
        path.blocks.truncate(at + 1);
        path.iterations.truncate(at + 1);
        path.end = PathEnd::Failure;
        Some(path)
    }
}
