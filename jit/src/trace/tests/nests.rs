//! Traces around loops: what is chosen where inner trips vary, and a trace with an inner loop as a loop of its own.

use super::super::choose::{Repeated, has_other_ways, trace};
use super::forming::branches_of_the_trace;
use super::{IntFunction, NESTED, Paths, blocks, func, local, module, spec, text};
use crate::compile::with_traces;
use crate::osr::Headers;
use crate::trace::nest::Nest;
use crate::trace::{Collapsed, Declined, Peel, Specialization, Trace, TraceShape, TraceSpec, form};
use holloway_lang::ir::{Block, Cfg, Liveness, Loops};
use holloway_profiler::path_id::PathEnd;

const PLAIN: TraceShape = TraceShape { unroll: 1, peel: Peel::Off, forced_failures: None };

/// An outer loop, headed by 1, whose iterations take 1-3 and 1-2 in turn; the loop 4-5 inside is left from either, to 7 or to 6.
const TURNS_AROUND: IntFunction = IntFunction {
    params: 1,
    locals: &["int", "int", "bool", "int"],
    blocks: "
    block0:
        v1 = copy 0
        v2 = copy 0
        v4 = copy 0
        jump block1
    block1:
        v3 = ieq v1, 0
        branch v3, block2, block3
    block2:
        v1 = copy 1
        jump block4
    block3:
        v1 = copy 0
        jump block4
    block4:
        v2 = iadd v2, 1
        v3 = ieq v2, 99
        branch v3, block6, block5
    block5:
        v4 = copy 1
        v3 = ilt v2, v0
        branch v3, block4, block7
    block6:
        v2 = iadd v2, 7
        jump block7
    block7:
        v2 = iadd v2, v4
        v3 = ilt v2, 1000
        branch v3, block1, block8
    block8:
        return v2",
};

fn around(path: &[&[u32]], header: u32) -> TraceSpec {
    TraceSpec { collapsed: vec![Collapsed { header: Block::from_u32(header), visits: 3.0 }], ..spec(path) }
}

/// The ids of outer iterations, each with its side and so many inner trips.
fn trips(paths: &Paths, iterations: impl Iterator<Item = (u32, usize)>) -> Vec<u64> {
    let mut ids = Vec::new();
    for (side, trips) in iterations {
        match trips {
            0 => ids.push(paths.id(&[1, side, 4, 5, 7], PathEnd::Cut)),
            _ => {
                ids.push(paths.id(&[1, side, 4, 5], PathEnd::Cut));
                ids.extend(vec![paths.id(&[4, 5], PathEnd::Cut); trips - 1]);
                ids.push(paths.id(&[4, 5, 7], PathEnd::Cut));
            }
        }
    }
    ids
}

fn chosen(iterations: impl Iterator<Item = (u32, usize)>) -> Vec<TraceSpec> {
    let module = module(TURNS_AROUND);
    let paths = Paths::of(func(&module));
    let ids = trips(&paths, iterations);
    let forest = paths.forest(20, &ids);
    Repeated::of(func(&module), &paths.graph, &paths.numbering, (&forest, &[ids])).specs()
}

/// Numbers below seven, in no order.
fn random() -> impl Iterator<Item = usize> {
    let mut state = 1_u32;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (state >> 24) as usize % 7
    })
}

#[test]
fn a_period_around_a_loop_must_have_nearly_all() {
    let in_turn = [2, 3].into_iter().cycle().take(300);
    let sides = in_turn.chain(random().take(100).map(|number| 2 + u32::from(number < 3)));
    let specs = chosen(sides.zip(random().skip(7)));
    assert!(specs.iter().all(|spec| spec.collapsed.is_empty()), "{specs:?}");
}

#[test]
fn a_period_is_found_around_a_loop_whose_trips_vary() {
    let specs = chosen([2, 3].into_iter().cycle().zip(random().take(400)));
    let [outer] = specs.as_slice() else { panic!("nothing else repeats: {specs:?}") };
    let mut found = outer.traces[0].paths.clone();
    found.sort();
    assert_eq!(found, [blocks(&[1, 2, 4, 7]), blocks(&[1, 3, 4, 7])]);
    assert_eq!((outer.coverage, outer.executions), (399.0 / 400.0, 400));
    let [Collapsed { header, visits }] = outer.collapsed[..] else { panic!("{outer:?}") };
    assert!(header == Block::from_u32(4) && (3.5..4.5).contains(&visits), "0 to 6 trips and one more: {visits}");
}

#[test]
fn inner_trips_that_are_the_same_stay_in_line() {
    let specs = chosen([2, 3].into_iter().cycle().zip(std::iter::repeat_n(2, 400)));
    assert!(specs.iter().all(|spec| spec.collapsed.is_empty()) && !specs.is_empty(), "{specs:?}");
}

#[test]
fn an_inner_loop_that_is_passed_as_a_whole_is_a_loop_of_the_trace() {
    let module = module(TURNS_AROUND);
    let spec = around(&[&[1, 2, 4, 7], &[1, 3, 4, 7]], 4);
    let formed = form(func(&module), &spec, PLAIN).expect("it can be formed");
    text(&module, &formed.body);
    let nest = Nest::of(&formed.body);
    let head = nest.loops.headed_by(formed.heads[0]).expect("a head heads a loop");
    let inner: Vec<_> = nest.loops.iter().filter(|(_, l)| l.parent == Some(head)).collect();
    assert_eq!(inner.len(), 2, "each pass has its own copy");
    for (_, l) in inner {
        let mut origins: Vec<Block> = l.blocks.iter().map(|block| formed.origins.blocks[*block]).collect();
        origins.sort();
        assert_eq!(origins, blocks(&[4, 5]));
        assert!(l.blocks.iter().all(|block| !formed.origins.cold.contains(*block)), "it is on the trace");
    }
    let targets: Vec<_> =
        formed.guards.values().filter(|guard| guard.at.is_some_and(|at| at.1 == 2)).map(|guard| guard.target).collect();
    assert_eq!(targets, blocks(&[6, 6]), "where it is left to is on the trace, or a guard");
}

#[test]
fn what_is_no_inner_loop_of_the_trace_is_not_passed_as_a_whole() {
    let declined = |function, spec: &TraceSpec| form(func(&module(function)), spec, PLAIN).map(|formed| formed.heads);
    let path: &[&[u32]] = &[&[1, 2, 4, 7]];
    assert_eq!(declined(TURNS_AROUND, &around(path, 1)), Err(Declined::NotCollapsible), "the trace's own");
    assert_eq!(declined(TURNS_AROUND, &around(path, 2)), Err(Declined::NotCollapsible), "no loop");
    assert_eq!(declined(TURNS_AROUND, &around(&[&[1, 2, 4, 5, 7]], 4)), Err(Declined::NotClosed), "its blocks in line");
    assert_eq!(
        declined(TURNS_AROUND, &around(&[&[1, 2, 4, 2, 4, 7]], 4)),
        Err(Declined::NotClosed),
        "it leads elsewhere"
    );
    assert_eq!(declined(TURNS_AROUND, &spec(path)), Err(Declined::NotClosed), "4 has no edge to 7");
}

#[test]
fn what_inner_loops_assign_is_not_expected_to_stay() {
    let module = module(TURNS_AROUND);
    let Specialization::Trace(spec, _) = trace(func(&module), &around(&[&[1, 2, 4, 7], &[1, 3, 4, 7]], 4), None) else {
        panic!("it is a trace")
    };
    assert_eq!(spec.traces[0].stable, [local(1)], "v1 is 0 again; v4 is 1 if 5 was passed");
}

#[test]
fn an_inner_loop_alone_is_no_other_way() {
    let module = module(NESTED);
    assert!(!has_other_ways(func(&module), &around(&[&[1, 2, 5]], 2)), "the trace would be the loop itself");
    let module = self::module(TURNS_AROUND);
    assert!(has_other_ways(func(&module), &around(&[&[1, 2, 4, 7]], 4)));
}

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

#[test]
fn an_inner_loop_is_entered_where_nothing_is_kept_for_the_trace_around_it() {
    let module = module(TURNS_AROUND);
    let body = func(&module);
    let spec = around(&[&[1, 2, 4, 7]], 4);
    let formed = form(body, &spec, TraceShape { peel: Peel::Once, forced_failures: Some(1), ..PLAIN }).expect("formed");
    let whole = with_traces(&formed);
    let (cfg, inner) = (Cfg::compute(&whole.body), Block::from_u32(4));
    let (loops, live) = (Loops::of(&cfg), Liveness::compute(&whole.body, &cfg));
    let headers = Headers::compute(body);
    let state = headers.state(inner).expect("it has few locals");
    let has_state = |header: Block| live.live_in(header).all(|local| state.contains(&local));
    let copies: Vec<_> = loops.iter().map(|(_, l)| l).filter(|l| whole.origin(l.header) == inner).collect();
    let chosen = whole.header(inner, state).expect("the loop is there as it was");
    assert!(has_state(chosen));
    let least = copies.iter().map(|l| l.depth).min();
    let kept = copies.iter().find(|l| !has_state(l.header)).expect("numbers are drawn behind the inner loop");
    assert_eq!(Some(kept.depth), least, "the copy in front of the trace's loop is no further in");
    assert_eq!(whole.header(inner, &[]), None, "no copy can do with nothing");
}
