//! The language's front end, from outside: one test binary, since each one more costs a link.
//!
//! In: programs, good and bad. Out: diagnostics, trees and IR as text.

mod check;
mod codes;
mod common;
mod diagnostics;
mod format;
mod habits;
mod ir;
mod manners;
mod messages;
mod reference;
mod robust;
mod session;
mod stages;
mod syntax;
mod syntax_errors;
