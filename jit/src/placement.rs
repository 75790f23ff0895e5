//! The place of code among cache lines.
//!
//! In: the loops of a function's code. Out: the number of bytes to leave free before it, at a place that starts a line.
//! A processor takes instructions, and keeps what it decoded, by lines: a small loop that crosses one more of them than
//! it must can take a fifth longer.

use crate::arch::encloses;
use crate::code_memory::ALIGN;
use crate::settings::placement::{ITERATIONS, MOST_LINES, WITHOUT_LOOPS};
use std::ops::Range;

/// Bytes that may be left free, the best first where loops do not care: code is fetched by halves of lines, and its
/// constants need to be at multiples of 16 bytes.
const LEADS: [usize; 4] = [0, ALIGN / 2, ALIGN / 4, ALIGN / 4 * 3];

/// Number of bytes to leave free so that innermost loops lie in as few cache lines as they can, deep ones first; the usual number where
/// the deepest is long.
pub(crate) fn lead(loops: &[Range<usize>]) -> usize {
    let small: Vec<(f64, &Range<usize>)> =
        loops.iter().filter(|found| is_small(found, loops)).map(|found| (weight(found, loops), found)).collect();
    let deepest = loops.iter().map(|found| weight(found, loops)).fold(0.0, f64::max);
    // Where the deepest loop is long, small ones elsewhere do not decide.
    if !small.iter().any(|(weight, _)| *weight >= deepest) {
        return WITHOUT_LOOPS;
    }
    let cost = |lead: usize| small.iter().map(|(weight, found)| weight * lines_past(found, lead)).sum::<f64>();
    let costs = LEADS.map(|lead| (cost(lead), lead));
    // Of equals the first.
    costs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are some").1
}

/// True iff the loop contains no other and is of few lines.
fn is_small(found: &Range<usize>, loops: &[Range<usize>]) -> bool {
    found.len() <= MOST_LINES * ALIGN && !loops.iter().any(|other| encloses(found, other))
}

/// Times that the loop runs for each time that the function does.
fn weight(found: &Range<usize>, loops: &[Range<usize>]) -> f64 {
    let depth = loops.iter().filter(|other| encloses(other, found)).count();
    ITERATIONS.powi(depth as i32)
}

/// Lines that a loop touches, as a multiple of the fewest that hold as many bytes.
fn lines_past(found: &Range<usize>, lead: usize) -> f64 {
    let touched = (found.end + lead).div_ceil(ALIGN) - (found.start + lead) / ALIGN;
    touched as f64 / found.len().div_ceil(ALIGN) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes before code with these loops.
    fn before(loops: &[(usize, usize)]) -> usize {
        lead(&loops.iter().map(|(header, end)| *header..*end).collect::<Vec<_>>())
    }

    #[test]
    fn a_loop_in_one_line_stays() {
        assert_eq!(before(&[]), WITHOUT_LOOPS);
        assert_eq!(before(&[(70, 100)]), 0);
    }

    #[test]
    fn a_loop_across_lines_moves_into_one() {
        assert_eq!(before(&[(50, 80)]), 32);
        assert_eq!(before(&[(20, 80)]), 48);
        assert_eq!(before(&[(50, 100)]), 16);
    }

    #[test]
    fn the_deepest_loop_decides() {
        let flat = (50, 80);
        let (outer, inner) = ((400, 1000), (450, 510));
        assert_eq!(before(&[flat, outer]), 32);
        assert_eq!(before(&[flat, outer, inner]), 0);
    }

    #[test]
    fn long_loops_and_outer_ones_do_not_matter() {
        assert_eq!(before(&[(50, 50 + MOST_LINES * ALIGN + 1)]), WITHOUT_LOOPS);
        assert_eq!(before(&[(50, 80), (40, 90)]), 32);
        assert_eq!(before(&[(10, 70), (20, 30)]), 0);
        let (nest, long) = ((300, 2000), (400, 400 + MOST_LINES * ALIGN + 1));
        assert_eq!(before(&[(50, 80), nest, long]), WITHOUT_LOOPS);
    }
}
