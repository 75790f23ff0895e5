//! Results of one function, whatever the scheme.
//!
//! In: reports read back. Out: [`Results`]: rows of paths with counts, prefixes apart, and what else the scheme found, if it looks for
//! that: sequences, regions.
//! Invariant: reports for people and for programs tell results apart by the parts that are there, never by the scheme.

use super::sequences::Sequences;
use crate::counts::TableKind;
use crate::graph::Node;
use crate::number::bala::history_bits;
use crate::path_id::Path;
use crate::persistence::Persistence;

/// The id of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathId {
    /// A number of its own.
    Number(u64),
    /// The block where it starts, and the branches since, below a leading 1.
    History {
        /// The block.
        start: Node,
        /// The branches.
        history: u64,
    },
}

impl PathId {
    /// The id as text: decimal, or `start:bits` with the name of the start block.
    pub fn text(self, name: impl Fn(Node) -> String) -> String {
        match self {
            PathId::Number(id) => id.to_string(),
            PathId::History { start, history } => format!("{}:{}", name(start), history_bits(history)),
        }
    }
}

/// A path with its count.
#[derive(Clone, Debug)]
pub struct PathRow {
    /// Its id.
    pub id: PathId,
    /// The path.
    pub path: Path,
    /// Edges of the path before this one were counted by the path that began an iteration earlier; `None` if none began there.
    pub own_from: Option<usize>,
    /// The context prefix, of schemes that keep one; it is no part of the path.
    pub context: Option<Vec<Node>>,
    /// Its count.
    pub count: u64,
}

impl PathRow {
    /// A path that overlaps no other.
    pub fn new(id: PathId, path: Path, count: u64) -> PathRow {
        PathRow { id, path, own_from: None, context: None, count }
    }
}

/// Everything that was found in one function.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Complete paths, by id.
    pub paths: Vec<PathRow>,
    /// Paths that failures cut short.
    pub prefixes: Vec<PathRow>,
    /// The kind of table that paths were counted in, if they were.
    pub table: Option<TableKind>,
    /// Sequences of paths.
    pub sequences: Option<Box<Sequences>>,
    /// Persistence of regions.
    pub regions: Option<Box<Persistence>>,
    /// True if paths are those of the whole program, so that none stand here.
    pub is_of_program: bool,
}

impl Results {
    /// Returns true if paths tell how often edges were taken: every path has its exact count.
    pub fn counts_are_exact(&self) -> bool {
        match &self.sequences {
            Some(sequences) => sequences.forest.is_exact(),
            // Regions alone know nothing of paths.
            None => self.regions.is_none() && !self.is_of_program,
        }
    }
}
