//! `try`, and statements that fail.

use crate::expr::Ex;
use crate::r#gen::Gen;
use crate::scope::{Assign, Kind, Var};
use crate::ty::Ty;
use crate::weights::{self, Failure};

/// The longest message that a handler can get: one of the language's own, or a clipped string after `assertion failed`.
const MESSAGE_MAX: u64 = 200;

impl Gen {
    pub(super) fn try_statement(&mut self) -> bool {
        self.out.open("try {");
        self.cx.tries += 1;
        let mark = self.scope.enter();
        self.body_in_scope(4);
        if self.rng.chance(55) {
            self.write_failure();
        }
        self.scope.leave(mark);
        self.cx.tries -= 1;
        let name = if self.rng.chance(8) { "_".to_owned() } else { self.fresh_named("e") };
        self.out.next(&format!("}} catch {name} {{"));
        let mark = self.scope.enter();
        if name != "_" {
            let mut var = Var::new(&name, Ty::Str, Kind::Local);
            var.str_max = MESSAGE_MAX;
            self.scope.declare(var);
            if self.rng.chance(75) && self.room() > 20 {
                self.out.line(&format!("print(\"caught\", {name})"));
                self.spend(10);
            }
        }
        if self.may_fail() && self.rng.chance(10) {
            let message = if name == "_" { "\"again\"".to_owned() } else { format!("clip(\"again: \" + {name})") };
            self.note_failure();
            let cond = self.condition();
            self.out.line(&format!("if {cond} {{ fail {message} }}"));
        }
        self.body_in_scope(2);
        self.scope.leave(mark);
        self.out.close();
        true
    }

    /// `assert` of something that holds, or, where failing is allowed, may not.
    pub(super) fn assert_statement(&mut self) -> bool {
        let cond = if self.may_fail() && self.rng.chance(40) {
            self.note_failure();
            self.condition()
        } else {
            let ex = self.expr(&Ty::Int, 1);
            let ex = self.binary(&ex, "|", &Ex::atom("1"), crate::expr::Level::BitOr);
            self.binary(&ex, "!=", &Ex::atom("0"), crate::expr::Level::Compare).text
        };
        if self.rng.chance(50) {
            let message = self.value(&Ty::Str, 1);
            self.out.line(&format!("assert({cond}, {message})"));
        } else {
            self.out.line(&format!("assert({cond})"));
        }
        true
    }

    /// A failure on one of two paths.
    pub(super) fn failing(&mut self) -> bool {
        if !self.may_fail() {
            return false;
        }
        let cond = self.condition();
        self.out.open(&format!("if {cond} {{"));
        self.write_failure();
        self.out.close();
        true
    }

    /// Writes a statement that fails, and the definitions it needs; the last of its block.
    pub(crate) fn write_failure(&mut self) {
        let mark = self.scope.enter();
        self.cx.nesting += 1;
        self.write_failure_in_scope();
        self.cx.nesting -= 1;
        self.scope.leave(mark);
    }

    fn write_failure_in_scope(&mut self) {
        self.note_failure();
        self.spend(10);
        let kind = self.rng.weighted(weights::FAILURES);
        let text = self.failure_text(kind);
        self.out.line(&text);
    }

    fn failure_text(&mut self, kind: Failure) -> String {
        match kind {
            Failure::Fail => format!("fail {}", self.value(&Ty::Str, 2)),
            Failure::Assert => "assert(1 > 2)".to_owned(),
            Failure::AssertMessage => format!("assert(false, {})", self.value(&Ty::Str, 2)),
            Failure::Index => {
                let array = self.some_array(|_| true);
                let index =
                    (*self.rng.pick(&["len(#)", "-1", "1000", "-9223372036854775808", "len(#) + 3"])).to_owned();
                format!("let _ = {array}[{}]", index.replace('#', &array))
            }
            Failure::StrIndex => format!("print(\"abc\"[{}])", self.rng.pick(&["3", "-1", "1 << 40"])),
            Failure::StoreIndex => {
                let array = self.some_array(|elem| *elem == Ty::Int);
                let op = *self.rng.pick(&["=", "+=", "^="]);
                let value = self.value(&Ty::Int, 1);
                format!("{array}[{}] {op} {value}", self.rng.pick(&["-1", "1 << 32", "99999"]))
            }
            Failure::DivideByZero => {
                let (op, value) = (*self.rng.pick(&["/", "%"]), self.small_int());
                let value = self.operand(&value, crate::expr::Level::Product);
                let zero = *self.rng.pick(&["0", "(1 - 1)", "int(false)", "len(\"\")"]);
                format!("print({value} {op} {zero})")
            }
            Failure::UnwrapNone => self.unwrap_none(),
            Failure::StrSlice => {
                let slice =
                    *self.rng.pick(&["2..9", "3..1", "-1..2", "5..", "..=3", "..-1", "0..=9223372036854775807"]);
                format!("print(\"abc\"[{slice}])")
            }
            Failure::ArraySlice => {
                let array = self.some_array(|_| true);
                format!("print(len({array}[{}]))", self.rng.pick(&["3..2", "0..1000", "-1..2", "..=5000"]))
            }
            Failure::NegativeLength => {
                format!("print([{}; {}])", self.rng.pick(&["0", "1.5", "\"\"", "true"]), self.rng.range(-9, -1))
            }
            Failure::StepZero => "for _ in 0..4 step 1 - 1 { print(\"never\") }".to_owned(),
            Failure::Chr if self.builtin("chr") => {
                format!("print(chr({}))", self.rng.pick(&["-1", "0xd800", "0x110000", "1 << 32"]))
            }
            Failure::Text if self.builtin("text") && self.builtin("bytes") => {
                format!("print(text(bytes(\"abc\"), {}))", self.rng.pick(&["2, 9", "2, 1", "-1, 2"]))
            }
            Failure::Copy if self.builtin("copy") => {
                let array = self.some_array(|_| true);
                let rest = *self.rng.pick(&["0, #, 1, 1000", "-1, #, 0, 1", "0, #, 0, -1", "9000, #, 0, 1"]);
                format!("copy({array}, {})", rest.replace('#', &array))
            }
            Failure::Chr | Failure::Text | Failure::Copy => "fail \"here\"".to_owned(),
            Failure::HugeArray => format!("print(len([0; {}]))", self.rng.pick(&["1 << 50", "9223372036854775807"])),
        }
    }

    fn unwrap_none(&mut self) -> String {
        let id = self.rng.below(self.types.structs.len() as u64) as usize;
        let ty = self.rng.pick(&[Ty::Str.optional(), Ty::Int.array().optional(), Ty::Struct(id).optional()]).clone();
        let name = self.fresh(&ty);
        let text = self.types.text(&ty);
        self.out.line(&format!("var {name}: {text} = none"));
        self.add_local(&name, ty, Assign::Never);
        match self.rng.below(2) {
            0 => format!("let _ = {name}!"),
            _ => format!("print({name}!)"),
        }
    }

    /// The text of a visible array, or of a new one.
    fn some_array(&mut self, wanted: impl Fn(&Ty) -> bool) -> String {
        let found = self.any_path(|ty| matches!(ty, Ty::Array(elem) if wanted(elem)));
        if let Some((text, _)) = found {
            return text;
        }
        let ty = Ty::Int.array();
        let name = self.fresh(&ty);
        self.out.line(&format!("let {name} = [1, 2, 3, 4]"));
        self.add_local(&name, ty, Assign::Never);
        name
    }
}
