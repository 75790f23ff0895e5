//! Functions of the host that programs call.
//!
//! In: a call from any tier. Out: the word of the result, or the end that the calling instruction comes to. Invariants: a
//! closure is called by one place, [`call`], whatever the tier. A panic in it becomes a failure. One that changes what it
//! holds cannot call the program, so it is never called while it runs. An end that a program must not catch, met when the host
//! called the program back, ends the caller too, whatever the host makes of it: until then no further call runs the program.

use crate::Runtime;
use crate::failure::{FailureKind, Unwind};
use crate::hosts;
use holloway_ir::{FuncRef, HostRef};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use crate::hosts::{Caller, HostEnd};

/// A function of the host, over words of its types. What the operands refer to is pinned.
pub type HostFunction = hosts::HostFunction<Runtime>;

/// Calls a function of the host, with operands of its types, which the calling frame keeps.
pub fn call(caller: &mut dyn Caller<Runtime>, host: HostRef, words: &[u64]) -> Result<u64, HostEnd> {
    let rt = caller.runtime();
    let mut function = rt.hosts.take(host)?;
    let pins = rt.pin_all(words);
    let result = catch_unwind(AssertUnwindSafe(|| match &mut function {
        HostFunction::Plain(function) => function(caller.runtime(), words),
        HostFunction::CallsBack(function) => function(caller, words),
    }));
    let rt = caller.runtime();
    rt.unpin_to(pins);
    rt.hosts.put_back(host, function);
    rt.host_values.drop_lost();
    let result = result.unwrap_or_else(|panic| {
        let name = rt.hosts.name(host);
        let message = format!("the host's function `{name}` panicked: {}", text(&*panic));
        Err(HostEnd::Failure(FailureKind::User(message.into_bytes())))
    });
    match rt.hosts.take_end() {
        Some(ended) => Err(ended),
        None => result,
    }
}

/// Calls the program from a function of the host. After an end that the program must not catch, a further call comes to the
/// same at once.
pub fn call_back(caller: &mut dyn Caller<Runtime>, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
    if let Some(ended) = caller.runtime().hosts.ended() {
        return Err(ended.clone());
    }
    let result = caller.call(func, args);
    if let Err(unwind) = &result {
        caller.runtime().hosts.note_end(unwind);
    }
    result
}

/// The message of a panic.
fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it gave no reason")
}
