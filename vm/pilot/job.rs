//! What the compiler's thread does: compilations, and trying traces out.
//!
//! In: jobs with all they need. Out: what came of them. Nothing here looks at what running code changes.

use holloway_jit::trace::TraceSpec;
use holloway_jit::trace::choose;
use holloway_jit::trace::estimate::{Estimate, estimate};
use holloway_jit::{CompileError, Compiled, Env, Request};
use holloway_lang::ir::FuncRef;
use std::time::{Duration, Instant};

use crate::adaptive::{Ticket, TraceSummary};

/// A compilation that was ordered.
#[derive(Clone)]
pub(super) struct Pending {
    pub(super) ticket: Ticket,
    pub(super) request: Request,
    pub(super) traces: Vec<TraceSummary>,
}

/// A compilation that ended.
pub(super) struct Done {
    pub(super) ticket: Ticket,
    pub(super) request: Request,
    pub(super) traces: Vec<TraceSummary>,
    pub(super) result: Result<Compiled, CompileError>,
    pub(super) time: Duration,
}

/// Traces to try out.
pub(super) struct Trial {
    pub(super) func: FuncRef,
    /// Plain optimized code of the function.
    pub(super) request: Request,
    pub(super) specs: Vec<TraceSpec>,
}

/// What to do.
pub(super) enum Job {
    Compile(Box<(Env, Pending)>),
    Try(Box<(Env, Trial)>),
}

/// What came of it.
pub(super) enum Outcome {
    Compiled(Box<Done>),
    Tried(FuncRef, Vec<(TraceSpec, Estimate)>),
}

impl Job {
    /// Does it.
    pub(super) fn work(self) -> Outcome {
        match self {
            Job::Compile(job) => {
                let (env, Pending { ticket, request, traces }) = *job;
                let start = Instant::now();
                let result = holloway_jit::compile(&env, &request);
                Outcome::Compiled(Box::new(Done { ticket, request, traces, result, time: start.elapsed() }))
            }
            Job::Try(job) => {
                let (env, Trial { func, request, specs }) = *job;
                let tried = specs.into_iter().filter_map(|spec| {
                    let shape = choose::shape(&request.body, &spec);
                    let expected = choose::expect(&request.body, &spec);
                    let estimate = estimate(&env, &request, &expected, shape)?;
                    Some((spec, estimate))
                });
                Outcome::Tried(func, tried.collect())
            }
        }
    }
}
