//! Words that activations pass to each other, while SSA is built.
//!
//! In: a word, and the way in which the activation on the other side is reached. Out: a store to the context of the machine or a load from it;
//! where that activation is inlined, a variable of the construction, so that the word is a value like any other.
//! Invariant: both sides of a call go the same way. A word that matters was written by the other side; on other ways, as behind a failure that
//! it has caught, it is received and has no use.

use super::Builder;
use super::variables::{Passing, Probed};
use crate::opt::op::{PassedWord, Probe};
use crate::opt::ssa::{Block, Op, Value};
use holloway_lang::ir::Scalar;

impl Builder<'_> {
    /// Passes a word to the activation that is called, or returned to.
    pub(super) fn pass_word(&mut self, probed: &Probed, at: Block, to: PassedWord, word: Value) {
        match probed.passing.get() {
            Passing::InMemory => {
                let site = self.func.blocks[at].term_site;
                self.func.push(at, Op::Probe(Probe::Pass(to)), [word], None, site);
            }
            Passing::InRegisters => self.write(at, self.passed.variable(to), word),
        }
    }

    /// Reads a word that was passed last.
    pub(super) fn receive_word(&mut self, probed: &Probed, at: Block, from: PassedWord) -> Value {
        match probed.passing.get() {
            Passing::InMemory => {
                let site = self.func.blocks[at].term_site;
                let word = self.func.push(at, Op::Probe(Probe::Receive(from)), Vec::new(), Some(Scalar::Int), site);
                word.expect("what is received has a value")
            }
            Passing::InRegisters => self.read(at, self.passed.variable(from)),
        }
    }
}
