//! Path frequencies from the register of a region.
//!
//! In: the register at the end of each execution. Out: the number of executions of each path that was taken.
//!
//! `[NGF03]` 3.6: each path has a value of `r` of its own (Theorem 1), which "can be hashed into a counter array at the end of
//! the loop (back-edge) to maintain an exact count of the path frequencies". The values do not count the paths: a region of n
//! places has up to 2^n values and far fewer paths, so that there is a hash table and no array. No probe beyond those of
//! the five properties is needed.
//!
//! Invariant: the counts of a region add up to its executions; values of `r` that never occurred have no entry.

use crate::hash::{IdMap, KeyMap};

/// Counts of a region's paths, keyed by their bits.
#[derive(Clone, Debug)]
pub struct PathFrequencies {
    counts: Table,
}

/// A table for the width of the register.
#[derive(Clone, Debug)]
enum Table {
    /// A register of one word, as nearly all are (4.1).
    Word(IdMap<u64>),
    /// A register of several words.
    Words(KeyMap<Vec<u64>, u64>),
}

impl PathFrequencies {
    /// No executions, of a region whose register has so many words.
    pub fn new(words: u32) -> PathFrequencies {
        let counts = if words <= 1 { Table::Word(IdMap::default()) } else { Table::Words(KeyMap::default()) };
        PathFrequencies { counts }
    }

    /// Counts `count` executions that ended with `r`.
    pub fn add(&mut self, r: &[u64], count: u64) {
        match &mut self.counts {
            Table::Word(counts) => *counts.entry(r[0]).or_insert(0) += count,
            Table::Words(counts) => match counts.get_mut(r) {
                Some(known) => *known += count,
                None => {
                    counts.insert(r.to_vec(), count);
                }
            },
        }
    }

    /// Number of paths that were taken, each of which has an entry.
    pub fn len(&self) -> usize {
        match &self.counts {
            Table::Word(counts) => counts.len(),
            Table::Words(counts) => counts.len(),
        }
    }

    /// Returns true if nothing was executed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The paths, as bits, with their counts; sorted by bits.
    pub fn paths(&self) -> Vec<(Vec<u64>, u64)> {
        let mut paths: Vec<(Vec<u64>, u64)> = match &self.counts {
            Table::Word(counts) => counts.iter().map(|(&r, &count)| (vec![r], count)).collect(),
            Table::Words(counts) => counts.iter().map(|(r, &count)| (r.clone(), count)).collect(),
        };
        paths.sort_unstable();
        paths
    }
}
