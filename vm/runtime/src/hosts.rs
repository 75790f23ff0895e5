//! The table of the host's functions, by number, over a runtime `R`.
//!
//! In: closures over words. Out: each to whoever calls it. Invariants: a function that changes what it holds is out of the table
//! while it runs; an end that a program must not catch is noted here until the host's caller has come to it.

use crate::failure::{FailureKind, Unwind};
use cranelift_entity::PrimaryMap;
use holloway_ir::{FuncRef, HostRef};
use std::sync::Arc;

/// Calls of the host that may call the program back, one inside of the other. Each takes some kilobytes of the host's
/// stack, which may be small.
const MOST_NESTED: usize = 64;

/// A tier while it waits for the host.
pub trait Caller<R> {
    /// Its runtime.
    fn runtime(&mut self) -> &mut R;
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
pub enum HostFunction<R> {
    /// One that does not call the program.
    Plain(Box<PlainFunction<R>>),
    /// One that may, and may so be called while it runs.
    CallsBack(Arc<CallingFunction<R>>),
}

/// A closure that does not call the program.
pub(crate) type PlainFunction<R> = dyn FnMut(&mut R, &[u64]) -> Result<u64, HostEnd> + Send;
/// A closure that may.
pub(crate) type CallingFunction<R> = dyn Fn(&mut dyn Caller<R>, &[u64]) -> Result<u64, HostEnd> + Send + Sync;

/// The functions of the host.
pub struct Hosts<R> {
    functions: PrimaryMap<HostRef, Slot<R>>,
    /// Calls that are under way.
    nested: usize,
    /// The end of a call of the program that the host's caller comes to, too.
    ended: Option<Unwind>,
}

struct Slot<R> {
    name: String,
    /// Absent as long as it has none, and while one that does not call the program runs.
    function: Option<HostFunction<R>>,
}

impl<R> Default for Hosts<R> {
    fn default() -> Self {
        Hosts { functions: PrimaryMap::new(), nested: 0, ended: None }
    }
}

impl<R> Hosts<R> {
    /// Gives the function of that number a closure, in place of any before.
    pub fn set(&mut self, host: HostRef, name: &str, function: HostFunction<R>) {
        while !self.functions.is_valid(host) {
            self.functions.push(Slot { name: String::new(), function: None });
        }
        self.functions[host] = Slot { name: name.to_owned(), function: Some(function) };
    }

    /// A call of the program by the host came to an end that its caller must come to, too.
    pub(crate) fn note_end(&mut self, unwind: &Unwind) {
        let is_final = match unwind {
            Unwind::Exit(_) => true,
            Unwind::Failure(failure) => !failure.kind.is_catchable(),
        };
        if is_final {
            self.ended = Some(unwind.clone());
        }
    }

    /// The end that was noted, if the host's caller has not come to it yet.
    pub(crate) fn ended(&self) -> Option<&Unwind> {
        self.ended.as_ref()
    }

    /// The function of that number, taken out if it is not called while it runs.
    pub(crate) fn take(&mut self, host: HostRef) -> Result<HostFunction<R>, HostEnd> {
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
    pub(crate) fn put_back(&mut self, host: HostRef, function: HostFunction<R>) {
        self.nested -= 1;
        self.functions[host].function.get_or_insert(function);
    }

    /// The name of a function.
    pub fn name(&self, host: HostRef) -> &str {
        &self.functions[host].name
    }

    /// The end that the host's caller comes to, if there is one; there is none afterwards.
    pub(crate) fn take_end(&mut self) -> Option<HostEnd> {
        self.ended.take().map(|unwind| match unwind {
            Unwind::Exit(status) => HostEnd::Exit(status),
            Unwind::Failure(failure) => HostEnd::Failure(failure.kind),
        })
    }
}
