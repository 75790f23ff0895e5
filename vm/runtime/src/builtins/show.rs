//! Printed form of values.
//!
//! In: a value as a word, with its source type. Out: bytes. `write` prints a string as it is; inside arrays and
//! records, and by `show`, it is quoted, with escapes that the language reads back. Invariant: arrays and records
//! nested deeper than [`MAX_DEPTH`], and the elements of an array after the first [`MAX_ELEMENTS`], print as `...`; so
//! printing ends, also for records that contain themselves.
#![expect(unsafe_code, reason = "takes words as references, as their types say")]

use super::convert::{bool_text, write_float, write_int};
use crate::heap::Obj;
use crate::{Runtime, func_of_word};
use holloway_ir::{Module, RecordRef, Type, TypeRef};

/// Number of levels of arrays and records that are printed.
pub const MAX_DEPTH: usize = 4;
/// Number of elements of one array that are printed.
pub const MAX_ELEMENTS: usize = 100;

/// Writes a value as `print` does.
///
/// # Safety
/// The word is a value of the type; a reference is to an object that is still there.
pub unsafe fn write(rt: &mut Runtime, ty: TypeRef, word: u64) {
    let (module, output) = rt.module_and_output();
    // SAFETY: the caller vouches for the word.
    output.write_with(|out| unsafe { print(module, out, ty, word, Strings::Bare) });
}

/// Writes a value in the form that it has inside others.
///
/// # Safety
/// As for [`write()`].
pub unsafe fn show(rt: &mut Runtime, ty: TypeRef, word: u64) {
    let (module, output) = rt.module_and_output();
    // SAFETY: the caller vouches for the word.
    output.write_with(|out| unsafe { print(module, out, ty, word, Strings::Quoted) });
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    Bare,
    Quoted,
}

/// # Safety
/// As for [`write()`].
unsafe fn print(module: &Module, out: &mut Vec<u8>, ty: TypeRef, word: u64, outermost: Strings) {
    Printer { module, out, outermost }.value(ty, word, 0);
}

/// Prints one value. Made only by [`print`], whose caller vouched for the word.
struct Printer<'a> {
    module: &'a Module,
    out: &'a mut Vec<u8>,
    /// The form of a string that is not inside another value.
    outermost: Strings,
}

impl Printer<'_> {
    fn value(&mut self, ty: TypeRef, word: u64, depth: usize) {
        let module = self.module;
        match &module.types[ty] {
            Type::Int | Type::Byte => write_int(self.out, word as i64),
            Type::Float => write_float(self.out, f64::from_bits(word)),
            Type::Bool => self.out.extend_from_slice(bool_text(word != 0)),
            Type::Func(_) => self.function(word),
            Type::Optional(_) if word == 0 => self.out.extend_from_slice(b"none"),
            Type::Optional(of) => self.value(*of, word, depth),
            Type::Str | Type::Array(_) | Type::Record(_) => {
                // SAFETY: the caller into this module vouched for the word, and its type is that of a reference.
                let object = unsafe { Obj::from_word(word) };
                self.reference(&module.types[ty], object, depth);
            }
        }
    }

    fn function(&mut self, word: u64) {
        match func_of_word(word) {
            Some(func) => {
                self.out.extend_from_slice(b"fn ");
                self.out.extend_from_slice(self.module.funcs[func].body.name.as_bytes());
            }
            None => self.out.extend_from_slice(b"none"),
        }
    }

    /// Prints a reference. One without an object is a global that is not initialised yet: only a debugger sees it.
    fn reference(&mut self, ty: &Type, object: Option<Obj>, depth: usize) {
        match (ty, object) {
            (_, None) => self.out.extend_from_slice(b"none"),
            (Type::Str, Some(object)) if depth == 0 && self.outermost == Strings::Bare => {
                self.out.extend_from_slice(object.bytes());
            }
            (Type::Str, Some(object)) => quote(self.out, object.bytes()),
            (_, Some(_)) if depth == MAX_DEPTH => self.out.extend_from_slice(b"..."),
            (Type::Array(of), Some(object)) => self.array(*of, object, depth + 1),
            (Type::Record(record), Some(object)) => self.record(*record, object, depth + 1),
            (other, Some(_)) => panic!("a value of type {other:?} is no reference"),
        }
    }

    fn array(&mut self, of: TypeRef, array: Obj, depth: usize) {
        self.out.push(b'[');
        for at in 0..array.len() {
            if at > 0 {
                self.out.extend_from_slice(b", ");
            }
            if at == MAX_ELEMENTS {
                self.out.extend_from_slice(b"...");
                break;
            }
            self.value(of, array.element(at), depth);
        }
        self.out.push(b']');
    }

    fn record(&mut self, record: RecordRef, object: Obj, depth: usize) {
        let decl = &self.module.records[record];
        self.out.extend_from_slice(decl.name.as_bytes());
        self.out.push(b'(');
        for (at, field) in decl.fields.iter().enumerate() {
            if at > 0 {
                self.out.extend_from_slice(b", ");
            }
            self.out.extend_from_slice(field.name.as_bytes());
            self.out.extend_from_slice(b": ");
            // SAFETY: the object is a record of these fields, by its type.
            let value = unsafe { object.field(at as u32) };
            self.value(field.ty, value, depth);
        }
        self.out.push(b')');
    }
}

/// Quotes a string as a literal of the language: text stays, bytes that are not text become `\xNN`.
fn quote(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.extend_from_slice(b"\\\""),
                '\\' => out.extend_from_slice(b"\\\\"),
                '\n' => out.extend_from_slice(b"\\n"),
                '\r' => out.extend_from_slice(b"\\r"),
                '\t' => out.extend_from_slice(b"\\t"),
                '\0' => out.extend_from_slice(b"\\0"),
                c if c.is_ascii_control() => hex_escape(out, c as u8),
                c if c.is_control() => out.extend_from_slice(format!("\\u{{{:x}}}", u32::from(c)).as_bytes()),
                c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        chunk.invalid().iter().for_each(|byte| hex_escape(out, *byte));
    }
    out.push(b'"');
}

fn hex_escape(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
}
