//! Tables divided into INT and FP programs, as `[NGF03]` divides its own.
//!
//! In: a table with one row a program. Out: the same table with the class of each program, INT before FP, and a summary of
//! each class and of all. Invariant: each row keeps its values; a class without values has an absent summary.

use crate::bench::Arithmetic;
use crate::reproduce::measure::Measurements;
use crate::reproduce::result_table::{ResultTable, Row};

/// Marks and sorts the rows by class.
pub(super) fn divide(measured: &Measurements, table: &mut ResultTable) {
    table.word_columns.insert(0, "class");
    for row in &mut table.rows {
        row.words.insert(0, class(measured, &row.name).name().to_owned());
    }
    table.rows.sort_by_key(|row| class(measured, &row.name));
}

/// Adds one row for INT, one for FP and one for all: `of` the values in each column.
pub(super) fn summarize(
    measured: &Measurements,
    table: &mut ResultTable,
    name: &str,
    of: impl Fn(&[f64]) -> Option<f64>,
) {
    let mut summaries = Vec::new();
    for wanted in [Some(Arithmetic::Int), Some(Arithmetic::Fp), None] {
        let rows = table.rows.iter().filter(|row| wanted.is_none_or(|wanted| class(measured, &row.name) == wanted));
        let part =
            ResultTable { rows: rows.cloned().collect(), columns: table.columns.clone(), ..ResultTable::default() };
        let label = wanted.map_or(name.to_owned(), |class| format!("{name} ({})", class.name()));
        summaries.push(Row::new(label, part.over_rows(&of)));
    }
    table.summary.extend(summaries);
}

/// The class of a program.
pub(super) fn class(measured: &Measurements, program: &str) -> Arithmetic {
    if measured.floating.contains(program) { Arithmetic::Fp } else { Arithmetic::Int }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::result_table::Look;

    #[test]
    fn int_stands_before_fp_and_each_has_its_average() {
        let measured = Measurements { floating: ["fft".to_owned()].into(), ..Measurements::default() };
        let row = |name: &str, value| Row::new(name, vec![value]);
        let mut table = ResultTable {
            columns: vec![("n".to_owned(), Look::Decimal)],
            rows: vec![row("fft", Some(8.0)), row("fib", Some(1.0)), row("crc", None), row("sieve", Some(3.0))],
            ..ResultTable::default()
        };
        divide(&measured, &mut table);
        summarize(&measured, &mut table, "average", |values| {
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        });
        let rows: Vec<(&str, &str)> = table.rows.iter().map(|row| (row.name.as_str(), row.words[0].as_str())).collect();
        assert_eq!(rows, [("fib", "INT"), ("crc", "INT"), ("sieve", "INT"), ("fft", "FP")]);
        let averages: Vec<(&str, Option<f64>)> =
            table.summary.iter().map(|row| (row.name.as_str(), row.values[0])).collect();
        assert_eq!(averages, [("average (INT)", Some(2.0)), ("average (FP)", Some(8.0)), ("average", Some(4.0))]);
    }
}
