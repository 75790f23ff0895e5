//! Figures of specialized versions: traces as they were formed, their measured gain, and their end.
//!
//! In: made by the controller, and by replay. Out: the events, and parts of the loop's episode.
//! Invariant: an expected gain is a part of the loop's time, a measured one of the program's.

use holloway_jit::trace::Layout;
use serde::{Deserialize, Serialize};

use super::DropReason;
use crate::version::VersionRecord;
use crate::{Micros, Proposal};

/// Of `trace-formed`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceFormed {
    /// Blocks that were cloned.
    pub blocks: u32,
    /// Branches that became guards, and tests in front of inner loops.
    pub guards: u32,
    /// The loop's traces.
    #[serde(default)]
    pub traces: u32,
    /// Arrangement of them.
    #[serde(default)]
    pub layout: Layout,
    /// Iterations of the loop in one of each trace, together.
    pub unrolled: u32,
    /// The lines it passes.
    pub lines: Vec<u32>,
    /// The part of iterations that should stay on it.
    pub coverage: f64,
    /// Weighted cost of an iteration on the trace.
    pub trace_cost: f64,
    /// Weighted cost of an iteration in the general loop.
    pub general_cost: f64,
    /// The part of the loop's time that it should save.
    pub estimated_gain: f64,
    /// The part of iterations that may fail before it costs more than it gains.
    pub break_even: f64,
}

impl TraceFormed {
    /// Traces as they were formed of a proposal, with so many guards; a failing guard costs `penalty` of a general iteration besides.
    pub(crate) fn of(proposal: &Proposal, guards: u32, penalty: f64) -> TraceFormed {
        let Proposal { spec, estimate, lines, .. } = proposal;
        let unroll = spec.formed_shape().unroll;
        TraceFormed {
            blocks: spec.copied().len() as u32 * unroll,
            guards,
            traces: spec.traces.len() as u32,
            layout: spec.layout,
            unrolled: spec.iterations() * unroll,
            lines: lines.clone(),
            coverage: estimate.coverage,
            trace_cost: estimate.cost,
            general_cost: estimate.general_cost,
            estimated_gain: estimate.gain(penalty),
            break_even: estimate.break_even(penalty),
        }
    }
}

/// Of `gain`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gain {
    /// The part of time that should be saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<f64>,
    /// The part of CPU time that was saved while it and other code took turns, in the median of pairs; `None` if they could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<f64>,
    /// Bounds of the median: of nine pairs the second least and the second greatest, which hold it with a confidence of
    /// 96%; of fewer the least and the greatest, 94% for five.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// Nanoseconds of CPU time for an iteration of the loop that both counted, in the specialized version.
    pub specialized: f64,
    /// The same in the general version.
    pub general: f64,
    /// Pairs that the figures are from.
    pub pairs: u64,
}

/// Of `dropped`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dropped {
    /// Why.
    pub reason: DropReason,
    /// Time it was in use.
    pub lived: Micros,
    /// Ticks that fell on it.
    pub ticks: u64,
    /// Iterations begun on its traces.
    pub iterations: u64,
    /// Number of them that failed.
    pub failures: u64,
    /// Time it saved, in microseconds, as far as can be told.
    pub saved: f64,
    /// Cost of it: its compilation and the profile before it, in microseconds.
    pub cost: f64,
    /// Number of times its very trace was dropped so far, this time included.
    pub times: u32,
    /// The K of the next profile of the loop; `None` if there is to be none.
    pub next_k: Option<u64>,
}

impl Dropped {
    /// The end of a version that was no mistake.
    pub(crate) fn of(record: &VersionRecord, reason: DropReason, now: Micros) -> Dropped {
        Dropped {
            reason,
            lived: now.since(record.installed),
            ticks: record.ticks,
            iterations: record.iterations,
            failures: record.failures,
            saved: 0.0,
            cost: record.compile.as_f64(),
            times: 0,
            next_k: None,
        }
    }
}
