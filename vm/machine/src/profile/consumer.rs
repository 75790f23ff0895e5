//! Consumer of the event stream that compiled code writes.
//!
//! In: plans of functions, then words in the order in which they were written. Out: what was collected of each function.
//! With a listener, words are its alone, and nothing is collected.
//! Invariant: events of functions without a plan are passed over; a word that no probe writes is an error.

use super::Listening;
use holloway_ir::FuncRef;
use holloway_profiler::event::{BadWord, FunctionId, Streams};
use holloway_profiler::scheme::{Collected, FunctionPlan};

/// Collects from one thread's stream.
#[derive(Clone, Default)]
pub struct Consumer {
    streams: Streams<Box<dyn Collected>>,
    listening: Option<Listening>,
}

/// A function's name in the stream.
pub fn function_id(func: FuncRef) -> FunctionId {
    FunctionId::from_u32(func.as_u32())
}

impl Consumer {
    /// Passes all words on instead.
    pub fn listen(&mut self, listening: Listening) {
        self.listening = Some(listening);
    }

    /// Collects from a function from now on, unless it does already.
    pub fn attach(&mut self, func: FuncRef, plan: &FunctionPlan) {
        if let Some(listening) = &self.listening {
            listening.get().declare(func, plan);
        }
        if self.streams.sink(function_id(func)).is_none() {
            self.streams.attach_packed(function_id(func), plan.decoder.collector(), plan.stream.packing());
        }
    }

    /// Forgets a function, whose body was replaced; what was collected until now.
    pub fn detach(&mut self, func: FuncRef) -> Option<Box<dyn Collected>> {
        self.streams.detach(function_id(func))
    }

    /// Reads words, which may begin and end in the middle of an event.
    pub fn consume(&mut self, words: &[u64]) -> Result<(), BadWord> {
        match &self.listening {
            Some(listening) => listening.get().words(words),
            None => self.streams.read(words),
        }
    }

    /// Drops the live activations of a function, which will not tell when they end.
    pub fn forget_activations(&mut self, func: FuncRef) {
        self.streams.forget_activations(function_id(func));
    }

    /// Reports of a function, as far as they were read.
    pub fn reports(&self, func: FuncRef) -> Option<&dyn Collected> {
        self.streams.sink(function_id(func)).map(|collected| &**collected)
    }

    /// A tick was taken: a function's window goes on with its next part, if it is time.
    pub fn next_part(&mut self, func: FuncRef) {
        if let Some(collected) = self.streams.sink_mut(function_id(func)) {
            collected.next_part();
        }
    }

    /// A copy of what was collected from a function.
    pub fn collected(&self, func: FuncRef) -> Option<Box<dyn Collected>> {
        self.streams.sink(function_id(func)).cloned()
    }
}
