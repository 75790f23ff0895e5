//! Programs about loops and the ends of their ranges, which random programs seldom get to.
//!
//! In: a seed. Out: a program whose function has a loop over arrays, with calls of it whose operands let indices end just in
//! range and just behind, and counters get close to where they wrap. Failures are caught by the caller, so that the function
//! itself is optimized as loops without handlers are.

use super::Random;
use std::fmt::Write as _;

/// Statements that a loop executes in an iteration.
const BODIES: &[&str] = &[
    "s += a[i]",
    "s += a[i] * a[i + 1]",
    "s += a[i * w + v]",
    "b[v + i * w] += 3",
    "s += a[v - i]",
    "b[i - from] = s",
    "b[i] += s",
    "s ^= a[i & 7]",
    "a[v] = a[v] + i",
    "a[v] += b[i]",
    "g += s",
    "g = g * 3 + i",
    "s = s / w + i",
    "s += i % w",
    "if s > i { s -= 3 } else { s += a[i] }",
    "if a[i] > 3 && b[i] < s { s += 1 }",
    "if i == v { break }",
    "if a[i & 3] == w { return s }",
    "j += 2\n        s += a[j & 7] * j",
    "j += 1\n        s += a[j]",
    "j -= w\n        b[v] = j",
    "for k in 0..w { s += a[k] * i }",
    "for k in i..to { s += b[k] }",
    "p = P(x: p.y, y: s)",
    "p.x += i",
    "let q = P(x: s, y: i)\n        s += q.x - q.y",
    "s += call(i)",
    "s = if s < v { s + 1 } else { s ^ w }",
    "s += len(a) - i",
    "print(s)",
];

const LOOPS: &[&str] = &[
    "for i in from..to {\n        BODY\n    }",
    "for i in from..=to {\n        BODY\n    }",
    "for i in from..to step STEP {\n        BODY\n    }",
    "for i in to..from step -STEP {\n        BODY\n    }",
    "for i in 0..COUNT {\n        BODY\n    }",
    "for i in 0..len(a) {\n        BODY\n    }",
    "var i = from\n    while i < to {\n        BODY\n        i += STEP\n    }",
    "var i = to\n    while i >= from {\n        BODY\n        i -= STEP\n    }",
    "var i = from\n    loop {\n        BODY\n        i += STEP\n        if i > to { break }\n    }",
];

/// Statements that read elements and fields.
const READS: &[&str] = &["s += a[i]", "s ^= b[i]", "s += a[i * 2] - b[i]", "a[i] += s", "s ^= x.x", "s += y.x - x.x"];

/// Statements that write what those may read, or something beside it.
const WRITES: &[&str] = &[
    "b[i] ^= i",
    "a[i + v] = s",
    "b[i + w] = s",
    "a[i - w] += 1",
    "b[i + 1] = s",
    "a[w - v + i] = s",
    "a[i * 2 + w] = i",
    "a[(i << 1) + 1] += s",
    "b[v - i] = 1",
    "if s > v { b[i + v] = s } else { a[i] += 1 }",
    "if s & 1 == 0 { a[i + w] = 1 }",
    "x.x += s",
    "y.x = i",
    "s += call(i)",
];

/// Statements that keep sums in fields, and arrays in others. The records may be one, and one of them none.
const KEEPS: &[&str] = &[
    "x.n += 1",
    "x.t = (x.t * 3 + i) & 0xffff",
    "if i & 1 == 0 { x.n += 1 } else { x.t ^= i }",
    "if a[i & 7] > 3 { x.b += 100 } else if x.ok { x.ok = false } else { x.k += 0.5 }",
    "x.t += a[i]",
    "y.n += x.n",
    "if i & 3 == 1 { y.b = x.t }",
    "if x.n > v { break }",
    "if i == v { z!.n += 1 }",
    "if let q = z { q.t += i }",
    "if i & 1 == 1 { if let q = z { s += q.n } } else { z!.t = s }",
    "x.xs[i] += x.t",
    "y.xs[i & 3] = x.ys[i]",
    "if x.t & 4 == 0 { x.xs[i] += 1; x.n += x.xs[0] }",
    "s += x.xs[i]\n        x.ys[i] = s\n        s += x.xs[i] * y.ys[i & 1]",
    "x.ys[w & 3] += x.xs[i]",
    "x.t = x.t / w",
    "if i == v { return x.n }",
    "for k in 0..w { x.n += k }",
    "for k in i..to { if k & 1 == 0 { x.t += 1 } else { y.t -= k } }",
    "s += call(i)",
    "if x.n & 7 == 1 { x.xs = y.ys }",
    "if i & 1 == 0 { x.z = z } else { x.z = y }",
    "if let q = x.z { q.n ^= i }",
    "print(x.n)",
    "s = x.n + x.t",
];

/// A program of that seed whose loop keeps sums in fields of records that it is passed.
pub(crate) fn keeping(seed: u64) -> String {
    let mut random = Random(seed ^ 0xf1e1d5);
    let mut pick = |of: usize| (random.next() % of as u64) as usize;
    let bodies: Vec<&str> = (0..1 + pick(4)).map(|_| KEEPS[pick(KEEPS.len())]).collect();
    let body = a_loop(&mut pick, &bodies);
    let mut out = format!(
        "{BEFORE}struct S {{ n: int, t: int, b: byte, ok: bool, k: float, xs: [int], ys: [int], z: S? }}
fn f(x: S, y: S, z: S?, a: [int], from: int, to: int, w: int, v: int) -> int {{
    var s = 1
    {body}
    return s + x.n - y.t
}}
fn show(x: S) {{ print(x.n, x.t, x.b, x.ok, x.k, x.xs, x.ys, x.z == x) }}
fn test(kind: int, len: int, from: int, to: int, w: int, v: int) {{
    // Longer than the range, so that most iterations end.
    var a = [5; len + 24]
    for i in 0..len {{ a[i] = i * 7 & 15 }}
    let xs = [1; len + 24]
    let ys = if kind & 4 == 0 {{ [2; len + 24] }} else {{ xs }}
    let x = S(n: 1, t: 2, b: 3, ok: true, k: 0.0, xs: xs, ys: ys, z: none)
    let y = if kind & 3 == 1 {{ x }} else {{ S(n: 4, t: 5, b: 6, ok: false, k: 1.0, xs: a, ys: [3; 4], z: none) }}
    var z: S? = y
    if kind & 3 == 2 {{ z = none }} else if kind & 3 == 3 {{ z = x }}
    try {{
        print(f(x, y, z, a, from, to, w, v), g)
    }} catch e {{
        print(e, g)
    }}
    show(x)
    show(y)
}}
fn main() {{\n"
    );
    for _ in 0..12 {
        let kind = pick(8);
        writeln!(out, "    test({kind}, {})", operands(&mut pick)).expect("strings take all text");
    }
    out.push_str("}\n");
    out
}

/// The program of that seed.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random(seed ^ 0x5eed);
    let mut pick = |of: usize| (random.next() % of as u64) as usize;
    let bodies: Vec<&str> = (0..1 + pick(3)).map(|_| BODIES[pick(BODIES.len())]).collect();
    let body = a_loop(&mut pick, &bodies);
    let mut out = format!(
        "{BEFORE}fn f(a: [int], b: [int], from: int, to: int, w: int, v: int) -> int {{
    var s = 1
    var j = 0
    var p = P(x: from, y: w)
    {body}
    return s + j + p.x - p.y
}}
fn test(len: int, from: int, to: int, w: int, v: int) {{
    var a = [5; len]
    var b = [0; len]
    for i in 0..len {{ a[i] = i * 7 & 15 }}
    try {{
        print(f(a, b, from, to, w, v), a, b, g)
    }} catch e {{
        print(e, a, b, g)
    }}
}}
fn main() {{\n"
    );
    for _ in 0..12 {
        writeln!(out, "    test({})", operands(&mut pick)).expect("strings take all text");
    }
    out.push_str("}\n");
    out
}

/// A program of that seed whose loop reads something again that it may have written. The arrays may be one, and so may the records.
pub(crate) fn rereading(seed: u64) -> String {
    let mut random = Random(seed ^ 0xacce55);
    let mut pick = |of: usize| (random.next() % of as u64) as usize;
    let read = READS[pick(READS.len())];
    let written = (0..1 + pick(3)).map(|_| WRITES[pick(WRITES.len())]);
    let bodies: Vec<&str> = std::iter::once(read).chain(written).collect();
    let bodies: Vec<&str> = bodies.into_iter().chain([read, READS[pick(READS.len())]]).collect();
    let body = a_loop(&mut pick, &bodies);
    let mut out = format!(
        "{BEFORE}fn f(a: [int], b: [int], from: int, to: int, w: int, v: int, x: P, y: P) -> int {{
    var s = 1
    {body}
    return s + x.x - y.y
}}
fn test(is_one: bool, len: int, from: int, to: int, w: int, v: int) {{
    // Longer than the range, so that most iterations end.
    var a = [5; len + 24]
    var b = if is_one {{ a }} else {{ [0; len + 24] }}
    for i in 0..len {{ a[i] = i * 7 & 15 }}
    let x = P(x: 2, y: 3)
    let y = if is_one {{ x }} else {{ P(x: 5, y: 7) }}
    try {{
        print(f(a, b, from, to, w, v, x, y), a, b, x, y, g)
    }} catch e {{
        print(e, a, b, x, y, g)
    }}
}}
fn main() {{\n"
    );
    for _ in 0..12 {
        let is_one = pick(3) == 0;
        writeln!(out, "    test({is_one}, {})", operands(&mut pick)).expect("strings take all text");
    }
    out.push_str("}\n");
    out
}

/// Declarations that the function refers to.
const BEFORE: &str = "struct P { x: int, y: int }
var g = 1
fn call(n: int) -> int {
    g ^= n
    return if n > 3 { call(n / 2) + 1 } else { n }
}
";

/// A loop that executes some statements.
fn a_loop(pick: &mut dyn FnMut(usize) -> usize, bodies: &[&str]) -> String {
    let step = ["1", "2", "3", "w"][pick(4)];
    let count = ["1", "3", "8", "12", "35"][pick(5)];
    let body = LOOPS[pick(LOOPS.len())].replace("BODY", &bodies.join("\n        "));
    body.replace("STEP", step).replace("COUNT", count)
}

/// The length of the arrays, the ends of the range and two more numbers.
fn operands(pick: &mut dyn FnMut(usize) -> usize) -> String {
    let len = [0, 1, 2, 7, 8, 9, 16][pick(7)] as i64;
    let near = |pick: &mut dyn FnMut(usize) -> usize, at: i64| at.wrapping_add(pick(4) as i64 - 2);
    let from = match pick(8) {
        0 => near(pick, len),
        1 => near(pick, i64::MAX - 6),
        2 => near(pick, i64::MIN + 6),
        _ => near(pick, 0),
    };
    let to = if pick(4) == 0 { near(pick, from.saturating_add(5)) } else { near(pick, len) };
    let to = if to.checked_sub(from).is_none_or(|way| way.abs() > 60) { near(pick, from) } else { to };
    let w = [0, 1, 1, 2, 3, -1, 1 << 31, i64::MAX, 1 << 61, 1 << 62][pick(10)];
    let v = if pick(6) == 0 { near(pick, i64::MAX) } else { near(pick, len / 2) };
    let number = |n: i64| if n == i64::MIN { "-9223372036854775807 - 1".to_owned() } else { n.to_string() };
    format!("{len}, {}, {}, {}, {}", number(from), number(to), number(w), number(v))
}
