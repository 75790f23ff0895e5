//! Shapes of real code: loop nests, machines, tables and structures, with random parts.
//!
//! In: the generator. Out: functions among the items and a statement that runs them, with its cost. Invariants: a
//! shape's text names nothing of the program but its own definitions and the holes it asked for; holes call nothing
//! and cannot fail; a shape catches its own failures.

mod contribution;
mod machine;
mod numeric;
mod program;
mod record;
mod search;
mod state;
mod table;
mod texts;

use crate::expr::Level;
use crate::r#gen::{Context, Effects, Gen};
use crate::scope::{Kind, Scope, Var};
use crate::ty::Ty;
use contribution::Shape;

type Build = fn(&mut Gen) -> Shape;

const SHAPES: &[Build] = &[
    Gen::matrix_product,
    Gen::stencil,
    Gen::sieve,
    Gen::trajectory,
    Gen::mixer,
    Gen::escape_time,
    Gen::filter,
    Gen::byte_machine,
    Gen::bytecode,
    Gen::interpreter,
    Gen::dispatch,
    Gen::retries,
    Gen::phases,
    Gen::memory_machine,
    Gen::linked_list,
    Gen::tree,
    Gen::particles,
    Gen::queue,
    Gen::queens,
    Gen::parity,
    Gen::common_subsequence,
    Gen::permutations,
    Gen::binary_search,
    Gen::hash_table,
    Gen::insertion_sort,
    Gen::histogram,
    Gen::heap,
    Gen::fizz,
    Gen::words,
    Gen::cipher,
    Gen::digits,
];

impl Gen {
    /// Adds a shape to the program.
    pub(crate) fn shape(&mut self) {
        let build = *self.rng.pick(SHAPES);
        let replaced = self.replaced;
        let shape = build(self);
        // Shapes use built-ins freely: one that a program has replaced means something else.
        let texts = || shape.items.iter().chain([&shape.driver]);
        let uses = |name: &str| texts().any(|text| text.contains(&format!("{name}(")));
        if replaced.is_some_and(uses) {
            return;
        }
        self.items.extend(shape.items);
        self.drivers.push((shape.driver, shape.cost));
    }

    /// `template` with each `$name$` replaced.
    fn fill(template: &str, holes: &[(&str, String)]) -> String {
        let mut text = template.trim_start_matches('\n').to_owned();
        for (name, value) in holes {
            text = text.replace(&format!("${name}$"), value);
        }
        assert!(!text.contains('$'), "a hole was left open in {text}");
        text
    }

    /// An expression over the given variables alone, in parentheses where it needs them.
    pub(crate) fn hole(&mut self, ty: &Ty, vars: &[(&str, Ty)], depth: u32) -> String {
        self.hole_at(ty, vars, depth, Level::Postfix)
    }

    /// A condition over the given variables alone.
    fn test_hole(&mut self, vars: &[(&str, Ty)], depth: u32) -> String {
        self.hole_at(&Ty::Bool, vars, depth, Level::Or)
    }

    fn hole_at(&mut self, ty: &Ty, vars: &[(&str, Ty)], depth: u32, level: Level) -> String {
        let vars = vars.iter().map(|(name, ty)| Var::new(*name, ty.clone(), Kind::Local)).collect();
        let scope = std::mem::replace(&mut self.scope, Scope::with(vars));
        let mut cx = Context::new(None, 10_000);
        cx.calls = false;
        cx.allowed = Effects::default();
        let cx = std::mem::replace(&mut self.cx, cx);
        let ex = self.expr(ty, depth);
        let text = self.operand(&ex, level);
        self.scope = scope;
        self.cx = cx;
        text
    }

    /// A trip count from `least` to `most`, fewer in small programs.
    pub(crate) fn rounds(&mut self, least: i64, most: i64) -> i64 {
        let most = match self.size {
            crate::Size::Small => least + (most - least) / 8,
            crate::Size::Medium => least + (most - least) / 2,
            crate::Size::Large => most,
        };
        self.rng.range(least, most.max(least))
    }

    /// A number as text.
    fn number(&mut self, low: i64, high: i64) -> String {
        self.rng.range(low, high).to_string()
    }
}
