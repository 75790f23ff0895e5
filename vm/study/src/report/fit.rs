//! Text that fits a screen.
//!
//! In: a report, maybe with colours, and the number of columns. Out: the same with no line wider than the screen: a longer one goes on in further lines,
//! indented behind its own indent; a rule, or a word that is wider than a line, is cut. Invariant: a line that fits is left as it is, and no
//! word but a cut one is lost.

/// The end of what was cut.
const DOTS: &str = "...";
/// Columns by which a line that goes on is indented behind its own indent.
const HANGING: usize = 2;
/// Columns that a line has at least, however narrow the screen.
const LEAST_WIDTH: usize = 24;

/// The lines of `text`, none of more than `width` columns.
pub fn fit(text: &str, width: usize) -> String {
    let width = width.max(LEAST_WIDTH);
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if columns(line) <= width {
            out.push_str(line);
        } else if line.chars().all(|c| c == '-') {
            out.push_str(&line[..width]);
        } else {
            let own = line.len() - line.trim_start_matches(' ').len();
            fold(line, (own + HANGING).min(width / 2), width, &mut out);
        }
        out.push_str(end);
    }
    out
}

/// The first `room` columns of a line without colours; dots stand for the rest of one that is longer.
pub fn cut_to(line: &str, room: usize) -> String {
    if line.chars().count() <= room {
        return line.to_owned();
    }
    let kept: String = line.chars().take(room.saturating_sub(DOTS.len())).collect();
    kept + DOTS
}

/// A line as several of at most `width` columns, each but the first indented by `indent`.
pub(super) fn folded(line: &str, indent: usize, width: usize) -> Vec<String> {
    let mut out = String::new();
    fold(line, indent, width.max(LEAST_WIDTH), &mut out);
    out.split('\n').map(str::to_owned).collect()
}

/// Appends a line as several; blanks between words of one line stay as they are.
fn fold(line: &str, indent: usize, width: usize, out: &mut String) {
    let mut column = 0;
    let mut is_first = true;
    for (blanks, word) in words(line) {
        let needed = columns(word);
        if !is_first && column + blanks + needed > width {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else {
            out.extend(std::iter::repeat_n(' ', blanks));
            column += blanks;
        }
        is_first = false;
        // A colour in a word is not cut.
        if column + needed > width && !word.contains('\x1b') {
            out.push_str(&cut_to(word, width.saturating_sub(column)));
            column = width;
        } else {
            out.push_str(word);
            column += needed;
        }
    }
}

/// The words of a line, each with the number of blanks before it.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let word = rest.trim_start_matches(' ');
        let blanks = rest.len() - word.len();
        let end = word.find(' ').unwrap_or(word.len());
        let (word, behind) = word.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some((blanks, word))
    })
}

/// The number of columns of a line; escape sequences that choose colours take none.
fn columns(line: &str) -> usize {
    let mut count = 0;
    let mut in_escape = false;
    for c in line.chars() {
        match (in_escape, c) {
            (true, c) => in_escape = c != 'm',
            (false, '\x1b') => in_escape = true,
            (false, _) => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_goes_on_below_its_own_indent() {
        let text = "short  line\n    0.93 ms  compiled optimized code in 0.18 ms\n";
        assert_eq!(fit(text, 30), "short  line\n    0.93 ms  compiled\n      optimized code in 0.18\n      ms\n");
        assert_eq!(fit(text, 100), text, "what fits is left as it is");
    }

    #[test]
    fn rules_and_words_without_a_blank_are_cut() {
        assert_eq!(fit(&format!("{}\n", "-".repeat(50)), 30), format!("{}\n", "-".repeat(30)));
        assert_eq!(fit(&"x".repeat(50), 30), format!("{}...", "x".repeat(27)));
        assert_eq!([cut_to("let x = 1", 9), cut_to("let x = 10", 9)], ["let x = 1", "let x ..."]);
    }

    #[test]
    fn lines_go_on_where_they_are_told_to() {
        let told = folded("  12.0 ms  found one path; made a trace", 11, 30);
        assert_eq!(told, ["  12.0 ms  found one path;", "           made a trace"]);
    }

    #[test]
    fn colours_take_no_columns() {
        let text = format!("\x1b[1m{}\x1b[0m", "x".repeat(30));
        assert_eq!(fit(&text, 30), text);
        assert!(fit(&format!("{text} {text}"), 31).contains("\x1b[0m\n  \x1b[1m"));
    }
}
