//! Files. In: paths and texts as string objects. Out: what is in files, or the failure with path and reason. Invariant:
//! what a program learns of files is on the tape; while one is played, no file is touched.

use crate::Runtime;
use crate::failure::FailureKind;
use crate::files;
use crate::heap::Obj;
use crate::tape::Answer;

/// `read_file(path)`.
pub fn read_file(rt: &mut Runtime, path: Obj) -> Result<Obj, FailureKind> {
    let path = path.bytes().to_vec();
    match rt.ask_file(|limits| files::read(&path, limits))? {
        Some(Answer::Text(Ok(bytes))) => rt.new_str(&bytes, &[]),
        Some(Answer::Text(Err(reason))) => Err(FailureKind::CannotRead { path, reason }),
        Some(Answer::Refused) => Err(FailureKind::FilesNotAllowed),
        Some(_) | None => Err(FailureKind::CannotRead { path, reason: "it is not on the tape".to_owned() }),
    }
}

/// `write_file(path, s)`.
pub fn write_file(rt: &mut Runtime, path: Obj, text: Obj) -> Result<(), FailureKind> {
    let answer = rt.ask_file(|limits| files::write(path.bytes(), text.bytes(), limits))?;
    written(path, answer)
}

/// `append_file(path, s)`.
pub fn append_file(rt: &mut Runtime, path: Obj, text: Obj) -> Result<(), FailureKind> {
    let answer = rt.ask_file(|limits| files::append(path.bytes(), text.bytes(), limits))?;
    written(path, answer)
}

fn written(path: Obj, answer: Option<Answer>) -> Result<(), FailureKind> {
    match answer {
        Some(Answer::Done(Err(reason))) => Err(FailureKind::CannotWrite { path: path.bytes().to_vec(), reason }),
        Some(Answer::Refused) => Err(FailureKind::FilesNotAllowed),
        Some(_) | None => Ok(()),
    }
}

/// `file_exists(path)`.
pub fn file_exists(rt: &mut Runtime, path: Obj) -> Result<bool, FailureKind> {
    match rt.ask_file(|_| files::exists(path.bytes()))? {
        Some(Answer::Is(exists)) => Ok(exists),
        Some(Answer::Refused) => Err(FailureKind::FilesNotAllowed),
        Some(_) | None => Ok(false),
    }
}
