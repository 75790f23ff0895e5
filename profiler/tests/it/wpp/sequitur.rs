//! Sequitur: its grammars derive the input, keep both invariants, and survive serialization.
//!
//! In: random sequences, and those of [NMW97]. Out: checks by definition.

use std::collections::HashMap;

use holloway_profiler::wpp::sequitur::{Grammar, GrammarError, GrammarSymbol, Sequitur};
use proptest::prelude::*;

fn grammar_of(input: &[u32]) -> Grammar {
    let mut sequitur = Sequitur::default();
    sequitur.extend(input.iter().copied());
    assert_eq!(sequitur.len(), input.len() as u64);
    sequitur.grammar()
}

/// A digram that two places hold which do not overlap, by definition.
fn repeated_digram(grammar: &Grammar) -> Option<(GrammarSymbol, GrammarSymbol)> {
    let mut first_at = HashMap::new();
    for (rule, body) in grammar.rules() {
        for (at, pair) in body.windows(2).enumerate() {
            let (other, other_at) = *first_at.entry((pair[0], pair[1])).or_insert((rule, at));
            if other != rule || at - other_at > 1 {
                return Some((pair[0], pair[1]));
            }
        }
    }
    None
}

fn rule_used_once(grammar: &Grammar) -> bool {
    let mut uses = vec![0; grammar.rule_count()];
    for (_, body) in grammar.rules() {
        for symbol in body {
            if let GrammarSymbol::Rule(rule) = symbol {
                uses[rule.as_u32() as usize] += 1;
            }
        }
    }
    uses[1..].iter().any(|&count| count < 2)
}

/// Sequences with repetitions on several scales: pieces that name earlier pieces.
fn sequences() -> impl Strategy<Value = Vec<u32>> {
    let piece = (prop::collection::vec(0..5_u32, 0..6), any::<u8>(), any::<u8>());
    prop::collection::vec(piece, 0..24).prop_map(|pieces| {
        let mut known: Vec<Vec<u32>> = vec![Vec::new()];
        let mut all = Vec::new();
        for (literal, which, times) in pieces {
            let mut piece = known[usize::from(which) % known.len()].clone();
            piece.truncate(64);
            piece.extend(literal);
            for _ in 0..times % 5 {
                all.extend_from_slice(&piece);
            }
            known.push(piece);
        }
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn grammars_derive_the_input_and_keep_the_invariants(input in sequences()) {
        let grammar = grammar_of(&input);
        prop_assert_eq!(grammar.expand().collect::<Vec<_>>(), &input[..]);
        prop_assert_eq!(grammar.len(), input.len() as u64);
        prop_assert_eq!(repeated_digram(&grammar), None);
        prop_assert!(!rule_used_once(&grammar));
    }

    #[test]
    fn so_they_do_for_runs_of_few_symbols(input in prop::collection::vec(0..2_u32, 0..200)) {
        let grammar = grammar_of(&input);
        prop_assert_eq!(grammar.expand().collect::<Vec<_>>(), &input[..]);
        prop_assert_eq!(repeated_digram(&grammar), None);
        prop_assert!(!rule_used_once(&grammar));
    }

    #[test]
    fn bytes_hold_the_grammar(input in sequences(), scale in 1..u32::MAX / 5) {
        let input: Vec<u32> = input.into_iter().map(|symbol| symbol * scale).collect();
        let grammar = grammar_of(&input);
        prop_assert_eq!(Grammar::from_bytes(&grammar.to_bytes()), Ok(grammar));
    }

    #[test]
    fn the_subgrammar_derives_what_is_kept(input in sequences(), kept in prop::collection::btree_set(0..5_u32, 0..4)) {
        let subgrammar = grammar_of(&input).restricted(|symbol| kept.contains(&symbol));
        let expected: Vec<u32> = input.into_iter().filter(|symbol| kept.contains(symbol)).collect();
        prop_assert_eq!(subgrammar.expand().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn damaged_bytes_are_an_error_or_another_grammar(
        input in sequences(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = grammar_of(&input).to_bytes();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let cut = length.index(bytes.len() + 1);
        for bytes in [&bytes[..], &bytes[..cut]] {
            if let Ok(grammar) = Grammar::from_bytes(bytes) {
                prop_assert!(grammar.symbol_count() <= 8 * bytes.len());
                let taken = grammar.expand().take(1000).count() as u64;
                prop_assert_eq!(taken, grammar.len().min(1000));
            }
        }
    }
}

/// [NMW97 Figure 1]: `abcdbcabcdbc` is S -> AA, A -> aBdB, B -> bc.
#[test]
fn the_example_of_its_paper() {
    let input: Vec<u32> = "abcdbcabcdbc".bytes().map(u32::from).collect();
    let grammar = grammar_of(&input);
    let bodies: Vec<String> = grammar
        .rules()
        .map(|(_, body)| {
            let spell = |symbol: &GrammarSymbol| match *symbol {
                GrammarSymbol::Terminal(value) => char::from(value as u8).to_string(),
                GrammarSymbol::Rule(rule) => format!(" {rule} "),
            };
            body.iter().map(spell).collect::<String>()
        })
        .collect();
    assert_eq!(bodies, [" R1  R1 ", "a R2 d R2 ", "bc"]);
}

/// A long loop becomes a grammar of logarithmic size.
#[test]
fn repetition_compresses_exponentially() {
    let input: Vec<u32> = (0..1 << 18).map(|at| at % 8).collect();
    let grammar = grammar_of(&input);
    assert!(grammar.symbol_count() < 100, "{} symbols", grammar.symbol_count());
    assert_eq!(grammar.len(), 1 << 18);
}

#[test]
fn an_empty_sequence_has_a_grammar() {
    let grammar = grammar_of(&[]);
    assert!(grammar.is_empty());
    assert_eq!(Grammar::from_bytes(&grammar.to_bytes()), Ok(grammar));
    assert_eq!(Grammar::from_bytes(&[]), Err(GrammarError::Truncated));
}
