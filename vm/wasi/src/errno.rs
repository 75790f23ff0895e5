//! Error numbers.
//!
//! In: errors of the system. Out: the numbers that WASI gives them. Invariant: what has no number of its own is an error of input and output.

use std::io;

/// The number of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) u16);

impl Errno {
    pub(crate) const SUCCESS: Errno = Errno(0);
    pub(crate) const BADF: Errno = Errno(8);
    pub(crate) const FAULT: Errno = Errno(21);
    pub(crate) const ILSEQ: Errno = Errno(25);
    pub(crate) const INVAL: Errno = Errno(28);
    pub(crate) const IO: Errno = Errno(29);
    pub(crate) const NAMETOOLONG: Errno = Errno(37);
    pub(crate) const NFILE: Errno = Errno(41);
    pub(crate) const NOENT: Errno = Errno(44);
    pub(crate) const NOTDIR: Errno = Errno(54);
    pub(crate) const NOTSUP: Errno = Errno(58);
    pub(crate) const NOTSOCK: Errno = Errno(57);
    pub(crate) const SPIPE: Errno = Errno(70);
    pub(crate) const NOTCAPABLE: Errno = Errno(76);
}

/// Numbers of the system with those of WASI.
const NUMBERS: &[(rustix::io::Errno, u16)] = &[
    (rustix::io::Errno::ACCESS, 2),
    (rustix::io::Errno::AGAIN, 6),
    (rustix::io::Errno::BADF, 8),
    (rustix::io::Errno::BUSY, 10),
    (rustix::io::Errno::EXIST, 20),
    (rustix::io::Errno::FAULT, 21),
    (rustix::io::Errno::FBIG, 22),
    (rustix::io::Errno::ILSEQ, 25),
    (rustix::io::Errno::INTR, 27),
    (rustix::io::Errno::INVAL, 28),
    (rustix::io::Errno::ISDIR, 31),
    (rustix::io::Errno::LOOP, 32),
    (rustix::io::Errno::MFILE, 33),
    (rustix::io::Errno::MLINK, 34),
    (rustix::io::Errno::NAMETOOLONG, 37),
    (rustix::io::Errno::NFILE, 41),
    (rustix::io::Errno::NODEV, 43),
    (rustix::io::Errno::NOENT, 44),
    (rustix::io::Errno::NOMEM, 48),
    (rustix::io::Errno::NOSPC, 51),
    (rustix::io::Errno::NOSYS, 52),
    (rustix::io::Errno::NOTDIR, 54),
    (rustix::io::Errno::NOTEMPTY, 55),
    (rustix::io::Errno::OPNOTSUPP, 58),
    (rustix::io::Errno::NXIO, 60),
    (rustix::io::Errno::OVERFLOW, 61),
    (rustix::io::Errno::PERM, 63),
    (rustix::io::Errno::PIPE, 64),
    (rustix::io::Errno::RANGE, 68),
    (rustix::io::Errno::ROFS, 69),
    (rustix::io::Errno::SPIPE, 70),
    (rustix::io::Errno::TXTBSY, 74),
    // A path that leads out of its directory is one that the program has no right to.
    (rustix::io::Errno::XDEV, 76),
];

impl From<rustix::io::Errno> for Errno {
    fn from(error: rustix::io::Errno) -> Errno {
        NUMBERS.iter().find(|(number, _)| *number == error).map_or(Errno::IO, |(_, number)| Errno(*number))
    }
}

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Errno {
        rustix::io::Errno::from_io_error(&error).map_or(Errno::IO, Errno::from)
    }
}

impl From<std::num::TryFromIntError> for Errno {
    fn from(_: std::num::TryFromIntError) -> Errno {
        Errno::INVAL
    }
}
