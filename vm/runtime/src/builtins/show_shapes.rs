//! Printed form of records, each by its shape. In: records as objects, with their layouts. Out: bytes, by way of the
//! [`Printer`]. Invariant: every shape with parts is a level of its own, but a list or a set is one level with what it is
//! made of; a variant without payload and a function are none.

use super::show::{MAX_DEPTH, MAX_ELEMENTS, Printed, Printer};
use crate::func_of_word;
use crate::heap::Obj;
use holloway_ir::field::{closure, dict, list, set, variant};
use holloway_ir::{FieldDecl, FunctionKind, Record, RecordRef, Shape, Type, TypeRef, Variant};

/// The name of the functions that closure expressions are.
const UNNAMED: &str = "fn";

impl Printer<'_> {
    /// Prints a record that is there.
    pub(super) fn record(&mut self, record: RecordRef, object: Obj, depth: usize) -> Printed {
        let Record { name, fields, shape } = &self.module.records[record];
        match shape {
            Shape::Closure => return self.closure(object.word()),
            Shape::Enum(variants) => {
                let variant = &variants[self.field(object, variant::NUMBER) as usize];
                if variant.fields.is_empty() {
                    return self.put(variant.name.as_bytes());
                }
                return if depth == MAX_DEPTH {
                    self.put(b"...")
                } else {
                    self.variant(variant, fields, object, depth)
                };
            }
            _ if depth == MAX_DEPTH => return self.put(b"..."),
            _ => {}
        }
        let depth = depth + 1;
        match shape {
            Shape::Struct | Shape::Hidden | Shape::Tag(_) | Shape::Box => self.fields(name, fields, object, depth),
            Shape::Tuple => {
                self.put(b"(")?;
                self.payloads(fields.iter().zip(0..), object, depth)?;
                self.put(b")")
            }
            Shape::List => {
                let Type::Array(of) = self.module.types[fields[0].ty] else { unreachable!("a list has an array") };
                let (array, len) = (self.field(object, list::DATA), self.field(object, list::LEN));
                self.elements(of, self.object(array), len as usize, depth)
            }
            Shape::Dict => self.dict(record, Some(object), true, depth),
            Shape::Set => {
                let Type::Record(dict) = self.module.types[fields[0].ty] else { unreachable!("a set has a dict") };
                let of = self.field(object, set::DICT);
                self.dict(dict, self.object(of), false, depth)
            }
            Shape::Enum(_) | Shape::Closure => unreachable!("they are printed by now"),
        }
    }

    /// Prints a function value of a program that has closures: a function that the program names by its name.
    pub(super) fn closure(&mut self, word: u64) -> Printed {
        let Some(object) = self.object(word) else { return self.put(b"none") };
        let (code, captured) = (func_of_word(self.field(object, closure::CODE)), self.field(object, closure::CAPTURES));
        let body = code.map(|code| &self.module.funcs[code].body);
        match body.filter(|body| captured == 0 && body.kind == FunctionKind::Provided && body.name != UNNAMED) {
            Some(body) => {
                self.put(b"fn ")?;
                self.put(body.name.as_bytes())
            }
            None => self.put(UNNAMED.as_bytes()),
        }
    }

    /// Prints the first so many elements of an array.
    pub(super) fn elements(&mut self, of: TypeRef, array: Option<Obj>, len: usize, depth: usize) -> Printed {
        self.put(b"[")?;
        if let Some(array) = array {
            for at in 0..self.len(array).min(len) {
                if self.begins_nothing(at)? {
                    break;
                }
                let element = self.element(array, at);
                self.value(of, element, depth)?;
            }
        }
        self.put(b"]")
    }

    /// Prints what comes before an element: true if no more are printed.
    fn begins_nothing(&mut self, at: usize) -> Result<bool, super::show::Cut> {
        if at > 0 {
            self.put(b", ")?;
        }
        if at == MAX_ELEMENTS {
            self.put(b"...")?;
        }
        Ok(at == MAX_ELEMENTS)
    }

    fn dict(&mut self, record: RecordRef, object: Option<Obj>, with_values: bool, depth: usize) -> Printed {
        let fields = &self.module.records[record].fields;
        let (Type::Array(key), Type::Array(value)) =
            (&self.module.types[fields[dict::KEYS as usize].ty], &self.module.types[fields[dict::VALUES as usize].ty])
        else {
            unreachable!("keys and values are arrays")
        };
        let fields = [dict::KEYS, dict::VALUES, dict::HASHES, dict::USED];
        let [keys, values, hashes, used] = fields.map(|field| object.map_or(0, |object| self.field(object, field)));
        let [keys, values, hashes] = [keys, values, hashes].map(|word| self.object(word));
        let len = used as usize;
        let mut printed = 0;
        self.put(b"{")?;
        if let (Some(keys), Some(values), Some(hashes)) = (keys, values, hashes) {
            let len = [keys, values, hashes].into_iter().fold(len, |len, array| self.len(array).min(len));
            for entry in 0..len {
                if (self.element(hashes, entry) as i64) < 0 {
                    continue;
                }
                if self.begins_nothing(printed)? {
                    break;
                }
                let word = self.element(keys, entry);
                self.value(*key, word, depth)?;
                if with_values {
                    self.put(b": ")?;
                    let word = self.element(values, entry);
                    self.value(*value, word, depth)?;
                }
                printed += 1;
            }
        }
        if printed == 0 && with_values {
            self.put(b":")?;
        }
        self.put(b"}")
    }

    fn variant(&mut self, variant: &Variant, fields: &[FieldDecl], object: Obj, depth: usize) -> Printed {
        self.put(variant.name.as_bytes())?;
        self.put(b"(")?;
        let payloads = variant.fields.iter().map(|at| (&fields[*at as usize], *at));
        self.payloads(payloads, object, depth + 1)?;
        self.put(b")")
    }

    fn payloads<'a>(
        &mut self,
        fields: impl Iterator<Item = (&'a FieldDecl, u32)>,
        object: Obj,
        depth: usize,
    ) -> Printed {
        for (at, (field, number)) in fields.enumerate() {
            if at > 0 {
                self.put(b", ")?;
            }
            let word = self.field(object, number);
            self.value(field.ty, word, depth)?;
        }
        Ok(())
    }

    /// Prints a struct by the name that makes one, without the arguments of its type.
    fn fields(&mut self, name: &str, fields: &[FieldDecl], object: Obj, depth: usize) -> Printed {
        let name = name.split('[').next().unwrap_or(name);
        self.put(name.as_bytes())?;
        self.put(b"(")?;
        for (field, number) in fields.iter().zip(0..) {
            if number > 0 {
                self.put(b", ")?;
            }
            self.put(field.name.as_bytes())?;
            self.put(b": ")?;
            let word = self.field(object, number);
            self.value(field.ty, word, depth)?;
        }
        self.put(b")")
    }
}
