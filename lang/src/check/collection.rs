//! Lists, dicts, sets and tuples as types: each is a record of a shape of its own, made once for each set of types.
//!
//! In: a built-in type with its types. Out: its record. Invariant: the fields are those that
//! [`Shape`](crate::ir::Shape) tells; the prelude reads and writes them by the names that stand here.

use super::Checker;
use super::environment::{Collection, Origin};
use super::error::CheckError;
use super::report::Checked;
use crate::diagnostic::Diagnostic;
use crate::ir::{RecordRef, Shape, Type, TypeRef};
use crate::settings::check::{LONGEST_NAME, MOST_PARTS};
use crate::source::Span;

/// The built-in type of that name, and the number of types that it takes.
pub(super) fn collection_named(name: &str) -> Option<(Collection, usize)> {
    match name {
        "list" => Some((Collection::List, 1)),
        "dict" => Some((Collection::Dict, 2)),
        "set" => Some((Collection::Set, 1)),
        _ => None,
    }
}

impl Checker<'_> {
    /// `list[T]`, `dict[K, V]` or `set[T]`.
    pub(super) fn collection_type(
        &mut self,
        collection: Collection,
        types: Vec<TypeRef>,
        span: Span,
    ) -> Checked<TypeRef> {
        if matches!(collection, Collection::Dict | Collection::Set) {
            self.key_type(types[0], span)?;
        }
        let record = self.collection(collection, types);
        Ok(self.env.ty(Type::Record(record)))
    }

    /// `(A, B)`
    pub(super) fn tuple_type(&mut self, parts: Vec<TypeRef>, span: Span) -> Checked<TypeRef> {
        if parts.len() > MOST_PARTS {
            let help = "a struct names what it holds";
            return Err(self.report(Diagnostic::error(CheckError::TupleTooLong, span).with_help(help)));
        }
        let record = self.collection(Collection::Tuple, parts);
        Ok(self.env.ty(Type::Record(record)))
    }

    /// `list[of]`
    pub(super) fn list_of(&mut self, of: TypeRef) -> TypeRef {
        let record = self.collection(Collection::List, vec![of]);
        self.env.ty(Type::Record(record))
    }

    /// The record of a built-in type.
    pub(super) fn collection(&mut self, collection: Collection, types: Vec<TypeRef>) -> RecordRef {
        let key = (collection, types);
        if let Some(&record) = self.env.collections.get(&key) {
            return record;
        }
        let (_, types) = &key;
        let names = self.names_of(types);
        let int = self.env.basic.int;
        let bool = self.env.basic.bool;
        let (name, shape, fields) = match collection {
            Collection::List => {
                let data = self.env.array(types[0]);
                (format!("list[{names}]"), Shape::List, vec![("_data", data), ("_len", int)])
            }
            Collection::Dict => {
                let (keys, values, ints) = (self.env.array(types[0]), self.env.array(types[1]), self.env.array(int));
                let moves = self.moves_type();
                let moves = self.env.optional(moves).expect("records can be optional");
                let fields = vec![
                    ("_keys", keys),
                    ("_values", values),
                    ("_hashes", ints),
                    ("_used", int),
                    ("_len", int),
                    ("_table", ints),
                    ("_moves", moves),
                ];
                (format!("dict[{names}]"), Shape::Dict, fields)
            }
            Collection::Set => {
                let dict = self.collection(Collection::Dict, vec![types[0], bool]);
                let dict = self.env.ty(Type::Record(dict));
                (format!("set[{names}]"), Shape::Set, vec![("_dict", dict)])
            }
            Collection::Tuple => {
                let parts = ["0", "1", "2", "3", "4", "5", "6", "7"];
                (format!("({names})"), Shape::Tuple, parts.into_iter().zip(types.iter().copied()).collect())
            }
        };
        let (collection, types) = key;
        let record = self.env.add_record(name, shape, Origin::Collection(collection, types.clone()));
        self.env.collections.insert((collection, types), record);
        for (name, ty) in fields {
            self.env.add_field(record, name, Ok(ty), self.nowhere());
        }
        record
    }

    /// The names of types, as they stand between brackets.
    pub(super) fn names_of(&self, types: &[TypeRef]) -> String {
        let name = |&ty: &TypeRef| {
            let name = self.env.module.type_name(ty);
            if name.len() > LONGEST_NAME { "...".to_owned() } else { name }
        };
        types.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// The type of a move: the places to which the entries of a dict moved when those that were removed made room. A chain
    /// of them lets a loop that is on its way find its place again.
    pub(super) fn moves_type(&mut self) -> TypeRef {
        let key = (Collection::Tuple, Vec::new());
        if let Some(&record) = self.env.collections.get(&key) {
            return self.env.ty(Type::Record(record));
        }
        let record = self.env.add_record("moves".to_owned(), Shape::Hidden, Origin::Hidden);
        self.env.collections.insert(key, record);
        let ty = self.env.ty(Type::Record(record));
        let next = self.env.optional(ty).expect("records can be optional");
        let int = self.env.basic.int;
        let places = self.env.array(int);
        self.env.add_field(record, "_places", Ok(places), self.nowhere());
        self.env.add_field(record, "_next", Ok(next), self.nowhere());
        ty
    }

    /// Refuses a type that cannot be a key.
    pub(super) fn key_type(&mut self, ty: TypeRef, span: Span) -> Checked<()> {
        let mut seen = Vec::new();
        if self.is_key(ty, &mut seen) {
            return Ok(());
        }
        let error = CheckError::BadKey(self.env.type_name(ty, self.sources));
        let help = "keys are int, bool, str, and tuples and enums of these";
        Err(self.report(Diagnostic::error(error, span).with_help(help)))
    }

    fn is_key(&self, ty: TypeRef, seen: &mut Vec<TypeRef>) -> bool {
        match *self.env.type_of(ty) {
            Type::Int | Type::Bool | Type::Str => true,
            Type::Float | Type::Byte | Type::Array(_) | Type::Optional(_) | Type::Func(_) | Type::Code(_) => false,
            Type::Record(record) => match self.env.module.records[record].shape {
                Shape::Tuple | Shape::Enum(_) => {
                    if seen.contains(&ty) {
                        return true;
                    }
                    seen.push(ty);
                    let payloads = self.env.records[record].fields.iter();
                    payloads.filter_map(|field| field.ty.ok()).all(|ty| self.is_key(ty, seen))
                }
                Shape::Tag(_) => true,
                Shape::Struct
                | Shape::List
                | Shape::Dict
                | Shape::Set
                | Shape::Closure
                | Shape::Box
                | Shape::Hidden => false,
            },
        }
    }
}
