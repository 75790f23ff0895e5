//! The meaning of every name of an input, for readers of the program.
//!
//! In: an input that was checked, with errors or without, and the checker's marks. Out: [`Meanings`]: variables, uses,
//! and the scope at the place that is asked about. Invariant: where both the walk and the checker know what a name
//! means, the checker is right.

use super::super::Checker;
use super::super::unit::Unit;
use super::names::{LocalKind, LocalName, Uses};
use super::noted::Noted;
use crate::ast::Mutability;
use crate::index::{Symbol, SymbolKind};
use crate::source::Span;
use hashbrown::{HashMap, HashSet};

/// The meanings of names.
pub(in crate::check) struct Meanings {
    /// Variables, parameters and constants of bodies.
    pub(in crate::check) locals: Vec<Symbol>,
    /// Names, each with the definition that it means.
    pub(in crate::check) uses: Vec<(Span, Span)>,
    /// Names of fields and variants that mean nothing known.
    pub(in crate::check) open: Vec<Span>,
    /// Those of `locals` that are seen from the place that is asked about.
    pub(in crate::check) in_scope: Vec<Symbol>,
}

impl Checker<'_> {
    /// Finds the meanings of all names.
    pub(in crate::check) fn meanings(&self, unit: &Unit) -> Meanings {
        let mut uses = Uses::new(self.env);
        uses.noted = Some(Noted::new(&self.marks));
        uses.unit(unit);
        let noted = uses.noted.take().expect("it was put there");
        let locals: Vec<Symbol> = uses.locals.iter().map(|local| self.local_symbol(local)).collect();
        let in_scope = noted.in_scope.unwrap_or_default().into_iter().map(|at| locals[at].clone()).collect();
        let mut found: HashMap<Span, Span> = noted.uses.into_iter().collect();
        found.extend(&self.marks.uses);
        let known: HashSet<Span> = found.keys().copied().collect();
        let open = noted.members.into_iter().filter(|name| !known.contains(name)).collect();
        Meanings { locals, uses: found.into_iter().collect(), open, in_scope }
    }

    fn local_symbol(&self, local: &LocalName) -> Symbol {
        let name = local.name.as_str();
        let (word, kind) = match local.kind {
            LocalKind::Variable(Mutability::Fixed) => ("let ", SymbolKind::Variable),
            LocalKind::Variable(Mutability::Variable) => ("var ", SymbolKind::Variable),
            LocalKind::LoopVariable => ("for ", SymbolKind::Variable),
            LocalKind::Message => ("catch ", SymbolKind::Variable),
            LocalKind::Constant => ("const ", SymbolKind::Constant),
            LocalKind::Param => ("", SymbolKind::Parameter),
        };
        let ty = self.marks.types.get(&local.name.span).map(|&ty| self.env.type_name(ty, self.sources));
        let ty = ty.map(|ty| format!(": {ty}")).unwrap_or_default();
        Symbol { name: name.to_owned(), span: local.name.span, kind, head: format!("{word}{name}{ty}"), doc: None }
    }
}
