//! Proposals: specializations of loops, with what speaks for them.
//!
//! In: made once from a profile ([`propose`](crate::propose)), or read from advice. Out: the same value, shared from the
//! estimate to the version made of it. Invariant: nothing is decided by the body that was formed.

use holloway_ir::{Block, FuncRef};
use holloway_jit::trace::{Specialization, TraceShape, TraceSpec};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::gain::Estimate;
use crate::loop_key::LoopKey;

/// Blocks of the largest trace that is read from advice: nothing larger is made.
const MOST_ADVISED_BLOCKS: usize = 1 << 16;
/// The same of unrolling.
const MOST_ADVISED_UNROLLING: usize = 64;

/// A loop to specialize.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Proposal {
    /// The inlined function whose loop it is; `None` if it is the function's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<FuncRef>,
    /// Its traces, and the body that was formed of them.
    #[serde(serialize_with = "write_traces", deserialize_with = "read_traces")]
    pub traces: Specialization,
    /// Estimated costs.
    pub estimate: Estimate,
    /// The lines that it passes, in order.
    pub lines: Vec<u32>,
}

/// Traces in a file.
#[derive(Serialize, Deserialize)]
struct Traces {
    spec: TraceSpec,
    shape: TraceShape,
}

fn write_traces<S: Serializer>(traces: &Specialization, out: S) -> Result<S::Ok, S::Error> {
    Traces { spec: traces.spec.clone(), shape: traces.shape }.serialize(out)
}

fn read_traces<'de, D: Deserializer<'de>>(input: D) -> Result<Specialization, D::Error> {
    let Traces { spec, shape } = Traces::deserialize(input)?;
    Ok(Specialization::new(spec, shape))
}

impl Proposal {
    /// The header of the loop.
    pub fn header(&self) -> Block {
        self.traces.spec.header
    }

    /// The loop.
    pub fn at(&self) -> LoopKey {
        LoopKey { callee: self.callee, header: self.header() }
    }

    /// The blocks that tell it from others of the loop: those of one round of each trace, in order.
    pub fn blocks(&self) -> Vec<Block> {
        self.traces.spec.traces.iter().flat_map(|trace| trace.blocks()).collect()
    }

    /// The reason for which no run can have made it, if it was read from a file.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let TraceSpec { traces, .. } = &self.traces.spec;
        let is_empty = traces.iter().any(|trace| trace.paths.is_empty() || trace.paths.iter().any(Vec::is_empty));
        let unroll = self.traces.shape.unroll as usize;
        if traces.is_empty() || is_empty {
            Some("a trace has no blocks, or there is none")
        } else if !(1..=MOST_ADVISED_UNROLLING).contains(&unroll) || unroll * self.blocks().len() > MOST_ADVISED_BLOCKS
        {
            Some("a trace is larger than any that is made")
        } else {
            None
        }
    }
}
