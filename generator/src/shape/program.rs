//! Interpreters of programs that stand in literals, which may be written, changed for another, or only read.

use super::contribution::Shape;
use crate::r#gen::Gen;
use crate::ty::Ty;

impl Gen {
    /// An interpreter of random programs, which get to it in some way.
    pub(super) fn interpreter(&mut self) -> Shape {
        let (name, fuel) = (self.fresh_named("interpret"), self.rounds(30, 600));
        let (holder, other, kept) = (self.fresh_named("program"), self.fresh_named("other"), self.fresh_named("Kept"));
        let value = self.hole(&Ty::Int, &[("a", Ty::Int), ("x", Ty::Int)], 2);
        // One that writes its program, now and then, leaves nobody a table.
        let written = if self.rng.chance(20) { "code[pc - 1] = (code[pc - 1] + 1) & 7" } else { "a ^= code[pc - 1]" };
        let elem = *self.rng.pick(&["int", "byte"]);
        let text = Self::fill(
            "
struct $kept$ { code: [$elem$], runs: int }

fn $name$(code: [$elem$], fuel: int) -> int {
    var pc = 0
    var a = 1
    var x = 0
    for tick in 0..fuel {
        if pc >= len(code) { pc = 0 }
        let k = code[pc + 1]
        match code[pc] {
            0 => { a = (a * 3 + k) & 0xffff }
            1 => { x = (x + $value$) & 0xff }
            2 => { if a & 3 == k & 3 { pc += 2 } }
            3 => { pc = (k >> 1) * 2 - 2 }
            4 => { if x < k { pc = 0; continue } }
            5 => { $written$ }
            6 => { x = code[x % len(code)] }
            _ => { if k == 7 { fail \"operation \" + str(pc) }; a += tick }
        }
        pc += 2
    }
    return a * 1000 + x
}
",
            &[
                ("name", name.clone()),
                ("kept", kept.clone()),
                ("elem", elem.to_owned()),
                ("value", value),
                ("written", written.to_owned()),
            ],
        );
        let [first, second] = [0, 1].map(|_| self.random_program());
        let annotated = format!("[{elem}] = [{first}]");
        let run = |code: &str| {
            format!("try {{\n    print(\"{name}\", {name}({code}, {fuel}))\n}} catch why {{\n    print(why)\n}}")
        };
        let driver = match self.rng.range(0, 4) {
            0 => format!("let {holder}: {annotated}\n{}", run(&holder)),
            1 => format!(
                "let {holder}: {annotated}\n{}\nlet {other}: [{elem}] = [{second}]\n{}",
                run(&holder),
                run(&other)
            ),
            2 => format!(
                "let {other}: {annotated}\nlet {holder} = {kept}(code: {other}, runs: 0)\n{}\n{holder}.runs += 1\n{}",
                run(&format!("{holder}.code")),
                run(&other)
            ),
            3 => format!("var {holder}: {annotated}\n{}\n{holder} = [{second}]\n{}", run(&holder), run(&holder)),
            _ => format!("let {holder}: {annotated}\n{}\n{holder}[1] = 2\n{}", run(&holder), run(&holder)),
        };
        Shape { items: vec![text], driver, cost: (fuel * 60) as u64 }
    }

    /// Some instructions, each an operation and its operand.
    fn random_program(&mut self) -> String {
        let instructions = self.rng.range(3, 10);
        let words: Vec<String> = (0..instructions)
            .flat_map(|_| [self.rng.range(0, 7), self.rng.range(0, 2 * instructions)].map(|word| word.to_string()))
            .collect();
        words.join(", ")
    }
}
