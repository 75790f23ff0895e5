//! Facts about a program that questions about its execution need.
//!
//! In: the IR and its sources. Out: statements with the locations that they define and use ([`statements`], [`locations`]), the lines and the names by
//! which people mean them ([`place`], [`names`], and [`debug_names`] of modules).
//!
//! Invariant: these follow from the program alone. What depends on the execution is in `super::execution`.

pub mod accesses;
pub(in crate::trace) mod asked_expressions;
pub mod builtins;
pub mod debug_names;
pub mod expressions;
pub mod linear;
pub mod locations;
pub mod names;
pub mod place;
mod printed;
pub(in crate::trace) mod set_by;
pub mod statements;
