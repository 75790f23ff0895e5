//! A grammar as bytes, and back.
//!
//! In: a [`Grammar`], or bytes from anywhere. Out: bytes, or the grammar; damaged bytes are a [`GrammarError`].
//!
//! Format, after the implicit coding of [NMW97]: a rule has no header, as its body is where it is used first.
//! 1. The terminals that occur, ascending: their number, and then each as its distance from the previous one, in LEB128.
//! 2. The length of the start rule in LEB128.
//! 3. Bits, least significant first: the body of the start rule, a code for each symbol. With T terminals and R rules met so
//!    far there are 1 + T + R codes, and each takes as many bits as the greatest. Code 0 is a rule met for the first time: its
//!    length as an Elias gamma code, and its body, follow. Then come the terminals, and the rules in the order in which they were met.
//!
//! Invariant: a code takes at least a bit, so no grammar that is read has more than eight symbols a byte.

use std::fmt;

use super::{Grammar, GrammarRule, GrammarSymbol};

/// Damage of a serialized grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarError {
    /// The bytes end within the grammar.
    Truncated,
    /// A number that does not fit.
    NumberTooLarge,
    /// A code that stands for nothing.
    UnknownSymbol,
    /// A rule that derives itself.
    Recursive,
    /// Bytes behind the end of the grammar.
    TrailingBytes,
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GrammarError::Truncated => "the grammar is truncated",
            GrammarError::NumberTooLarge => "a number of the grammar is too large",
            GrammarError::UnknownSymbol => "a symbol of the grammar is neither a terminal nor a rule",
            GrammarError::Recursive => "a rule of the grammar derives itself",
            GrammarError::TrailingBytes => "bytes follow the grammar",
        })
    }
}

impl std::error::Error for GrammarError {}

/// Bits of the greatest of `count` codes.
fn width(count: usize) -> u32 {
    (count - 1).checked_ilog2().map_or(1, |log| log + 1)
}

impl Grammar {
    /// The serialized grammar.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut terminals: Vec<u32> = Vec::new();
        for (_, body) in self.rules() {
            terminals.extend(body.iter().filter_map(|symbol| match symbol {
                GrammarSymbol::Terminal(value) => Some(*value),
                GrammarSymbol::Rule(_) => None,
            }));
        }
        terminals.sort_unstable();
        terminals.dedup();
        let mut out = BitWriter::default();
        out.number(terminals.len() as u64);
        let mut previous = 0;
        for &terminal in &terminals {
            out.number(u64::from(terminal - previous));
            previous = terminal;
        }
        let start = self.body(GrammarRule::from_u32(0));
        out.number(start.len() as u64);
        let mut met: Vec<Option<usize>> = vec![None; self.rule_count()];
        let mut rules = 0;
        let mut pending = vec![start.iter()];
        while let Some(body) = pending.last_mut() {
            let Some(symbol) = body.next() else {
                pending.pop();
                continue;
            };
            let bits = width(1 + terminals.len() + rules);
            match *symbol {
                GrammarSymbol::Terminal(value) => {
                    let rank = terminals.binary_search(&value).expect("every terminal is in the table");
                    out.bits(1 + rank as u64, bits);
                }
                GrammarSymbol::Rule(rule) => match met[rule.as_u32() as usize] {
                    Some(number) => out.bits((1 + terminals.len() + number) as u64, bits),
                    None => {
                        met[rule.as_u32() as usize] = Some(rules);
                        rules += 1;
                        out.bits(0, bits);
                        out.gamma(self.body(rule).len() as u64);
                        pending.push(self.body(rule).iter());
                    }
                },
            }
        }
        out.bytes
    }

    /// Reads a serialized grammar.
    pub fn from_bytes(bytes: &[u8]) -> Result<Grammar, GrammarError> {
        let mut input = BitReader { bytes, at: 0 };
        let count = input.number()?;
        let mut terminals: Vec<u32> = Vec::new();
        for _ in 0..count {
            let value = input.number()?.checked_add(terminals.last().map_or(0, |&last| u64::from(last)));
            let value = value.and_then(|value| u32::try_from(value).ok());
            terminals.push(value.ok_or(GrammarError::NumberTooLarge)?);
        }
        let length = input.number()?;
        let mut reading = Reading { input, terminals, rules: vec![Vec::new()], open: vec![(0, length)] };
        while let Some(&(rule, left)) = reading.open.last() {
            if left == 0 {
                reading.open.pop();
            } else {
                reading.symbol(rule)?;
            }
        }
        if reading.input.at.div_ceil(8) < bytes.len() as u64 {
            return Err(GrammarError::TrailingBytes);
        }
        Ok(Grammar::new(reading.rules))
    }
}

/// The state of reading the bodies.
struct Reading<'a> {
    input: BitReader<'a>,
    terminals: Vec<u32>,
    /// The start rule, and then the rules in the order in which they were met.
    rules: Vec<Vec<GrammarSymbol>>,
    /// The rules within whose bodies this is, the start rule first, each with the number of symbols to come.
    open: Vec<(usize, u64)>,
}

impl Reading<'_> {
    /// Reads the next symbol of `rule`, the innermost open one.
    fn symbol(&mut self, rule: usize) -> Result<(), GrammarError> {
        let code = self.input.bits(width(self.terminals.len() + self.rules.len()))? as usize;
        let symbol = match code.checked_sub(1) {
            None => {
                let length = self.input.gamma()?;
                let new = self.rules.len();
                self.rules.push(Vec::new());
                self.count_symbol();
                self.open.push((new, length));
                self.rules[rule].push(GrammarSymbol::Rule(rule_number(new)));
                return Ok(());
            }
            Some(rank) if rank < self.terminals.len() => GrammarSymbol::Terminal(self.terminals[rank]),
            Some(rank) => {
                let used = 1 + rank - self.terminals.len();
                if used >= self.rules.len() {
                    return Err(GrammarError::UnknownSymbol);
                }
                // Rules are met in ascending order, so the open ones are ascending too.
                if self.open.binary_search_by_key(&used, |&(open, _)| open).is_ok() {
                    return Err(GrammarError::Recursive);
                }
                GrammarSymbol::Rule(rule_number(used))
            }
        };
        self.count_symbol();
        self.rules[rule].push(symbol);
        Ok(())
    }

    fn count_symbol(&mut self) {
        let (_, left) = self.open.last_mut().expect("a rule is open");
        *left -= 1;
    }
}

fn rule_number(index: usize) -> GrammarRule {
    GrammarRule::from_u32(index as u32)
}

/// Bits into bytes.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are taken, 8 if there is no byte to fill.
    taken: u32,
}

impl BitWriter {
    /// A number in LEB128; only whole bytes may be before it.
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
        self.taken = 8;
    }

    fn bits(&mut self, mut value: u64, mut count: u32) {
        while count > 0 {
            if self.taken == 8 {
                self.bytes.push(0);
                self.taken = 0;
            }
            let now = count.min(8 - self.taken);
            let part = (value & ((1 << now) - 1)) as u8;
            *self.bytes.last_mut().expect("a byte was begun") |= part << self.taken;
            self.taken += now;
            value >>= now;
            count -= now;
        }
    }

    /// An Elias gamma code: as many zeros as the value has bits behind its first, then a one, then those bits.
    fn gamma(&mut self, value: u64) {
        let log = value.ilog2();
        self.bits(0, log);
        self.bits(1, 1);
        self.bits(value & !(1 << log), log);
    }
}

/// Bytes into bits.
struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits that were read.
    at: u64,
}

impl BitReader<'_> {
    /// A number in LEB128, at a whole byte.
    fn number(&mut self) -> Result<u64, GrammarError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.bits(8)?;
            let part = byte & 0x7f;
            if part << shift >> shift != part {
                return Err(GrammarError::NumberTooLarge);
            }
            value |= part << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(GrammarError::NumberTooLarge)
    }

    fn bits(&mut self, count: u32) -> Result<u64, GrammarError> {
        let (mut value, mut done) = (0, 0);
        while done < count {
            let byte = *self.bytes.get((self.at / 8) as usize).ok_or(GrammarError::Truncated)?;
            let taken = (self.at % 8) as u32;
            let now = (count - done).min(8 - taken);
            value |= (u64::from(byte >> taken) & ((1 << now) - 1)) << done;
            done += now;
            self.at += u64::from(now);
        }
        Ok(value)
    }

    fn gamma(&mut self) -> Result<u64, GrammarError> {
        let mut log = 0;
        while self.bits(1)? == 0 {
            log += 1;
            if log > 62 {
                return Err(GrammarError::NumberTooLarge);
            }
        }
        Ok(self.bits(log)? | 1 << log)
    }
}
