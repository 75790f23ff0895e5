//! Expressions of array types.

use std::rc::Rc;

use super::{Ex, Level};
use crate::r#gen::Gen;
use crate::scope::MIN_LEN;
use crate::ty::Ty;
use crate::weights::{self, Array};

impl Gen {
    pub(super) fn array(&mut self, elem: &Rc<Ty>, depth: u32) -> Ex {
        match self.rng.weighted(weights::ARRAY) {
            Array::Literal => self.array_literal(elem, depth - 1),
            Array::Repeat => self.repeat(elem, depth - 1),
            Array::Slice => self.array_slice(elem).unwrap_or_else(|| self.repeat(elem, 0)),
            Array::Bytes => {
                if **elem != Ty::Byte || !self.builtin("bytes") {
                    return self.array_literal(elem, depth - 1);
                }
                let ex = self.expr(&Ty::Str, depth - 1);
                let text = self.clipped(&Ty::Str, ex);
                self.spend(10);
                let padded = self.binary(&text, "+", &Ex::atom("\"mnop\""), Level::Sum);
                Ex::atom(format!("bytes({})", padded.text))
            }
        }
    }

    fn array_literal(&mut self, elem: &Ty, depth: u32) -> Ex {
        let most = if matches!(elem, Ty::Array(_) | Ty::Struct(_)) { MIN_LEN } else { 7 };
        let len = self.rng.range(MIN_LEN, most);
        let items: Vec<_> = (0..len).map(|_| self.value(elem.read(), depth)).collect();
        self.spend(len as u64);
        let comma = if self.rng.chance(8) { "," } else { "" };
        Ex::atom(format!("[{}{comma}]", items.join(", ")))
    }

    /// `[e; n]`: `e` runs once for each element.
    pub(crate) fn repeat(&mut self, elem: &Ty, depth: u32) -> Ex {
        let most = elem.max_len().min((self.room() / 12) as i64).max(MIN_LEN);
        let len = self.rng.range(MIN_LEN, most);
        self.spend(2 * len as u64);
        let times = self.cx.times;
        self.cx.times = times.saturating_mul(len as u64);
        let item = self.value(elem.read(), depth);
        self.cx.times = times;
        let len = self.repeat_length(len);
        Ex::atom(format!("[{item}; {len}]"))
    }

    /// A length from [`MIN_LEN`] to `most`, sometimes computed.
    fn repeat_length(&mut self, most: i64) -> String {
        if most >= MIN_LEN + 3 && self.rng.chance(25) {
            let ex = self.small_int();
            let low_bits = self.binary(&ex, "&", &Ex::atom("3"), Level::BitAnd);
            let len = self.binary(&Ex::atom(MIN_LEN.to_string()), "+", &low_bits, Level::Sum);
            return len.text;
        }
        most.to_string()
    }

    /// A slice of a visible array that keeps at least [`MIN_LEN`] elements.
    fn array_slice(&mut self, elem: &Rc<Ty>) -> Option<Ex> {
        let base = self.path(&Ty::Array(elem.clone()))?;
        self.spend(8);
        let text = &base.text;
        Some(Ex::atom(match self.rng.below(6) {
            0 => format!("{text}[..4]"),
            1 => format!("{text}[0..=3]"),
            2 => format!("{text}[len({text}) - 4..]"),
            3 => format!("{text}[0..len({text})]"),
            4 => format!("{text}[..=3]"),
            _ => format!("{text}[0..]"),
        }))
    }
}
