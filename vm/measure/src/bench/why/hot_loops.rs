//! The loops that samples fell into.
//!
//! In: samples and code. Out: [`HotLoop`]s, the hottest first. A loop's samples and instructions are its own, without those of the loops in it.
//! Instructions are those of the code from the loop's first to its last: an iteration that takes a branch executes fewer.

use std::ops::Range;

use super::samples::Samples;
use crate::jitdump::Code;
use crate::settings::{LEAST_HOT, MOST_HOT};
use holloway_jit::arch::{Mix, encloses, loops, mix};

/// A loop with a good part of the samples.
#[derive(Clone, PartialEq, Debug)]
pub struct HotLoop {
    /// The function it is in, and its offset there.
    pub place: String,
    /// Its part of the samples.
    pub share: f64,
    /// Bytes from its first instruction to its last.
    pub bytes: usize,
    /// Its instructions.
    pub mix: Mix,
}

/// The loops with the most samples.
pub(super) fn hottest(samples: &Samples, codes: &[Code]) -> Vec<HotLoop> {
    let mut found: Vec<HotLoop> = codes.iter().flat_map(|code| of_code(samples, code)).collect();
    found.retain(|hot| hot.share >= LEAST_HOT);
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    found.truncate(MOST_HOT);
    found
}

fn of_code(samples: &Samples, code: &Code) -> Vec<HotLoop> {
    if samples.within(code.range()) == 0 {
        return Vec::new();
    }
    let all = joined(loops(&code.bytes));
    let within = |range: &Range<usize>| samples.within(code.start + range.start as u64..code.start + range.end as u64);
    let hot = |range: &Range<usize>| {
        let inner = outermost(all.iter().filter(|other| encloses(range, other)));
        let own = within(range) - inner.iter().map(within).sum::<u64>();
        HotLoop {
            place: format!("{}+{:#x}", code.name, range.start),
            share: own as f64 / samples.total as f64,
            bytes: range.len(),
            mix: mix(&code.bytes, range.clone(), &inner),
        }
    };
    all.iter().map(hot).collect()
}

/// Ranges that overlap, and of which none contains the other, are one loop that is entered at several places.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.start && b.start < a.end && a.end < b.end;
    let pair = |ranges: &[Range<usize>]| {
        ranges.iter().enumerate().find_map(|(at, a)| Some((at, ranges.iter().position(|b| overlap(a, b))?)))
    };
    while let Some((first, second)) = pair(&ranges) {
        ranges[first].end = ranges[second].end;
        ranges.remove(second);
    }
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup();
    ranges
}

/// Those ranges that no other contains.
fn outermost<'a>(ranges: impl Iterator<Item = &'a Range<usize>>) -> Vec<Range<usize>> {
    let all: Vec<&Range<usize>> = ranges.collect();
    all.iter().filter(|range| !all.iter().any(|other| encloses(other, range))).map(|range| (*range).clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nested loops: nop; (nop; jne); jne.
    const NEST: [u8; 6] = [0x90, 0x90, 0x75, 0xfd, 0x75, 0xfa];

    #[test]
    fn an_outer_loop_has_its_own_samples_and_instructions() {
        let code = Code { name: "f".to_owned(), start: 0x10, bytes: NEST.to_vec() };
        let samples = Samples::of_addresses("10\n11\n11\n12\n12\n12\n14\n99\n");
        let found = hottest(&samples, &[code]);
        let told: Vec<(&str, f64, u32)> =
            found.iter().map(|hot| (hot.place.as_str(), hot.share, hot.mix.instructions)).collect();
        assert_eq!(told, [("f+0x1", 0.625, 2), ("f+0x0", 0.25, 2)]);
    }

    #[test]
    fn jumps_back_to_two_places_are_one_loop() {
        assert_eq!(joined(vec![0..20, 4..30, 25..40, 26..30]), [0..40, 26..30]);
        assert_eq!(joined(vec![4..20, 0..30]), [0..30, 4..20]);
        assert_eq!(joined(vec![0..4, 4..8]), [0..4, 4..8]);
    }
}
