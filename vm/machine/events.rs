//! The event buffer that path probes write to.
//!
//! In: who takes full buffers. Out: the addresses in the context, and buffers with the words written.
//! Invariant: while code with probes may run, the context points into the present buffer, with room for one report more.
#![expect(unsafe_code, reason = "takes over words that compiled code wrote")]

use super::Machine;
use holloway_jit::abi::EVENT_ROOM;

/// Words in a buffer: as many as a first-level cache holds twice, so that handing one over is rare.
const BUFFER: usize = 1 << 16;

/// Takes full buffers.
pub trait EventSink: Send {
    /// Takes a buffer; gives one to go on with, whose content does not matter.
    fn swap(&mut self, words: Vec<u64>) -> Vec<u64>;
}

/// A buffer and who takes it.
pub(super) struct Events {
    buffer: Vec<u64>,
    sink: Box<dyn EventSink>,
}

impl Machine {
    /// Lets path probes write to a sink.
    pub fn set_event_sink(&mut self, sink: Box<dyn EventSink>) {
        let mut events = Events { buffer: Vec::new(), sink };
        self.point_at(&mut events);
        self.events = Some(events);
    }

    /// Hands over what was written so far.
    pub fn flush_events(&mut self) {
        let Some(mut events) = self.events.take() else { return };
        let (next, _) = self.runtime.context().events();
        let words = (next - events.buffer.as_ptr().expose_provenance()) / size_of::<u64>();
        assert!(words <= events.buffer.capacity(), "a report fits the room left for it");
        // SAFETY: code wrote that many words from the start of the buffer on; they are within its capacity.
        unsafe { events.buffer.set_len(words) };
        events.buffer = events.sink.swap(std::mem::take(&mut events.buffer));
        self.point_at(&mut events);
        self.events = Some(events);
    }

    /// Appends words as a probe would.
    pub(super) fn write_events(&mut self, words: &[u64]) {
        assert!(words.len() <= EVENT_ROOM, "a report fits the room left for it");
        let (next, end) = self.runtime.context().events();
        let place: *mut u64 = std::ptr::with_exposed_provenance_mut(next);
        // SAFETY: there is always room for one report behind the next place.
        unsafe { place.copy_from_nonoverlapping(words.as_ptr(), words.len()) };
        let next = next + size_of_val(words);
        self.runtime.context_mut().set_events(next, end);
        if next >= end {
            self.flush_events();
        }
    }

    fn point_at(&mut self, events: &mut Events) {
        events.buffer.clear();
        events.buffer.reserve_exact(BUFFER + EVENT_ROOM);
        let start = events.buffer.as_mut_ptr().expose_provenance();
        self.runtime.context_mut().set_events(start, start + BUFFER * size_of::<u64>());
    }
}
