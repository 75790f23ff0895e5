//! Modules of WebAssembly: the specification's test suite in every tier, and what hosts do with modules.
//!
//! In: the suite, random modules, modules with the behaviour at hand. Out: failed tests that show the place.

mod entries;
mod host;
mod random;
mod script;
mod sources;
mod suite;
mod values;
mod wasi;
