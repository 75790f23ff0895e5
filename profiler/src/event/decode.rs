//! Decoding of words to events.
//!
//! In: words, from the first word of an event on. Out: the event and its length in words.
//! Invariant: a word that no probe writes is a [`BadWord`]; too few words are no error, since a buffer may end
//! anywhere.

use std::fmt;

use super::encode::{First, Kind, MARKER, fold_parts};
use super::path_event::{Event, FunctionId};
use crate::graph::Node;
use crate::plan::BitRegister;

/// A word that no probe writes, or an event outside any activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadWord(pub u64);

impl fmt::Display for BadWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the word {:#018x} does not belong where it stands in a path-event stream", self.0)
    }
}

impl std::error::Error for BadWord {}

/// The length in words of the event whose first word is `first`.
pub fn length(first: u64) -> Result<usize, BadWord> {
    match First::of(first) {
        First::Path(_) | First::Lone { .. } | First::Last { .. } => Ok(1),
        First::Marker { kind, low, .. } => Ok(match kind {
            Kind::Enter | Kind::Leave | Kind::Leaf | Kind::Last => 1,
            Kind::Prefix | Kind::LonePrefix => 2,
            Kind::PrefixAt | Kind::Repeat => 3,
            Kind::Fold => 2 + fold_parts(low).1,
        }),
        First::Unknown => Err(BadWord(first)),
    }
}

/// The first event of `words` and its length; `None` if words are missing.
pub fn decode(words: &[u64]) -> Result<Option<(Event<'_>, usize)>, BadWord> {
    let Some(&first) = words.first() else { return Ok(None) };
    let length = length(first)?;
    if words.len() < length {
        return Ok(None);
    }
    let event = match First::of(first) {
        First::Path(id) => Event::Path(id),
        First::Lone { function, id } => Event::Lone { function, id },
        First::Last { word } => Event::Last { word },
        First::Marker { kind, function, low } => marked(kind, function, low, &words[..length])?,
        First::Unknown => return Err(BadWord(first)),
    };
    Ok(Some((event, length)))
}

fn marked(kind: Kind, function: FunctionId, low: u32, words: &[u64]) -> Result<Event<'_>, BadWord> {
    let block = || Node::from_u32(low);
    let check = |holds: bool, at: usize| if holds { Ok(()) } else { Err(BadWord(words[at])) };
    let anonymous = function == FunctionId::from_u32(0);
    match kind {
        Kind::Enter => {
            check(low == 0, 0)?;
            Ok(Event::Enter(function))
        }
        Kind::Leave => {
            check(anonymous && low == 0, 0)?;
            Ok(Event::Leave)
        }
        Kind::Leaf => Ok(Event::Leaf { function, word: u64::from(low) }),
        Kind::Last => unreachable!("it has no function"),
        Kind::Prefix => {
            check(anonymous, 0)?;
            check(is_id(words[1]), 1)?;
            Ok(Event::Prefix { block: block(), id: words[1] })
        }
        Kind::LonePrefix => {
            check(is_id(words[1]), 1)?;
            Ok(Event::LonePrefix { function, block: block(), id: words[1] })
        }
        Kind::Fold => {
            let (register, length): (BitRegister, usize) = fold_parts(low);
            check(length > 0, 0)?;
            Ok(Event::Fold { function, register, count: words[1], bits: &words[2..] })
        }
        Kind::Repeat => {
            check(anonymous && low == 0, 0)?;
            check(is_id(words[1]), 1)?;
            Ok(Event::Repeat { id: words[1], count: words[2] })
        }
        Kind::PrefixAt => {
            let at = u32::try_from(words[1]).map_err(|_| BadWord(words[1]))?;
            Ok(Event::PrefixAt { function, block: block(), at, id: words[2] })
        }
    }
}

fn is_id(word: u64) -> bool {
    word & MARKER == 0
}
