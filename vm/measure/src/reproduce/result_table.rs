//! One figure or table as rows of numbers, as text and as JSON.
//!
//! In: numbers by row and column, and the paper's statements. Out: text and JSON.
//! JSON: `{"size", "rounds", "sheets": [{"key", "source", "title", "columns", "rows": [{"name", "values"}], "summary":
//! [...], "paper": [...], "compared": [{"what", "paper", "here"}], "notes": [text]}], "faults": [text], "ok"}`; a value
//! is a number or null. A row of ratios of times also has `spreads`, half the width of each value's 95% confidence interval;
//! a table with columns of text has `word_columns`, and each of its rows `words`. Invariant: both show the same numbers.

use serde_json::{Value, json};

use crate::extent::{Rounds, SizeName};
use holloway_study::report::columns::{NOTHING, Table};
use holloway_study::report::text::grouped;

/// Fewest runs that `[DD13]` averages.
const ROUNDS_OF_PAPER: u32 = 7;

/// All tables of one invocation.
#[derive(Clone, PartialEq, Debug)]
pub struct Reproduced {
    /// The workload of the programs.
    pub size: SizeName,
    /// Number of times that each was timed.
    pub rounds: Rounds,
    /// One table a figure.
    pub tables: Vec<ResultTable>,
    /// One line a fault.
    pub faults: Vec<String>,
    /// Version, machine and date.
    pub provenance: String,
}

/// One figure or table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ResultTable {
    /// The table's name in JSON.
    pub key: &'static str,
    /// The paper and the number of the figure in it.
    pub source: &'static str,
    /// Title of the table.
    pub title: String,
    /// The columns of text after the name.
    pub word_columns: Vec<&'static str>,
    /// The columns of numbers after them, with their format.
    pub columns: Vec<(String, Look)>,
    /// One row a program.
    pub rows: Vec<Row>,
    /// Rows that summarize all programs.
    pub summary: Vec<Row>,
    /// The rows of the paper.
    pub paper: Vec<Row>,
    /// Statements of the paper with the results here.
    pub compared: Vec<Compared>,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

/// A name and its numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// A program, or a summary's name.
    pub name: String,
    /// The text by column; of summaries none.
    pub words: Vec<String>,
    /// The numbers by column.
    pub values: Vec<Option<f64>>,
    /// Half the width of the interval of each number; empty if the numbers have none.
    pub spreads: Vec<Option<f64>>,
}

/// A statement of the paper with the result here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The subject of the statement.
    pub what: String,
    /// The paper's statement.
    pub paper: String,
    /// The result here.
    pub here: String,
}

/// Format of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// `1.23x`
    Ratio,
    /// `1,234`
    Count,
    /// `1.23`
    Decimal,
    /// `12.3%`
    Percent,
    /// `1.2 MiB`
    Bytes,
    /// Seconds: `12.3 µs`, `4.5 ms`
    Seconds,
}

impl Look {
    /// The number as text.
    pub fn show(self, value: f64) -> String {
        match self {
            Look::Ratio => format!("{value:.2}x"),
            // The number of paths may exceed every integer type.
            Look::Count if value < 1e15 => grouped(value.round() as usize),
            Look::Count => format!("{value:.2e}"),
            Look::Decimal => format!("{value:.2}"),
            Look::Percent => format!("{value:.1}%"),
            Look::Seconds if value < 1e-3 => format!("{:.1} µs", value * 1e6),
            Look::Seconds if value < 1.0 => format!("{:.1} ms", value * 1e3),
            Look::Seconds => format!("{value:.1} s"),
            Look::Bytes if value < 1024.0 => format!("{value:.0} B"),
            Look::Bytes if value < 1_048_576.0 => format!("{:.1} KiB", value / 1024.0),
            Look::Bytes => format!("{:.1} MiB", value / 1_048_576.0),
        }
    }
}

impl Row {
    /// A row with a name and values.
    pub fn new(name: impl Into<String>, values: Vec<Option<f64>>) -> Row {
        Row { name: name.into(), values, ..Row::default() }
    }
}

impl Compared {
    /// A statement with the result here.
    pub fn new(what: impl Into<String>, paper: impl Into<String>, here: impl Into<String>) -> Compared {
        Compared { what: what.into(), paper: paper.into(), here: here.into() }
    }
}

impl ResultTable {
    /// One number for each column: `mean` of the numbers in its rows.
    pub fn over_rows(&self, mean: impl Fn(&[f64]) -> Option<f64>) -> Vec<Option<f64>> {
        let column = |at: usize| self.rows.iter().filter_map(|row| row.values[at]).collect::<Vec<f64>>();
        (0..self.columns.len()).map(|at| mean(&column(at))).collect()
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let columns = self.columns.iter().map(|(name, _)| name.as_str());
        let mut table = Table::new(std::iter::once("").chain(self.word_columns.iter().copied()).chain(columns));
        for column in 1..=self.word_columns.len() {
            table = table.with_text_in(column);
        }
        self.rows.iter().for_each(|row| table.row(self.cells(row)));
        for rows in [&self.summary, &self.paper] {
            if !rows.is_empty() {
                table.rule();
                rows.iter().for_each(|row| table.row(self.cells(row)));
            }
        }
        let mut text = format!("{}: {}\n\n{}", self.source, self.title, table.render());
        if !self.compared.is_empty() {
            text.push('\n');
            for Compared { what, paper, here } in &self.compared {
                text.push_str(&format!("  {what}\n    paper: {paper}\n    here:  {here}\n"));
            }
        }
        if !self.notes.is_empty() {
            text.push('\n');
            self.notes.iter().for_each(|note| text.push_str(&format!("  {note}\n")));
        }
        text
    }

    fn cells(&self, row: &Row) -> Vec<String> {
        let word = |at: usize| row.words.get(at).cloned().unwrap_or_default();
        let number = |(at, (_, look)): (usize, &(String, Look))| match (row.values[at], row.spreads.get(at)) {
            (None, _) => NOTHING.to_owned(),
            (Some(value), Some(Some(spread))) => format!("{value:.2}±{spread:.2}"),
            (Some(value), _) => look.show(value),
        };
        let words = (0..self.word_columns.len()).map(word);
        std::iter::once(row.name.clone()).chain(words).chain(self.columns.iter().enumerate().map(number)).collect()
    }

    /// The table as JSON.
    pub fn json(&self) -> Value {
        let row = |row: &Row| {
            let mut object = json!({ "name": row.name, "values": row.values });
            if !row.words.is_empty() {
                object["words"] = json!(row.words);
            }
            if !row.spreads.is_empty() {
                object["spreads"] = json!(row.spreads);
            }
            object
        };
        let rows = |rows: &[Row]| -> Vec<Value> { rows.iter().map(row).collect() };
        let compared = |each: &Compared| json!({ "what": each.what, "paper": each.paper, "here": each.here });
        let mut object = json!({
            "key": self.key,
            "source": self.source,
            "title": self.title,
            "columns": self.columns.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "rows": rows(&self.rows),
            "summary": rows(&self.summary),
            "paper": rows(&self.paper),
            "compared": self.compared.iter().map(compared).collect::<Vec<_>>(),
            "notes": self.notes,
        });
        if !self.word_columns.is_empty() {
            object["word_columns"] = json!(self.word_columns);
        }
        object
    }
}

impl Reproduced {
    /// The tables as text.
    pub fn text(&self) -> String {
        let rounds = self.rounds.get();
        let times = match rounds {
            1 => "each time is that of 1 run in a process of its own, without compilations.".to_owned(),
            _ => format!(
                "times are means of {rounds} runs in turn, each in a process of its own, without compilations; \
                 ± is half the 95% confidence interval of a ratio."
            ),
        };
        let is_of_paper = self.tables.iter().any(|table| table.key.starts_with("delia"));
        let few = if is_of_paper && rounds < ROUNDS_OF_PAPER {
            "\nD'Elia and Demetrescu have means of at least 7 runs: --rounds 7."
        } else {
            ""
        };
        let head = format!("{}\nSize {}; {times}{few}\n", self.provenance, self.size.name());
        std::iter::once(head).chain(self.tables.iter().map(ResultTable::text)).collect::<Vec<_>>().join("\n")
    }

    /// The tables as JSON.
    pub fn json(&self) -> Value {
        json!({
            "size": self.size.name(),
            "rounds": self.rounds,
            "provenance": self.provenance,
            "sheets": self.tables.iter().map(ResultTable::json).collect::<Vec<_>>(),
            "faults": self.faults,
            "ok": self.faults.is_empty(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ResultTable {
        ResultTable {
            key: "figure0",
            source: "[X] figure 0",
            title: "what it is about".to_owned(),
            columns: vec![("k=2".to_owned(), Look::Ratio), ("paths".to_owned(), Look::Count)],
            rows: vec![Row::new("fib", vec![Some(1.5), Some(12_345.0)]), Row::new("sieve", vec![None, Some(1e30)])],
            summary: vec![Row::new("mean", vec![Some(1.5), None])],
            paper: vec![Row::new("the paper's gzip", vec![Some(2.0), Some(7.0)])],
            compared: vec![Compared::new("faster with k", "12 of 16", "1 of 2")],
            notes: vec!["a note".to_owned()],
            ..ResultTable::default()
        }
    }

    fn with_words_and_spreads() -> ResultTable {
        let of_fib = Row::new("fib", vec![Some(1.5), Some(12_345.0)]);
        let of_nbody = Row::new("nbody", vec![Some(2.25), Some(3.0)]);
        ResultTable {
            word_columns: vec!["class"],
            rows: vec![
                Row { words: vec!["INT".to_owned()], spreads: vec![Some(0.25), None], ..of_fib },
                Row { words: vec!["FP".to_owned()], spreads: vec![None, None], ..of_nbody },
            ],
            compared: Vec::new(),
            notes: Vec::new(),
            ..table()
        }
    }

    #[test]
    fn text_stands_before_numbers_and_spreads_behind_them() {
        insta::assert_snapshot!(with_words_and_spreads().text(), @r"
        [X] figure 0: what it is about

                          class        k=2   paths
        ------------------------------------------
        fib               INT    1.50±0.25  12,345
        nbody             FP         2.25x       3
        ------------------------------------------
        mean                         1.50x       -
        ------------------------------------------
        the paper's gzip             2.00x       7
        ");
        let value = with_words_and_spreads().json();
        assert_eq!((&value["word_columns"], &value["rows"][0]["words"]), (&json!(["class"]), &json!(["INT"])));
        assert_eq!(value["rows"][0]["spreads"], json!([0.25, null]));
        assert_eq!(value["summary"][0], json!({ "name": "mean", "values": [1.5, null] }));
    }

    #[test]
    fn text_has_rows_and_the_papers() {
        insta::assert_snapshot!(table().text(), @r"
        [X] figure 0: what it is about

                            k=2    paths
        --------------------------------
        fib               1.50x   12,345
        sieve                 -  1.00e30
        --------------------------------
        mean              1.50x        -
        --------------------------------
        the paper's gzip  2.00x        7

          faster with k
            paper: 12 of 16
            here:  1 of 2

          a note
        ");
    }

    #[test]
    fn json_has_the_same_numbers() {
        let value = table().json();
        assert_eq!(value["rows"][1], json!({ "name": "sieve", "values": [null, 1e30] }));
        assert_eq!(value["compared"][0]["paper"], json!("12 of 16"));
        assert_eq!(value["paper"][0]["values"], json!([2.0, 7.0]));
    }

    #[test]
    fn means_skip_what_is_absent() {
        let sum = |values: &[f64]| Some(values.iter().sum());
        assert_eq!(table().over_rows(sum), [Some(1.5), Some(1e30 + 12_345.0)]);
    }

    #[test]
    fn bytes_and_seconds_are_short() {
        assert_eq!([12.0, 2048.0, 3_670_016.0].map(|n| Look::Bytes.show(n)), ["12 B", "2.0 KiB", "3.5 MiB"]);
        assert_eq!([1.25e-5, 0.0045, 2.0].map(|n| Look::Seconds.show(n)), ["12.5 µs", "4.5 ms", "2.0 s"]);
    }
}
