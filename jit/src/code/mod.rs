//! Code in its place, and the way from its addresses back to the program.
//!
//! In: what Cranelift made of a function. Out: [`LoadedCode`] in a [`CodeMemory`], a [`Listing`] of it for people, and
//! the [`CodeMap`] that explains the addresses of every version.
//! The road: `load` takes the code over and finds its polls (`poll_in_place`); `placement` says where it starts within
//! a cache line; `memory` gives it a place, in one file that is mapped twice: written through one view and run through
//! the other. `listing` shows the code as it will run, and `map` keeps the versions that are installed.
//! Invariant: no address is writable and executable.

mod listing;
mod load;
mod map;
mod memory;
mod placement;
mod poll_in_place;

pub use listing::{Listed, Listing};
pub use load::LoadedCode;
pub(crate) use load::Unlinked;
pub use map::{CallSite, CodeMap, FrameMap, Origin, Version, VersionId};
pub use memory::{CodeMemory, CodeRange, OutOfCodeMemory};
