//! Random text modules: stores and loads that overlap, operations on whole memories and tables, calls, and operands that wait on the stack while what they were
//! made of changes.
//!
//! In: a seed. Out: a module, a statement a line. Invariants: a function calls those before it alone, and loops end; addresses are small, so that accesses meet.

use std::fmt::Write as _;

/// Functions of a module, but for the one that runs.
const FUNCTIONS: u64 = 4;
/// Parameters and further locals: all but the last two, which count, are `i32`s that expressions use.
const LOCALS: u64 = 4;

/// Choices by a seed: splitmix64 [SLF14].
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

struct Writer {
    choices: Choices,
    text: String,
    /// The function that is written: it calls those below.
    function: u64,
    /// Loops around.
    loops: u64,
}

/// The module of a seed.
pub(super) fn random_module(seed: u64) -> String {
    let head = "(module
(memory 1 2)
(table $t 6 9 funcref)
(elem (i32.const 0) $f0 $f1 $f0 $f1)
(elem $e func $f1 $f0)
(data (i32.const 4) \"abcdefgh\")
(data $d \"\\01\\02\\03\\04\\05\\06\\07\\08\")
(global $g (mut i32) (i32.const 9))
(global (mut i32) (i32.const 2))
(type $f (func (param i32 i32) (result i32)))
";
    let mut writer = Writer { choices: Choices(seed), text: head.to_owned(), function: 0, loops: 0 };
    for function in 0..FUNCTIONS {
        writer.function = function;
        writer.line(&format!("(func $f{function} (type $f) (param $x i32) (param i32) (result i32)"));
        writer.body();
        let result = writer.expression(3);
        writer.line(&format!("{result})"));
    }
    writer.function = FUNCTIONS;
    writer.line("(func (export \"_start\")");
    writer.line("(local $x i32) (local i32)");
    writer.body();
    writer.line(")\n)");
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("strings take all text");
    }

    fn body(&mut self) {
        self.line("(local $y i32) (local i32) (local $n i32) (local $m i32)");
        for _ in 0..4 + self.choices.below(5) {
            self.statement(2);
        }
    }

    fn local(&mut self) -> u64 {
        self.choices.below(LOCALS)
    }

    /// An address of the first few bytes.
    fn address(&mut self, depth: u64) -> String {
        let of = self.expression(depth);
        format!("(i32.and {of} (i32.const 31))")
    }

    fn statement(&mut self, depth: u64) {
        match self.choices.below(if depth == 0 { 10 } else { 14 }) {
            0 | 1 => {
                let (local, value) = (self.local(), self.expression(3));
                self.line(&format!("(local.set {local} {value})"));
            }
            2 => {
                let (global, value) = (self.choices.below(2), self.expression(2));
                self.line(&format!("(global.set {global} {value})"));
            }
            3..=5 => self.store(),
            6 => self.on_memory(),
            7 => self.on_table(),
            8 | 9 => {
                let value = self.expression(3);
                self.line(&format!("(drop {value})"));
            }
            10 | 11 => {
                let condition = self.expression(2);
                self.line(&format!("(if {condition}\n(then"));
                self.statement(depth - 1);
                self.line(")\n(else");
                self.statement(depth - 1);
                self.line("))");
            }
            12 if self.loops < 2 => self.counted(depth),
            _ => self.switch(depth),
        }
    }

    fn store(&mut self) {
        let kind = ["i32.store8", "i32.store16", "i32.store", "i32.store offset=3"][self.choices.below(4) as usize];
        let (address, value) = (self.address(2), self.expression(3));
        match self.choices.below(4) {
            0 => self.line(&format!("(i64.store {address} (i64.extend_i32_s {value}))")),
            _ => self.line(&format!("({kind} {address} {value})")),
        }
    }

    fn on_memory(&mut self) {
        let (to, from, count) = (self.address(1), self.address(1), self.choices.below(9));
        match self.choices.below(6) {
            0..=2 => self.line(&format!("(memory.copy {to} {from} (i32.const {count}))")),
            3 => self.line(&format!("(memory.fill {to} {from} (i32.const {count}))")),
            4 => self.line(&format!("(memory.init $d {to} (i32.const 0) (i32.const {}))", count.min(8))),
            _ => self.line("(drop (memory.grow (i32.const 1)))"),
        }
    }

    fn on_table(&mut self) {
        let (to, from) = (self.choices.below(4), self.choices.below(4));
        match self.choices.below(5) {
            0 => self.line(&format!("(table.set $t (i32.const {to}) (ref.func $f{}))", from % 2)),
            1 => self.line(&format!("(table.copy (i32.const {to}) (i32.const {from}) (i32.const 1))")),
            2 => self.line(&format!("(table.init $t $e (i32.const {to}) (i32.const {}) (i32.const 1))", from % 2)),
            3 => self.line(&format!("(table.fill $t (i32.const {to}) (ref.func $f0) (i32.const 1))")),
            _ => self.line("(drop (table.grow $t (ref.func $f1) (i32.const 1)))"),
        }
    }

    fn counted(&mut self, depth: u64) {
        let counter = ["$n", "$m"][self.loops as usize];
        self.loops += 1;
        self.line(&format!("(local.set {counter} (i32.const 3))\n(loop"));
        self.statement(depth - 1);
        self.statement(depth - 1);
        self.line(&format!("(local.set {counter} (i32.sub (local.get {counter}) (i32.const 1)))"));
        self.line(&format!("(br_if 0 (local.get {counter})))"));
        self.loops -= 1;
    }

    fn switch(&mut self, depth: u64) {
        let value = self.expression(2);
        self.line(&format!("(block (block (block\n(br_table 0 1 2 (i32.and {value} (i32.const 3))))"));
        self.statement(depth.saturating_sub(1));
        self.line(")");
        self.store();
        self.line(")");
    }

    fn expression(&mut self, depth: u64) -> String {
        if depth == 0 {
            return match self.choices.below(4) {
                0 => format!("(i32.const {})", self.choices.below(40)),
                1 => format!("(global.get {})", self.choices.below(2)),
                _ => format!("(local.get {})", self.local()),
            };
        }
        match self.choices.below(16) {
            0..=3 => {
                let kinds = ["i32.load", "i32.load8_u", "i32.load16_s", "i32.load offset=2", "i32.load8_s offset=1"];
                let (kind, address) = (kinds[self.choices.below(5) as usize], self.address(depth - 1));
                format!("({kind} {address})")
            }
            4 => format!("(i32.wrap_i64 (i64.load {}))", self.address(depth - 1)),
            5 => ["(memory.size)", "(table.size $t)"][self.choices.below(2) as usize].to_owned(),
            6 if self.function > 0 => {
                let callee = self.choices.below(self.function);
                let [x, y] = [0; 2].map(|_| self.expression(depth - 1));
                format!("(call $f{callee} {x} {y})")
            }
            7 if self.function > 1 => {
                let [x, y, at] = [0; 3].map(|_| self.expression(depth - 1));
                format!("(call_indirect $t (type $f) {x} {y} (i32.and {at} (i32.const 3)))")
            }
            8 => {
                let [x, y, by] = [0; 3].map(|_| self.expression(depth - 1));
                format!("(select {x} {y} {by})")
            }
            9 | 10 => format!("(local.tee {} {})", self.local(), self.expression(depth - 1)),
            _ => {
                let ops = ["add", "sub", "mul", "xor", "lt_s", "eq", "shl", "or"];
                let op = ops[self.choices.below(8) as usize];
                let [x, y] = [0; 2].map(|_| self.expression(depth - 1));
                format!("(i32.{op} {x} {y})")
            }
        }
    }
}
