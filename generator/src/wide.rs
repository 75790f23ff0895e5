//! Functions of many parameters and locals, all of them live over a nest of loops.
//!
//! In: the program so far. Out: a function among the items, and a statement that calls it time and again, with its cost. Invariants: each
//! parameter and each local is read behind the loops, so that it is live at every header and at every branch in them; some parameters are
//! passed in memory on any machine.

use crate::r#gen::{Context, Gen};
use crate::scope::Assign;
use crate::ty::Ty;

/// The most iterations of one loop of a nest.
const MOST_TRIPS: i64 = 7;
/// The most operations of one call.
const MOST_OPERATIONS: u64 = 2500;

impl Gen {
    /// Writes such a function.
    pub(crate) fn wide_function(&mut self) {
        let types = self.wide_types();
        let (name, params) = (self.function_stem(), self.named(&types));
        let ints: Vec<String> = params.iter().filter(|(_, ty)| *ty == Ty::Int).map(|(name, _)| name.clone()).collect();
        let calls = self.rounds(6, 60);
        let cap = MOST_OPERATIONS.min(self.size.operations() / (4 * calls as u64));
        let (scope, cx) = self.begin(&name, &params, Context::new(Some(Some(Ty::Int)), cap));
        let sum = self.fresh(&Ty::Int);
        self.out.line(&format!("var {sum} = {}", self.rng.pick(&ints)));
        self.add_local(&sum, Ty::Int, Assign::Free);
        let mut kept = params.clone();
        for _ in 0..self.rng.range(0, 14) {
            let ty = self.rng.pick(&types).clone();
            let (local, value) = (self.fresh(&ty), self.value(&ty, 1));
            self.out.line(&format!("var {local}: {} = {value}", self.types.text(&ty)));
            self.add_local(&local, ty.clone(), Assign::Free);
            kept.push((local, ty));
        }
        let depth = self.rng.range(1, 3);
        self.nest(depth, &sum, &ints);
        for (name, ty) in &kept {
            self.fold_into(&sum, name, ty);
        }
        self.out.line(&format!("return {sum}"));
        let function = self.finish(&name, &params, scope, cx);
        let args = types.iter().map(|ty| match ty {
            Ty::Int => self.hole(ty, &[("turn", Ty::Int)], 1),
            _ => self.hole(ty, &[], 0),
        });
        let (args, total) = (args.collect::<Vec<_>>().join(", "), self.fresh_named("turns"));
        let driver = format!(
            "var {total} = 0\nfor turn in 0..{calls} {{ {total} = {total} * 31 + {name}({args}) }}\nprint(\"{name}\", {total})"
        );
        self.drivers.push((driver, (function.cost + 40) * calls as u64));
        self.functions.push(function);
    }

    /// Types of parameters, with an `int` for the loops; most of one type, or of any.
    fn wide_types(&mut self) -> Vec<Ty> {
        let pools: [&[Ty]; 3] = [&[Ty::Int], &[Ty::Int, Ty::Float], &[]];
        let pool = *self.rng.pick(&pools);
        let others = self.rng.range(5, 19);
        let mut types: Vec<Ty> = (0..others)
            .map(|_| if pool.is_empty() { self.types.any(&mut self.rng) } else { self.rng.pick(pool).clone() })
            .collect();
        types.push(Ty::Int);
        self.rng.shuffle(&mut types);
        types
    }

    /// Loops inside each other, with bounds that are known or depend on a parameter.
    fn nest(&mut self, depth: i64, sum: &str, ints: &[String]) {
        if self.room() < 40 {
            return;
        }
        let (counter, bound) = (self.fresh(&Ty::Int), self.rng.pick(ints).clone());
        let first = self.rng.range(0, 2);
        let (range, trips) = match self.rng.below(3) {
            0 => (format!("{first}..{bound} & {MOST_TRIPS}"), MOST_TRIPS),
            _ => {
                let trips = self.rng.range(2, 5);
                (format!("{first}..{}", first + trips), trips)
            }
        };
        self.in_loop(&format!("for {counter} in {range}"), trips as u64 + 1, |g| {
            g.add_counter(&counter, 0, first + MOST_TRIPS);
            if depth > 1 {
                g.nest(depth - 1, sum, ints);
            }
            g.spend(4);
            let line = match g.rng.below(4) {
                0 => format!("{sum} ^= {}", g.rng.pick(ints)),
                1 => format!("if {counter} & 1 == 0 {{ {sum} += {} }} else {{ {sum} -= 1 }}", g.rng.pick(ints)),
                _ => format!("{sum} = {sum} * 3 + {counter}"),
            };
            g.out.line(&line);
            if g.rng.chance(40) {
                g.body_in_scope(2);
            }
        });
        self.out.line(&format!("{sum} ^= {}", self.rng.pick(ints)));
        self.spend(2);
    }

    /// Reads a value into the sum.
    fn fold_into(&mut self, sum: &str, value: &str, ty: &Ty) {
        self.spend(4);
        let line = match ty {
            Ty::Int | Ty::Byte => format!("{sum} = {sum} * 5 + {value}"),
            Ty::Float => format!("if {value} < 1.0 {{ {sum} += 1 }}"),
            Ty::Bool => format!("if {value} {{ {sum} ^= 21 }}"),
            Ty::Str | Ty::Array(_) => format!("{sum} = {sum} * 7 + len({value})"),
            Ty::Optional(_) => format!("if {value} == none {{ {sum} -= 3 }}"),
            Ty::Struct(id) => {
                let fields = self.types.structs[*id].fields.clone();
                let plain = fields.iter().find(|(_, ty)| !matches!(ty, Ty::Struct(_) | Ty::Fn(_)));
                if let Some((field, ty)) = plain {
                    self.fold_into(sum, &format!("{value}.{field}"), ty);
                }
                return;
            }
            Ty::Fn(id) => {
                if !self.may_call_values() {
                    return;
                }
                self.note_indirect_call();
                let params = self.types.signatures[*id].params.clone();
                let args: Vec<String> = params.iter().map(|ty| self.value(ty.read(), 0)).collect();
                format!("{value}({})", args.join(", "))
            }
        };
        self.out.line(&line);
    }
}
