//! The language server of Holloway: what editors ask about programs, answered from the parser, the checker, the
//! formatter and recorded runs.
//!
//! In: messages of the Language Server Protocol. Out: answers, and diagnostics of every open document. The road: `stdio`
//! reads messages -> `server` keeps their order -> `requests` finds the question -> one file a question answers it from an
//! analysis (`programs`), whose places `lines` makes places of the protocol. Invariants: no message ends or hangs the
//! server but those that are to end it; text that is open in the editor counts, and not what is on the disk.

mod actions;
mod completion;
mod convert;
mod diagnostics;
mod documents;
mod formatting;
mod hover;
mod inlay;
mod lines;
mod loader;
mod navigation;
mod outline;
mod programs;
mod recorded;
mod rename;
mod requests;
mod server;
mod state;
mod stdio;

pub use server::{Options, serve};
pub use stdio::serve_stdio;
