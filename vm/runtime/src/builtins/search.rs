//! Searching in strings, and hashing them. In: string objects. Out: positions, answers, hashes, or strings with other parts
//! in the places of those that were found. Invariant: time is linear in the lengths, whatever is looked for.

use super::chars::put;
use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use memchr::memmem::{self, Finder};

/// Words without a pattern, of which the hash is made: digits of the fractional part of pi.
const MIXED: [u64; 3] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0];

/// The first index of `part` in `s` at or behind `start`, else -1.
pub fn str_find(s: Obj, part: Obj, start: i64) -> i64 {
    let start = start.max(0) as usize;
    let found = s.bytes().get(start..).and_then(|rest| memmem::find(rest, part.bytes()));
    found.map_or(-1, |at| (start + at) as i64)
}

/// `starts_with(s, part)`.
pub fn str_starts_with(s: Obj, part: Obj) -> bool {
    s.bytes().starts_with(part.bytes())
}

/// `ends_with(s, part)`.
pub fn str_ends_with(s: Obj, part: Obj) -> bool {
    s.bytes().ends_with(part.bytes())
}

/// `replace(s, part, by)`: every occurrence, from left to right, none overlapping.
pub fn str_replace(rt: &mut Runtime, s: Obj, part: Obj, by: Obj) -> Result<Obj, FailureKind> {
    if part.is_empty() {
        return Err(FailureKind::EmptyPart);
    }
    let finder = Finder::new(part.bytes()).into_owned();
    let count = finder.find_iter(s.bytes()).count();
    if count == 0 {
        return Ok(s);
    }
    let kept = s.len() - count * part.len();
    let len = count.checked_mul(by.len()).and_then(|len| len.checked_add(kept)).ok_or(FailureKind::OutOfMemory)?;
    rt.new_str_with(len, &[s, by], |out| {
        let (mut rest, mut at) = (out, 0);
        for found in finder.find_iter(s.bytes()) {
            rest = put(rest, &s.bytes()[at..found]);
            rest = put(rest, by.bytes());
            at = found + finder.needle().len();
        }
        put(rest, &s.bytes()[at..]);
    })
}

/// A hash of the bytes, never negative.
pub fn str_hash(s: Obj) -> i64 {
    (hash(s.bytes()) >> 1) as i64
}

/// Sixteen bytes a step are multiplied into the state, as wyhash does it; the last step takes what is left, however
/// short, and the length tells its zeroes from those of the string.
fn hash(bytes: &[u8]) -> u64 {
    let (state, rest) = if bytes.len() < 16 { (MIXED[0], bytes) } else { whole_steps(bytes) };
    let (first, second) = padded(rest);
    multiply(MIXED[2] ^ bytes.len() as u64, multiply(first ^ MIXED[1], second ^ state))
}

/// The state behind all whole steps, and what is left. Most strings that are looked up have none.
#[inline(never)]
fn whole_steps(bytes: &[u8]) -> (u64, &[u8]) {
    let (chunks, rest) = bytes.as_chunks::<16>();
    let state = chunks.iter().fold(MIXED[0], |state, chunk| {
        let (words, _) = chunk.as_chunks::<8>();
        multiply(u64::from_le_bytes(words[0]) ^ MIXED[1], u64::from_le_bytes(words[1]) ^ state)
    });
    (state, rest)
}

/// Less than sixteen bytes as two words, with zeroes behind them. Each is read by loads of whole words that may overlap:
/// the bytes that were read twice are shifted out.
fn padded(bytes: &[u8]) -> (u64, u64) {
    let shifted = |word: u64, bytes: usize| word.checked_shr(8 * bytes as u32).unwrap_or(0);
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from_le_bytes(*first), shifted(u64::from_le_bytes(*last), 16 - bytes.len()));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return (u64::from(first) | shifted(u64::from(last), 8 - bytes.len()) << 32, 0);
    }
    let third = bytes.get(2).map_or(0, |third| u64::from(*third) << 16);
    match bytes.first_chunk() {
        Some(first) => (u64::from(u16::from_le_bytes(*first)) | third, 0),
        None => (bytes.first().map_or(0, |only| u64::from(*only)), 0),
    }
}

/// The halves of the product, together.
fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn hashes_differ() {
        let mut seen = HashSet::new();
        let mut check = |bytes: &[u8]| assert!(seen.insert(hash(bytes)), "{bytes:?}");
        for len in 0..100 {
            check(&vec![0; len]);
        }
        for n in 0..100_000_u32 {
            check(format!("key {n}").as_bytes());
        }
        for at in 0..64 {
            let mut bytes = [7; 64];
            bytes[at] = 8;
            check(&bytes);
        }
    }

    #[test]
    fn the_rest_is_padded_with_zeroes() {
        let bytes: Vec<u8> = (1..16).collect();
        for len in 0..16 {
            let mut padded_slowly = [0; 16];
            padded_slowly[..len].copy_from_slice(&bytes[..len]);
            let (first, second) = padded(&bytes[..len]);
            assert_eq!([first.to_le_bytes(), second.to_le_bytes()].concat(), padded_slowly, "{len}");
        }
    }

    #[test]
    fn hashes_are_the_same_in_every_run() {
        let known = ["", "a", "sixteen bytes ab", "more than sixteen bytes"].map(|text| hash(text.as_bytes()) >> 1);
        assert_eq!(
            known,
            [
                5_608_352_972_393_312_239,
                2_517_598_288_021_458_943,
                7_764_620_077_899_466_535,
                5_775_416_513_043_291_706
            ]
        );
    }

    /// Each bit of the input changes about half of the bits of the hash.
    #[test]
    fn bits_spread() {
        for len in [1, 5, 8, 9, 16, 17, 31] {
            for bit in 0..8 * len {
                let mut changed = 0;
                for seed in 0..32_u8 {
                    let bytes: Vec<u8> = (0..len as u8).map(|at| at.wrapping_mul(37) ^ seed).collect();
                    let mut other = bytes.clone();
                    other[bit / 8] ^= 1 << (bit % 8);
                    changed += (hash(&bytes) ^ hash(&other)).count_ones();
                }
                assert!((24 * 32..40 * 32).contains(&changed), "bit {bit} of {len} bytes changes {changed} of 2048");
            }
        }
    }
}
