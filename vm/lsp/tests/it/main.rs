//! Tests of the language server from outside, as an editor sees it: messages go to it in this process, and come back.

mod answers;
mod client;
mod completions;
mod hints;
mod life;
mod renames;
