//! Reasons for which a question to a recorded run has no answer.

use super::execution::ExecutionError;
use super::facts::place::PlaceError;
use std::fmt;

/// Reasons for which there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// The question names nothing.
    Place(PlaceError),
    /// The run cannot be executed again.
    Execution(ExecutionError),
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::Place(error) => write!(f, "{error}"),
            AnswerError::Execution(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for AnswerError {}
