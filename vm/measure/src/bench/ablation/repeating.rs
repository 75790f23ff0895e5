//! The loops of one run of which one path, or one sequence of paths, has half of the iterations or more: whether versions were made of paths, and why not.
//!
//! In: the profiled loops of programs. Out: a table, and JSON. Invariant: a program with a version is counted, one without is told of loop by loop.

use serde_json::{Value, json};

use crate::settings::LEAST_REPEATING;
use holloway_study::report::columns::Table;
use holloway_study::report::story::ProfiledLoop;

/// True iff a loop's paths repeat.
pub(super) fn repeats(found: &ProfiledLoop) -> bool {
    found.share >= LEAST_REPEATING
}

/// A loop for programs.
pub(super) fn json(found: &ProfiledLoop) -> Value {
    json!({
        "function": found.function,
        "loop_line": found.line,
        "repeats": found.found,
        "share": found.share,
        "specialized": found.is_specialized,
        "declined": found.declined,
    })
}

/// The number of programs with such loops that have versions, and the loops of the others. A program: its name, whether it has versions, and its loops.
pub(super) fn text<'a>(programs: impl Iterator<Item = (&'a str, bool, &'a [ProfiledLoop])>) -> String {
    let (mut with, mut without) = (0, 0);
    let mut table =
        Table::new(["program", "loop", "repeats", "left because"]).with_text_in(1).with_text_in(2).with_text_in(3);
    for (name, has_versions, loops) in programs.filter(|(.., loops)| !loops.is_empty()) {
        if has_versions {
            with += 1;
            continue;
        }
        without += 1;
        for one in loops {
            let place = format!("{}:{}", one.function, one.line);
            table.row([name.to_owned(), place, one.found.clone(), one.declined.clone().unwrap_or_default()]);
        }
    }
    let head = format!(
        "Programs with a loop of which a path or a sequence of paths has half of the iterations or more, in one run: {}; with versions made of \
         paths: {with}\n",
        with + without
    );
    if without == 0 { head } else { format!("{head}\n{}", table.render()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::event::examples;
    use holloway_study::report::story::profiled_loops;

    #[test]
    fn programs_without_versions_are_listed() {
        let found = profiled_loops(&examples());
        assert!(found.iter().all(repeats));
        let programs = [("vm", true, &found[..1]), ("sum", false, &found[1..2]), ("none", false, &[][..])];
        insta::assert_snapshot!(text(programs.into_iter()));
    }
}
