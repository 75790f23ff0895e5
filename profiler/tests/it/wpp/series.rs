//! Operations on series against those on ordered sets.

use std::collections::BTreeSet;

use holloway_profiler::wpp::{Series, SeriesEntry};
use proptest::prelude::*;

/// Sets with many arithmetic series: ranges with random steps, joined.
fn sets() -> impl Strategy<Value = BTreeSet<u64>> {
    prop::collection::vec((1..120_u64, 1..7_u64, 1..14_u64), 0..6).prop_map(|parts| {
        parts.into_iter().flat_map(|(first, step, count)| (0..count).map(move |k| first + k * step)).collect()
    })
}

fn series(set: &BTreeSet<u64>) -> Series {
    set.iter().copied().collect()
}

proptest! {
    #[test]
    fn operations_are_those_of_sets(a in sets(), b in sets(), by in -130..130_i64) {
        let (x, y) = (series(&a), series(&b));
        prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
        prop_assert_eq!((x.len(), x.first(), x.last()), (a.len() as u64, a.first().copied(), a.last().copied()));
        prop_assert!((0..220).all(|at| x.contains(at) == a.contains(&at)));
        // Equal sets have equal entries, so results are compared as series.
        prop_assert_eq!(x.intersection(&y), series(&(&a & &b)));
        prop_assert_eq!(x.difference(&y), series(&(&a - &b)));
        prop_assert_eq!(x.union(&y), series(&(&a | &b)));
        let moved = a.iter().filter_map(|at| at.checked_add_signed(by)).filter(|&at| at > 0).collect();
        prop_assert_eq!(x.shifted(by), series(&moved));
        prop_assert_eq!(Series::from_words(x.words()), Ok(x));
    }

    #[test]
    fn words_that_are_no_series_are_errors(words in prop::collection::vec(-40..40_i64, 0..9)) {
        if let Ok(series) = Series::from_words(words) {
            prop_assert_eq!(Series::from_words(series.words()), Ok(series));
        }
    }
}

#[test]
fn long_series_take_constant_time() {
    let entry = |first, last, step| SeriesEntry::new(first, last, step).unwrap();
    let (mut a, mut b) = (Series::default(), Series::default());
    a.push_entry(entry(1, 4_000_000_000_001, 4));
    b.push_entry(entry(3, 6_000_000_000_003, 6));
    assert_eq!(a.intersection(&b).to_string(), "9:3999999999993:12");
    assert_eq!(a.shifted(2).to_string(), "3:4000000000003:4");
    let every_second = Series::from_iter([1, 9, 17, 25]);
    assert_eq!(a.difference(&every_second).to_string(), "5:29:8, 33:4000000000001:4");
}
