//! The path-event stream of a thread: words in a buffer, and events again.
//!
//! In: what probes write: a marker with the function at entry, ids as paths end, a marker at exit. Out: each function's own stream, to a
//! [`Sink`] each ([`Streams`]).
//!
//! A word is a path id if its top bit is 0 (ids fit a positive `i64`). Otherwise bits 61-62 tell the marker, and the low 32 bits the
//! function or block. A prefix is two words: its block, then its id.
//!
//! Invariant: a buffer may end anywhere, between the two words of a prefix too; a word that no probe writes is an error, not a panic.

use std::fmt;

use cranelift_entity::{EntityRef, SecondaryMap, entity_impl};

use crate::graph::Node;
use crate::machine::Sink;

/// A function of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "f");

/// One event of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A function is called.
    Enter(FunctionId),
    /// The innermost activation completes a path.
    Path(u64),
    /// A failure in `block` cuts a path of the innermost activation short.
    Prefix {
        /// The block.
        block: Node,
        /// The prefix's id.
        id: u64,
    },
    /// The innermost activation ends.
    Leave,
}

/// The bit that tells a marker from a path id.
pub const MARKER: u64 = 1 << 63;
const ENTER: u64 = MARKER;
const LEAVE: u64 = MARKER | 1 << 61;
const PREFIX: u64 = MARKER | 2 << 61;
const KIND: u64 = MARKER | 3 << 61;

impl Event {
    /// The words for this event: one, or two for a prefix.
    pub fn encode(self) -> (u64, Option<u64>) {
        match self {
            Event::Enter(function) => (ENTER | u64::from(function.as_u32()), None),
            Event::Path(id) => (id & !MARKER, None),
            Event::Prefix { block, id } => (PREFIX | u64::from(block.as_u32()), Some(id & !MARKER)),
            Event::Leave => (LEAVE, None),
        }
    }
}

/// A word that no probe writes, or an event outside any activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadWord(pub u64);

impl fmt::Display for BadWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the word {:#018x} does not belong where it stands in a path-event stream", self.0)
    }
}

impl std::error::Error for BadWord {}

/// Turns words back into events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoder {
    prefix_in: Option<Node>,
}

impl Decoder {
    /// The event that `word` completes; `None` in the middle of one.
    pub fn decode(&mut self, word: u64) -> Result<Option<Event>, BadWord> {
        let low = word & !KIND;
        // The greatest index is what `cranelift-entity` keeps for "none".
        let index = usize::try_from(low).ok().filter(|_| low < u64::from(u32::MAX));
        if word & MARKER == 0 {
            return Ok(Some(match self.prefix_in.take() {
                Some(block) => Event::Prefix { block, id: word },
                None => Event::Path(word),
            }));
        }
        if self.prefix_in.is_some() {
            return Err(BadWord(word));
        }
        match (word & KIND, index) {
            (ENTER, Some(function)) => Ok(Some(Event::Enter(FunctionId::new(function)))),
            (LEAVE, Some(0)) => Ok(Some(Event::Leave)),
            (PREFIX, Some(block)) => {
                self.prefix_in = Some(Node::new(block));
                Ok(None)
            }
            _ => Err(BadWord(word)),
        }
    }
}

/// Deals a thread's stream out to one sink for each function.
#[derive(Clone, Debug)]
pub struct Streams<S: Clone> {
    functions: SecondaryMap<FunctionId, Option<S>>,
    /// The activations under way, innermost last.
    activations: Vec<FunctionId>,
    decoder: Decoder,
}

impl<S: Sink + Clone> Default for Streams<S> {
    fn default() -> Self {
        Streams { functions: SecondaryMap::new(), activations: Vec::new(), decoder: Decoder::default() }
    }
}

impl<S: Sink + Clone> Streams<S> {
    /// Gives a function its sink; events of functions without one are passed over.
    pub fn attach(&mut self, function: FunctionId, sink: S) {
        self.functions[function] = Some(sink);
    }

    /// A function's sink.
    pub fn sink(&self, function: FunctionId) -> Option<&S> {
        self.functions[function].as_ref()
    }

    /// Activations under way.
    pub fn depth(&self) -> usize {
        self.activations.len()
    }

    /// Reads a buffer.
    pub fn read(&mut self, words: &[u64]) -> Result<(), BadWord> {
        for &word in words {
            if let Some(event) = self.decoder.decode(word)? {
                self.event(event).map_err(|_| BadWord(word))?;
            }
        }
        Ok(())
    }

    /// Takes one event; hands it back if no activation is under way that it could belong to.
    pub fn event(&mut self, event: Event) -> Result<(), Event> {
        if let Event::Enter(function) = event {
            self.activations.push(function);
        }
        let Some(&function) = self.activations.last() else { return Err(event) };
        if event == Event::Leave {
            self.activations.pop();
        }
        let Some(sink) = &mut self.functions[function] else { return Ok(()) };
        match event {
            Event::Enter(_) => sink.enter(),
            Event::Path(id) => sink.path(id),
            Event::Prefix { block, id } => sink.prefix(block, id),
            Event::Leave => sink.leave(),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Log(Vec<Event>);

    impl Sink for Log {
        fn path(&mut self, id: u64) {
            self.0.push(Event::Path(id));
        }
        fn prefix(&mut self, block: Node, id: u64) {
            self.0.push(Event::Prefix { block, id });
        }
        fn leave(&mut self) {
            self.0.push(Event::Leave);
        }
    }

    #[test]
    fn a_stream_survives_encoding_and_is_dealt_out() {
        let (f, g) = (FunctionId(0), FunctionId(7));
        let prefix = Event::Prefix { block: Node::from_u32(3), id: 9 };
        let inner = [Event::Enter(g), Event::Path(u64::MAX >> 1), prefix, Event::Leave];
        let mut events = vec![Event::Enter(f), Event::Path(1)];
        events.extend(inner);
        events.extend([Event::Path(0), Event::Leave]);
        let words: Vec<u64> = events.iter().flat_map(|e| [Some(e.encode().0), e.encode().1]).flatten().collect();
        for split in 0..=words.len() {
            let mut streams: Streams<Log> = Streams::default();
            streams.attach(f, Log::default());
            streams.attach(g, Log::default());
            streams.read(&words[..split]).unwrap();
            streams.read(&words[split..]).unwrap();
            assert_eq!(streams.sink(f).unwrap().0, [Event::Path(1), Event::Path(0), Event::Leave]);
            assert_eq!(streams.sink(g).unwrap().0, inner[1..]);
            assert_eq!(streams.depth(), 0);
        }
    }

    #[test]
    fn words_that_no_probe_writes_are_errors() {
        let mut streams: Streams<Log> = Streams::default();
        assert_eq!(streams.read(&[5]), Err(BadWord(5)), "a path outside any activation");
        assert_eq!(streams.read(&[u64::MAX]), Err(BadWord(u64::MAX)));
        let enter = Event::Enter(FunctionId(1)).encode().0;
        let (prefix, _) = Event::Prefix { block: Node::from_u32(1), id: 1 }.encode();
        assert_eq!(streams.read(&[enter, prefix, enter]), Err(BadWord(enter)));
    }
}
