//! Reading of a thread's stream: from buffers of words to events.
//!
//! In: buffers of words. Out: calls of an [`EventSink`]. Consecutive ids of one activation come as one slice, so that the
//! sink's fast path is a loop over ids.
//! Invariant: the calls do not depend on the positions at which buffers end.

use super::decode::{BadWord, decode, length};
use super::encode::{self, First, Kind, MARKER};
use super::path_event::{Event, FunctionId};
use crate::graph::Node;

/// Consumer of the events of a whole thread.
pub trait EventSink {
    /// Handles consecutive complete paths of the innermost activation; false if there is none.
    fn paths(&mut self, ids: &[u64]) -> bool;
    /// Handles a lone path that comes `count` times, one after the other; false if it cannot stand here.
    fn lone(&mut self, function: FunctionId, id: u64, count: usize) -> bool {
        (0..count).all(|_| self.event(Event::Lone { function, id }).is_ok())
    }
    /// Handles the start of an activation; false if it cannot stand here.
    fn begin(&mut self, function: FunctionId) -> bool {
        self.event(Event::Enter(function)).is_ok()
    }
    /// Handles an activation with the complete paths of one word and no calls; false if it cannot stand here.
    fn leaf(&mut self, function: FunctionId, word: u64) -> bool {
        self.begin(function) && self.paths(&[word]) && self.event(Event::Leave).is_ok()
    }
    /// Handles the end of the innermost activation, with the last word of its paths; false if it cannot stand here.
    fn last(&mut self, word: u64) -> bool {
        self.paths(&[word]) && self.event(Event::Leave).is_ok()
    }
    /// Handles one event of another kind; returns it as an error if it cannot stand here.
    fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>>;
}

/// Consumer that follows activations, one inside the other. False means that an event cannot stand where it does.
pub trait ActivationSink {
    /// A function is called.
    fn enter(&mut self, function: FunctionId) -> bool;
    /// The innermost activation completes a path `count` times, one after the other.
    fn repeat(&mut self, id: u64, count: u64) -> bool;
    /// A failure in `block` cuts a path of the innermost activation short.
    fn prefix(&mut self, block: Node, id: u64) -> bool;
    /// The innermost activation ends.
    fn leave(&mut self) -> bool;

    /// Handles one event, as [`EventSink::event`] does.
    #[inline]
    fn follow<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        let is_handled = match event {
            Event::Enter(function) => self.enter(function),
            Event::Path(id) => self.repeat(id, 1),
            Event::Repeat { id, count } => self.repeat(id, count),
            Event::Prefix { block, id } => self.prefix(block, id),
            Event::Leave => self.leave(),
            Event::Lone { function, id } => self.enter(function) && self.repeat(id, 1) && self.leave(),
            Event::LonePrefix { function, block, id } => self.enter(function) && self.prefix(block, id) && self.leave(),
            // Words are the business of `EventSink`.
            Event::Leaf { .. } | Event::Last { .. } => false,
            Event::Fold { .. } | Event::PrefixAt { .. } => false,
        };
        if is_handled { Ok(()) } else { Err(event) }
    }
}

/// Reader of a thread's words, which keeps the event in which a buffer ended.
#[derive(Clone, Debug, Default)]
pub struct WordReader {
    /// The first words of an event that the next buffer completes.
    begun: Vec<u64>,
}

impl WordReader {
    /// Returns whether the last buffer ended within an event.
    pub fn is_cut(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Reads a buffer.
    pub fn read(&mut self, words: &[u64], sink: &mut impl EventSink) -> Result<(), BadWord> {
        let mut rest = self.finish_begun(words, sink)?;
        while let Some(&first) = rest.first() {
            if first & MARKER == 0 {
                let run = rest.iter().position(|word| word & MARKER != 0).unwrap_or(rest.len());
                if !sink.paths(&rest[..run]) {
                    return Err(BadWord(first));
                }
                rest = &rest[run..];
                continue;
            }
            let is_handled = match First::of(first) {
                First::Lone { function, id } => {
                    let run = rest.iter().position(|word| *word != first).unwrap_or(rest.len());
                    rest = &rest[run..];
                    sink.lone(function, id, run)
                }
                First::Last { word } => {
                    rest = &rest[1..];
                    sink.last(word)
                }
                First::Marker { kind: Kind::Leaf, function, low } => {
                    rest = &rest[1..];
                    sink.leaf(function, low.into())
                }
                First::Marker { kind: Kind::Enter, function, low: 0 } => {
                    if let Some(word) = leaf_word(rest) {
                        rest = &rest[3..];
                        sink.leaf(function, word)
                    } else {
                        rest = &rest[1..];
                        sink.begin(function)
                    }
                }
                First::Marker { kind: Kind::Leave, .. } if first == encode::leave() => {
                    rest = &rest[1..];
                    sink.event(Event::Leave).is_ok()
                }
                First::Marker { kind: Kind::Repeat, .. } if is_repeat(rest) => {
                    let (id, count) = (rest[1], rest[2]);
                    rest = &rest[3..];
                    sink.event(Event::Repeat { id, count }).is_ok()
                }
                First::Marker { .. } | First::Path(_) | First::Unknown => {
                    let Some((event, used)) = decode(rest)? else {
                        self.begun.extend(rest);
                        break;
                    };
                    rest = &rest[used..];
                    sink.event(event).is_ok()
                }
            };
            if !is_handled {
                return Err(BadWord(first));
            }
        }
        Ok(())
    }

    /// Completes the event in which the previous buffer ended; returns the rest of `words`.
    fn finish_begun<'a>(&mut self, words: &'a [u64], sink: &mut impl EventSink) -> Result<&'a [u64], BadWord> {
        let Some(&first) = self.begun.first() else { return Ok(words) };
        let missing = (length(first)? - self.begun.len()).min(words.len());
        self.begun.extend(&words[..missing]);
        let begun = std::mem::take(&mut self.begun);
        match decode(&begun)? {
            Some((event, _)) => sink.event(event).map_err(|_| BadWord(first))?,
            None => self.begun = begun,
        }
        Ok(&words[missing..])
    }
}

/// Returns whether words begin with the whole of a repetition, as code writes it.
#[inline]
fn is_repeat(words: &[u64]) -> bool {
    matches!(words, &[first, id, _, ..] if first == encode::repeat() && id & MARKER == 0)
}

/// The word between the call and the return that `words` begin with, if that is all.
#[inline]
fn leaf_word(words: &[u64]) -> Option<u64> {
    let &[_, word, last, ..] = words else { return None };
    (word & MARKER == 0 && last == encode::leave()).then_some(word)
}
