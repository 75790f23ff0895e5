//! The kit of strings, and the world outside, for the interpreter of the SSA form: as simple as that of the other builtins, and not always right.
//!
//! In: a builtin, its operands as words. Out: its result, or why it fails. Invariant: there are no files, no input and no environment.

use super::builtins::Given;
use super::{Kind, Machine, Stop};
use holloway_lang::ir::{Builtin, Elem};

impl Machine<'_> {
    pub(super) fn kit_builtin(&mut self, builtin: Builtin, args: &[u64]) -> Given {
        let text = |at: usize| self.heap.raw_text(args[at]);
        let number = |value: i64| Ok(Some(value as u64));
        let new = match builtin {
            Builtin::FormatInt => format!("{:>w$}", args[0] as i64, w = self.heap.len(args[1])? as usize),
            Builtin::FormatFloat => format!("{:.2} {}", f64::from_bits(args[0]), text(1)),
            Builtin::FormatStr => format!("{:<w$}", text(0), w = self.heap.len(args[1])? as usize),
            Builtin::StrHash => {
                let hash =
                    self.heap.bytes(args[0]).iter().fold(7, |hash: i64, byte| {
                        hash.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(i64::from(*byte))
                    });
                return number(hash & i64::MAX);
            }
            Builtin::StrFind => {
                let (whole, from) = (text(0), args[2] as usize);
                return number(
                    whole.get(from..).and_then(|rest| rest.find(&text(1))).map_or(-1, |at| (from + at) as i64),
                );
            }
            Builtin::StrStartsWith => return number(i64::from(text(0).starts_with(&text(1)))),
            Builtin::StrEndsWith => return number(i64::from(text(0).ends_with(&text(1)))),
            Builtin::StrIsInt => return number(i64::from(text(0).trim().parse::<i64>().is_ok())),
            Builtin::StrIsFloat => return number(i64::from(text(0).trim().parse::<f64>().is_ok())),
            Builtin::StrOrd => {
                let first = text(0).chars().next().ok_or(Stop::Fails(Kind::Builtin("ord")))?;
                return number(i64::from(u32::from(first)));
            }
            Builtin::StrSplit | Builtin::StrReplace if text(1).is_empty() => {
                return Err(Kind::Builtin("empty part").into());
            }
            Builtin::StrSplit => return self.array_of_texts(text(0).split(&text(1)).map(str::to_owned).collect()),
            Builtin::StrWords => {
                return self.array_of_texts(text(0).split_ascii_whitespace().map(str::to_owned).collect());
            }
            Builtin::StrLines => return self.array_of_texts(text(0).lines().map(str::to_owned).collect()),
            Builtin::StrChars => return self.array_of_texts(text(0).chars().map(String::from).collect()),
            Builtin::StrJoin => {
                let parts: Vec<u64> =
                    (0..args[1]).map(|at| self.heap.element(Elem::Ref, args[0], at)).collect::<Result<_, _>>()?;
                let parts: Vec<String> = parts.into_iter().map(|part| self.heap.raw_text(part)).collect();
                parts.join(&self.heap.raw_text(args[2]))
            }
            Builtin::StrReplace => text(0).replace(&text(1), &text(2)),
            Builtin::StrUpper => text(0).to_uppercase(),
            Builtin::StrLower => text(0).to_lowercase(),
            Builtin::StrTrimStart => text(0).trim_ascii_start().to_owned(),
            Builtin::StrTrimEnd => text(0).trim_ascii_end().to_owned(),
            Builtin::StrRepeat => match usize::try_from(args[1] as i64) {
                Ok(count) if count.saturating_mul(text(0).len()) > 1 << 16 => return Err(Stop::GivenUp),
                Ok(count) => text(0).repeat(count),
                Err(_) => return Err(Kind::Builtin("repeat").into()),
            },
            other => unreachable!("{other:?} is not of the kit of strings"),
        };
        self.new_text(new.into_bytes())
    }

    fn array_of_texts(&mut self, texts: Vec<String>) -> Given {
        let words: Vec<u64> = texts.into_iter().map(|text| self.heap.text(text.into_bytes())).collect();
        Ok(Some(self.heap.array_of(Elem::Ref, &words)?))
    }

    pub(super) fn outside_builtin(&mut self, builtin: Builtin, args: &[u64]) -> Given {
        match builtin {
            Builtin::ReadFile | Builtin::WriteFile | Builtin::AppendFile | Builtin::FileExists => {
                Err(Kind::Builtin("files").into())
            }
            Builtin::ReadAll => self.new_text(Vec::new()),
            Builtin::WriteError => {
                self.output.push_str(&self.heap.raw_text(args[0]));
                Ok(None)
            }
            Builtin::Env => Ok(Some(0)),
            Builtin::Time => {
                self.clock += 1;
                Ok(Some((self.clock as f64).to_bits()))
            }
            Builtin::IndexFailure => Err(Kind::IndexOutOfRange(args[0] as i64, args[1] as i64).into()),
            Builtin::SliceFailure => Err(Kind::Builtin("slice").into()),
            Builtin::KeyFailure => Err(Kind::Builtin("key").into()),
            other => unreachable!("{other:?} is not about the world outside"),
        }
    }
}
