//! Expressions of type `float`.

use super::{Ex, Level};
use crate::r#gen::Gen;
use crate::ty::Ty;
use crate::weights::{self, Float};

const EDGES: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.1",
    "1e300",
    "-1e300",
    "1e-300",
    "5e-324",
    "1e16",
    "1e-5",
    "9.5e15",
    "0.00001",
    "2147483648.5",
    "9223372036854775807.0",
    "1e19",
    "-1e19",
    "0.5",
    "-2.5",
    "1.5",
];

impl Gen {
    pub(super) fn float(&mut self, depth: u32) -> Ex {
        let below = depth - 1;
        match self.rng.weighted(weights::FLOAT) {
            Float::Leaf => self.leaf(&Ty::Float),
            Float::Arithmetic => {
                let ops = [("+", Level::Sum), ("-", Level::Sum), ("*", Level::Product), ("/", Level::Product)];
                let (op, level) = if self.rng.chance(12) { ("%", Level::Product) } else { *self.rng.pick(&ops) };
                let (lhs, rhs) = (self.expr(&Ty::Float, below), self.expr(&Ty::Float, below));
                self.binary(&lhs, op, &rhs, level)
            }
            Float::Negate => {
                let ex = self.expr(&Ty::Float, below);
                self.unary("-", &ex)
            }
            Float::Convert => {
                let ex = self.expr(&Ty::Int, below);
                Ex::atom(format!("float({})", ex.text))
            }
            Float::Rounding => self.float_function(&["floor", "ceil", "round", "trunc", "abs", "sqrt"], below),
            Float::Function => self.transcendental(below),
            Float::Least => {
                let name = *self.rng.pick(&["min", "max"]);
                let (lhs, rhs) = (self.expr(&Ty::Float, below), self.expr(&Ty::Float, below));
                if self.builtin(name) { Ex::atom(format!("{name}({}, {})", lhs.text, rhs.text)) } else { lhs }
            }
            Float::Parse => {
                let (text, default) = (self.numeric_str(below), self.expr(&Ty::Float, below));
                self.spend(20);
                Ex::atom(format!("parse_float({text}, {})", default.text))
            }
            Float::Random => Ex::atom("random()"),
        }
    }

    pub(crate) fn float_literal(&mut self) -> Ex {
        match self.rng.below(20) {
            0..=4 => {
                let text = (*self.rng.pick(EDGES)).to_owned();
                self.signed(text)
            }
            5 => Ex::new("1.0 / 0.0", Level::Product),
            6 => Ex::new("0.0 / 0.0", Level::Product),
            7 => Ex::new("-1.0 / 0.0", Level::Product),
            _ => {
                let text = format!("{}.{}", self.rng.range(-9, 9), self.rng.pick(&["0", "5", "25", "125", "3", "75"]));
                self.signed(text)
            }
        }
    }

    fn float_function(&mut self, names: &[&'static str], depth: u32) -> Ex {
        let name = *self.rng.pick(names);
        let ex = self.expr(&Ty::Float, depth);
        self.spend(3);
        if self.builtin(name) { Ex::atom(format!("{name}({})", ex.text)) } else { ex }
    }

    fn transcendental(&mut self, depth: u32) -> Ex {
        if self.rng.chance(70) {
            return self.float_function(&["sin", "cos", "tan", "asin", "acos", "atan", "exp", "log"], depth);
        }
        let name = *self.rng.pick(&["atan2", "pow"]);
        let (lhs, rhs) = (self.expr(&Ty::Float, depth), self.expr(&Ty::Float, depth));
        self.spend(5);
        if self.builtin(name) { Ex::atom(format!("{name}({}, {})", lhs.text, rhs.text)) } else { lhs }
    }
}
