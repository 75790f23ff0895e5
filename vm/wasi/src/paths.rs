//! Functions of paths, each below a directory.
//!
//! In: a directory, and a path from it. Out: what the system does there. Invariant: no path leads out of its directory, by `..` or a link: the system itself refuses
//! that (`openat2` with `RESOLVE_BENEATH`), in one step with opening. What has no such step is done to a name in a directory that was opened so.

use crate::descriptors::{Descriptor, Descriptors};
use crate::errno::Errno;
use crate::files::{APPEND, times};
use crate::guest::{Answered, Guest, Reply};
use crate::rights::{self, Rights};
use crate::stat;
use rustix::fs::{AtFlags, Dir, Mode, OFlags, ResolveFlags, openat2};
use std::fs::File;

/// Flags of lookups: a link at the end of a path is followed.
const FOLLOW: u64 = 1;
/// Flags of opening.
const CREATE: u64 = 1;
const DIRECTORY: u64 = 2;
const EXCLUSIVE: u64 = 4;
const TRUNCATE: u64 = 8;

fn done() -> Answered {
    Ok(Reply::default())
}

/// Opens a path below a directory.
fn below(directory: &File, path: &str, flags: OFlags, mode: Mode) -> Result<File, Errno> {
    // A pipe without a partner would keep the program waiting. A mere place in the file system cannot, and takes no such flag.
    let waits = if flags.contains(OFlags::PATH) { OFlags::empty() } else { OFlags::NONBLOCK };
    let flags = flags | OFlags::CLOEXEC | waits;
    Ok(File::from(openat2(directory, path, flags, mode, ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS)?))
}

/// The directory that the last name of a path stands in, and that name.
fn parent<'p>(directory: &File, path: &'p str) -> Result<(File, &'p str), Errno> {
    let path = path.trim_end_matches('/');
    let (folder, name) = path.rsplit_once('/').map_or((".", path), |(folder, name)| (folder, name));
    if name.is_empty() || name == "." || name == ".." || folder.is_empty() {
        return Err(Errno::INVAL);
    }
    Ok((below(directory, folder, OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?, name))
}

pub(crate) fn open(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let &[directory, lookup, path, len, open, own, inherited, flags, to] = words else { unreachable!("it has nine") };
    let path = guest.text(path as u32, len as u32)?;
    let changes = descriptors.changes;
    let create = if open & CREATE != 0 { rights::PATH_CREATE_FILE } else { 0 };
    let truncate = if open & TRUNCATE != 0 { rights::PATH_FILESTAT_SET_SIZE } else { 0 };
    let directory = descriptors.with(directory, rights::PATH_OPEN | create | truncate)?;
    let rights = Rights { own, inherited }.below(directory.rights)?;
    let mut how = match (own & rights::READ != 0, own & rights::WRITE != 0 && changes && open & DIRECTORY == 0) {
        (_, false) => OFlags::RDONLY,
        (false, true) => OFlags::WRONLY,
        (true, true) => OFlags::RDWR,
    };
    how.set(OFlags::CREATE, open & CREATE != 0 && changes);
    how.set(OFlags::DIRECTORY, open & DIRECTORY != 0);
    how.set(OFlags::EXCL, open & EXCLUSIVE != 0 && changes);
    how.set(OFlags::TRUNC, open & TRUNCATE != 0 && changes);
    how.set(OFlags::APPEND, flags as u16 & APPEND != 0);
    how.set(OFlags::NOFOLLOW, lookup & FOLLOW == 0);
    let mode = if how.contains(OFlags::CREATE) { Mode::from_raw_mode(0o666) } else { Mode::empty() };
    let file = match below(&directory.file, path, how, mode) {
        // What is written goes nowhere, and need not be there; but the folder that it would be in has to.
        Err(Errno::NOENT) if open & CREATE != 0 && !changes => {
            parent(&directory.file, path)?;
            File::open("/dev/null")?
        }
        file => file?,
    };
    let number = descriptors.add(Descriptor { file, given: None, rights, flags: flags as u16 })?;
    Ok(Reply::default().word(to as u32, number))
}

pub(crate) fn filestat(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let path = guest.text(words[2] as u32, words[3] as u32)?;
    let mut flags = OFlags::PATH;
    flags.set(OFlags::NOFOLLOW, words[1] & FOLLOW == 0);
    let file = below(&descriptors.with(words[0], rights::PATH_FILESTAT_GET)?.file, path, flags, Mode::empty())?;
    Ok(Reply::default().write(words[4] as u32, stat::filestat(&rustix::fs::fstat(file)?)))
}

pub(crate) fn set_times(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let path = guest.text(words[2] as u32, words[3] as u32)?;
    let times = times(words[4], words[5], words[6] as u16)?;
    let changes = descriptors.changes;
    let directory = &descriptors.with(words[0], rights::PATH_FILESTAT_SET_TIMES)?.file;
    if words[1] & FOLLOW != 0 {
        let file = below(directory, path, OFlags::RDONLY, Mode::empty())?;
        if changes {
            rustix::fs::futimens(file, &times)?;
        }
        return done();
    }
    let (folder, name) = parent(directory, path)?;
    if changes {
        rustix::fs::utimensat(folder, name, &times, AtFlags::SYMLINK_NOFOLLOW)?;
    }
    done()
}

pub(crate) fn create_directory(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    change(descriptors, guest, words, rights::PATH_CREATE_DIRECTORY, |folder, name| {
        rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o777))
    })
}

pub(crate) fn remove_directory(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    change(descriptors, guest, words, rights::PATH_REMOVE_DIRECTORY, |folder, name| {
        rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
    })
}

pub(crate) fn unlink_file(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    change(descriptors, guest, words, rights::PATH_UNLINK_FILE, |folder, name| {
        rustix::fs::unlinkat(folder, name, AtFlags::empty())
    })
}

/// Does something to the last name of a path, where something may be done.
fn change(
    descriptors: &mut Descriptors,
    guest: Guest<'_>,
    words: &[u64],
    right: u64,
    change: impl FnOnce(&File, &str) -> rustix::io::Result<()>,
) -> Answered {
    let path = guest.text(words[1] as u32, words[2] as u32)?;
    let changes = descriptors.changes;
    let (folder, name) = parent(&descriptors.with(words[0], right)?.file, path)?;
    if changes {
        change(&folder, name)?;
    }
    done()
}

pub(crate) fn rename(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let (from, to) = (guest.text(words[1] as u32, words[2] as u32)?, guest.text(words[4] as u32, words[5] as u32)?);
    let (from_folder, from) = parent(&descriptors.with(words[0], rights::PATH_RENAME_SOURCE)?.file, from)?;
    let (to_folder, to) = parent(&descriptors.with(words[3], rights::PATH_RENAME_TARGET)?.file, to)?;
    if descriptors.changes {
        rustix::fs::renameat(from_folder, from, to_folder, to)?;
    }
    done()
}

pub(crate) fn link(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let (from, to) = (guest.text(words[2] as u32, words[3] as u32)?, guest.text(words[5] as u32, words[6] as u32)?);
    let (from_folder, from) = parent(&descriptors.with(words[0], rights::PATH_LINK_SOURCE)?.file, from)?;
    let (to_folder, to) = parent(&descriptors.with(words[4], rights::PATH_LINK_TARGET)?.file, to)?;
    if descriptors.changes {
        rustix::fs::linkat(from_folder, from, to_folder, to, AtFlags::empty())?;
    }
    done()
}

pub(crate) fn symlink(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let (target, path) = (guest.text(words[0] as u32, words[1] as u32)?, guest.text(words[3] as u32, words[4] as u32)?);
    let (folder, name) = parent(&descriptors.with(words[2], rights::PATH_SYMLINK)?.file, path)?;
    // The program itself cannot follow a link out of the directory, but others would.
    if target.starts_with('/') || target.split('/').any(|name| name == "..") {
        return Err(Errno::NOTCAPABLE);
    }
    if descriptors.changes {
        rustix::fs::symlinkat(target, folder, name)?;
    }
    done()
}

pub(crate) fn read_link(descriptors: &mut Descriptors, guest: Guest<'_>, words: &[u64]) -> Answered {
    let path = guest.text(words[1] as u32, words[2] as u32)?;
    let (folder, name) = parent(&descriptors.with(words[0], rights::PATH_READLINK)?.file, path)?;
    let target = rustix::fs::readlinkat(folder, name, Vec::new())?.into_bytes();
    let shown = &target[..target.len().min(words[4] as usize)];
    Ok(Reply::default().write(words[3] as u32, shown).word(words[5] as u32, shown.len() as u32))
}

/// Lists a directory from a cookie on, which is the number of entries before, into a buffer, which it fills if there are more.
pub(crate) fn read_directory(descriptors: &mut Descriptors, _: Guest<'_>, words: &[u64]) -> Answered {
    let &[descriptor, to, room, cookie, written] = words else { unreachable!("it has five parameters") };
    let descriptor = descriptors.with(descriptor, rights::READDIR)?;
    if stat::kind_of(&rustix::fs::fstat(&descriptor.file)?) != stat::DIRECTORY {
        return Err(Errno::NOTDIR);
    }
    let mut bytes = Vec::new();
    let skipped = usize::try_from(cookie)?;
    for (at, entry) in Dir::read_from(&descriptor.file)?.enumerate().skip(skipped) {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        bytes.extend((at as u64 + 1).to_le_bytes());
        bytes.extend(entry.ino().to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend([stat::kind(entry.file_type()), 0, 0, 0]);
        bytes.extend(name);
        if bytes.len() as u64 >= room {
            bytes.truncate(room as usize);
            break;
        }
    }
    Ok(Reply::default().word(written as u32, bytes.len() as u32).write(to as u32, bytes))
}
