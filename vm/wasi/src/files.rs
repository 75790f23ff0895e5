//! Functions of open files.
//!
//! In: descriptors. Out: what the system does with them. Invariant: where nothing may be changed, what would change a file succeeds and does nothing.

use crate::descriptors::Descriptors;
use crate::errno::Errno;
use crate::guest::{Answered, Guest, Reply};
use crate::rights::{self, Rights};
use crate::stat;
use rustix::fs::{FallocateFlags, OFlags, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

/// The most bytes that are read at once.
pub(crate) const MOST_READ: usize = 1 << 20;
/// Seeking from where the file is.
const CURRENT: u64 = 1;

fn done() -> Answered {
    Ok(Reply::default())
}

pub(crate) fn no_socket(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    if words[0] >= 3 {
        descriptors.get(words[0])?;
    }
    Err(Errno::NOTSOCK)
}

pub(crate) fn advise(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    descriptors.with(words[0], rights::ADVISE)?;
    done()
}

pub(crate) fn allocate(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let changes = descriptors.changes;
    let file = &descriptors.with(words[0], rights::ALLOCATE)?.file;
    if changes {
        rustix::fs::fallocate(file, FallocateFlags::empty(), words[1], words[2])?;
    }
    done()
}

pub(crate) fn close(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    descriptors.take(words[0])?;
    done()
}

pub(crate) fn sync(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    descriptors.with(words[0], rights::SYNC)?.file.sync_all()?;
    done()
}

pub(crate) fn sync_data(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    descriptors.with(words[0], rights::DATASYNC)?.file.sync_data()?;
    done()
}

pub(crate) fn status(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let descriptor = descriptors.get(words[0])?;
    let kind = stat::kind_of(&rustix::fs::fstat(&descriptor.file)?);
    Ok(Reply::default().write(words[1] as u32, stat::fdstat(kind, descriptor.flags, descriptor.rights)))
}

/// Flags of descriptors.
pub(crate) const APPEND: u16 = 1;
const NONBLOCK: u16 = 4;

pub(crate) fn set_flags(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let descriptor = descriptors.with(words[0], rights::FDSTAT_SET_FLAGS)?;
    let flags = words[1] as u16;
    if flags & !(APPEND | NONBLOCK) != 0 {
        return Err(Errno::NOTSUP);
    }
    let mut present = rustix::fs::fcntl_getfl(&descriptor.file)?;
    present.set(OFlags::APPEND, flags & APPEND != 0);
    rustix::fs::fcntl_setfl(&descriptor.file, present)?;
    descriptor.flags = flags;
    done()
}

pub(crate) fn set_rights(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let descriptor = descriptors.get(words[0])?;
    descriptor.rights = Rights { own: words[1], inherited: words[2] }.within(descriptor.rights)?;
    done()
}

pub(crate) fn filestat(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let found = rustix::fs::fstat(&descriptors.with(words[0], rights::FILESTAT_GET)?.file)?;
    Ok(Reply::default().write(words[1] as u32, stat::filestat(&found)))
}

pub(crate) fn set_size(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let changes = descriptors.changes;
    let file = &descriptors.with(words[0], rights::FILESTAT_SET_SIZE)?.file;
    if changes {
        file.set_len(words[1])?;
    }
    done()
}

pub(crate) fn set_times(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let changes = descriptors.changes;
    let file = &descriptors.with(words[0], rights::FILESTAT_SET_TIMES)?.file;
    if changes {
        rustix::fs::futimens(file, &times(words[1], words[2], words[3] as u16)?)?;
    }
    done()
}

/// The times that a program sets: of the last access and the last change, each one given, or now, or left.
pub(crate) fn times(access: u64, change: u64, flags: u16) -> Result<Timestamps, Errno> {
    let time = |nanoseconds: u64, given: u16, now: u16| match (flags & given != 0, flags & now != 0) {
        (true, true) => Err(Errno::INVAL),
        (true, false) => {
            Ok(Timespec { tv_sec: (nanoseconds / 1_000_000_000) as i64, tv_nsec: (nanoseconds % 1_000_000_000) as _ })
        }
        (false, true) => Ok(Timespec { tv_sec: 0, tv_nsec: UTIME_NOW }),
        (false, false) => Ok(Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT }),
    };
    Ok(Timestamps { last_access: time(access, 1, 2)?, last_modification: time(change, 4, 8)? })
}

/// The right that a read or a write needs, and the address at which the program wants the number of bytes.
struct Buffers {
    right: u64,
    count_at: u32,
}

pub(crate) fn read(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let buffers = Buffers { right: rights::READ, count_at: words[3] as u32 };
    read_with(descriptors, guest, words, buffers, |file, bytes| file.read(bytes))
}

pub(crate) fn read_at(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let buffers = Buffers { right: rights::READ | rights::SEEK, count_at: words[4] as u32 };
    read_with(descriptors, guest, words, buffers, |file, bytes| file.read_at(bytes, words[3]))
}

fn read_with(
    descriptors: &mut Descriptors,
    guest: Guest<'_>,
    words: &[u64],
    Buffers { right, count_at }: Buffers,
    read: impl FnOnce(&mut std::fs::File, &mut [u8]) -> std::io::Result<usize>,
) -> Answered {
    let descriptor = descriptors.with(words[0], right)?;
    let buffers = guest.buffers(words[1] as u32, words[2] as u32)?;
    let room = buffers.iter().fold(0_usize, |room, buffer| room.saturating_add(buffer.len as usize));
    let mut bytes = vec![0; room.min(MOST_READ)];
    let count = read(&mut descriptor.file, &mut bytes)?;
    Ok(Reply::default().scatter(&buffers, &bytes[..count]).word(count_at, count as u32))
}

pub(crate) fn write(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let buffers = Buffers { right: rights::WRITE, count_at: words[3] as u32 };
    write_with(descriptors, guest, words, buffers, |file, bytes| file.write(bytes))
}

pub(crate) fn write_at(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let buffers = Buffers { right: rights::WRITE | rights::SEEK, count_at: words[4] as u32 };
    write_with(descriptors, guest, words, buffers, |file, bytes| file.write_at(bytes, words[3]))
}

fn write_with(
    descriptors: &mut Descriptors,
    guest: Guest<'_>,
    words: &[u64],
    Buffers { right, count_at }: Buffers,
    write: impl FnOnce(&mut std::fs::File, &[u8]) -> std::io::Result<usize>,
) -> Answered {
    let changes = descriptors.changes;
    let descriptor = descriptors.with(words[0], right)?;
    let bytes = guest.gathered(words[1] as u32, words[2] as u32)?;
    let count = if changes { write(&mut descriptor.file, &bytes)? } else { bytes.len() };
    Ok(Reply::default().word(count_at, count as u32))
}

pub(crate) fn prestat(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let name = descriptors.get(words[0])?.given.as_ref().ok_or(Errno::BADF)?;
    let to = words[1] as u32;
    Ok(Reply::default().word(to, 0).word(to.wrapping_add(4), name.len() as u32))
}

pub(crate) fn prestat_name(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let name = descriptors.get(words[0])?.given.as_ref().ok_or(Errno::BADF)?;
    match words[2] < name.len() as u64 {
        true => Err(Errno::NAMETOOLONG),
        false => Ok(Reply::default().write(words[1] as u32, name.as_bytes())),
    }
}

pub(crate) fn renumber(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    descriptors.get(words[1])?;
    let moved = descriptors.take(words[0])?;
    descriptors.put(words[1], moved)?;
    done()
}

pub(crate) fn seek(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let offset = words[1] as i64;
    // Asking where a file is moves nothing.
    let right = if words[2] == CURRENT && offset == 0 { rights::TELL } else { rights::SEEK };
    let to = match words[2] {
        0 => SeekFrom::Start(u64::try_from(offset)?),
        CURRENT => SeekFrom::Current(offset),
        2 => SeekFrom::End(offset),
        _ => return Err(Errno::INVAL),
    };
    let at = descriptors.with(words[0], right)?.file.seek(to)?;
    Ok(Reply::default().long(words[3] as u32, at))
}

pub(crate) fn tell(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let at = descriptors.with(words[0], rights::TELL)?.file.stream_position()?;
    Ok(Reply::default().long(words[1] as u32, at))
}
