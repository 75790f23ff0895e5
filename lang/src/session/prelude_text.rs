//! The part of the language that is written in itself, for people to read.
//!
//! In: the name of a built-in function. Out: the texts of the functions of the prelude that it stands for: one for each
//! type that it is written for. Invariant: a text is that of the file, with its comment, and nothing else.

use super::Session;
use crate::check::prelude_files;

/// The ends of names of functions that stand for one built-in, by a type that they take.
const FORMS: [&str; 5] = ["", "_int", "_float", "_list", "_array"];

impl Session {
    /// The functions of the prelude that a built-in stands for: the name of each one's file, and its text.
    pub fn prelude_text(name: &str) -> Vec<(&'static str, &'static str)> {
        let of_file = |(prefix, file, text): (&'static str, &'static str, &'static str)| {
            FORMS.iter().filter_map(move |form| Some((file, function_in(text, &format!("{prefix}{name}{form}"))?)))
        };
        prelude_files().flat_map(of_file).collect()
    }
}

/// The function of a name in a text that has one formatting: it ends at a brace that starts a line.
fn function_in<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let is_head = |line: &str| {
        line.strip_prefix("fn ")
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with(['(', '[']))
    };
    let mut start = 0;
    let mut comment = None;
    for line in text.split_inclusive('\n') {
        if is_head(line) {
            let from = comment.unwrap_or(start);
            let rest = &text[start..];
            let end = if line.trim_end().ends_with('}') { line.len() } else { rest.find("\n}")? + 2 };
            return Some(text[from..start + end].trim_end());
        }
        comment = if line.starts_with("//") { comment.or(Some(start)) } else { None };
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_the_names_of_built_ins() {
        let [(file, text)] = Session::prelude_text("filter")[..] else { panic!("there is one") };
        assert_eq!(file, "prelude/sequence.hw");
        assert!(text.contains("fn seq_filter[") && text.ends_with("\n}"), "{text}");
        assert_eq!(text.matches("\n}").count(), 1, "{text}");
        assert_eq!(Session::prelude_text("sum").len(), 2);
        assert!(Session::prelude_text("remove").len() > 1);
        assert!(Session::prelude_text("sqrt").is_empty() && Session::prelude_text("").is_empty());
    }
}
