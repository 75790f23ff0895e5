//! A difference as text.
//!
//! In: a difference. Out: the paths that changed most, each with its shares in both runs and its source lines, where the program is to be had.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use super::difference::{Change, Difference, Side};
use super::sources::Sources;
use crate::report::fit::fit;
use crate::report::text::{grouped, one_line};

/// The `top` greatest changes, for a screen of so many columns.
pub fn text(difference: &Difference, sources: &Sources<'_>, top: Option<NonZeroUsize>, width: usize) -> String {
    let mut out = String::new();
    for (name, side) in ["a", "b"].iter().zip(&difference.sides) {
        let Side { program, taken, different } = side;
        let (taken, different) = (grouped(*taken as usize), grouped(*different));
        say(&mut out, format_args!("{name}: {}, {taken} taken, {different} different", one_line(program)));
    }
    let changed = difference.changes.iter().filter(|change| change.growth() != 0.0).count();
    let shown = top.map_or(changed, |top| top.get().min(changed));
    if changed == 0 && difference.changes.is_empty() && !difference.not_compared.is_empty() {
        // What was taken cannot be compared, which is said below.
    } else if changed == 0 && !difference.not_compared.is_empty() {
        say(&mut out, format_args!("of what can be compared the frequencies are the same"));
    } else if changed == 0 {
        say(&mut out, format_args!("the frequencies are the same"));
    } else {
        out.push('\n');
        say(&mut out, format_args!("  change    in a    in b     count a     count b  function"));
    }
    for change in &difference.changes[..shown] {
        row(change, &mut out);
        excerpt(change, sources, width, &mut out);
        out.push('\n');
    }
    if changed > shown {
        say(&mut out, format_args!("and {} more; --top 0 shows all", grouped(changed - shown)));
    }
    let only = |side: usize| difference.changes.iter().filter(|change| change.counts[1 - side] == 0).count();
    let [gone, new] = [only(0), only(1)];
    if gone + new > 0 {
        say(&mut out, format_args!("{} taken in a only, {} in b only", grouped(gone), grouped(new)));
    }
    for name in &difference.not_compared {
        say(&mut out, format_args!("{} is not compared: its blocks differ", one_line(name)));
    }
    for name in &difference.other_bodies {
        let name = one_line(name);
        say(
            &mut out,
            format_args!("{name} has the same blocks in a and b, but another body: its paths are compared by them"),
        );
    }
    for (a, b) in &difference.renamed {
        say(&mut out, format_args!("{} of a is {} in b: they have one body", one_line(a), one_line(b)));
    }
    fit(&out, width)
}

fn say(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("strings take all text");
}

fn row(change: &Change, out: &mut String) {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let [a, b] = change.shares.map(percent);
    let [count_a, count_b] = change.counts.map(|count| grouped(count as usize));
    let growth = format!("{:+.1}%", 100.0 * change.growth());
    let function = one_line(&change.function);
    say(out, format_args!("{growth:>8}  {a:>6}  {b:>6}  {count_a:>10}  {count_b:>10}  {function}"));
}

/// The lines of each path; equal paths in a row are told once.
fn excerpt(change: &Change, sources: &Sources<'_>, width: usize, out: &mut String) {
    let mut first = 1;
    for equal in change.paths.chunk_by(|a, b| a == b) {
        let last = first + equal.len() - 1;
        match (change.paths.len(), equal.len()) {
            (1, _) => {}
            (_, 1) => say(out, format_args!("       path {first}")),
            _ => say(out, format_args!("       paths {first} to {last}")),
        }
        if !sources.append(change, &equal[0], width, out) {
            say(out, format_args!("       {}", ranges(&change.lines[first - 1])));
        }
        first = last + 1;
    }
}

/// The lines of blocks as ranges: `lines 3-5, 9`.
fn ranges(blocks: &[(u32, u32)]) -> String {
    let mut sorted = blocks.to_vec();
    sorted.sort_unstable();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for (from, to) in sorted {
        match runs.last_mut() {
            Some(run) if from <= run.1.saturating_add(1) => run.1 = run.1.max(to),
            Some(_) | None => runs.push((from, to)),
        }
    }
    let spelled: Vec<String> =
        runs.iter().map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") }).collect();
    let lines = if matches!(runs[..], [(from, to)] if from == to) { "line" } else { "lines" };
    format!("{lines} {}", spelled.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_a_row_are_ranges() {
        assert_eq!(ranges(&[(9, 9), (3, 4), (5, 5), (4, 4)]), "lines 3-5, 9");
        assert_eq!(ranges(&[(6, 6)]), "line 6");
        assert_eq!(ranges(&[(0, u32::MAX), (7, 7)]), "lines 0-4294967295", "nothing that is read is trusted");
    }
}
