//! Iterations that follow from counters: those that random walks over a formed body begin on its traces, and those of them that leave it.
//!
//! In: traces, unrolled, with tests before rounds; and walks from the entry that take any way at each branch. Out: a
//! failed test if what the counters of heads and guards tell is not what the walk has seen. Invariant: what an iteration begins with on a trace is a copy of the
//! header, with its instructions, that is not off the trace.

use super::{ALTERNATING, IntFunction, NESTED, blocks, form, func, local, module, spec};
use crate::body::osr::{Headers, peel};
use crate::compile::with_traces;
use crate::trace::chance::Random;
use crate::trace::{Trace, TraceShape, TraceSpec, Traces};
use holloway_lang::ir::Block;
use std::sync::Arc;

/// Counted iterations and failures, and those of a walk. With `entered` the body is entered at the header of the traces' loop, and so it may have copies.
fn walked(
    function: IntFunction,
    spec: &TraceSpec,
    shape: TraceShape,
    entered: bool,
    random: &mut Random,
) -> [(u64, u64); 2] {
    let module = module(function);
    let formed = form(func(&module), spec, shape).expect("it can be formed");
    let traces = Traces::new(Arc::new(formed));
    let formed = traces.formed();
    let whole = with_traces(formed);
    let headers = Headers::compute(func(&module));
    let state = headers.state(spec.header).expect("it has few locals");
    let header = whole.header(spec.header, state).expect("the loop of the traces can be entered");
    let whole = if entered { peel(whole, header) } else { whole };
    let counted = traces.counted().in_copies(&whole.body, &whole.peeled);
    let of = |block: Block| whole.peeled.iter().find(|(copy, _)| *copy == block).map_or(block, |(_, of)| *of);
    let of_header = &func(&module).blocks[spec.header].insts;
    let is_whole = |block: Block| whole.body.blocks[block].insts.ends_with(of_header);
    let is_begun = |block: Block| whole.origin(block) == spec.header && !whole.cold.contains(block) && is_whole(block);
    let guard = |from: Block, to: Block| formed.guards.values().find(|guard| guard.edge == (of(from), of(to)));
    let (mut begun, mut left) = (0, 0);
    let mut at = whole.entry;
    loop {
        begun += u64::from(is_begun(at));
        traces.count(counted.blocks.get(&at).copied());
        let mut ways: Vec<Block> = Vec::new();
        whole.body.blocks[at].term.targets(|to| ways.push(to));
        let Some(to) = random.pick(&ways) else { break };
        if let Some(guard) = guard(at, to) {
            left += u64::from(guard.left);
            // What fails a test on the way in was to begin on a trace.
            begun += u64::from(guard.at.is_none() && guard.left == 1);
        }
        traces.count(counted.edges.get(&(at, to)).copied());
        at = to;
    }
    [traces.iterations(), (begun, left)]
}

#[test]
fn counters_tell_what_random_walks_do() {
    let mut random = Random(7);
    let two = || {
        let traces = [[2, 3, 5], [2, 4, 5]].map(|path| Trace::new(vec![blocks(&path)])).into();
        TraceSpec { traces, ..spec(&[&[2, 3, 5]]) }
    };
    let stable = || {
        let trace = Trace { stable: vec![local(3)], ..Trace::new(vec![blocks(&[2, 3, 5]), blocks(&[2, 4, 5])]) };
        TraceSpec { traces: vec![trace], ..spec(&[&[2, 3, 5]]) }
    };
    let cases = [
        (ALTERNATING, spec(&[&[2, 3, 5]])),
        (ALTERNATING, spec(&[&[2, 3, 5], &[2, 4, 5]])),
        (ALTERNATING, TraceSpec { constants: vec![(local(3), 0)], ..spec(&[&[2, 3, 5], &[2, 4, 5]]) }),
        (ALTERNATING, stable()),
        (ALTERNATING, two()),
        (NESTED, spec(&[&[1, 2, 3], &[2, 3], &[2, 5]])),
        (NESTED, spec(&[&[2, 3]])),
        (NESTED, spec(&[&[2, 3], &[2, 3, 4]])),
    ];
    let mut all = 0;
    for (function, spec) in cases {
        for walk in 0..400 {
            let shape = TraceShape { unroll: 1 + random.below(3) as u32, forced_failures: None };
            let [counted, seen] = walked(function, &spec, shape, walk % 4 > 1, &mut random);
            assert_eq!(counted, seen, "{spec:?}, {shape:?}, walk {walk}");
            all += seen.0;
        }
    }
    assert!(all > 5_000, "{all} iterations");
}
