//! The records in which WASI tells of files.
//!
//! In: what the system tells. Out: bytes in WASI's layout.

use crate::rights::Rights;
use rustix::fs::{FileType, Stat};

pub(crate) const UNKNOWN: u8 = 0;
pub(crate) const CHARACTER_DEVICE: u8 = 2;
pub(crate) const DIRECTORY: u8 = 3;

/// The number of a kind of file.
pub(crate) fn kind(of: FileType) -> u8 {
    match of {
        FileType::BlockDevice => 1,
        FileType::CharacterDevice => CHARACTER_DEVICE,
        FileType::Directory => DIRECTORY,
        FileType::RegularFile => 4,
        FileType::Socket => 6,
        FileType::Symlink => 7,
        FileType::Fifo | FileType::Unknown => UNKNOWN,
    }
}

/// The number of the kind of a file.
pub(crate) fn kind_of(stat: &Stat) -> u8 {
    kind(FileType::from_raw_mode(stat.st_mode))
}

/// `fdstat`: kind, flags and rights.
pub(crate) fn fdstat(kind: u8, flags: u16, rights: Rights) -> Vec<u8> {
    let mut bytes = vec![kind, 0];
    bytes.extend(flags.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(rights.own.to_le_bytes());
    bytes.extend(rights.inherited.to_le_bytes());
    bytes
}

/// `filestat`.
pub(crate) fn filestat(stat: &Stat) -> Vec<u8> {
    let nanoseconds = |seconds: i64, rest: i64| {
        (i128::from(seconds) * 1_000_000_000 + i128::from(rest)).clamp(0, i128::from(u64::MAX)) as u64
    };
    let numbers = [
        stat.st_dev,
        stat.st_ino,
        u64::from(kind_of(stat)),
        stat.st_nlink,
        stat.st_size as u64,
        nanoseconds(stat.st_atime, stat.st_atime_nsec as i64),
        nanoseconds(stat.st_mtime, stat.st_mtime_nsec as i64),
        nanoseconds(stat.st_ctime, stat.st_ctime_nsec as i64),
    ];
    numbers.into_iter().flat_map(u64::to_le_bytes).collect()
}
