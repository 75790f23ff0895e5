//! Functions of C that programs call.
//!
//! In: a function of C with its data. Out: a closure over values. Invariant: what C stores is copied before anything else
//! happens, while all that it was given is still there.
#![expect(unsafe_code, reason = "calls functions of C")]

use crate::callable::Callable;
use crate::context::CContext;
use crate::value::{CValue, Kept};
use holloway::{Context, Value};
use std::ffi::c_void;

/// `hw_function`
pub type Function =
    unsafe extern "C" fn(data: *mut c_void, args: *const CValue, count: usize, result: *mut CValue) -> bool;

/// `hw_callback`
pub type Callback = unsafe extern "C" fn(
    context: *const CContext<'_, '_>,
    data: *mut c_void,
    args: *const CValue,
    count: usize,
    result: *mut CValue,
) -> bool;

/// A function of C, of either type.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// One that knows its arguments alone.
    Plain(Function),
    /// One that gets a context, and functions of the program.
    CallsBack(Callback),
}

/// A function of C with its data.
pub(crate) struct HostFunction {
    pub(crate) function: Target,
    pub(crate) data: *mut c_void,
}

// SAFETY: the header says that an engine is used by one thread at a time, and which one may change; the host gave the data
// on these terms.
unsafe impl Send for HostFunction {}
// SAFETY: as above: no two threads call the function at once, as none shares the engine.
unsafe impl Sync for HostFunction {}

impl HostFunction {
    pub(crate) fn call(&self, context: &mut Context<'_>, args: &[Value]) -> Result<Value, String> {
        let mut kept = Kept::default();
        let mut shown = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            let function = self.is_callback().then(|| context.function(at)).flatten();
            shown.push(match function {
                Some(function) => kept.show_function(Callable(function)),
                None => kept.show(arg.clone(), || context.parameter_type(at))?,
            });
        }
        let (args, count, mut result) = (shown.as_ptr(), shown.len(), CValue::NONE);
        match self.function {
            Target::Plain(function) => {
                // SAFETY: the host vouches for the function; arguments and result are there while it runs.
                let is_done = unsafe { function(self.data, args, count, &raw mut result) };
                // SAFETY: the function has stored a value.
                outcome(is_done, unsafe { result.copy() }?, || None)
            }
            Target::CallsBack(function) => {
                let context = CContext::new(context);
                // SAFETY: as above; the context is there while it runs, too.
                let is_done = unsafe { function(&raw const context, self.data, args, count, &raw mut result) };
                // SAFETY: the function has stored a value, which may be one that the context keeps.
                outcome(is_done, unsafe { result.copy() }?, || context.last_error())
            }
        }
    }

    fn is_callback(&self) -> bool {
        match self.function {
            Target::Plain(_) => false,
            Target::CallsBack(_) => true,
        }
    }
}

/// The result of a function of C, or the message of its failure.
fn outcome(is_done: bool, stored: Value, last_error: impl FnOnce() -> Option<String>) -> Result<Value, String> {
    match (is_done, stored.as_bytes()) {
        (true, _) => Ok(stored),
        (false, Some(text)) => Err(String::from_utf8_lossy(text).into_owned()),
        (false, None) => Err(last_error().unwrap_or_else(|| "a function of the host failed".to_owned())),
    }
}
