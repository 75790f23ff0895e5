//! Figures of specialized versions: traces as they were formed, their measured gain, and their end. Invariant: an
//! expected gain is a part of the loop's time, a measured one of the program's.

use holloway_jit::trace::Layout;
use serde::{Deserialize, Serialize};

use super::DropReason;
use crate::{Micros, Proposal, Settings};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceFormed {
    pub blocks: u32,
    pub guards: u32,
    #[serde(default)]
    pub traces: u32,
    #[serde(default)]
    pub layout: Layout,
    pub unrolled: u32,
    pub lines: Vec<u32>,
    pub coverage: f64,
    pub trace_cost: f64,
    pub general_cost: f64,
    pub estimated_gain: f64,
    pub break_even: f64,
}

impl TraceFormed {
    /// Traces as they were formed of a proposal, with so many guards.
    pub(crate) fn of(proposal: &Proposal, guards: u32, settings: &Settings) -> TraceFormed {
        let penalty = settings.guard_penalty;
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

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gain {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    pub specialized: f64,
    pub general: f64,
    pub pairs: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dropped {
    pub reason: DropReason,
    pub lived: Micros,
    pub ticks: u64,
    pub iterations: u64,
    pub failures: u64,
    pub saved: f64,
    pub cost: f64,
    pub times: u32,
    pub next_k: Option<u64>,
}
