//! The observers by which the interpreter counts.
//!
//! In: nothing. Out: their types. Invariant: a function's plan is made when it is first entered.

use holloway_interp::plan::{Instrumented, PlanObserver};
use holloway_lang::ir::FuncRef;
use holloway_profiler::machine::NoSink;
use holloway_profiler::scheme::Collected;

/// Counts edges with the plan that baseline code carries.
pub(crate) type EdgeObserver = PlanObserver<Box<dyn FnMut(FuncRef) -> Instrumented<NoSink> + Send>>;

/// Carries the plans of a path scheme out.
pub(crate) type PathObserver =
    PlanObserver<Box<dyn FnMut(FuncRef) -> Instrumented<Box<dyn Collected>> + Send>, Box<dyn Collected>>;
