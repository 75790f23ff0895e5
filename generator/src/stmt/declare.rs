//! Declarations.

use crate::expr::Level;
use crate::r#gen::Gen;
use crate::scope::{Assign, Kind, Length, STR_MAX, Var};
use crate::ty::Ty;

/// Built-ins that a local of an inner block may hide; the statements that run shapes are in no such block.
const HIDDEN: &[&str] =
    &["abs", "min", "max", "floor", "fill", "chr", "text", "bytes", "copy", "sort", "pow", "exp", "clz", "ctz"];
/// The longest string that a local may hold.
const LOCAL_STR_MAX: u64 = 200;

impl Gen {
    pub(super) fn let_statement(&mut self) -> bool {
        if self.rng.chance(8) {
            return self.odd_length_array();
        }
        let ty = self.types.any(&mut self.rng);
        let depth = self.depth();
        let ex = self.expr(&ty, depth);
        let bytes = ex.str_max;
        let keep_long = ty == Ty::Str && bytes <= LOCAL_STR_MAX && self.rng.chance(50);
        let value = if keep_long { ex.text } else { self.stored(&ty, ex) };
        let name = if self.cx.nesting > 0 && self.rng.chance(3) {
            (*self.rng.pick(HIDDEN)).to_owned()
        } else {
            self.fresh(&ty)
        };
        let annotated = !ty.is_evident() || self.rng.chance(25);
        self.declare(&name, ty, annotated, &value);
        if let Some(var) = self.scope.note(&name).filter(|_| keep_long) {
            var.str_max = bytes.max(STR_MAX);
        }
        true
    }

    /// Writes `let` or `var` and declares the name.
    pub(super) fn declare(&mut self, name: &str, ty: Ty, annotated: bool, value: &str) {
        let free = self.rng.chance(65);
        let word = if free { "var" } else { "let" };
        let annotation = if annotated { format!(": {}", self.types.text(&ty)) } else { String::new() };
        let end = if self.rng.chance(4) { ";" } else { "" };
        self.out.line(&format!("{word} {name}{annotation} = {value}{end}"));
        self.add_local(name, ty, if free { Assign::Free } else { Assign::Never });
    }

    /// Declares a local that has been written.
    pub(crate) fn add_local(&mut self, name: &str, ty: Ty, assign: Assign) {
        let mut var = Var::new(name, ty, Kind::Local);
        var.assign = assign;
        var.loops = self.cx.loops.len();
        self.scope.declare(var);
    }

    /// An array that is empty, short or long: used only where its length does not matter.
    fn odd_length_array(&mut self) -> bool {
        let elem = self.rng.pick(&[Ty::Int, Ty::Int, Ty::Float, Ty::Byte, Ty::Str, Ty::Bool]).clone();
        let ty = elem.clone().array();
        let name = self.fresh(&ty);
        let (text, length) = match self.rng.below(6) {
            0 => ("[]".to_owned(), Length::Short),
            1 => {
                let item = self.value(elem.read(), 1);
                (format!("[{item}]"), Length::Short)
            }
            2 => {
                let (item, n) = (self.value(elem.read(), 0), self.small_int());
                let n = self.operand(&n, Level::BitAnd);
                self.spend(16);
                (format!("[{item}; {n} & 7]"), Length::Short)
            }
            _ => {
                let most = ((self.room() / 20) as i64).min(200);
                if most < 8 {
                    return false;
                }
                let len = self.rng.range(6, most);
                self.spend(len as u64);
                let item = self.leaf(elem.read());
                (format!("[{}; {len}]", self.stored(elem.read(), item)), Length::Exactly(len))
            }
        };
        let annotation = self.types.text(&ty);
        self.out.line(&format!("let {name}: {annotation} = {text}"));
        self.add_local(&name, ty, Assign::Never);
        if let Some(var) = self.scope.note(&name) {
            var.length = length;
        }
        true
    }

    /// `let x = if c { ... }` or `= match e { ... }` with statements in the branches.
    pub(super) fn let_from_branches(&mut self) -> bool {
        let ty = self.types.any(&mut self.rng);
        let name = self.fresh(&ty);
        let annotation = if ty.is_evident() { String::new() } else { format!(": {}", self.types.text(&ty)) };
        let word = *self.rng.pick(&["let", "var"]);
        if self.rng.chance(60) {
            let cond = self.condition();
            self.out.open(&format!("{word} {name}{annotation} = if {cond} {{"));
            self.branch_value(&ty);
            self.out.next("} else {");
            self.branch_value(&ty);
        } else {
            let subject = self.match_subject(1);
            self.out.open(&format!("{word} {name}{annotation} = match {subject} {{"));
            let mut patterns = self.patterns();
            for _ in 0..self.rng.range(1, 3) {
                let pattern = self.int_pattern(&mut patterns);
                self.value_arm(&pattern, &ty);
            }
            self.value_arm("_", &ty);
        }
        self.out.close();
        self.add_local(&name, ty, if word == "var" { Assign::Free } else { Assign::Never });
        true
    }

    fn value_arm(&mut self, pattern: &str, ty: &Ty) {
        if self.rng.chance(50) {
            let ex = self.expr(ty, 1);
            let level = ex.level;
            let text = self.stored(ty, ex);
            let text = if level == Level::Branch { format!("({text})") } else { text };
            self.out.line(&format!("{pattern} => {text}"));
            return;
        }
        self.out.open(&format!("{pattern} => {{"));
        self.branch_value(ty);
        self.out.close();
    }

    fn branch_value(&mut self, ty: &Ty) {
        let mark = self.scope.enter();
        self.body_in_scope(2);
        let depth = self.depth().min(2);
        let value = self.value(ty, depth);
        self.out.line(&value);
        self.scope.leave(mark);
    }

    pub(super) fn const_statement(&mut self) -> bool {
        if self.at_top_level() {
            return false;
        }
        let (var, text) = self.constant();
        self.out.line(&text);
        self.scope.declare(var);
        true
    }

    /// A constant and its definition.
    pub(crate) fn constant(&mut self) -> (Var, String) {
        let ty = self.rng.pick(&[Ty::Int, Ty::Int, Ty::Int, Ty::Float, Ty::Bool, Ty::Str]).clone();
        let stem = *self.rng.pick(&["LIMIT", "SIZE", "MASK", "STEP", "RATE", "FIRST"]);
        let name = self.fresh_named(stem);
        let mut var = Var::new(&name, ty.clone(), Kind::Const);
        let value = match ty {
            Ty::Int if self.rng.chance(70) => {
                let value = self.rng.range(-3, 40);
                var.range = Some((value, value));
                value.to_string()
            }
            Ty::Int => {
                let (lhs, rhs) = (self.int_literal(), self.int_literal());
                let (op, level) = *self.rng.pick(&[("+", Level::Sum), ("*", Level::Product), ("^", Level::BitXor)]);
                self.binary(&lhs, op, &rhs, level).text
            }
            Ty::Float => self.float_literal().text,
            Ty::Bool => "true".to_owned(),
            _ => self.str_literal().text,
        };
        let annotation = if self.rng.chance(30) { format!(": {}", self.types.text(&ty)) } else { String::new() };
        (var, format!("const {name}{annotation} = {value}"))
    }

    /// Declares a name once more, often with another type.
    pub(super) fn shadow(&mut self) -> bool {
        if self.at_top_level() {
            return false;
        }
        let names: Vec<String> = self.scope.visible().map(|var| var.name.clone()).collect();
        if names.is_empty() {
            return false;
        }
        let name = self.rng.pick(&names).clone();
        let ty = self.rng.pick(&[Ty::Int, Ty::Int, Ty::Float, Ty::Str, Ty::Bool]).clone();
        let depth = self.depth();
        let value = self.value(&ty, depth);
        self.declare(&name, ty, false, &value);
        true
    }

    /// A second name for an array or struct, and a change through it.
    pub(super) fn alias(&mut self) -> bool {
        let Some((text, ty)) = self.any_path(|ty| matches!(ty, Ty::Struct(_) | Ty::Array(_))) else { return false };
        let name = self.fresh(&ty);
        self.out.line(&format!("let {name} = {text}"));
        self.add_local(&name, ty, Assign::Never);
        self.out.line(&format!("print({name} == {text})"));
        self.spend(8);
        true
    }
}
