//! The state of the generator: the program's declarations, and the context of the next piece of text.
//!
//! In: a seed and a size. Out: [`Gen`], whose methods in `expr`, `stmt`, `function` and `shape` write the program.
//!
//! Termination. There is no clock and no fuel in the programs. Instead every loop has a trip count known here, every
//! recursion a parameter that counts down from a known depth, and every function a cost: the operations it takes at
//! most, its callees included. [`Context::times`] is the greatest number of runs of the present place per invocation of
//! the function, so `cost * times` is the cost that a piece of text adds to the function around it. A piece that would
//! pass the function's `cap` is not generated.
//!
//! Failures. Operations are guarded unless the place [may fail](Gen::may_fail): inside a `try`, or in a
//! function chosen to be fallible, which is then called only from such places in turn.

use crate::Size;
use crate::lines::Lines;
use crate::rng::Rng;
use crate::scope::{Kind, Scope, Var};
use crate::ty::{Ty, Types};
use crate::weights;

/// A function of the program.
#[derive(Clone)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// The types of its parameters.
    pub(crate) params: Vec<Ty>,
    /// The type of its result.
    pub(crate) result: Option<Ty>,
    /// Greatest number of operations of one call.
    pub(crate) cost: u64,
    /// Its effects beyond the result.
    pub(crate) effects: Effects,
}

/// The effects of a piece of code, callees included.
#[derive(Clone, Copy, Default)]
pub(crate) struct Effects {
    /// It may fail to its caller.
    pub(crate) fails: bool,
    /// It names a global.
    pub(crate) globals: bool,
    /// It calls a function value.
    pub(crate) indirect: bool,
}

/// A loop around the present place.
#[derive(Clone)]
pub(crate) struct Loop {
    /// Its label.
    pub(crate) label: Option<String>,
}

/// The context in the program of the next piece of text.
#[derive(Clone)]
pub(crate) struct Context {
    /// The result type of the function around; the outer option is `None` outside of functions.
    pub(crate) result: Option<Option<Ty>>,
    /// Greatest number of runs of this place per invocation of the function.
    pub(crate) times: u64,
    /// Number of operations so far.
    pub(crate) spent: u64,
    /// Bound on the number of operations.
    pub(crate) cap: u64,
    /// Loops around, the innermost last.
    pub(crate) loops: Vec<Loop>,
    /// Number of `try` bodies of the function around.
    pub(crate) tries: usize,
    /// Number of statements around.
    pub(crate) nesting: u32,
    /// Effects allowed outside of `try`.
    pub(crate) allowed: Effects,
    /// True if functions of the program may be called.
    pub(crate) calls: bool,
    /// Effects so far.
    pub(crate) effects: Effects,
}

/// Bound on the operations of a function that becomes a value: the assumed cost of an indirect call.
pub(crate) const VALUE_COST: u64 = 160;

const NAMES: &[&str] = &["a", "b", "n", "t", "u", "v", "w", "acc", "sum", "cur", "best", "total", "last", "mix"];

/// Built-ins whose names a program may give to a function of its own.
const REPLACEABLE: &[&str] = &["abs", "floor", "popcount", "clz", "exp", "min", "max", "pow", "chr"];

/// The generator of one program.
pub(crate) struct Gen {
    /// Its choices.
    pub(crate) rng: Rng,
    /// The size of the program.
    pub(crate) size: Size,
    /// The types it declares.
    pub(crate) types: Types,
    /// Its functions so far.
    pub(crate) functions: Vec<Function>,
    /// The visible variables.
    pub(crate) scope: Scope,
    /// The context of the next piece.
    pub(crate) cx: Context,
    /// The text being written.
    pub(crate) out: Lines,
    /// Finished definitions, in any order.
    pub(crate) items: Vec<String>,
    /// Statements that run a shape, each with its cost.
    pub(crate) drivers: Vec<(String, u64)>,
    /// The built-in whose name a function of the program may have: it is not used as a built-in.
    pub(crate) replaced: Option<&'static str>,
    /// True if function values may fail.
    pub(crate) values_fail: bool,
    names: u32,
}

impl Context {
    /// A place in a function with the given result, or, with `None`, at top level.
    pub(crate) fn new(result: Option<Option<Ty>>, cap: u64) -> Self {
        let allowed = Effects { fails: false, globals: true, indirect: true };
        Self {
            result,
            times: 1,
            spent: 0,
            cap,
            loops: Vec::new(),
            tries: 0,
            nesting: 0,
            allowed,
            calls: true,
            effects: Effects::default(),
        }
    }
}

impl Gen {
    /// A generator at the start of its program.
    pub(crate) fn new(seed: u64, size: Size) -> Self {
        let mut rng = Rng::new(seed);
        let types = Types::choose(&mut rng);
        let replaced = rng.chance(weights::REPLACES_BUILTIN).then(|| *rng.pick(REPLACEABLE));
        let values_fail = rng.chance(weights::FALLIBLE_VALUES);
        Self {
            rng,
            size,
            types,
            functions: Vec::new(),
            scope: Scope::default(),
            cx: Context::new(None, size.operations()),
            out: Lines::default(),
            items: Vec::new(),
            drivers: Vec::new(),
            replaced,
            values_fail,
            names: 0,
        }
    }

    /// A name that nothing else has, made of a stem that fits the type.
    pub(crate) fn fresh(&mut self, ty: &Ty) -> String {
        self.names += 1;
        let stem = match ty {
            Ty::Int | Ty::Byte => *self.rng.pick(NAMES),
            Ty::Float => *self.rng.pick(&["x", "y", "z", "f", "rate", "mean"]),
            Ty::Bool => *self.rng.pick(&["ok", "done", "flag", "seen"]),
            Ty::Str => *self.rng.pick(&["s", "name", "line", "word"]),
            Ty::Array(_) => *self.rng.pick(&["xs", "ys", "row", "table", "data", "cells"]),
            Ty::Struct(_) => *self.rng.pick(&["p", "q", "node", "item"]),
            Ty::Optional(_) => *self.rng.pick(&["maybe", "found", "opt"]),
            Ty::Fn(_) => *self.rng.pick(&["op", "f", "step_with", "visit"]),
        };
        format!("{stem}{}", self.names)
    }

    /// A name with the given stem that nothing else has.
    pub(crate) fn fresh_named(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Counts operations at the present place.
    pub(crate) fn spend(&mut self, operations: u64) {
        self.cx.spent = self.cx.spent.saturating_add(operations.saturating_mul(self.cx.times));
    }

    /// Number of operations that each run of the present place may still take.
    pub(crate) fn room(&self) -> u64 {
        self.cx.cap.saturating_sub(self.cx.spent) / self.cx.times
    }

    /// Returns true if an operation that may fail is allowed here.
    pub(crate) fn may_fail(&self) -> bool {
        self.cx.tries > 0 || self.cx.allowed.fails
    }

    /// Decides if an operation is left unguarded, and records that it was.
    pub(crate) fn unguarded(&mut self) -> bool {
        let leave = self.may_fail() && self.rng.chance(weights::UNGUARDED);
        if leave {
            self.note_failure();
        }
        leave
    }

    /// Records that an operation at the present place may fail.
    pub(crate) fn note_failure(&mut self) {
        self.cx.effects.fails |= self.cx.tries == 0;
    }

    /// Records that a variable is named.
    pub(crate) fn note_use(&mut self, var: &Var) {
        self.cx.effects.globals |= var.kind == Kind::Global;
    }

    /// Returns true if `name` means the built-in here.
    pub(crate) fn builtin(&self, name: &str) -> bool {
        self.replaced != Some(name) && !self.scope.hides(name)
    }

    /// Returns true if `function` may be called at the present place.
    pub(crate) fn callable(&self, function: &Function) -> bool {
        let effects = function.effects;
        self.cx.calls
            && function.cost <= self.room() / 2
            && (!effects.fails || self.may_fail())
            && (!effects.globals || self.cx.allowed.globals)
            && (!effects.indirect || self.cx.allowed.indirect)
            && !self.scope.hides(&function.name)
    }

    /// Counts a call of `function`.
    pub(crate) fn note_call(&mut self, function: &Function) {
        self.spend(function.cost + 2);
        if function.effects.fails {
            self.note_failure();
        }
        self.cx.effects.globals |= function.effects.globals;
        self.cx.effects.indirect |= function.effects.indirect;
    }

    /// Returns true if function values may be called here.
    pub(crate) fn may_call_values(&self) -> bool {
        self.cx.calls
            && self.cx.allowed.indirect
            && VALUE_COST <= self.room() / 2
            && (!self.values_fail || self.may_fail())
    }

    /// Counts a call of a function value.
    pub(crate) fn note_indirect_call(&mut self) {
        self.spend(VALUE_COST + 3);
        self.cx.effects.indirect = true;
        if self.values_fail {
            self.note_failure();
        }
    }

    /// Greatest depth of an expression here: less in code that runs often.
    pub(crate) fn depth(&mut self) -> u32 {
        let most = match self.room() {
            0..=40 => return 0,
            41..=200 => 1,
            201..=2000 => 2,
            _ => 4,
        };
        let usual = self.rng.range(1, 3) as u32;
        let depth = if self.rng.chance(6) { usual + 2 } else { usual };
        depth.min(most)
    }
}
