//! The rights of descriptors.
//!
//! In: what a program asked for when it opened a file, or gave up since. Out: whether it may call a function on it. Invariant: rights only become fewer; a file opened below
//! a directory has no more of them than that directory hands on.

use crate::errno::Errno;

pub(crate) const DATASYNC: u64 = 1 << 0;
pub(crate) const READ: u64 = 1 << 1;
pub(crate) const SEEK: u64 = 1 << 2;
pub(crate) const FDSTAT_SET_FLAGS: u64 = 1 << 3;
pub(crate) const SYNC: u64 = 1 << 4;
pub(crate) const TELL: u64 = 1 << 5;
pub(crate) const WRITE: u64 = 1 << 6;
pub(crate) const ADVISE: u64 = 1 << 7;
pub(crate) const ALLOCATE: u64 = 1 << 8;
pub(crate) const PATH_CREATE_DIRECTORY: u64 = 1 << 9;
pub(crate) const PATH_CREATE_FILE: u64 = 1 << 10;
pub(crate) const PATH_LINK_SOURCE: u64 = 1 << 11;
pub(crate) const PATH_LINK_TARGET: u64 = 1 << 12;
pub(crate) const PATH_OPEN: u64 = 1 << 13;
pub(crate) const READDIR: u64 = 1 << 14;
pub(crate) const PATH_READLINK: u64 = 1 << 15;
pub(crate) const PATH_RENAME_SOURCE: u64 = 1 << 16;
pub(crate) const PATH_RENAME_TARGET: u64 = 1 << 17;
pub(crate) const PATH_FILESTAT_GET: u64 = 1 << 18;
pub(crate) const PATH_FILESTAT_SET_SIZE: u64 = 1 << 19;
pub(crate) const PATH_FILESTAT_SET_TIMES: u64 = 1 << 20;
pub(crate) const FILESTAT_GET: u64 = 1 << 21;
pub(crate) const FILESTAT_SET_SIZE: u64 = 1 << 22;
pub(crate) const FILESTAT_SET_TIMES: u64 = 1 << 23;
pub(crate) const PATH_SYMLINK: u64 = 1 << 24;
pub(crate) const PATH_REMOVE_DIRECTORY: u64 = 1 << 25;
pub(crate) const PATH_UNLINK_FILE: u64 = 1 << 26;
pub(crate) const POLL: u64 = 1 << 27;

/// The rights of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rights {
    /// Those to the file itself.
    pub(crate) own: u64,
    /// Those that files opened below it may have.
    pub(crate) inherited: u64,
}

impl Rights {
    /// All of them.
    pub(crate) const ALL: Rights = Rights { own: u64::MAX, inherited: u64::MAX };

    /// Fails where one of these rights to the file itself is not there.
    pub(crate) fn check(self, wanted: u64) -> Result<(), Errno> {
        // Who may seek may tell.
        let own = if self.own & SEEK != 0 { self.own | TELL } else { self.own };
        if own & wanted == wanted { Ok(()) } else { Err(Errno::NOTCAPABLE) }
    }

    /// The rights, if each of them is among those that a directory hands on.
    pub(crate) fn below(self, directory: Rights) -> Result<Rights, Errno> {
        self.within(Rights { own: directory.inherited, inherited: directory.inherited })
    }

    /// The rights, if each of them is among others.
    pub(crate) fn within(self, others: Rights) -> Result<Rights, Errno> {
        let is_within = self.own & !others.own == 0 && self.inherited & !others.inherited == 0;
        if is_within { Ok(self) } else { Err(Errno::NOTCAPABLE) }
    }
}
