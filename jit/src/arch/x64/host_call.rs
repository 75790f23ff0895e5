//! A call from the host: the operands of a function of the program, where its calling convention has them.
//!
//! In: a signature and the arguments as words. Out: what [`super::enter`] loads into registers and pushes, and the result.
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
    /// A call with operands of these types, one argument for each.
    #[inline]
    pub fn new(params: &[Scalar], args: &[u64]) -> HostCall {
        assert_eq!(params.len(), args.len(), "each operand has an argument");
        let mut call = HostCall {
            words: [0; WORD_REGISTERS],
            floats: [0; FLOAT_REGISTERS],
            stack: std::ptr::null(),
            stack_words: 0,
            on_stack: Vec::new(),
        };
        let (mut words, mut floats) = (call.words.iter_mut(), call.floats.iter_mut());
        for (param, arg) in params.iter().zip(args) {
            let register = match param {
                Scalar::Float => floats.next(),
                Scalar::Int | Scalar::Bool | Scalar::Ref | Scalar::Func => words.next(),
            };
            match register {
                Some(register) => *register = *arg,
                None => call.on_stack.push(*arg),
            }
        }
        if !call.on_stack.is_empty() {
            call.on_stack.resize(call.on_stack.len().next_multiple_of(2), 0);
            call.stack = call.on_stack.as_ptr();
            call.stack_words = call.on_stack.len();
        }
        call
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
