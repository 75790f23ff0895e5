//! Path spectra: what a run took, and how often.
//!
//! In: a profile. Out: its [`Spectrum`]. An edge is a path of two blocks; a path is a sequence of one.
//! Invariant: items of different lengths are not compared with each other, as each occurrence of a sequence is one of its parts, too.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use holloway_profiler::scheme::View;

use super::saved::{SavedFunction, SavedProfile};

/// Something that a run may take: the function, as the number of its pair, and the blocks of each of its paths.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    /// The function's number among those of both profiles.
    pub function: usize,
    /// Its paths.
    pub paths: Vec<Vec<u32>>,
}

/// All that a run took.
#[derive(Default, Debug)]
pub(super) struct Spectrum {
    counts: BTreeMap<Item, u64>,
    /// The sum of counts, by the length of items.
    totals: HashMap<usize, u64>,
}

impl Spectrum {
    /// The spectrum of a profile of this shape, whose functions have these numbers.
    pub(super) fn of(profile: &SavedProfile, view: View, functions: &[usize]) -> Spectrum {
        let mut spectrum = Spectrum::default();
        for (function, number) in profile.functions.iter().zip(functions) {
            for (paths, count) in taken(function, view) {
                let total = spectrum.totals.entry(paths.len()).or_default();
                *total = total.saturating_add(count);
                let of_item = spectrum.counts.entry(Item { function: *number, paths }).or_default();
                *of_item = of_item.saturating_add(count);
            }
        }
        spectrum
    }

    /// Everything that was taken.
    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.counts.keys()
    }

    /// The number of times that something was taken.
    pub(super) fn count(&self, item: &Item) -> u64 {
        self.counts.get(item).copied().unwrap_or(0)
    }

    /// Its share of all that has its length.
    pub(super) fn share(&self, item: &Item) -> f64 {
        match self.totals.get(&item.paths.len()) {
            Some(total) => self.count(item) as f64 / *total as f64,
            None => 0.0,
        }
    }

    /// Number of single paths taken.
    pub(super) fn total(&self) -> u64 {
        self.totals.get(&1).copied().unwrap_or(0)
    }

    /// The count of the longer item by one path that was taken most often.
    pub(super) fn likeliest_extension(&self, item: &Item) -> u64 {
        // In order, the extensions of an item follow it directly.
        let longer = self.counts.range(item..).skip_while(|(other, _)| *other == item);
        let extensions =
            longer.take_while(|(other, _)| other.function == item.function && other.paths.starts_with(&item.paths));
        let by_one = extensions.filter(|(other, _)| other.paths.len() == item.paths.len() + 1);
        by_one.map(|(_, count)| *count).max().unwrap_or(0)
    }
}

/// Everything that was taken of a function.
fn taken(function: &SavedFunction, view: View) -> Vec<(Vec<Vec<u32>>, u64)> {
    let listed: HashMap<&str, &Vec<u32>> =
        function.path_list.iter().map(|path| (path.id.as_str(), &path.blocks)).collect();
    let all: Vec<(Vec<Vec<u32>>, u64)> = match view {
        View::Edges => {
            let edges = function.edges.iter();
            edges.map(|(from, to, count)| (vec![vec![*from, *to]], count.unwrap_or(0))).collect()
        }
        View::Paths => {
            let blocks = |path: &super::saved::SavedPath| Some((vec![path.blocks.clone()?], path.count));
            function.paths.iter().filter_map(blocks).collect()
        }
        View::Sequences => {
            let spelled = |ids: &Vec<String>| -> Option<Vec<Vec<u32>>> {
                ids.iter().map(|id| listed.get(id.as_str()).map(|blocks| (*blocks).clone())).collect()
            };
            let paths = |path: &super::saved::SavedPath| Some((spelled(path.ids.as_ref()?)?, path.count));
            function.paths.iter().filter_map(paths).collect()
        }
        View::Regions | View::Across | View::Contexts => Vec::new(),
    };
    all.into_iter().filter(|(_, count)| *count > 0).collect()
}
