//! The C API: an engine behind functions of the C convention.
//!
//! In: what `include/holloway.h` declares. Out: the same as of the API of Rust, with one text for each error. Invariants: no
//! panic leaves a function; pointers that are null where there must be something are errors; what a function gives is kept by
//! the engine until its next call has ended.

mod callable;
mod context;
mod engine;
mod host;
mod pointers;
mod value;

pub use callable::Callable;
pub use context::{CContext, hw_call_back, hw_callable_free, hw_context_error};
pub use engine::{
    Config, Engine, Interrupt, hw_call, hw_declare, hw_declare_callback, hw_error, hw_free, hw_interrupt_free,
    hw_interrupt_new, hw_interrupt_raise, hw_load, hw_lookup, hw_new, hw_reload, hw_run, hw_take_output,
};
pub use host::{Callback, Function};
pub use value::CValue;
