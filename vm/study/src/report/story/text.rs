//! Lines of a screen.
//!
//! In: a sentence. Out: lines of at most so many columns. Invariant: only words that are longer than a line are longer than it.

/// Breaks a text between words: the first line is indented by `first`, the others by `rest`.
pub(super) fn wrapped(text: &str, first: usize, rest: usize, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = " ".repeat(first) + &text[..text.len() - text.trim_start().len()];
    let mut is_empty = true;
    for word in text.trim_start().split(' ') {
        if !is_empty && columns(&line) + 1 + columns(word) > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(rest)));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines.push(line);
    lines
}

/// The columns that a text takes: escape sequences take none.
fn columns(text: &str) -> usize {
    let mut is_escape = false;
    let is_shown = |c: &char| {
        let was_escape = is_escape;
        is_escape = *c == '\u{1b}' || was_escape && *c != 'm';
        !was_escape && !is_escape
    };
    text.chars().filter(is_shown).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two  three", 1, 3, 9), [" one two ", "   three"]);
        assert_eq!(wrapped("  unbreakable", 0, 2, 5), ["  unbreakable"]);
        assert_eq!(wrapped("", 2, 2, 5), ["  "]);
        assert_eq!(wrapped("\u{1b}[90mb\u{1b}[0m one", 0, 0, 5), ["\u{1b}[90mb\u{1b}[0m one"]);
    }
}
