//! Bodies of functions as they are compiled, and the places in them.
//!
//! In: functions of a module. Out: the body that a request compiles, with names for its places that the written one
//! has, too.
//!
//! - [`by_function`]: what some functions have, one each.
//! - [`expand`]: the bodies of small callees behind a function's own, so that paths go through their branches.
//! - [`osr`]: OSR points, the frame states there, and bodies that are entered at one.
//! - [`site`]: the place in the program that an instruction comes from.
//! - [`trivial`]: functions that are optimized at their first call, by the shape of their bodies.
//!
//! Invariant: each block of such a body comes from one of a body as it is written.

pub mod by_function;
pub mod expand;
pub mod osr;
pub mod site;
pub mod trivial;
