//! Tables of aligned columns.
//!
//! In: rows of cells. Out: lines, with the first column and columns of text left-aligned, the others right-aligned, and no
//! trailing blanks.

/// A table under construction.
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
    /// Columns of text, which are left-aligned.
    text: Vec<usize>,
}

enum Row {
    Cells(Vec<String>),
    Rule,
}

/// The cell of a missing value.
pub const NOTHING: &str = "-";

impl Table {
    /// A table with a header row and a rule below it.
    pub fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut table = Self::default();
        table.row(header);
        table.rule();
        table
    }

    /// The same table with a further column of text.
    pub fn with_text_in(mut self, column: usize) -> Self {
        self.text.push(column);
        self
    }

    /// Adds a row, which may have fewer cells than others.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(Row::Cells(cells.into_iter().map(Into::into).collect()));
    }

    /// Adds a rule across all columns.
    pub fn rule(&mut self) {
        self.rows.push(Row::Rule);
    }

    /// The lines.
    pub fn render(&self) -> String {
        let widths = self.widths();
        let total = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        let mut text = String::new();
        for row in &self.rows {
            let line = match row {
                Row::Rule => "-".repeat(total),
                Row::Cells(cells) => {
                    let padded = cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
                        0 => format!("{cell:<width$}"),
                        text if self.text.contains(&text) => format!("{cell:<width$}"),
                        _ => format!("{cell:>width$}"),
                    });
                    padded.collect::<Vec<_>>().join("  ")
                }
            };
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = Vec::new();
        for row in &self.rows {
            let Row::Cells(cells) = row else { continue };
            widths.resize(widths.len().max(cells.len()), 0);
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(cell.chars().count());
            }
        }
        widths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(["name", "time", "≤"]);
        table.row(["a long name", "1", "22"]);
        table.rule();
        table.row(["short"]);
        assert_eq!(
            table.render(),
            "name         time   ≤\n---------------------\na long name     1  22\n---------------------\nshort\n"
        );
    }
}
