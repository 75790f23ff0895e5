//! `wpp`: the whole program path: acyclic paths of all activations, in the order in which they are taken.
//!
//! Counts are those of `bl`. What makes the scheme is the order: all code of a program carries the plan, so that a recorder of the stream
//! ([`crate::wpp`]) knows each activation's paths and those that it called.
//!
//! `[ZG01]` Y. Zhang, R. Gupta, "Timestamped Whole Program Path Representation and its Applications", PLDI 2001.

use std::sync::Arc;

use super::acyclic;
use super::bl::Acyclic;
use super::function_plan::{Framing, FunctionPlan, NotProfiled, Stream};
use super::row::{Frequency, Probes, SchemeRow, View};
use super::settings::Settings;
use crate::counts::TableKind;
use crate::event::encode::MOST_LONE_PATHS;
use crate::event::packing::Packing;
use crate::graph::Graph;
use crate::number::ball_larus::Numbering;
use crate::plan::Markers;

/// The whole program path.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "wpp",
    counts: "every acyclic path, with the order of all: the whole program path",
    k: None,
    no_k: "records every path in order; leave --k out",
    takes: &[],
    probes: Probes::Whole(plan),
    view: View::Paths,
};

fn plan(graph: Graph, _: &Settings, frequency: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let numbering = Arc::new(acyclic::numbered(&graph, frequency));
    let widest = Packing::widest(numbering.num_paths());
    // The last word of an activation is as short as it can be.
    let packing = if has_one_path(&graph, &numbering) { Packing { ids: 1, ..widest } } else { widest };
    let framing = match is_one_event(&graph, &numbering) {
        true => Framing::Lone,
        false => Framing::Activations((widest.ids > 1).then_some(packing)),
    };
    let decoder = Arc::new(Acyclic { numbering: Arc::clone(&numbering), table: TableKind::Hash });
    Ok(acyclic::planned(graph, &numbering, frequency, (Stream::Events(framing), Markers::Emit), decoder))
}

/// Returns true if an activation is one path, and nothing happens in it that is an event: then the path is the activation.
fn is_one_event(graph: &Graph, numbering: &Numbering) -> bool {
    let calls = graph.nodes().any(|node| graph.calls(node).next().is_some());
    has_one_path(graph, numbering) && numbering.num_paths() <= MOST_LONE_PATHS && !calls
}

/// Returns true if an activation is one path.
fn has_one_path(graph: &Graph, numbering: &Numbering) -> bool {
    numbering.dag().restarts().is_empty() && !graph.nodes().any(|node| numbering.dag().ends_paths(node))
}
