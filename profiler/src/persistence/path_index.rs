//! An index for each path of a region, which the register has beside its bits.
//!
//! In: the bits of every path. Out: a weight for each place. The register is the sum of the weights of the places passed:
//!
//! ```text
//!   weight = multiplier << shift | 1 << bit        register = index << shift | bits
//! ```
//!
//! `[NGF03]` 3.1 allows an ADD in place of the OR, since a path passes each place once. 3.6 says that the values of the register "do not
//! reflect the actual number of paths in the instrumented region, thereby requiring hashing". The sum of multipliers is such a hash,
//! which is computed on the way. Multipliers are tried until no two paths have one index. The weights of places that all paths pass need
//! not be added on the way.
//!
//! Invariant: indices of paths differ, and are below [`PathIndex::len`].

use super::region::Regions;
use crate::graph::Graph;
use crate::plan::BitRegister;
use crate::settings::persistence::{MOST_INDEX_BITS, MOST_INDEXED_PATHS, TRIES};

/// Weights of places, and the paths by their indices.
#[derive(Clone, Debug)]
pub struct PathIndex {
    /// The position of the index in the register.
    pub shift: u32,
    /// The register's value before the first place: the weights of places that all paths pass.
    pub start: u64,
    weights: Vec<u64>,
    bits: Vec<Option<u64>>,
}

impl PathIndex {
    /// An index for the paths of a region; `None` if they are many, or none was found.
    pub fn of(regions: &Regions, graph: &Graph, register: BitRegister) -> Option<PathIndex> {
        let places = regions.get(register).places.len();
        let paths = (places < 64).then(|| regions.paths(graph, register, MOST_INDEXED_PATHS)).flatten()?;
        let paths: Vec<u64> = paths.iter().map(|bits| bits[0]).collect();
        PathIndex::find(places, &paths)
    }

    /// An index for paths of so many places; `None` if none was found.
    pub fn find(places: usize, paths: &[u64]) -> Option<PathIndex> {
        let least = paths.len().next_power_of_two().trailing_zeros().max(1);
        let mut random = 0_u64;
        for width in least..=MOST_INDEX_BITS {
            // A register whose bits are all set is that of no path.
            if places + width as usize >= 64 {
                return None;
            }
            for _ in 0..TRIES {
                let multipliers = (0..places).map(|_| next(&mut random) >> (64 - width)).collect::<Vec<u64>>();
                if let Some(bits) = indexed(&multipliers, width, paths) {
                    let shift = 64 - width;
                    let weight = |(bit, multiplier): (usize, u64)| multiplier << shift | 1 << bit;
                    let mut weights: Vec<u64> = multipliers.into_iter().enumerate().map(weight).collect();
                    let start = take_common(&mut weights, paths);
                    return Some(PathIndex { shift, start, weights, bits });
                }
            }
        }
        None
    }

    /// The weight of a place; 0 if all paths pass it.
    pub fn weight(&self, bit: u32) -> u64 {
        self.weights[bit as usize]
    }

    /// Bound of the indices, a power of 2.
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// Returns true if there are no indices, which is never so.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// The bits of the path with an index.
    pub fn bits(&self, index: usize) -> Option<u64> {
        self.bits[index]
    }

    /// The mask of the bits in a register.
    pub fn places(&self) -> u64 {
        !(u64::MAX << self.weights.len())
    }
}

/// Takes the weights of places that all paths pass; gives their sum.
fn take_common(weights: &mut [u64], paths: &[u64]) -> u64 {
    let common = paths.iter().fold(u64::MAX, |common, path| common & path);
    let passed = weights.iter_mut().enumerate().filter(|(bit, _)| common >> bit & 1 == 1);
    passed.fold(0, |sum, (_, weight)| sum.wrapping_add(std::mem::take(weight)))
}

/// The paths by their indices; `None` if two have the same.
fn indexed(multipliers: &[u64], width: u32, paths: &[u64]) -> Option<Vec<Option<u64>>> {
    let mut found = vec![None; 1 << width];
    for &path in paths {
        let passed = multipliers.iter().enumerate().filter(|(bit, _)| path >> bit & 1 == 1);
        let index = passed.fold(0_u64, |sum, (_, multiplier)| sum + multiplier) & ((1 << width) - 1);
        if found[index as usize].replace(path).is_some() {
            return None;
        }
    }
    Some(found)
}

/// SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 17.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
