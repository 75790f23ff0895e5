//! Actions of a policy, which the recompilation executor carries out in order and reports back. Invariant: every
//! [`CompilationId`] is answered: compiled, then installed or discarded as the policy directs, or refused.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use std::sync::Arc;

use holloway_ir::{Block, FuncRef};
pub use holloway_jit::Entry;
use holloway_jit::{Tier, VersionId};
use serde::{Deserialize, Serialize};

use crate::{LoopKey, Proposal};

/// Numbers the compilations that were asked for, in that order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub struct CompilationId(pub u32);

/// One thing to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    Compile(CompilationRequest),
    /// Install a compiled version at the next poll: new calls run it, or activations of others enter it by OSR at its
    /// header; answer with `installed`.
    Install(CompilationId),
    /// Discard a compiled version, or withdraw a compilation that is not answered yet.
    Discard(CompilationId),
    /// No entry leads to this version any more, but its code is kept: it may be reinstalled. Activations leave it as for `Drop`.
    Retire(VersionId),
    /// Install a retired version again; answer with `reinstalled`.
    Reinstall(VersionId),
    /// Report the profile of a version with `profile`, as happens by itself when its window is full.
    ReadProfile(FuncRef, VersionId),
    /// Compile functions in this tier at their first call from now on.
    StartIn(Tier),
    /// Report the guard failures of a version, with `guards`; they are also reported when guards fail too often.
    ReadGuards(VersionId),
    /// Report how far versions came, with `progress`.
    ReadProgress(Vec<VersionId>),
    /// No entry leads to this version for a while: another one takes its turn. Activations leave it as for `Drop`.
    SetAside(VersionId),
    /// The entry of a version that was set aside leads to it again.
    TakeUp(VersionId),
    /// No entry leads to this version any more. Its running activations leave at the next loop header that has code
    /// of another version; its memory is freed when no frame is in it; then answer with `dropped`.
    Drop(VersionId),
}

/// One compilation.
#[derive(Clone, PartialEq, Debug)]
pub struct CompilationRequest {
    pub compilation: CompilationId,
    pub func: FuncRef,
    pub entry: Entry,
    pub plan: CodePlan,
    /// Iterations that are counted, of a version that is compared.
    pub progress: Option<ProgressRequest>,
    /// Random choices of `--stress`: the shape of traces, their forced guard failures, and without plans their paths.
    pub chance: Option<Chance>,
}

/// Iterations to count: of the loop that versions are compared by, or of one around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgressRequest {
    /// The specialized loop. Its traces count their rounds anyway.
    pub at: LoopKey,
    /// The innermost loop of the function itself around the call that it is inlined at, if it is.
    pub around: Option<Block>,
}

/// Source of random choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    pub seed: u64,
    /// The header of a loop that gets a trace in any case.
    pub near: Option<Block>,
}

/// Kind of code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "of", rename_all = "kebab-case")]
pub enum CodePlan {
    Optimized,
    /// Optimized, with path probes and TFP registers.
    Profiled(Window),
    /// Optimized, with specialized loops. Empty only if their paths are random.
    Specialized(Vec<Arc<Proposal>>),
}

impl CodePlan {
    pub(crate) fn proposals(&self) -> &[Arc<Proposal>] {
        match self {
            CodePlan::Specialized(proposals) => proposals,
            CodePlan::Optimized | CodePlan::Profiled(_) => &[],
        }
    }

    pub(crate) fn loops(&self) -> impl Iterator<Item = LoopKey> {
        self.proposals().iter().map(|one| one.at())
    }

    /// Functions that it is about besides its own.
    pub fn callees(&self) -> impl Iterator<Item = &FuncRef> {
        let watched = match self {
            CodePlan::Profiled(window) => window.callees.as_slice(),
            CodePlan::Optimized | CodePlan::Specialized(_) => &[],
        };
        watched.iter().chain(self.proposals().iter().filter_map(|one| one.callee.as_ref()))
    }
}

/// Span for which a profiled version watches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Window {
    /// K of TFP: how many executions of a loop must be alike.
    pub k: u64,
    /// The window of a loop is full after so many executions, alike or not.
    pub executions: u64,
    /// Functions that are watched where they are inlined, beside the function itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callees: Vec<FuncRef>,
}
