//! Functions of random statements.
//!
//! In: the types and the functions so far. Out: their text among the items, and a [`Function`] each. Invariants: a
//! function calls only those before it, or itself with a parameter that counts down, so that every call ends; none
//! falls off its end without a result.

use crate::expr::Ex;
use crate::r#gen::{Context, Effects, Function, Gen, VALUE_COST};
use crate::scope::{Assign, Kind, Scope, Var};
use crate::ty::Ty;
use crate::weights;

/// A parameter: its name and type.
pub(crate) type Param = (String, Ty);

const STEMS: &[&str] =
    &["apply", "blend", "check", "fold", "grow", "mix", "probe", "scan", "score", "turn", "walk", "weigh"];

/// The form in which a function calls itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recursion {
    Once,
    Twice,
    Mutual,
}

impl Gen {
    /// Writes one function for each signature, so that there is a value of every function type. They call nothing.
    pub(crate) fn value_functions(&mut self) {
        let first = self.functions.len();
        for id in 0..self.types.signatures.len() {
            let (params, result) = (self.types.signatures[id].params.clone(), self.types.signatures[id].result.clone());
            let name = self.function_stem();
            self.functions.push(Function { name, params, result, cost: VALUE_COST, effects: Effects::default() });
        }
        for at in first..self.functions.len() {
            let function = self.functions[at].clone();
            let params = self.named(&function.params);
            let mut cx = Context::new(Some(function.result.clone()), VALUE_COST);
            cx.calls = false;
            cx.allowed = Effects::default();
            self.function(&function.name, &params, cx, 2);
        }
    }

    /// Writes one more function that fits a signature.
    pub(crate) fn another_value_function(&mut self) {
        let id = self.rng.below(self.types.signatures.len() as u64) as usize;
        let (params, result) = (self.types.signatures[id].params.clone(), self.types.signatures[id].result.clone());
        let mut cx = Context::new(Some(result), VALUE_COST);
        cx.allowed = Effects { fails: self.values_fail, globals: true, indirect: false };
        let (name, params) = (self.function_stem(), self.named(&params));
        let function = self.function(&name, &params, cx, 2);
        self.functions.push(function);
    }

    /// Writes a function of random statements.
    pub(crate) fn plain_function(&mut self) {
        let many = self.rng.chance(weights::MANY_PARAMS);
        let types: Vec<Ty> = if many { self.many_params() } else { self.few_params() };
        let params = self.named(&types);
        let result = if self.rng.chance(85) { Some(self.types.any(&mut self.rng)) } else { None };
        let cap = *self.rng.pick(&[150, 400, 1200, 4000, 9000]);
        let mut cx = Context::new(Some(result), cap.min(self.size.operations() / 4));
        cx.allowed.fails = self.rng.chance(weights::FALLIBLE_FUNCTION);
        cx.allowed.indirect = self.rng.chance(60);
        let name = match self.replaced {
            Some(name) if self.functions.iter().all(|other| other.name != name) => name.to_owned(),
            _ => self.function_stem(),
        };
        let function = self.function(&name, &params, cx, 6);
        self.functions.push(function);
    }

    fn few_params(&mut self) -> Vec<Ty> {
        let count = self.rng.range(0, 4);
        (0..count).map(|_| self.types.any(&mut self.rng)).collect()
    }

    /// Parameter types, more than a machine passes in registers.
    fn many_params(&mut self) -> Vec<Ty> {
        let pools: [&[Ty]; 4] = [&[Ty::Int], &[Ty::Float], &[Ty::Int, Ty::Float, Ty::Bool, Ty::Str], &[]];
        let pool = *self.rng.pick(&pools);
        let any = |g: &mut Self| g.types.any(&mut g.rng);
        (0..self.rng.range(7, 20))
            .map(|_| if pool.is_empty() { any(self) } else { self.rng.pick(pool).clone() })
            .collect()
    }

    pub(crate) fn function_stem(&mut self) -> String {
        let stem = *self.rng.pick(STEMS);
        self.fresh_named(stem)
    }

    pub(crate) fn named(&mut self, types: &[Ty]) -> Vec<Param> {
        types.iter().map(|ty| (self.fresh(ty), ty.clone())).collect()
    }

    /// Writes a function of at most `most` statements and its return.
    fn function(&mut self, name: &str, params: &[Param], cx: Context, most: i64) -> Function {
        let (outer_scope, outer_cx) = self.begin(name, params, cx);
        let count = self.rng.range(0, most) as u64;
        self.statements(count);
        self.last_return();
        self.finish(name, params, outer_scope, outer_cx)
    }

    /// Opens a function.
    pub(crate) fn begin(&mut self, name: &str, params: &[Param], cx: Context) -> (Scope, Context) {
        let result = cx.result.clone().flatten();
        let inner = Scope::with(self.scope.outermost());
        let outer = (std::mem::replace(&mut self.scope, inner), std::mem::replace(&mut self.cx, cx));
        for (param, ty) in params {
            self.scope.declare(Var::new(param, ty.clone(), Kind::Local));
        }
        if self.rng.chance(15) {
            self.out.line(&format!("/// {} of random parts.", if result.is_some() { "A value" } else { "An effect" }));
        }
        let texts: Vec<_> = params.iter().map(|(param, ty)| format!("{param}: {}", self.types.text(ty))).collect();
        let arrow = result.map(|ty| format!(" -> {}", self.types.text(&ty))).unwrap_or_default();
        self.out.open(&format!("fn {name}({}){arrow} {{", texts.join(", ")));
        outer
    }

    /// Closes a function and adds its text to the items.
    pub(crate) fn finish(&mut self, name: &str, params: &[Param], scope: Scope, cx: Context) -> Function {
        self.out.close();
        let text = self.out.take();
        self.items.push(text);
        self.scope = scope;
        let inner = std::mem::replace(&mut self.cx, cx);
        Function {
            name: name.to_owned(),
            params: params.iter().map(|(_, ty)| ty.clone()).collect(),
            result: inner.result.flatten(),
            cost: inner.spent + 2,
            effects: inner.effects,
        }
    }

    /// Writes the end of a function: every kind of return.
    fn last_return(&mut self) {
        let Some(ty) = self.cx.result.clone().flatten() else {
            if self.rng.chance(20) {
                self.out.line("return");
            }
            return;
        };
        match self.rng.below(12) {
            0 => self.return_from_loop(&ty),
            1 => self.return_from_match(&ty),
            2 | 3 => {
                let cond = self.condition();
                let (yes, no) = (self.value(&ty, 1), self.value(&ty, 1));
                self.out.line(&format!("if {cond} {{ return {yes} }} else {{ return {no} }}"));
            }
            4 if self.cx.allowed.fails => {
                let (cond, value) = (self.condition(), self.value(&ty, 1));
                self.out.line(&format!("if {cond} {{ return {value} }}"));
                self.note_failure();
                let message = self.value(&Ty::Str, 1);
                self.out.line(&format!("fail {message}"));
            }
            _ => {
                let depth = self.depth();
                let value = self.value(&ty, depth);
                self.out.line(&format!("return {value}"));
            }
        }
    }

    fn return_from_match(&mut self, ty: &Ty) {
        let subject = self.match_subject(1);
        self.out.open(&format!("match {subject} {{"));
        let mut patterns = self.patterns();
        for _ in 0..self.rng.range(1, 3) {
            let (pattern, value) = (self.int_pattern(&mut patterns), self.value(ty, 1));
            self.out.line(&format!("{pattern} => return {value}"));
        }
        let value = self.value(ty, 1);
        self.out.line(&format!("_ => {{ return {value} }}"));
        self.out.close();
    }

    /// Writes a `loop` without `break`.
    fn return_from_loop(&mut self, ty: &Ty) {
        let (count, trips) = (self.fresh(&Ty::Int), self.rng.range(2, 5));
        self.out.line(&format!("var {count} = 0"));
        let times = self.cx.times;
        self.cx.times *= trips as u64 + 1;
        self.add_local(&count, Ty::Int, Assign::Never);
        self.out.open("loop {");
        self.out.line(&format!("{count} += 1"));
        let value = self.value(ty, 1);
        self.out.line(&format!("if {count} > {trips} {{ return {value} }}"));
        self.out.close();
        self.cx.times = times;
    }

    /// Writes a function that calls itself, or a partner that calls it back.
    pub(crate) fn recursive_function(&mut self) {
        let kind = *self.rng.pick(&[Recursion::Once, Recursion::Once, Recursion::Twice, Recursion::Mutual]);
        let (limit, calls, cap) = match kind {
            Recursion::Once if self.rng.chance(25) => (200, 200, 25),
            Recursion::Once | Recursion::Mutual => (14, 14, 120),
            Recursion::Twice => (5, 32, 60),
        };
        let mut types = vec![Ty::Int];
        types.extend((0..self.rng.range(0, 3)).map(|_| self.types.any(&mut self.rng)));
        let result = self.types.any(&mut self.rng);
        let (name, partner) = (self.function_stem(), self.function_stem());
        let mut cx = Context::new(Some(Some(result)), cap);
        cx.allowed.fails = self.rng.chance(weights::FALLIBLE_FUNCTION);
        let callee = if kind == Recursion::Mutual { &partner } else { &name };
        let mut function = self.recursive_body(&name, callee, &types, cx.clone(), kind, limit);
        if kind == Recursion::Mutual {
            let other = self.recursive_body(&partner, &name, &types, cx, kind, limit);
            function.cost += other.cost;
            function.effects.fails |= other.effects.fails;
            function.effects.globals |= other.effects.globals;
            function.effects.indirect |= other.effects.indirect;
        }
        function.cost = function.cost.saturating_mul(calls);
        self.functions.push(function);
    }

    fn recursive_body(
        &mut self,
        name: &str,
        callee: &str,
        types: &[Ty],
        cx: Context,
        kind: Recursion,
        limit: i64,
    ) -> Function {
        let Some(Some(ty)) = cx.result.clone() else { unreachable!("recursive functions have a result") };
        let params = self.named(types);
        let fuel = params[0].0.clone();
        let (outer_scope, outer_cx) = self.begin(name, &params, cx);
        let base = self.leaf(&ty);
        let base = self.stored(&ty, base);
        self.out.line(&format!("if {fuel} <= 0 || {fuel} > {limit} {{ return {base} }}"));
        if let Some(var) = self.scope.note(&fuel) {
            var.range = Some((1, limit));
        }
        self.statements(2);
        // A statement may have declared another variable of the name; only the parameter counts down.
        let fuel_hidden = self.scope.find(|var| var.name == fuel && var.range == Some((1, limit))).is_empty();
        let calls = match kind {
            _ if fuel_hidden => 0,
            Recursion::Twice => 2,
            Recursion::Once | Recursion::Mutual => 1,
        };
        for step in 1..=calls {
            let mut args = vec![format!("{fuel} - {step}")];
            for arg in &types[1..] {
                let ex = self.expr(arg.read(), 1);
                args.push(self.stored(arg, ex));
            }
            let inner = self.fresh(&ty);
            let call = Ex::atom(format!("{callee}({})", args.join(", ")));
            self.out.line(&format!("let {inner}: {} = {}", self.types.text(&ty), call.text));
            self.add_local(&inner, ty.clone(), Assign::Never);
        }
        self.statements(1);
        let value = self.value(&ty, 2);
        self.out.line(&format!("return {value}"));
        self.finish(name, &params, outer_scope, outer_cx)
    }
}
