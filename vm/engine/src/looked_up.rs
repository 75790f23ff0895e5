//! Functions that the host has looked up by name, kept up to date.
//!
//! In: a name and its function; the session each time that it has changed. Out: the function that the name means now, if it
//! has the types that it had. Invariant: a function that somebody has is refreshed before anything runs in the changed
//! program, so that it is found without the session: also by a function of the host, in the middle of a call.

use crate::error::CallError;
use holloway_lang::ir::{FuncRef, Module, Scalar, SigRef, TypeRef};
use holloway_lang::session::Session;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};

/// Functions that are there at least before those that nobody has any more are looked for.
const LEAST_KNOWN: usize = 64;

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
    pub(crate) fn of(module: &Module, sig: SigRef) -> Signature {
        let sig = &module.sigs[sig];
        Signature {
            params: sig.params.clone(),
            result: sig.result,
            scalars: sig.params.iter().map(|ty| module.scalar(*ty)).collect(),
            result_scalar: sig.result.map(|ty| module.scalar(ty)),
        }
    }
}

/// A function that was looked up by its name.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) engine: u64,
    pub(crate) types: Signature,
    sig: SigRef,
    meaning: AtomicU64,
}

/// The meaning of a name.
#[derive(Clone, Copy)]
enum Meaning {
    Function(FuncRef),
    /// A function of other types.
    Changed,
    /// No function.
    Unknown,
}

impl Meaning {
    const CHANGED: u64 = 1 << 32;
    const UNKNOWN: u64 = 1 << 33;

    fn of(session: &Session, name: &str, sig: SigRef) -> Meaning {
        match session.function(name) {
            Some(func) if session.module().funcs[func].sig == sig => Meaning::Function(func),
            Some(_) => Meaning::Changed,
            None => Meaning::Unknown,
        }
    }

    fn word(self) -> u64 {
        match self {
            Meaning::Function(func) => u64::from(func.as_u32()),
            Meaning::Changed => Meaning::CHANGED,
            Meaning::Unknown => Meaning::UNKNOWN,
        }
    }
}

impl Named {
    /// The function that the name means now.
    #[inline]
    pub(crate) fn func(&self) -> Result<FuncRef, CallError> {
        let word = self.meaning.load(Relaxed);
        match u32::try_from(word) {
            Ok(func) => Ok(FuncRef::from_u32(func)),
            Err(_) => Err(self.is_gone(word)),
        }
    }

    #[cold]
    fn is_gone(&self, word: u64) -> CallError {
        match word {
            Meaning::CHANGED => CallError::Changed(self.name.clone()),
            _ => CallError::UnknownFunction(self.name.clone()),
        }
    }
}

/// The functions that were looked up, as long as somebody has them.
#[derive(Default)]
pub(crate) struct LookedUp {
    known: Vec<Weak<Named>>,
    /// Functions that are there before those that nobody has are forgotten.
    most: usize,
}

impl LookedUp {
    /// Adds a function of an engine, which its name means now.
    pub(crate) fn add(&mut self, engine: u64, name: &str, func: FuncRef, module: &Module) -> Arc<Named> {
        if self.known.len() >= self.most {
            self.known.retain(|named| named.strong_count() > 0);
            self.most = LEAST_KNOWN.max(2 * self.known.len());
        }
        let sig = module.funcs[func].sig;
        let meaning = AtomicU64::new(Meaning::Function(func).word());
        let types = Signature::of(module, sig);
        let named = Arc::new(Named { name: name.to_owned(), engine, types, sig, meaning });
        self.known.push(Arc::downgrade(&named));
        named
    }

    /// Looks all up again, as the program has changed.
    pub(crate) fn refresh(&mut self, session: &Session) {
        self.known.retain(|named| {
            let named = named.upgrade();
            if let Some(named) = &named {
                named.meaning.store(Meaning::of(session, &named.name, named.sig).word(), Relaxed);
            }
            named.is_some()
        });
    }
}
