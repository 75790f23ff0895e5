//! The names of types in messages: as they are written, and told apart where one name has meant several types.
//!
//! In: a type. Out: its name; a struct or enum whose name means another by now has the input or file of its definition
//! behind it: `P of <input 1>`. Invariant: a type of a program in which nothing was redefined is named as
//! [`Module::type_name`](crate::ir::Module::type_name) names it.

use hashbrown::HashSet;

use super::environment::{Collection, DefKind, Environment, Origin};
use crate::ir::{RecordRef, Type, TypeRef};
use crate::settings::check::TYPE_NAME_LEVELS;
use crate::source::{SourceMap, Span};

impl Environment {
    /// The name of a type; see the module.
    pub(crate) fn type_name(&self, ty: TypeRef, sources: &SourceMap) -> String {
        match self.contains_former(ty) {
            true => self.told(ty, sources, TYPE_NAME_LEVELS),
            false => self.module.type_name(ty),
        }
    }

    /// Returns true if some record in a type is one whose name means another by now.
    fn contains_former(&self, ty: TypeRef) -> bool {
        let (mut seen, mut pending): (HashSet<TypeRef>, _) = (std::iter::once(ty).collect(), vec![ty]);
        while let Some(ty) = pending.pop() {
            if matches!(*self.type_of(ty), Type::Record(record) if self.former(record).is_some()) {
                return true;
            }
            pending.extend(self.parts(ty).into_iter().filter(|part| seen.insert(*part)));
        }
        false
    }

    /// The types that the name of a type is made of.
    fn parts(&self, ty: TypeRef) -> Vec<TypeRef> {
        match *self.type_of(ty) {
            Type::Int | Type::Float | Type::Bool | Type::Byte | Type::Str => Vec::new(),
            Type::Array(of) | Type::Optional(of) => vec![of],
            Type::Record(record) => match &self.records[record].origin {
                Origin::Hidden | Origin::Struct(_) => Vec::new(),
                Origin::Template(_, types) | Origin::Collection(_, types) => types.clone(),
            },
            Type::Func(sig) | Type::Code(sig) => {
                let sig = &self.module.sigs[sig];
                sig.params.iter().copied().chain(sig.result).collect()
            }
        }
    }

    /// The definition that a record comes from, if its name means another by now.
    fn former(&self, record: RecordRef) -> Option<Span> {
        let (name, is_present): (_, &dyn Fn(DefKind) -> bool) = match &self.records[record].origin {
            Origin::Hidden | Origin::Collection(..) => return None,
            Origin::Struct(item) => (&item.name, &|kind| kind == DefKind::Struct(record)),
            Origin::Template(id, _) => (self.templates[*id].item.name(), &|kind| kind == DefKind::Template(*id)),
        };
        let present = self.names.get(&name.text)?;
        (!is_present(present.kind)).then_some(name.span)
    }

    fn told(&self, ty: TypeRef, sources: &SourceMap, levels: usize) -> String {
        self.module.type_name_by(ty, levels, &|record, below| self.record_name(record, sources, below))
    }

    fn record_name(&self, record: RecordRef, sources: &SourceMap, levels: usize) -> String {
        let all =
            |types: &[TypeRef]| types.iter().map(|ty| self.told(*ty, sources, levels)).collect::<Vec<_>>().join(", ");
        let name = match &self.records[record].origin {
            Origin::Hidden | Origin::Struct(_) => self.module.records[record].name.clone(),
            Origin::Template(id, types) => match types.is_empty() {
                true => self.templates[*id].item.name().text.to_string(),
                false => format!("{}[{}]", self.templates[*id].item.name().text, all(types)),
            },
            Origin::Collection(Collection::List, types) => format!("list[{}]", all(types)),
            Origin::Collection(Collection::Dict, types) => format!("dict[{}]", all(types)),
            Origin::Collection(Collection::Set, types) => format!("set[{}]", all(types)),
            Origin::Collection(Collection::Tuple, types) => format!("({})", all(types)),
        };
        match self.former(record) {
            Some(span) => format!("{name} of {}", sources.file(span.file).name),
            None => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::session::{Input, NoFiles, Session, SessionKind};

    fn add(session: &mut Session, name: &str, text: &str) -> Option<String> {
        let input = Input { name, key: None, bytes: text.as_bytes() };
        let found = session.add(input, &mut NoFiles).err()?;
        Some(found[0].message())
    }

    #[test]
    fn types_of_one_name_are_told_apart() {
        let mut session = Session::new(SessionKind::Repl);
        let mut refusal = |name: &str, text: &str| add(&mut session, name, text);
        let first = "struct P { x: int }\nenum E { A }\nlet p = P(x: 1)\nlet ps = list((p, E.A))\nlet one = [p]";
        assert_eq!(refusal("one", first), None);
        let wrong = refusal("two", "let q: str = p");
        assert_eq!(wrong.as_deref(), Some("expected `str`, found `P`"));
        assert_eq!(refusal("three", "struct P { x: int, y: int }\nenum E { A, B }"), None);
        let messages = [
            ("let q: P = p", "expected `P`, found `P of one`"),
            ("let q: [P] = one", "expected `[P]`, found `[P of one]`"),
            ("let q: list[(P, E)] = ps", "expected `list[(P, E)]`, found `list[(P of one, E of one)]`"),
            ("let q: str = P(x: 1, y: 2)", "expected `str`, found `P`"),
        ];
        for (text, message) in messages {
            assert_eq!(refusal("four", text).as_deref(), Some(message), "{text}");
        }
    }
}
