//! The samples that perf took.
//!
//! In: the text of `perf script --fields ip,sym,symoff`, a line a sample. Out: [`Samples`]. A binary is loaded elsewhere than it is linked, so
//! its samples are found by symbol; code that was compiled at run time has no symbols there, and stands where it says.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::jitdump::Code;

/// Samples by address, as the code has them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Samples {
    /// All samples, those of code that is not known among them.
    pub(super) total: u64,
    by_address: BTreeMap<u64, u64>,
}

impl Samples {
    /// The samples by their addresses.
    pub(super) fn of_addresses(text: &str) -> Samples {
        Samples::of(text, |line| u64::from_str_radix(line.split_whitespace().next()?, 16).ok())
    }

    /// The samples by function and offset.
    pub(super) fn of_symbols(text: &str, codes: &[Code]) -> Samples {
        let starts: HashMap<&str, u64> = codes.iter().map(|code| (code.name.as_str(), code.start)).collect();
        Samples::of(text, |line| {
            let (name, offset) = line.split_whitespace().nth(1)?.split_once("+0x")?;
            Some(starts.get(name)? + u64::from_str_radix(offset, 16).ok()?)
        })
    }

    fn of(text: &str, address: impl Fn(&str) -> Option<u64>) -> Samples {
        let mut samples = Samples::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            samples.total += 1;
            if let Some(address) = address(line) {
                *samples.by_address.entry(address).or_default() += 1;
            }
        }
        samples
    }

    /// Number of samples of some addresses.
    pub(super) fn within(&self, addresses: Range<u64>) -> u64 {
        self.by_address.range(addresses).map(|(_, samples)| samples).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_counted_by_address() {
        let samples = Samples::of_addresses("     7fabe38dac2a\n     10 [unknown]\n     10 f+0x3\n\n");
        assert_eq!((samples.total, samples.within(0x10..0x11), samples.within(0..0x10)), (3, 2, 0));
    }

    #[test]
    fn samples_are_counted_by_symbol() {
        let code = Code { name: "f".to_owned(), start: 0x100, bytes: vec![0; 8] };
        let samples = Samples::of_symbols("    55e8f2 f+0x3\n    55e8f3 g+0x1\n    55e8f4 [unknown]\n", &[code]);
        assert_eq!((samples.total, samples.within(0x100..0x108), samples.within(0x103..0x104)), (3, 1, 1));
    }
}
