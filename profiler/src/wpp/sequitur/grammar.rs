//! A context-free grammar that derives one sequence.
//!
//! In: the rules, from the inference or from bytes. Out: the sequence, and the *subgrammar* of some symbols, which derives the
//! sequence without the others: so the trace of one function is extracted from a compressed whole program path [ZG01 3].
//!
//! Invariants: rule 0 is the start rule, and a rule uses only rules with a greater number, so no rule derives itself.

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// A rule of a grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GrammarRule(u32);
entity_impl!(GrammarRule, "R");

/// A symbol in the body of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GrammarSymbol {
    /// A symbol of the sequence.
    Terminal(u32),
    /// All that a rule derives.
    Rule(GrammarRule),
}

/// A grammar that derives one sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    rules: PrimaryMap<GrammarRule, Vec<GrammarSymbol>>,
}

impl Grammar {
    /// A grammar of these rules, in an order that it chooses: each behind all that use it. The first is the start rule.
    ///
    /// # Panics
    /// If a rule derives itself, or a body names a rule that is not there.
    pub(super) fn new(rules: Vec<Vec<GrammarSymbol>>) -> Grammar {
        let order = users_first(&rules);
        let mut number = vec![GrammarRule::from_u32(0); rules.len()];
        (0..).zip(&order).for_each(|(new, &old)| number[old] = GrammarRule::from_u32(new));
        let renumber = |symbol: GrammarSymbol| match symbol {
            GrammarSymbol::Terminal(_) => symbol,
            GrammarSymbol::Rule(rule) => GrammarSymbol::Rule(number[rule.as_u32() as usize]),
        };
        let mut rules = rules;
        let mut ordered = PrimaryMap::with_capacity(order.len());
        for old in order {
            ordered.push(std::mem::take(&mut rules[old]).into_iter().map(renumber).collect());
        }
        Grammar { rules: ordered }
    }

    /// The rules with their bodies, the start rule first.
    pub fn rules(&self) -> impl Iterator<Item = (GrammarRule, &[GrammarSymbol])> {
        self.rules.iter().map(|(rule, body)| (rule, body.as_slice()))
    }

    /// Number of rules.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// Number of symbols in all bodies.
    pub fn symbol_count(&self) -> usize {
        self.rules.values().map(Vec::len).sum()
    }

    /// The body of a rule.
    pub fn body(&self, rule: GrammarRule) -> &[GrammarSymbol] {
        &self.rules[rule]
    }

    /// Length of the sequence. A damaged grammar may derive more than can be counted; then it is the greatest number.
    pub fn len(&self) -> u64 {
        let mut length: SecondaryMap<GrammarRule, u64> = SecondaryMap::new();
        for (rule, body) in self.rules.iter().rev() {
            length[rule] = body.iter().fold(0, |sum: u64, symbol| match symbol {
                GrammarSymbol::Terminal(_) => sum.saturating_add(1),
                GrammarSymbol::Rule(used) => sum.saturating_add(length[*used]),
            });
        }
        length[GrammarRule::from_u32(0)]
    }

    /// Returns whether the sequence is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sequence.
    pub fn expand(&self) -> impl Iterator<Item = u32> + '_ {
        let mut pending = vec![self.rules[GrammarRule::from_u32(0)].iter()];
        std::iter::from_fn(move || {
            loop {
                match pending.last_mut()?.next() {
                    Some(GrammarSymbol::Terminal(value)) => return Some(*value),
                    Some(GrammarSymbol::Rule(rule)) => pending.push(self.rules[*rule].iter()),
                    None => _ = pending.pop(),
                }
            }
        })
    }

    /// The subgrammar of the symbols that `keep` accepts: it derives the sequence without the others. Rules that derive none of
    /// them are left out, and a rule that derives one is replaced by it.
    pub fn restricted(&self, keep: impl Fn(u32) -> bool) -> Grammar {
        /// Contents of a rule in the subgrammar.
        #[derive(Clone, Copy, Default)]
        enum Rest {
            #[default]
            Nothing,
            One(GrammarSymbol),
            Rule(usize),
        }
        let mut rest: SecondaryMap<GrammarRule, Rest> = SecondaryMap::new();
        let mut kept: Vec<Vec<GrammarSymbol>> = vec![Vec::new()];
        for (rule, body) in self.rules.iter().rev() {
            let mut left = Vec::new();
            for &symbol in body {
                match symbol {
                    GrammarSymbol::Terminal(value) => left.extend(keep(value).then_some(symbol)),
                    GrammarSymbol::Rule(used) => match rest[used] {
                        Rest::Nothing => {}
                        Rest::One(symbol) => left.push(symbol),
                        Rest::Rule(new) => left.push(GrammarSymbol::Rule(GrammarRule::from_u32(new as u32))),
                    },
                }
            }
            if rule.as_u32() == 0 {
                kept[0] = left;
            } else {
                rest[rule] = match left[..] {
                    [] => Rest::Nothing,
                    [one] => Rest::One(one),
                    _ => {
                        kept.push(left);
                        Rest::Rule(kept.len() - 1)
                    }
                };
            }
        }
        Grammar::new(kept)
    }
}

/// The rules that the first one derives, each behind all that use it.
fn users_first(rules: &[Vec<GrammarSymbol>]) -> Vec<usize> {
    let uses = |rule: usize, from: usize| {
        let mut later = rules[rule].iter().enumerate().skip(from);
        later.find_map(|(at, symbol)| match symbol {
            GrammarSymbol::Terminal(_) => None,
            GrammarSymbol::Rule(used) => Some((at, used.as_u32() as usize)),
        })
    };
    // Depth first, with the rules in the order of their uses: the reverse of the order in which they are finished.
    let (mut seen, mut finished) = (vec![false; rules.len()], Vec::new());
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((rule, next)) = stack.last_mut() {
        match uses(*rule, *next) {
            Some((at, used)) => {
                *next = at + 1;
                if !std::mem::replace(&mut seen[used], true) {
                    stack.push((used, 0));
                }
            }
            None => {
                finished.push(*rule);
                stack.pop();
            }
        }
    }
    finished.reverse();
    finished
}
