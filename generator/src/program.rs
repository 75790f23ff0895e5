//! The order in which a program is written, and the assembly of its pieces.
//!
//! In: a seed and a size. Out: the pieces of the source text. Invariant: every global is defined before the first
//! top-level statement that could reach it, because all globals that functions see come before the main part, and
//! their values call only functions that name no global.

use crate::Size;
use crate::r#gen::{Context, Effects, Gen};
use crate::grown;
use crate::scope::{Assign, Kind, Var};
use crate::ty::Ty;
use crate::weights::{self, Build, Fate, Home};

const CLIP: &str = "/// `s`, cut where it is long.
fn clip(s: str) -> str {
    if len(s) > 48 { return s[..48] }
    return s
}
";

/// Returns the text of the program's top-level elements, in order.
pub(crate) fn pieces(seed: u64, size: Size) -> Vec<String> {
    let mut writer = Gen::new(seed, size);
    writer.constants();
    writer.value_functions();
    let globals = writer.globals();
    for _ in 0..writer.rng.range(0, 2) {
        writer.another_value_function();
    }
    let (low, high) = size.functions();
    for _ in 0..writer.rng.range(low, high) {
        match writer.rng.weighted(weights::BUILDS) {
            Build::Plain => writer.plain_function(),
            Build::Recursive => writer.recursive_function(),
            Build::Shape => writer.shape(),
            Build::Wide => writer.wide_function(),
        }
    }
    let main = writer.main_part();
    writer.assemble(seed, globals, main)
}

impl Gen {
    fn constants(&mut self) {
        for _ in 0..self.rng.range(1, 4) {
            let (var, text) = self.constant();
            self.scope.declare(var);
            self.items.push(format!("{text}\n"));
        }
    }

    /// Writes the globals that functions see.
    fn globals(&mut self) -> Vec<String> {
        self.cx.allowed = Effects { fails: false, globals: true, indirect: false };
        let mut pieces = Vec::new();
        for _ in 0..self.rng.range(2, 6) {
            let ty = self.types.any(&mut self.rng);
            let name = self.fresh(&ty);
            let depth = self.rng.range(0, 2) as u32;
            let value = self.value(&ty, depth);
            let free = self.rng.chance(75);
            let word = if free { "var" } else { "let" };
            let annotated = !ty.is_evident() || self.rng.chance(30);
            let annotation = if annotated { format!(": {}", self.types.text(&ty)) } else { String::new() };
            pieces.push(format!("{word} {name}{annotation} = {value}\n"));
            let mut var = Var::new(name, ty, Kind::Global);
            var.assign = if free { Assign::Free } else { Assign::Never };
            self.scope.declare(var);
        }
        pieces
    }

    /// Writes the statements that run: at top level or in `main`.
    fn main_part(&mut self) -> Vec<String> {
        let home = self.rng.weighted(weights::HOMES);
        let result = match home {
            Home::TopLevel => None,
            Home::Main | Home::MainArgs => Some(None),
            Home::MainInt => Some(Some(Ty::Int)),
        };
        self.cx = Context::new(result, self.size.operations());
        match home {
            Home::TopLevel => {}
            Home::Main => self.out.open("fn main() {"),
            Home::MainInt => self.out.open("fn main() -> int {"),
            // `args` is not declared: no generated code should take it for an array of the usual length.
            Home::MainArgs => {
                self.out.open("fn main(args: [str]) {");
                self.out.line("print(\"args\", len(args), args)");
            }
        }
        let mut pieces = self.main_statements(home);
        if home == Home::MainInt {
            let value = self.value(&Ty::Int, 2);
            self.out.line(&format!("return {value}"));
        }
        if home != Home::TopLevel {
            self.out.close();
            let main = self.out.take();
            self.items.push(main);
            pieces.clear();
        }
        pieces
    }

    fn main_statements(&mut self, home: Home) -> Vec<String> {
        let fate = self.rng.weighted(weights::FATES);
        let (low, high) = self.size.statements();
        let mut drivers = std::mem::take(&mut self.drivers);
        self.rng.shuffle(&mut drivers);
        let mut uncalled: Vec<usize> = (0..self.functions.len()).collect();
        self.rng.shuffle(&mut uncalled);
        let count = self.rng.range(low, high).max(drivers.len() as i64);
        let end = if self.rng.chance(70) { count - 1 } else { self.rng.range(count / 3, count - 1) };
        let mut pieces = Vec::new();
        for at in 0..count {
            match drivers.pop() {
                Some((driver, cost)) if cost < self.room() => self.drive(&driver, cost),
                _ => self.statements(1),
            }
            for at in uncalled.pop().into_iter().chain(uncalled.pop()) {
                self.try_out(at);
            }
            self.statements(1);
            if fate == Fate::Fail && at == count / 2 {
                self.cx.allowed.fails = true;
            }
            if at == end {
                self.meet(fate);
            }
            if home == Home::TopLevel {
                pieces.push(self.out.take());
            }
        }
        self.print_globals();
        if home == Home::TopLevel {
            pieces.push(self.out.take());
        }
        pieces
    }

    /// Writes a call of a function, so that most are called at least once.
    fn try_out(&mut self, at: usize) {
        let function = self.functions[at].clone();
        let guarded = function.effects.fails && !self.may_fail();
        if guarded {
            self.out.open("try {");
            self.cx.tries += 1;
        }
        if self.callable(&function) {
            let call = self.call(&function, 2);
            let printed = function.result.filter(|ty| self.types.print_cost(ty, 4) < 200);
            self.spend(20);
            self.out.line(&if printed.is_some() { format!("print({})", call.text) } else { call.text });
        }
        if guarded {
            self.cx.tries -= 1;
            let name = self.fresh_named("e");
            self.out.next(&format!("}} catch {name} {{"));
            self.out.line(&format!("print(\"caught\", {name})"));
            self.out.close();
        }
    }

    /// Writes the statement that runs a shape, sometimes repeated or guarded.
    fn drive(&mut self, driver: &str, cost: u64) {
        let again = cost * 4 < self.room() && self.rng.chance(20);
        let guarded = self.rng.chance(12);
        if again {
            let name = self.fresh(&Ty::Int);
            self.out.open(&format!("for {name} in 0..3 {{"));
        }
        if guarded {
            self.out.open("try {");
        }
        self.out.line(driver);
        self.spend(cost * if again { 3 } else { 1 });
        if guarded {
            let name = self.fresh_named("e");
            self.out.next(&format!("}} catch {name} {{"));
            self.out.line(&format!("print(\"caught\", {name})"));
            self.out.close();
        }
        if again {
            self.out.close();
        }
    }

    /// Writes the end of the program that `fate` selects.
    fn meet(&mut self, fate: Fate) {
        match fate {
            Fate::Finish => {}
            Fate::Exit => {
                let code = *self.rng.pick(&["0", "3", "255", "256 + 7", "-1"]);
                if self.rng.chance(50) {
                    let name = self.fresh_named("quit");
                    self.items.push(format!(
                        "fn {name}(code: int) -> int {{\n    print(\"leaving\", code)\n    exit(code)\n}}\n"
                    ));
                    self.out.line(&format!("print({name}({code}))"));
                } else {
                    let cond = self.condition();
                    self.out.line(&format!("if {cond} {{ exit({code}) }}"));
                }
            }
            Fate::Fail => self.doom(),
        }
    }

    /// Writes a failure that nothing catches, at some call depth.
    fn doom(&mut self) {
        self.cx.allowed.fails = true;
        match self.rng.below(3) {
            0 => {
                self.out.open("if 1 < 2 {");
                self.write_failure();
                self.out.close();
            }
            1 => {
                let (name, last) = (self.fresh(&Ty::Int), self.rng.range(3, 60));
                self.out.open(&format!("for {name} in 0..100 {{"));
                self.out.open(&format!("if {name} == {last} {{"));
                self.write_failure();
                self.out.close();
                self.out.close();
            }
            _ => {
                let name = self.fresh_named("ruin");
                let main = self.out.take();
                let indent = self.out.set_indent(0);
                let outer = std::mem::take(&mut self.scope);
                self.out.open(&format!("fn {name}(n: int) -> int {{"));
                self.out.line(&format!("if n > 1 {{ return {name}(n - 1) + n }}"));
                self.out.open("if n <= 1 {");
                self.write_failure();
                self.out.close();
                self.out.line("return n");
                self.out.close();
                let item = self.out.take();
                self.items.push(item);
                self.scope = outer;
                self.out.set_indent(indent);
                self.out.put_back(main);
                let depth = self.rng.range(0, 9);
                self.out.line(&format!("print({name}({depth}))"));
            }
        }
    }

    fn print_globals(&mut self) {
        let globals = self.scope.find(|var| var.kind == Kind::Global);
        let lines: Vec<_> = globals.iter().map(|var| format!("print(\"{0}\", {0})", var.name)).collect();
        for line in lines {
            self.out.line(&line);
        }
    }

    /// Puts items between the statements, which keep their order.
    fn assemble(mut self, seed: u64, globals: Vec<String>, main: Vec<String>) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        for record in &self.types.structs {
            let fields: Vec<_> =
                record.fields.iter().map(|(name, ty)| format!("{name}: {}", self.types.text(ty))).collect();
            items.push(if self.rng.chance(50) {
                format!("struct {} {{ {} }}\n", record.name, fields.join(", "))
            } else {
                format!("struct {} {{\n    {}\n}}\n", record.name, fields.join("\n    "))
            });
        }
        items.append(&mut self.items);
        if items.iter().chain(&globals).chain(&main).any(|text| text.contains("clip(")) {
            items.push(CLIP.to_owned());
        }
        let mut pieces = vec![format!("// Program {seed}.\n")];
        pieces.extend(grown::pieces(seed));
        if self.rng.chance(60) {
            pieces.extend(items);
            pieces.extend(globals);
            pieces.extend(main);
            return pieces;
        }
        self.rng.shuffle(&mut items);
        for statement in globals.into_iter().chain(main) {
            while !items.is_empty() && self.rng.chance(40) {
                pieces.extend(items.pop());
            }
            pieces.push(statement);
        }
        pieces.extend(items);
        pieces
    }
}
