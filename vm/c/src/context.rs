//! Functions of C that call the program which has called them.
//!
//! In: a function of the program, and values of C, from within a function of the host. Out: the result, or false and a text. Invariants:
//! a context is used by the function that it was made for, and by nobody while a call of it is under way; what it gives is kept
//! until its next call has ended.
#![expect(unsafe_code, reason = "takes pointers of C, and exports names")]

use crate::callable::Callable;
use crate::pointers::{items, reason};
use crate::value::{CValue, Kept};
use holloway::{Context, Value};
use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `hw_context`
pub struct CContext<'a, 'b> {
    /// None while a call is under way.
    context: Cell<Option<&'a mut Context<'b>>>,
    /// The values that C was given last.
    kept: RefCell<Kept>,
    /// The text of the last error; empty if there was none yet.
    error: RefCell<CString>,
}

impl<'a, 'b> CContext<'a, 'b> {
    pub(crate) fn new(context: &'a mut Context<'b>) -> CContext<'a, 'b> {
        CContext { context: Cell::new(Some(context)), kept: RefCell::default(), error: RefCell::default() }
    }

    /// The text of the last error, if there was one.
    pub(crate) fn last_error(&self) -> Option<String> {
        let error = self.error.borrow();
        Some(error.to_string_lossy().into_owned()).filter(|text| !text.is_empty())
    }

    /// Calls a function; also gives what keeps the result.
    ///
    /// # Safety
    /// The arguments have the contents that their kinds say.
    unsafe fn call(&self, function: &Callable, args: &[CValue]) -> Result<(CValue, Kept), String> {
        // SAFETY: the caller vouches for it.
        let args = args.iter().map(|arg| unsafe { arg.copy() }).collect::<Result<Vec<Value>, String>>()?;
        let context = self.context.take().ok_or("a call with this context is under way")?;
        let mut kept = Kept::default();
        let done = catch_unwind(AssertUnwindSafe(|| {
            let value = function.0.call(context, &args).map_err(|error| error.to_string())?;
            kept.show(value.unwrap_or(Value::None), || function.0.result_type(context))
        }));
        self.context.set(Some(context));
        let shown = done.unwrap_or_else(|_| Err("the engine panicked".to_owned()))?;
        Ok((shown, kept))
    }
}

/// `hw_callable_free`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_callable_free(function: *mut Callable) {
    if !function.is_null() {
        // SAFETY: the caller gives back what `hw_lookup` made.
        drop(unsafe { Box::from_raw(function) });
    }
}

/// `hw_call_back`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_call_back(
    context: *const CContext<'_, '_>,
    function: *const Callable,
    args: *const CValue,
    count: usize,
    result: *mut CValue,
) -> bool {
    // SAFETY: the caller vouches for the context.
    let Some(context) = (unsafe { context.as_ref() }) else { return false };
    // SAFETY: the caller vouches for function and arguments.
    let done = unsafe { function.as_ref() }.ok_or_else(|| "there is no function".to_owned()).and_then(|function| {
        // SAFETY: as above.
        unsafe { context.call(function, items(args, count)?) }
    });
    let is_done = done.is_ok();
    let shown = match done {
        Ok((shown, kept)) => {
            // What the last call gave may have been an argument of this one.
            context.kept.replace(kept);
            shown
        }
        Err(error) => {
            context.error.replace(reason(&error));
            CValue::NONE
        }
    };
    // SAFETY: the caller vouches for the place, if there is one.
    if let Some(result) = unsafe { result.as_mut() } {
        *result = shown;
    }
    is_done
}

/// `hw_context_error`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_context_error(context: *const CContext<'_, '_>) -> *const c_char {
    // SAFETY: the caller vouches for the context.
    unsafe { context.as_ref() }.map_or(c"there is no context".as_ptr(), |context| context.error.borrow().as_ptr())
}
