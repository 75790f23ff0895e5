//! Assignments, and built-ins that change arrays.

use crate::expr::{Ex, Level};
use crate::r#gen::Gen;
use crate::scope::STR_MAX;
use crate::ty::Ty;

impl Gen {
    pub(super) fn assign(&mut self) -> bool {
        let Some(place) = self.place(|_| true) else { return false };
        let depth = self.depth();
        let value = self.value(place.ty.read(), depth);
        self.out.line(&format!("{} = {value}", place.text));
        true
    }

    pub(super) fn compound(&mut self) -> bool {
        let wanted = |ty: &Ty| matches!(ty, Ty::Int | Ty::Byte | Ty::Float | Ty::Bool | Ty::Str);
        let Some(place) = self.place(wanted) else { return false };
        let depth = self.depth();
        match place.ty {
            Ty::Float => {
                let op = *self.rng.pick(&["+=", "-=", "*=", "/=", "%="]);
                let value = self.expr(&Ty::Float, depth);
                self.out.line(&format!("{} {op} {}", place.text, value.text));
            }
            Ty::Bool => {
                let op = *self.rng.pick(&["&=", "|=", "^="]);
                let value = self.expr(&Ty::Bool, depth);
                self.out.line(&format!("{} {op} {}", place.text, value.text));
            }
            Ty::Str => self.append(&place, depth),
            _ if self.rng.chance(15) => {
                let op = *self.rng.pick(&["/=", "%="]);
                let value = self.divisor(depth);
                self.out.line(&format!("{} {op} {}", place.text, value.text));
            }
            _ => {
                let ops = ["+=", "+=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", ">>>="];
                let (op, value) = (*self.rng.pick(&ops), self.expr(&Ty::Int, depth));
                self.out.line(&format!("{} {op} {}", place.text, value.text));
            }
        }
        true
    }

    /// `s += e` where the string cannot grow without bound, else a clipped assignment.
    fn append(&mut self, place: &crate::expr::AssignTarget, depth: u32) {
        let value = self.expr(&Ty::Str, depth);
        self.spend(4);
        let loops = self.cx.loops.len();
        let grown = place.var.as_ref().map_or(u64::MAX, |var| var.str_max + value.str_max);
        let is_near = place.var.as_ref().is_some_and(|var| var.kind == crate::scope::Kind::Local && var.loops == loops);
        match place.var.as_ref().and_then(|var| self.scope.note(&var.name)) {
            Some(var) if is_near && grown <= 4 * STR_MAX => {
                var.str_max = grown;
                self.out.line(&format!("{} += {}", place.text, value.text));
            }
            _ => {
                let sum = self.binary(&Ex::atom(&place.text), "+", &value, Level::Sum);
                self.out.line(&format!("{} = clip({})", place.text, sum.text));
            }
        }
    }

    /// Exchanges two elements.
    pub(super) fn swap(&mut self) -> bool {
        let Some((array, ty)) = self.any_path(|ty| matches!(ty, Ty::Array(_))) else { return false };
        let length = crate::scope::Length::Usual;
        let (Some(i), Some(j)) = (self.index(&array, length), self.index(&array, length)) else { return false };
        let Ty::Array(elem) = ty else { return false };
        let name = self.fresh(elem.read());
        self.out.line(&format!("let {name} = {array}[{i}]"));
        self.out.line(&format!("{array}[{i}] = {array}[{j}]"));
        self.out.line(&format!("{array}[{j}] = {name}"));
        self.add_local(&name, elem.read().clone(), crate::scope::Assign::Never);
        self.spend(8);
        true
    }

    /// `fill`, `copy` or `sort`.
    pub(super) fn bulk(&mut self) -> bool {
        let name = *self.rng.pick(&["fill", "copy", "copy", "sort"]);
        if !self.builtin(name) {
            return false;
        }
        self.spend(20);
        match name {
            "fill" => {
                let Some((array, Ty::Array(elem))) = self.any_path(|ty| matches!(ty, Ty::Array(_))) else {
                    return false;
                };
                let value = self.value(elem.read(), 1);
                self.out.line(&format!("fill({array}, {value})"));
            }
            "copy" => return self.copy(),
            _ => {
                let sortable =
                    |ty: &Ty| matches!(ty, Ty::Array(elem) if matches!(**elem, Ty::Int | Ty::Byte | Ty::Str));
                let Some((array, _)) = self.any_path(sortable) else { return false };
                self.spend(150);
                self.out.line(&format!("sort({array})"));
            }
        }
        true
    }

    fn copy(&mut self) -> bool {
        let Some((to, ty)) = self.any_path(|ty| matches!(ty, Ty::Array(_))) else { return false };
        let from_str = ty == Ty::Byte.array() && self.rng.chance(30);
        let from =
            if from_str { "\"quick\"".to_owned() } else { self.path(&ty).map_or_else(|| to.clone(), |ex| ex.text) };
        if self.unguarded() {
            let (a, b, n) = (self.small_int(), self.small_int(), self.small_int());
            self.out.line(&format!("copy({to}, {}, {from}, {}, {})", a.text, b.text, n.text));
            return true;
        }
        let (start, begin, count) = *self.rng.pick(&[(0, 1, 3), (1, 0, 3), (0, 0, 4), (2, 1, 2), (0, 3, 1), (4, 4, 0)]);
        self.out.line(&format!("copy({to}, {start}, {from}, {begin}, {count})"));
        true
    }

    /// A sort of floats without NaN: its order among NaNs of either sign is not the program's business.
    pub(super) fn sort_floats(&mut self) -> bool {
        if !self.builtin("sort") {
            return false;
        }
        let items = ["0.0", "-0.0", "1.5", "-2.25", "1e300", "1.0 / 0.0", "-1.0 / 0.0", "random()", "0.1", "5e-324"];
        let mut texts = Vec::new();
        for _ in 0..self.rng.range(4, 9) {
            let text = match self.rng.below(3) {
                0 => format!("float({})", self.small_int().text),
                _ => (*self.rng.pick(&items)).to_owned(),
            };
            texts.push(text);
        }
        let ty = Ty::Float.array();
        let name = self.fresh(&ty);
        self.out.line(&format!("let {name} = [{}]", texts.join(", ")));
        self.out.line(&format!("sort({name})"));
        self.out.line(&format!("print({name})"));
        self.add_local(&name, ty, crate::scope::Assign::Never);
        self.spend(60);
        true
    }

    pub(super) fn random_seed(&mut self) -> bool {
        let value = self.small_int();
        self.out.line(&format!("random_seed({})", value.text));
        true
    }
}
