//! Numberings: each gives a [`crate::plan::Plan`] for a graph, and turns its counts into counts of edges or paths.
//!
//! In: a graph, and an edge profile for the schemes that use one. Out: plans as data. [`spanning_tree`] counts edges;
//! [`dag`] cuts the graph, [`ball_larus`] numbers it in the papers' order and [`smart`] by frequency, [`increments`]
//! places the additions of a path number; [`bala`] records branch bits; [`k_iteration`] numbers paths across back
//! edges, [`context`] paths with the way to their loop, [`interprocedural`] paths across calls.

pub mod bala;
pub mod ball_larus;
pub mod context;
pub mod dag;
pub mod increments;
pub mod interprocedural;
pub mod k_iteration;
pub mod smart;
pub(crate) mod spanning_forest;
pub mod spanning_tree;
