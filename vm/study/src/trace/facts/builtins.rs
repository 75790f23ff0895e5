//! The locations that the operations of the runtime define and use.
//!
//! In: a builtin with its operands. Out: its definitions; see [`super::statements`] for what they leave out.
//! Invariant: a builtin on arrays of any kind has a definition for each kind, of which an execution makes one.

use super::locations::{ELEMENTS, NEW_LENGTH, READ, WRITE, class_of_elements, elements, lengths, local, locals, sets};
use super::printed::printed_locations;
use holloway_lang::ir::{Builtin, Elem, Local, Module, Operand, TypeRef};
use holloway_profiler::wpp::slice::{Definition, Location};

/// The effect of a builtin on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryEffect {
    /// None but on strings, which are values.
    Values,
    /// Its result depends on nothing of the program.
    World,
    /// It has no result.
    Nothing,
    /// `bytes(s)`, or the pieces of a string: a new array from a string.
    OfString(Elem),
    /// `args()`: a new array from outside.
    Args,
    /// `text(a, ...)`: a value from elements.
    Text,
    /// `join(l, sep)`: a value from the first elements.
    Join,
    /// A value from all that it prints.
    Display(TypeRef),
    /// `a[x..y]`.
    Slice,
    /// `copy(dst, dst_start, src, src_start, n)`.
    Copy,
    /// `fill(a, v)`.
    Fill(Elem),
    /// `sort(a)`.
    Sort,
    /// Something of modules of WebAssembly: see [`super::linear`].
    Linear,
}

/// The effect of a builtin on memory.
pub fn memory_effect(builtin: Builtin) -> MemoryEffect {
    match builtin {
        Builtin::Sin
        | Builtin::Cos
        | Builtin::Tan
        | Builtin::Asin
        | Builtin::Acos
        | Builtin::Atan
        | Builtin::Atan2
        | Builtin::Exp
        | Builtin::Log
        | Builtin::Pow
        | Builtin::Round
        | Builtin::StrConcat
        | Builtin::StrEq
        | Builtin::StrCmp
        | Builtin::StrSlice
        | Builtin::StrOfInt
        | Builtin::StrOfFloat
        | Builtin::StrOfBool
        | Builtin::ParseInt
        | Builtin::ParseFloat
        | Builtin::Chr
        | Builtin::FormatInt
        | Builtin::FormatFloat
        | Builtin::FormatStr
        | Builtin::StrHash
        | Builtin::StrFind
        | Builtin::StrReplace
        | Builtin::StrUpper
        | Builtin::StrLower
        | Builtin::StrTrimStart
        | Builtin::StrTrimEnd
        | Builtin::StrStartsWith
        | Builtin::StrEndsWith
        | Builtin::StrRepeat
        | Builtin::StrOrd
        | Builtin::StrIsInt
        | Builtin::StrIsFloat
        | Builtin::ReadFile
        | Builtin::FileExists
        | Builtin::Env => MemoryEffect::Values,
        Builtin::Clock | Builtin::Random | Builtin::Input | Builtin::ReadAll | Builtin::Time => MemoryEffect::World,
        Builtin::RandomSeed
        | Builtin::Write(_)
        | Builtin::Show(_)
        | Builtin::WriteFile
        | Builtin::AppendFile
        | Builtin::WriteError
        | Builtin::IndexFailure
        | Builtin::SliceFailure
        | Builtin::KeyFailure
        // Whether a segment is there still decides on failures alone, which no module catches.
        | Builtin::DataDrop
        | Builtin::ElemDrop => MemoryEffect::Nothing,
        Builtin::MemorySize
        | Builtin::MemoryGrow
        | Builtin::MemoryFill
        | Builtin::MemoryCopy
        | Builtin::MemoryInit
        | Builtin::TableGet
        | Builtin::TableSize
        | Builtin::TableCallee
        | Builtin::TableSet
        | Builtin::TableGrow
        | Builtin::TableFill
        | Builtin::TableCopy
        | Builtin::TableInit
        // Recorded programs of the language have no host.
        | Builtin::Host(_) => MemoryEffect::Linear,
        Builtin::Bytes => MemoryEffect::OfString(Elem::Byte),
        Builtin::StrSplit | Builtin::StrWords | Builtin::StrLines | Builtin::StrChars => {
            MemoryEffect::OfString(Elem::Ref)
        }
        Builtin::StrJoin => MemoryEffect::Join,
        Builtin::Display(ty) => MemoryEffect::Display(ty),
        Builtin::Args => MemoryEffect::Args,
        Builtin::Text => MemoryEffect::Text,
        Builtin::ArraySlice => MemoryEffect::Slice,
        Builtin::Copy => MemoryEffect::Copy,
        Builtin::FillInt => MemoryEffect::Fill(Elem::Int),
        Builtin::FillFloat => MemoryEffect::Fill(Elem::Float),
        Builtin::FillBool => MemoryEffect::Fill(Elem::Bool),
        Builtin::FillByte => MemoryEffect::Fill(Elem::Byte),
        Builtin::FillRef => MemoryEffect::Fill(Elem::Ref),
        Builtin::FillFunc => MemoryEffect::Fill(Elem::Func),
        Builtin::Sort => MemoryEffect::Sort,
    }
}

/// The first operand that a builtin with this effect sets in memory, and the number of them; see [`super::statements::writes`].
pub(super) fn writes(effect: MemoryEffect) -> Option<(u32, u32)> {
    let kinds = ELEMENTS.len() as u32;
    match effect {
        MemoryEffect::Values
        | MemoryEffect::World
        | MemoryEffect::Nothing
        | MemoryEffect::Text
        | MemoryEffect::Join
        | MemoryEffect::Linear
        | MemoryEffect::Display(_) => None,
        MemoryEffect::OfString(_) | MemoryEffect::Args | MemoryEffect::Slice => Some((NEW_LENGTH, 1 + kinds)),
        MemoryEffect::Copy | MemoryEffect::Fill(_) | MemoryEffect::Sort => Some((WRITE, kinds)),
    }
}

/// The definitions of a builtin.
pub(super) fn definitions(module: &Module, dst: Option<Local>, builtin: Builtin, args: &[Operand]) -> Vec<Definition> {
    let to = |uses: Vec<Location>| dst.map(|dst| sets(local(dst), uses));
    let of_kind = |elem: Elem, uses: Vec<Location>| sets(elements(elem, write_of(elem)), uses);
    let of_all = |uses: &dyn Fn(Elem) -> Vec<Location>| -> Vec<Definition> {
        ELEMENTS.iter().map(|elem| of_kind(*elem, uses(*elem))).collect()
    };
    let with_elements = |elem: Elem| [locals(args), vec![elements(elem, READ)]].concat();
    match memory_effect(builtin) {
        MemoryEffect::Values => to(locals(args)).into_iter().collect(),
        MemoryEffect::World => to(Vec::new()).into_iter().collect(),
        MemoryEffect::Nothing | MemoryEffect::Linear => Vec::new(),
        MemoryEffect::OfString(elem) => {
            let made = [sets(lengths(NEW_LENGTH), locals(args)), of_kind(elem, locals(args))];
            made.into_iter().chain(to(Vec::new())).collect()
        }
        MemoryEffect::Args => {
            let made = [sets(lengths(NEW_LENGTH), Vec::new()), of_kind(Elem::Ref, Vec::new())];
            made.into_iter().chain(to(Vec::new())).collect()
        }
        MemoryEffect::Text => to(with_elements(Elem::Byte)).into_iter().collect(),
        MemoryEffect::Join => to(with_elements(Elem::Ref)).into_iter().collect(),
        MemoryEffect::Display(ty) => to([locals(args), printed_locations(module, ty)].concat()).into_iter().collect(),
        MemoryEffect::Slice => {
            let length = sets(lengths(NEW_LENGTH), locals(&args[1..]));
            of_all(&with_elements).into_iter().chain([length]).chain(to(Vec::new())).collect()
        }
        MemoryEffect::Copy => {
            // A string may be the source of bytes: then there are no elements to depend on.
            of_all(&with_elements)
        }
        MemoryEffect::Fill(elem) => vec![of_kind(elem, locals(args))],
        MemoryEffect::Sort => of_all(&with_elements),
    }
}

/// The operand of the elements of a kind that a builtin sets.
pub fn write_of(elem: Elem) -> u32 {
    WRITE + class_of_elements(elem) as u32
}
