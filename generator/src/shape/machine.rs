//! State machines, interpreters and loops that dispatch.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    /// A machine over the bytes of a text.
    pub(super) fn byte_machine(&mut self) -> Shape {
        let (name, passes) = (self.fresh_named("machine"), self.rounds(2, 25));
        let vars = [("state", Ty::Int), ("c", Ty::Int), ("count", Ty::Int)];
        let (value, test) = (self.hole(&Ty::Int, &vars, 2), self.test_hole(&vars, 2));
        let style = self.rng.chance(50);
        let dispatch = if style {
            "
        match state {
            0 => { if c >= 'a' && c <= 'z' { state = 1 } else if c >= '0' && c <= '9' { state = 2 } }
            1 => { if c == ' ' { state = 0; count += 1 } else if $test$ { state = 3 } }
            2 => { if c < '0' || c > '9' { state = 0 } else { count = count * 10 + c - '0' } }
            _ => { state = 0; count ^= $value$ }
        }"
        } else {
            "
        if state == 0 {
            if c == 'a' { state = 1; continue }
            if c == ' ' { continue }
            count += 1
        } else if state == 1 {
            state = if $test$ { 2 } else { 0 }
        } else {
            count += $value$ & 15
            state = match c { ' ' | '\\n' => 0, '0'..='9' => 2, 'a'..'n' => 1, _ => state }
        }"
        };
        let dispatch = dispatch.replace("$test$", &test).replace("$value$", &value);
        let text = Self::fill(
            "
fn $name$(text: str, passes: int) -> int {
    var state = 0
    var count = 0
    for r in 0..passes { for c in text {$dispatch$
    } }
    return count * 4 + state
}
",
            &[("name", name.clone()), ("dispatch", dispatch)],
        );
        let input =
            *self.rng.pick(&["a lane worn deep by 1024 feet\\n", "x1 y22 zz", "aaaa aaaa 9 9 9", "0b1 \\x00end"]);
        let driver = format!("print(\"machine\", {name}(\"{input}\", {passes}))");
        Shape { items: vec![text], driver, cost: (passes * 30 * 30) as u64 }
    }

    /// An interpreter for a few instructions.
    pub(super) fn bytecode(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("execute"), self.rounds(4, 90));
        let extra = self.hole(&Ty::Int, &[("a", Ty::Int), ("b", Ty::Int)], 2);
        let (one, two, three) = (self.number(1, 9), self.number(-7, 90), self.number(1, 5));
        let text = Self::fill(
            "
fn $name$(code: [int], reg: [int], fuel: int) -> int {
    var pc = 0
    for tick in 0..fuel {
        let op = code[pc]
        let x = code[pc + 1]
        let a = reg[code[pc + 2] & 7]
        let b = reg[code[pc + 3] & 7]
        pc += 4
        match op {
            0 => return reg[x]
            1 => { reg[x] = code[pc - 2] }
            2 => { reg[x] = a + b }
            3 => { reg[x] = a * b }
            4 => { reg[x] ^= $extra$ }
            5 => { if a < b { pc = x * 4 } }
            6 => { reg[x] = (a << 3) ^ (b >>> 2) }
            7..=9 => { pc = x * 4 }
            _ => fail \"bad instruction \" + str(op)
        }
    }
    return -1
}
",
            &[("name", name.clone()), ("extra", extra)],
        );
        let regs = self.fresh_named("regs");
        let bad = if self.rng.chance(15) { "99" } else { "0" };
        let code = format!(
            "1, 1, 0, 0, 1, 2, {one}, 0, 1, 3, {n}, 0, 1, 4, {two}, 0, 2, 1, 1, 2, 3, 4, 4, 1, 6, 5, 4, 5, \
             4, 5, 1, 4, 5, 4, 1, 3, {bad}, 5, 0, 0, {three}"
        );
        let driver = format!(
            "let {regs} = [0; 8]\ntry {{\n    print(\"ran\", {name}([{code}], {regs}, {}))\n}} catch why {{\n    \
             print(\"stopped\", why)\n}}\nprint({regs})",
            n * 6 + 20
        );
        Shape { items: vec![text], driver, cost: (n * 6 * 40) as u64 + 500 }
    }

    /// A dispatch table of functions.
    pub(super) fn dispatch(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("dispatch"), self.rounds(20, 400));
        let names: Vec<String> = (0..4).map(|_| self.fresh_named("rule")).collect();
        let mut items = Vec::new();
        for each in &names {
            let body = self.hole(&Ty::Int, &[("x", Ty::Int), ("k", Ty::Int)], 2);
            items.push(format!("fn {each}(x: int, k: int) -> int {{\n    return {body}\n}}\n"));
        }
        let pick = self.hole(&Ty::Int, &[("i", Ty::Int), ("x", Ty::Int)], 1);
        items.push(Self::fill(
            "
fn $name$(rules: [fn(int, int) -> int], n: int) -> int {
    var x = 1
    var same = 0
    var last: (fn(int, int) -> int)? = none
    for i in 0..n {
        let rule = rules[$pick$ & 3]
        x = (rule(x, i) & 0xffff_ffff) + 1
        if last == rule { same += 1 }
        last = if i % 5 == 0 { none } else { rule }
    }
    if let rule = last { x ^= rule(same, x) }
    return x * 100 + same
}
",
            &[("name", name.clone()), ("pick", pick)],
        ));
        let driver = format!("print(\"dispatch\", {name}([{}], {n}))", names.join(", "));
        Shape { items, driver, cost: (n * 60) as u64 }
    }

    /// Work that fails in some iterations and is retried.
    pub(super) fn retries(&mut self) -> Shape {
        let (work, name, n) = (self.fresh_named("attempt"), self.fresh_named("retry"), self.rounds(6, 60));
        let (odd, divisor) = (self.hole(&Ty::Int, &[("i", Ty::Int)], 2), self.number(2, 7));
        let text = Self::fill(
            "
fn $work$(i: int, data: [int]) -> int {
    if i % 11 == 3 { fail \"bad luck at \" + str(i) }
    assert($odd$ != 17, \"seventeen\")
    return data[i % 10] / (i % $divisor$)
}

fn $name$(n: int) -> int {
    let data = [9, 8, 7, 6, 5, 4, 3, 2, 1]
    var good = 0
    var bad = 0
    var i = 0
    rounds: while i < n {
        i += 1
        var tries = 0
        loop {
            try {
                good += $work$(i + tries, data)
                if good > 1000 { break rounds }
                continue rounds
            } catch why {
                bad += len(why)
                tries += 1
                if tries > 2 { break }
                if why == \"division by zero\" { continue rounds }
            }
        }
    }
    return good * 10000 + bad
}
",
            &[("work", work), ("name", name.clone()), ("odd", odd), ("divisor", divisor)],
        );
        Shape { items: vec![text], driver: format!("print(\"retry\", {name}({n}))"), cost: (n * 160) as u64 }
    }

    /// A loop with a phase change: it takes one path for long, then another.
    pub(super) fn phases(&mut self) -> Shape {
        let (name, n) = (self.fresh_named("phases"), self.rounds(100, 1200));
        let vars = [("x", Ty::Int), ("i", Ty::Int)];
        let (first, second) = (self.hole(&Ty::Int, &vars, 2), self.hole(&Ty::Int, &vars, 2));
        let (test, period) = (self.test_hole(&vars, 2), self.rng.range(20, 200));
        let text = Self::fill(
            "
fn $name$(n: int) -> int {
    var x = 7
    var i = 0
    while i < n {
        if (i / $period$) % 2 == 0 {
            x = (x + $first$) & 0xff_ffff
        } else {
            x = (x ^ $second$) & 0xff_ffff
            if $test$ { x += 3 }
        }
        i += 1
    }
    return x
}
",
            &[
                ("name", name.clone()),
                ("period", period.to_string()),
                ("first", first),
                ("second", second),
                ("test", test),
            ],
        );
        Shape { items: vec![text], driver: format!("print(\"phases\", {name}({n}))"), cost: (n * 35) as u64 }
    }
}
