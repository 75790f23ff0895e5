//! Arguments, the environment, clocks and random numbers.
//!
//! In: what the host has for the program. Out: its bytes. Invariant: times and random numbers are on the tape.

use crate::errno::Errno;
use crate::guest::{Answered, Reply};
use crate::wasi::Wasi;
use holloway_runtime::Runtime;
use holloway_runtime::host::HostEnd;

type Own = Result<Answered, HostEnd>;

pub(crate) fn args_get(wasi: &mut Wasi, _: &mut Runtime, words: &[u64]) -> Own {
    Ok(Ok(strings(&wasi.args, words)))
}

pub(crate) fn args_sizes_get(wasi: &mut Wasi, _: &mut Runtime, words: &[u64]) -> Own {
    Ok(Ok(sizes(&wasi.args, words)))
}

pub(crate) fn environ_get(wasi: &mut Wasi, _: &mut Runtime, words: &[u64]) -> Own {
    Ok(Ok(strings(&wasi.environment, words)))
}

pub(crate) fn environ_sizes_get(wasi: &mut Wasi, _: &mut Runtime, words: &[u64]) -> Own {
    Ok(Ok(sizes(&wasi.environment, words)))
}

/// The addresses of texts, and the texts behind one another, each with a zero at its end.
fn strings(texts: &[Vec<u8>], words: &[u64]) -> Reply {
    let (addresses, mut at) = (words[0] as u32, words[1] as u32);
    let (mut list, start, mut bytes) = (Vec::new(), at, Vec::new());
    for text in texts {
        list.extend(at.to_le_bytes());
        bytes.extend(text);
        bytes.push(0);
        at = at.wrapping_add(text.len() as u32 + 1);
    }
    Reply::default().write(addresses, list).write(start, bytes)
}

fn sizes(texts: &[Vec<u8>], words: &[u64]) -> Reply {
    let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
    Reply::default().word(words[0] as u32, texts.len() as u32).word(words[1] as u32, bytes as u32)
}

/// The number of the clock that tells the time of day; that of the next one tells the time since the start.
pub(crate) const REALTIME: u32 = 0;
/// The number of the last clock; the last two tell CPU time.
const LAST_CLOCK: u32 = 3;
const NANOSECONDS: f64 = 1e9;

pub(crate) fn clock_res_get(_: &mut Wasi, _: &mut Runtime, words: &[u64]) -> Own {
    Ok(match words[0] as u32 {
        0..=LAST_CLOCK => Ok(Reply::default().long(words[1] as u32, 1000)),
        _ => Err(Errno::INVAL),
    })
}

pub(crate) fn clock_time_get(_: &mut Wasi, rt: &mut Runtime, words: &[u64]) -> Own {
    let seconds = match words[0] as u32 {
        REALTIME => rt.time(),
        // Time since the start stands for CPU time, too.
        1..=LAST_CLOCK => rt.clock(),
        _ => return Ok(Err(Errno::INVAL)),
    };
    Ok(Ok(Reply::default().long(words[2] as u32, (seconds * NANOSECONDS) as u64)))
}

pub(crate) fn random_get(wasi: &mut Wasi, rt: &mut Runtime, words: &[u64]) -> Own {
    let (at, len) = (words[0] as u32, words[1] as u32);
    Ok(wasi.ask(rt, |_, guest| {
        let mut bytes = guest.bytes(at, len)?.to_vec();
        let mut filled = 0;
        while filled < bytes.len() {
            filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
        }
        Ok(Reply::default().write(at, bytes))
    }))
}

pub(crate) fn sched_yield(_: &mut Wasi, _: &mut Runtime, _: &[u64]) -> Own {
    Ok(Ok(Reply::default()))
}

pub(crate) fn not_supported(_: &mut Wasi, _: &mut Runtime, _: &[u64]) -> Own {
    Ok(Err(Errno::NOTSUP))
}
