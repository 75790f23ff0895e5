//! The table of functions.
//!
//! In: nothing. Out: each function's name, types and way. Invariant: functions of files ask the world alone, so that their answers can be kept.

use crate::descriptors::Descriptors;
use crate::guest::{Answered, Guest};
use crate::streams::Streams;
use crate::wasi::Wasi;
use crate::{files, paths, process, sleep, streams};
use holloway_runtime::Runtime;
use holloway_runtime::host::HostEnd;

/// The module that programs import them from.
pub(crate) const MODULE: &str = "wasi_snapshot_preview1";

/// A function that may use all of the host.
type Own = fn(&mut Wasi, &mut Runtime, &[u64]) -> Result<Answered, HostEnd>;
/// A function of files.
type World = fn(&mut Descriptors, Guest<'_>, &[u64]) -> Answered;
/// A function of the standard streams.
type Stream = fn(&mut Streams, &mut Runtime, &[u64]) -> Result<Answered, HostEnd>;

/// The way in which a function does its work.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// It ends the program.
    Exit,
    /// By what the host has for the program.
    Own(Own),
    /// By the files of the program.
    World(World),
    /// Of a descriptor, which may be that of a standard stream.
    Descriptor { stream: Stream, file: World },
}

/// A function.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) params: &'static str,
    pub(crate) kind: Kind,
}

const fn own(name: &'static str, params: &'static str, own: Own) -> Row {
    Row { name, params, kind: Kind::Own(own) }
}

const fn world(name: &'static str, params: &'static str, ask: World) -> Row {
    Row { name, params, kind: Kind::World(ask) }
}

const fn descriptor(name: &'static str, params: &'static str, stream: Stream, file: World) -> Row {
    Row { name, params, kind: Kind::Descriptor { stream, file } }
}

/// All of them.
pub(crate) const FUNCTIONS: &[Row] = &[
    Row { name: "proc_exit", params: "i", kind: Kind::Exit },
    own("args_get", "ii", process::args_get),
    own("args_sizes_get", "ii", process::args_sizes_get),
    own("environ_get", "ii", process::environ_get),
    own("environ_sizes_get", "ii", process::environ_sizes_get),
    own("clock_res_get", "ii", process::clock_res_get),
    own("clock_time_get", "iIi", process::clock_time_get),
    own("random_get", "ii", process::random_get),
    own("sched_yield", "", process::sched_yield),
    own("proc_raise", "i", process::not_supported),
    own("poll_oneoff", "iiii", sleep::poll_oneoff),
    descriptor("fd_advise", "iIIi", streams::nothing, files::advise),
    descriptor("fd_allocate", "iII", streams::no_seek, files::allocate),
    descriptor("fd_close", "i", streams::close, files::close),
    descriptor("fd_datasync", "i", streams::nothing, files::sync_data),
    descriptor("fd_fdstat_get", "ii", streams::status, files::status),
    descriptor("fd_fdstat_set_flags", "ii", streams::nothing, files::set_flags),
    descriptor("fd_fdstat_set_rights", "iII", streams::nothing, files::set_rights),
    descriptor("fd_filestat_get", "ii", streams::filestat, files::filestat),
    descriptor("fd_filestat_set_size", "iI", streams::invalid, files::set_size),
    descriptor("fd_filestat_set_times", "iIIi", streams::invalid, files::set_times),
    descriptor("fd_pread", "iiiIi", streams::no_seek, files::read_at),
    descriptor("fd_prestat_get", "ii", streams::no_directory, files::prestat),
    descriptor("fd_prestat_dir_name", "iii", streams::no_directory, files::prestat_name),
    descriptor("fd_pwrite", "iiiIi", streams::no_seek, files::write_at),
    descriptor("fd_read", "iiii", streams::read, files::read),
    descriptor("fd_readdir", "iiiIi", streams::no_directory, paths::read_directory),
    descriptor("fd_renumber", "ii", streams::invalid, files::renumber),
    descriptor("fd_seek", "iIii", streams::no_seek, files::seek),
    descriptor("fd_sync", "i", streams::nothing, files::sync),
    descriptor("fd_tell", "ii", streams::no_seek, files::tell),
    descriptor("fd_write", "iiii", streams::write, files::write),
    world("path_create_directory", "iii", paths::create_directory),
    world("path_filestat_get", "iiiii", paths::filestat),
    world("path_filestat_set_times", "iiiiIIi", paths::set_times),
    world("path_link", "iiiiiii", paths::link),
    world("path_open", "iiiiiIIii", paths::open),
    world("path_readlink", "iiiiii", paths::read_link),
    world("path_remove_directory", "iii", paths::remove_directory),
    world("path_rename", "iiiiii", paths::rename),
    world("path_symlink", "iiiii", paths::symlink),
    world("path_unlink_file", "iii", paths::unlink_file),
    world("sock_accept", "iii", files::no_socket),
    world("sock_recv", "iiiiii", files::no_socket),
    world("sock_send", "iiiii", files::no_socket),
    world("sock_shutdown", "ii", files::no_socket),
];
