//! Functions of the host that programs call.
//!
//! In: closures over words, by number; a call from any tier. Out: the word of the result, or the end that the calling
//! instruction comes to. Invariants: a closure is called by one place, [`call`], whatever the tier. A panic in it becomes
//! a failure. One that changes what it holds cannot call the program, so it is never called while it runs. An end that a
//! program must not catch, met when the host called the program back, ends the caller too, whatever the host makes of it.

use crate::Runtime;
use crate::failure::{FailureKind, Unwind};
use cranelift_entity::PrimaryMap;
use holloway_ir::{FuncRef, HostRef};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Calls of the host that may call the program back, one inside of the other. Each takes some kilobytes of the host's
/// stack, which may be small.
const MOST_NESTED: usize = 64;

/// A tier while it waits for the host.
pub trait Caller {
    /// Its runtime.
    fn runtime(&mut self) -> &mut Runtime;
    /// Calls a function of the program, with arguments as words. What they refer to is pinned.
    fn call(&mut self, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind>;
}

/// An end of a call of the host other than a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEnd {
    /// The call fails.
    Failure(FailureKind),
    /// The program ends with a status.
    Exit(i64),
}

/// A function of the host, over words of its types. What the operands refer to is pinned.
pub enum HostFunction {
    /// One that does not call the program.
    Plain(Box<PlainFunction>),
    /// One that may, and may so be called while it runs.
    CallsBack(Arc<CallingFunction>),
}

/// A closure that does not call the program.
pub type PlainFunction = dyn FnMut(&mut Runtime, &[u64]) -> Result<u64, HostEnd> + Send;
/// A closure that may.
pub type CallingFunction = dyn Fn(&mut dyn Caller, &[u64]) -> Result<u64, HostEnd> + Send + Sync;

/// The functions of the host.
#[derive(Default)]
pub struct Hosts {
    functions: PrimaryMap<HostRef, Slot>,
    /// Calls that are under way.
    nested: usize,
    /// The end that the host's caller comes to, too.
    ended: Option<HostEnd>,
}

struct Slot {
    name: String,
    /// Absent as long as it has none, and while one that does not call the program runs.
    function: Option<HostFunction>,
}

impl Hosts {
    /// Gives the function of that number a closure, in place of any before.
    pub fn set(&mut self, host: HostRef, name: &str, function: HostFunction) {
        while !self.functions.is_valid(host) {
            self.functions.push(Slot { name: String::new(), function: None });
        }
        self.functions[host] = Slot { name: name.to_owned(), function: Some(function) };
    }

    /// A call of the program by the host came to an end that its caller must come to, too.
    fn note_end(&mut self, unwind: &Unwind) {
        match unwind {
            Unwind::Exit(status) => self.ended = Some(HostEnd::Exit(*status)),
            Unwind::Failure(failure) if !failure.kind.is_catchable() => {
                self.ended = Some(HostEnd::Failure(failure.kind.clone()));
            }
            Unwind::Failure(_) => {}
        }
    }

    /// The function of that number, taken out if it is not called while it runs.
    fn take(&mut self, host: HostRef) -> Result<HostFunction, HostEnd> {
        if self.nested == MOST_NESTED {
            return Err(HostEnd::Failure(FailureKind::StackOverflow));
        }
        let slot = &mut self.functions[host];
        let function = match &slot.function {
            Some(HostFunction::CallsBack(function)) => Some(HostFunction::CallsBack(Arc::clone(function))),
            Some(HostFunction::Plain(_)) | None => slot.function.take(),
        };
        self.nested += 1;
        Ok(function.expect("a function of the host is declared with its closure"))
    }

    /// The function has returned.
    fn put_back(&mut self, host: HostRef, function: HostFunction) {
        self.nested -= 1;
        self.functions[host].function.get_or_insert(function);
    }
}

/// Calls a function of the host, with operands of its types, which the calling frame keeps.
pub fn call(caller: &mut dyn Caller, host: HostRef, words: &[u64]) -> Result<u64, HostEnd> {
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
    let result = result.unwrap_or_else(|panic| {
        let name = &rt.hosts.functions[host].name;
        let message = format!("the host's function `{name}` panicked: {}", text(&*panic));
        Err(HostEnd::Failure(FailureKind::User(message.into_bytes())))
    });
    match rt.hosts.ended.take() {
        Some(ended) => Err(ended),
        None => result,
    }
}

/// Calls the program from a function of the host.
pub fn call_back(caller: &mut dyn Caller, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
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
