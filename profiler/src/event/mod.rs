//! The path-event stream of a thread: events encoded as words in a buffer.
//!
//! In: the words that probes write, in the layout of [`encode`]. Out: the events of each function, dealt to one
//! [`Sink`](crate::machine::Sink) a function ([`Streams`]).
//!
//! There are two kinds of events. Paths between the markers [`Event::Enter`] and [`Event::Leave`] belong to one
//! activation and do not name their function. All other events name it, and mean the same at any position in the
//! stream.
//!
//! Invariant: a buffer may end anywhere, also within an event. A word that no probe writes is an error, not a panic.

pub mod decode;
pub mod encode;
pub mod packing;
pub mod path_event;
pub mod reader;
pub mod streams;

pub use decode::{BadWord, decode};
pub use path_event::{Event, FunctionId};
pub use reader::{ActivationSink, EventSink, WordReader};
pub use streams::Streams;
