//! Expressions of type `int`.

use super::{Ex, Level};
use crate::r#gen::Gen;
use crate::ty::Ty;
use crate::weights::{self, Int};

const EDGES: &[&str] = &[
    "-9223372036854775808",
    "9223372036854775807",
    "-9223372036854775807",
    "0xffffffffffffffff",
    "0x7fff_ffff_ffff_ffff",
    "0x8000000000000000",
    "-1",
    "0",
    "1",
    "255",
    "256",
    "-128",
    "65535",
    "2147483647",
    "-2147483648",
    "4294967296",
    "0xffff_ffff",
    "9007199254740993",
    "0b1010_1010",
    "1_000_000",
    "0x5555555555555555",
    "63",
    "64",
];

impl Gen {
    pub(super) fn int(&mut self, depth: u32) -> Ex {
        let below = depth - 1;
        match self.rng.weighted(weights::INT) {
            Int::Leaf => self.leaf(&Ty::Int),
            Int::Sum => {
                let (op, level) = *self.rng.pick(&[("+", Level::Sum), ("-", Level::Sum), ("*", Level::Product)]);
                self.int_pair(op, level, below)
            }
            Int::Bits => {
                let ops = [("&", Level::BitAnd), ("|", Level::BitOr), ("^", Level::BitXor)];
                let (op, level) = *self.rng.pick(&ops);
                self.int_pair(op, level, below)
            }
            Int::Shift => {
                let op = *self.rng.pick(&["<<", ">>", ">>>"]);
                self.int_pair(op, Level::Shift, below)
            }
            Int::Divide => self.division(below),
            Int::Unary => {
                let op = *self.rng.pick(&["-", "~"]);
                let ex = self.expr(&Ty::Int, below);
                self.unary(op, &ex)
            }
            Int::Len => self.length().unwrap_or_else(|| self.leaf(&Ty::Int)),
            Int::Least => self.int_function(below),
            Int::Convert => {
                let from = self.rng.pick(&[Ty::Float, Ty::Float, Ty::Bool, Ty::Int]).clone();
                let ex = self.expr(&from, below);
                Ex::atom(format!("int({})", ex.text))
            }
            Int::StrByte => self.byte_of_str(below),
            Int::Parse => {
                let (text, default) = (self.numeric_str(below), self.expr(&Ty::Int, below));
                self.spend(10);
                Ex::atom(format!("parse_int({text}, {})", default.text))
            }
            Int::BitCount => {
                let name = *self.rng.pick(&["popcount", "clz", "ctz"]);
                let ex = self.expr(&Ty::Int, below);
                if self.builtin(name) { Ex::atom(format!("{name}({})", ex.text)) } else { ex }
            }
        }
    }

    pub(crate) fn int_literal(&mut self) -> Ex {
        let text = match self.rng.below(20) {
            0..=4 => (*self.rng.pick(EDGES)).to_owned(),
            5 => (*self.rng.pick(&["'a'", "'0'", "'\\n'", "'~'", "'\\x80'", "'\\\\'", "'\"'"])).to_owned(),
            6 => self.rng.range(-1000, 1000).to_string(),
            7 => format!("0x{:x}", self.rng.next() >> self.rng.below(64)),
            _ => self.rng.range(-4, 12).to_string(),
        };
        self.signed(text)
    }

    /// A literal, with the precedence that its sign gives it.
    pub(crate) fn signed(&self, text: String) -> Ex {
        let level = if text.starts_with('-') { Level::Unary } else { Level::Postfix };
        Ex::new(text, level)
    }

    pub(crate) fn unary(&mut self, op: &str, operand: &Ex) -> Ex {
        let operand = self.operand(operand, Level::Unary);
        Ex::new(format!("{op}{operand}"), Level::Unary)
    }

    fn int_pair(&mut self, op: &str, level: Level, depth: u32) -> Ex {
        let (lhs, rhs) = (self.expr(&Ty::Int, depth), self.expr(&Ty::Int, depth));
        self.binary(&lhs, op, &rhs, level)
    }

    fn division(&mut self, depth: u32) -> Ex {
        let op = *self.rng.pick(&["/", "%"]);
        let lhs = self.expr(&Ty::Int, depth);
        let rhs = self.divisor(depth);
        self.binary(&lhs, op, &rhs, Level::Product)
    }

    /// An `int` that is not 0, or any if a failure may be caught.
    pub(crate) fn divisor(&mut self, depth: u32) -> Ex {
        if self.unguarded() {
            return self.expr(&Ty::Int, depth);
        }
        match self.rng.below(5) {
            0 => {
                let ex = self.expr(&Ty::Int, depth);
                self.binary(&ex, "|", &Ex::atom("1"), Level::BitOr)
            }
            1 => Ex::new("-1", Level::Unary),
            2 => self.nonzero_range().unwrap_or_else(|| Ex::atom("3")),
            _ => {
                let k = self.rng.range(2, 17);
                let text = if self.rng.chance(15) { format!("-{k}") } else { k.to_string() };
                self.signed(text)
            }
        }
    }

    /// `v + k` for a variable known to stay above `-k`.
    fn nonzero_range(&mut self) -> Option<Ex> {
        let counters = self.scope.find(|var| var.range.is_some_and(|(low, high)| low >= -3 && high < 10_000));
        let names: Vec<String> = counters.iter().map(|var| var.name.clone()).collect();
        if names.is_empty() {
            return None;
        }
        let name = self.rng.pick(&names).clone();
        Some(self.binary(&Ex::atom(name), "+", &Ex::atom("4"), Level::Sum))
    }

    fn int_function(&mut self, depth: u32) -> Ex {
        let name = *self.rng.pick(&["abs", "min", "max"]);
        let first = self.expr(&Ty::Int, depth);
        if !self.builtin(name) {
            return first;
        }
        if name == "abs" {
            return Ex::atom(format!("abs({})", first.text));
        }
        let second = self.expr(&Ty::Int, depth);
        Ex::atom(format!("{name}({}, {})", first.text, second.text))
    }

    /// `len(a)` of any visible array or string.
    fn length(&mut self) -> Option<Ex> {
        let (text, _) = self.any_path(|ty| matches!(ty, Ty::Array(_) | Ty::Str))?;
        Some(Ex::atom(format!("len({text})")))
    }

    /// `s[i]` of a string that is long enough.
    fn byte_of_str(&mut self, depth: u32) -> Ex {
        let text = self.expr(&Ty::Str, depth);
        if self.unguarded() {
            let (base, index) = (self.operand(&text, Level::Postfix), self.small_int());
            return Ex::atom(format!("{base}[{}]", index.text));
        }
        let text = self.binary(&text, "+", &Ex::atom("\"wxyz\""), Level::Sum);
        let index = self.small_int();
        let index = self.binary(&index, "&", &Ex::atom("3"), Level::BitAnd);
        self.spend(4);
        Ex::atom(format!("({})[{}]", text.text, index.text))
    }

    /// A string that is a number more often than not.
    pub(crate) fn numeric_str(&mut self, depth: u32) -> String {
        match self.rng.below(5) {
            0 => self.expr(&Ty::Str, depth).text,
            1 => {
                let ex = self.expr(&Ty::Int, depth);
                format!("str({})", ex.text)
            }
            2 => {
                let ex = self.expr(&Ty::Float, depth);
                format!("str({})", ex.text)
            }
            _ => {
                let texts = ["42", " -7 ", "9223372036854775808", "0x10", "+5", "1e3", "", "inf", "nan", "-0.0", "1_0"];
                format!("\"{}\"", self.rng.pick(&texts))
            }
        }
    }
}
