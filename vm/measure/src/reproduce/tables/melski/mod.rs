//! Paths across calls of `[MR98]`: how many are possible, the bits of their numbers, what they cost, and how many cross calls.
//!
//! In: figures and times of each scheme. Out: three tables. The report has no measurements; beside ours stand the numbers of its example and
//! what section 9.1 expects. Invariant: a program that a scheme refuses has no time and no counts, but the number of its paths.

use super::ratios::{Pair, by_least_times, ratio_rows};
use super::{CONSUMER, NUMBERING, Outcomes, geometric, greatest, rows};
use crate::bench::{self, BenchProgram};
use crate::reproduce::across::AcrossFigures;
use crate::reproduce::job::Figures;
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::{AcrossScheme, Variant};

/// The program of figure 4, and the counters of its two instrumented versions, in figures 9 and 17.
const EXAMPLE: (&str, [(AcrossScheme, f64); 2]) =
    ("pow", [(AcrossScheme::IpContext, 36.0), (AcrossScheme::IpPiecewise, 21.0)]);

/// The variants that the tables need.
pub fn variants() -> Vec<Variant> {
    [Variant::Plain, Variant::BlArray].into_iter().chain(AcrossScheme::ALL.map(Variant::Across)).collect()
}

/// The program of the report.
pub fn example() -> BenchProgram {
    let programs = bench::papers_programs();
    *programs.iter().find(|program| program.short_name() == EXAMPLE.0).expect("the program is embedded")
}

/// The tables; the example is measured beside the benchmark programs.
pub fn tables(measured: &Measurements, example: &Measurements) -> Vec<ResultTable> {
    vec![possible(measured, example), cost(measured), crossing(measured)]
}

fn figures(of: &Outcomes, scheme: AcrossScheme) -> Option<&AcrossFigures> {
    match Measurements::figures(of, Variant::Across(scheme))? {
        Figures::Across(figures) => Some(figures),
        Figures::None | Figures::Counts(_) | Figures::Forest(_) | Figures::Regions(_) => None,
    }
}

fn columns(looks: &[(&str, Look)]) -> Vec<(String, Look)> {
    let of = |scheme: AcrossScheme| looks.iter().map(move |(what, look)| (format!("{}{what}", scheme.name()), *look));
    AcrossScheme::ALL.into_iter().flat_map(of).collect()
}

fn possible(measured: &Measurements, example: &Measurements) -> ResultTable {
    let values = |of: &Outcomes| {
        let each = |scheme| {
            let found = figures(of, scheme);
            [found.and_then(|found| found.possible), found.and_then(|found| Some(f64::from(found.bits?)))]
        };
        AcrossScheme::ALL.into_iter().flat_map(each).collect()
    };
    let mut table = ResultTable {
        key: "melski_paths",
        source: "[MR98] sections 5 to 8",
        title: "possible paths, and bits of their numbers".to_owned(),
        columns: columns(&[("", Look::Count), (" bits", Look::Count)]),
        rows: rows(example, values).into_iter().chain(rows(measured, values)).collect(),
        ..ResultTable::default()
    };
    let refused = |scheme: AcrossScheme| {
        let is = |(_, of): &&(String, Outcomes)| figures(of, scheme).is_some_and(|found| !found.is_profiled);
        let names: Vec<&str> = measured.programs.iter().filter(is).map(|(name, _)| name.as_str()).collect();
        (!names.is_empty()).then(|| format!("Refused by {}: {}.", scheme.name(), names.join(", ")))
    };
    table.notes.extend(AcrossScheme::ALL.into_iter().filter_map(refused));
    table.notes.push(
        "context: the sum over all functions, and the most bits of one. Absent: more than 2^128 paths.".to_owned(),
    );
    let (program, printed) = EXAMPLE;
    let of_example = example.programs.iter().find(|(name, _)| name == program);
    for (scheme, counters) in printed {
        let here = of_example.and_then(|(_, of)| figures(of, scheme)?.possible);
        let shown = here.map_or("nothing was measured".to_owned(), |here| here.to_string());
        table.compared.push(Compared::new(
            format!("counters of {program} for {}", scheme.name()),
            counters.to_string(),
            shown,
        ));
    }
    table.compared.push(fewer(measured));
    table
}

/// Section 9.1: piecewise paths are strictly fewer.
fn fewer(measured: &Measurements) -> Compared {
    let pair = |(_, of): &(String, Outcomes)| {
        let possible = |scheme| figures(of, scheme)?.possible;
        Some((possible(AcrossScheme::IpPiecewise)?, possible(AcrossScheme::IpContext)?))
    };
    let pairs: Vec<(f64, f64)> = measured.programs.iter().filter_map(pair).collect();
    let fewer = pairs.iter().filter(|(piecewise, context)| piecewise < context).count();
    let equal = pairs.iter().filter(|(piecewise, context)| piecewise == context).count();
    Compared::new(
        "programs with fewer piecewise than context paths",
        "all: \"strictly fewer observable paths\"",
        format!("{fewer} of {}, and {equal} with as many", pairs.len()),
    )
}

fn cost(measured: &Measurements) -> ResultTable {
    let mut profiled = measured.clone();
    for (_, of) in &mut profiled.programs {
        let refused =
            AcrossScheme::ALL.into_iter().filter(|&scheme| figures(of, scheme).is_some_and(|f| !f.is_profiled));
        refused.collect::<Vec<_>>().into_iter().for_each(|scheme| _ = of.remove(&Variant::Across(scheme)));
    }
    let pairs: Vec<Pair> = variants().into_iter().skip(1).map(|variant| (variant, Variant::Plain)).collect();
    let mut table = ResultTable {
        key: "melski_cost",
        source: "[MR98] cost",
        title: "time in the optimized tier relative to none".to_owned(),
        columns: pairs.iter().map(|(variant, _)| (variant.name(), Look::Ratio)).collect(),
        rows: ratio_rows(&profiled, &pairs),
        ..ResultTable::default()
    };
    table.summary.push(Row::new("geometric mean", table.over_rows(geometric)));
    table.summary.push(by_least_times(&profiled, &pairs));
    table.summary.push(Row::new("worst", table.over_rows(greatest)));
    table.notes.push("The report has no measurements. Programs that a scheme refuses have no time.".to_owned());
    table.notes.push(CONSUMER.to_owned());
    table.notes.push(NUMBERING.to_owned());
    table
}

fn crossing(measured: &Measurements) -> ResultTable {
    let share = |part: u64, of: u64| (of > 0).then(|| 100.0 * part as f64 / of as f64);
    let schemes = [AcrossScheme::IpContext, AcrossScheme::IpPiecewise, AcrossScheme::IpHybrid];
    let values = |of: &Outcomes| {
        let each = |scheme| {
            let found = figures(of, scheme).filter(|found| found.is_profiled);
            [
                found.map(|found| found.distinct as f64),
                found.and_then(|found| share(found.distinct_crossing, found.distinct)),
                found.and_then(|found| share(found.crossing, found.executed)),
            ]
        };
        let cut = figures(of, AcrossScheme::IpHybrid).filter(|found| found.is_profiled).map(|found| found.cut as f64);
        schemes.into_iter().flat_map(each).chain([cut]).collect()
    };
    let looks = [(" paths run", Look::Count), (" cross calls", Look::Percent), (" of executions", Look::Percent)];
    let named = |scheme: AcrossScheme| looks.map(|(what, look)| (format!("{}{what}", scheme.name()), look));
    let mut table = ResultTable {
        key: "melski_crossing",
        source: "[MR98] section 1",
        title: "profiled paths that cross calls".to_owned(),
        columns: schemes.into_iter().flat_map(named).chain([("calls cut".to_owned(), Look::Count)]).collect(),
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    table.notes.push("A path crosses calls if it enters or leaves one, in its context or its active suffix. calls cut: by ip-hybrid, so that numbers fit.".to_owned());
    table.summary.push(Row::new("average", table.over_rows(super::arithmetic)));
    table
}
