//! The answers of the world outside to a run, kept so that the run can be executed again: lines of its input and times.
//!
//! In: the answers of `input()` and `clock()`, in order. Out: the same answers. Everything else that a program can ask is the same in
//! every run. Invariant: a tape that is played gives no line behind its last one, and no time but the last one.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Answers, each kind in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// Lines, without their ends.
    pub lines: Vec<Vec<u8>>,
    /// Seconds.
    pub times: Vec<f64>,
}

/// The present use of a tape.
#[derive(Debug, Default)]
pub enum Tape {
    /// Answers are not kept.
    #[default]
    Off,
    /// Answers are kept, where others may look at them meanwhile.
    Recording(Arc<Mutex<Answers>>),
    /// Answers are those of an earlier run.
    Playing {
        /// All of them.
        answers: Answers,
        /// Lines that were given.
        line: usize,
        /// Times that were given.
        time: usize,
    },
}

impl Tape {
    /// A tape that gives the answers of an earlier run.
    pub fn playing(answers: Answers) -> Tape {
        Tape::Playing { answers, line: 0, time: 0 }
    }

    /// The next line: on the tape, or read now.
    pub(super) fn line<E>(&mut self, read: impl FnOnce() -> Result<Option<Vec<u8>>, E>) -> Result<Option<Vec<u8>>, E> {
        match self {
            Tape::Off => read(),
            Tape::Recording(answers) => {
                let found = read()?;
                kept(answers).lines.extend(found.clone());
                Ok(found)
            }
            Tape::Playing { answers, line, .. } => {
                *line += 1;
                Ok(answers.lines.get(*line - 1).cloned())
            }
        }
    }

    /// The next time: on the tape, or that of now.
    pub(super) fn time(&mut self, now: impl FnOnce() -> f64) -> f64 {
        match self {
            Tape::Off => now(),
            Tape::Recording(answers) => {
                let found = now();
                kept(answers).times.push(found);
                found
            }
            Tape::Playing { answers, time, .. } => {
                *time += 1;
                answers.times.get(*time - 1).or(answers.times.last()).copied().unwrap_or_default()
            }
        }
    }
}

/// The answers that are kept.
pub fn kept(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_answers_as_the_world_did() {
        let answers = Arc::<Mutex<Answers>>::default();
        let mut tape = Tape::Recording(Arc::clone(&answers));
        let lines = [Some(b"one".to_vec()), Some(Vec::new()), None];
        let ask = |tape: &mut Tape| lines.clone().map(|line| tape.line(|| Ok::<_, ()>(line)));
        assert_eq!(ask(&mut tape), lines.clone().map(Ok));
        assert_eq!([1.5, 2.5].map(|now| tape.time(|| now)), [1.5, 2.5]);
        let mut played = Tape::playing(kept(&answers).clone());
        let nobody = || -> Result<_, ()> { panic!("nobody is asked") };
        let again = [lines[0].clone(), lines[1].clone(), None, None];
        assert_eq!([0; 4].map(|_| played.line(nobody)), again.map(Ok));
        assert_eq!([0; 3].map(|_| played.time(|| panic!("nobody is asked"))), [1.5, 2.5, 2.5]);
    }
}
