//! Figure 10 of `[DD13]`: hardware performance counters of k-bl.
//!
//! In: the counters of one run for each k. Out: (a) cycles per instruction, (b) and (c) the miss rates of two caches, one
//! table each. The paper explains with them the programs whose overhead increases with k.
//! Invariant: without counters there are no rows, and the reason is a note.

use super::{Outcomes, arithmetic, mean_ratio, rows};
use crate::reproduce::hardware::HardwareCounts;
use crate::reproduce::measure::Measurements;
use crate::reproduce::paper::SLOWER_WITH_K;
use crate::reproduce::result_table::{Compared, Look, ResultTable, Row};
use crate::reproduce::variant::{DELIA_K, Variant};

/// One of the three parts.
struct Part {
    key: &'static str,
    source: &'static str,
    title: &'static str,
    look: Look,
    of: fn(&HardwareCounts) -> Option<f64>,
    /// The paper's statement about the programs whose overhead increases.
    statement: &'static str,
}

const PARTS: [Part; 3] = [
    Part {
        key: "delia_figure10a",
        source: "[DD13] figure 10 (a)",
        title: "cycles per instruction of k-bl",
        look: Look::Decimal,
        of: HardwareCounts::cycles_per_instruction,
        statement: "increased CPI for higher values of k on all four",
    },
    Part {
        key: "delia_figure10b",
        source: "[DD13] figure 10 (b)",
        title: "L1 cache miss rate of k-bl",
        look: Look::Percent,
        of: HardwareCounts::l1_miss_percent,
        statement: "poor memory access locality on all four",
    },
    Part {
        key: "delia_figure10c",
        source: "[DD13] figure 10 (c)",
        title: "L2 cache miss rate of k-bl (here: of the last level)",
        look: Look::Percent,
        of: HardwareCounts::last_level_miss_percent,
        statement: "poor memory access locality on all four",
    },
];

/// The three parts.
pub(super) fn figure_10(measured: &Measurements) -> Vec<ResultTable> {
    PARTS.iter().map(|part| one(measured, part)).collect()
}

fn one(measured: &Measurements, part: &Part) -> ResultTable {
    let values = |of: &Outcomes| DELIA_K.iter().map(|&k| (part.of)(hardware(of, k)?)).collect();
    let mut table = ResultTable {
        key: part.key,
        source: part.source,
        title: part.title.to_owned(),
        columns: DELIA_K.iter().map(|k| (format!("k={k}"), part.look)).collect(),
        rows: rows(measured, values),
        ..ResultTable::default()
    };
    let nothing = table.rows.iter().all(|row| row.values.iter().all(Option::is_none));
    if nothing {
        table.rows.clear();
        let refused = measured.programs.iter().find_map(|(_, of)| hardware(of, DELIA_K[0])?.refused.as_deref());
        let reason = refused.unwrap_or("no run ended");
        table.notes.push(format!("Absent: the kernel offers this process no such hardware counters ({reason})."));
    } else {
        table.summary.push(Row::new("mean", table.over_rows(arithmetic)));
    }
    table.compared = vec![Compared::new(
        "the same measure on the programs whose overhead increases with k (here: k=16 costs more than k=2)",
        format!("{}: {}", part.statement, SLOWER_WITH_K.join(", ")),
        if nothing { "nothing was measured".to_owned() } else { slower(measured, &table) },
    )];
    table.notes.push(
        "Counted in user mode, on the program's thread, in the first round: its whole run, compilations included."
            .to_owned(),
    );
    table
}

fn hardware(of: &Outcomes, k: u32) -> Option<&HardwareCounts> {
    Some(&Measurements::measured(of, Variant::KBl(k))?.hardware)
}

/// Of the programs that cost more at the last k than at the first, those whose value is greater, too.
fn slower(measured: &Measurements, table: &ResultTable) -> String {
    let (first, last) = (DELIA_K[0], DELIA_K[DELIA_K.len() - 1]);
    let mut slower = Vec::new();
    for ((name, of), row) in measured.programs.iter().zip(&table.rows) {
        let costs_more = mean_ratio(of, Variant::KBl(last), Variant::KBl(first)).is_some_and(|ratio| ratio.value > 1.0);
        if let ([Some(from), .., Some(to)], true) = (&row.values[..], costs_more) {
            slower.push((name.as_str(), to > from));
        }
    }
    let names = slower.iter().filter(|(_, greater)| *greater).map(|(name, _)| *name).collect::<Vec<_>>();
    match names[..] {
        [] => format!("greater on 0 of {}", slower.len()),
        _ => format!("greater on {} of {}: {}", names.len(), slower.len(), names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::job::Figures;
    use crate::reproduce::measure::Measured;
    use crate::reproduce::probes::ProbeFigures;

    fn measured(hardware: impl Fn(u32) -> HardwareCounts) -> Measurements {
        let outcome = |k: u32| {
            let of_k = Measured {
                seconds: vec![f64::from(k)],
                whole_seconds: vec![f64::from(k)],
                printed: String::new(),
                specialized: 0,
                figures: Figures::None,
                probes: ProbeFigures::default(),
                hardware: hardware(k),
            };
            (Variant::KBl(k), Ok(of_k))
        };
        Measurements { programs: vec![("md".to_owned(), DELIA_K.map(outcome).into())], ..Measurements::default() }
    }

    #[test]
    fn rates_by_k_and_the_programs_whose_overhead_increases() {
        let counts = |k: u32| HardwareCounts {
            cycles: Some(f64::from(k)),
            instructions: Some(2.0),
            l1_reads: Some(100.0),
            l1_misses: Some(f64::from(20 - k)),
            ..HardwareCounts::default()
        };
        let tables = figure_10(&measured(counts));
        assert_eq!(tables[0].rows[0].values[..2], [Some(1.0), Some(1.5)]);
        assert_eq!(tables[0].compared[0].here, "greater on 1 of 1: md");
        assert_eq!(
            (tables[1].rows[0].values[0], tables[1].compared[0].here.as_str()),
            (Some(18.0), "greater on 0 of 1")
        );
        assert!(tables[2].rows.is_empty());
    }

    #[test]
    fn without_counters_the_reason_stands_below() {
        let refused = |_| HardwareCounts { refused: Some("no such event".to_owned()), ..HardwareCounts::default() };
        for table in figure_10(&measured(refused)) {
            assert!(table.rows.is_empty() && table.summary.is_empty());
            assert!(table.notes[0].ends_with("(no such event)."), "{:?}", table.notes);
        }
    }
}
