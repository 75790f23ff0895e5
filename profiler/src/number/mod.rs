//! Numberings: each turns a graph into a [`crate::plan::Plan`] and back from counts to edges or paths.
//!
//! In: a graph, and an edge profile where a scheme wants one. Out: plans as data. [`spanning_tree`] counts edges.

pub mod spanning_tree;
