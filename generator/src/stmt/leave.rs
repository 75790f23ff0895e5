//! Output, calls, and leaving loops and functions early.

use crate::r#gen::Gen;
use crate::scope::Var;
use crate::ty::Ty;

impl Gen {
    pub(super) fn print(&mut self) -> bool {
        if self.cx.times > 400 || self.room() < 60 {
            return false;
        }
        let mut parts = Vec::new();
        if self.rng.chance(40) {
            parts.push(format!("\"{}\"", self.rng.pick(&["at", "now", "value", "->", "step", "%"])));
        }
        for _ in 0..self.rng.range(1, 3) {
            parts.push(self.printable());
        }
        let name = if self.rng.chance(12) { "write" } else { "print" };
        self.out.line(&format!("{name}({})", parts.join(", ")));
        if name == "write" && self.rng.chance(70) {
            self.out.line("print()");
        }
        true
    }

    /// A variable of any type or an expression of a simple one, if there is room to print it.
    fn printable(&mut self) -> String {
        if self.rng.chance(55) {
            let vars: Vec<Var> = self.scope.find(|var| self.may_name(var)).into_iter().cloned().collect();
            if !vars.is_empty() {
                let var = self.rng.pick(&vars).clone();
                let cost = 6 * self.types.print_cost(&var.ty, 4);
                if cost < self.room() / 4 {
                    self.spend(cost);
                    self.note_use(&var);
                    return var.name;
                }
            }
        }
        self.spend(8);
        let ty = self.rng.pick(&[Ty::Int, Ty::Int, Ty::Float, Ty::Bool, Ty::Str]).clone();
        let depth = self.depth();
        self.expr(&ty, depth).text
    }

    /// A call whose result, if any, is discarded or printed.
    pub(super) fn call_statement(&mut self) -> bool {
        if self.rng.chance(20) {
            return self.indirect_call_statement();
        }
        let fits: Vec<usize> = (0..self.functions.len()).filter(|&at| self.callable(&self.functions[at])).collect();
        if fits.is_empty() {
            return false;
        }
        let function = self.functions[*self.rng.pick(&fits)].clone();
        let call = self.call(&function, 1);
        let show = function.result.is_some() && self.cx.times < 100 && self.rng.chance(50);
        let cost = function.result.as_ref().map_or(0, |ty| 6 * self.types.print_cost(ty, 4));
        if show && cost < self.room() / 4 {
            self.spend(cost);
            self.out.line(&format!("print({})", call.text));
        } else {
            self.out.line(&call.text);
        }
        true
    }

    fn indirect_call_statement(&mut self) -> bool {
        if !self.may_call_values() {
            return false;
        }
        let id = self.rng.below(self.types.signatures.len() as u64) as usize;
        let Some(call) = self.indirect_call(id, 1) else { return false };
        self.out.line(&call.text);
        true
    }

    /// `if c { return e }`
    pub(super) fn early_return(&mut self) -> bool {
        let Some(result) = self.cx.result.clone() else { return false };
        if self.cx.nesting == 0 && self.rng.chance(60) {
            return false;
        }
        let cond = self.condition();
        let text = match result {
            Some(ty) => format!("return {}", self.value(&ty, 1)),
            None => "return".to_owned(),
        };
        self.out.line(&format!("if {cond} {{ {text} }}"));
        true
    }

    /// `if c { break }`, `if c { continue outer }`
    pub(super) fn leave_loop(&mut self) -> bool {
        let Some(innermost) = self.cx.loops.last() else { return false };
        let mut target = String::new();
        if innermost.label.is_some() && self.rng.chance(50) || self.cx.loops.len() > 1 && self.rng.chance(50) {
            let labels: Vec<String> = self.cx.loops.iter().filter_map(|each| each.label.clone()).collect();
            if !labels.is_empty() {
                target = format!(" {}", self.rng.pick(&labels));
            }
        }
        let word = *self.rng.pick(&["break", "continue", "continue"]);
        let cond = self.condition();
        if self.rng.chance(30) {
            self.out.open(&format!("if {cond} {{"));
            self.body(1);
            self.out.line(&format!("{word}{target}"));
            self.out.close();
        } else {
            self.out.line(&format!("if {cond} {{ {word}{target} }}"));
        }
        true
    }
}
