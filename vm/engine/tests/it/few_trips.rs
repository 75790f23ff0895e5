//! A nest whose inner loop always comes round the same few times gets a trace in which that is unrolled, and the program does what it did.
//!
//! In: programs with such a nest, whose trip count is a variable, is read from memory, changes at last, or differs from iteration to iteration. Out: a
//! failed test if the outer loop has no trace of its inner iterations, or the output differs. Invariant: nothing depends on time.

use super::common::{adapted, counted};
use holloway::TierChoice;
use holloway_aos::event::What;
use holloway_aos::{Part, Parts};

/// Sums of windows: `BOUND` of each. `CALLS` makes them.
const WINDOWS: &str = "
fn sums(a: [int], out: [int], p: int, rounds: int) -> int {
    for r in 0..rounds {
        for i in 0..len(out) {
            var s = r
            for k in 0..BOUND { s += a[i + k] * k }
            out[i] = s
        }
    }
    return out[7]
}
fn main() {
    let a = [0; 600]
    let out = [0; 500]
    for i in 0..len(a) { a[i] = i * 7 % 101 }
    CALLS
}
";

/// The traces that are formed: the line of the loop, and its iterations in a round.
fn traces(bound: &str, calls: &str, without: Parts) -> Vec<(Option<u32>, u32)> {
    let source = WINDOWS.replace("BOUND", bound).replace("CALLS", calls);
    let (found, events) = adapted(TierChoice::Auto, Some(counted(without)), &source);
    assert_eq!(found, adapted(TierChoice::Optimized, None, &source).0, "{bound}, {calls}");
    let formed = events.iter().filter_map(|event| match &event.what {
        What::TraceFormed(formed) => Some((event.subject.loop_line, formed.unrolled)),
        _ => None,
    });
    formed.collect()
}

#[test]
fn trips_that_are_the_same_are_unrolled() {
    let outer = (Some(4), 5);
    let once = "print(sums(a, out, 3, 4000))";
    assert_eq!(traces("p", once, Parts::NONE), [outer]);
    assert_eq!(traces("p", once, [Part::ObservedEdges].into_iter().collect()), [], "nothing tells of trips");
    assert_eq!(traces("3", once, Parts::NONE), [], "the optimizer knows them");
    for bound in ["p + (i & 1)", "p + (a[i] & 1)", "a[87 + (i & 1)]"] {
        assert_ne!(traces(bound, once, Parts::NONE), [outer], "they differ");
    }
    assert_eq!(traces("a[87]", once, Parts::NONE), [outer], "it is 3, as it is read each time");
    for calls in [
        "for n in 0..20 { print(sums(a, out, 3 + n / 15, 400)) }",
        "print(sums(a, out, 3, 2000)); print(sums(a, out, 0, 1000)); print(sums(a, out, 90, 1000))",
        "print(sums(a, out, 3, 2000)); print(sums(a, out, 101, 1000))",
    ] {
        assert_eq!(traces("p", calls, Parts::NONE).first(), Some(&outer), "{calls}");
    }
}
