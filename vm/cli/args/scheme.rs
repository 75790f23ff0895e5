//! Options that choose a profiling scheme: those of `profile`, `bench` and `dump`.
//!
//! In: text. Out: a row of the registry, and the options as written. Invariant: names and help are those of the registry.

use std::num::NonZeroU64;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::cli::quantity;
use holloway_profiler::counts::TableKind;
use holloway_profiler::scheme::{FrequencyCounting, NumberingOrder, SCHEMES, Sampling, Scheme, Setting};

/// Options of schemes, as written.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct SchemeOptions {
    /// k-bl: paths in a sequence, at most [default: 4]; tfp: executions in a window [default: 8]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub k: Option<u32>,
    /// bl, k-iter, context, ip-*: where paths are counted; what suits each function unless said otherwise
    #[arg(long, value_enum, value_name = "TABLE")]
    pub table: Option<TableName>,
    /// k-bl: how large each function's forest may grow; what does not fit is pruned and said
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, allow_negative_numbers = true)]
    pub forest_limit: Option<NonZeroU64>,
    /// k-bl: record so many paths of each function, leave about so many out, and so on, as in 1000/9000; without GAP timer ticks begin
    /// bursts, and in between code has no probes
    #[arg(long, value_name = "BURST[/GAP]", value_parser = quantity::sampling)]
    pub sample: Option<Sampling>,
    /// bl, k-bl: the order of path numbers; smart unless said otherwise
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
            ("--table", Setting::Table, self.table.is_some()),
            ("--forest-limit", Setting::ForestLimit, self.forest_limit.is_some()),
            ("--sample", Setting::Sample, self.sample.is_some()),
            ("--numbering", Setting::Numbering, self.numbering.is_some()),
            ("--frequencies", Setting::Frequencies, self.frequencies),
        ];
        all.into_iter().filter(|(.., is_written)| *is_written).map(|(option, setting, _)| (option, setting))
    }

    /// The counting of paths beside persistence.
    pub(crate) fn frequency_counting(&self) -> FrequencyCounting {
        if self.frequencies { FrequencyCounting::Exact } else { FrequencyCounting::Off }
    }

    /// The first option that was written.
    pub(crate) fn first_written(&self) -> Option<&'static str> {
        self.k.map(|_| "--k").or_else(|| self.written().next().map(|(option, _)| option))
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

/// The order of path numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum NumberingName {
    /// as the branches stand in the source
    Source,
    /// the most frequent branch first, wherever edge counts exist; else as in the source
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

/// Takes the name of a scheme.
pub(super) fn scheme() -> impl TypedValueParser<Value = Scheme> {
    let names = SCHEMES.iter().map(|row| PossibleValue::new(row.name).help(row.counts));
    PossibleValuesParser::new(names).map(|name| Scheme::named(&name).expect("the name is that of a row"))
}
