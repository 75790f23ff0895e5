//! Files that a program reads and writes, waited for in such a way that the program can be stopped meanwhile.
//!
//! In: a path, and the limits of the run. Out: an answer for the tape, or the failure that stops the program.
//! Invariants: no more bytes are read than the heap may have; what has no end, or nobody at its other end, such as a
//! pipe, makes nobody wait who wants to stop the program.

use crate::Stop;
use crate::failure::FailureKind;
use crate::tape::Answer;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Says if a program may use files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAccess {
    /// Each use fails.
    #[default]
    Refused,
    /// The files of the process.
    Allowed,
    /// Files are read, and what is written goes nowhere: for a run that nobody is to notice.
    Unchanged,
}

/// An answer for the tape.
pub(crate) type Asked = Result<Answer, FailureKind>;

/// Limits on the use of a file.
pub(crate) struct FileLimits<'a> {
    /// Bytes that are read.
    pub(crate) bytes: usize,
    /// Requests to stop the program.
    pub(crate) stop: Stop<'a>,
    /// The use that is allowed.
    pub(crate) access: FileAccess,
}

/// Bytes that are read or written between two looks at whether the program is to stop.
const PIECE: usize = 1 << 20;
/// Nanoseconds between such looks while a file is waited for.
const BETWEEN_LOOKS: i64 = 10_000_000;

/// The end of an operation on a file that did not succeed.
enum Cut {
    /// The file says so.
    Error(io::Error),
    /// The program is to stop.
    Stop(FailureKind),
}

impl From<io::Error> for Cut {
    fn from(error: io::Error) -> Cut {
        Cut::Error(error)
    }
}

/// Reads a file whole.
pub(crate) fn read(path: &[u8], limits: &FileLimits<'_>) -> Asked {
    answered(limits.read(path)).map(Answer::Text)
}

/// Writes a file anew.
pub(crate) fn write(path: &[u8], text: &[u8], limits: &FileLimits<'_>) -> Asked {
    let mut options = OpenOptions::new();
    answered(limits.write(options.write(true).create(true).truncate(true), path, text)).map(Answer::Done)
}

/// Writes behind the end of a file, which is made if it is not there.
pub(crate) fn append(path: &[u8], text: &[u8], limits: &FileLimits<'_>) -> Asked {
    let mut options = OpenOptions::new();
    answered(limits.write(options.append(true).create(true), path, text)).map(Answer::Done)
}

/// Tells if a path leads to something.
pub(crate) fn exists(path: &[u8]) -> Asked {
    Ok(Answer::Is(to_path(path).exists()))
}

fn to_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

/// The result, or the reason; a request to stop ends the program.
fn answered<T>(result: Result<T, Cut>) -> Result<Result<T, String>, FailureKind> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Cut::Error(error)) => Ok(Err(reason(&error))),
        Err(Cut::Stop(kind)) => Err(kind),
    }
}

/// The reason in words, without the system's number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split_once(" (os error").map_or(text.as_str(), |(reason, _)| reason).to_owned()
        }
    }
}

impl FileLimits<'_> {
    fn read(&self, path: &[u8]) -> Result<Vec<u8>, Cut> {
        let mut file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(to_path(path))?;
        let size = file.metadata()?.len();
        if size > self.bytes as u64 {
            return Err(self.too_large().into());
        }
        let mut bytes = Vec::with_capacity(size as usize + 1);
        self.wait(&file, PollFlags::IN)?;
        loop {
            let room = (self.bytes + 1 - bytes.len()).min(PIECE);
            match (&mut file).take(room as u64).read_to_end(&mut bytes) {
                Ok(0) => return Ok(bytes),
                Ok(_) if bytes.len() > self.bytes => return Err(self.too_large().into()),
                Ok(_) => self.stop.requested().map_err(Cut::Stop)?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(&file, PollFlags::IN)?,
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn write(&self, options: &mut OpenOptions, path: &[u8], text: &[u8]) -> Result<(), Cut> {
        if self.access == FileAccess::Unchanged {
            return Ok(());
        }
        let mut file = options.custom_flags(libc::O_NONBLOCK).open(to_path(path))?;
        let mut rest = text;
        while !rest.is_empty() {
            match file.write(&rest[..rest.len().min(PIECE)]) {
                Ok(0) => return Err(io::Error::from(ErrorKind::WriteZero).into()),
                Ok(written) => {
                    rest = &rest[written..];
                    self.stop.requested().map_err(Cut::Stop)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(&file, PollFlags::OUT)?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Waits until a file has something, or room, or has ended.
    fn wait(&self, file: &File, flags: PollFlags) -> Result<(), Cut> {
        let pause = Timespec { tv_sec: 0, tv_nsec: BETWEEN_LOOKS };
        // An error is seen by whoever reads or writes next.
        while poll(&mut [PollFd::new(file, flags)], Some(&pause)) == Ok(0) {
            self.stop.requested().map_err(Cut::Stop)?;
        }
        Ok(())
    }

    fn too_large(&self) -> io::Error {
        io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {} bytes", self.bytes))
    }
}
