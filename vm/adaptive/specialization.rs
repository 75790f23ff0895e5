//! Specializations that the controller asks for: traces, and loops split by state.
//!
//! In: candidates of a profile, or advice. Out: plain data, and beside it the body that was formed to weigh a candidate.
//! Invariant: nothing is decided by that body, and plans are equal without it.

use std::fmt;
use std::sync::Arc;

use holloway_jit::trace::{Layout, Source, Specialized, Split};
use holloway_lang::ir::{Block, FuncRef, Function, Local};
use serde::{Deserialize, Serialize};

use super::loop_key::LoopKey;

/// A loop to specialize.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopPlan {
    /// The inlined function whose loop it is; `None` if it is the function's own.
    pub callee: Option<FuncRef>,
    /// Form that it is wanted in.
    pub specialization: Specialization,
    /// The body formed of it.
    pub formed: FormedBody,
}

/// Form that a loop is wanted in.
#[derive(Clone, PartialEq, Debug)]
pub enum Specialization {
    /// A trace.
    Trace(TracePlan),
    /// A loop for each state.
    Split(Split),
}

/// A trace to form.
#[derive(Clone, PartialEq, Debug)]
pub struct TracePlan {
    /// The header of its loop.
    pub header: Block,
    /// The traces, as in the `TraceSpec` of the crate `jit`: each the acyclic paths of one round, of which the first starts at
    /// the header.
    pub traces: Vec<Vec<Vec<Block>>>,
    /// The headers of inner loops that the traces pass as a whole.
    pub collapsed: Vec<Block>,
    /// Arrangement of the traces.
    pub layout: Layout,
    /// Integer locals with the value they are expected to have each time a round starts.
    pub constants: Vec<(Local, i64)>,
    /// Evidence that it was found by.
    pub source: TraceSource,
    /// The part of begun iterations that may fail before the trace costs more than it gains, as expected. The controller sets it.
    pub break_even: f64,
}

impl LoopPlan {
    /// The header of the loop.
    pub fn header(&self) -> Block {
        match &self.specialization {
            Specialization::Trace(trace) => trace.header,
            Specialization::Split(split) => split.header,
        }
    }

    /// The loop.
    pub fn at(&self) -> LoopKey {
        LoopKey { callee: self.callee, header: self.header() }
    }

    /// True iff it is a loop for each state.
    pub fn is_split(&self) -> bool {
        matches!(self.specialization, Specialization::Split(_))
    }

    /// True iff it is one loop of several paths: of those that are frequent, or that untaken blocks leave.
    pub fn is_of_several_paths(&self) -> bool {
        matches!(&self.specialization, Specialization::Trace(trace) if matches!(trace.layout, Layout::Tree | Layout::Graph))
    }

    /// The blocks that tell it from others of the loop: those of one round of each trace, in order.
    pub fn blocks(&self) -> Vec<Block> {
        match &self.specialization {
            Specialization::Trace(trace) => trace.traces.iter().flatten().flatten().copied().collect(),
            Specialization::Split(split) => vec![split.header],
        }
    }
}

impl From<Specialization> for LoopPlan {
    fn from(specialization: Specialization) -> LoopPlan {
        LoopPlan { callee: None, specialization, formed: FormedBody::default() }
    }
}

/// Evidence that a trace was found by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceSource {
    /// A persistent path, or blocks persistently not taken.
    Tfp,
    /// A sequence of paths that repeats.
    Forest,
}

/// Names of layouts in files.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Layout", rename_all = "kebab-case")]
pub(super) enum LayoutText {
    Apart,
    Tree,
    Graph,
    Through,
}

impl TraceSource {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            TraceSource::Tfp => "tfp",
            TraceSource::Forest => "forest",
        }
    }
}

impl From<Source> for TraceSource {
    fn from(source: Source) -> TraceSource {
        match source {
            Source::Tfp => TraceSource::Tfp,
            Source::Forest => TraceSource::Forest,
        }
    }
}

impl From<TraceSource> for Source {
    fn from(source: TraceSource) -> Source {
        match source {
            TraceSource::Tfp => Source::Tfp,
            TraceSource::Forest => Source::Forest,
        }
    }
}

/// The body that was formed to weigh a specialization, for compiling it; nothing, where a plan comes from elsewhere. The
/// controller passes it on and cannot look into it. All are equal: a plan and its function say what is in it.
#[derive(Clone, Default)]
pub struct FormedBody(Option<Arc<Specialized>>);

impl FormedBody {
    /// Keeps a formed body.
    pub fn new(specialized: Specialized) -> FormedBody {
        FormedBody(Some(Arc::new(specialized)))
    }

    /// The formed body, if it is of that very function body.
    pub fn of(&self, body: &Arc<Function>) -> Option<&Specialized> {
        self.0.as_deref().filter(|specialized| Arc::ptr_eq(&specialized.of, body))
    }
}

impl PartialEq for FormedBody {
    fn eq(&self, _: &FormedBody) -> bool {
        true
    }
}

impl fmt::Debug for FormedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}
