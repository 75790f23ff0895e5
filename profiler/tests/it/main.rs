//! The profiler's library, from outside: one test binary, since each one more costs a link.
//!
//! In: random graphs and traces, and the papers' examples. Out: counts, compared with naive ones.

mod common;
mod context;
mod edges;
mod events;
mod folded;
mod forest;
mod interprocedural;
mod k_iteration;
mod k_iteration_theory;
mod lab;
mod lab_calls;
mod lab_loops;
mod lab_stream;
mod nests;
mod paths;
mod persistence;
mod program_plans;
mod repeat;
mod roy_figures;
mod unrolled;
mod window;
mod without_itr;
mod wpp;
