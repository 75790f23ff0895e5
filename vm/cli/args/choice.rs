//! Options that take one of several values, of types that know nothing of the command line.
//!
//! In: a type's values, their names, and what the help says of them. Out: the parser of an option. Invariant: every value has a name.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::config::{ExportForm, StrategyName};
use holloway::TierChoice;
use holloway_aos::Part;
use holloway_aos::strategies::STRATEGIES;
use holloway_aos::strategy::Strategy;
use holloway_measure::extent::SizeName;
use holloway_study::export::{Format, TableFormat};
use holloway_study::report::style::MessageFormat;
use holloway_study::report::trace::asked::Fact;

/// A type that an option takes a value of.
pub(super) trait Choice: Copy + Send + Sync + 'static {
    /// Its values, each with its name and what the help says of it.
    fn all() -> Vec<(Self, &'static str, &'static str)>;
}

/// The parser of an option that takes one of them.
pub(super) fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let names = C::all().into_iter().map(|(_, name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).map(|name: String| {
        let known = C::all().into_iter().find(|(_, known, _)| *known == name);
        known.expect("the names are all that the parser lets through").0
    })
}

impl Choice for TierChoice {
    fn all() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (TierChoice::Auto, "auto", "baseline code at first, hot functions recompiled"),
            (TierChoice::Interp, "interp", "the reference interpreter for everything"),
            (TierChoice::Baseline, "baseline", "baseline code for everything"),
            (TierChoice::Optimized, "optimized", "optimized code for everything"),
        ]
    }
}

/// Strategies know their names themselves.
impl Choice for StrategyName {
    fn all() -> Vec<(Self, &'static str, &'static str)> {
        let row = |strategy: &Strategy| (StrategyName(strategy.name), strategy.name, strategy.about);
        STRATEGIES.into_iter().map(row).collect()
    }
}

impl Choice for MessageFormat {
    fn all() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (MessageFormat::Short, "short", "`FILE:LINE:COL: error: message`, one line each"),
            (MessageFormat::Human, "human", "with the source, for people"),
            (MessageFormat::Json, "json", "one JSON object a line"),
        ]
    }
}

impl Choice for SizeName {
    fn all() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (SizeName::Small, "small", "some milliseconds, for tests"),
            (SizeName::Mid, "mid", "some hundredths of a second"),
            (SizeName::Default, "default", "long enough to measure"),
        ]
    }
}

impl Choice for Fact {
    fn all() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Fact::Load, "load", "the value that is loaded is known from a load or store before"),
            (Fact::Expr, "expr", "the operator's result was computed before"),
            (Fact::Def, "def", "a definition of the variable reaches the line"),
        ]
    }
}

impl Choice for ExportForm {
    fn all() -> Vec<(Self, &'static str, &'static str)> {
        let file = |format: Format, help| (ExportForm::File(format), format.name(), help);
        let tables = |format: TableFormat, help| (ExportForm::Tables(format), format.name(), help);
        vec![
            file(Format::Firefox, "JSON for the Firefox profiler, with versions and decisions"),
            file(Format::Speedscope, "JSON for speedscope"),
            file(Format::Pprof, "a compressed protocol buffer for pprof"),
            file(Format::Folded, "stacks as lines, for flame graphs"),
            file(Format::Flamegraph, "a flame graph as SVG, coloured by tiers"),
            file(Format::Chrome, "trace events for Perfetto: versions over time, decisions, counters"),
            tables(TableFormat::Csv, "a folder of tables, for data bases and data frames"),
            tables(TableFormat::Parquet, "the same tables with types and compressed, for very many runs"),
        ]
    }
}

impl Choice for Part {
    fn all() -> Vec<(Self, &'static str, &'static str)> {
        vec![
            (Part::ObservedEdges, "observed-edges", "counts of baseline code, for inlining, if-conversion and layout"),
            (Part::Traces, "traces", "traces of paths that repeat"),
            (Part::Splits, "splits", "loops split by state, which no run makes any more"),
            (Part::Osr, "osr", "code that is entered at a loop header, for activations that run already"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_names_that_others_know_them_by() {
        let parts = <Part as Choice>::all();
        assert!(parts.iter().all(|(part, name, _)| part.name() == *name));
        assert!(Part::ALL.into_iter().all(|part| parts.iter().any(|(known, ..)| *known == part)));
        assert!(TierChoice::all().iter().all(|(tier, name, _)| tier.name() == *name));
        assert!(
            Format::ALL
                .into_iter()
                .all(|format| ExportForm::all().iter().any(|(form, ..)| *form == ExportForm::File(format)))
        );
        let tables = ExportForm::all().into_iter().filter_map(|(form, name, _)| match form {
            ExportForm::Tables(format) => Some((format, name)),
            ExportForm::File(_) => None,
        });
        assert_eq!(tables.collect::<Vec<_>>(), TableFormat::ALL.map(|format| (format, format.name())));
        assert!(SizeName::all().iter().all(|(size, name, _)| size.name() == *name));
    }
}
