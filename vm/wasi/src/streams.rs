//! The standard streams, descriptors 0 to 2.
//!
//! In: calls of functions of descriptors. Out: the program's input, output and errors, which are the runtime's: captured, limited and kept as those of
//! other programs. Invariant: a stream that was closed is none any more.

use crate::errno::Errno;
use crate::files::MOST_READ;
use crate::guest::{Answered, Guest, Reply};
use crate::rights::{self, Rights};
use crate::stat::{CHARACTER_DEVICE, UNKNOWN, fdstat};
use holloway_runtime::Runtime;
use holloway_runtime::host::HostEnd;

/// Rights to read, and to write, that go without those to seek and to tell: so libraries know terminals.
const RIGHTS: [u64; 3] = [rights::READ | rights::POLL, rights::WRITE | rights::POLL, rights::WRITE | rights::POLL];
/// The most bytes that are passed on at once.
const PIECE: usize = 16 * 1024;

/// The state of the streams.
#[derive(Default)]
pub(crate) struct Streams {
    closed: [bool; 3],
    /// Input that was read.
    pending: Vec<u8>,
    /// The bytes of it that the program has taken.
    taken: usize,
}

type Stream = Result<Answered, HostEnd>;

impl Streams {
    fn open(&self, words: &[u64]) -> Result<usize, Errno> {
        let stream = words[0] as usize;
        if self.closed[stream] { Err(Errno::BADF) } else { Ok(stream) }
    }
}

pub(crate) fn read(streams: &mut Streams, rt: &mut Runtime, words: &[u64]) -> Stream {
    let buffers = |rt: &Runtime| {
        let memory = rt.linear().map_or(&[][..], |linear| linear.memory.bytes());
        Guest(memory).buffers(words[1] as u32, words[2] as u32)
    };
    let buffers = match (streams.open(words), buffers(rt)) {
        (Ok(0), Ok(buffers)) => buffers,
        (Ok(0), Err(error)) | (Err(error), _) => return Ok(Err(error)),
        (Ok(_), _) => return Ok(Err(Errno::BADF)),
    };
    let room: usize = buffers.iter().map(|buffer| buffer.len as usize).sum();
    if streams.taken == streams.pending.len() && room > 0 {
        rt.output.flush();
        let some = rt.read_some(room.min(MOST_READ)).map_err(HostEnd::Failure)?;
        if some.is_none() {
            // The wait may have ended because the program was told to stop, which is no end of its input.
            rt.stop_requested().map_err(HostEnd::Failure)?;
        }
        (streams.pending, streams.taken) = (some.unwrap_or_default(), 0);
    }
    let rest = &streams.pending[streams.taken..];
    let given = &rest[..rest.len().min(room)];
    streams.taken += given.len();
    Ok(Ok(Reply::default().scatter(&buffers, given).word(words[3] as u32, given.len() as u32)))
}

pub(crate) fn write(streams: &mut Streams, rt: &mut Runtime, words: &[u64]) -> Stream {
    let memory = rt.linear().map_or(&[][..], |linear| linear.memory.bytes());
    let bytes = match (streams.open(words), Guest(memory).gathered(words[1] as u32, words[2] as u32)) {
        (Ok(1 | 2), Ok(bytes)) => bytes,
        (Ok(1 | 2), Err(error)) | (Err(error), _) => return Ok(Err(error)),
        (Ok(_), _) => return Ok(Err(Errno::BADF)),
    };
    match words[0] {
        1 => {
            for piece in bytes.chunks(PIECE) {
                rt.output.write_with(|buffer| buffer.extend_from_slice(piece));
            }
        }
        _ if rt.tape.is_played() => {}
        _ => rt.errors.write(&bytes),
    }
    Ok(Ok(Reply::default().word(words[3] as u32, bytes.len() as u32)))
}

pub(crate) fn close(streams: &mut Streams, _: &mut Runtime, words: &[u64]) -> Stream {
    Ok(streams.open(words).map(|stream| {
        streams.closed[stream] = true;
        Reply::default()
    }))
}

/// All streams are told to be terminals if the output is one.
fn kind(rt: &mut Runtime) -> u8 {
    if rt.is_on_terminal() { CHARACTER_DEVICE } else { UNKNOWN }
}

pub(crate) fn status(streams: &mut Streams, rt: &mut Runtime, words: &[u64]) -> Stream {
    Ok(streams.open(words).map(|stream| {
        let kind = kind(rt);
        Reply::default().write(words[1] as u32, fdstat(kind, 0, Rights { own: RIGHTS[stream], inherited: 0 }))
    }))
}

pub(crate) fn filestat(streams: &mut Streams, rt: &mut Runtime, words: &[u64]) -> Stream {
    Ok(streams.open(words).map(|_| {
        let kind = kind(rt);
        let mut stat = vec![0; 64];
        stat[16] = kind;
        Reply::default().write(words[1] as u32, stat)
    }))
}

pub(crate) fn nothing(streams: &mut Streams, _: &mut Runtime, words: &[u64]) -> Stream {
    Ok(streams.open(words).map(|_| Reply::default()))
}

pub(crate) fn no_seek(streams: &mut Streams, _: &mut Runtime, words: &[u64]) -> Stream {
    Ok(streams.open(words).and(Err(Errno::SPIPE)))
}

pub(crate) fn no_directory(_: &mut Streams, _: &mut Runtime, _: &[u64]) -> Stream {
    Ok(Err(Errno::BADF))
}

pub(crate) fn invalid(streams: &mut Streams, _: &mut Runtime, words: &[u64]) -> Stream {
    Ok(streams.open(words).and(Err(Errno::INVAL)))
}
