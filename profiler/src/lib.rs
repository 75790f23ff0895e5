//! Path profiling algorithms on bare control-flow graphs and event streams.
//!
//! In: a [`graph::Graph`], and then the events of an execution. Out: a [`plan::Plan`] of instrumentation, and
//! afterwards counts of edges and paths, forests of path sequences, and persistent flow properties.
//!
//! Data flow: graph -> numbering ([`number`]) -> plan -> machine or compiled code -> ids ([`machine::Sink`]) ->
//! [`counts`], [`forest`] or [`persistence`] -> blocks ([`path_id`]). [`lab`] does all of it for graphs and traces from
//! elsewhere.
//!
//! Invariants: nothing here knows a language or a code generator; everything is deterministic; nothing does I/O.
#![forbid(unsafe_code)]

pub mod context_tree;
pub mod counts;
pub mod cross_prefix;
pub mod event;
pub mod forest;
pub mod graph;
pub mod hash;
pub mod lab;
pub mod machine;
pub mod number;
pub mod path_id;
pub mod persistence;
pub mod plan;
pub mod repeat;
pub mod scheme;
pub mod supergraph;
pub mod wpp;

mod settings;
