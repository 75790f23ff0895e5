//! The scanner under the parsers of IR text and of what is made of it: words, ids, numbers and quoted text.
//!
//! In: text. Out: tokens, or a [`ParseError`] with the line. White space separates and is otherwise ignored; `;` starts a
//! comment to the end of the line.

use super::inst::Operand;
use cranelift_entity::EntityRef;

/// The line that is wrong, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// 1-based line.
    pub line: usize,
    /// A sentence.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Something read, or what is wrong.
pub type Parsed<T> = Result<T, ParseError>;

/// A position in a text.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The start of the token taken last.
    taken: usize,
}

/// The next token is wrong.
pub fn fail<T>(s: &Scanner<'_>, message: &str) -> Parsed<T> {
    fail_at(s, s.at, message)
}

/// The token taken last is wrong.
pub fn refuse<T>(s: &Scanner<'_>, message: &str) -> Parsed<T> {
    fail_at(s, s.taken, message)
}

fn fail_at<T>(s: &Scanner<'_>, at: usize, message: &str) -> Parsed<T> {
    let line = s.text[..at].matches('\n').count() + 1;
    Err(ParseError { line, message: message.to_owned() })
}

impl<'a> Scanner<'a> {
    /// At the start of a text.
    pub fn new(text: &'a str) -> Self {
        let mut scanner = Scanner { text, at: 0, taken: 0 };
        scanner.skip_space();
        scanner
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let token = &self.rest()[..bytes];
        self.taken = self.at;
        self.at += bytes;
        self.skip_space();
        token
    }

    /// True iff nothing is left.
    pub fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// True iff the text goes on with these characters.
    pub fn peek(&self, token: &str) -> bool {
        self.rest().starts_with(token)
    }

    /// Takes these characters if they come next.
    pub fn eat(&mut self, token: &str) -> bool {
        let found = self.peek(token);
        if found {
            self.advance(token.len());
        }
        found
    }

    /// Takes these characters, which must come next.
    pub fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { fail(self, &format!("expected `{token}`")) }
    }

    /// The word that comes next, if one does: letters, digits and underscores.
    pub fn peek_word(&self) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    }

    /// Takes a word.
    pub fn any_word(&mut self) -> Parsed<&'a str> {
        match self.peek_word() {
            Some(word) => Ok(self.advance(word.len())),
            None => fail(self, "expected a word"),
        }
    }

    /// Takes that word if it comes next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.advance(word.len());
        }
        found
    }

    /// Takes that word, which must come next.
    pub fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { fail(self, &format!("expected `{word}`")) }
    }

    fn id_number(&self, prefix: &str) -> Option<usize> {
        let digits = self.peek_word()?.strip_prefix(prefix)?;
        digits.starts_with(|c: char| c.is_ascii_digit()).then(|| digits.parse().ok())?
    }

    /// True iff an id with that prefix comes next.
    pub fn peek_id(&self, prefix: &str) -> bool {
        self.id_number(prefix).is_some()
    }

    /// Takes an id with that prefix.
    pub fn id<T: EntityRef>(&mut self, prefix: &str) -> Parsed<T> {
        match self.id_number(prefix) {
            Some(index) if index < u32::MAX as usize => {
                self.any_word()?;
                Ok(T::new(index))
            }
            _ => fail(self, &format!("expected an id `{prefix}N`")),
        }
    }

    /// The id of a declaration: these stand in the order of their ids, so it is the next one.
    pub fn declared<T: EntityRef + PartialEq>(&mut self, prefix: &str, next: T) -> Parsed<()> {
        let written: T = self.id(prefix)?;
        if written == next { Ok(()) } else { refuse(self, "ids must be declared in order") }
    }

    /// Takes items between two brackets, with commas between them.
    pub fn list<T>(&mut self, open: &str, close: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Takes a number without a sign.
    pub fn number(&mut self) -> Parsed<usize> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        match self.rest()[..digits].parse() {
            Ok(number) => {
                self.advance(digits);
                Ok(number)
            }
            Err(_) => fail(self, "expected a number"),
        }
    }

    /// Takes an integer.
    pub fn integer(&mut self) -> Parsed<i64> {
        let sign = usize::from(self.peek("-"));
        let digits = self.rest()[sign..].bytes().take_while(u8::is_ascii_digit).count();
        match self.rest()[..sign + digits].parse() {
            Ok(number) => {
                self.advance(sign + digits);
                Ok(number)
            }
            Err(_) => fail(self, "expected an integer"),
        }
    }

    /// An integer, a float with the suffix `f`, or a NaN by its bits.
    pub fn number_operand(&mut self) -> Parsed<Operand> {
        if self.eat("nan:0x") {
            return match u64::from_str_radix(self.any_word()?, 16) {
                Ok(bits) => Ok(Operand::Float(bits)),
                Err(_) => refuse(self, "expected the bits of a NaN"),
            };
        }
        let rest = self.rest();
        let in_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
        let token = &rest[..rest.find(|c| !in_number(c)).unwrap_or(rest.len())];
        match token.strip_suffix('f').map(str::parse::<f64>) {
            Some(Ok(value)) => {
                self.advance(token.len());
                Ok(Operand::Float(value.to_bits()))
            }
            Some(Err(_)) => fail(self, "expected a number"),
            None => Ok(Operand::Int(self.integer()?)),
        }
    }

    /// Takes quoted text in UTF-8.
    pub fn name(&mut self) -> Parsed<String> {
        match String::from_utf8(self.string()?) {
            Ok(name) => Ok(name),
            Err(_) => refuse(self, "a name is not UTF-8"),
        }
    }

    /// Quoted text with the escapes of `escape_ascii` and of Rust's `{:?}`.
    pub fn string(&mut self) -> Parsed<Vec<u8>> {
        if !self.peek("\"") {
            return fail(self, "expected quoted text");
        }
        let bytes = self.rest().as_bytes();
        let (mut out, mut at) = (Vec::new(), 1);
        loop {
            match bytes.get(at) {
                None => return fail(self, "the quoted text never ends"),
                Some(b'"') => break,
                Some(b'\\') => match self.escape(&bytes[at + 1..], &mut out) {
                    Some(read) => at += 1 + read,
                    None => return fail(self, "unknown escape"),
                },
                Some(byte) => {
                    out.push(*byte);
                    at += 1;
                }
            }
        }
        self.advance(at + 1);
        Ok(out)
    }

    fn escape(&self, rest: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        let simple = match rest.first()? {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'0' => 0,
            c @ (b'\\' | b'"' | b'\'') => *c,
            b'x' => {
                let digits = std::str::from_utf8(rest.get(1..3)?).ok()?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
                return Some(3);
            }
            b'u' => {
                let end = rest.iter().position(|byte| *byte == b'}')?;
                let digits = std::str::from_utf8(rest.get(2..end)?).ok()?;
                let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return Some(end + 1);
            }
            _ => return None,
        };
        out.push(simple);
        Some(1)
    }
}
