//! Seeded mutation of programs: the same seed makes the same changes.

use holloway_lang::source::SourceMap;
use holloway_lang::token::{Token, lex};

/// A small generator of random numbers (xorshift64*), so that failures repeat.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    lex(file, text).tokens
}

/// `text` with a few comments, newlines and semicolons between its tokens.
pub(crate) fn with_remarks(text: &str, seed: u64) -> String {
    const REMARKS: [&str; 9] = [
        " // remark\n",
        "\n// remark\n",
        " /* remark */ ",
        "\n/* remark */\n",
        "/* two\nlines */",
        "\n\n\n",
        "\n/// doc\n",
        "\n\n/* r */",
        ";",
    ];
    let mut random = Random::new(seed + 1);
    let tokens = tokens(text);
    let mut places: Vec<usize> =
        (0..1 + random.below(6)).map(|_| tokens[random.below(tokens.len())].start as usize).collect();
    places.sort_unstable();
    let mut out = String::new();
    let mut done = 0;
    for place in places {
        out.push_str(&text[done..place]);
        out.push_str(REMARKS[random.below(REMARKS.len())]);
        done = place;
    }
    out + &text[done..]
}

/// `text` with a few of its tokens deleted, doubled or swapped.
pub(crate) fn with_damage(text: &str, seed: u64) -> String {
    let mut random = Random::new(seed + 1);
    let mut tokens = tokens(text);
    for _ in 0..1 + random.below(3) {
        let (i, j) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(4) {
            0 | 1 => _ = tokens.remove(i),
            2 => tokens.insert(i, tokens[j]),
            _ => tokens.swap(i, j),
        }
    }
    let mut out = String::new();
    for (i, token) in tokens.iter().enumerate() {
        let gap_start = if i == 0 { 0 } else { tokens[i - 1].end as usize };
        let gap = text.get(gap_start..token.start as usize).unwrap_or(" ");
        out.push_str(if gap.contains('\n') { "\n" } else { " " });
        out.push_str(&text[token.start as usize..token.end as usize]);
    }
    out
}

/// `text` with a few of its names, literals and operators replaced by others of it: most such programs still parse.
pub(crate) fn with_other_words(text: &str, seed: u64) -> String {
    let mut random = Random::new(seed + 1);
    let tokens = tokens(text);
    let word = |token: &Token| &text[token.start as usize..token.end as usize];
    let is_word = |token: &&Token| word(token).starts_with(|c: char| c.is_alphanumeric() || c == '"' || c == '_');
    let words: Vec<&Token> = tokens.iter().filter(is_word).collect();
    if words.is_empty() {
        return text.to_owned();
    }
    let mut changes: Vec<(&Token, &str)> = (0..1 + random.below(2))
        .map(|_| (words[random.below(words.len())], word(words[random.below(words.len())])))
        .collect();
    changes.sort_by_key(|(token, _)| token.start);
    changes.dedup_by_key(|(token, _)| token.start);
    let mut out = String::new();
    let mut done = 0;
    for (token, other) in changes {
        out.push_str(&text[done..token.start as usize]);
        out.push_str(other);
        done = token.end as usize;
    }
    out + &text[done..]
}
