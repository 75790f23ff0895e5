//! Sequitur, the compression of whole program paths that timestamped ones are compared with.
//!
//! In: a sequence of symbols, one at a time: blocks numbered across functions, or path ids. Out: a [`Grammar`] that derives this
//! sequence and no other, its serialized form, and the trace of one function from it.
//!
//! `[NMW97]` C. G. Nevill-Manning, I. H. Witten, "Linear-time, incremental hierarchy inference for compression", DCC 1997.
//! `[L99]` J. R. Larus, "Whole program paths", PLDI 1999.
//!
//! Notation of `[NMW97]`: a *digram* is a pair of neighbours in the body of a rule; `S` is the start rule.
//! Invariants, after each [`Sequitur::push`]:
//! - *digram uniqueness*: no digram is twice in the grammar, except where two overlap (`aaa`);
//! - *rule utility*: each rule but `S` is used at least twice.
//!
//! Each symbol is appended to `S`, and then the invariants are restored until both hold:
//! 1. A digram that is also elsewhere is replaced, in both positions, by a rule with that body: an existing rule, if the digram is
//!    its whole body, and otherwise a new one.
//! 2. A rule that is used once is replaced by its body.
//!
//! Time is linear in the number of symbols: every step but appending shortens the grammar [NMW97].

mod code;
mod digrams;
mod grammar;
mod symbols;

pub use code::GrammarError;
pub use grammar::{Grammar, GrammarRule, GrammarSymbol};

use digrams::Digrams;
use symbols::{Arena, NodeIndex, RuleIndex, Symbol};

/// Incremental inference of a grammar.
#[derive(Clone, Debug)]
pub struct Sequitur {
    arena: Arena,
    digrams: Digrams,
    /// Nodes whose digram has to be compared with the index. Some may be gone.
    unchecked: Vec<NodeIndex>,
    /// Rules that were used once at some time.
    underused: Vec<RuleIndex>,
    length: u64,
}

impl Default for Sequitur {
    fn default() -> Sequitur {
        Sequitur {
            arena: Arena::new(),
            digrams: Digrams::default(),
            unchecked: Vec::new(),
            underused: Vec::new(),
            length: 0,
        }
    }
}

impl Sequitur {
    /// Appends a symbol to the sequence.
    ///
    /// # Panics
    /// If the grammar has 2^32 symbols.
    pub fn push(&mut self, symbol: u32) {
        let guard = self.arena.guard(RuleIndex::START);
        let last = self.arena.previous(guard);
        let node = self.arena.insert_between(last, Symbol::terminal(symbol), guard);
        debug_assert_eq!(self.arena.next(node), guard);
        self.unchecked.push(last);
        self.length += 1;
        self.settle();
    }

    /// Number of symbols of the sequence.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Returns whether the sequence is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The grammar of the sequence so far. Rules are numbered in the order in which a derivation meets them.
    pub fn grammar(&self) -> Grammar {
        let mut number = vec![None; self.arena.rule_count()];
        let mut found = vec![RuleIndex::START];
        let mut rules = Vec::new();
        while let Some(&rule) = found.get(rules.len()) {
            let mut body = Vec::new();
            for node in self.arena.body(rule) {
                let symbol = self.arena.symbol(node);
                body.push(match symbol.as_rule() {
                    None => GrammarSymbol::Terminal(symbol.as_terminal()),
                    Some(used) => GrammarSymbol::Rule(*number[used.index()].get_or_insert_with(|| {
                        found.push(used);
                        GrammarRule::from_u32(found.len() as u32 - 1)
                    })),
                });
            }
            rules.push(body);
        }
        Grammar::new(rules)
    }

    /// Restores both invariants.
    fn settle(&mut self) {
        loop {
            if let Some(node) = self.unchecked.pop() {
                self.check(node);
            } else if let Some(rule) = self.underused.pop() {
                self.expand_if_used_once(rule);
            } else {
                break;
            }
        }
        self.arena.reuse_released();
    }

    /// Looks for a second occurrence of the digram at `node`, and replaces both.
    fn check(&mut self, node: NodeIndex) {
        if !self.arena.is_digram(node) {
            return;
        }
        let Some(other) = self.digrams.find_or_insert(&self.arena, node) else { return };
        if other == node {
            return;
        }
        // Of overlapping occurrences one alone is indexed. Four equal symbols in a row are two occurrences.
        let arena = &self.arena;
        if arena.next(node) == other {
            let third = arena.next(other);
            if arena.is_digram(third) && arena.digram(third) == arena.digram(node) {
                self.replace_both(node, third);
            }
        } else if arena.next(other) == node {
            let before = arena.previous(other);
            if arena.is_digram(before) && arena.digram(before) == arena.digram(node) {
                self.replace_both(node, before);
            }
        } else {
            self.replace_both(node, other);
        }
    }

    /// Replaces two occurrences of a digram by a rule.
    fn replace_both(&mut self, node: NodeIndex, other: NodeIndex) {
        if let Some(rule) = self.arena.rule_with_body(other) {
            self.substitute(node, rule);
        } else if let Some(rule) = self.arena.rule_with_body(node) {
            self.substitute(other, rule);
        } else {
            let (first, second) = self.arena.digram(node);
            let rule = self.arena.new_rule();
            let guard = self.arena.guard(rule);
            let head = self.arena.insert_between(guard, first, guard);
            self.arena.insert_between(head, second, guard);
            self.substitute(other, rule);
            self.substitute(node, rule);
            self.unchecked.push(head);
        }
    }

    /// Replaces the digram at `node` by a use of `rule`.
    fn substitute(&mut self, node: NodeIndex, rule: RuleIndex) {
        let second = self.arena.next(node);
        let (before, after) = (self.arena.previous(node), self.arena.next(second));
        [before, node, second].into_iter().for_each(|at| self.forget_digram(at));
        for gone in [node, second] {
            if let Some(used) = self.arena.release(gone) {
                self.underused.push(used);
            }
        }
        let place = self.arena.insert_between(before, Symbol::rule(rule), after);
        // The digram to the left is checked first: if it is replaced, the other one is gone.
        self.unchecked.push(place);
        self.unchecked.push(before);
    }

    /// Replaces a rule that is used once by its body.
    fn expand_if_used_once(&mut self, rule: RuleIndex) {
        let Some(place) = self.arena.only_use(rule) else { return };
        let before = self.arena.previous(place);
        [before, place].into_iter().for_each(|at| self.forget_digram(at));
        let last = self.arena.splice_body(place, rule);
        self.unchecked.push(last);
        self.unchecked.push(before);
    }

    /// Removes the digram at `node` from the index, as one of its symbols is about to change.
    fn forget_digram(&mut self, node: NodeIndex) {
        if !self.arena.is_digram(node) || !self.digrams.remove(&self.arena, node) {
            return;
        }
        // An occurrence that overlaps this one was not indexed; now it may have to be.
        let (first, second) = self.arena.digram(node);
        if first == second {
            self.unchecked.push(self.arena.next(node));
            self.unchecked.push(self.arena.previous(node));
        }
    }
}

impl Extend<u32> for Sequitur {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, symbols: I) {
        symbols.into_iter().for_each(|symbol| self.push(symbol));
    }
}
