//! Closures that are functions of the host.
//!
//! In: a closure of up to [`MOST_ARGS`](crate::types::MOST_ARGS) parameters, after a `&mut Context` if it wants one. Out:
//! its types, and calls of it with words. Invariant: a closure is called once its arguments have all been converted.

use super::context::Context;
use super::param::{Given, Param};
use super::types::Types;
use crate::arity::each_arity;
use crate::error::{CallError, RunError};
use crate::types::{Described, Output, Program};
use holloway_lang::ir::TypeRef;
use holloway_runtime::Runtime;
use holloway_runtime::failure::FailureKind;
use holloway_runtime::host::{self, Caller, HostEnd};
use std::any::Any;
use std::fmt::Display;
use std::sync::Arc;

/// The types of a function of the host.
#[derive(Clone, Debug)]
pub struct Declared {
    pub(crate) params: Vec<Described>,
    pub(crate) result: Option<Described>,
    /// True if it can call the program.
    pub(crate) calls_back: bool,
}

/// A closure, or a function, that programs can call.
pub trait HostFunction<M>: Send + 'static {
    /// Its types.
    #[doc(hidden)]
    fn declared(&self) -> Declared;
    /// The closure over words.
    #[doc(hidden)]
    fn over_words(self, types: Types) -> host::HostFunction;
}

/// A result of a function of the host: a value, or nothing, or a `Result` whose error is a failure of the program's call.
pub trait Answer {
    /// The type of the value.
    fn describe() -> Option<Described>;
    /// To a word of that type.
    #[doc(hidden)]
    fn word(self, program: &mut Program<'_>, result: Option<TypeRef>) -> Result<u64, HostEnd>;
}

impl<T: Output> Answer for T {
    fn describe() -> Option<Described> {
        <T as Output>::describe()
    }

    #[inline]
    fn word(self, program: &mut Program<'_>, result: Option<TypeRef>) -> Result<u64, HostEnd> {
        self.into(program, result).map_err(end_of)
    }
}

impl<T: Output, E: Display + 'static> Answer for Result<T, E> {
    fn describe() -> Option<Described> {
        <T as Output>::describe()
    }

    fn word(self, program: &mut Program<'_>, result: Option<TypeRef>) -> Result<u64, HostEnd> {
        let error = match self {
            Ok(value) => return value.word(program, result),
            Err(error) => error,
        };
        let mut error = Some(error);
        let any: &mut dyn Any = &mut error;
        match any.downcast_mut::<Option<CallError>>().and_then(Option::take) {
            Some(error) => Err(end_of(error)),
            None => Err(failure(&error.expect("it is of another type"))),
        }
    }
}

/// The end of a call that could not be made, or whose callee failed: it fails alike.
pub(super) fn end_of(error: CallError) -> HostEnd {
    match error {
        CallError::Run(RunError::Failure(failure)) => HostEnd::Failure(failure.kind),
        CallError::Run(RunError::Exit(status)) => HostEnd::Exit(status.into()),
        other => failure(&other),
    }
}

pub(super) fn failure(error: &dyn Display) -> HostEnd {
    HostEnd::Failure(FailureKind::User(error.to_string().into_bytes()))
}

/// Marks closures that get no context.
pub struct Plain<F>(F);
/// Marks those that do.
pub struct CallsBack<F>(F);

macro_rules! functions {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<Func, Ret, $($name),*> HostFunction<Plain<fn($($name),*) -> Ret>> for Func
        where
            Func: FnMut($($name),*) -> Ret + for<'a> FnMut($($name::Item<'a>),*) -> Ret + Send + 'static,
            Ret: Answer,
            $($name: Param,)*
        {
            fn declared(&self) -> Declared {
                Declared { params: vec![$($name::describe()),*], result: Ret::describe(), calls_back: false }
            }

            #[allow(non_snake_case, unused_variables, unused_mut, reason = "there may be no parameters")]
            fn over_words(mut self, types: Types) -> host::HostFunction {
                host::HostFunction::Plain(Box::new(move |rt, words| {
                    let given = Given::new();
                    let mut program = Program { rt, engine: types.engine };
                    $(let $name = $name::of(&given, &mut program, types.params[$at], types.word(words, $at)).map_err(end_of)?;)*
                    let answer = (self)($($name),*);
                    answer.word(&mut program, types.result)
                }))
            }
        }

        impl<Func, Ret, $($name),*> HostFunction<CallsBack<fn($($name),*) -> Ret>> for Func
        where
            Func: for<'c, 'p> Fn(&'c mut Context<'p>, $($name),*) -> Ret
                + for<'a, 'c, 'p> Fn(&'c mut Context<'p>, $($name::Item<'a>),*) -> Ret
                + Send
                + Sync
                + 'static,
            Ret: Answer,
            $($name: Param,)*
        {
            fn declared(&self) -> Declared {
                Declared { params: vec![$($name::describe()),*], result: Ret::describe(), calls_back: true }
            }

            #[allow(non_snake_case, unused_variables, unused_mut, reason = "there may be no parameters")]
            fn over_words(self, types: Types) -> host::HostFunction {
                host::HostFunction::CallsBack(Arc::new(move |caller: &mut dyn Caller<Runtime>, words: &[u64]| {
                    let given = Given::new();
                    let mut program = Program { rt: caller.runtime(), engine: types.engine };
                    $(let $name = $name::of(&given, &mut program, types.params[$at], types.word(words, $at)).map_err(end_of)?;)*
                    let mut context = Context { caller: &mut *caller, types: &types, words };
                    let answer = (self)(&mut context, $($name),*);
                    answer.word(&mut Program { rt: caller.runtime(), engine: types.engine }, types.result)
                }))
            }
        }
    )*};
}

each_arity!(functions);
