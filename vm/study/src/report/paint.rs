//! Colours of a profile.
//!
//! In: the text of a profile, as it is without colours. Out: the same with its headings bold, the numbers of source lines dim, and what a path
//! ran through marked. Invariant: without the escape sequences it is the same text.

use super::style::Color;

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const MARK: &str = "\x1b[32m";
const END: &str = "\x1b[0m";

/// The text of a profile in colour, if there are colours.
pub fn paint(text: &str, color: Color) -> String {
    match color {
        Color::Plain => text.to_owned(),
        Color::Ansi => text.split_inclusive('\n').map(line).collect(),
    }
}

fn line(line: &str) -> String {
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    if text.is_empty() {
        return line.to_owned();
    }
    let painted = match gutter(text) {
        Some((gutter, marks)) if marks.contains('^') && marks.chars().all(|c| c == '^' || c == ' ') => {
            format!("{DIM}{gutter}{END}{MARK}{marks}{END}")
        }
        Some((gutter, source)) => format!("{DIM}{gutter}{END}{source}"),
        None if is_heading(text) => format!("{BOLD}{text}{END}"),
        None => text.to_owned(),
    };
    painted + end
}

/// The number of a source line with the bar behind it, and the rest; of a line of marks the number is blank.
fn gutter(text: &str) -> Option<(&str, &str)> {
    let at = text.find(" | ")? + 3;
    let (gutter, rest) = text.split_at(at);
    let is_number = gutter[..at - 3].chars().all(|c| c == ' ' || c.is_ascii_digit());
    is_number.then_some((gutter, rest))
}

/// The names of columns.
fn is_heading(text: &str) -> bool {
    let first = text.split_whitespace().next();
    matches!(first, Some("count" | "function" | "line" | "version" | "change"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_no_text() {
        let text = "     count   share  path\n        10   50.0%  loop 4 -> loop 4\n     4 | a | b ^ c\n       | ^^^^^\n\n12 paths\n";
        let painted = paint(text, Color::Ansi);
        assert_eq!(
            painted,
            "\x1b[1m     count   share  path\x1b[0m\n        10   50.0%  loop 4 -> loop 4\n\
             \x1b[2m     4 | \x1b[0ma | b ^ c\n\x1b[2m       | \x1b[0m\x1b[32m^^^^^\x1b[0m\n\n12 paths\n"
        );
        assert_eq!(paint(text, Color::Plain), text);
    }
}
