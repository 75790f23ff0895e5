//! Source of `input()` and `read_all()`.
//! In: a source of bytes. Out: lines without their `\n` or `\r\n`, none at the end; or all bytes that are left. A read
//! error is an end.

use super::stdin::{self, AskStop};
use crate::failure::FailureKind;
use std::io::{BufRead, Cursor};
use std::sync::{Arc, Mutex, PoisonError};

/// A function that gives the next line, `None` at the end.
pub type LineReader = Box<dyn FnMut() -> Option<Vec<u8>> + Send>;

/// A source of lines.
#[derive(Default)]
pub enum Input {
    /// Standard input.
    #[default]
    Stdin,
    /// Standard input, from the first line that one of those read that share it.
    Shared(SharedStdin),
    /// Memory.
    Bytes(Cursor<Vec<u8>>),
    /// A function that gives the next line, with or without its end. While it waits, the program cannot be stopped.
    Callback(LineReader),
}

/// Lines of standard input that several programs read, each all of them.
#[derive(Debug, Default)]
pub struct SharedStdin {
    lines: Arc<Mutex<Vec<Vec<u8>>>>,
    /// The number of lines that were given here.
    given: usize,
}

impl Clone for SharedStdin {
    /// The same lines, from the first.
    fn clone(&self) -> SharedStdin {
        SharedStdin { lines: Arc::clone(&self.lines), given: 0 }
    }
}

impl SharedStdin {
    /// All that was read so far.
    pub fn read_so_far(&self) -> Vec<u8> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).concat()
    }

    fn next(&mut self, limit: usize, stop: &mut AskStop<'_>) -> Result<Option<Vec<u8>>, FailureKind> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if self.given == lines.len() {
            let Some(line) = stdin::read_line(limit, stop)? else { return Ok(None) };
            lines.push(line);
        }
        self.given += 1;
        Ok(Some(lines[self.given - 1].clone()))
    }
}

impl Input {
    /// Input from memory.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Input {
        Input::Bytes(Cursor::new(bytes.into()))
    }

    /// The next line, of at most so many bytes where it is read from a file. While it is waited for, `stop` is asked
    /// now and then.
    pub(crate) fn read_line(&mut self, limit: usize, stop: &mut AskStop<'_>) -> Result<Option<Vec<u8>>, FailureKind> {
        let line = match self {
            Input::Callback(next) => next(),
            Input::Stdin | Input::Shared(_) | Input::Bytes(_) => self.read_piece(limit, stop)?,
        };
        Ok(line.map(without_end))
    }

    /// The same with the line's end, if it has one.
    pub(crate) fn read_piece(&mut self, limit: usize, stop: &mut AskStop<'_>) -> Result<Option<Vec<u8>>, FailureKind> {
        Ok(match self {
            Input::Stdin => stdin::read_line(limit, stop)?,
            Input::Shared(shared) => shared.next(limit, stop)?,
            Input::Bytes(bytes) => read(bytes),
            Input::Callback(next) => next().map(with_end),
        })
    }

    /// All that is left, of at most so many bytes. While it is waited for, `stop` is asked now and then.
    pub(crate) fn read_rest(&mut self, limit: usize, stop: &mut AskStop<'_>) -> Result<Vec<u8>, FailureKind> {
        let mut rest = Vec::new();
        loop {
            let room = limit - rest.len();
            let line = match self {
                Input::Stdin => return stdin::read_rest(room, stop),
                Input::Shared(shared) => shared.next(room, stop)?,
                Input::Bytes(bytes) => read(bytes),
                Input::Callback(next) => next().map(with_end),
            };
            let Some(line) = line else { return Ok(rest) };
            if line.len() > room {
                return Err(FailureKind::OutOfMemory);
            }
            rest.extend(line);
            stop()?;
        }
    }
}

fn without_end(mut line: Vec<u8>) -> Vec<u8> {
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    line
}

/// A line from a function, which may have left out its end.
fn with_end(mut line: Vec<u8>) -> Vec<u8> {
    if line.last() != Some(&b'\n') {
        line.push(b'\n');
    }
    line
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
        let mut next = || input.read_line(usize::MAX, &mut || Ok(())).expect("nobody stops it");
        let lines: Vec<_> = std::iter::from_fn(&mut next).collect();
        assert_eq!(lines, [&b"a"[..], b"", b"", b"b\rc", b"last\r"]);
        assert_eq!(next(), None);
    }

    #[test]
    fn what_is_left_is_read_whole() {
        let rest = |input: &mut Input, limit| input.read_rest(limit, &mut || Ok(()));
        let mut input = Input::bytes(&b"first\r\na\r\n\n\xc3"[..]);
        assert_eq!(input.read_line(100, &mut || Ok(())), Ok(Some(b"first".to_vec())));
        assert_eq!(rest(&mut input, 5), Ok(b"a\r\n\n\xc3".to_vec()));
        assert_eq!(rest(&mut input, 6), Ok(Vec::new()), "nothing is left");
        assert_eq!(rest(&mut Input::bytes("a\nb"), 2), Err(FailureKind::OutOfMemory));
        let mut lines = vec![b"b\n".to_vec(), b"a".to_vec()];
        assert_eq!(rest(&mut Input::Callback(Box::new(move || lines.pop())), 100), Ok(b"a\nb\n".to_vec()));
        let stopped = Input::bytes("a\nb").read_rest(100, &mut || Err(FailureKind::Interrupted));
        assert_eq!(stopped, Err(FailureKind::Interrupted));
    }

    #[test]
    fn shared_lines_are_given_to_each() {
        let lines = Arc::new(Mutex::new(vec![b"one\n".to_vec(), b"two\n".to_vec()]));
        let mut first = Input::Shared(SharedStdin { lines, given: 0 });
        let Input::Shared(shared) = &first else { unreachable!("it was made so") };
        let mut second = Input::Shared(shared.clone());
        let next = |input: &mut Input| input.read_line(usize::MAX, &mut || Ok(())).expect("nobody stops it");
        assert_eq!([next(&mut first), next(&mut first)], [Some(b"one".to_vec()), Some(b"two".to_vec())]);
        assert_eq!([next(&mut second), next(&mut second)], [Some(b"one".to_vec()), Some(b"two".to_vec())]);
        let Input::Shared(shared) = &first else { unreachable!("it was made so") };
        assert_eq!(shared.read_so_far(), b"one\ntwo\n");
    }
}
