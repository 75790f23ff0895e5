//! The descriptors of files and directories.
//!
//! In: directories, and files that the program opens below them. Out: each by its number. Invariant: numbers begin behind those of the standard
//! streams, and there are at most so many.

use crate::errno::Errno;
use crate::rights::Rights;
use holloway_runtime::FileAccess;
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A directory that a program may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// The directory.
    pub host: PathBuf,
    /// The name by which the program knows it.
    pub guest: String,
}

/// The first number that is no standard stream's.
const FIRST: usize = 3;
/// The most open files.
const MOST: usize = 1024;

/// An open file or directory.
pub(crate) struct Descriptor {
    pub(crate) file: File,
    /// The name by which the program knows a directory that it was given.
    pub(crate) given: Option<String>,
    pub(crate) rights: Rights,
    pub(crate) flags: u16,
}

/// All descriptors of a program.
pub(crate) struct Descriptors {
    open: Vec<Option<Descriptor>>,
    /// Returns whether what the program does to files is done.
    pub(crate) changes: bool,
}

impl Descriptors {
    /// Those of a program that begins.
    pub(crate) fn new(directories: &[Directory], access: FileAccess) -> io::Result<Descriptors> {
        let mut open = Vec::new();
        for Directory { host, guest } in directories {
            let file = directory(host).map_err(|error| {
                let reason = match error.kind() {
                    io::ErrorKind::NotADirectory => "it is no directory".to_owned(),
                    _ => error.to_string(),
                };
                io::Error::new(error.kind(), format!("{}: {reason}", host.display()))
            })?;
            open.push(Some(Descriptor { file, given: Some(guest.clone()), rights: Rights::ALL, flags: 0 }));
        }
        Ok(Descriptors { open, changes: access != FileAccess::Unchanged })
    }

    fn slot(&mut self, number: u64) -> Result<&mut Option<Descriptor>, Errno> {
        let at = usize::try_from(number)?.checked_sub(FIRST).ok_or(Errno::BADF)?;
        self.open.get_mut(at).ok_or(Errno::BADF)
    }

    pub(crate) fn get(&mut self, number: u64) -> Result<&mut Descriptor, Errno> {
        self.slot(number)?.as_mut().ok_or(Errno::BADF)
    }

    /// The descriptor of that number, if it has these rights.
    pub(crate) fn with(&mut self, number: u64, rights: u64) -> Result<&mut Descriptor, Errno> {
        let descriptor = self.get(number)?;
        descriptor.rights.check(rights)?;
        Ok(descriptor)
    }

    pub(crate) fn take(&mut self, number: u64) -> Result<Descriptor, Errno> {
        self.slot(number)?.take().ok_or(Errno::BADF)
    }

    /// Puts a descriptor in the place of another one.
    pub(crate) fn put(&mut self, number: u64, descriptor: Descriptor) -> Result<(), Errno> {
        *self.slot(number)? = Some(descriptor);
        Ok(())
    }

    /// Adds one under the least free number.
    pub(crate) fn add(&mut self, descriptor: Descriptor) -> Result<u32, Errno> {
        let at = match self.open.iter().position(Option::is_none) {
            Some(free) => free,
            None if self.open.len() < MOST => {
                self.open.push(None);
                self.open.len() - 1
            }
            None => return Err(Errno::NFILE),
        };
        self.open[at] = Some(descriptor);
        Ok((at + FIRST) as u32)
    }
}

/// Opens a directory of the host, and nothing else: a pipe would keep the host waiting.
fn directory(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}
