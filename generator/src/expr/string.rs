//! Expressions of type `str`.

use super::{Ex, Level};
use crate::r#gen::Gen;
use crate::ty::Ty;
use crate::weights::{self, Str};

/// Parts of literals: text and the number of bytes it means.
const FRAGMENTS: &[(&str, u64)] = &[
    ("alpha", 5),
    ("beta", 4),
    (" ", 1),
    ("x", 1),
    ("Zz", 2),
    ("0", 1),
    ("17", 2),
    ("-", 1),
    ("\\n", 1),
    ("\\t", 1),
    ("\\r", 1),
    ("\\\\", 1),
    ("\\\"", 1),
    ("\\0", 1),
    ("\\x41", 1),
    ("\\xff", 1),
    ("\\u{e9}", 2),
    ("\\u{1F600}", 4),
    ("é", 2),
    ("路", 3),
    ("'", 1),
    ("//", 2),
    ("{", 1),
    ("}", 1),
];

impl Gen {
    pub(super) fn string(&mut self, depth: u32) -> Ex {
        let below = depth - 1;
        match self.rng.weighted(weights::STR) {
            Str::Leaf => self.leaf(&Ty::Str),
            Str::Concat => {
                let (lhs, rhs) = (self.expr(&Ty::Str, below), self.expr(&Ty::Str, below));
                self.spend(3);
                self.binary(&lhs, "+", &rhs, Level::Sum).at_most(lhs.str_max + rhs.str_max)
            }
            Str::OfValue => {
                let from = self.rng.pick(&[Ty::Int, Ty::Int, Ty::Float, Ty::Bool, Ty::Str]).clone();
                let ex = self.expr(&from, below);
                self.spend(8);
                let str_max = if from == Ty::Str { ex.str_max } else { 26 };
                Ex::atom(format!("str({})", ex.text)).at_most(str_max)
            }
            Str::Slice => self.str_slice(below),
            Str::Chr => {
                let ex = self.expr(&Ty::Int, below);
                if !self.builtin("chr") {
                    return self.str_literal();
                }
                let code = if self.unguarded() {
                    ex
                } else {
                    let mask = *self.rng.pick(&["63", "127", "0x3ff", "0x7fff"]);
                    self.binary(&ex, "&", &Ex::atom(mask), Level::BitAnd)
                };
                Ex::atom(format!("chr({})", code.text)).at_most(4)
            }
            Str::Text => self.text_of_bytes().unwrap_or_else(|| self.str_literal()),
        }
    }

    pub(crate) fn str_literal(&mut self) -> Ex {
        let (mut text, mut bytes) = (String::from("\""), 0);
        for _ in 0..self.rng.below(4) {
            let (fragment, len) = *self.rng.pick(FRAGMENTS);
            text.push_str(fragment);
            bytes += len;
        }
        text.push('"');
        Ex::atom(text).at_most(bytes)
    }

    /// `s[a..b]` in all its forms, within bounds unless it may fail.
    fn str_slice(&mut self, depth: u32) -> Ex {
        let base = self.expr(&Ty::Str, depth);
        self.spend(6);
        if self.unguarded() {
            let (from, to) = (self.small_int(), self.small_int());
            let text = self.operand(&base, Level::Postfix);
            let op = *self.rng.pick(&["..", "..="]);
            let (from, to) = (self.operand(&from, Level::Or), self.operand(&to, Level::Or));
            return Ex::atom(format!("{text}[{from}{op}{to}]")).at_most(base.str_max);
        }
        let padded = self.binary(&base, "+", &Ex::atom("\"pqrs\""), Level::Sum);
        let slice = *self.rng.pick(&["[1..3]", "[..4]", "[2..]", "[0..=3]", "[..=2]", "[4..4]", "[0..0]"]);
        Ex::atom(format!("({}){slice}", padded.text)).at_most(base.str_max + 4)
    }

    /// `text(b, from, to)` of visible bytes.
    fn text_of_bytes(&mut self) -> Option<Ex> {
        let bytes = self.path(&Ty::Byte.array())?;
        if !self.builtin("text") {
            return None;
        }
        self.spend(6);
        if self.unguarded() {
            let (from, to) = (self.small_int(), self.small_int());
            return Some(Ex::atom(format!("text({}, {}, {})", bytes.text, from.text, to.text)).at_most(64));
        }
        let range = *self.rng.pick(&["0, 4", "1, 3", "2, 2", "0, 1"]);
        Some(Ex::atom(format!("text({}, {range})", bytes.text)).at_most(4))
    }
}
