//! Values of the host that programs pass on without knowing what is in them.
//!
//! In: a Rust type with a name for programs; values of it. Out: [`Opaque`], a handle on both sides: a program's `==` says if
//! two are the same value. Invariants: a program has no way to make one; the value is borrowed at run time, so that no two
//! functions of the host change it at once.

mod guarded;

pub(crate) use guarded::{Guarded, Release};

use crate::engine::Engine;
use crate::error::{CallError, DeclareError};
use crate::types::{Described, Program, Type, Word};
use crate::value::{self, OpaqueValue, Value};
use holloway_lang::ir::{Type as IrType, TypeRef};
use holloway_runtime::host_values::HostValue;
use std::any::{TypeId, type_name};
use std::fmt;
use std::sync::Arc;

/// A value of the host that a program has, or is given: a handle, whose clones are the same value.
///
/// A function of the host takes `&T` or `&mut T` where it only needs the value while it runs.
pub struct Opaque<T>(Arc<Guarded<T>>);

impl<T: Send + Sync + 'static> Opaque<T> {
    /// A handle of a value.
    pub fn new(value: T) -> Opaque<T> {
        Opaque(Arc::new(Guarded::new(value)))
    }

    /// Calls a function with the value; fails with [`CallError::InUse`] while it is being changed.
    pub fn with<R>(&self, f: impl FnOnce(&T) -> R) -> Result<R, CallError> {
        self.0.with(f).ok_or(CallError::InUse)
    }

    /// Calls a function that may change the value; fails with [`CallError::InUse`] while it is being used.
    pub fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> Result<R, CallError> {
        self.0.with_mut(f).ok_or(CallError::InUse)
    }
}

impl<T> Clone for Opaque<T> {
    fn clone(&self) -> Self {
        Opaque(Arc::clone(&self.0))
    }
}

/// Handles are equal if they are of the same value.
impl<T> PartialEq for Opaque<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> fmt::Debug for Opaque<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opaque({})", type_name::<T>())
    }
}

/// The type of programs that stands for a Rust type.
pub(crate) fn describe<T: 'static>() -> Described {
    Described::Opaque { id: TypeId::of::<T>(), rust: type_name::<T>() }
}

/// The value that a word stands for.
pub(crate) fn of_word<T: Send + Sync + 'static>(
    program: &Program<'_>,
    word: Word,
) -> Result<Arc<Guarded<T>>, CallError> {
    let value = program.rt.host_values.get(word.0).and_then(|value| Arc::clone(value).downcast().ok());
    value.ok_or_else(|| CallError::Type { expected: type_name::<T>().to_owned(), found: "another value".to_owned() })
}

impl<T: Send + Sync + 'static> Type for Opaque<T> {
    fn describe() -> Described {
        describe::<T>()
    }

    fn of_value(value: Value) -> Result<Self, CallError> {
        let found = value.kind();
        let Value::Opaque(value) = value else {
            return Err(CallError::Type { expected: type_name::<T>().to_owned(), found });
        };
        let value = value.value.downcast();
        value.map(Opaque).map_err(|_| CallError::Type { expected: type_name::<T>().to_owned(), found })
    }

    fn into_value(self) -> Value {
        let value: HostValue = self.0;
        Value::Opaque(OpaqueValue { name: type_name::<T>().into(), value })
    }

    fn of_word(program: &mut Program<'_>, _: TypeRef, word: Word) -> Result<Self, CallError> {
        of_word(program, word).map(Opaque)
    }

    fn into_word(self, program: &mut Program<'_>, ty: TypeRef) -> Result<Word, CallError> {
        let IrType::Record(record) = program.rt.module().types[ty] else { unreachable!("the types were compared") };
        value::opaque_to_word(program.rt, record, self.0).map(Word)
    }
}

impl Engine {
    /// Gives programs that are loaded from now on a type of the host, under a name. They get values of it from functions of
    /// the host, as [`Opaque<T>`](Opaque), and give them to such functions, which may take `&T` and `&mut T`.
    pub fn opaque<T: Send + Sync + 'static>(&mut self, name: &str) -> Result<(), DeclareError> {
        if !crate::names::is_name(name) {
            return Err(DeclareError::Name(name.to_owned()));
        }
        self.refuse_declaration(name)?;
        let mut opaque = self.opaque_types.iter();
        let is_opaque = opaque.any(|(id, (known, _))| *id == TypeId::of::<T>() || known == name);
        if is_opaque || self.host_types.is_known(name) {
            return Err(DeclareError::NameTaken(name.to_owned()));
        }
        let record = self.session.declare_opaque(name).map_err(DeclareError::Diagnostics)?;
        self.install_session();
        self.executor.runtime_mut().host_values.declare(record, TypeId::of::<Guarded<T>>());
        self.opaque_types.insert(TypeId::of::<T>(), (name.to_owned(), record));
        Ok(())
    }
}
