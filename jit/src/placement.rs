//! The place of code among cache lines.
//!
//! In: the loops of a function's code, and the alignment that its constants need. Out: the number of bytes to leave free
//! before it, at a place that starts a line. A processor takes instructions, and keeps what it decoded, by lines: a small
//! loop that crosses one more of them than it must can take a fifth longer, the more of it lies past the last crossing.

use crate::arch::encloses;
use crate::code_memory::ALIGN;
use crate::settings::placement::{ITERATIONS, MOST_LINES, STEP, WITHOUT_LOOPS};
use std::cmp::Reverse;
use std::ops::Range;

/// Number of bytes to leave free so that innermost loops cross as few cache lines as they can, deep ones first, and
/// past the last crossing lies little of them; the usual number where the deepest is long. A multiple of the
/// alignment. Loops come in the order of their headers, of which no two are the same.
pub(crate) fn lead(loops: &[Range<usize>], alignment: usize) -> usize {
    let weights = weights(loops);
    let weighted = || weights.iter().copied().zip(loops);
    let small: Vec<(f64, &Range<usize>)> =
        weighted().enumerate().filter(|(at, _)| is_small(&loops[*at..])).map(|(_, weighted)| weighted).collect();
    let deepest = weights.iter().copied().fold(0.0, f64::max);
    // Where the deepest loop is long, small ones elsewhere do not decide.
    if !small.iter().any(|(weight, _)| *weight >= deepest) {
        return WITHOUT_LOOPS.next_multiple_of(alignment);
    }
    let cost = |lead: usize| small.iter().map(|(weight, found)| weight * overhang(found, lead)).sum::<f64>();
    let mut costs: Vec<(f64, usize)> = (0..ALIGN).step_by(STEP.max(alignment)).map(|lead| (cost(lead), lead)).collect();
    // Of equals the one at the highest power of two: code is fetched by halves of lines.
    costs.sort_by_key(|(_, lead)| Reverse(lead.trailing_zeros()));
    costs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are some").1
}

/// True iff the first of some loops contains no other and is of few lines. One in it starts behind it, before its end.
fn is_small(loops: &[Range<usize>]) -> bool {
    let (found, behind) = loops.split_first().expect("there is a loop");
    let mut inside = behind.iter().take_while(|other| other.start < found.end);
    found.len() <= MOST_LINES * ALIGN && !inside.any(|other| encloses(found, other))
}

/// Times that each loop runs for each time that the function does.
fn weights(loops: &[Range<usize>]) -> Vec<f64> {
    // The ends, in order, of the loops that have started and not ended: those that end behind a loop enclose it.
    let mut open: Vec<usize> = Vec::new();
    let weight = |found: &Range<usize>| {
        open.drain(..open.partition_point(|end| *end <= found.start));
        let at = open.partition_point(|end| *end < found.end);
        let depth = open.len() - at;
        open.insert(at, found.end);
        ITERATIONS.powi(depth as i32)
    };
    loops.iter().map(weight).collect()
}

/// The part of a loop, or of a line, that lies past the last crossing, if it crosses more lines than it must.
fn overhang(found: &Range<usize>, lead: usize) -> f64 {
    let (first, last) = ((found.start + lead) / ALIGN, (found.end + lead - 1) / ALIGN);
    if last - first < found.len().div_ceil(ALIGN) {
        return 0.0;
    }
    (found.end + lead - last * ALIGN) as f64 / found.len().min(ALIGN) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes before code with these loops.
    fn before(loops: &[(usize, usize)]) -> usize {
        aligned(loops, 1)
    }

    /// The same, of code whose constants need an alignment.
    fn aligned(loops: &[(usize, usize)], alignment: usize) -> usize {
        let mut loops: Vec<Range<usize>> = loops.iter().map(|(header, end)| *header..*end).collect();
        loops.sort_by_key(|range| range.start);
        lead(&loops, alignment)
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
    fn a_loop_that_must_cross_lines_has_its_greater_part_ahead_of_the_crossing() {
        // 60 bytes: with 8 ahead they begin one byte before a line, with 16 they end three after one.
        assert_eq!(before(&[(55, 115)]), 16);
        // 126 bytes fit in two lines, of 128 with an odd place one is left over.
        assert_eq!(before(&[(10, 136)]), 56);
        assert_eq!(before(&[(9, 137)]), 56);
    }

    #[test]
    fn constants_stay_aligned() {
        assert_eq!(before(&[(20, 76)]), 48);
        assert_eq!(before(&[(10, 70)]), 56);
        assert_eq!(aligned(&[(10, 70)], 16), 0);
        assert_eq!(aligned(&[(10, 70)], 64), 0);
        assert_eq!((aligned(&[], 16), aligned(&[], 32)), (WITHOUT_LOOPS, 32));
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
