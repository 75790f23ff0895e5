//! The formats of one file each.
//!
//! In: nothing. Out: [`Format`]. Invariant: names are those of the command line.

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// JSON for the Firefox profiler.
    Firefox,
    /// JSON for speedscope.
    Speedscope,
    /// A compressed protocol buffer for `pprof`.
    Pprof,
    /// A line for each stack, with its weight.
    Folded,
    /// An SVG.
    Flamegraph,
    /// Trace events as JSON, for Perfetto.
    Chrome,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] =
        [Self::Firefox, Self::Speedscope, Self::Pprof, Self::Folded, Self::Flamegraph, Self::Chrome];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Firefox => "firefox",
            Self::Speedscope => "speedscope",
            Self::Pprof => "pprof",
            Self::Folded => "folded",
            Self::Flamegraph => "flamegraph",
            Self::Chrome => "chrome",
        }
    }

    /// True iff it is no text.
    pub fn is_binary(self) -> bool {
        self == Self::Pprof
    }

    /// True iff there is nothing in it without samples.
    pub(super) fn is_about_samples(self) -> bool {
        self != Self::Chrome
    }
}
