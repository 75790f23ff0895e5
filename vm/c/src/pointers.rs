//! Texts and items that C points to, and texts for C.
//!
//! In: pointers. Out: what they lead to, or an error where they are null and must not be.
#![expect(unsafe_code, reason = "follows pointers of C")]

use std::ffi::{CStr, CString, c_char};
use std::slice;

/// The text of an error, as C sees it.
pub(crate) fn reason(error: &str) -> CString {
    let bytes = error.trim_end().replace('\0', " ");
    CString::new(bytes).expect("there are no zeroes in it")
}

/// A text that a zero ends.
///
/// # Safety
/// The pointer is null, or leads to such a text.
pub(crate) unsafe fn text<'a>(from: *const c_char) -> Result<&'a str, String> {
    if from.is_null() {
        return Err("there is no name".to_owned());
    }
    // SAFETY: the caller vouches for it.
    unsafe { CStr::from_ptr(from) }.to_str().map_err(|_| "a name is no UTF-8".to_owned())
}

/// So many items.
///
/// # Safety
/// The pointer is null, or leads to as many.
pub(crate) unsafe fn items<'a, T>(from: *const T, count: usize) -> Result<&'a [T], String> {
    match count {
        0 => Ok(&[]),
        _ if from.is_null() => Err("there is nothing where something was announced".to_owned()),
        // SAFETY: the caller vouches for it.
        _ => Ok(unsafe { slice::from_raw_parts(from, count) }),
    }
}
