//! Numberings: each turns a graph into a [`crate::plan::Plan`] and back from counts to edges or paths.
//!
//! In: a graph, and an edge profile where a scheme wants one. Out: plans as data. [`spanning_tree`] counts edges; [`dag`] cuts
//! the graph, [`ball_larus`] numbers it in the papers' order and [`smart`] by frequency, [`increments`] says where a path
//! number's additions stand; [`bala`] records branch bits; [`k_iteration`] numbers paths across back edges.

pub mod bala;
pub mod ball_larus;
pub mod dag;
pub mod increments;
pub mod k_iteration;
pub mod smart;
pub mod spanning_tree;
