//! Executions of a line, as they begin.
//!
//! In: the blocks of each activation as they begin, and the statements as control comes to them. Out: the statements with which executions begin. Invariant:
//! they are those of [`executions_of`](crate::trace::facts::place::executions_of), in that order.

use crate::trace::facts::place::{
    LineExecution, LineOfProcedure, PlaceError, Segment, SourceLine, SourceProgram, blocks_of_line,
};
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::slice::ProcedureId;
use std::collections::{BTreeMap, VecDeque};

/// A line in the procedures of a program.
pub(super) struct LineVisits<'p> {
    program: SourceProgram<'p>,
    blocks: BTreeMap<ProcedureId, BTreeMap<Node, Vec<u32>>>,
    segments: BTreeMap<(ProcedureId, Node), Vec<Segment>>,
    /// True for blocks of these procedures whose statements are all on no line.
    neutral: BTreeMap<(ProcedureId, Node), bool>,
}

/// The executions of the line in one activation.
#[derive(Default)]
pub(super) struct Visit {
    present: LineExecution,
    /// Statements of the present block with which executions begin.
    begins: VecDeque<u32>,
}

impl<'p> LineVisits<'p> {
    pub(super) fn new(program: SourceProgram<'p>, at: SourceLine) -> Result<LineVisits<'p>, PlaceError> {
        let blocks = blocks_of_line(program, at)?;
        let mut segments = BTreeMap::new();
        for (procedure, blocks) in &blocks {
            let line = LineOfProcedure { program, procedure: *procedure, blocks };
            segments.extend(blocks.keys().map(|block| ((*procedure, *block), line.segments(*block))));
        }
        Ok(LineVisits { program, blocks, segments, neutral: BTreeMap::new() })
    }

    /// An activation begins; `None` if the line is not in its procedure.
    pub(super) fn begin(&self, procedure: ProcedureId) -> Option<Visit> {
        self.blocks.contains_key(&procedure).then(Visit::default)
    }

    /// A block of an activation begins.
    pub(super) fn block(&mut self, visit: &mut Visit, procedure: ProcedureId, block: Node) {
        visit.begins.clear();
        let Some(segments) = self.segments.get(&(procedure, block)) else {
            let LineVisits { program, blocks, neutral, .. } = self;
            let line = || LineOfProcedure { program: *program, procedure, blocks: &blocks[&procedure] };
            visit.present.pass(|| *neutral.entry((procedure, block)).or_insert_with(|| line().is_neutral(block)));
            return;
        };
        for segment in segments {
            if visit.present.begins_with(block, segment) {
                visit.begins.push_back(segment.first);
            }
        }
    }
}

impl Visit {
    /// True iff control comes to the beginning of an execution up to a statement.
    pub(super) fn is_before(&self, statement: u32) -> bool {
        self.begins.front().is_some_and(|first| *first <= statement)
    }

    /// The statement with which an execution begins, if control has come to it by now.
    pub(super) fn begins_by(&mut self, statement: u32) -> Option<u32> {
        self.begins.pop_front_if(|first| *first <= statement)
    }
}
