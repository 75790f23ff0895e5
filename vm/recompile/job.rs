//! Jobs of the compiler's thread: compilations, and trying traces out.
//!
//! In: jobs with all they need. Out: what came of them. Nothing here looks at what running code changes.

use super::trial::{Trial, findings};
use holloway_jit::{CompileError, Compiled, Env, Request};
use holloway_lang::ir::FuncRef;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::adaptive::{CompilationId, LoopSummary, ProfileFindings};

/// A compilation under way.
#[derive(Clone)]
pub(super) struct Pending {
    pub(super) compilation: CompilationId,
    pub(super) request: Request,
    pub(super) loops: Vec<LoopSummary>,
    /// Set when nobody waits for it any more: it is not begun then.
    pub(super) withdrawn: Arc<AtomicBool>,
}

/// A compilation that ended.
pub(super) struct Done {
    pub(super) compilation: CompilationId,
    pub(super) request: Request,
    pub(super) loops: Vec<LoopSummary>,
    pub(super) result: Result<Compiled, CompileError>,
    pub(super) time: Duration,
}

/// A job.
pub(super) enum Job {
    Compile(Box<(Env, Pending)>),
    Try(Box<(Env, Trial)>),
}

/// Its outcome.
pub(super) enum Outcome {
    Compiled(Box<Done>),
    Tried(FuncRef, ProfileFindings),
}

impl Job {
    /// Does it.
    pub(super) fn work(self) -> Outcome {
        match self {
            Job::Compile(job) => {
                let (env, Pending { compilation, request, loops, withdrawn }) = *job;
                let start = Instant::now();
                let result = match withdrawn.load(Ordering::Relaxed) {
                    true => Err(CompileError("it was withdrawn".to_owned())),
                    false => holloway_jit::compile(&env, &request),
                };
                Outcome::Compiled(Box::new(Done { compilation, request, loops, result, time: start.elapsed() }))
            }
            Job::Try(job) => {
                let (env, trial) = *job;
                Outcome::Tried(trial.func, findings(&env, &trial))
            }
        }
    }
}
