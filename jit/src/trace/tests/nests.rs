//! Traces around loops: inner trips that are the same each time.

use super::forming::branches_of_the_trace;
use super::{IntFunction, blocks, spec};
use crate::trace::{Peel, Trace, TraceShape, TraceSpec};

const PLAIN: TraceShape = TraceShape { unroll: 1, peel: Peel::Off, forced_failures: None };

/// An outer loop, headed by 1, around one that counts to `v1`, 3-4; the outer counts to `v0`.
const COUNTED: IntFunction = IntFunction {
    params: 2,
    locals: &["int", "int", "bool", "int"],
    blocks: "
    block0:
        v2 = copy 0
        v5 = copy 0
        jump block1
    block1:
        v4 = ilt v2, v0
        branch v4, block2, block6
    block2:
        v3 = copy 0
        jump block3
    block3:
        v4 = ilt v3, v1
        branch v4, block4, block5
    block4:
        v5 = iadd v5, v3
        v3 = iadd v3, 1
        jump block3
    block5:
        v2 = iadd v2, 1
        jump block1
    block6:
        return v5",
};

/// A round of [`COUNTED`] with so many inner trips.
fn counted(trips: usize) -> Trace {
    let mut paths = vec![blocks(&[1, 2, 3, 4])];
    paths.extend(vec![blocks(&[3, 4]); trips.saturating_sub(1)]);
    paths.push(blocks(&[3, 5]));
    Trace::new(if trips == 0 { vec![blocks(&[1, 2, 3, 5])] } else { paths })
}

#[test]
fn trips_that_are_the_same_are_one_test_of_the_bound() {
    let branches = |trips: usize| {
        let spec = TraceSpec { traces: vec![counted(trips)], ..spec(&[&[1]]) };
        branches_of_the_trace(COUNTED, &spec, PLAIN)
    };
    assert_eq!([1, 3, 8].map(branches), [1, 1, 1], "the outer bound's: no iteration changes the inner one's");
}
