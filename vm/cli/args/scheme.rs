//! Options that choose a profiling scheme: those of `profile`, `bench` and `dump`.
//!
//! In: text. Out: a row of the registry, and the options as written. Invariant: names and help are those of the registry.

use std::num::NonZeroU64;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::config::{CallName, CutChoice, LoopName};
use crate::cut_choice;
use crate::k_choice::{self, KChoice};
use crate::quantity;
use crate::settings::SAMPLE_BURST;
use holloway_profiler::counts::TableKind;
use holloway_profiler::number::interprocedural::Base;
use holloway_profiler::scheme::{FrequencyCounting, NumberingOrder, SCHEMES, Sampling, Scheme, Setting};

/// Options of schemes, as written.
#[derive(Args, Clone, Debug, Default)]
pub struct SchemeOptions {
    /// k-bl: paths in a sequence, at most [default: 4]; k-iter: iterations of a path, at most [default: 2]; tfp: executions in a window
    /// [default: 8]
    ///
    /// With k-iter `profile` also takes LOOP=K, as in main:12=4, for the loop of main that starts in line 12 (loops inside of it then have paths of
    /// their own), and `auto`: a base run of the program chooses K for each loop. Then the other loops have K = 1 unless another --k says otherwise.
    #[arg(long, value_name = "K", value_parser = k_choice::parse, allow_negative_numbers = true)]
    pub k: Vec<KChoice>,
    /// bl, k-iter, context, ip-*: where paths are counted; what suits each function unless said otherwise
    #[arg(long, value_enum, value_name = "TABLE")]
    pub table: Option<TableName>,
    /// bl, k-iter, context, ip-*: functions, with ip-* programs, of up to so many paths are counted in arrays, the others in hash tables
    /// [default: 4096; k-iter: 6000; ip-*: 65536]
    #[arg(long, value_name = "PATHS", conflicts_with = "table", allow_negative_numbers = true)]
    pub array_limit: Option<u64>,
    /// bl, k-iter, context, ip-*: functions, with ip-* programs, with more paths are not profiled; ip-hybrid cuts calls until they have no more
    /// [default of k-iter: 60000]
    #[arg(long, value_name = "PATHS", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub path_limit: Option<u64>,
    /// ip-hybrid: the paths that it cuts; context unless said otherwise
    #[arg(long, value_enum, value_name = "BASE")]
    pub base: Option<BaseName>,
    /// ip-hybrid: the calls that paths do not cross: coldest (as many as make ids fit), all, other-files (of functions of other files),
    /// exported (of functions that other files name), non-leaves (of functions that call), or calls such as helper (all of it) or main:12
    /// (those in that line), with commas between [default: coldest]
    #[arg(long, value_name = "CALLS", value_parser = cut_choice::parse)]
    pub cut: Option<CutChoice>,
    /// k-bl: how large each function's forest may grow; what does not fit is pruned and said
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, allow_negative_numbers = true)]
    pub forest_limit: Option<NonZeroU64>,
    /// k-bl: record so many paths of each function, leave about so many out, and so on, as in 1000/9000; without GAP timer ticks begin
    /// bursts, and in between code has no probes; without either, as the last option or before another one, bursts are of 1000 paths
    #[arg(long, value_name = "BURST[/GAP]", num_args = 0..=1, default_missing_value = SAMPLE_BURST, value_parser = quantity::sampling)]
    pub sample: Option<Sampling>,
    /// bl, k-bl: the order of path numbers; source unless said otherwise
    #[arg(long, value_enum, value_name = "ORDER")]
    pub numbering: Option<NumberingName>,
    /// tfp: count each path of a region, too
    #[arg(long)]
    pub frequencies: bool,
}

impl SchemeOptions {
    /// The options that were written, but for `--k`, with what they set.
    pub(crate) fn written(&self) -> impl Iterator<Item = (&'static str, Setting)> {
        let all = [
            ("--k auto", Setting::Loops, self.is_auto()),
            ("--k LOOP=K", Setting::Loops, self.loops().next().is_some()),
            ("--base", Setting::Base, self.base.is_some()),
            ("--cut", Setting::Cut, self.cut.is_some()),
            ("--table", Setting::Table, self.table.is_some()),
            ("--array-limit", Setting::ArrayLimit, self.array_limit.is_some()),
            ("--path-limit", Setting::PathLimit, self.path_limit.is_some()),
            ("--forest-limit", Setting::ForestLimit, self.forest_limit.is_some()),
            ("--sample", Setting::Sample, self.sample.is_some()),
            ("--numbering", Setting::Numbering, self.numbering.is_some()),
            ("--frequencies", Setting::Frequencies, self.frequencies),
        ];
        all.into_iter().filter(|(.., is_written)| *is_written).map(|(option, setting, _)| (option, setting))
    }

    /// K for every loop, if written; the last one counts.
    pub(crate) fn each_k(&self) -> Option<u32> {
        self.k.iter().rev().find_map(|choice| if let KChoice::Each(k) = choice { Some(*k) } else { None })
    }

    /// The loops with a K of their own.
    pub(crate) fn loops(&self) -> impl Iterator<Item = (LoopName, u32)> {
        self.k
            .iter()
            .filter_map(|choice| if let KChoice::Loop(name, k) = choice { Some((name.clone(), *k)) } else { None })
    }

    /// Returns true if a base run chooses.
    pub(crate) fn is_auto(&self) -> bool {
        self.k.contains(&KChoice::Auto)
    }

    /// The calls that are named to be cut.
    pub(crate) fn cut_calls(&self) -> &[CallName] {
        match &self.cut {
            Some(CutChoice::Calls(names)) => names,
            Some(CutChoice::Strategy(_)) | None => &[],
        }
    }

    /// Returns true if an option names something of the program, so that it must be loaded first.
    pub(crate) fn names_places(&self) -> bool {
        self.is_auto() || self.loops().next().is_some() || !self.cut_calls().is_empty()
    }

    /// The counting of paths beside persistence.
    pub(crate) fn frequency_counting(&self) -> FrequencyCounting {
        if self.frequencies { FrequencyCounting::Exact } else { FrequencyCounting::Off }
    }

    /// The first option that was written.
    pub(crate) fn first_written(&self) -> Option<&'static str> {
        self.k.first().map(|_| "--k").or_else(|| self.written().next().map(|(option, _)| option))
    }
}

/// Counter table of `bl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TableName {
    /// one counter for each path there could be, up to a million a function
    Array,
    /// one counter for each path there was
    Hash,
}

impl From<TableName> for TableKind {
    fn from(name: TableName) -> TableKind {
        match name {
            TableName::Array => TableKind::Array,
            TableName::Hash => TableKind::Hash,
        }
    }
}

/// The paths that hybrid ones are parts of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BaseName {
    /// those of ip-context
    Context,
    /// those of ip-piecewise
    Piecewise,
}

impl From<BaseName> for Base {
    fn from(name: BaseName) -> Base {
        match name {
            BaseName::Context => Base::Context,
            BaseName::Piecewise => Base::Piecewise,
        }
    }
}

/// The order of path numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum NumberingName {
    /// as the branches stand in the source
    Source,
    /// the most frequent branch first, which adds nothing to the number of a path: `profile` and `bench` run the program once before, silently, to
    /// count edges
    Smart,
}

impl From<NumberingName> for NumberingOrder {
    fn from(name: NumberingName) -> NumberingOrder {
        match name {
            NumberingName::Source => NumberingOrder::Source,
            NumberingName::Smart => NumberingOrder::Smart,
        }
    }
}

/// The profiles that `profile` collects.
#[derive(Clone, Copy, Debug)]
pub enum Profiled {
    /// Counts, by a scheme.
    Counts(Scheme),
    /// Time by place, from samples.
    Time,
}

/// The name of the profile of time.
const TIME: &str = "time";

/// Takes the name of a scheme, or that of the profile of time.
pub(super) fn profiled() -> impl TypedValueParser<Value = Profiled> {
    let time = PossibleValue::new(TIME).help("CPU time by function, line and version, from samples of the call stack");
    let names = SCHEMES.iter().map(|row| PossibleValue::new(row.name).help(row.counts)).chain([time]);
    PossibleValuesParser::new(names).map(|name| Scheme::named(&name).map_or(Profiled::Time, Profiled::Counts))
}

/// `sieve.hw:12` or `main:12`: a file or a function, and a line.
pub(super) fn place(text: &str) -> Result<(String, u32), String> {
    let place = text.rsplit_once(':').and_then(|(name, line)| Some((name.to_owned(), line.parse().ok()?)));
    place
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| "write a file or a function, and a line: sieve.hw:12".to_owned())
}

/// Takes the name of a scheme.
pub(super) fn scheme() -> impl TypedValueParser<Value = Scheme> {
    let names = SCHEMES.iter().map(|row| PossibleValue::new(row.name).help(row.counts));
    PossibleValuesParser::new(names).map(|name| Scheme::named(&name).expect("the name is that of a row"))
}
