//! Loops over elements, bytes and chains of optionals.

use std::rc::Rc;

use crate::r#gen::Gen;
use crate::scope::{Assign, Length, Var};
use crate::ty::Ty;

impl Gen {
    /// `for x in a { }`
    pub(super) fn for_each(&mut self) -> bool {
        let (source, elem, trips) = match self.rng.below(10) {
            0..=2 => {
                let ex = self.expr(&Ty::Str, 1);
                let text = self.operand(&ex, crate::expr::Level::Or);
                (text, Ty::Int, ex.str_max)
            }
            3 => match self.odd_array() {
                Some(var) => {
                    let elem = match &var.ty {
                        Ty::Array(elem) => elem.read().clone(),
                        _ => return false,
                    };
                    let trips = if let Length::Exactly(len) = var.length { len } else { 8 };
                    (var.name, elem, trips as u64)
                }
                None => return false,
            },
            _ => match self.any_path(|ty| matches!(ty, Ty::Array(_))) {
                Some((text, Ty::Array(elem))) => (text, elem.read().clone(), elem.max_len() as u64 + 8),
                _ => return false,
            },
        };
        if self.room() < trips * 25 {
            return false;
        }
        let name = self.fresh(&elem);
        self.in_loop(&format!("for {name} in {source}"), trips, |g| {
            g.add_local(&name, elem.clone(), Assign::Never);
            if elem == Ty::Int && g.rng.chance(30) {
                g.accumulate(&name);
            }
            g.body_in_scope(3);
        });
        true
    }

    /// An array of unusual length.
    fn odd_array(&mut self) -> Option<Var> {
        let odd = self.scope.find(|var| var.length != Length::Usual && matches!(var.ty, Ty::Array(_)));
        let odd: Vec<Var> = odd.into_iter().cloned().collect();
        if odd.is_empty() { None } else { Some(self.rng.pick(&odd).clone()) }
    }

    /// Folds a number into a visible variable.
    fn accumulate(&mut self, name: &str) {
        if let Some(place) = self.place(|ty| *ty == Ty::Int) {
            let form = *self.rng.pick(&["# += @", "# = # * 31 + @", "# ^= @ << 3", "# = max(#, @)"]);
            if form.contains("max") && !self.builtin("max") {
                return;
            }
            self.out.line(&form.replace('#', &place.text).replace('@', name));
            self.spend(4);
        }
    }

    /// `while let n = cur { cur = n.next ... }`, cut off if the chain is a ring.
    pub(super) fn while_let(&mut self) -> bool {
        let Some((source, inner)) = self.optional_source() else { return false };
        let most = self.rng.range(3, 9);
        if self.room() < most as u64 * 40 {
            return false;
        }
        let ty = Ty::Optional(inner.clone());
        let (cur, node, count) = (self.fresh_named("cur"), self.fresh(&inner), self.fresh(&Ty::Int));
        self.out.line(&format!("var {cur}: {} = {source}", self.types.text(&ty)));
        self.out.line(&format!("var {count} = 0"));
        let next = self.successor(&node, &inner);
        self.in_loop(&format!("while let {node} = {cur}"), most as u64 + 1, |g| {
            g.out.line(&format!("{count} += 1"));
            g.out.line(&format!("if {count} > {most} {{ break }}"));
            g.out.line(&format!("{cur} = {next}"));
            g.add_local(&node, (*inner).clone(), Assign::Never);
            g.add_counter(&count, 0, most);
            g.body_in_scope(3);
        });
        true
    }

    /// The successor of `node`: a field of its own type, or `none`.
    fn successor(&mut self, node: &str, inner: &Rc<Ty>) -> String {
        let Ty::Struct(id) = **inner else { return "none".to_owned() };
        let links: Vec<String> = self.types.structs[id]
            .fields
            .iter()
            .filter(|(_, ty)| *ty == Ty::Struct(id).optional())
            .map(|(name, _)| name.clone())
            .collect();
        if links.is_empty() { "none".to_owned() } else { format!("{node}.{}", self.rng.pick(&links)) }
    }
}
