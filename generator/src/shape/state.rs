//! State machines whose state is in memory: in a field, or in an element of an array.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

/// Places of a state, of two records `m` and `o`, and of an array `a`.
const PLACES: &[&str] = &["m.state", "m.small", "a[0]", "a[at]", "b[1]"];

/// Dispatches by the state. `$place$` is where it is, `$step$` a number by which it moves on.
const DISPATCHES: &[&str] = &[
    "
        if $place$ == 0 {
            count += $value$ & 15
            if i % $period$ == $step$ { $place$ = 1 }
        } else if $place$ == 1 {
            count ^= i
            if $test$ { $place$ = 2 }
        } else {
            $place$ = 0
        }",
    "
        match $place$ {
            0 => { count += i; if count % $period$ == 1 { $place$ = 2 } }
            1 => { count ^= $value$ }
            2 => { count -= 3; if $test$ && i % $period$ == 0 { $place$ = $step$ } }
            _ => { $place$ = 0; count += 100 }
        }",
    "
        let now = $place$
        if i % $period$ == 0 { $place$ = if now == 0 { 1 } else { 0 } }
        if now == 0 { count += $value$ & 3 } else { count *= 3 }
        if $place$ != now { count += 7 }",
];

/// Ways in which the state may change beside the dispatch: through another name, in a callee, or not at all.
const DISTURBANCES: &[&str] = &[
    "",
    "count &= 0xff_ffff",
    "if i % 13 == 5 { o.state = i & 3 }",
    "o.state = 1",
    "if i % 17 == 3 { a[i & 1] = $step$ }",
    "b[i % 3] = 2",
    "if i % 9 == 2 { $poke$(o, a, i) }",
    "count += $poke$(m, b, count) & 1",
    "if i % 21 == 20 { fill(a, $step$) }",
    "o.small += 1",
];

impl Gen {
    /// A machine with its state in memory, which other names may change too. Some runs of it end in a failure.
    pub(super) fn memory_machine(&mut self) -> Shape {
        let (record, poke, name) = (self.fresh_named("Machine"), self.fresh_named("poke"), self.fresh_named("operate"));
        let n = self.rounds(20, 400);
        let vars = [("i", Ty::Int), ("count", Ty::Int)];
        let (value, test) = (self.hole(&Ty::Int, &vars, 2), self.test_hole(&vars, 2));
        let (period, step) = (self.number(2, 40), self.number(0, 3));
        let place = *self.rng.pick(PLACES);
        let dispatch = *self.rng.pick(DISPATCHES);
        let (first, second) = (*self.rng.pick(DISTURBANCES), *self.rng.pick(DISTURBANCES));
        let body = format!("{first}{dispatch}\n        {second}")
            .replace("$place$", place)
            .replace("$value$", &value)
            .replace("$test$", &test)
            .replace("$period$", &period)
            .replace("$step$", &step)
            .replace("$poke$", &poke);
        let text = Self::fill(
            "
struct $record$ { state: int, small: byte, next: int }

fn $poke$(m: $record$, a: [int], x: int) -> int {
    match x & 7 {
        0 => { m.state = x >> 3 & 3 }
        1 => { m.small = x }
        2 => { a[x >> 3 & 1] = x >> 4 & 3 }
        _ => { m.next += 1 }
    }
    return m.next
}

fn $name$(m: $record$, o: $record$, a: [int], b: [int], at: int, n: int) -> int {
    var count = 1
    for i in 0..n {
        $body$
    }
    return count
}
",
            &[("record", record.clone()), ("poke", poke), ("name", name.clone()), ("body", body)],
        );
        let (m, o, a, b) =
            (self.fresh_named("m"), self.fresh_named("o"), self.fresh_named("states"), self.fresh_named("others"));
        let other = if self.rng.chance(40) { m.clone() } else { format!("{record}(state: 0, small: 255, next: 3)") };
        let others = if self.rng.chance(40) { a.clone() } else { "[0, 1, 2]".to_owned() };
        let last = if self.rng.chance(15) { 3 } else { 1 };
        let at = self.rng.range(0, last);
        let states = if self.rng.chance(90) { "[0, 0, 0]" } else { "[0]" };
        let driver = format!(
            "let {m} = {record}(state: 0, small: 0, next: 0)\nlet {o} = {other}\nlet {a} = {states}\nlet {b} = {others}\n\
             try {{\n    print(\"operated\", {name}({m}, {o}, {a}, {b}, {at}, {n}))\n}} catch why {{\n    \
             print(\"stopped\", why)\n}}\nprint({m}, {o}, {a}, {b})"
        );
        Shape { items: vec![text], driver, cost: (n * 70) as u64 + 100 }
    }
}
