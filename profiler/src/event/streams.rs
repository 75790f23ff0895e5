//! Distribution of a thread's stream to one sink a function.
//!
//! In: buffers of words. Out: calls of each function's [`Sink`]. Consecutive ids of one activation come as one slice,
//! so that a sink's fast path is a loop over ids.
//! Invariant: the calls do not depend on the positions at which buffers end.

use super::decode::BadWord;
use super::path_event::{Event, FunctionId};
use super::reader::{EventSink, WordReader};
use crate::event::packing::Packing;
use crate::machine::Sink;

/// Distributes a thread's stream to one sink a function.
#[derive(Clone, Debug)]
pub struct Streams<S> {
    functions: Vec<Option<Box<S>>>,
    /// For functions with several ids in a word, their layout.
    packings: Vec<Option<Packing>>,
    /// The live activations, innermost last.
    activations: Vec<FunctionId>,
    reader: WordReader,
}

impl<S> Default for Streams<S> {
    fn default() -> Self {
        Streams { functions: Vec::new(), packings: Vec::new(), activations: Vec::new(), reader: WordReader::default() }
    }
}

impl<S: Sink> Streams<S> {
    /// Attaches a function's sink. Events of functions without a sink are ignored.
    pub fn attach(&mut self, function: FunctionId, sink: S) {
        self.attach_packed(function, sink, None);
    }

    /// Attaches the sink of a function whose words have several ids each, in this layout.
    pub fn attach_packed(&mut self, function: FunctionId, sink: S, packing: Option<Packing>) {
        let index = function.as_u32() as usize;
        if index >= self.functions.len() {
            self.functions.resize_with(index + 1, || None);
            self.packings.resize(index + 1, None);
        }
        self.packings[index] = packing;
        self.functions[index] = Some(Box::new(sink));
    }

    /// A function's sink.
    pub fn sink(&self, function: FunctionId) -> Option<&S> {
        self.functions.get(function.as_u32() as usize)?.as_deref()
    }

    /// Detaches a function's sink; its later events are ignored.
    pub fn detach(&mut self, function: FunctionId) -> Option<S> {
        self.functions.get_mut(function.as_u32() as usize)?.take().map(|sink| *sink)
    }

    /// Drops a function's live activations, of which the stream will contain no more events, not even their ends.
    pub fn forget_activations(&mut self, function: FunctionId) {
        self.activations.retain(|active| *active != function);
    }

    /// Number of live activations.
    pub fn depth(&self) -> usize {
        self.activations.len()
    }

    /// Returns whether the last buffer ended within an event.
    pub fn is_cut(&self) -> bool {
        self.reader.is_cut()
    }

    /// Reads a buffer.
    pub fn read(&mut self, words: &[u64]) -> Result<(), BadWord> {
        let mut reader = std::mem::take(&mut self.reader);
        let result = reader.read(words, self);
        self.reader = reader;
        result
    }

    /// A function's sink, to be changed.
    #[inline]
    pub fn sink_mut(&mut self, function: FunctionId) -> Option<&mut S> {
        self.functions.get_mut(function.as_u32() as usize)?.as_deref_mut()
    }

    /// Handles one event; returns it as an error if it needs a live activation and there is none.
    pub fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        EventSink::event(self, event)
    }
}

impl<S: Sink> EventSink for Streams<S> {
    fn paths(&mut self, ids: &[u64]) -> bool {
        let Some(&function) = self.activations.last() else { return false };
        let packing = self.packings.get(function.as_u32() as usize).copied().flatten();
        let Some(sink) = self.sink_mut(function) else { return true };
        match packing {
            None => sink.paths(ids),
            Some(_) if !ids.iter().copied().all(Packing::is_packed) => return false,
            Some(packing) => ids.iter().flat_map(|word| packing.ids(*word)).for_each(|id| sink.path(id)),
        }
        true
    }

    fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        let function = match event {
            Event::Enter(function) => {
                self.activations.push(function);
                function
            }
            Event::Path(_) | Event::Repeat { .. } | Event::Prefix { .. } => *self.activations.last().ok_or(event)?,
            Event::Leave => self.activations.pop().ok_or(event)?,
            // The reader gives them to the methods of their names.
            Event::Leaf { .. } | Event::Last { .. } => return Err(event),
            Event::Lone { function, .. }
            | Event::LonePrefix { function, .. }
            | Event::Fold { function, .. }
            | Event::PrefixAt { function, .. } => function,
        };
        let Some(sink) = self.sink_mut(function) else { return Ok(()) };
        match event {
            Event::Enter(_) => sink.enter(),
            Event::Path(id) => sink.path(id),
            Event::Repeat { id, count } => sink.repeat(id, count),
            Event::Prefix { block, id } => sink.prefix(block, id),
            Event::Leave | Event::Leaf { .. } | Event::Last { .. } => sink.leave(),
            Event::Lone { id, .. } => sink.lone(id),
            Event::LonePrefix { block, id, .. } => sink.lone_prefix(block, id),
            // The first run that a code cell reports is empty.
            Event::Fold { count: 0, .. } => {}
            Event::Fold { register, count, bits, .. } => sink.folds(register, bits, count),
            Event::PrefixAt { block, at, id, .. } => sink.prefix_at(block, at, id),
        }
        Ok(())
    }
}
