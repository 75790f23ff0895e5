//! Reading of a thread's stream: from buffers of words to events.
//!
//! In: buffers of words. Out: calls of an [`EventSink`]. Consecutive ids of one activation come as one slice, so that the
//! sink's fast path is a loop over ids.
//! Invariant: the calls do not depend on the positions at which buffers end.

use super::decode::{BadWord, decode, length};
use super::encode::{self, First, MARKER, MOST_BLOCKS, MOST_FUNCTIONS};
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
    /// Handles an activation with the complete paths of one word and no calls; false if it cannot stand here.
    fn leaf(&mut self, function: FunctionId, word: u64) -> bool {
        self.event(Event::Enter(function)).is_ok() && self.paths(&[word]) && self.event(Event::Leave).is_ok()
    }
    /// Handles one event; returns it as an error if it cannot stand here.
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
            Event::Fold { .. } | Event::BranchPrefix { .. } | Event::IterationPrefix { .. } => false,
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
            if let First::Lone { function, id } = First::of(first) {
                let run = rest.iter().position(|word| *word != first).unwrap_or(rest.len());
                if !sink.lone(function, id, run) {
                    return Err(BadWord(first));
                }
                rest = &rest[run..];
                continue;
            }
            if let Some(event) = call_or_return(first) {
                if let (Event::Enter(function), Some(word)) = (event, leaf_word(rest)) {
                    if !sink.leaf(function, word) {
                        return Err(BadWord(word));
                    }
                    rest = &rest[3..];
                    continue;
                }
                sink.event(event).map_err(|_| BadWord(first))?;
                rest = &rest[1..];
                continue;
            }
            if let &[id, count, ..] = &rest[1..]
                && first == encode::repeat()
                && id & MARKER == 0
            {
                sink.event(Event::Repeat { id, count }).map_err(|_| BadWord(first))?;
                rest = &rest[3..];
                continue;
            }
            match decode(rest)? {
                Some((event, used)) => {
                    sink.event(event).map_err(|_| BadWord(first))?;
                    rest = &rest[used..];
                }
                None => {
                    self.begun.extend(rest);
                    break;
                }
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

/// The word between the call and the return that `words` begin with, if that is all.
#[inline]
fn leaf_word(words: &[u64]) -> Option<u64> {
    let &[_, word, last, ..] = words else { return None };
    (word & MARKER == 0 && last == encode::leave()).then_some(word)
}

/// The most frequent markers, without the detour through all kinds.
#[inline]
fn call_or_return(word: u64) -> Option<Event<'static>> {
    let function = word / MOST_BLOCKS % MOST_FUNCTIONS;
    if word == MARKER | (function * MOST_BLOCKS) {
        return Some(Event::Enter(FunctionId::from_u32(function as u32)));
    }
    (word == encode::leave()).then_some(Event::Leave)
}
