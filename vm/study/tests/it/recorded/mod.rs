//! Questions about runs of whole programs.
//!
//! In: random programs, and small ones with the behaviour at hand. Out: failed tests that show the program. `HOLLOWAY_PROGRAMS` and
//! `HOLLOWAY_FIRST_SEED` choose random programs, as for the tests in `vm/engine/tests/`.

mod availability_walk;
mod dependence_graph;
mod forward_slices;
mod linear_nodes;
mod module_loads;
mod module_queries;
mod module_slices;
mod naive_control;
mod programs;
mod queries;
mod random_module;
mod random_slices;
mod replay;
mod slices;
