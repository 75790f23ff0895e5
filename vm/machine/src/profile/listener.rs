//! Listeners to the order of all paths.
//!
//! In: the plan of each function before its first event, and then the events of a run, in order. Out: the listener's own results.
//! Invariant: code and interpreter tell the same, but that code packs several ids into a word.

use holloway_ir::FuncRef;
use holloway_profiler::event::{BadWord, Event};
use holloway_profiler::scheme::FunctionPlan;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Hears all events of a run, where a scheme reports their order.
pub trait PathListener: Send {
    /// The events of a function are those of this plan from now on.
    fn declare(&mut self, func: FuncRef, plan: &FunctionPlan);
    /// Words that code wrote; they may begin and end within an event.
    fn words(&mut self, words: &[u64]) -> Result<(), BadWord>;
    /// An event of the interpreter: its ids are not packed.
    fn event(&mut self, event: Event<'_>);
}

/// A listener that the executor and whoever wants its results share.
pub struct Listening<L: ?Sized = dyn PathListener>(Arc<Mutex<L>>);

impl<L> Listening<L> {
    /// Shares a listener.
    pub fn new(listener: L) -> Listening<L> {
        Listening(Arc::new(Mutex::new(listener)))
    }
}

impl<L: PathListener + 'static> Listening<L> {
    /// The same listener, for an executor.
    pub fn shared(&self) -> Listening {
        Listening(Arc::<Mutex<L>>::clone(&self.0))
    }
}

impl<L: ?Sized> Listening<L> {
    /// The listener.
    pub fn get(&self) -> MutexGuard<'_, L> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L: ?Sized> Clone for Listening<L> {
    fn clone(&self) -> Self {
        Listening(Arc::clone(&self.0))
    }
}
