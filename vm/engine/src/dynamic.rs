//! Functions of a program whose types the host knows only when it runs.
//!
//! In: a name, or an argument of a function of the host; values. Out: calls, from an [`Engine`] or a [`Context`].
//! Invariant: each call compares its arguments with the function's types; nothing runs where one does not fit.

use crate::engine::Engine;
use crate::error::CallError;
use crate::function::{Callee, Calls, Target};
use crate::host::Context;
use crate::types::{Program, Word};
use crate::value::{self, Value};
use holloway_lang::ir::{Type, TypeRef};
use holloway_runtime::Root;
use std::sync::Arc;

/// A function of a program that takes and gives [`Value`]s. Where the types are known, a [`Function`](crate::Function) is called in less time.
#[derive(Clone)]
pub struct DynamicFunction(Target);

impl DynamicFunction {
    /// Calls the function: from an [`Engine`], or from a [`Context`] in a function of the host.
    pub fn call(&self, on: &mut impl Calls, args: &[Value]) -> Result<Option<Value>, CallError> {
        let engine = on.prepare()?;
        let rt = on.runtime();
        let Callee { func, types, captured } = self.0.callee(engine, rt)?;
        if types.params.len() != args.len() {
            return Err(CallError::ArgumentCount { expected: types.params.len(), found: args.len() });
        }
        let pins = rt.pinned();
        let mut words: Vec<u64> = captured.map(Root::word).into_iter().collect();
        let converted = types.params.iter().zip(args).try_for_each(|(ty, arg)| {
            words.push(value::to_word(rt, engine, *ty, arg)?);
            Ok(())
        });
        let result = converted.and_then(|()| on.invoke(func, types, &words));
        let rt = on.runtime();
        rt.unpin_to(pins);
        match types.result.zip(result?) {
            Some((ty, word)) => value::of_word(rt, ty, word).map(Some),
            None => Ok(None),
        }
    }

    /// The type of its result, as the program writes it.
    #[doc(hidden)]
    pub fn result_type(&self, on: &mut impl Calls) -> Option<String> {
        let engine = on.number();
        let rt = on.runtime();
        let callee = self.0.callee(engine, rt).ok()?;
        Some(rt.module().type_name(callee.types.result?))
    }

    /// The function that a word of a type stands for, if it is one.
    fn of_word(program: &mut Program<'_>, ty: TypeRef, word: Word) -> Option<DynamicFunction> {
        match program.rt.module().types[ty] {
            Type::Func(_) => Some(DynamicFunction(Target::given(program, ty, word))),
            Type::Optional(_) => {
                let (of, content) = value::content(program.rt.module(), ty, word.0)?;
                DynamicFunction::of_word(program, of, Word(content))
            }
            Type::Int
            | Type::Byte
            | Type::Float
            | Type::Bool
            | Type::Str
            | Type::Array(_)
            | Type::Record(_)
            | Type::Code(_) => None,
        }
    }
}

impl Engine {
    /// Looks a function up for calls with values, also by functions of the host. It means what its name means when it is called.
    pub fn dynamic(&mut self, name: &str) -> Result<DynamicFunction, CallError> {
        let func = self.function_of_language(name)?;
        let module = Arc::clone(self.session.module());
        let named = self.looked_up.add(self.id, name, func, &module);
        // Values that come in later may be any.
        self.expect_values_from_elsewhere();
        Ok(DynamicFunction(Target::Named(named)))
    }
}

impl Context<'_> {
    /// The function of the program that an argument is, to be called with values: for hosts that know the types only when they run.
    pub fn function(&mut self, at: usize) -> Option<DynamicFunction> {
        let (ty, word) = self.argument(at)?;
        let engine = self.engine();
        DynamicFunction::of_word(&mut Program { rt: Context::runtime(self), engine }, ty, word)
    }
}
