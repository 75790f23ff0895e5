//! The file of a whole program path: `docs/twpp-format.md` describes it.
//!
//! In: a [`WholePath`] and a writer, or a reader. Out: the file, or its parts on demand. Opening reads the header and the
//! index of functions alone; a function's traces are read without the rest [ZG01 section 3, "Access time study"].
//! Invariants: no offset or length of a file is trusted; memory and time are bounded by the bytes that there are,
//! and tables by far less than these could expand to.

mod checksum;
mod error;
mod index;
mod numbers;
mod read;
mod seal;
pub(crate) mod sections;
mod stored_bytes;
mod traces;
mod write;

pub use error::FileError;
pub use index::FunctionEntry;
pub use read::{Checks, ExtractedTrace, TwppFile};
pub use seal::{Effort, Encoding};
pub use write::{CompactedFile, write};

#[cfg(test)]
#[path = "hostile_tests.rs"]
mod tests;
