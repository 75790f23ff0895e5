//! Options that take one of several values, of types that know nothing of the command line.
//!
//! In: a type's values, their names, and what the help says of them. Out: the parser of an option. Invariant: every value has a name.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::config::StrategyName;
use holloway::TierChoice;
use holloway_aos::Part;
use holloway_measure::extent::SizeName;
use holloway_study::report::style::MessageFormat;
use holloway_study::report::trace::asked::Fact;

/// A type that an option takes a value of.
pub(super) trait Choice: Copy + Send + Sync + 'static {
    /// Its values, each with its name and what the help says of it.
    const ALL: &'static [(Self, &'static str, &'static str)];
}

/// The parser of an option that takes one of them.
pub(super) fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let names = C::ALL.iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).map(|name: String| {
        let known = C::ALL.iter().find(|(_, known, _)| *known == name);
        known.expect("the names are all that the parser lets through").0
    })
}

impl Choice for TierChoice {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (TierChoice::Auto, "auto", "baseline code at first, hot functions recompiled"),
        (TierChoice::Interp, "interp", "the reference interpreter for everything"),
        (TierChoice::Baseline, "baseline", "baseline code for everything"),
        (TierChoice::Optimized, "optimized", "optimized code for everything"),
    ];
}

impl Choice for StrategyName {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (StrategyName("cost-benefit"), "cost-benefit", "weighs what compilation costs against what it should save"),
        (StrategyName("counters"), "counters", "goes by thresholds of calls and back edges, as HotSpot does"),
        (StrategyName("ahead"), "ahead", "optimizes a function at its first tick, and never profiles paths"),
    ];
}

impl Choice for MessageFormat {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (MessageFormat::Short, "short", "`FILE:LINE:COL: error: message`, one line each"),
        (MessageFormat::Human, "human", "with the source, for people"),
        (MessageFormat::Json, "json", "one JSON object a line"),
    ];
}

impl Choice for SizeName {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (SizeName::Small, "small", "some milliseconds, for tests"),
        (SizeName::Mid, "mid", "some hundredths of a second"),
        (SizeName::Default, "default", "long enough to measure"),
    ];
}

impl Choice for Fact {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Fact::Load, "load", "the value that is loaded is known from a load or store before"),
        (Fact::Expr, "expr", "the operator's result was computed before"),
        (Fact::Def, "def", "a definition of the variable reaches the line"),
    ];
}

impl Choice for Part {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Part::ObservedEdges, "observed-edges", "counts of baseline code, for inlining, if-conversion and layout"),
        (Part::Traces, "traces", "traces of paths that repeat"),
        (Part::Splits, "splits", "loops split by state, which no run makes any more"),
        (Part::Osr, "osr", "code that is entered at a loop header, for activations that run already"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::strategies::STRATEGIES;

    #[test]
    fn values_have_the_names_that_others_know_them_by() {
        assert!(<Part as Choice>::ALL.iter().all(|(part, name, _)| part.name() == *name));
        let parts = <Part as Choice>::ALL.iter().map(|(part, ..)| *part);
        assert!(Part::ALL.into_iter().all(|part| parts.clone().any(|known| known == part)));
        assert!(TierChoice::ALL.iter().all(|(tier, name, _)| tier.name() == *name));
        let strategies = STRATEGIES.map(|strategy| strategy.name());
        assert!(StrategyName::ALL.iter().map(|(strategy, ..)| strategy.0).eq(strategies));
        assert!(SizeName::ALL.iter().all(|(size, name, _)| size.name() == *name));
    }
}
