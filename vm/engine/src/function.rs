//! Functions of a program that are called often: looked up and checked once.
//!
//! In: a name, or a function that a program gave to one of the host; Rust types. Out: calls, whose arguments go to the
//! registers of the function as words. Invariant: the types were compared with the function's. A call is refused if the name
//! has come to mean a function of other types ([`looked_up`](crate::looked_up)).

use crate::engine::Engine;
use crate::error::{CallError, RunError};
use crate::host::{Context, owned};
use crate::looked_up::{Named, Signature};
use crate::types::{Args, Described, MOST_ARGS, Output, Program, Type, Word};
use crate::value::{self, Value};
use holloway_lang::ir::{FuncRef, Scalar, TypeRef};
use holloway_runtime::{Root, Runtime, func_of_word};
use std::marker::PhantomData;
use std::sync::Arc;

/// A function of a program that takes `A`, a tuple, and gives `R`.
pub struct Function<A, R> {
    target: Target,
    types: PhantomData<fn(A) -> R>,
}

/// A function of a program, whatever its types.
#[derive(Clone)]
pub(crate) enum Target {
    /// One that the host has looked up by name.
    Named(Arc<Named>),
    /// One that the program gave.
    Given(Arc<GivenFunction>),
}

/// A function that the program gave.
pub(crate) struct GivenFunction {
    engine: u64,
    /// The number of modules installed when it was given.
    generation: u64,
    code: FuncRef,
    /// The record of its captures, in a program with closures.
    captured: Option<Root>,
    types: Signature,
}

impl<A, R> Clone for Function<A, R> {
    fn clone(&self) -> Self {
        Function { target: self.target.clone(), types: PhantomData }
    }
}

impl<A: Args, R: Output> Function<A, R> {
    /// Calls the function: from an [`Engine`], or from a [`Context`] in a function of the host.
    #[inline]
    pub fn call(&self, on: &mut impl Calls, args: A) -> Result<R, CallError> {
        let engine = on.prepare()?;
        let rt = on.runtime();
        let Callee { func, types, captured } = self.target.callee(engine, rt)?;
        let pins = rt.pinned();
        let mut words = [0; MOST_ARGS + 1];
        words[0] = captured.map_or(0, Root::word);
        let own = words.last_chunk_mut().expect("it is one word shorter");
        let converted = args.words(&mut Program { rt, engine }, &types.params, own);
        let first = usize::from(captured.is_none());
        let result = converted.and_then(|()| on.invoke(func, types, &words[first..=types.params.len()]));
        let rt = on.runtime();
        rt.unpin_to(pins);
        let word = result?;
        R::of(&mut Program { rt, engine }, types.result.zip(word))
    }
}

/// The code that a call of a function enters.
pub(crate) struct Callee<'a> {
    pub(crate) func: FuncRef,
    pub(crate) types: &'a Signature,
    /// The record of its captures, in a program with closures.
    pub(crate) captured: Option<&'a Root>,
}

impl Target {
    /// The code for a call in the program of an engine, if it may be called now.
    #[inline]
    pub(crate) fn callee(&self, engine: u64, rt: &Runtime) -> Result<Callee<'_>, CallError> {
        let (func, types, captured) = match self {
            Target::Named(named) if named.engine != engine => return Err(CallError::OtherEngine),
            Target::Named(named) if rt.is_initialising => return Err(CallError::NotYet(named.name.clone())),
            Target::Named(named) => (named.func()?, &named.types, None),
            Target::Given(given) if given.engine != engine => return Err(CallError::OtherEngine),
            // Its body, or one that it calls, may have been replaced by one that uses globals without a value.
            Target::Given(given) if rt.is_initialising && given.generation != rt.generation() => {
                return Err(CallError::NotYet("fn".to_owned()));
            }
            Target::Given(given) => (given.code, &given.types, given.captured.as_ref()),
        };
        Ok(Callee { func, types, captured })
    }

    /// The function that a program gave as a word of that type.
    pub(crate) fn given(program: &mut Program<'_>, ty: TypeRef, word: Word) -> Target {
        let module = Arc::clone(program.rt.module());
        let holloway_lang::ir::Type::Func(sig) = module.types[ty] else { unreachable!("the types were compared") };
        let mut types = Signature::of(&module, sig);
        let (code, captured) = match module.closures {
            true => {
                types.scalars.insert(0, Scalar::Ref);
                let captured = program.rt.root(value::record_field(word.0, 1));
                (value::record_field(word.0, 0), Some(captured))
            }
            false => (word.0, None),
        };
        let code = func_of_word(code).expect("only an optional is `none`");
        let generation = program.rt.generation();
        Target::Given(Arc::new(GivenFunction { engine: program.engine, generation, code, captured, types }))
    }
}

/// Something that functions of a program are called on: an [`Engine`] or a [`Context`].
pub trait Calls {
    /// The engine's number.
    #[doc(hidden)]
    fn number(&self) -> u64;
    /// Makes a call possible. Returns the engine's number.
    #[doc(hidden)]
    fn prepare(&mut self) -> Result<u64, CallError>;
    #[doc(hidden)]
    fn runtime(&mut self) -> &mut Runtime;
    #[doc(hidden)]
    fn invoke(&mut self, func: FuncRef, types: &Signature, words: &[u64]) -> Result<Option<u64>, CallError>;
}

impl Calls for Engine {
    fn number(&self) -> u64 {
        self.id
    }

    #[inline]
    fn prepare(&mut self) -> Result<u64, CallError> {
        self.begin().map_err(CallError::Run)?;
        Ok(self.id)
    }

    #[inline]
    fn runtime(&mut self) -> &mut Runtime {
        self.executor.runtime_mut()
    }

    #[inline]
    fn invoke(&mut self, func: FuncRef, types: &Signature, words: &[u64]) -> Result<Option<u64>, CallError> {
        let result = self.executor.call_typed(func, (&types.scalars, types.result_scalar), words);
        result.map_err(|unwind| CallError::Run(RunError::from(unwind)))
    }
}

impl Calls for Context<'_> {
    fn number(&self) -> u64 {
        self.engine()
    }

    fn prepare(&mut self) -> Result<u64, CallError> {
        Ok(self.engine())
    }

    fn runtime(&mut self) -> &mut Runtime {
        Context::runtime(self)
    }

    fn invoke(&mut self, func: FuncRef, _: &Signature, words: &[u64]) -> Result<Option<u64>, CallError> {
        self.call_words(func, words)
    }
}

impl Engine {
    /// Looks a function up for many calls, and compares its types with those given.
    pub fn typed<A: Args, R: Output>(&mut self, name: &str) -> Result<Function<A, R>, CallError> {
        let func = self.function_of_language(name)?;
        let (params, result) = (A::describe(), R::describe());
        let module = Arc::clone(self.session.module());
        let named = self.looked_up.add(self.id, name, func, &module);
        let types = &named.types;
        if types.params.len() != params.len() {
            return Err(CallError::ArgumentCount { expected: types.params.len(), found: params.len() });
        }
        let pairs = params.iter().map(Some).chain([result.as_ref()]);
        for (described, ty) in pairs.zip(types.params.iter().copied().map(Some).chain([types.result])) {
            let fits = match (described, ty) {
                (Some(described), Some(ty)) => described.fits(&module, &self.opaque_types, ty),
                // A result may be left where it is.
                (None, _) => true,
                (Some(_), None) => false,
            };
            if !fits {
                let text = |of: Option<String>| of.unwrap_or_else(|| "nothing".to_owned());
                return Err(CallError::Type {
                    expected: text(ty.map(|ty| module.type_name(ty))),
                    found: text(described.map(|described| described.text(&self.opaque_types))),
                });
            }
        }
        let is_open = result.as_ref().is_some_and(Described::is_open);
        if is_open || params.iter().any(|described| !described.is_plain()) {
            self.expect_values_from_elsewhere();
        }
        Ok(Function { target: Target::Named(named), types: PhantomData })
    }
}

/// A function that a program gives: to one of the host, or as a result.
impl<A: Args, R: Output> Type for Function<A, R> {
    fn describe() -> Described {
        Described::Function(A::describe(), R::describe().map(Box::new))
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        Err(CallError::Type { expected: <Self as Type>::describe().to_string(), found: value.kind() })
    }

    fn into_value(self) -> Value {
        Value::Function(match &self.target {
            Target::Named(named) => named.name.clone(),
            Target::Given(_) => "fn".to_owned(),
        })
    }

    fn of_word(program: &mut Program<'_>, ty: TypeRef, word: Word) -> Result<Self, CallError> {
        Ok(Function { target: Target::given(program, ty, word), types: PhantomData })
    }
}

owned! {
    [A: Args, R: Output] Function<A, R>;
}
