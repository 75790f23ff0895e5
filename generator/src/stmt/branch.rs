//! `if`, `match` and bare blocks as statements.

use std::rc::Rc;

use crate::expr::Level;
use crate::r#gen::Gen;
use crate::scope::Assign;
use crate::ty::Ty;

impl Gen {
    pub(super) fn if_statement(&mut self) -> bool {
        let cond = self.condition();
        self.out.open(&format!("if {cond} {{"));
        self.body(3);
        while self.rng.chance(22) {
            let cond = self.condition();
            self.out.next(&format!("}} else if {cond} {{"));
            self.body(3);
        }
        if self.rng.chance(50) {
            self.out.next("} else {");
            self.body(3);
        }
        self.out.close();
        true
    }

    /// `if let n = o { } else { }`
    pub(super) fn if_let(&mut self) -> bool {
        let Some((source, inner)) = self.optional_source() else { return false };
        let name = if self.rng.chance(6) { "_".to_owned() } else { self.fresh(&inner) };
        self.out.open(&format!("if let {name} = {source} {{"));
        let mark = self.scope.enter();
        if name != "_" {
            self.add_local(&name, (*inner).clone(), Assign::Never);
        }
        self.body_in_scope(3);
        self.scope.leave(mark);
        if self.rng.chance(50) {
            self.out.next("} else {");
            self.body(2);
        }
        self.out.close();
        true
    }

    /// An optional whose type is evident: a variable, field or call.
    pub(super) fn optional_source(&mut self) -> Option<(String, Rc<Ty>)> {
        let (text, ty) = self.any_path(|ty| matches!(ty, Ty::Optional(_)))?;
        match ty {
            Ty::Optional(inner) => Some((text, inner)),
            _ => None,
        }
    }

    /// `if o != none { let n = o! ... }`: an unwrapping that cannot fail.
    pub(super) fn none_check(&mut self) -> bool {
        let optionals = self.scope.find(|var| matches!(var.ty, Ty::Optional(_)) && self.may_name(var));
        let optionals: Vec<_> = optionals.into_iter().cloned().collect();
        if optionals.is_empty() {
            return false;
        }
        let var = self.rng.pick(&optionals).clone();
        let Ty::Optional(inner) = &var.ty else { return false };
        self.note_use(&var);
        let name = self.fresh(inner);
        self.out.open(&format!("if {} != none {{", var.name));
        let mark = self.scope.enter();
        self.out.line(&format!("let {name} = {}!", var.name));
        self.add_local(&name, (**inner).clone(), Assign::Never);
        self.body_in_scope(2);
        self.scope.leave(mark);
        self.out.close();
        true
    }

    pub(super) fn match_int(&mut self) -> bool {
        let depth = self.depth().min(2);
        let subject = self.match_subject(depth);
        self.out.open(&format!("match {subject} {{"));
        let mut patterns = self.patterns();
        for _ in 0..self.rng.range(2, 5) {
            let pattern = self.int_pattern(&mut patterns);
            self.arm(&pattern);
        }
        if self.rng.chance(60) {
            self.arm("_");
        }
        self.out.close();
        true
    }

    /// `match` on a `bool` or a `str`.
    pub(super) fn match_other(&mut self) -> bool {
        if self.rng.chance(35) {
            let cond = self.condition();
            self.out.open(&format!("match {cond} {{"));
            self.arm("true");
            let rest = *self.rng.pick(&["false", "_"]);
            self.arm(rest);
            self.out.close();
            return true;
        }
        let subject = self.expr(&Ty::Str, 1);
        self.spend(6);
        let subject = self.operand(&subject, Level::Or);
        self.out.open(&format!("match {subject} {{"));
        let mut texts = vec!["\"\"", "\"alpha\"", "\"x\"", "\"beta\" | \"0\"", "\"\\n\"", "\"1\" | \"0.0\" | \"true\""];
        self.rng.shuffle(&mut texts);
        for text in texts.iter().take(self.rng.range(1, 4) as usize) {
            self.arm(text);
        }
        if self.rng.chance(70) {
            self.arm("_");
        }
        self.out.close();
        true
    }

    fn arm(&mut self, pattern: &str) {
        if self.rng.chance(15) {
            let label = self.rng.below(100);
            self.spend(8);
            self.out.line(&format!("{pattern} => print(\"arm\", {label})"));
            return;
        }
        self.out.open(&format!("{pattern} => {{"));
        self.body(2);
        self.out.close();
    }

    pub(super) fn block_statement(&mut self) -> bool {
        self.out.open("{");
        self.body(3);
        self.out.close();
        true
    }
}
