//! A call from the host: the operands of a function of the program, where its calling convention has them.
//!
//! In: a signature and the arguments as words. Out: what [`super::enter`] loads into registers and pushes, and the result. It is filled
//! where it stands: a copy would cost more than the rest of a short call.
//! Invariant: the stack takes an even number of words, so that it stays aligned to 16 bytes.

use holloway_lang::ir::Scalar;

const WORD_REGISTERS: usize = 6;
const FLOAT_REGISTERS: usize = 8;

/// The operands of one call, and after it the result.
#[derive(Debug)]
#[repr(C)]
pub struct HostCall {
    /// The registers of operands that are no floats, in the convention's order; the first holds such a result.
    pub(super) words: [u64; WORD_REGISTERS],
    /// The registers of floats; the first holds a result that is one.
    pub(super) floats: [u64; FLOAT_REGISTERS],
    /// The words of [`HostCall::on_stack`], from the lowest address up.
    pub(super) stack: *const u64,
    pub(super) stack_words: usize,
    on_stack: Vec<u64>,
}

impl HostCall {
    /// A call without operands.
    #[inline]
    pub fn empty() -> HostCall {
        HostCall {
            words: [0; WORD_REGISTERS],
            floats: [0; FLOAT_REGISTERS],
            stack: std::ptr::null(),
            stack_words: 0,
            on_stack: Vec::new(),
        }
    }

    /// Passes operands of these types, one argument for each, in a call that has none.
    #[inline]
    pub fn pass(&mut self, params: &[Scalar], args: &[u64]) {
        assert_eq!(params.len(), args.len(), "each operand has an argument");
        let (mut words, mut floats) = (self.words.iter_mut(), self.floats.iter_mut());
        for (param, arg) in params.iter().zip(args) {
            let register = match param {
                Scalar::Float => floats.next(),
                Scalar::Int | Scalar::Bool | Scalar::Ref | Scalar::Func => words.next(),
            };
            match register {
                Some(register) => *register = *arg,
                None => self.on_stack.push(*arg),
            }
        }
        if !self.on_stack.is_empty() {
            self.on_stack.resize(self.on_stack.len().next_multiple_of(2), 0);
            self.stack = self.on_stack.as_ptr();
            self.stack_words = self.on_stack.len();
        }
    }

    /// The result of that type, once the function has returned.
    #[inline]
    pub fn result(&self, scalar: Scalar) -> u64 {
        match scalar {
            Scalar::Float => self.floats[0],
            Scalar::Bool => self.words[0] & 0xff,
            Scalar::Int | Scalar::Ref | Scalar::Func => self.words[0],
        }
    }
}
