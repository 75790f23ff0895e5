//! The answers of the world outside to a run, kept so that the run can be executed again: lines of its input, times, files.
//!
//! In: the answers of the world, in order. Out: the same answers. Everything else that a program can ask is the same in
//! every run. Invariants: a tape that is played gives no line behind its last one, and no time but the last one; while it is played the program changes
//! nothing outside.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Answers, each kind in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// Lines, without their ends; for programs that read by bytes, pieces as they came.
    pub lines: Vec<Vec<u8>>,
    /// Seconds of `clock()`.
    pub times: Vec<f64>,
    /// All others.
    #[serde(default)]
    pub others: Vec<Answer>,
}

/// An answer that is neither a line nor a time of `clock()`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The content of a file, or the reason why there is none.
    Text(Result<Vec<u8>, String>),
    /// A file was written, or the reason why not.
    Done(Result<(), String>),
    /// A file is there, or the output is on a terminal.
    Is(bool),
    /// The program may not use files.
    Refused,
    /// The rest of the input.
    Bytes(Vec<u8>),
    /// A variable of the environment, if it is set.
    Maybe(Option<Vec<u8>>),
    /// Seconds since 1970.
    Time(f64),
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
        /// Others that were given.
        other: usize,
    },
}

impl Tape {
    /// A tape that gives the answers of an earlier run.
    pub fn playing(answers: Answers) -> Tape {
        Tape::Playing { answers, line: 0, time: 0, other: 0 }
    }

    /// Returns true if answers are neither kept nor given again.
    pub fn is_off(&self) -> bool {
        matches!(self, Tape::Off)
    }

    /// Returns true if the world outside is to see nothing of the run.
    pub fn is_played(&self) -> bool {
        matches!(self, Tape::Playing { .. })
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

    /// The next other answer: on the tape, or that of now. None behind the end of a tape that is played.
    pub(super) fn other<E>(&mut self, ask: impl FnOnce() -> Result<Answer, E>) -> Result<Option<Answer>, E> {
        match self {
            Tape::Off => ask().map(Some),
            Tape::Recording(answers) => {
                let found = ask()?;
                kept(answers).others.push(found.clone());
                Ok(Some(found))
            }
            Tape::Playing { answers, other, .. } => {
                *other += 1;
                Ok(answers.others.get(*other - 1).cloned())
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

    #[test]
    fn other_answers_are_given_in_order() {
        let answers = Arc::<Mutex<Answers>>::default();
        let mut tape = Tape::Recording(Arc::clone(&answers));
        let given = [
            Answer::Text(Err("it is gone".to_owned())),
            Answer::Text(Ok(b"\xff".to_vec())),
            Answer::Done(Ok(())),
            Answer::Maybe(None),
            Answer::Time(1.5),
        ];
        for answer in &given {
            assert_eq!(tape.other(|| Ok::<_, ()>(answer.clone())), Ok(Some(answer.clone())));
        }
        assert_eq!(tape.other(|| Err(1)), Err(1), "what stops the program is no answer");
        let mut played = Tape::playing(kept(&answers).clone());
        for answer in given {
            assert_eq!(played.other(|| -> Result<_, ()> { panic!("nobody is asked") }), Ok(Some(answer)));
        }
        assert_eq!(played.other(|| -> Result<_, ()> { panic!("nobody is asked") }), Ok(None));
    }
}
