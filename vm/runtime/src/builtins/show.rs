//! Printed form of values.
//!
//! In: a value as a word, with its source type. Out: bytes. `write` prints a string as it is; inside other values, and by
//! `show`, it is quoted, with escapes that the language reads back. Invariant: values nested deeper than [`MAX_DEPTH`],
//! and what comes after the first [`MAX_ELEMENTS`] elements or entries of one value, print as `...`; so printing ends,
//! also for values that contain themselves. Once the program is to stop, no more is printed than a buffer of output.
#![expect(unsafe_code, reason = "takes words as references, as their types say")]

use super::convert::{bool_text, write_float, write_int};
use crate::failure::FailureKind;
use crate::heap::Obj;
use crate::{Output, Runtime, Stop, func_of_word};
use holloway_ir::field::boxed::CONTENT;
use holloway_ir::{Module, Shape, Type, TypeRef};
use std::collections::HashSet;
use std::ops::Range;

/// Number of levels of values with parts that are printed.
pub const MAX_DEPTH: usize = 4;
/// Number of elements or entries of one value that are printed.
pub const MAX_ELEMENTS: usize = 100;
/// Bytes that are printed between two looks whether the program is to stop.
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

/// The text that [`write()`] writes, as a string.
///
/// # Safety
/// As for [`write()`].
pub unsafe fn display(rt: &mut Runtime, ty: TypeRef, word: u64) -> Result<Obj, FailureKind> {
    if rt.module().types[ty] == Type::Str {
        // SAFETY: the caller vouches for the word, which is of a type of references.
        if let Some(s) = unsafe { Obj::from_word(word) } {
            return Ok(s);
        }
    }
    let target = Target::Text { text: Vec::new(), limit: rt.heap().limit(), looked: 0 };
    let (module, _, stop) = rt.printing();
    let mut printer = Printer { module, target, stop, outermost: Strings::Bare };
    let printed = printer.value(ty, word, 0);
    let Target::Text { text, .. } = printer.target else { unreachable!("it was made so") };
    match printed {
        Ok(()) => {}
        Err(Cut::Full) => return Err(FailureKind::OutOfMemory),
        Err(Cut::Stopped) => rt.stop_requested()?,
    }
    rt.new_str(&text, &[])
}

/// Parts of an object that a value is printed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedParts {
    /// The object.
    pub object: Obj,
    /// Its fields or elements.
    pub parts: Range<usize>,
    /// True if its length is read, too.
    pub with_length: bool,
}

/// The parts of objects that [`write()`] reads, in order; bytes of strings are not among them.
///
/// # Safety
/// As for [`write()`].
pub unsafe fn parts_printed(rt: &Runtime, ty: TypeRef, word: u64) -> Vec<PrintedParts> {
    let (module, stop) = rt.looking();
    let mut printer = Printer {
        module,
        target: Target::Parts { parts: Vec::new(), seen: HashSet::new() },
        stop,
        outermost: Strings::Bare,
    };
    // Nothing is printed that could be too long, and nobody waits for it.
    let _ = printer.value(ty, word, 0);
    match printer.target {
        Target::Parts { parts, .. } => parts,
        Target::Output(_) | Target::Text { .. } => unreachable!("it was made so"),
    }
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
    let _ = Printer { module, target: Target::Output(output), stop, outermost }.value(ty, word, 0);
}

/// The reason why no more is printed.
pub(super) enum Cut {
    /// The program is to stop.
    Stopped,
    /// The text is longer than a string can be.
    Full,
}

/// Printed, or cut.
pub(super) type Printed = Result<(), Cut>;

enum Target<'a> {
    Output(&'a mut Output),
    Text {
        text: Vec<u8>,
        limit: usize,
        /// The length at the last look whether the program is to stop.
        looked: usize,
    },
    Parts {
        parts: Vec<PrintedParts>,
        /// Objects, each with the levels around it.
        seen: HashSet<(Obj, usize)>,
    },
}

/// Prints one value. Made only by functions whose callers vouched for the word.
pub(super) struct Printer<'a> {
    pub(super) module: &'a Module,
    target: Target<'a>,
    stop: Stop<'a>,
    /// The form of a string that is not inside another value.
    outermost: Strings,
}

impl Printer<'_> {
    /// Prints a value inside of so many others.
    pub(super) fn value(&mut self, ty: TypeRef, word: u64, depth: usize) -> Printed {
        let module = self.module;
        match &module.types[ty] {
            Type::Int | Type::Byte => self.put_with(|out| write_int(out, word as i64)),
            Type::Float => self.put_with(|out| write_float(out, f64::from_bits(word))),
            Type::Bool => self.put(bool_text(word != 0)),
            Type::Func(_) if module.closures => self.closure(word),
            Type::Func(_) | Type::Code(_) => self.function(word),
            Type::Optional(_) if word == 0 => self.put(b"none"),
            Type::Optional(of) if module.is_boxed(*of) => {
                let content = self.object(word).map_or(0, |content| self.field(content, CONTENT));
                self.value(*of, content, depth)
            }
            Type::Optional(of) => self.value(*of, word, depth),
            Type::Record(record) => match &module.records[*record].shape {
                Shape::Tag(names) => self.put(names[word as usize].as_bytes()),
                // One without an object is a global that is not initialised yet: only a debugger sees it.
                _ => match self.object(word) {
                    Some(object) if self.is_known(object, depth) => Ok(()),
                    Some(object) => self.record(*record, object, depth),
                    None => self.put(b"none"),
                },
            },
            Type::Str => match self.object(word) {
                Some(s) if depth == 0 && self.outermost == Strings::Bare => self.put(s.bytes()),
                Some(s) => self.quote(s.bytes()),
                None => self.put(b"none"),
            },
            Type::Array(of) => match self.object(word) {
                Some(_) if depth == MAX_DEPTH => self.put(b"..."),
                Some(array) if self.is_known(array, depth) => Ok(()),
                Some(array) => self.elements(*of, Some(array), usize::MAX, depth + 1),
                None => self.put(b"none"),
            },
        }
    }

    /// The object that a word refers to, which is a value of a type of references, or a part of such a value.
    pub(super) fn object(&self, word: u64) -> Option<Obj> {
        // SAFETY: the caller into this module vouched for the outermost word, and so for all that it leads to.
        unsafe { Obj::from_word(word) }
    }

    /// A field of a record, which its type has.
    pub(super) fn field(&mut self, object: Obj, field: u32) -> u64 {
        self.note(object, field as usize);
        // SAFETY: the object is a record of these fields, by its type, for whose value the caller vouched.
        unsafe { object.field(field) }
    }

    /// An element of an array, which has it.
    pub(super) fn element(&mut self, array: Obj, index: usize) -> u64 {
        self.note(array, index);
        array.element(index)
    }

    /// The length of an array.
    pub(super) fn len(&mut self, array: Obj) -> usize {
        if let Target::Parts { parts, .. } = &mut self.target {
            parts.push(PrintedParts { object: array, parts: 0..0, with_length: true });
        }
        array.len()
    }

    /// Returns true if the parts of an object are known by now.
    fn is_known(&mut self, object: Obj, depth: usize) -> bool {
        match &mut self.target {
            Target::Parts { seen, .. } => !seen.insert((object, depth)),
            Target::Output(_) | Target::Text { .. } => false,
        }
    }

    fn note(&mut self, object: Obj, part: usize) {
        let Target::Parts { parts, .. } = &mut self.target else { return };
        match parts.last_mut() {
            Some(last) if last.object == object && last.parts.end == part => last.parts.end += 1,
            Some(_) | None => parts.push(PrintedParts { object, parts: part..part + 1, with_length: false }),
        }
    }

    /// Prints bytes.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Printed {
        bytes.chunks(PIECE).try_for_each(|piece| self.put_with(|out| out.extend_from_slice(piece)))
    }

    /// Prints a short piece.
    fn put_with(&mut self, print: impl FnOnce(&mut Vec<u8>)) -> Printed {
        let is_due = match &mut self.target {
            Target::Output(output) => output.write_with(print),
            Target::Text { text, limit, looked } => {
                print(text);
                if text.len() > *limit {
                    return Err(Cut::Full);
                }
                let is_due = text.len() - *looked >= PIECE;
                if is_due {
                    *looked = text.len();
                }
                is_due
            }
            Target::Parts { .. } => false,
        };
        if is_due && self.stop.is_requested() { Err(Cut::Stopped) } else { Ok(()) }
    }

    fn function(&mut self, word: u64) -> Printed {
        match func_of_word(word) {
            Some(func) => {
                self.put(b"fn ")?;
                self.put(self.module.funcs[func].body.name.as_bytes())
            }
            None => self.put(b"none"),
        }
    }

    /// Quotes a string as a literal of the language: text stays, bytes that are not text become `\xNN`.
    fn quote(&mut self, bytes: &[u8]) -> Printed {
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
