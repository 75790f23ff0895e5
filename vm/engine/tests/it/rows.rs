//! A nest whose inner loop makes the same few rounds, each of which checks indices: on a trace they are checked once for all rounds, and fail as they did.
//!
//! In: sums over rows of a sparse matrix, whose rows are those of the profile at first, and then others. Out: a failed test if there is no trace of its
//! rows, or the output or the failure differs. Invariant: nothing depends on time.

use super::common::{adapted, counted, versions_with_traces};
use holloway::TierChoice;
use holloway_aos::Parts;
use holloway_aos::event::What;

/// Rows of three, which `CHANGE` changes.
const ROWS: &str = "
fn total(first: [int], next: [int], x: [int], y: [int], rounds: int) -> int {
    var s = 0
    for r in 0..rounds {
        for i in 0..len(first) - 1 {
            var t = 0
            for k in first[i]..first[i + 1] { t += x[next[k]] * y[k] }
            s = (s + t) & 0xFFFFFF
        }
    }
    return s
}
fn main() {
    let rows = 100
    let first = [0; rows + 1]
    let next = [0; rows * 3]
    let y = [0; rows * 3]
    let x = [0; rows]
    for i in 0..rows {
        x[i] = i * 37 % 101
        first[i + 1] = i * 3 + 3
        for k in 0..3 {
            next[i * 3 + k] = (i * 7 + k * 11) % rows
            y[i * 3 + k] = i % 13 + k
        }
    }
    for r in 0..40 { print(total(first, next, x, y, 200)) }
    CHANGE
    for r in 0..4 { print(total(first, next, x, y, 20)) }
}
";

#[test]
fn rows_of_a_trace_are_checked_in_front_of_it() {
    let change = |change: &str| versions_with_traces(&ROWS.replace("CHANGE", change));
    assert_eq!(change(""), ["1 traces"]);
    let (_, events) = adapted(TierChoice::Auto, Some(counted(Parts::NONE)), &ROWS.replace("CHANGE", ""));
    let gains = events.iter().filter_map(|event| match &event.what {
        What::TraceFormed(formed) => Some(formed.estimated_gain),
        _ => None,
    });
    let gains: Vec<f64> = gains.collect();
    assert!(gains.iter().all(|gain| *gain > 0.15), "a tenth is saved with a check for each index: {gains:?}");
    for other in [
        "first[30] = 89",
        "for i in 0..rows { first[i] = i }",
        "first[rows] = 301",
        "for i in 0..rows { first[i] += 1 }",
        "first[0] = -1",
        "first[0] = -3; first[1] = 0",
        "first[50] = -9223372036854775807 - 1; first[51] = 0x7FFFFFFFFFFFFFFF",
        "first[0] = 0x7FFFFFFFFFFFFFFE; first[1] = -9223372036854775807",
        "first[0] = 298; first[1] = 301",
        "next[200] = 100",
    ] {
        assert_eq!(change(other)[0], "1 traces", "{other}");
    }
}
