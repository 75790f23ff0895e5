//! The difference of two spectra.
//!
//! In: two profiles. Out: what changed, most first. [`Pairs`] tells which functions are compared with which. Invariant: what cannot be compared is
//! said, and not passed over; so is what has another body on each side.

use std::collections::BTreeSet;
use std::fmt;

use holloway_profiler::scheme::{Scheme, View};

use super::pairs::{Pair, Pairs};
use super::saved::{SavedFunction, SavedProfile};
use super::spectrum::{Item, Spectrum};
use crate::report::FOLLOWED;

/// Both profiles of a comparison, and what differs.
#[derive(Debug)]
pub struct Difference {
    /// The scheme.
    pub scheme: String,
    /// The option K.
    pub k: Option<u64>,
    /// The profiles.
    pub sides: [Side; 2],
    /// Whatever was taken in a run, by falling difference of its shares.
    pub changes: Vec<Change>,
    /// Functions whose blocks differ, so that their paths are not compared.
    pub not_compared: Vec<String>,
    /// Functions with the same blocks, whose bodies differ.
    pub other_bodies: Vec<String>,
    /// Functions with one body and another name in the second profile: both names.
    pub renamed: Vec<(String, String)>,
}

/// One profile of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The program.
    pub program: String,
    /// Number of edges or paths that were taken.
    pub taken: u64,
    /// Number of different ones.
    pub different: usize,
}

/// An edge, a path or a sequence of paths, with its frequency in both runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// The function.
    pub function: String,
    /// Its place among the functions of each profile that has it.
    pub places: [Option<usize>; 2],
    /// The blocks of each path.
    pub paths: Vec<Vec<u32>>,
    /// The function has another body on each side.
    pub differs_in_body: bool,
    /// The lines of each block: the first and the last.
    pub lines: Vec<Vec<(u32, u32)>>,
    /// The number of times it was taken.
    pub counts: [u64; 2],
    /// Its share of all of its kind.
    pub shares: [f64; 2],
}

/// Reasons for which two profiles cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incomparable {
    /// Nothing is known of the scheme of a profile.
    UnknownScheme(String),
    /// They are by different schemes.
    Schemes(String, String),
    /// They have different K.
    Ks(Option<u64>, Option<u64>),
    /// One has so few of its paths only.
    LeftOut(u64),
    /// One is of a sample, the other of a whole run.
    Sampled,
    /// The scheme does not count paths.
    NoCounts(String),
    /// The scheme's paths run across calls.
    AcrossCalls(String),
}

impl fmt::Display for Incomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let k = |k: &Option<u64>| k.map_or("no K".to_owned(), |k| format!("--k {k}"));
        match self {
            Self::UnknownScheme(name) => write!(f, "there is no profiling scheme '{name}'"),
            Self::Schemes(a, b) => {
                write!(f, "one profile is by {a} and the other by {b}; profile both runs by one scheme")
            }
            Self::Ks(a, b) => {
                write!(f, "one profile has {} and the other {}; profile both runs with one K", k(a), k(b))
            }
            Self::LeftOut(paths) => {
                write!(f, "a profile lacks {paths} of its paths; save it whole, without --top")
            }
            Self::Sampled => {
                write!(f, "one profile is of a sample and the other of a whole run; profile both runs alike")
            }
            Self::AcrossCalls(name) => {
                write!(f, "paths of {name} belong to no function, and are not compared; profile both runs by bl")
            }
            Self::NoCounts(name) => {
                write!(f, "profiles by {name} do not say how often each path was taken; profile both runs by bl")
            }
        }
    }
}

impl std::error::Error for Incomparable {}

impl Change {
    /// By how much the share grew from the first run to the second, of 1; below 0 if it fell.
    pub fn growth(&self) -> f64 {
        self.shares[1] - self.shares[0]
    }
}

impl Difference {
    /// Compares two profiles.
    pub fn between(a: &SavedProfile, b: &SavedProfile) -> Result<Difference, Incomparable> {
        let view = comparable(a, b)?;
        let pairs = Pairs::of(a, b);
        let spectra = [Spectrum::of(a, view, &pairs.numbers[0]), Spectrum::of(b, view, &pairs.numbers[1])];
        let side = |profile: &SavedProfile, spectrum: &Spectrum| Side {
            program: profile.program.clone(),
            taken: spectrum.total(),
            different: spectrum.items().filter(|item| item.paths.len() == 1).count(),
        };
        let all: BTreeSet<&Item> = spectra.iter().flat_map(Spectrum::items).collect();
        let ends = |item: &&&Item| spectra.iter().any(|spectrum| ends(spectrum, item));
        let mut changes: Vec<Change> = all
            .iter()
            .filter(|item| pairs.all[item.function].is_compared())
            .filter(ends)
            .map(|item| {
                let pair = &pairs.all[item.function];
                let function = pair.function();
                Change {
                    function: function.name.clone(),
                    places: pairs.places(item.function),
                    paths: item.paths.clone(),
                    differs_in_body: pair.differs_in_body(),
                    lines: item.paths.iter().map(|blocks| lines(function, blocks)).collect(),
                    counts: [spectra[0].count(item), spectra[1].count(item)],
                    shares: [spectra[0].share(item), spectra[1].share(item)],
                }
            })
            .collect();
        // Equal changes stay in the order of the program.
        changes.sort_by(|x, y| y.growth().abs().total_cmp(&x.growth().abs()));
        let names = |of: &dyn Fn(&Pair<'_>) -> bool| {
            pairs.all.iter().filter(|pair| of(pair)).map(|pair| pair.function().name.clone()).collect()
        };
        let renamed = pairs.all.iter().filter_map(Pair::renamed).collect();
        Ok(Difference {
            scheme: b.scheme.clone(),
            k: b.k,
            sides: [side(a, &spectra[0]), side(b, &spectra[1])],
            changes,
            not_compared: names(&|pair| !pair.is_compared()),
            other_bodies: names(&|pair| pair.is_compared() && pair.differs_in_body()),
            renamed,
        })
    }
}

/// The shape of both profiles, if they can be compared.
fn comparable(a: &SavedProfile, b: &SavedProfile) -> Result<View, Incomparable> {
    let scheme = |profile: &SavedProfile| {
        Scheme::named(&profile.scheme).ok_or_else(|| Incomparable::UnknownScheme(profile.scheme.clone()))
    };
    let (view, _) = (scheme(a)?.row().view, scheme(b)?);
    if a.scheme != b.scheme {
        return Err(Incomparable::Schemes(a.scheme.clone(), b.scheme.clone()));
    }
    if a.k != b.k {
        return Err(Incomparable::Ks(a.k, b.k));
    }
    if let Some(profile) = [a, b].into_iter().find(|profile| profile.left_out > 0) {
        return Err(Incomparable::LeftOut(profile.left_out));
    }
    if a.is_sampled() != b.is_sampled() {
        return Err(Incomparable::Sampled);
    }
    match view {
        View::Regions | View::Contexts => Err(Incomparable::NoCounts(a.scheme.clone())),
        View::Across => Err(Incomparable::AcrossCalls(a.scheme.clone())),
        View::Edges | View::Paths | View::Sequences => Ok(view),
    }
}

/// Returns whether a run mostly did not go on from here in one way: else the longer sequence tells all.
fn ends(spectrum: &Spectrum, item: &Item) -> bool {
    let (count, longer) = (spectrum.count(item), spectrum.likeliest_extension(item));
    count > 0 && (longer as f64) < FOLLOWED * count as f64
}

/// The lines of blocks.
fn lines(function: &SavedFunction, blocks: &[u32]) -> Vec<(u32, u32)> {
    blocks.iter().filter_map(|block| function.blocks.get(*block as usize).map(|block| block.lines)).collect()
}
