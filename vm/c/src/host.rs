//! Functions of C that programs call.
//!
//! In: a function of C with its data. Out: a closure over values. Invariant: what C stores is copied before anything else
//! happens.
#![expect(unsafe_code, reason = "calls functions of C")]

use crate::value::{CValue, Kept};
use holloway::{Context, Value};
use std::ffi::c_void;

/// `hw_function`
pub type Function =
    unsafe extern "C" fn(data: *mut c_void, args: *const CValue, count: usize, result: *mut CValue) -> bool;

/// A function of C with its data.
pub(crate) struct HostFunction {
    pub(crate) function: Function,
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
        let shown = args.iter().enumerate().map(|(at, arg)| kept.show(arg.clone(), || context.parameter_type(at)));
        let args = shown.collect::<Result<Vec<CValue>, String>>()?;
        let mut result = CValue::NONE;
        // SAFETY: the host vouches for the function; arguments and result are there while it runs.
        let is_done = unsafe { (self.function)(self.data, args.as_ptr(), args.len(), &raw mut result) };
        // SAFETY: the function has stored a value.
        let result = unsafe { result.copy() }?;
        match is_done {
            true => Ok(result),
            false => Err(match result.as_bytes() {
                Some(text) => String::from_utf8_lossy(text).into_owned(),
                None => "a function of the host failed".to_owned(),
            }),
        }
    }
}
