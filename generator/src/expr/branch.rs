//! `if`, `match` and blocks as expressions, and the patterns of `match`.

use super::{Ex, Level};
use crate::r#gen::Gen;
use crate::scope::{Kind, Var};
use crate::ty::Ty;

/// Patterns that are distinct, with their text.
pub(crate) struct Patterns {
    next: i64,
    taken: Vec<(i64, i64)>,
    letters: bool,
}

impl Gen {
    pub(super) fn if_expr(&mut self, ty: &Ty, depth: u32) -> Ex {
        let cond = self.condition();
        let (then, otherwise) = (self.expr(ty, depth), self.expr(ty, depth));
        let str_max = then.str_max.max(otherwise.str_max);
        if depth > 0 && self.rng.chance(20) {
            let (second, middle) = (self.condition(), self.expr(ty, depth - 1));
            let text = format!(
                "if {cond} {{ {} }} else if {second} {{ {} }} else {{ {} }}",
                then.text, middle.text, otherwise.text
            );
            return Ex::new(text, Level::Branch).at_most(str_max.max(middle.str_max));
        }
        let text = format!("if {cond} {{ {} }} else {{ {} }}", then.text, otherwise.text);
        Ex::new(text, Level::Branch).at_most(str_max)
    }

    pub(super) fn match_expr(&mut self, ty: &Ty, depth: u32) -> Ex {
        if self.rng.chance(20) {
            return self.match_bool_expr(ty, depth);
        }
        let subject = self.match_subject(depth);
        let mut patterns = self.patterns();
        let (mut arms, mut str_max) = (Vec::new(), 0);
        for _ in 0..self.rng.range(1, 4) {
            let pattern = self.int_pattern(&mut patterns);
            let body = self.expr(ty, depth);
            str_max = str_max.max(body.str_max);
            arms.push(format!("{pattern} => {}", self.operand(&body, Level::Or)));
        }
        let last = self.expr(ty, depth);
        arms.push(format!("_ => {}", self.operand(&last, Level::Or)));
        let text = format!("match {subject} {{ {} }}", arms.join(", "));
        Ex::new(text, Level::Branch).at_most(str_max.max(last.str_max))
    }

    fn match_bool_expr(&mut self, ty: &Ty, depth: u32) -> Ex {
        let subject = self.condition();
        let (yes, no) = (self.expr(ty, depth), self.expr(ty, depth));
        let (a, b) = (self.operand(&yes, Level::Or), self.operand(&no, Level::Or));
        let text = format!("match {subject} {{ true => {a}, false => {b} }}");
        Ex::new(text, Level::Branch).at_most(yes.str_max.max(no.str_max))
    }

    /// `{ let t = a; b }`
    pub(super) fn block_expr(&mut self, ty: &Ty, depth: u32) -> Ex {
        let inner = self.rng.pick(&[Ty::Int, Ty::Int, Ty::Float, Ty::Bool, ty.clone()]).clone();
        let mark = self.scope.enter();
        let name = self.fresh(&inner);
        let annotation = if inner.is_evident() { String::new() } else { format!(": {}", self.types.text(&inner)) };
        let value = self.value(&inner, depth);
        let mut var = Var::new(&name, inner, Kind::Local);
        var.loops = self.cx.loops.len();
        self.scope.declare(var);
        let body = self.expr(ty, depth);
        self.scope.leave(mark);
        Ex::new(format!("{{ let {name}{annotation} = {value}; {} }}", body.text), Level::Branch).at_most(body.str_max)
    }

    /// An `int` to match on: near the patterns more often than not.
    pub(crate) fn match_subject(&mut self, depth: u32) -> String {
        let ex = self.expr(&Ty::Int, depth);
        let (mask, divisor) = (*self.rng.pick(&["3", "7", "15"]), *self.rng.pick(&["3", "5", "8"]));
        let ex = match self.rng.below(3) {
            0 => ex,
            1 => self.binary(&ex, "&", &Ex::atom(mask), Level::BitAnd),
            _ => self.binary(&ex, "%", &Ex::atom(divisor), Level::Product),
        };
        self.operand(&ex, Level::Or)
    }

    /// The patterns of one `match` on an `int`.
    pub(crate) fn patterns(&mut self) -> Patterns {
        let letters = self.rng.chance(10);
        Patterns { next: if letters { i64::from(b'a') } else { self.rng.range(-3, 1) }, taken: Vec::new(), letters }
    }

    /// A pattern that no earlier one overlaps.
    pub(crate) fn int_pattern(&mut self, patterns: &mut Patterns) -> String {
        if let Some(text) = self.const_pattern(patterns) {
            return text;
        }
        let alternatives = if self.rng.chance(20) { 2 } else { 1 };
        let texts: Vec<_> = (0..alternatives).map(|_| self.one_pattern(patterns)).collect();
        texts.join(" | ")
    }

    fn one_pattern(&mut self, patterns: &mut Patterns) -> String {
        loop {
            let (low, width) = (patterns.next, if self.rng.chance(25) { self.rng.range(1, 4) } else { 0 });
            let high = low + width;
            patterns.next = high + self.rng.range(1, 2);
            if patterns.overlap(low, high) {
                continue;
            }
            patterns.taken.push((low, high));
            let write = |n: i64| match u8::try_from(n) {
                Ok(byte) if patterns.letters && byte.is_ascii_alphanumeric() => format!("'{}'", char::from(byte)),
                _ => n.to_string(),
            };
            return match width {
                0 => write(low),
                _ if self.rng.chance(50) => format!("{}..{}", write(low), write(high + 1)),
                _ => format!("{}..={}", write(low), write(high)),
            };
        }
    }

    fn const_pattern(&mut self, patterns: &mut Patterns) -> Option<String> {
        if !self.rng.chance(20) {
            return None;
        }
        let known = |var: &Var| var.kind == Kind::Const && var.range.is_some_and(|(low, high)| low == high);
        let consts: Vec<(String, i64)> = self
            .scope
            .find(known)
            .iter()
            .filter_map(|var| var.range.map(|(value, _)| (var.name.clone(), value)))
            .filter(|&(_, value)| !patterns.overlap(value, value))
            .collect();
        if consts.is_empty() {
            return None;
        }
        let (name, value) = self.rng.pick(&consts).clone();
        patterns.taken.push((value, value));
        Some(name)
    }
}

impl Patterns {
    fn overlap(&self, low: i64, high: i64) -> bool {
        self.taken.iter().any(|&(from, to)| low <= to && from <= high)
    }
}
