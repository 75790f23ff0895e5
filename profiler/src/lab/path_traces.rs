//! Unique path traces in the lab, compacted as [ZG01 section 2].
//!
//! In: a program and its executions. Out: for each procedure a [`TraceRow`] for each unique trace of its activations, with its dynamic basic
//! blocks and timestamps; those that most activations took come first.
//!
//! `[ZG01]` Y. Zhang, R. Gupta, "Timestamped Whole Program Path Representation and its Applications", PLDI 2001.
//!
//! Invariant: each activation of the traces is counted in one trace. All blocks of one activation are in memory: not for streams.

use std::cmp::Reverse;

use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;

use super::error::LabError;
use super::executions::Executions;
use super::procedure::{Named, Program};
use super::result::{FunctionResult, TraceRow};
use super::trace::Follower;
use crate::graph::{EdgeId, Node};
use crate::supergraph::ProcedureId;
use crate::wpp::{Dictionary, TimestampedTrace};

/// Adds the traces of each procedure to its result.
pub(super) fn evaluate(
    program: &Program,
    executions: &Executions,
    results: &mut [FunctionResult],
) -> Result<(), LabError> {
    let mut traces = Traces { program, counts: program.procedures.keys().map(|_| HashMap::new()).collect() };
    executions.follow(&mut traces)?;
    for ((id, counts), result) in traces.counts.into_iter().zip(results) {
        let mut all: Vec<(Vec<Node>, (usize, u64))> = counts.into_iter().collect();
        all.sort_by_key(|(_, (first, calls))| (Reverse(*calls), *first));
        result.traces = all.iter().map(|(blocks, (_, calls))| row(&program.procedures[id], blocks, *calls)).collect();
    }
    Ok(())
}

fn row(procedure: &Named, blocks: &[Node], calls: u64) -> TraceRow {
    let names = |nodes: &[Node]| nodes.iter().map(|&node| procedure.name(node)).collect::<Vec<_>>();
    let timestamps = |trace: &TimestampedTrace| {
        trace.series().iter().map(|(node, series)| (procedure.name(*node), series.words().collect())).collect()
    };
    let dictionary = Dictionary::of(blocks.iter().copied());
    let compacted: Vec<Node> = dictionary.compact(blocks.iter().copied()).collect();
    TraceRow {
        calls,
        blocks: names(blocks),
        dictionary: dictionary.chains().iter().map(|chain| names(chain)).collect(),
        trace: names(&compacted),
        timestamps: timestamps(&TimestampedTrace::of(compacted)),
        of_blocks: timestamps(&TimestampedTrace::of(blocks.iter().copied())),
    }
}

struct Traces<'a> {
    program: &'a Program,
    /// For each trace the number of traces that were there before it, and its activations.
    counts: PrimaryMap<ProcedureId, HashMap<Vec<Node>, (usize, u64)>>,
}

impl Traces<'_> {
    fn ends(&mut self, procedure: ProcedureId, blocks: Vec<Node>) {
        let counts = &mut self.counts[procedure];
        let known = counts.len();
        counts.entry(blocks).or_insert((known, 0)).1 += 1;
    }
}

impl Follower for Traces<'_> {
    type Activation = Vec<Node>;

    fn enter(&mut self, procedure: ProcedureId) -> Vec<Node> {
        vec![self.program.procedures[procedure].graph.entry()]
    }

    fn take(&mut self, procedure: ProcedureId, blocks: &mut Vec<Node>, edge: EdgeId) {
        blocks.push(self.program.procedures[procedure].graph.edge(edge).to);
    }

    fn leave(&mut self, procedure: ProcedureId, blocks: Vec<Node>) {
        self.ends(procedure, blocks);
    }

    fn abort(&mut self, procedure: ProcedureId, blocks: Vec<Node>, _: Node) {
        self.ends(procedure, blocks);
    }
}
