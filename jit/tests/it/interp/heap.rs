//! Objects of the interpreter of the SSA form: arrays, strings and records, never freed.
//!
//! In: references as words, 0 being none. Out: what they refer to. Invariant: an access that machine code would not survive is
//! [`Stop::Broken`].

use super::{Kind, Stop};
use holloway_lang::ir::{Elem, Module, RecordRef, Shape, StrRef, Type, TypeRef};
use std::fmt::Write as _;

/// The most words of all objects.
const MOST_WORDS: usize = 1 << 22;

/// Depth to which objects are shown.
const SHOWN_LEVELS: u32 = 5;

#[derive(Clone, Debug)]
pub(super) enum Object {
    Array(Elem, Vec<u64>),
    Text(Vec<u8>),
    Record(RecordRef, Vec<u64>),
}

pub(super) struct Heap {
    objects: Vec<Object>,
    words: usize,
}

impl Heap {
    /// A heap with the string constants of a module.
    pub(super) fn new(module: &Module) -> Heap {
        let objects = module.strings.values().map(|text| Object::Text(text.clone())).collect();
        Heap { objects, words: 0 }
    }

    pub(super) fn constant(&self, id: StrRef) -> u64 {
        u64::from(id.as_u32()) + 1
    }

    fn add(&mut self, object: Object) -> u64 {
        self.objects.push(object);
        self.objects.len() as u64
    }

    fn take(&mut self, words: usize) -> Result<(), Stop> {
        self.words = self.words.saturating_add(words + 2);
        if self.words > MOST_WORDS { Err(Stop::GivenUp) } else { Ok(()) }
    }

    pub(super) fn text(&mut self, text: Vec<u8>) -> u64 {
        self.words += text.len() / 8 + 2;
        self.add(Object::Text(text))
    }

    /// An array of references.
    pub(super) fn array(&mut self, words: Vec<u64>) -> u64 {
        self.add(Object::Array(Elem::Ref, words))
    }

    pub(super) fn array_of(&mut self, elem: Elem, words: &[u64]) -> Result<u64, Stop> {
        self.take(words.len())?;
        Ok(self.add(Object::Array(elem, words.iter().map(|word| stored(elem, *word)).collect())))
    }

    pub(super) fn filled(&mut self, elem: Elem, len: i64, word: u64) -> Result<u64, Stop> {
        let Ok(len) = usize::try_from(len) else { return Err(Kind::NegativeLength(len).into()) };
        self.take(len)?;
        Ok(self.add(Object::Array(elem, vec![stored(elem, word); len])))
    }

    pub(super) fn record(&mut self, record: RecordRef, fields: Vec<u64>) -> Result<u64, Stop> {
        self.take(fields.len())?;
        Ok(self.add(Object::Record(record, fields)))
    }

    pub(super) fn object(&mut self, reference: u64) -> Result<&mut Object, Stop> {
        let at = reference.checked_sub(1).ok_or_else(|| Stop::Broken("an access to none".to_owned()))?;
        self.objects.get_mut(at as usize).ok_or_else(|| Stop::Broken("a reference to nothing".to_owned()))
    }

    pub(super) fn len(&mut self, reference: u64) -> Result<u64, Stop> {
        match self.object(reference)? {
            Object::Array(_, words) => Ok(words.len() as u64),
            Object::Text(text) => Ok(text.len() as u64),
            Object::Record(..) => Err(Stop::Broken("the length of a record".to_owned())),
        }
    }

    pub(super) fn element(&mut self, elem: Elem, reference: u64, at: u64) -> Result<u64, Stop> {
        let found = match self.object(reference)? {
            Object::Array(of, words) if *of == elem => words.get(at as usize).copied(),
            Object::Text(text) if elem == Elem::Char => text.get(at as usize).copied().map(u64::from),
            other => return Err(Stop::Broken(format!("an element {elem:?} of {other:?}"))),
        };
        found.ok_or_else(|| Stop::Broken(format!("element {at}, which is out of range")))
    }

    pub(super) fn set_element(&mut self, elem: Elem, reference: u64, at: u64, word: u64) -> Result<(), Stop> {
        match self.object(reference)? {
            Object::Array(of, words) if *of == elem => match words.get_mut(at as usize) {
                Some(place) => *place = stored(elem, word),
                None => return Err(Stop::Broken(format!("a store to element {at}, which is out of range"))),
            },
            other => return Err(Stop::Broken(format!("a store of {elem:?} to {other:?}"))),
        }
        Ok(())
    }

    pub(super) fn field(&mut self, record: RecordRef, field: u32, reference: u64) -> Result<&mut u64, Stop> {
        match self.object(reference)? {
            Object::Record(of, _) if *of != record => Err(Stop::Broken(format!("a field of {record} in one of {of}"))),
            Object::Record(_, fields) => Ok(&mut fields[field as usize]),
            Object::Array(..) | Object::Text(_) => Err(Stop::Broken(format!("a field of {record} in no record"))),
        }
    }

    /// The bytes of a string; none has none.
    pub(super) fn bytes(&self, reference: u64) -> &[u8] {
        match reference.checked_sub(1).map(|at| &self.objects[at as usize]) {
            Some(Object::Text(text)) => text,
            _ => &[],
        }
    }

    pub(super) fn raw_text(&self, reference: u64) -> String {
        String::from_utf8_lossy(self.bytes(reference)).into_owned()
    }

    /// A value as text, by its type.
    pub(super) fn show(&self, module: &Module, ty: TypeRef, word: u64) -> String {
        let mut out = String::new();
        self.write(module, ty, word, SHOWN_LEVELS, &mut out);
        out
    }

    fn write(&self, module: &Module, ty: TypeRef, word: u64, levels: u32, out: &mut String) {
        if levels == 0 {
            out.push_str("...");
            return;
        }
        match &module.types[ty] {
            Type::Int | Type::Byte => write!(out, "{}", word as i64).expect("strings take all text"),
            Type::Float if f64::from_bits(word).is_nan() => out.push_str("nan"),
            Type::Float => write!(out, "{:?}", f64::from_bits(word)).expect("strings take all text"),
            Type::Bool => write!(out, "{}", word != 0).expect("strings take all text"),
            Type::Func(_) if module.closures => out.push_str("fn"),
            Type::Func(_) | Type::Code(_) => write!(out, "f{word}").expect("strings take all text"),
            Type::Record(record) if matches!(module.records[*record].shape, Shape::Tag(_)) => {
                write!(out, "tag {word}").expect("strings take all text");
            }
            Type::Optional(of) if word != 0 && module.is_boxed(*of) => match &self.objects[word as usize - 1] {
                Object::Record(_, fields) => self.write(module, *of, fields[0], levels, out),
                other => panic!("{other:?} is no box"),
            },
            Type::Optional(of) if word != 0 => self.write(module, *of, word, levels, out),
            Type::Str if word != 0 => out.push_str(&self.raw_text(word)),
            Type::Array(_) | Type::Record(_) if word != 0 => {
                let (types, words): (Vec<TypeRef>, &[u64]) = match (&self.objects[word as usize - 1], &module.types[ty])
                {
                    (Object::Array(_, words), Type::Array(of)) => (vec![*of; words.len()], words),
                    (Object::Record(record, words), _) => {
                        (module.records[*record].fields.iter().map(|field| field.ty).collect(), words)
                    }
                    (other, _) => panic!("{other:?} is no {}", module.type_name(ty)),
                };
                out.push('[');
                for (ty, word) in types.into_iter().zip(words) {
                    self.write(module, ty, *word, levels - 1, out);
                    out.push(',');
                }
                out.push(']');
            }
            Type::Optional(_) | Type::Str | Type::Array(_) | Type::Record(_) => out.push_str("none"),
        }
    }
}

/// Part of a word that an element keeps.
pub(super) fn stored(elem: Elem, word: u64) -> u64 {
    if elem == Elem::Byte { word & 0xff } else { word }
}
