//! Ordered sets of timestamps as arithmetic series [ZG01 section 2, Figure 7].
//!
//! In: timestamps in ascending order, or sets of them. Out: a [`Series`], its set operations, and its sign-terminated
//! words.
//!
//! Notation: an entry is `l` (one timestamp), `l:h` (each from l to h) or `l:h:s` (every s-th from l to h). As words, the
//! last number of an entry is negated: `-l`; `l -h`; `l h -s`.
//! Invariants: the ranges of entries are disjoint and ascending, so equal sets have equal entries: a timestamp joins the
//! last entry if it continues it; with step 1 two make an entry, with a greater step three.

use std::fmt;

/// A timestamp: a position in a path trace, counted from 1.
pub type Timestamp = u64;

/// The timestamps `first`, `first + step`, up to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeriesEntry {
    first: Timestamp,
    last: Timestamp,
    /// 1 for a single timestamp.
    step: u64,
}

/// An ordered set of timestamps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Series {
    entries: Vec<SeriesEntry>,
}

/// Words that are no series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSeries;

impl fmt::Display for BadSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the words are no series of timestamps")
    }
}

impl std::error::Error for BadSeries {}

impl SeriesEntry {
    /// The entry; `None` unless `0 < first <= last`, `step` is positive and leads from one to the other.
    pub fn new(first: Timestamp, last: Timestamp, step: u64) -> Option<SeriesEntry> {
        let holds =
            0 < first && first <= last && last <= i64::MAX as u64 && step > 0 && (last - first).is_multiple_of(step);
        holds.then_some(SeriesEntry { first, last, step: if first == last { 1 } else { step } })
    }

    fn one(at: Timestamp) -> SeriesEntry {
        SeriesEntry { first: at, last: at, step: 1 }
    }

    /// Its first timestamp.
    pub fn first(self) -> Timestamp {
        self.first
    }

    /// Its last timestamp.
    pub fn last(self) -> Timestamp {
        self.last
    }

    /// The distance between neighbours; 1 for a single timestamp.
    pub fn step(self) -> u64 {
        self.step
    }

    /// Number of timestamps.
    pub fn count(self) -> u64 {
        (self.last - self.first) / self.step + 1
    }

    /// The sign-terminated words.
    pub(super) fn words(self) -> impl Iterator<Item = i64> {
        let (l, h, s) = (self.first as i64, self.last as i64, self.step as i64);
        let (words, count) = match (l == h, s) {
            (true, _) => ([-l, 0, 0], 1),
            (false, 1) => ([l, -h, 0], 2),
            (false, _) => ([l, h, -s], 3),
        };
        words.into_iter().take(count)
    }

    fn contains(self, at: Timestamp) -> bool {
        self.first <= at && at <= self.last && (at - self.first).is_multiple_of(self.step)
    }

    /// The common timestamps: the solutions of two congruences, within both ranges.
    fn intersection(self, other: SeriesEntry) -> Option<SeriesEntry> {
        let (low, high) = (self.first.max(other.first), self.last.min(other.last));
        if low > high {
            return None;
        }
        if low == high {
            let is_in_both = self.contains(low) && other.contains(low);
            return is_in_both.then_some(SeriesEntry { first: low, last: low, step: 1 });
        }
        if self.step == other.step {
            // `low` is a timestamp of one of them, and so of both or none.
            let is_in_both = self.contains(low) && other.contains(low);
            let last = low + (high - low) / self.step * self.step;
            return is_in_both.then(|| SeriesEntry { first: low, last, step: self.step }.single());
        }
        let (a, b) = (i128::from(self.step), i128::from(other.step));
        let (gcd, x) = extended_gcd(a, b);
        let distance = i128::from(other.first) - i128::from(self.first);
        if distance % gcd != 0 {
            return None;
        }
        let lcm = a / gcd * b;
        // first + a * k is a solution for k = x * distance / gcd, modulo b / gcd.
        let modulus = b / gcd;
        let k = (x.rem_euclid(modulus) * (distance / gcd).rem_euclid(modulus)).rem_euclid(modulus);
        let solution = i128::from(self.first) + a * k;
        let first = solution + (i128::from(low) - solution + lcm - 1).div_euclid(lcm) * lcm;
        if first > i128::from(high) {
            return None;
        }
        let last = first + (i128::from(high) - first) / lcm * lcm;
        let step = if first == last { 1 } else { lcm as u64 };
        Some(SeriesEntry { first: first as u64, last: last as u64, step })
    }
}

/// Entries without those that end before `from`, found by steps that double: a few entries are often met with many.
fn skipped(entries: &[SeriesEntry], from: Timestamp) -> &[SeriesEntry] {
    let mut width = 1;
    while entries.get(width).is_some_and(|entry| entry.last < from) {
        width *= 2;
    }
    let near = &entries[..entries.len().min(width + 1)];
    &entries[near.partition_point(|entry| entry.last < from)..]
}

/// The greatest common divisor `g` of two positive numbers and an `x` with `a * x = g` modulo `b`.
fn extended_gcd(a: i128, b: i128) -> (i128, i128) {
    let (mut old, mut new) = ((a, 1), (b, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old
}

impl Series {
    /// The timestamps from `first` to `last`; empty if `last` is smaller.
    pub fn range(first: Timestamp, last: Timestamp) -> Series {
        Series { entries: SeriesEntry::new(first, last, 1).into_iter().collect() }
    }

    /// Its entries, ascending.
    pub fn entries(&self) -> &[SeriesEntry] {
        &self.entries
    }

    /// Returns whether there is no timestamp.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of timestamps.
    pub fn len(&self) -> u64 {
        self.entries.iter().map(|entry| entry.count()).fold(0, u64::saturating_add)
    }

    /// The smallest timestamp.
    pub fn first(&self) -> Option<Timestamp> {
        self.entries.first().map(|entry| entry.first)
    }

    /// The greatest timestamp.
    pub fn last(&self) -> Option<Timestamp> {
        self.entries.last().map(|entry| entry.last)
    }

    /// Returns whether `at` is one of the timestamps, by binary search.
    pub fn contains(&self, at: Timestamp) -> bool {
        let entry = self.entries.partition_point(|entry| entry.last < at);
        self.entries.get(entry).is_some_and(|entry| entry.contains(at))
    }

    /// Every timestamp, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Timestamp> + '_ {
        self.entries.iter().flat_map(|entry| (0..entry.count()).map(|k| entry.first + k * entry.step))
    }

    /// Adds a timestamp greater than all others, in amortised constant time.
    ///
    /// # Panics
    /// If it is not greater, or above `i64::MAX`.
    pub fn push(&mut self, at: Timestamp) {
        assert!(at > self.last().unwrap_or(0) && at <= i64::MAX as u64, "timestamps ascend from 1");
        if let Some(last) = self.entries.last_mut()
            && at - last.last == last.step
        {
            // A single timestamp has step 1, so its direct successor joins it.
            last.last = at;
            return;
        }
        if let [.., a, b] = self.entries.as_mut_slice()
            && a.first == a.last
            && b.first == b.last
            && at - b.last == b.last - a.last
        {
            *a = SeriesEntry { first: a.first, last: at, step: at - b.last };
            self.entries.pop();
            return;
        }
        self.entries.push(SeriesEntry::one(at));
    }

    /// Adds the timestamps of an entry, all greater than the others, in constant time.
    pub fn push_entry(&mut self, entry: SeriesEntry) {
        let mut at = entry.first;
        loop {
            self.push(at);
            let last = self.entries.last_mut().expect("it was pushed");
            if at == entry.last {
                return;
            }
            if last.first < last.last && last.step == entry.step {
                last.last = entry.last;
                return;
            }
            at += entry.step;
        }
    }

    /// Every timestamp plus `by`. Those that are not positive then are dropped.
    pub fn shifted(&self, by: i64) -> Series {
        let mut shifted = Series::default();
        for entry in &self.entries {
            let last = entry.last.saturating_add_signed(by);
            if last == 0 || last > i64::MAX as u64 {
                continue;
            }
            // The first timestamp that stays positive.
            let skipped = (1_i128 - i128::from(entry.first) - i128::from(by)).max(0) as u64;
            let first = entry.first + skipped.div_ceil(entry.step) * entry.step;
            if first <= entry.last {
                let first = first.saturating_add_signed(by);
                let step = if first == last { 1 } else { entry.step };
                shifted.push_entry(SeriesEntry { first, last, step });
            }
        }
        shifted
    }

    /// The timestamps in both sets; constant time for a pair of entries.
    pub fn intersection(&self, other: &Series) -> Series {
        let mut common = Series::default();
        let (mut left, mut right) = (self.entries.as_slice(), other.entries.as_slice());
        while let ([a, ..], [b, ..]) = (left, right) {
            if a.last < b.first {
                left = skipped(left, b.first);
                continue;
            }
            if b.last < a.first {
                right = skipped(right, a.first);
                continue;
            }
            if let Some(entry) = a.intersection(*b) {
                common.push_entry(entry);
            }
            if a.last < b.last {
                left = &left[1..];
            } else {
                right = &right[1..];
            }
        }
        common
    }

    /// The timestamps that are not in `other`; time by the entries of both and of the result.
    pub fn difference(&self, other: &Series) -> Series {
        let mut rest = Series::default();
        let mut right = other.entries.as_slice();
        for entry in &self.entries {
            right = &right[right.partition_point(|b| b.last < entry.first)..];
            let mut from = entry.first;
            for b in right.iter().take_while(|b| b.first <= entry.last) {
                if let Some(removed) = entry.intersection(*b) {
                    from = rest.push_around(*entry, from, removed);
                }
            }
            rest.push_part(*entry, from, entry.last);
        }
        rest
    }

    /// Pushes the timestamps of `entry` from `from` to the last of `removed`, but those; returns the next one.
    fn push_around(&mut self, entry: SeriesEntry, from: Timestamp, removed: SeriesEntry) -> Timestamp {
        let step = entry.step;
        if removed.first > from {
            self.push_part(entry, from, removed.first - step);
        }
        if removed.count() > 1 && removed.step == 2 * step {
            self.push_entry(
                SeriesEntry { first: removed.first + step, last: removed.last - step, step: removed.step }.single(),
            );
        } else if removed.step > step {
            for k in 1..removed.count() {
                let at = removed.first + k * removed.step;
                self.push_part(entry, at - removed.step + step, at - step);
            }
        }
        removed.last + step
    }

    fn push_part(&mut self, entry: SeriesEntry, first: Timestamp, last: Timestamp) {
        if first <= last {
            self.push_entry(SeriesEntry { first, last, step: entry.step }.single());
        }
    }

    /// The timestamps in either set. Entries whose ranges overlap are merged one timestamp at a time.
    pub fn union(&self, other: &Series) -> Series {
        let mut all = Series::default();
        let (mut left, mut right) = (self.entries.iter().copied(), other.entries.iter().copied());
        let (mut a, mut b) = (left.next(), right.next());
        while let (Some(x), Some(y)) = (a, b) {
            if x.last < y.first {
                all.push_entry(x);
                a = left.next();
            } else if y.last < x.first {
                all.push_entry(y);
                b = right.next();
            } else {
                let at = x.first.min(y.first);
                all.push(at);
                a = if x.first == at { x.rest().or_else(|| left.next()) } else { a };
                b = if y.first == at { y.rest().or_else(|| right.next()) } else { b };
            }
        }
        a.into_iter().chain(left).chain(b).chain(right).for_each(|entry| all.push_entry(entry));
        all
    }

    /// The sign-terminated words.
    pub fn words(&self) -> impl Iterator<Item = i64> + '_ {
        self.entries.iter().flat_map(|entry| entry.words())
    }

    /// Takes the first entry, if timestamps that are added leave it as it is.
    pub(super) fn pop_settled(&mut self) -> Option<SeriesEntry> {
        (self.entries.len() > 2).then(|| self.entries.remove(0))
    }

    /// The series of sign-terminated words.
    pub fn from_words(words: impl IntoIterator<Item = i64>) -> Result<Series, BadSeries> {
        let mut series = Series::default();
        let (mut pending, mut count) = ([0_u64; 2], 0);
        for word in words {
            if word > 0 {
                *pending.get_mut(count).ok_or(BadSeries)? = word as u64;
                count += 1;
                continue;
            }
            let end = word.unsigned_abs();
            let entry = match count {
                0 => SeriesEntry::new(end, end, 1),
                1 => SeriesEntry::new(pending[0], end, 1),
                _ => SeriesEntry::new(pending[0], pending[1], end),
            };
            let entry = entry.filter(|entry| entry.first > series.last().unwrap_or(0)).ok_or(BadSeries)?;
            series.push_entry(entry);
            count = 0;
        }
        if count == 0 { Ok(series) } else { Err(BadSeries) }
    }
}

impl SeriesEntry {
    /// The same timestamps, a single one with step 1.
    fn single(self) -> SeriesEntry {
        if self.first == self.last { SeriesEntry::one(self.first) } else { self }
    }

    /// The timestamps behind the first.
    fn rest(self) -> Option<SeriesEntry> {
        (self.first < self.last).then(|| SeriesEntry { first: self.first + self.step, ..self }.single())
    }
}

impl FromIterator<Timestamp> for Series {
    fn from_iter<I: IntoIterator<Item = Timestamp>>(ascending: I) -> Series {
        let mut series = Series::default();
        ascending.into_iter().for_each(|at| series.push(at));
        series
    }
}

impl fmt::Display for Series {
    /// `1, 4:6, 10:30:5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, SeriesEntry { first, last, step }) in self.entries.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            match (first == last, step) {
                (true, _) => write!(f, "{comma}{first}")?,
                (false, 1) => write!(f, "{comma}{first}:{last}")?,
                (false, _) => write!(f, "{comma}{first}:{last}:{step}")?,
            }
        }
        Ok(())
    }
}
