//! `edge`: every edge of the control-flow graph, from the fewest counters.
//!
//! Counters stand on the chords of a maximal spanning tree ([`crate::number::spanning_tree`]); baseline code always carries them.

use super::row::{Probes, SchemeRow, View};
use super::settings::Setting;

/// Edge counts.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "edge",
    counts: "every edge of the control-flow graph, from the fewest counters",
    k: None,
    no_k: "counts single edges; leave --k out",
    takes: &[] as &[Setting],
    probes: Probes::Edges,
    view: View::Edges,
};
