//! Functions of data that grows: lists, dicts, sets, tuples, enums, optionals of numbers, closures, generic functions,
//! patterns and formatted strings.
//!
//! In: a seed. Out: definitions and a statement that calls them, to stand before the rest of a program. Invariants: they
//! name nothing of the rest, nor does the rest name them; their choices do not change those of the rest; each call ends
//! after some thousand operations, since what grows is cut where loops could meet it again; no function has very many paths.

use crate::lines::Lines;
use crate::rng::Rng;

/// One in so many programs has such functions.
const ONE_IN: u64 = 3;
/// The definitions that every such function may use.
const SHARED: &str = "\
enum Grown { Nothing, One(int), Two(str, int), Nest(Grown, (int, bool)), Empty }
enum Side { Left, Right, Middle }
struct Held[T] { value: T, more: list[T] }
fn grown_weight(g: Grown) -> int {
    return match g {
        Nothing => 1
        One(n) if n > 100 => n / 2
        One(0 | 1 | 2) => 7
        One(n) => n
        Two(\"a\" | \"bb\", n) => n * 3
        Two(s, n) => n + len(s)
        Nest(One(n), (m, true)) => n - m
        Nest(inner, (m, _)) => grown_weight(inner) * 3 + m
        Empty => 0
    }
}
fn grown_pick[T](xs: list[T], at: int, other: T) -> T { return if at >= 0 && at < len(xs) { xs[at] } else { other } }
fn grown_twice[T](f: fn(T) -> T, x: T) -> T { return f(f(x)) }
fn grown_held[T](x: T, y: T) -> Held[T] { return Held(value: x, more: list(y, x)) }
fn grown_adder(by: int) -> fn(int) -> int {
    var calls = by
    return fn(x: int) -> int {
        calls += 1
        return x + calls
    }
}
fn grown_trim(xs: list[int], d: dict[int, int], words: list[str]) {
    if len(xs) > 24 { xs.clear() }
    if len(d) > 24 { d.clear() }
    if len(words) > 24 || words.any(fn(w) => len(w) > 40) { words.clear() }
}
fn grown_or(o: int?, other: int) -> int { return match o { none => other, x => x & 15 } }
fn grown_side(n: int) -> Side { return match n & 3 { 0 => Side.Left, 1 => Side.Right, _ => Side.Middle } }
";

/// The pieces of a program of that seed, if it has some: definitions, then a statement.
pub(crate) fn pieces(seed: u64) -> Vec<String> {
    if !seed.is_multiple_of(ONE_IN) {
        return Vec::new();
    }
    let mut writer = Writer { rng: Rng::new(seed ^ 0x6772_6f77), out: Lines::default(), names: 0 };
    let function = writer.function();
    let rounds = writer.rng.range(2, 30);
    let driver = format!(
        "var grown_total = 0\nfor turn in 0..{rounds} {{ grown_total = grown_total * 31 + grown(turn) }}\nprint(\"grown\", grown_total)\n"
    );
    vec![SHARED.to_owned(), function, driver]
}

struct Writer {
    rng: Rng,
    out: Lines,
    names: u32,
}

impl Writer {
    fn function(&mut self) -> String {
        self.out.open("fn grown(turn: int) -> int {");
        for line in [
            "var n = turn",
            "let xs: list[int] = list(turn, 3, 1)",
            "let words = list(\"a\", \"bb\", f\"w{turn}\")",
            "let d: dict[int, int] = dict(turn: 1, 2: 5)",
            "let counts: dict[str, int] = dict()",
            "let kinds: dict[(int, Side), Grown] = dict()",
            "let seen: set[int] = set()",
            "var t = (turn, \"t\", turn % 2 == 0)",
            "var o: int? = if turn % 3 == 0 { none } else { turn }",
            "var p: float? = none",
            "var g = Grown.One(turn)",
            "var f = fn(x: int) -> int => x * 3 + n",
            "let add = grown_adder(turn & 7)",
        ] {
            self.out.line(line);
        }
        for _ in 0..self.rng.range(4, 12) {
            self.statement(2);
        }
        for line in [
            "n = n * 5 + xs.fold(0, fn(a, b) => a * 7 + b)",
            "for (k, v) in d { n = n * 3 + k * v }",
            "for (word, count) in counts { n = n * 3 + len(word) + count }",
            "for ((k, side), v) in kinds { n += k + grown_weight(v) + if side == Side.Left { 1 } else { 2 } }",
            "for x in seen { n ^= x }",
            "n += t.0 + len(words) + grown_weight(g) + f(2) + grown_or(o, 3)",
            "if turn < 2 { print(xs, words, d, counts, kinds, seen, t, o, p, g) }",
            "return n",
        ] {
            self.out.line(line);
        }
        self.out.close();
        self.out.take()
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// An `int` that is not large.
    fn int(&mut self) -> String {
        let small = self.rng.range(-3, 12);
        match self.rng.below(14) {
            0..=4 => small.to_string(),
            5 => "n & 63".to_owned(),
            6 => "len(xs)".to_owned(),
            7 => "t.0".to_owned(),
            8 => "turn".to_owned(),
            9 => format!("grown_pick(xs, {small}, 5)"),
            10 => format!("d.get({small}, 4)"),
            11 => "grown_or(o, 9)".to_owned(),
            12 => format!("(f({small}) & 31)"),
            _ => "(grown_weight(g) & 31)".to_owned(),
        }
    }

    fn word(&mut self) -> String {
        let int = self.int();
        match self.rng.below(6) {
            0 => "\"bb\"".to_owned(),
            1 => "t.1".to_owned(),
            2 => format!("f\"k{{{int}}}\""),
            3 => format!("f\"{{{int}:>4}}|{{t.1:<3}}\""),
            4 => format!("grown_pick(words, {int}, \"other\")"),
            _ => format!("str({int}).repeat(2)"),
        }
    }

    fn grown(&mut self) -> String {
        let (int, word) = (self.int(), self.word());
        match self.rng.below(6) {
            0 => "Grown.Nothing".to_owned(),
            1 => "Grown.Empty".to_owned(),
            2 => format!("Grown.One({int})"),
            3 => format!("Grown.Two({word}, {int})"),
            4 => format!("Grown.Nest(Grown.One({int}), ({int}, t.2))"),
            _ => "(match g { Nest(inner, _) => inner, other => Grown.Nest(other, (1, true)) })".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.int(), self.int());
        match self.rng.below(8) {
            0 => format!("{a} < {b}"),
            1 => format!("xs.contains({a})"),
            2 => format!("d.contains({a})"),
            3 => format!("seen.contains({a})"),
            4 => "t < (n & 7, \"m\", true)".to_owned(),
            5 => format!("o == {a}"),
            6 => format!("g == {}", self.grown()),
            _ => format!("grown_side({a}) == Side.Right"),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 20 } else { 30 }) {
            0..=19 => {
                let line = self.simple();
                self.out.line(&line);
            }
            20 | 21 => {
                let cond = self.condition();
                self.block(&format!("if {cond} {{"), depth, true);
            }
            22 => {
                let x = self.fresh("x");
                self.block(&format!("for {x} in xs {{"), depth, true);
            }
            23 => {
                let (k, v) = (self.fresh("k"), self.fresh("v"));
                self.block(&format!("for ({k}, {v}) in d {{"), depth, false);
            }
            24 => {
                let (i, x) = (self.fresh("i"), self.fresh("x"));
                self.block(&format!("for ({i}, {x}) in words.enumerate() {{"), depth, true);
            }
            25 => self.popping(depth),
            26 => {
                let x = self.fresh("x");
                self.block(&format!("if let {x} = o {{"), depth, true);
            }
            27 => {
                let x = self.fresh("x");
                self.block(&format!("if let One({x}) = g {{"), depth, true);
            }
            28 => self.failing(),
            _ => {
                let (i, trips) = (self.fresh("i"), self.rng.range(2, 9));
                self.block(&format!("for {i} in 0..{trips} {{"), depth, true);
            }
        }
        self.out.line("grown_trim(xs, d, words)");
    }

    /// A block of statements that may stand in a loop; `removes` from `d` unless it is a loop over it, which would go on
    /// to keys that come again behind the others.
    fn block(&mut self, head: &str, depth: u32, removes: bool) {
        self.out.open(head);
        self.out.line("if n > 1_000_000 { n = n & 4095 }");
        for _ in 0..self.rng.range(1, 3) {
            let line = self.steady(removes);
            self.out.line(&line);
            if depth > 1 && self.rng.chance(30) {
                let cond = self.condition();
                self.out.open(&format!("if {cond} {{"));
                let line = self.steady(removes);
                self.out.line(&line);
                self.out.close();
            }
        }
        self.out.close();
    }

    /// A statement by which nothing grows without end, however often it is executed.
    fn steady(&mut self, removes: bool) -> String {
        let (int, word) = (self.int(), self.word());
        match self.rng.below(12) {
            0 => format!("n = n * 3 + {int}"),
            1 => format!("d[{int} & 15] = n & 255"),
            2 if removes => format!("d.remove({int})"),
            2 => format!("n -= {int}"),
            3 => format!("seen.add({int})"),
            4 => format!("if len(xs) < 20 {{ xs.push({int}) }}"),
            5 => format!("counts[{word}.lower()[..1]] = counts.get({word}[..1], 0) + 1"),
            6 => format!("o = if n & 1 == 0 {{ {int} }} else {{ none }}"),
            7 => format!("t = ({int}, t.1, !t.2)"),
            8 => format!("g = Grown.One({int})"),
            9 => format!("n += add({int})"),
            10 => format!("kinds[({int} & 3, grown_side(n))] = g"),
            _ => format!("n ^= grown_twice(fn(x) => x * 2 + {int}, 3)"),
        }
    }

    fn simple(&mut self) -> String {
        let (int, other, word) = (self.int(), self.int(), self.word());
        let grown = self.grown();
        let name = self.fresh("y");
        match self.rng.below(30) {
            0 => format!("xs.push({int})"),
            1 => format!("xs.insert(len(xs) / 2, {int})"),
            2 => format!("let {name} = xs.pop()\nif {name} != none {{ n += {name}! }}"),
            3 => "xs.sort()".to_owned(),
            4 => "xs.reverse()".to_owned(),
            5 => format!("xs.sort_by(fn(x) => (x & 3, -x + {int}))"),
            6 => format!("xs.extend(xs.map(fn(x) => x ^ {int}).filter(fn(x) => x % 2 == 0))"),
            7 => format!("let {name} = xs[len(xs) / 2..]\nn += len({name}) + {name}.sum()"),
            8 => format!("words.push({word})"),
            9 => "words.sort()".to_owned(),
            10 => format!("n += len(words.join({word}))"),
            11 => format!("d[{int}] = {other}"),
            12 => format!("if d.contains({int}) {{ d[{int}] += {other} }}"),
            13 => format!("counts[{word}] = {int}"),
            14 => format!("kinds[({int} & 7, grown_side({other}))] = {grown}"),
            15 => format!("n += int(seen.add({int})) + int(seen.remove({other}))"),
            16 => format!("t = ({int}, {word}, !t.2)"),
            17 => format!(
                "var ({name}, other_{name}) = ({int}, {other})\n({name}, other_{name}) = (other_{name}, {name})\nn += {name} * 2 - other_{name}"
            ),
            18 => format!("o = parse_int({word})"),
            19 => format!("p = if {} {{ 1.5 }} else {{ none }}", self.condition()),
            20 => format!("g = {grown}"),
            // The closure would call itself without end.
            21 if int.contains("f(") => format!("n -= {int}"),
            21 => format!("let {name} = n\nf = fn(x: int) -> int => x + {name} * {int}"),
            22 => format!("n += add({int})"),
            23 => format!("let {name} = grown_held({int}, {other})\nn += {name}.value + len({name}.more)"),
            24 => {
                format!("let {name} = grown_held({word}, \"z\")\nn += len({name}.value) + len({name}.more.join(\"-\"))")
            }
            25 => format!("let {name} = xs.zip(words)\nfor (x, w) in {name} {{ n = n * 2 + x + len(w) }}"),
            26 => format!("n += int(equal(xs, xs[..])) + int(equal(t, (t.0, t.1, t.2))) + int(equal(g, {grown}))"),
            27 => format!("if let best = xs.max_by(fn(x) => x * {int}) {{ n += best }}"),
            28 => format!("n += {word}.split(\"|\").map(fn(w) => len(w.trim())).sum()"),
            _ => format!("n = n * 7 + {int}"),
        }
    }

    fn popping(&mut self, depth: u32) {
        let x = self.fresh("x");
        self.out.open(&format!("while let {x} = xs.pop() {{"));
        self.out.line(&format!("n = n * 3 + {x}"));
        if depth > 1 {
            self.out.line(&format!("if {x} & 3 == 2 {{ break }}"));
        }
        self.out.line("d.remove(n & 15)");
        self.out.close();
    }

    /// A failure that is caught, or not one.
    fn failing(&mut self) {
        let (int, word) = (self.int(), self.word());
        let e = self.fresh("e");
        self.out.open("try {");
        let line = match self.rng.below(6) {
            0 => format!("n += xs[{int}]"),
            1 => format!("n += d[{int}]"),
            2 => format!("n += counts[{word}]"),
            3 => format!("xs[{int}] = n & 15"),
            4 => format!("n += xs.remove({int})"),
            _ => format!("n += len(xs[1..{int}])"),
        };
        self.out.line(&line);
        self.out.next(&format!("}} catch {e} {{"));
        self.out.line(&format!("n += len({e})"));
        self.out.close();
    }
}
