//! A loop of many paths gets a loop without the blocks that it persistently does not take, and the program does what it did, also where it takes them.
//!
//! In: a program with such a loop, whose rare case calls a function that changes what the others read. Out: a failed test if no such loop is formed, or
//! the output differs. Invariant: nothing depends on time.

use super::common::{adapted, counted};
use super::traces::check_formed;
use crate::TierChoice;
use crate::adaptive::event::What;
use crate::adaptive::specialization::TraceSource;
use crate::adaptive::{Part, Parts};
use holloway_jit::graph_of::{block_of, graph_of};
use holloway_jit::trace::choose::Untaken;
use holloway_jit::trace::{Formed, Layout, Peel, TraceShape, form};
use holloway_lang::ir::{Block, Cfg, FuncRef, Inst, Loops, Module};
use holloway_profiler::number::ball_larus::number;
use holloway_profiler::path_id::path_of;

/// Readings are scaled and summed in one of 64 ways, in no order; one out of range changes the settings.
fn station(limit: i64, passes: u32) -> String {
    format!(
        "
struct Station {{ limit: int, units: int, per: int, zero: int, curve: [int], sum: int, count: int, high: int, low: int, odd: int, faults: int }}
var seed = 7
fn rnd(m: int) -> int {{
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return (seed >> 8) % m
}}
fn recalibrate(s: Station, at: int, x: int) {{
    s.faults += 1
    s.limit += x % 7
    s.units = 900 + (at & 63)
    s.per = 700 + (x & 63)
    s.zero = s.zero ^ x
    s.curve = [0; 64]
    for i in 0..64 {{ s.curve[i] = i * x % 97 }}
}}
fn station(s: Station, readings: [int], out: [int]) {{
    for t in 0..len(out) {{
        var x = readings[t & 127]
        if x > s.limit {{ recalibrate(s, t, x) }}
        let kind = x
        x = (x - s.zero) * (s.units * 4096 / s.per) >> 12
        x += s.curve[x & 63]
        if kind & 1 == 0 {{ s.odd += x }}
        if kind & 2 == 0 {{ x += s.zero }} else {{ x -= s.units % s.per }}
        if kind & 4 == 0 {{ s.sum += x }}
        if kind & 8 == 0 {{ s.count += 1 }} else {{ x = x ^ s.curve[t & 63] }}
        if kind & 16 == 0 {{ s.high += x & 1 }} else {{ s.low += x & 3 }}
        if kind & 32 == 0 {{ x -= s.count & 7 }}
        out[t] += x
    }}
}}
fn main() {{
    let readings = [0; 128]
    for i in 0..128 {{ readings[i] = rnd(1000) }}
    let out = [0; 4096]
    let curve = [0; 64]
    for i in 0..64 {{ curve[i] = rnd(50) }}
    let s = Station(limit: {limit}, units: 1000, per: 800, zero: 7, curve: curve, sum: 0, count: 0, high: 900, low: 100, odd: 0, faults: 0)
    for i in 0..{passes} {{ station(s, readings, out) }}
    readings[17] = 90_001
    for i in 0..3 {{ station(s, readings, out) }}
    var sum = 0
    for i in 0..len(out) {{ sum = sum * 31 + out[i] }}
    print(sum, s.faults, s.sum, s.count, s.odd, s.high, s.low)
}}
"
    )
}

/// `station` with its loop without the blocks that call, as if all other paths had been seen.
fn without_calls(module: &Module, forced_failures: Option<u64>) -> Vec<(FuncRef, Formed)> {
    let (func, decl) = module.funcs.iter().find(|(_, decl)| decl.body.name == "station").expect("it is there");
    let body = &decl.body;
    let calls = |block: Block| body.blocks[block].insts.iter().any(|inst| matches!(inst, Inst::Call { .. }));
    let (graph, loops) = (graph_of(body), Loops::of(&Cfg::compute(body)));
    let numbering = number(&graph);
    let header = loops.values().next().expect("it has a loop").header;
    let is_left = |id: &u64| {
        let path = path_of(&graph, &numbering, *id).expect("there are so many");
        block_of(path.blocks[0]) == header && path.blocks.iter().all(|node| !calls(block_of(*node)))
    };
    let seen: Vec<u64> = (0..numbering.num_paths()).filter(is_left).collect();
    let rest = Untaken::of(body, (&graph, &numbering), std::slice::from_ref(&seen));
    let spec = rest.left(header, calls, 1).expect("many paths are left");
    assert!(spec.layout == Layout::Graph && spec.traces.len() < 12 && seen.len() >= 64, "{spec:?}");
    let shape = TraceShape { unroll: 1, peel: Peel::Off, forced_failures };
    vec![(func, form(body, &spec, shape).expect("it can be formed"))]
}

#[test]
fn a_loop_without_untaken_blocks_does_what_the_loop_does_where_it_takes_them() {
    for (limit, forced_failures) in [(900, None), (100, None), (900, Some(3)), (-1, Some(4))] {
        let what = format!("a limit of {limit}, failures {forced_failures:?}");
        let bodies = check_formed(&what, &station(limit, 2), &[], |module| without_calls(module, forced_failures));
        assert_eq!(bodies, 1);
    }
}

#[test]
fn a_loop_of_many_paths_gets_a_loop_without_what_is_not_taken() {
    let program = station(5_000, 2_000);
    let expected = adapted(TierChoice::Optimized, None, &program).0;
    assert!(expected.contains(" 96 "), "the untaken block is taken in the end: {expected}");
    let formed = |without: Parts| {
        let (found, events) = adapted(TierChoice::Auto, Some(counted(without)), &program);
        assert_eq!(found, expected);
        let formed = events.into_iter().filter_map(|event| match event.what {
            What::TraceFormed(formed) => Some((formed.layout, formed.source, formed.form())),
            _ => None,
        });
        formed.collect::<Vec<_>>()
    };
    let form = "the loop without its untaken blocks".to_owned();
    assert_eq!(formed(Parts::NONE), [(Layout::Graph, TraceSource::Tfp, form)]);
    assert_eq!(formed([Part::Tfp].into_iter().collect()), []);
}
