//! Line source of `input()`.
//! In: a source of bytes. Out: lines without their `\n` or `\r\n`; none at the end. A read error is an end.

use std::io::{self, BufRead, Cursor};

/// A function that gives the next line, `None` at the end.
pub type LineReader = Box<dyn FnMut() -> Option<Vec<u8>> + Send>;

/// A source of lines.
#[derive(Default)]
pub enum Input {
    /// Standard input.
    #[default]
    Stdin,
    /// Memory.
    Bytes(Cursor<Vec<u8>>),
    /// A function that gives the next line, with or without its end.
    Callback(LineReader),
}

impl Input {
    /// Input from memory.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Input {
        Input::Bytes(Cursor::new(bytes.into()))
    }

    /// The next line.
    pub fn read_line(&mut self) -> Option<Vec<u8>> {
        let mut line = match self {
            Input::Stdin => read(&mut io::stdin().lock())?,
            Input::Bytes(bytes) => read(bytes)?,
            Input::Callback(next) => next()?,
        };
        if line.last() == Some(&b'\n') {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        Some(line)
    }
}

fn read(from: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let end = from.read_until(b'\n', &mut line).map_or(true, |_| line.is_empty());
    (!end).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends() {
        let mut input = Input::bytes("a\r\n\n\r\nb\rc\nlast\r");
        let lines: Vec<_> = std::iter::from_fn(|| input.read_line()).collect();
        assert_eq!(lines, [&b"a"[..], b"", b"", b"b\rc", b"last\r"]);
        assert_eq!(input.read_line(), None);
    }
}
