//! Holloway.

pub mod builtins;
pub mod failure;
pub mod heap;
pub mod interp;
pub mod machine;
pub mod runtime;
