//! Profiles as `profile` saves them.
//!
//! In: text. Out: [`SavedProfile`]: what of it is compared. `docs/profiling.md` describes the whole. Invariant: nothing that is read here
//! is trusted: a block may be missing, an id unknown.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A profile.
#[derive(Deserialize, Debug)]
pub struct SavedProfile {
    /// The name of its scheme.
    pub scheme: String,
    /// The option K, if the scheme has one.
    pub k: Option<u64>,
    /// The program.
    pub program: String,
    /// Number of paths that were left out, if only the hottest or coldest are there.
    #[serde(default)]
    pub left_out: u64,
    /// Every function of the program, in order.
    pub functions: Vec<SavedFunction>,
}

/// A function of a profile.
#[derive(Deserialize, Debug)]
pub struct SavedFunction {
    /// Its name, which others may have, too.
    pub name: String,
    /// A hash of what it does, as `report::body_hash` makes it; profiles of earlier versions have none.
    pub hash: Option<String>,
    /// Its blocks, in order of their numbers.
    pub blocks: Vec<SavedBlock>,
    /// From, to, count; no count where the scheme does not determine it.
    #[serde(default)]
    pub edges: Vec<(u32, u32, Option<u64>)>,
    /// Paths or sequences of paths, with their counts.
    #[serde(default)]
    pub paths: Vec<SavedPath>,
    /// The size of the sample, if the counts are those of one.
    pub sample: Option<IgnoredAny>,
    /// Paths of which sequences consist.
    #[serde(default)]
    pub path_list: Vec<ListedPath>,
}

/// A block of a function.
#[derive(Deserialize, Debug)]
pub struct SavedBlock {
    /// The first and the last line.
    pub lines: (u32, u32),
}

/// A path, or a sequence of paths.
#[derive(Deserialize, Debug)]
pub struct SavedPath {
    /// The blocks of a path.
    pub blocks: Option<Vec<u32>>,
    /// The ids of a sequence.
    pub ids: Option<Vec<String>>,
    /// The number of times it was taken.
    pub count: u64,
}

/// A path by its id.
#[derive(Deserialize, Debug)]
pub struct ListedPath {
    /// The id.
    pub id: String,
    /// Its blocks.
    pub blocks: Vec<u32>,
}

impl SavedProfile {
    /// Reads one. The error says what it lacks.
    pub fn read(text: &[u8]) -> Result<SavedProfile, serde_json::Error> {
        serde_json::from_slice(text)
    }

    /// Returns true if its counts are those of a sample.
    pub fn is_sampled(&self) -> bool {
        self.functions.iter().any(|function| function.sample.is_some())
    }
}

impl SavedFunction {
    /// Returns whether both do the same; where a profile does not tell, whether their blocks stand on the same lines, counted from the
    /// function's first.
    pub fn has_body_of(&self, other: &SavedFunction) -> bool {
        match (&self.hash, &other.hash) {
            (Some(hash), Some(of_other)) => hash == of_other,
            (None, _) | (_, None) => self.lines().eq(other.lines()),
        }
    }

    /// Returns whether both have the same blocks, with the same ways from one to the other: then a path of one is a path of the other.
    pub fn has_shape_of(&self, other: &SavedFunction) -> bool {
        let ways = |of: &SavedFunction| of.edges.iter().map(|(from, to, _)| (*from, *to)).collect::<BTreeSet<_>>();
        self.blocks.len() == other.blocks.len() && ways(self) == ways(other)
    }

    fn lines(&self) -> impl Iterator<Item = (u32, u32)> {
        let start = self.blocks.iter().map(|block| block.lines.0).min().unwrap_or(0);
        self.blocks.iter().map(move |block| (block.lines.0 - start, block.lines.1.saturating_sub(start)))
    }
}
