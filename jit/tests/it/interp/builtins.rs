//! Builtins for the interpreter of the SSA form: simple, and the same each time, which is all that a comparison needs.
//!
//! In: a builtin, its operands as words. Out: its result, or why it fails. Invariant: clock and chance depend on nothing but the
//! calls before.

use super::heap::{Object, stored};
use super::{Kind, Machine, Stop};
use holloway_lang::ir::{Builtin, Elem};
use std::ops::Range;

pub(super) type Given = Result<Option<u64>, Stop>;

impl Machine<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin, args: &[u64]) -> Given {
        let float = |at: usize| f64::from_bits(args[at]);
        let given = |x: f64| Ok(Some(x.to_bits()));
        match builtin {
            Builtin::Sin => given(float(0).sin()),
            Builtin::Cos => given(float(0).cos()),
            Builtin::Tan => given(float(0).tan()),
            Builtin::Asin => given(float(0).asin()),
            Builtin::Acos => given(float(0).acos()),
            Builtin::Atan => given(float(0).atan()),
            Builtin::Atan2 => given(float(0).atan2(float(1))),
            Builtin::Exp => given(float(0).exp()),
            Builtin::Log => given(float(0).ln()),
            Builtin::Pow => given(float(0).powf(float(1))),
            Builtin::Round => given(float(0).round()),
            Builtin::Clock => {
                self.clock += 1;
                given(self.clock as f64)
            }
            Builtin::Random => {
                self.random =
                    self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                given((self.random >> 11) as f64 / (1_u64 << 53) as f64)
            }
            Builtin::RandomSeed => {
                self.random = args[0];
                Ok(None)
            }
            Builtin::Input => Ok(Some(0)),
            Builtin::Args => Ok(Some(self.heap.array(Vec::new()))),
            Builtin::Write(ty) | Builtin::Show(ty) => {
                let text = self.heap.show(self.module, ty, args[0]);
                self.output.push_str(&text);
                Ok(None)
            }
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
            | Builtin::TableCallee => self.linear_builtin(builtin, args),
            Builtin::StrConcat
            | Builtin::StrEq
            | Builtin::StrCmp
            | Builtin::StrSlice
            | Builtin::StrOfInt
            | Builtin::StrOfFloat
            | Builtin::StrOfBool
            | Builtin::ParseInt
            | Builtin::ParseFloat
            | Builtin::Chr
            | Builtin::Bytes
            | Builtin::Text => self.text_builtin(builtin, args),
            Builtin::Display(ty) => {
                let text = self.heap.show(self.module, ty, args[0]);
                Ok(Some(self.heap.text(text.into_bytes())))
            }
            Builtin::Host(call) => unreachable!("there is no {call}"),
            Builtin::FormatInt
            | Builtin::FormatFloat
            | Builtin::FormatStr
            | Builtin::StrHash
            | Builtin::StrFind
            | Builtin::StrReplace
            | Builtin::StrSplit
            | Builtin::StrWords
            | Builtin::StrLines
            | Builtin::StrChars
            | Builtin::StrJoin
            | Builtin::StrUpper
            | Builtin::StrLower
            | Builtin::StrTrimStart
            | Builtin::StrTrimEnd
            | Builtin::StrStartsWith
            | Builtin::StrEndsWith
            | Builtin::StrRepeat
            | Builtin::StrOrd
            | Builtin::StrIsInt
            | Builtin::StrIsFloat => self.kit_builtin(builtin, args),
            Builtin::ReadFile
            | Builtin::WriteFile
            | Builtin::AppendFile
            | Builtin::FileExists
            | Builtin::ReadAll
            | Builtin::WriteError
            | Builtin::Env
            | Builtin::Time
            | Builtin::IndexFailure
            | Builtin::SliceFailure
            | Builtin::KeyFailure => self.outside_builtin(builtin, args),
            Builtin::ArraySlice
            | Builtin::Copy
            | Builtin::FillInt
            | Builtin::FillFloat
            | Builtin::FillBool
            | Builtin::FillByte
            | Builtin::FillRef
            | Builtin::FillFunc
            | Builtin::Sort => self.array_builtin(builtin, args),
        }
    }

    fn text_builtin(&mut self, builtin: Builtin, args: &[u64]) -> Given {
        let text = |at: usize| self.heap.bytes(args[at]);
        let new = match builtin {
            Builtin::StrEq => return Ok(Some(u64::from((args[0] == 0) == (args[1] == 0) && text(0) == text(1)))),
            Builtin::StrCmp => return Ok(Some(text(0).cmp(text(1)) as i64 as u64)),
            Builtin::ParseInt => {
                return Ok(Some(self.heap.raw_text(args[0]).parse::<i64>().map_or(args[1], |value| value as u64)));
            }
            Builtin::ParseFloat => {
                return Ok(Some(self.heap.raw_text(args[0]).parse::<f64>().map_or(args[1], f64::to_bits)));
            }
            Builtin::Bytes => {
                let words: Vec<u64> = text(0).iter().copied().map(u64::from).collect();
                return Ok(Some(self.heap.array_of(Elem::Byte, &words)?));
            }
            Builtin::StrConcat => [text(0), text(1)].concat(),
            Builtin::StrSlice => text(0)[range(args[1], args[2], text(0).len())?].to_vec(),
            Builtin::StrOfInt => (args[0] as i64).to_string().into_bytes(),
            Builtin::StrOfFloat if f64::from_bits(args[0]).is_nan() => b"nan".to_vec(),
            Builtin::StrOfFloat => format!("{:?}", f64::from_bits(args[0])).into_bytes(),
            Builtin::StrOfBool => (args[0] != 0).to_string().into_bytes(),
            Builtin::Chr => match u32::try_from(args[0]).ok().and_then(char::from_u32) {
                Some(c) => c.to_string().into_bytes(),
                None => return Err(Kind::Builtin("chr").into()),
            },
            Builtin::Text => {
                let Object::Array(_, words) = self.heap.object(args[0])? else {
                    return Err(Stop::Broken("text of no array".to_owned()));
                };
                words[range(args[1], args[2], words.len())?].iter().map(|word| *word as u8).collect()
            }
            other => unreachable!("{other:?} is not about strings"),
        };
        self.new_text(new)
    }

    /// A new string. One may be doubled again and again.
    pub(super) fn new_text(&mut self, text: Vec<u8>) -> Given {
        if text.len() > 1 << 16 {
            return Err(Stop::GivenUp);
        }
        Ok(Some(self.heap.text(text)))
    }

    /// The elements of an array.
    fn words(&mut self, array: u64) -> Result<(Elem, &mut Vec<u64>), Stop> {
        match self.heap.object(array)? {
            Object::Array(elem, words) => Ok((*elem, words)),
            other => Err(Stop::Broken(format!("{other:?} is no array"))),
        }
    }

    fn array_builtin(&mut self, builtin: Builtin, args: &[u64]) -> Given {
        match builtin {
            Builtin::ArraySlice => {
                let (elem, words) = self.words(args[0])?;
                let slice = words[range(args[1], args[2], words.len())?].to_vec();
                return Ok(Some(self.heap.array_of(elem, &slice)?));
            }
            Builtin::Copy => {
                let &[to, to_start, from, from_start, n] = args else { unreachable!("it has five operands") };
                let end = |start: u64| (start as i64).checked_add(n as i64).map_or(u64::MAX, |end| end as u64);
                let len = self.words(to)?.1.len();
                let place = range(to_start, end(to_start), len)?;
                // Bytes may come from a string.
                let source: Vec<u64> = match self.heap.object(from)? {
                    Object::Text(text) => text.iter().copied().map(u64::from).collect(),
                    _ => self.words(from)?.1.clone(),
                };
                let copied = &source[range(from_start, end(from_start), source.len())?];
                self.words(to)?.1[place].copy_from_slice(copied);
            }
            Builtin::Sort => self.sort(args[0])?,
            _ => {
                let (elem, words) = self.words(args[0])?;
                words.fill(stored(elem, args[1]));
            }
        }
        Ok(None)
    }

    fn sort(&mut self, array: u64) -> Result<(), Stop> {
        let (elem, words) = self.words(array)?;
        let mut sorted = words.clone();
        match elem {
            Elem::Float => sorted.sort_by(|a, b| f64::from_bits(*a).total_cmp(&f64::from_bits(*b))),
            Elem::Ref => sorted.sort_by(|a, b| self.heap.bytes(*a).cmp(self.heap.bytes(*b))),
            Elem::Int | Elem::Bool | Elem::Byte | Elem::Func | Elem::Char => sorted.sort_by_key(|word| *word as i64),
        }
        *self.words(array)?.1 = sorted;
        Ok(())
    }
}

/// `from..to` within so many elements.
fn range(from: u64, to: u64, len: usize) -> Result<Range<usize>, Stop> {
    let is_in = (from as i64) >= 0 && from as i64 <= to as i64 && to <= len as u64;
    if is_in { Ok(from as usize..to as usize) } else { Err(Kind::Builtin("out of range").into()) }
}
