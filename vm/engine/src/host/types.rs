//! The types of a function of the host, in the module of a program.
//!
//! In: the words of a call. Out: each parameter's word. Invariant: a call has the words of these types, in registers or, where
//! they are too many, in one record.

use crate::types::Word;
use crate::value;
use holloway_lang::ir::{MOST_HOST_OPERANDS, TypeRef};

/// The types of a function of the host.
#[derive(Debug)]
pub struct Types {
    pub(crate) params: Vec<TypeRef>,
    pub(crate) result: Option<TypeRef>,
    pub(crate) engine: u64,
}

impl Types {
    /// The word of a parameter.
    #[inline]
    pub(super) fn word(&self, words: &[u64], at: usize) -> Word {
        // More than fit the registers come in a record.
        Word(if self.params.len() > MOST_HOST_OPERANDS { value::record_field(words[0], at as u32) } else { words[at] })
    }
}
