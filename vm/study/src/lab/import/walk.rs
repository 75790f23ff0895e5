//! Activations along a trace of guards.
//!
//! In: the events of a trace. Out: calls, blocks and returns, given to a [`Listener`].
//!
//! The entry of a function is a call: no block leads to it. Its call site is the innermost activation's next one that
//! can call it: each call of a traced function before it would have an event, so at most calls through pointers and
//! of functions without guards are passed over. Of these the first call through a pointer is taken, else the first of
//! the others, which call back any number of times. Another block belongs to the innermost activation whose block
//! leads to it. Activations within that one have ended: they returned if they are in a block that returns and their
//! function does not mark it; else they were cut, by an exception or `longjmp`. A block with a tail call marks its
//! return ahead of it. Its activation is then under way until the callee's is over, and returns with that.
//!
//! Invariant: an event that no activation under way can have is an error; nothing is told of it.

use std::fmt;
use std::io;

use super::raw_trace::RawEvent;
use crate::lab::llvm::{Callee, End, Module};

/// A block of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) function: usize,
    pub(super) block: usize,
}

/// A call of a block, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Site {
    pub(super) place: Place,
    pub(super) call: usize,
}

/// Consumer of what happens along a trace. Errors are those of writing.
pub(super) trait Listener {
    /// A block is entered.
    fn block(&mut self, place: Place) -> io::Result<()>;
    /// A traced function is called, as number `nth` at this execution of the call, from 1; its entry is entered next.
    fn call(&mut self, site: Site, callee: usize, nth: u32) -> io::Result<()>;
    /// Control is behind a call, which called traced functions so often: once, or any number of times if the text does not name one.
    fn passed(&mut self, site: Site, calls: u32) -> io::Result<()>;
    /// An activation returns.
    fn leave(&mut self, function: usize) -> io::Result<()>;
    /// An activation ends in the middle of its block.
    fn cut(&mut self) -> io::Result<()>;
}

/// An event that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkError {
    /// The position of the event, from 1.
    pub event: u64,
    /// The event.
    pub misfit: Misfit,
    /// Set if nothing was under way: before `main`, or after it.
    pub is_outside_main: bool,
}

/// The kinds of events that do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// A block, `function:block`.
    Block(String),
    /// A guard of no block, from 1.
    Guard(usize),
    /// A return.
    Return,
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = self.event;
        match (&self.misfit, self.is_outside_main) {
            (Misfit::Block(block), true) => {
                write!(f, "event {event} is `{block}`, which is entered while `main` is not running")
            }
            (Misfit::Block(block), false) => {
                write!(
                    f,
                    "event {event} is `{block}`, and no activation leads there; `longjmp` into a live function cannot be imported"
                )
            }
            (Misfit::Guard(guard), _) => write!(f, "event {event} is guard {guard}, which no block of the text has"),
            (Misfit::Return, _) => write!(f, "event {event} is a return, and no activation is in a block that returns"),
        }
    }
}

/// Activations under way.
pub(super) struct Walk<'m> {
    module: &'m Module,
    main: usize,
    position: u64,
    activations: Vec<Activation>,
}

#[derive(Clone, Copy, Debug)]
struct Activation {
    at: Place,
    /// The first call that control is not behind.
    next: usize,
    /// Calls of traced functions that it has made.
    calls: u32,
    /// Set once its return is marked, and nothing but its tail call is left.
    in_tail_call: bool,
}

impl Activation {
    /// One that has just come to a block.
    fn at(place: Place) -> Activation {
        Activation { at: place, next: 0, calls: 0, in_tail_call: false }
    }
}

type Stepped = io::Result<Result<(), WalkError>>;

impl<'m> Walk<'m> {
    /// Nothing is under way.
    pub(super) fn new(module: &'m Module, main: usize) -> Walk<'m> {
        Walk { module, main, position: 0, activations: Vec::new() }
    }

    /// Takes one event.
    pub(super) fn step<L: Listener>(&mut self, event: RawEvent, listener: &mut L) -> Stepped {
        self.position += 1;
        let RawEvent::Block(guard) = event else { return self.leave(listener) };
        let Some((function, block)) = self.module.guards[guard] else {
            return Ok(Err(self.misfit(Misfit::Guard(guard + 1))));
        };
        let place = Place { function, block };
        match block {
            0 => self.enter(place, listener),
            _ => self.go(place, listener),
        }
    }

    fn enter<L: Listener>(&mut self, place: Place, listener: &mut L) -> Stepped {
        if self.activations.is_empty() && place.function == self.main {
            return self.push(place, listener);
        }
        let site = |activation: &Activation| self.site_of(activation, place.function);
        let found = self.activations.iter().enumerate().rev().find_map(|(depth, a)| Some((depth, site(a)?)));
        let Some((depth, call)) = found else { return Ok(Err(self.misplaced(place))) };
        self.end_within(depth, listener)?;
        self.pass_before(call, listener)?;
        let caller = self.activations.last_mut().expect("it is under way");
        caller.calls += 1;
        listener.call(Site { place: caller.at, call }, place.function, caller.calls)?;
        self.push(place, listener)
    }

    fn push<L: Listener>(&mut self, at: Place, listener: &mut L) -> Stepped {
        self.activations.push(Activation::at(at));
        listener.block(at).map(Ok)
    }

    /// The call by which an activation can call a function.
    fn site_of(&self, activation: &Activation, callee: usize) -> Option<usize> {
        let calls = &self.block(activation.at).calls;
        let rest = || calls.iter().enumerate().skip(self.first_left(activation));
        let traced = rest().find_map(|(call, &target)| matches!(target, Callee::Traced(_)).then_some((call, target)));
        match traced {
            Some((call, Callee::Traced(target))) if target == callee => Some(call),
            _ => {
                let end = traced.map_or(calls.len(), |(call, _)| call);
                let unknown = |kind: Callee| rest().filter(move |(call, target)| *call < end && **target == kind);
                // A call through a pointer that was made calls no second function, unless the function behind it has no guards.
                let made = |call: usize| activation.calls > 0 && call == activation.next;
                let pointer = unknown(Callee::Pointer).find(|(call, _)| !made(*call));
                let found = pointer.or_else(|| unknown(Callee::Outside).next());
                found.or_else(|| unknown(Callee::Pointer).next()).map(|(call, _)| call)
            }
        }
    }

    fn go<L: Listener>(&mut self, place: Place, listener: &mut L) -> Stepped {
        let leads = |activation: &Activation| {
            let successors = match &self.block(activation.at).end {
                End::LeadsTo(successors) => successors.as_slice(),
                End::Returns | End::Stops => &[],
            };
            activation.at.function == place.function
                && successors.contains(&place.block)
                && self.is_ready_to_end(activation)
        };
        let Some(depth) = self.activations.iter().rposition(leads) else { return Ok(Err(self.misplaced(place))) };
        self.end_within(depth, listener)?;
        self.pass_before(usize::MAX, listener)?;
        *self.activations.last_mut().expect("it is under way") = Activation::at(place);
        listener.block(place).map(Ok)
    }

    fn leave<L: Listener>(&mut self, listener: &mut L) -> Stepped {
        let marks = |activation: &Activation| !activation.in_tail_call && self.is_ready_to_return(activation);
        let Some(depth) = self.activations.iter().rposition(marks) else {
            return Ok(Err(self.misfit(Misfit::Return)));
        };
        self.end_within(depth, listener)?;
        let Some(call) = self.block(self.activations[depth].at).tail_call else {
            return self.pop(listener).map(Ok);
        };
        self.pass_before(call, listener)?;
        self.activations[depth].in_tail_call = true;
        Ok(Ok(()))
    }

    /// The first call that the activation can still make. A call of a named function that is under way is made once; a call through a pointer
    /// may have been to a function that calls back.
    fn first_left(&self, activation: &Activation) -> usize {
        let under_way = matches!(self.block(activation.at).calls.get(activation.next), Some(Callee::Traced(_)));
        activation.next + usize::from(under_way && activation.calls > 0)
    }

    /// Returns whether no call of a traced function is left in the activation's block.
    fn is_ready_to_end(&self, activation: &Activation) -> bool {
        self.is_past_calls(activation, usize::MAX)
    }

    /// Returns whether the activation's block returns, and no call of a traced function is left in it but a tail call.
    fn is_ready_to_return(&self, activation: &Activation) -> bool {
        let block = self.block(activation.at);
        block.end == End::Returns && self.is_past_calls(activation, block.tail_call.unwrap_or(usize::MAX))
    }

    /// Returns whether no call of a traced function is left before this one in the activation's block.
    fn is_past_calls(&self, activation: &Activation, before: usize) -> bool {
        let mut left = self.block(activation.at).calls.iter().take(before).skip(self.first_left(activation));
        !left.any(|callee| matches!(callee, Callee::Traced(_)))
    }

    /// Ends the activations within this one.
    fn end_within<L: Listener>(&mut self, depth: usize, listener: &mut L) -> io::Result<()> {
        while self.activations.len() > depth + 1 {
            let activation = self.activations.last().expect("there is one");
            let marks_returns = self.module.functions[activation.at.function].marks_returns;
            let returns = self.is_ready_to_return(activation) && self.is_ready_to_end(activation);
            if activation.in_tail_call || returns && !marks_returns {
                self.pop(listener)?;
            } else {
                listener.cut()?;
                self.activations.pop();
                self.back_in_caller(listener)?;
            }
        }
        Ok(())
    }

    /// The innermost activation returns, and with it those that it was called by in tail calls.
    fn pop<L: Listener>(&mut self, listener: &mut L) -> io::Result<()> {
        loop {
            self.pass_before(usize::MAX, listener)?;
            let activation = self.activations.pop().expect("it is under way");
            listener.leave(activation.at.function)?;
            self.back_in_caller(listener)?;
            if !self.activations.last().is_some_and(|caller| caller.in_tail_call) {
                return Ok(());
            }
        }
    }

    /// The trace is over. What is in a tail call of a function without guards has returned.
    pub(super) fn finish<L: Listener>(&mut self, listener: &mut L) -> io::Result<()> {
        match self.activations.last() {
            Some(activation) if activation.in_tail_call => self.pop(listener),
            Some(_) | None => Ok(()),
        }
    }

    /// A call of a named function is over when its activation is.
    fn back_in_caller<L: Listener>(&mut self, listener: &mut L) -> io::Result<()> {
        let Some(&caller) = self.activations.last() else { return Ok(()) };
        match self.block(caller.at).calls.get(caller.next) {
            Some(Callee::Traced(_)) => self.pass_before(caller.next + 1, listener),
            Some(Callee::Pointer | Callee::Outside) | None => Ok(()),
        }
    }

    /// The innermost activation passes its calls before this one.
    fn pass_before<L: Listener>(&mut self, call: usize, listener: &mut L) -> io::Result<()> {
        let activation = self.activations.last_mut().expect("it is under way");
        let calls = self.module.functions[activation.at.function].blocks[activation.at.block].calls.len();
        while activation.next < call.min(calls) {
            listener.passed(Site { place: activation.at, call: activation.next }, activation.calls)?;
            activation.next += 1;
            activation.calls = 0;
        }
        Ok(())
    }

    fn block(&self, place: Place) -> &'m crate::lab::llvm::Block {
        &self.module.functions[place.function].blocks[place.block]
    }

    fn misplaced(&self, place: Place) -> WalkError {
        let function = &self.module.functions[place.function];
        self.misfit(Misfit::Block(format!("{}:{}", function.name, function.blocks[place.block].name)))
    }

    fn misfit(&self, misfit: Misfit) -> WalkError {
        WalkError { event: self.position, misfit, is_outside_main: self.activations.is_empty() }
    }
}
