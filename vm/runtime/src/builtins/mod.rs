//! The runtime operations that IR names as builtins, one function each, grouped by topic.
//!
//! In: operands. Out: a result, or the failure of the instruction. Interpreter and compiled code call the same
//! functions: the interpreter through [`call`], compiled code through the runtime call that fits the operands.
//! Invariant: a builtin that allocates names the objects it still needs, so a collection inside of it is harmless.
#![expect(unsafe_code, reason = "takes words as references, as the signatures of builtins say")]

pub mod arrays;
mod chars;
pub mod convert;
pub mod files;
pub mod format;
pub mod io;
pub mod letters;
mod linear;
pub mod math;
pub mod pieces;
pub mod search;
pub mod show;
mod show_shapes;
pub mod strings;

#[cfg(test)]
mod tests;

use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use holloway_ir::Builtin;

/// Greatest number of operands of a builtin.
pub const MAX_OPERANDS: usize = 5;

/// The operands of one builtin, each read by its type in the signature.
#[derive(Clone, Copy)]
struct Operands<'a>(&'a [u64]);

impl Operands<'_> {
    fn int(self, at: usize) -> i64 {
        self.0[at] as i64
    }

    fn float(self, at: usize) -> f64 {
        f64::from_bits(self.0[at])
    }

    fn bool(self, at: usize) -> bool {
        self.0[at] != 0
    }

    fn optional(self, at: usize) -> Option<Obj> {
        // SAFETY: `call`'s caller vouches for every operand that the signature says is a reference.
        unsafe { Obj::from_word(self.0[at]) }
    }

    fn object(self, at: usize) -> Obj {
        self.optional(at).expect("the checker lets no `none` through to this operand")
    }
}

/// Runs a builtin that reads strings alone and cannot fail; gives nothing for any other.
///
/// # Safety
/// As for [`call`].
#[inline(always)]
pub unsafe fn read(builtin: Builtin, operands: &[u64]) -> Option<u64> {
    let a = Operands(operands);
    Some(match builtin {
        Builtin::StrEq => u64::from(strings::str_eq(a.optional(0), a.optional(1))),
        Builtin::StrCmp => strings::str_cmp(a.object(0), a.object(1)) as u64,
        Builtin::ParseInt => convert::parse_int(a.object(0), a.int(1)) as u64,
        Builtin::ParseFloat => convert::parse_float(a.object(0), a.float(1)).to_bits(),
        Builtin::StrHash => search::str_hash(a.object(0)) as u64,
        Builtin::StrFind => search::str_find(a.object(0), a.object(1), a.int(2)) as u64,
        Builtin::StrStartsWith => u64::from(search::str_starts_with(a.object(0), a.object(1))),
        Builtin::StrEndsWith => u64::from(search::str_ends_with(a.object(0), a.object(1))),
        Builtin::StrIsInt => u64::from(convert::str_is_int(a.object(0))),
        Builtin::StrIsFloat => u64::from(convert::str_is_float(a.object(0))),
        _ => return None,
    })
}

/// Runs a builtin. The result is a word of the signature's result type, 0 if there is none.
///
/// # Safety
/// The operands are those of a verified instruction: they fit the builtin's signature, and references are to objects
/// that a frame, or another root that the collector knows, keeps.
#[inline(always)]
pub unsafe fn call(rt: &mut Runtime, builtin: Builtin, operands: &[u64]) -> Result<u64, FailureKind> {
    let a = Operands(operands);
    Ok(match builtin {
        Builtin::Sin => math::sin(a.float(0)).to_bits(),
        Builtin::Cos => math::cos(a.float(0)).to_bits(),
        Builtin::Tan => math::tan(a.float(0)).to_bits(),
        Builtin::Asin => math::asin(a.float(0)).to_bits(),
        Builtin::Acos => math::acos(a.float(0)).to_bits(),
        Builtin::Atan => math::atan(a.float(0)).to_bits(),
        Builtin::Atan2 => math::atan2(a.float(0), a.float(1)).to_bits(),
        Builtin::Exp => math::exp(a.float(0)).to_bits(),
        Builtin::Log => math::log(a.float(0)).to_bits(),
        Builtin::Pow => math::pow(a.float(0), a.float(1)).to_bits(),
        Builtin::Round => math::round(a.float(0)).to_bits(),
        Builtin::StrConcat => strings::str_concat(rt, a.object(0), a.object(1))?.word(),
        Builtin::StrSlice => strings::str_slice(rt, a.object(0), a.int(1), a.int(2))?.word(),
        Builtin::StrOfInt => convert::str_of_int(rt, a.int(0))?.word(),
        Builtin::StrOfFloat => convert::str_of_float(rt, a.float(0))?.word(),
        Builtin::StrOfBool => convert::str_of_bool(rt, a.bool(0))?.word(),
        Builtin::Chr => convert::chr(rt, a.int(0))?.word(),
        Builtin::Bytes => convert::bytes(rt, a.object(0))?.word(),
        Builtin::Text => strings::text(rt, a.object(0), a.int(1), a.int(2))?.word(),
        Builtin::ArraySlice => arrays::array_slice(rt, a.object(0), a.int(1), a.int(2))?.word(),
        Builtin::Copy => {
            // SAFETY: the operands fit, by this function's contract, and a builtin has lent nothing before.
            unsafe { arrays::copy(a.object(0), a.int(1), a.object(2), a.int(3), a.int(4))? };
            0
        }
        Builtin::FillInt => {
            // SAFETY: as for `copy`.
            unsafe { arrays::fill_int(a.object(0), a.int(1)) };
            0
        }
        Builtin::FillFloat => {
            // SAFETY: as for `copy`.
            unsafe { arrays::fill_float(a.object(0), a.float(1)) };
            0
        }
        Builtin::FillBool => {
            // SAFETY: as for `copy`.
            unsafe { arrays::fill_bool(a.object(0), a.bool(1)) };
            0
        }
        Builtin::FillByte => {
            // SAFETY: as for `copy`.
            unsafe { arrays::fill_byte(a.object(0), a.int(1)) };
            0
        }
        Builtin::FillRef => {
            // SAFETY: as for `copy`.
            unsafe { arrays::fill_ref(a.object(0), a.optional(1)) };
            0
        }
        Builtin::FillFunc => {
            // SAFETY: as for `copy`.
            unsafe { arrays::fill_func(a.object(0), a.0[1]) };
            0
        }
        Builtin::Sort => {
            // SAFETY: as for `copy`.
            unsafe { arrays::sort(a.object(0)) };
            0
        }
        Builtin::Clock => io::clock(rt).to_bits(),
        Builtin::Random => io::random(rt).to_bits(),
        Builtin::RandomSeed => {
            io::random_seed(rt, a.int(0));
            0
        }
        Builtin::Input => io::input(rt)?.map_or(0, Obj::word),
        Builtin::Args => io::args(rt)?.word(),
        Builtin::FormatInt => format::format_int(rt, a.int(0), a.object(1))?.word(),
        Builtin::FormatFloat => format::format_float(rt, a.float(0), a.object(1))?.word(),
        Builtin::FormatStr => format::format_str(rt, a.object(0), a.object(1))?.word(),
        Builtin::StrReplace => search::str_replace(rt, a.object(0), a.object(1), a.object(2))?.word(),
        Builtin::StrSplit => pieces::str_split(rt, a.object(0), a.object(1))?.word(),
        Builtin::StrWords => pieces::str_words(rt, a.object(0))?.word(),
        Builtin::StrLines => pieces::str_lines(rt, a.object(0))?.word(),
        Builtin::StrChars => pieces::str_chars(rt, a.object(0))?.word(),
        Builtin::StrJoin => pieces::str_join(rt, a.object(0), a.int(1), a.object(2))?.word(),
        Builtin::StrUpper => letters::str_upper(rt, a.object(0))?.word(),
        Builtin::StrLower => letters::str_lower(rt, a.object(0))?.word(),
        Builtin::StrTrimStart => letters::str_trim_start(rt, a.object(0))?.word(),
        Builtin::StrTrimEnd => letters::str_trim_end(rt, a.object(0))?.word(),
        Builtin::StrRepeat => letters::str_repeat(rt, a.object(0), a.int(1))?.word(),
        Builtin::StrOrd => letters::str_ord(a.object(0))? as u64,
        Builtin::ReadFile => files::read_file(rt, a.object(0))?.word(),
        Builtin::WriteFile => {
            files::write_file(rt, a.object(0), a.object(1))?;
            0
        }
        Builtin::AppendFile => {
            files::append_file(rt, a.object(0), a.object(1))?;
            0
        }
        Builtin::FileExists => u64::from(files::file_exists(rt, a.object(0))?),
        Builtin::ReadAll => io::read_all(rt)?.word(),
        Builtin::WriteError => {
            io::write_error(rt, a.object(0));
            0
        }
        Builtin::Env => io::env(rt, a.object(0))?.map_or(0, Obj::word),
        Builtin::Time => io::time(rt).to_bits(),
        Builtin::IndexFailure => {
            return Err(FailureKind::IndexOutOfRange { len: a.int(1) as usize, index: a.int(0) });
        }
        Builtin::SliceFailure => {
            return Err(FailureKind::SliceOutOfRange { from: a.int(0), to: a.int(1), len: a.int(2) as usize });
        }
        Builtin::KeyFailure => return Err(FailureKind::KeyNotFound(a.object(0).bytes().to_vec())),
        Builtin::MemorySize
        | Builtin::MemoryGrow
        | Builtin::MemoryFill
        | Builtin::MemoryCopy
        | Builtin::MemoryInit
        | Builtin::DataDrop
        | Builtin::TableGet
        | Builtin::TableSet
        | Builtin::TableSize
        | Builtin::TableGrow
        | Builtin::TableFill
        | Builtin::TableCopy
        | Builtin::TableInit
        | Builtin::ElemDrop
        | Builtin::TableCallee => linear::call(rt, builtin, operands)?,
        Builtin::Host(call) => unreachable!("tiers call {call} themselves"),
        Builtin::Write(ty) => {
            // SAFETY: the operand is of the type named, by this function's contract.
            unsafe { show::write(rt, ty, operands[0]) };
            0
        }
        Builtin::Show(ty) => {
            // SAFETY: the operand is of the type named, by this function's contract.
            unsafe { show::show(rt, ty, operands[0]) };
            0
        }
        Builtin::Display(ty) => {
            // SAFETY: the operand is of the type named, by this function's contract.
            unsafe { show::display(rt, ty, operands[0]) }?.word()
        }
        Builtin::StrEq
        | Builtin::StrCmp
        | Builtin::ParseInt
        | Builtin::ParseFloat
        | Builtin::StrHash
        | Builtin::StrFind
        | Builtin::StrStartsWith
        | Builtin::StrEndsWith
        | Builtin::StrIsInt
        | Builtin::StrIsFloat => {
            // SAFETY: the operands fit, by this function's contract.
            unsafe { read(builtin, operands) }.expect("it reads strings alone")
        }
    })
}
