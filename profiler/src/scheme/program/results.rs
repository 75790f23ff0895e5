//! Paths of a program from their numbers.
//!
//! In: counts by number, and prefixes. Out: [`ProgramResults`]: paths as blocks of functions, in order of their numbers.
//!
//! Segments become blocks again: a block that a path crosses calls in stands once behind each return, and only then. Dispatchers are left out, as
//! calls of values go to functions.
//! Invariant: a prefix ends at the place of its path where the open calls are those of the activations that it runs through.

use super::ProgramPlan;
use crate::cross_prefix::{CrossPrefix, CutFrame};
use crate::graph::Node;
use crate::number::interprocedural::{Arrival, InterEnd, InterPath, PathVertex};
use crate::supergraph::ProcedureId;

/// The paths of a program.
#[derive(Clone, Debug)]
pub struct ProgramResults {
    /// Complete paths, by number.
    pub paths: Vec<CrossRow>,
    /// Paths that failures cut short.
    pub prefixes: Vec<CrossRow>,
}

/// A path with its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossRow {
    /// Its number.
    pub id: u64,
    /// The path.
    pub path: CrossPath,
    /// Its count.
    pub count: u64,
}

/// A path of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossPath {
    /// The context prefix.
    pub context: Vec<CrossVertex>,
    /// The active suffix.
    pub active: Vec<CrossVertex>,
    /// Its end.
    pub end: InterEnd,
}

/// A block of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrossVertex {
    /// The function.
    pub function: ProcedureId,
    /// The block.
    pub block: Node,
    /// The way by which the path reached it.
    pub arrival: Arrival,
}

impl ProgramPlan {
    /// The paths that were counted.
    pub fn results(
        &self,
        counts: impl IntoIterator<Item = (u64, u64)>,
        prefixes: impl IntoIterator<Item = (CrossPrefix, u64)>,
    ) -> ProgramResults {
        let paths = counts.into_iter().map(|(id, count)| CrossRow { id, path: self.path(id), count });
        let prefixes = prefixes.into_iter().map(|(prefix, count)| CrossRow {
            id: prefix.number,
            path: self.prefix(&prefix),
            count,
        });
        ProgramResults { paths: paths.collect(), prefixes: prefixes.collect() }
    }

    fn path(&self, id: u64) -> CrossPath {
        // A path that was executed is as long as the execution at most.
        let path = self.numbering.path_of(&self.supergraph, id.into(), usize::MAX);
        self.of_blocks(&path.expect("a plan reports numbers of its numbering"))
    }

    fn prefix(&self, prefix: &CrossPrefix) -> CrossPath {
        let whole = self.numbering.path_of(&self.supergraph, prefix.number.into(), usize::MAX);
        let whole = whole.expect("a plan reports numbers of its numbering");
        let end = self.end_of(prefix, &whole).expect("a path passes the place where it fails");
        let vertices = whole.vertices[..=end].to_vec();
        self.of_blocks(&InterPath { vertices, end: InterEnd::Failure })
    }

    /// The vertex at which a path is where a failure found it, with as many open calls.
    fn end_of(&self, prefix: &CrossPrefix, whole: &InterPath) -> Option<usize> {
        let (innermost, outer) = prefix.frames.split_first()?;
        let (innermost, outer) = (self.segment(*innermost), outer.iter().map(|frame| self.segment(*frame)));
        let outer: Vec<(ProcedureId, Node)> = outer.collect();
        let mut open: Vec<(ProcedureId, Node)> = Vec::new();
        let mut end = None;
        for (at, vertex) in whole.vertices.iter().enumerate() {
            match vertex.arrival {
                Arrival::Call => {
                    let caller = whole.vertices[at - 1];
                    if !self.values.is_dispatcher(caller.procedure) {
                        open.push((caller.procedure, caller.block));
                    }
                }
                Arrival::Return(_) if self.values.is_dispatcher(vertex.procedure) => {}
                Arrival::Return(_) => drop(open.pop()),
                Arrival::Start | Arrival::Edge | Arrival::Surrogate => {}
            }
            let is_there =
                (vertex.procedure, vertex.block) == innermost && open.iter().rev().zip(&outer).all(|(a, b)| a == b);
            if is_there && open.len() == outer.len() {
                end = Some(at);
            }
        }
        end
    }

    fn segment(
        &self,
        (function, CutFrame { block, calls, .. }): (crate::event::FunctionId, CutFrame),
    ) -> (ProcedureId, Node) {
        let function = ProcedureId::from_u32(function.as_u32());
        (function, self.segments[function].of(block, calls))
    }

    fn of_blocks(&self, path: &InterPath) -> CrossPath {
        CrossPath { context: self.blocks(path.context()), active: self.blocks(path.active()), end: path.end }
    }

    fn blocks(&self, vertices: &[PathVertex]) -> Vec<CrossVertex> {
        let mut blocks: Vec<CrossVertex> = Vec::new();
        for vertex in vertices {
            let function = vertex.procedure;
            if self.values.is_dispatcher(function) {
                continue;
            }
            let segments = &self.segments[function];
            if !segments.graph.is_block(vertex.block) {
                continue;
            }
            let (block, calls) = segments.place(vertex.block);
            // Behind a call that the path does not cross it is in the same block.
            let goes_on = vertex.arrival == Arrival::Edge && calls > 0 && !blocks.is_empty();
            if !goes_on {
                blocks.push(CrossVertex { function, block, arrival: vertex.arrival });
            }
        }
        blocks
    }
}
