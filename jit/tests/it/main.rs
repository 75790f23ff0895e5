//! The optimizer's passes, from outside: one test binary, since each one more costs a link.
//!
//! In: functions in SSA form, as text or from generated programs. Out: their text after a pass, and what they do before and after.

mod assignments;
mod common;
mod filetests;
mod interp;
mod passes;
mod text;
mod verify;
