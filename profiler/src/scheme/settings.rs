//! Options of schemes.
//!
//! In: what a user wrote. Out: [`Settings`]. Invariant: a scheme reads only the settings
//! that its row names.

use std::num::NonZeroU64;

use super::cut_strategy::CutStrategy;
use super::loops::LoopIterations;
use crate::counts::TableKind;
use crate::number::interprocedural::Base;
use crate::persistence::Keep;

/// Options of a scheme; each means something only where the scheme's row says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Paths in a sequence, iterations of a loop, or executions of a window.
    pub k: u64,
    /// Iterations of single loops; the others have k.
    pub loops: LoopIterations,
    /// The paths that hybrid ones are parts of.
    pub base: Base,
    /// The call sites that hybrid paths do not cross.
    pub cut: CutStrategy,
    /// Kind of the counter table; `None` lets the number of paths decide.
    pub table: Option<TableKind>,
    /// Most paths of a function whose counters are an array where `table` is `None`; `None` is the scheme's own number.
    pub array_limit: Option<u64>,
    /// Most paths of a function that is profiled; `None` is the scheme's own number.
    pub path_limit: Option<u64>,
    /// Bytes that each function's forest may take; `None` sets no limit.
    pub forest_limit: Option<usize>,
    /// Stretches of the stream that are recorded; `None` records all.
    pub sample: Option<Sampling>,
    /// The order of numbers.
    pub numbering: NumberingOrder,
    /// Findings of windows that are kept.
    pub windows: Keep,
    /// Counting of paths beside persistence.
    pub frequencies: FrequencyCounting,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            k: 1,
            loops: LoopIterations::default(),
            base: Base::Context,
            cut: CutStrategy::default(),
            table: None,
            array_limit: None,
            path_limit: None,
            forest_limit: None,
            sample: None,
            numbering: NumberingOrder::Source,
            windows: Keep::Summary,
            frequencies: FrequencyCounting::Off,
        }
    }
}

/// A setting that some schemes take beside K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// [`Settings::base`].
    Base,
    /// [`Settings::cut`].
    Cut,
    /// [`Settings::loops`].
    Loops,
    /// [`Settings::table`].
    Table,
    /// [`Settings::array_limit`].
    ArrayLimit,
    /// [`Settings::path_limit`].
    PathLimit,
    /// [`Settings::forest_limit`].
    ForestLimit,
    /// [`Settings::sample`].
    Sample,
    /// [`Settings::numbering`].
    Numbering,
    /// [`Settings::frequencies`].
    Frequencies,
}

/// Counting of each path, by a scheme that can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FrequencyCounting {
    /// Paths are not counted.
    #[default]
    Off,
    /// Each path is counted in a hash table.
    Exact,
}

/// The order in which the ways out of a block are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NumberingOrder {
    /// In the order of the source.
    #[default]
    Source,
    /// By decreasing frequency, where edge counts are known; else in the order of the source.
    Smart,
}

/// Bursty sampling: so many ids are recorded, then some left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Ids in a burst.
    pub burst: NonZeroU64,
    /// The length of a gap.
    pub gap: Gap,
}

/// The length of a gap between bursts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// So many ids, on average.
    Ids(NonZeroU64),
    /// Until the next burst is asked for, at some tick of a timer.
    Ticks,
}

/// The option K of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KRange {
    /// Its meaning, as in "--k K: paths in a sequence".
    pub means: &'static str,
    /// The K where none is written.
    pub default: u64,
    /// The greatest.
    pub most: u64,
}
