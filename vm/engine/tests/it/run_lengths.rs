//! Paths that last for 20 to 128 iterations get traces after a phase of much longer runs, whose trace failed.
//!
//! In: a program with these phases. Out: a failed test if the second phase gets no traces of all its paths, or the output differs. Invariant: nothing
//! depends on time.

use super::common::versions_with_traces;

const PHASES: &str = "
struct State { a: int, b: int, c: int, d: int, n: int, top: int }
var seed = 7
fn rnd(m: int) -> int {
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return (seed >> 8) % m
}
fn modes(n: int, least: int, most: int) -> [int] {
    let all = [0; n]
    var mode = 0
    var left = 0
    for i in 0..n {
        if left == 0 {
            mode = (mode + 1 + rnd(3)) % 4
            left = least + rnd(most - least + 1)
        }
        left -= 1
        all[i] = mode
    }
    return all
}
fn rare(s: State, x: int) {
    s.n = 0
    s.top = if s.a > s.b { s.a & 1023 } else { s.b & 1023 }
    s.c = s.c ^ x
    if s.d > 1000000 { s.d = s.d % 1000 }
    if s.c > 1000000 { s.c = s.c % 1000 }
    if s.a > 1000000 { s.a = s.a % 1000 }
    if s.b > 1000000 { s.b = s.b % 1000 }
}
fn work(modes: [int], data: [int], s: State, rounds: int) -> int {
    for r in 0..rounds {
        for i in 0..len(modes) {
            let x = data[i & 1023]
            s.n += 1
            if s.n > 2000 { rare(s, x) }
            let m = modes[i]
            if m == 0 { s.a += x; s.b = s.b ^ s.a }
            else if m == 1 { s.b += x * 3; s.c -= s.b & 15 }
            else if m == 2 { s.c = s.c ^ (x << 2); s.a += s.c & 7 }
            else { s.a = s.a ^ s.b; s.b += x & s.c }
            s.c += s.a & 3
            s.d += (s.c & s.top) + x / (m + 1)
        }
    }
    return s.a + s.b * 3 + s.c * 7 + s.d
}
fn main() {
    let data = [0; 1024]
    for i in 0..1024 { data[i] = rnd(1000) }
    let s = State(a: 1, b: 2, c: 3, d: 4, n: 0, top: 255)
    let long = modes(1 << 16, 30000, 60000)
    let short = modes(1 << 16, 20, 128)
    print(work(long, data, s, 50))
    print(work(short, data, s, 240))
}
";

#[test]
fn runs_of_some_tens_of_iterations_get_traces_after_much_longer_ones() {
    assert_eq!(versions_with_traces(PHASES), ["2 traces", "GuardsFail, then K 1024", "4 traces"]);
}
