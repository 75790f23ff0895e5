//! Random sessions of the REPL: definitions that replace others, runs between them, failures and interrupts.
//!
//! In: a seed, and about how many iterations a run makes. Out: inputs in order. The same ones always give the same session.
//! Invariants: every input ends, but that a run of `forever` has to be stopped when it passes a piece of output on; nothing but where that is noticed
//! differs between tiers then. Some inputs are refused, and some fail.

use crate::rng::Rng;

/// Returns the inputs of a session.
pub fn session(seed: u64, iterations: u64) -> Vec<String> {
    let mut session = Session { rng: Rng::new(seed), iterations: iterations as i64, inputs: Vec::new() };
    session.begin();
    for _ in 0..session.rng.range(8, 20) {
        session.input();
        if session.rng.chance(50) {
            session.run();
        }
    }
    session.inputs
}

/// Conditions on what a loop counts, and on a sum.
const CONDITIONS: [&str; 8] = [
    "i % 3 == 0",
    "i & 1 == 0",
    "i % 7 < 2",
    "i % 4 == 1 || i % 9 == 2",
    "s & 1 == 0",
    "i % 50 == 49",
    "i > 100000000",
    "i & 64 == 0",
];

/// A text of 64 KiB, which is passed on as it is printed.
const BIG: &str = "fn double(s: str) -> str { return s + s }
fn text() -> str {
    var s = \"0123456789abcdef\"
    for k in 0..12 { s = double(s) }
    return s
}
let big = text()";

struct Session {
    rng: Rng,
    /// Of one run.
    iterations: i64,
    inputs: Vec<String>,
}

impl Session {
    /// Defines everything for the first time.
    fn begin(&mut self) {
        let first = [self.table(), self.counter(), self.get(), self.record(), self.sum(), self.nest(), BIG.to_owned()];
        self.inputs.extend(first);
        let forever = self.forever();
        self.inputs.push(forever);
        self.run();
    }

    fn input(&mut self) {
        let text = match self.rng.below(14) {
            0 | 1 => self.table(),
            2 => self.counter(),
            3..6 => self.get(),
            6 | 7 => self.record(),
            8 | 9 => self.sum(),
            10 | 11 => self.nest(),
            12 => self.forever(),
            // Refused, as callers do not fit; or it fails, and what it replaced is back.
            _ => (*self.rng.pick(&[
                "fn get(z: str) -> str { return z }",
                "fn sum(n: int) -> int { return unknown(n) }",
                "struct P { x: str }",
                "let t = [1 / (g - g)]",
                "var g = sum(10) / (g - g)",
                "fn get(z: [int], i: int) -> int { return i }; let lost = [1][get(t, 7)]; fn late() -> int { return lost }",
            ]))
            .to_owned(),
        };
        self.inputs.push(text);
    }

    fn run(&mut self) {
        let n = self.rng.range(self.iterations / 5, self.iterations * 3 / 2);
        let text = match self.rng.below(12) {
            0..4 => format!("sum({n})"),
            4..7 => format!("nest({n})"),
            7 => format!("print(sum({n}), nest({}))", n / 2),
            8 => format!("for r in 0..3 {{ g += sum({} + r) }}; g", n / 3),
            9 => format!("try {{ print(sum(-{n})) }} catch e {{ print(\"caught\", e, g) }}"),
            10 => format!("nest(-{n})"),
            _ => format!("forever({}, big)", self.rng.range(0, 9)),
        };
        self.inputs.push(text);
    }

    fn condition(&mut self) -> &'static str {
        self.rng.pick::<&str>(&CONDITIONS)
    }

    fn table(&mut self) -> String {
        let length = *self.rng.pick(&[4, 4, 8]);
        let elements: Vec<String> = (0..length).map(|_| self.rng.range(0, 9).to_string()).collect();
        format!("{} t = [{}]", self.rng.pick(&["let", "var"]), elements.join(", "))
    }

    fn counter(&mut self) -> String {
        format!("var g = {}", self.rng.range(0, 99))
    }

    /// The function that the loops call.
    fn get(&mut self) -> String {
        let (mask, cond) = (self.rng.pick(&[1, 3]).to_owned(), self.condition().replace('s', "z[0]"));
        let body = match self.rng.below(5) {
            0 => format!("return z[i & {mask}]"),
            1 => format!("return z[i & {mask}] + len(z)"),
            2 => format!("if {cond} {{ return z[i & {mask}] }}; return i & 15"),
            3 => format!("g = g * 3 + i & 1023; return z[g & {mask}]"),
            _ => format!("var k = i & 7; while k > 3 {{ k -= 2 }}; return z[k & {mask}] * 2"),
        };
        format!("fn get(z: [int], i: int) -> int {{ {body} }}")
    }

    /// A struct with the functions that name it; values of the one before stay what they are.
    fn record(&mut self) -> String {
        let (more, last) = *self.rng.pick(&[("", ""), (", ok: bool", ", ok: n > 3"), (", next: P?", ", next: none")]);
        let (cond, y) = (self.condition().replace(['s', 'i'], "n"), self.rng.range(1, 9));
        format!(
            "struct P {{ x: int, y: int{more} }}
fn make(n: int) -> P {{ return P(x: n, y: n % {y}{last}) }}
fn weigh(n: int) -> int {{ let p = make(n); if {cond} {{ p.x += p.y }}; return p.x ^ p.y }}"
        )
    }

    /// A loop with branches that are taken in turns, which fails for what is negative.
    fn sum(&mut self) -> String {
        let (first, second, start) = (self.condition(), self.condition(), self.rng.range(0, 9));
        let other = *self.rng.pick(&["s = s * 5 - t[i & 1]", "s ^= get(t, i + 1)", "s -= weigh(i)", "g += s & 3"]);
        format!(
            "fn sum(n: int) -> int {{
    var s = {start}
    for i in 0..max(n, -n) {{
        if {first} {{ s += get(t, i) }} else {{ {other} }}
        if {second} {{ s += 1 }}
        if n < 0 && i > 500 {{ s += t[s & 7 | 8] }}
    }}
    return s
}}"
        )
    }

    /// A nest of loops, which fails for what is negative.
    fn nest(&mut self) -> String {
        let (first, trips) = (self.condition(), self.rng.range(2, 6));
        let inner = *self.rng.pick(&["s = s * 3 + weigh(k)", "s += get(t, k + i)", "s ^= k * i", "s += sum(k)"]);
        format!(
            "fn nest(n: int) -> int {{
    var s = 0
    var i = 0
    while i < max(n, -n) / {trips} {{
        i += 1
        for k in 0..{trips} {{ {inner} }}
        if {first} {{ s ^= i }}
        if n < 0 && i == 300 {{ fail \"negative\" }}
    }}
    return s
}}"
        )
    }

    /// A loop that does not end, and changes nothing that is left of it.
    fn forever(&mut self) -> String {
        let (first, last) = (self.condition(), self.rng.range(300, 900));
        let inner = *self.rng.pick(&["s += i", "for k in 0..9 { s ^= k * i }", "s -= weigh(i)"]);
        format!(
            "fn forever(n: int, big: str) -> int {{
    var s = n
    var i = 0
    loop {{
        i += 1
        if {first} {{ {inner} }}
        if i == {last} {{ print(big) }}
        if s == 99999999999 {{ break }}
    }}
    return s
}}"
        )
    }
}
