//! Proposals: specializations of loops, with what speaks for them. Made once from a profile, or read from advice, and
//! shared from the estimate to the version. Invariant: nothing is decided by the body that was formed, and one that was
//! formed of another body is not used.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use std::sync::Arc;

use holloway_ir::{Block, FuncRef, Function};
use holloway_jit::trace::{Formed, TraceShape, TraceSpec};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Estimate, LoopKey};

/// Blocks of the largest trace that is read from advice: nothing larger is made.
const MOST_ADVISED_BLOCKS: usize = 1 << 16;
/// The same of unrolling.
const MOST_ADVISED_UNROLLING: usize = 64;

/// A loop to specialize.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proposal {
    /// The inlined function whose loop it is; `None` if it is the function's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<FuncRef>,
    #[serde(rename = "traces", serialize_with = "write_spec", deserialize_with = "read_spec")]
    pub spec: TraceSpec,
    /// The body that they were formed on, and what came of it.
    #[serde(skip)]
    pub formed: Option<(Arc<Function>, Arc<Formed>)>,
    pub estimate: Estimate,
    /// The lines that it passes, in order.
    pub lines: Vec<u32>,
}

/// Two are equal whatever was formed of them.
impl PartialEq for Proposal {
    fn eq(&self, other: &Proposal) -> bool {
        (self.callee, &self.spec, self.estimate, &self.lines)
            == (other.callee, &other.spec, other.estimate, &other.lines)
    }
}

#[derive(Serialize, Deserialize)]
struct InFile<Spec> {
    spec: Spec,
    shape: TraceShape,
}

fn write_spec<S: Serializer>(spec: &TraceSpec, out: S) -> Result<S::Ok, S::Error> {
    InFile { spec, shape: spec.shape }.serialize(out)
}

fn read_spec<'de, D: Deserializer<'de>>(input: D) -> Result<TraceSpec, D::Error> {
    let InFile::<TraceSpec> { spec, shape } = InFile::deserialize(input)?;
    Ok(TraceSpec { shape, ..spec })
}

impl Proposal {
    pub fn at(&self) -> LoopKey {
        LoopKey { callee: self.callee, header: self.spec.header }
    }

    /// The blocks that tell it from others of the loop: those of one round of each trace, in order.
    pub fn blocks(&self) -> Vec<Block> {
        self.spec.traces.iter().flat_map(|trace| trace.blocks()).collect()
    }

    /// The body that was formed of this very one.
    pub fn formed_of(&self, body: &Function) -> Option<&Arc<Formed>> {
        self.formed.as_ref().filter(|(of, _)| std::ptr::eq(&**of, body)).map(|(_, formed)| formed)
    }

    /// The reason for which no run can have made it, if it was read from a file.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let TraceSpec { traces, shape, .. } = &self.spec;
        let is_empty = traces.iter().any(|trace| trace.paths.is_empty() || trace.paths.iter().any(Vec::is_empty));
        let unroll = shape.unroll as usize;
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
