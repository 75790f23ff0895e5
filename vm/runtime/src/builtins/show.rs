//! Printed form of values.
//!
//! In: a value as a word, with its source type. Out: bytes. `write` prints a string as it is; inside arrays and
//! records, and by `show`, it is quoted, with escapes that the language reads back. Invariant: arrays and records
//! nested deeper than [`MAX_DEPTH`], and the elements of an array after the first [`MAX_ELEMENTS`], print as `...`; so
//! printing ends, also for records that contain themselves. Once the program is to stop, no more is printed than a
//! buffer of output.
#![expect(unsafe_code, reason = "takes words as references, as their types say")]

use super::convert::{bool_text, write_float, write_int};
use crate::heap::Obj;
use crate::{Output, Runtime, Stop, func_of_word};
use holloway_ir::{Module, RecordRef, Type, TypeRef};

/// Number of levels of arrays and records that are printed.
pub const MAX_DEPTH: usize = 4;
/// Number of elements of one array that are printed.
pub const MAX_ELEMENTS: usize = 100;
/// Bytes of a string that are printed between two looks whether the program is to stop.
const PIECE: usize = 64 * 1024;

/// Writes a value as `print` does.
///
/// # Safety
/// The word is a value of the type; a reference is to an object that is still there.
pub unsafe fn write(rt: &mut Runtime, ty: TypeRef, word: u64) {
    // SAFETY: the caller vouches for the word.
    unsafe { print(rt, ty, word, Strings::Bare) }
}

/// Writes a value in the form that it has inside others.
///
/// # Safety
/// As for [`write()`].
pub unsafe fn show(rt: &mut Runtime, ty: TypeRef, word: u64) {
    // SAFETY: the caller vouches for the word.
    unsafe { print(rt, ty, word, Strings::Quoted) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    Bare,
    Quoted,
}

/// # Safety
/// As for [`write()`].
unsafe fn print(rt: &mut Runtime, ty: TypeRef, word: u64, outermost: Strings) {
    let (module, output, stop) = rt.printing();
    // The program is stopped at its next poll, as it may be between any two instructions.
    let _ = Printer { module, output, stop, outermost }.value(ty, word, 0);
}

/// The program is to stop: it prints no more.
struct Stopped;

/// Prints one value. Made only by [`print`], whose caller vouched for the word.
struct Printer<'a> {
    module: &'a Module,
    output: &'a mut Output,
    stop: Stop<'a>,
    /// The form of a string that is not inside another value.
    outermost: Strings,
}

impl Printer<'_> {
    fn value(&mut self, ty: TypeRef, word: u64, depth: usize) -> Result<(), Stopped> {
        let module = self.module;
        match &module.types[ty] {
            Type::Int | Type::Byte => self.put_with(|out| write_int(out, word as i64)),
            Type::Float => self.put_with(|out| write_float(out, f64::from_bits(word))),
            Type::Bool => self.put(bool_text(word != 0)),
            Type::Func(_) => self.function(word),
            Type::Optional(_) if word == 0 => self.put(b"none"),
            Type::Optional(of) => self.value(*of, word, depth),
            Type::Str | Type::Array(_) | Type::Record(_) => {
                // SAFETY: the caller into this module vouched for the word, and its type is that of a reference.
                let object = unsafe { Obj::from_word(word) };
                self.reference(&module.types[ty], object, depth)
            }
        }
    }

    /// Prints bytes.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        bytes.chunks(PIECE).try_for_each(|piece| self.put_with(|out| out.extend_from_slice(piece)))
    }

    /// Prints a short piece.
    fn put_with(&mut self, print: impl FnOnce(&mut Vec<u8>)) -> Result<(), Stopped> {
        match self.output.write_with(print) && self.stop.is_requested() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    fn function(&mut self, word: u64) -> Result<(), Stopped> {
        match func_of_word(word) {
            Some(func) => {
                self.put(b"fn ")?;
                self.put(self.module.funcs[func].body.name.as_bytes())
            }
            None => self.put(b"none"),
        }
    }

    /// Prints a reference. One without an object is a global that is not initialised yet: only a debugger sees it.
    fn reference(&mut self, ty: &Type, object: Option<Obj>, depth: usize) -> Result<(), Stopped> {
        match (ty, object) {
            (_, None) => self.put(b"none"),
            (Type::Str, Some(object)) if depth == 0 && self.outermost == Strings::Bare => self.put(object.bytes()),
            (Type::Str, Some(object)) => self.quote(object.bytes()),
            (_, Some(_)) if depth == MAX_DEPTH => self.put(b"..."),
            (Type::Array(of), Some(object)) => self.array(*of, object, depth + 1),
            (Type::Record(record), Some(object)) => self.record(*record, object, depth + 1),
            (other, Some(_)) => panic!("a value of type {other:?} is no reference"),
        }
    }

    fn array(&mut self, of: TypeRef, array: Obj, depth: usize) -> Result<(), Stopped> {
        self.put(b"[")?;
        for at in 0..array.len() {
            if at > 0 {
                self.put(b", ")?;
            }
            if at == MAX_ELEMENTS {
                self.put(b"...")?;
                break;
            }
            self.value(of, array.element(at), depth)?;
        }
        self.put(b"]")
    }

    fn record(&mut self, record: RecordRef, object: Obj, depth: usize) -> Result<(), Stopped> {
        let decl = &self.module.records[record];
        self.put(decl.name.as_bytes())?;
        self.put(b"(")?;
        for (at, field) in decl.fields.iter().enumerate() {
            if at > 0 {
                self.put(b", ")?;
            }
            self.put(field.name.as_bytes())?;
            self.put(b": ")?;
            // SAFETY: the object is a record of these fields, by its type.
            let value = unsafe { object.field(at as u32) };
            self.value(field.ty, value, depth)?;
        }
        self.put(b")")
    }

    /// Quotes a string as a literal of the language: text stays, bytes that are not text become `\xNN`.
    fn quote(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.put(b"\"")?;
        for chunk in bytes.utf8_chunks() {
            let mut text = chunk.valid();
            while let Some(at) = text.find(|c: char| matches!(c, '"' | '\\') || c.is_control()) {
                let (plain, rest) = text.split_at(at);
                let c = rest.chars().next().expect("it was found");
                self.put(plain.as_bytes())?;
                self.put_with(|out| escape(out, c))?;
                text = &rest[c.len_utf8()..];
            }
            self.put(text.as_bytes())?;
            for byte in chunk.invalid() {
                self.put_with(|out| hex_escape(out, *byte))?;
            }
        }
        self.put(b"\"")
    }
}

fn escape(out: &mut Vec<u8>, c: char) {
    match c {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        '\0' => out.extend_from_slice(b"\\0"),
        c if c.is_ascii() => hex_escape(out, c as u8),
        c => out.extend_from_slice(format!("\\u{{{:x}}}", u32::from(c)).as_bytes()),
    }
}

fn hex_escape(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
}
