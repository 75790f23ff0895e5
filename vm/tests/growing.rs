//! Guards of traces that fail more often as a program goes on: an exit that becomes hot gets a trace of its own, and a version that is entered in the
//! middle of a nest sees its guards fail too.
//!
//! In: programs whose paths change. Out: a failed test if the versions are not left for it, or the output differs. Invariant: nothing depends on time.

use super::common::versions_with_traces;

/// A machine whose program has a branch by data: never taken for a while, and then half of the times.
const MACHINE: &str = "
fn execute(code: [int], data: [int], rounds: int) -> int {
    var pc = 0
    var a = 1
    var b = 2
    var n = 0
    var left = rounds
    while true {
        match code[pc] {
            0 => { a = (a + data[n & 4095] * 3) & 0xFFFFF; n += 1; pc += 1 }
            1 => { if data[n & 4095] == 0 { pc += 1 } else { pc += 2 } }
            2 => { b = b ^ a; pc += 2 }
            3 => { b = (b + a * 7) & 0xFFFFF; pc += 1 }
            4 => { left -= 1; if left > 0 { pc = 0 } else { pc += 1 } }
            5 => { a = a ^ b; pc += 1 }
            6 => { return a + b }
            _ => { pc = 0 }
        }
    }
    return 0
}
fn filled(others: int) -> [int] {
    let all = [0; 4096]
    var seed = 7
    for i in 0..4096 {
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        if (seed >> 8) % 100 < others { all[i] = 1 }
    }
    return all
}
fn main() {
    let code = [0, 1, 2, 3, 4, 6]
    let never = filled(0)
    let often = filled(50)
    var s = 0
    for r in 0..20 { s += execute(code, never, 100000) }
    for r in 0..20 { s += execute(code, often, 100000) }
    print(s)
}
";

/// A loop around another that takes one path for the first half of its only execution, and then the other.
const ONCE: &str = "
struct State { a: int, b: int, c: int, d: int, n: int, top: int }
fn rare(s: State, x: int) {
    s.n = 0
    s.top = if s.a > s.b { s.a & 1023 } else { s.b & 1023 }
    s.c = s.c ^ x
    if s.d > 1000000 { s.d = s.d % 1000 }
    if s.a > 1000000 { s.a = s.a % 1000 }
}
fn work(modes: [int], data: [int], s: State, n: int) -> int {
    for r in 0..1 {
        for i in 0..n {
            let x = data[i & 1023]
            s.n += 1
            if s.n > 2000 { rare(s, x) }
            let m = modes[i >> 12]
            if m == 0 { s.a += x; s.b = s.b ^ s.a }
            else if m == 1 { s.b += x * 3; s.c -= s.b & 15 }
            else { s.a = s.a ^ s.b; s.b += x & s.c }
            s.c += s.a & 3
            s.d += s.c & s.top
        }
    }
    return s.a + s.b * 3 + s.c * 7 + s.d
}
fn main() {
    let data = [0; 1024]
    for i in 0..1024 { data[i] = i * 7 % 101 }
    let modes = [0; 2048]
    for i in 1024..2048 { modes[i] = 1 }
    let s = State(a: 1, b: 2, c: 3, d: 4, n: 0, top: 255)
    print(work(modes, data, s, 2048 << 12))
}
";

#[test]
fn an_exit_that_becomes_hot_gets_a_trace_of_its_own() {
    assert_eq!(versions_with_traces(MACHINE), ["1 traces", "ExitHot, then K 1024", "3 traces"]);
}

#[test]
fn guards_are_counted_where_a_version_is_entered_in_a_nest() {
    assert_eq!(versions_with_traces(ONCE), ["1 traces", "GuardsFail, then K 2048", "1 traces"]);
}
