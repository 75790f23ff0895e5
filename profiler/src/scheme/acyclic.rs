//! Acyclic paths, which several schemes report: their numbering, and ids as paths.
//!
//! In: a graph, the order of numbers. Out: a numbering with a plan, increments on the chords of a spanning tree; rows of ids.
//! Invariant: every id was reported by a plan of the numbering that reads it back.

use std::sync::Arc;

use super::function_plan::{Decoder, FunctionPlan, Stream};
use super::results::{PathId, PathRow};
use super::row::Frequency;
use crate::graph::{Graph, Node};
use crate::number::ball_larus::{Numbering, number};
use crate::number::increments::Potentials;
use crate::number::smart::number_smart;
use crate::number::spanning_tree::static_weights;
use crate::path_id::{path_of, prefix_of};
use crate::plan::Markers;

/// Numbers the paths of a graph: by frequency where it is known, else in the order of the source.
pub(super) fn numbered(graph: &Graph, frequency: Option<&Frequency>) -> Numbering {
    match frequency {
        Some(frequency) => number_smart(graph, frequency),
        None => number(graph),
    }
}

/// A plan that reports the ids of a numbering.
pub(super) fn planned(
    graph: Graph,
    numbering: &Numbering,
    frequency: Option<&Frequency>,
    (stream, markers): (Stream, Markers),
    decoder: Arc<dyn Decoder>,
) -> FunctionPlan {
    let weights = frequency.cloned().unwrap_or_else(|| static_weights(&graph));
    let potentials = Potentials::chords(&graph, numbering, &weights);
    let plan = Arc::new(numbering.plan(&graph, &potentials, markers));
    FunctionPlan { graph, plan, stream, decoder }
}

/// A complete path by id.
pub(super) fn row(graph: &Graph, numbering: &Numbering, id: u64, count: u64) -> PathRow {
    let path = path_of(graph, numbering, id).expect("a plan reports ids of its numbering");
    PathRow::new(PathId::Number(id), path, count)
}

/// A prefix by block and id.
pub(super) fn prefix_row(graph: &Graph, numbering: &Numbering, block: Node, (id, count): (u64, u64)) -> PathRow {
    let path = prefix_of(graph, numbering, block, id).expect("a plan reports prefixes of its numbering");
    PathRow::new(PathId::Number(id), path, count)
}
