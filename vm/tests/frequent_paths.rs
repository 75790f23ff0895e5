//! A loop whose paths alternate gets a loop of the frequent ones, and the program does what it did.
//!
//! In: a program with such a loop, of which a call is hardly ever reached. Out: a failed test if no such loop is formed, or the output differs.
//! Invariant: nothing depends on time.

use super::common::{adapted, counted};
use crate::TierChoice;
use crate::adaptive::Parts;
use crate::adaptive::event::What;
use holloway_jit::trace::Layout;

const MIXER: &str = "
struct Channel { mode: int, left: int, level: int, step: int, phase: int, low: int, a: int, b: int, e: int, f: int }
var seed = 7
fn rnd(m: int) -> int {
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return (seed >> 8) % m
}
fn change(c: Channel) {
    c.mode = rnd(3)
    c.left = 2000 + rnd(3000)
    c.level = 64 + rnd(192)
    c.step = 40 + rnd(400)
    c.a += 1
    c.b += 2
    c.e -= 3
    c.f = c.a ^ c.b
    if c.level % 7 == 0 { c.low = 0 }
    if c.step % 5 == 0 { c.phase = c.phase ^ 77 }
}
fn mix(c: Channel, wave: [int], out: [int]) {
    for t in 0..len(out) {
        if c.left == 0 { change(c) }
        c.left -= 1
        c.phase = (c.phase * 25173 + 13849) & 0xFFFF
        var x = wave[c.phase >> 12]
        if x & 3 == 0 { c.low += (x - c.low) * c.level >> 8; x = c.low }
        else if x & 3 == 1 { x = x * c.level >> 8 }
        else if x & 3 == 2 { c.low -= x & c.level; x += c.step }
        else { x = x ^ c.level + c.step }
        out[t] += x + c.level + c.mode + c.a ^ c.b + c.e ^ c.f
    }
}
fn main() {
    let wave = [0; 16]
    for i in 0..16 { wave[i] = rnd(100000) }
    let out = [0; 4096]
    let c = Channel(mode: 0, left: 0, level: 0, step: 0, phase: 0, low: 0, a: 1, b: 2, e: 3, f: 4)
    for i in 0..1500 { mix(c, wave, out) }
    var sum = 0
    for i in 0..len(out) { sum = sum * 31 + out[i] }
    print(sum)
}
";

#[test]
fn paths_that_alternate_get_a_loop_without_what_is_not_taken() {
    let (found, events) = adapted(TierChoice::Auto, Some(counted(Parts::NONE)), MIXER);
    assert_eq!(found, adapted(TierChoice::Optimized, None, MIXER).0);
    let formed = events.iter().filter_map(|event| match &event.what {
        What::TraceFormed(formed) => Some((formed.layout, formed.traces)),
        _ => None,
    });
    assert_eq!(formed.collect::<Vec<_>>(), [(Layout::Graph, 4)]);
}
