//! Distribution of a thread's stream to one sink a function.
//!
//! In: buffers of words. Out: calls of each function's [`Sink`]. Consecutive ids of one activation come as one slice,
//! so that a sink's fast path is a loop over ids.
//! Invariant: the calls do not depend on the positions at which buffers end.

use super::decode::{BadWord, decode, length};
use super::encode::MARKER;
use super::path_event::{Event, FunctionId};
use crate::machine::Sink;

/// Distributes a thread's stream to one sink a function.
#[derive(Clone, Debug)]
pub struct Streams<S> {
    functions: Vec<Option<Box<S>>>,
    /// The live activations, innermost last.
    activations: Vec<FunctionId>,
    /// The first words of an event that the next buffer completes.
    begun: Vec<u64>,
}

impl<S> Default for Streams<S> {
    fn default() -> Self {
        Streams { functions: Vec::new(), activations: Vec::new(), begun: Vec::new() }
    }
}

impl<S: Sink> Streams<S> {
    /// Attaches a function's sink. Events of functions without a sink are ignored.
    pub fn attach(&mut self, function: FunctionId, sink: S) {
        let index = function.as_u32() as usize;
        if index >= self.functions.len() {
            self.functions.resize_with(index + 1, || None);
        }
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
        !self.begun.is_empty()
    }

    /// Reads a buffer.
    pub fn read(&mut self, words: &[u64]) -> Result<(), BadWord> {
        let mut rest = self.finish_begun(words)?;
        while let Some(&first) = rest.first() {
            if first & MARKER == 0 {
                let run = rest.iter().position(|word| word & MARKER != 0).unwrap_or(rest.len());
                self.paths(&rest[..run])?;
                rest = &rest[run..];
                continue;
            }
            match decode(rest)? {
                Some((event, used)) => {
                    self.event(event).map_err(|_| BadWord(first))?;
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
    fn finish_begun<'a>(&mut self, words: &'a [u64]) -> Result<&'a [u64], BadWord> {
        let Some(&first) = self.begun.first() else { return Ok(words) };
        let missing = (length(first)? - self.begun.len()).min(words.len());
        self.begun.extend(&words[..missing]);
        let begun = std::mem::take(&mut self.begun);
        match decode(&begun)? {
            Some((event, _)) => self.event(event).map_err(|_| BadWord(first))?,
            None => self.begun = begun,
        }
        Ok(&words[missing..])
    }

    fn paths(&mut self, ids: &[u64]) -> Result<(), BadWord> {
        let Some(&function) = self.activations.last() else { return Err(BadWord(ids[0])) };
        if let Some(sink) = self.sink_mut(function) {
            sink.paths(ids);
        }
        Ok(())
    }

    #[inline]
    /// A function's sink, to be changed.
    pub fn sink_mut(&mut self, function: FunctionId) -> Option<&mut S> {
        self.functions.get_mut(function.as_u32() as usize)?.as_deref_mut()
    }

    /// Handles one event; returns it as an error if it needs a live activation and there is none.
    pub fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        let function = match event {
            Event::Enter(function) => {
                self.activations.push(function);
                function
            }
            Event::Path(_) | Event::Prefix { .. } => *self.activations.last().ok_or(event)?,
            Event::Leave => self.activations.pop().ok_or(event)?,
            Event::Lone { function, .. }
            | Event::LonePrefix { function, .. }
            | Event::Fold { function, .. }
            | Event::BranchPrefix { function, .. }
            | Event::IterationPrefix { function, .. } => function,
        };
        let Some(sink) = self.sink_mut(function) else { return Ok(()) };
        match event {
            Event::Enter(_) => sink.enter(),
            Event::Path(id) => sink.path(id),
            Event::Prefix { block, id } => sink.prefix(block, id),
            Event::Leave => sink.leave(),
            Event::Lone { id, .. } => sink.lone(id),
            Event::LonePrefix { block, id, .. } => sink.lone_prefix(block, id),
            // The first run that a code cell reports is empty.
            Event::Fold { count: 0, .. } => {}
            Event::Fold { register, count, bits, .. } => sink.folds(register, bits, count),
            Event::BranchPrefix { block, start, history, .. } => sink.branch_prefix(block, start, history),
            Event::IterationPrefix { block, iteration, id, .. } => sink.iteration_prefix(block, iteration, id),
        }
        Ok(())
    }
}
