//! Jobs of the compiler's thread: compilations, and looking profiles through.
//!
//! In: jobs with all they need. Out: what came of them. Nothing here looks at what running code changes.

use crate::propose::{Profile, propose};
use holloway_ir::FuncRef;
use holloway_jit::few_trips::few_trips;
use holloway_jit::{CompileError, Compiled, Env, Request};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::{CompilationId, LoopKey, ProfileFindings, TraceSummary};

/// A compilation under way.
#[derive(Clone)]
pub(super) struct Pending {
    pub(super) compilation: CompilationId,
    pub(super) request: Request,
    pub(super) loops: Vec<TraceSummary>,
    /// Set when nobody waits for it any more: it is not begun then.
    pub(super) withdrawn: Arc<AtomicBool>,
}

/// A compilation that ended.
pub(super) struct Done {
    pub(super) compilation: CompilationId,
    pub(super) request: Request,
    pub(super) loops: Vec<TraceSummary>,
    pub(super) result: Result<Compiled, CompileError>,
    /// Inner loops that come round the same few times, by what was observed.
    pub(super) few_trips: Vec<LoopKey>,
    pub(super) time: Duration,
}

/// A job.
pub(super) enum Job {
    Compile(Box<(Env, Pending)>),
    Propose(Box<(Env, Profile)>),
}

/// Its outcome.
pub(super) enum Outcome {
    Compiled(Box<Done>),
    Proposed(FuncRef, ProfileFindings),
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
                let few_trips = loops_of_few_trips(&env, &request);
                let time = start.elapsed();
                Outcome::Compiled(Box::new(Done { compilation, request, loops, result, few_trips, time }))
            }
            Job::Propose(job) => {
                let (env, profile) = *job;
                Outcome::Proposed(profile.func, propose(&env, &profile))
            }
        }
    }
}

/// Inner loops that come round the same few times, of a function and of those that may be inlined into it.
fn loops_of_few_trips(env: &Env, request: &Request) -> Vec<LoopKey> {
    let of_function = |(func, counts)| {
        let callee = (func != request.func).then_some(func);
        let headers = few_trips(env.module.function(func), counts);
        headers.into_iter().map(move |header| LoopKey { callee, header })
    };
    let mut loops: Vec<LoopKey> = request.observed.iter().flat_map(of_function).collect();
    loops.sort_unstable();
    loops
}
