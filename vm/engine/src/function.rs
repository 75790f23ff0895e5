//! Functions of a program that are called often: looked up and checked once.
//!
//! In: a name, or a function that a program gave to one of the host; Rust types. Out: calls, whose arguments go to the
//! registers of the function as words. Invariant: the types were compared with the function's. After another program was
//! loaded the name is looked up again, and the call refused if the types are others.

use crate::engine::Engine;
use crate::error::{CallError, RunError};
use crate::host::{Context, Given, Param};
use crate::types::{Args, Described, MOST_ARGS, Output, Program, Type, Word};
use crate::value::{self, Value};
use holloway_lang::ir::{FuncRef, Module, Scalar, SigRef, TypeRef};
use holloway_runtime::{Root, Runtime, func_of_word};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// A function of a program that takes `A`, a tuple, and gives `R`.
pub struct Function<A, R> {
    target: Target,
    types: PhantomData<fn(A) -> R>,
}

#[derive(Clone)]
enum Target {
    Named(Arc<Named>),
    Given(Arc<GivenFunction>),
}

/// A function that was looked up by its name.
struct Named {
    name: String,
    engine: u64,
    func: AtomicU32,
    /// The number of modules installed when it was looked up last.
    generation: AtomicU64,
    sig: SigRef,
    types: Signature,
}

/// A function that the program gave.
struct GivenFunction {
    engine: u64,
    /// The number of modules installed when it was given.
    generation: u64,
    code: FuncRef,
    /// The record of its captures, in a program with closures.
    captured: Option<Root>,
    types: Signature,
}

/// The types of a function.
#[derive(Clone)]
pub struct Signature {
    pub(crate) params: Vec<TypeRef>,
    pub(crate) result: Option<TypeRef>,
    /// Those of the parameters as code takes them; captured values come first.
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) result_scalar: Option<Scalar>,
}

impl Signature {
    fn of(module: &Module, sig: SigRef) -> Signature {
        let sig = &module.sigs[sig];
        Signature {
            params: sig.params.clone(),
            result: sig.result,
            scalars: sig.params.iter().map(|ty| module.scalar(*ty)).collect(),
            result_scalar: sig.result.map(|ty| module.scalar(ty)),
        }
    }
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
        let (types, captured) = match &self.target {
            Target::Named(named) => {
                if named.engine != engine {
                    return Err(CallError::OtherEngine);
                }
                if rt.is_initialising {
                    return Err(CallError::NotYet(named.name.clone()));
                }
                if named.generation.load(Relaxed) != rt.generation() {
                    named.find_again(on)?;
                }
                (&named.types, None)
            }
            Target::Given(given) if given.engine != engine => return Err(CallError::OtherEngine),
            // Its body, or one that it calls, may have been replaced by one that uses globals without a value.
            Target::Given(given) if rt.is_initialising && given.generation != rt.generation() => {
                return Err(CallError::NotYet("fn".to_owned()));
            }
            Target::Given(given) => (&given.types, given.captured.as_ref()),
        };
        let rt = on.runtime();
        let pins = rt.pinned();
        let mut words = [0; MOST_ARGS + 1];
        words[0] = captured.map_or(0, Root::word);
        let own = words.last_chunk_mut().expect("it is one word shorter");
        let converted = args.words(&mut Program { rt, engine }, &types.params, own);
        let first = usize::from(captured.is_none());
        let result = converted.and_then(|()| {
            let func = match &self.target {
                Target::Named(named) => FuncRef::from_u32(named.func.load(Relaxed)),
                Target::Given(given) => given.code,
            };
            on.invoke(func, types, &words[first..=types.params.len()])
        });
        let rt = on.runtime();
        rt.unpin_to(pins);
        let word = result?;
        R::of(&mut Program { rt, engine }, types.result.zip(word))
    }
}

impl Named {
    /// Looks the function up again, as another program may have been loaded.
    #[cold]
    fn find_again(&self, on: &mut impl Calls) -> Result<(), CallError> {
        let func = on.find(&self.name).ok_or_else(|| CallError::UnknownFunction(self.name.clone()))?;
        let rt = on.runtime();
        if rt.module().funcs[func].sig != self.sig {
            return Err(CallError::Changed(self.name.clone()));
        }
        self.func.store(func.as_u32(), Relaxed);
        self.generation.store(rt.generation(), Relaxed);
        Ok(())
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
    fn find(&self, name: &str) -> Option<FuncRef>;
    #[doc(hidden)]
    fn invoke(&mut self, func: FuncRef, types: &Signature, words: &[u64]) -> Result<Option<u64>, CallError>;
}

impl Calls for Engine {
    fn number(&self) -> u64 {
        self.id
    }

    #[inline]
    fn prepare(&mut self) -> Result<u64, CallError> {
        let limits = self.limits;
        self.executor.runtime_mut().set_limits(limits);
        if !self.pending.is_empty() {
            self.run_statements().map_err(CallError::Run)?;
        }
        Ok(self.id)
    }

    #[inline]
    fn runtime(&mut self) -> &mut Runtime {
        self.executor.runtime_mut()
    }

    fn find(&self, name: &str) -> Option<FuncRef> {
        self.function_named(name)
    }

    #[inline]
    fn invoke(&mut self, func: FuncRef, types: &Signature, words: &[u64]) -> Result<Option<u64>, CallError> {
        let result = self.executor.call_typed(func, (&types.scalars, types.result_scalar), words);
        result.map_err(|unwind| CallError::Run(RunError::from(unwind)))
    }
}

impl Calls for Context<'_> {
    fn number(&self) -> u64 {
        self.engine
    }

    fn prepare(&mut self) -> Result<u64, CallError> {
        Ok(self.engine)
    }

    fn runtime(&mut self) -> &mut Runtime {
        Context::runtime(self)
    }

    fn find(&self, _: &str) -> Option<FuncRef> {
        None
    }

    fn invoke(&mut self, func: FuncRef, _: &Signature, words: &[u64]) -> Result<Option<u64>, CallError> {
        self.call_words(func, words)
    }
}

impl Engine {
    /// Looks a function up for many calls, and compares its types with those given.
    pub fn typed<A: Args, R: Output>(&mut self, name: &str) -> Result<Function<A, R>, CallError> {
        let func = self.function_named(name).ok_or_else(|| CallError::UnknownFunction(name.to_owned()))?;
        let (mut params, mut result) = (A::describe(), R::describe());
        params.iter_mut().chain(&mut result).for_each(|described| described.name_opaque(&self.opaque_types));
        let module = Arc::clone(self.session.module());
        let sig = module.funcs[func].sig;
        let types = Signature::of(&module, sig);
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
                    found: text(described.map(Described::to_string)),
                });
            }
        }
        let is_shared = result.as_ref().is_some_and(Described::is_shared);
        if is_shared || params.iter().any(|described| !described.is_plain()) {
            self.executor.expect_values_from_elsewhere();
        }
        let named = Named {
            name: name.to_owned(),
            engine: self.id,
            func: AtomicU32::new(func.as_u32()),
            generation: AtomicU64::new(self.executor.runtime().generation()),
            sig,
            types,
        };
        Ok(Function { target: Target::Named(Arc::new(named)), types: PhantomData })
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
        let given = GivenFunction { engine: program.engine, generation, code, captured, types };
        Ok(Function { target: Target::Given(Arc::new(given)), types: PhantomData })
    }
}

impl<A: Args, R: Output> Param for Function<A, R> {
    type Item<'a> = Function<A, R>;

    fn describe() -> Described {
        <Self as Type>::describe()
    }

    fn of(_: &Given, program: &mut Program<'_>, ty: TypeRef, word: Word) -> Result<Self, CallError> {
        Self::of_word(program, ty, word)
    }
}
