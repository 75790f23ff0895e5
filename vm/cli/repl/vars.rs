//! `:vars`: the definitions of the session, and what each takes.
//!
//! In: the program, its memory and its code. Out: a table, in the order of definition. Invariant: bytes are those of a
//! variable with all that it leads to, or of a function's present machine code; a definition that takes none has none.

use std::fmt::Write as _;

use holloway_lang::ir::FuncRef;
use holloway_lang::session::Definition;

use super::workspace::{Ended, Workspace};
use holloway::internals::Executor;
use holloway_study::report::text::grouped;

/// The widest head that moves the columns behind it.
const WIDEST: usize = 60;

/// A definition as the table has it.
struct Row {
    head: String,
    bytes: Option<usize>,
    code: &'static str,
}

impl Workspace {
    /// `:vars`
    pub(super) fn vars(&self) -> Ended {
        let rows: Vec<Row> = self.engine.definitions().into_iter().map(|found| self.row(found)).collect();
        match rows.is_empty() {
            true => self.say("nothing is defined yet\n"),
            false => self.say(&table(&rows)),
        }
    }

    fn row(&self, found: Definition) -> Row {
        if let Some(func) = self.engine.function_named(&found.name) {
            let (code, bytes) = self.code_of(func);
            return Row { head: found.head, bytes, code };
        }
        let global = self.engine.session().global(&found.name);
        let bytes = global.map(|(global, _)| self.engine.bytes_of_global(global));
        Row { head: found.head, bytes, code: "" }
    }

    /// The tier that a function runs in, and the bytes of its code.
    fn code_of(&self, func: FuncRef) -> (&'static str, Option<usize>) {
        match self.engine.executor() {
            Executor::Interpreted(_) => ("interpreter", None),
            Executor::Compiled(machine) => match machine.code.version(func) {
                Some(version) => (version.tier.name(), Some(version.range.len)),
                None => ("not called yet", None),
            },
        }
    }
}

fn table(rows: &[Row]) -> String {
    let width = |row: &Row| row.head.chars().count();
    let widest =
        rows.iter().map(width).filter(|width| *width <= WIDEST).max().unwrap_or(WIDEST).max("definition".len());
    let mut text = format!("{:widest$}  {:>11}  code\n", "definition", "bytes");
    for Row { head, bytes, code } in rows {
        let bytes = bytes.map(grouped).unwrap_or_default();
        let line = format!("{head:widest$}  {bytes:>11}  {code}");
        writeln!(text, "{}", line.trim_end()).expect("strings take all text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_straight_beside_long_heads() {
        let row = |head: &str, bytes, code| Row { head: head.to_owned(), bytes, code };
        let rows =
            [row("let x: int", Some(8), ""), row(&"f".repeat(80), Some(1234), "baseline"), row("const N", None, "")];
        let text = table(&rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "definition        bytes  code");
        assert_eq!(lines[1], "let x: int            8");
        assert!(lines[2].ends_with("      1,234  baseline"));
        assert_eq!(lines[3], "const N");
    }
}
