//! Table 1 of `[DD13]`: path profiling techniques side by side.
//!
//! In: the paper's table, and times and probes of the techniques that this profiler has. Out: the paper's rows with
//! what was measured here. Invariant: a technique that is not implemented has no numbers.

use super::{NUMBERING, Outcomes, forest, geometric, mean_ratio};
use crate::reproduce::measure::Measurements;
use crate::reproduce::paper::{ACCURATE_TECHNIQUES, INTERPROCEDURAL_TECHNIQUES, TECHNIQUES};
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::Variant;

/// The paper's technique (its place in [`TECHNIQUES`]) and its implementation here.
const IMPLEMENTED: [(usize, Variant); 4] =
    [(0, Variant::BlHash), (3, Variant::KIter(2)), (5, Variant::KBl(2)), (5, Variant::KBl(16))];

/// The variants that the table needs.
pub(super) fn variants() -> impl Iterator<Item = Variant> {
    IMPLEMENTED.into_iter().map(|(_, variant)| variant)
}

/// One row for each technique, and one more for each further k.
pub(super) fn table_1(measured: &Measurements) -> ResultTable {
    let columns = [
        ("cost here", Look::Ratio),
        ("variables here", Look::Count),
        ("programs", Look::Count),
        ("exact", Look::Count),
    ];
    let mut table = ResultTable {
        key: "delia_table1",
        source: "[DD13] table 1",
        title: "path profiling techniques: the paper's statements, and measurements of those implemented here"
            .to_owned(),
        word_columns: vec!["goal", "profiled paths", "avg. cost w.r.t. BLPP", "variables", "here"],
        columns: columns.map(|(name, look)| (name.to_owned(), look)).to_vec(),
        ..ResultTable::default()
    };
    for (place, technique) in TECHNIQUES.iter().enumerate() {
        let words = [technique.goal, technique.paths, technique.cost, technique.variables];
        let row = |here: String, values: Vec<Option<f64>>| Row {
            words: words.iter().map(|word| (*word).to_owned()).chain([here]).collect(),
            ..Row::new(technique.name, values)
        };
        let here: Vec<Variant> =
            IMPLEMENTED.into_iter().filter(|(of, _)| *of == place).map(|(_, variant)| variant).collect();
        match here.is_empty() {
            true => table.rows.push(row("not implemented".to_owned(), vec![None; columns.len()])),
            false => table.rows.extend(here.iter().map(|&variant| row(scheme(variant), numbers(measured, variant)))),
        }
    }
    table.compared = compared(&table);
    table.notes = vec![
        "cost here: geometric mean of the time relative to bl hash, the BLPP of the paper. variables here: the most that the probes".to_owned(),
        "of one function keep; k-bl keeps also the slab so far, and the state of the activation in the frame. exact: programs of whose profile nothing is missing."
            .to_owned(),
        "k-iter numbers the paths of k iterations as Roy and Srikant do; its paths overlap, so that counts of k=2 are more work."
            .to_owned(),
        NUMBERING.to_owned(),
    ];
    table
}

/// The scheme with its k, as on the command line.
fn scheme(variant: Variant) -> String {
    match variant {
        Variant::KBl(k) => format!("k-bl k={k}"),
        other => other.name(),
    }
}

/// Cost, variables, measured programs, and those whose profile is exact.
fn numbers(measured: &Measurements, variant: Variant) -> Vec<Option<f64>> {
    let ratio = |(_, of): &(String, Outcomes)| Some(mean_ratio(of, variant, Variant::BlHash)?.value);
    let ratios: Vec<f64> = measured.programs.iter().filter_map(ratio).collect();
    let found = || measured.programs.iter().filter_map(|(_, of)| Some((of, Measurements::measured(of, variant)?)));
    let variables = found().map(|(_, measured)| measured.probes.variables).max();
    let exact = found().filter(|(of, measured)| measured.probes.unprofiled == 0 && is_lossless(of, variant)).count();
    vec![geometric(&ratios), variables.map(|count| count as f64), Some(found().count() as f64), Some(exact as f64)]
}

/// Returns false if sequences were lost because a forest had no memory for them.
fn is_lossless(of: &Outcomes, variant: Variant) -> bool {
    match variant {
        Variant::KBl(k) => forest(of, k).is_none_or(|forest| forest.is_exact()),
        _ => true,
    }
}

fn compared(table: &ResultTable) -> Vec<Compared> {
    let implemented = || table.rows.iter().filter(|row| row.values[1].is_some());
    let whole = implemented().filter(|row| row.values[2] == row.values[3]).count();
    let costs = implemented().filter_map(|row| Some(format!("{} {:.2}x", row.words[4], row.values[0]?)));
    vec![
        Compared::new(
            "average cost with respect to BLPP",
            "Roy and Srikant larger, the paper's technique smaller",
            match costs.collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => "nothing was measured".to_owned(),
                costs => costs,
            },
        ),
        Compared::new(
            "full accuracy (here: exact on all programs)",
            format!("{ACCURATE_TECHNIQUES} of {} techniques", TECHNIQUES.len()),
            format!("{whole} of {} schemes", implemented().count()),
        ),
        Compared::new(
            "inter-procedural",
            format!("{INTERPROCEDURAL_TECHNIQUES} of {} techniques", TECHNIQUES.len()),
            "none of these schemes: a path ends where its activation ends",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::hardware::HardwareCounts;
    use crate::reproduce::job::Figures;
    use crate::reproduce::measure::{Measured, Outcome};
    use crate::reproduce::probes::ProbeFigures;

    fn outcome(seconds: f64, variables: u64, unprofiled: u64) -> Outcome {
        Ok(Measured {
            seconds: vec![seconds],
            whole_seconds: vec![seconds],
            printed: String::new(),
            specialized: 0,
            figures: Figures::None,
            probes: ProbeFigures { variables, unprofiled },
            hardware: HardwareCounts::default(),
        })
    }

    #[test]
    fn techniques_that_are_implemented_have_numbers() {
        let of: Outcomes = [
            (Variant::BlHash, outcome(2.0, 1, 0)),
            (Variant::KIter(2), outcome(4.0, 3, 1)),
            (Variant::KBl(16), outcome(1.0, 1, 0)),
        ]
        .into();
        let table = table_1(&Measurements { programs: vec![("fft".to_owned(), of)], ..Measurements::default() });
        let here: Vec<(&str, &[Option<f64>])> =
            table.rows.iter().map(|row| (row.words[4].as_str(), row.values.as_slice())).collect();
        let absent: &[Option<f64>] = &[None; 4];
        assert_eq!(
            here,
            [
                ("bl hash", [Some(1.0), Some(1.0), Some(1.0), Some(1.0)].as_slice()),
                ("not implemented", absent),
                ("not implemented", absent),
                ("k-iter k=2", &[Some(2.0), Some(3.0), Some(1.0), Some(0.0)]),
                ("not implemented", absent),
                ("k-bl k=2", &[None, None, Some(0.0), Some(0.0)]),
                ("k-bl k=16", &[Some(0.5), Some(1.0), Some(1.0), Some(1.0)]),
            ]
        );
        let compared: Vec<&str> = table.compared.iter().map(|each| each.here.as_str()).collect();
        assert_eq!(compared[..2], ["bl hash 1.00x, k-iter k=2 2.00x, k-bl k=16 0.50x", "2 of 3 schemes"]);
    }
}
