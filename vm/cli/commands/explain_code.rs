//! `explain-code`: the pages of errors and warnings.
//!
//! In: codes. Out: their sections of `docs/codes/`, which are built into the binary. Invariant: every code has a
//! section, which begins with its code and its title.

use std::fmt::Write;

use holloway_lang::codes::{self, Code};

use crate::config::ExplainCodeConfig;
use crate::{Exit, show};

/// The files with the sections, in the order of their codes.
const FILES: [&str; 7] = [
    include_str!("../../../docs/codes/warnings.md"),
    include_str!("../../../docs/codes/tokens.md"),
    include_str!("../../../docs/codes/syntax.md"),
    include_str!("../../../docs/codes/names.md"),
    include_str!("../../../docs/codes/types.md"),
    include_str!("../../../docs/codes/calls.md"),
    include_str!("../../../docs/codes/control.md"),
];

/// Prints the pages of some codes, or a list of all.
pub fn explain_code(config: &ExplainCodeConfig) -> Exit {
    let text = match config.codes.as_slice() {
        [] => list(),
        codes => codes.iter().map(|code| page(*code).unwrap_or_default()).collect::<Vec<_>>().join("\n"),
    };
    show(&text)
}

/// Every code with its title.
fn list() -> String {
    let mut out = String::new();
    for code in codes::all() {
        let title = page(code).and_then(|page| page.lines().next().map(str::to_owned)).unwrap_or_default();
        writeln!(out, "{title}").expect("a string takes all");
    }
    out
}

/// The section of a code, its heading and its programs as text.
fn page(code: Code) -> Option<String> {
    let heading = format!("## {code}: ");
    let text = FILES.iter().find(|text| text.contains(&heading))?;
    let start = text.find(&heading)?;
    let section = &text[start..];
    let end = section[3..].find("\n## ").map_or(section.len(), |at| at + 3);
    let mut out = String::new();
    let mut in_program = false;
    for line in section[..end].trim_end().lines() {
        match line.strip_prefix("```") {
            Some(language) => {
                in_program = !in_program;
                match language.split_once(' ') {
                    Some((_, kind)) => writeln!(out, "{kind}:\n"),
                    None => Ok(()),
                }
            }
            None if in_program => writeln!(out, "    {line}"),
            None => writeln!(out, "{}", line.trim_start_matches("## ")),
        }
        .expect("a string takes all");
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page() {
        for code in codes::all() {
            let page = page(code).unwrap_or_else(|| panic!("{code} has no page"));
            assert!(page.starts_with(&format!("{code}: ")), "{page}");
            assert!(page.lines().count() > 3, "{page}");
        }
    }
}
