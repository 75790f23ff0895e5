//! Waiting.
//!
//! In: subscriptions to clocks and descriptors. Out: the events that happened. Invariants: descriptors are always ready: files are, and input is waited for when it is read.
//! While a program waits it can be stopped; one whose tape is played does not wait.

use crate::errno::Errno;
use crate::guest::{Answered, Guest, Reply};
use crate::process::REALTIME;
use crate::wasi::Wasi;
use holloway_runtime::Runtime;
use holloway_runtime::host::HostEnd;
use std::time::{Duration, Instant};

/// Time between looks whether the program is to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// Bytes of a subscription, and of an event.
const SUBSCRIPTION: u32 = 48;
const EVENT: u32 = 32;

/// A subscription.
struct Subscription {
    user_data: u64,
    kind: u8,
    /// Nanoseconds from now, for a clock.
    after: Option<u64>,
}

pub(crate) fn poll_oneoff(_: &mut Wasi, rt: &mut Runtime, words: &[u64]) -> Result<Answered, HostEnd> {
    let &[from, to, count, written] = words else { unreachable!("it has four parameters") };
    let (from, to, count) = (from as u32, to as u32, count as u32);
    let subscriptions = match subscriptions(rt, from, count) {
        Ok(subscriptions) if subscriptions.is_empty() => return Ok(Err(Errno::INVAL)),
        Ok(subscriptions) => subscriptions,
        Err(error) => return Ok(Err(error)),
    };
    let is_ready = subscriptions.iter().any(|subscription| subscription.after.is_none());
    let least = subscriptions.iter().filter_map(|subscription| subscription.after).min().unwrap_or(0);
    if !is_ready && !rt.tape.is_played() {
        wait(rt, Duration::from_nanos(least))?;
    }
    let passed = if is_ready { 0 } else { least };
    let happened = subscriptions.iter().filter(|subscription| subscription.after.is_none_or(|after| after <= passed));
    let mut reply = Reply::default();
    let mut events = 0;
    for Subscription { user_data, kind, after } in happened {
        let mut event = user_data.to_le_bytes().to_vec();
        event.resize(EVENT as usize, 0);
        event[10] = *kind;
        // So many bytes can be read, or written, at least.
        event[16] = u8::from(after.is_none());
        reply = reply.write(to.wrapping_add(events * EVENT), event);
        events += 1;
    }
    Ok(Ok(reply.word(written as u32, events)))
}

fn subscriptions(rt: &mut Runtime, from: u32, count: u32) -> Result<Vec<Subscription>, Errno> {
    let now = rt.time();
    let since_start = rt.clock();
    let memory = rt.linear().map_or(&[][..], |linear| linear.memory.bytes());
    let guest = Guest(memory);
    guest.bytes(from, count.checked_mul(SUBSCRIPTION).ok_or(Errno::INVAL)?)?;
    let subscription = |at: u32| {
        let kind = guest.bytes(at + 8, 1)?[0];
        let after = match kind {
            0 => {
                let timeout = guest.long(at + 24)?;
                let is_absolute = guest.bytes(at + 40, 1)?[0] & 1 == 1;
                let present = if guest.word(at + 16)? == REALTIME { now } else { since_start };
                Some(if is_absolute { timeout.saturating_sub((present * 1e9) as u64) } else { timeout })
            }
            1 | 2 => None,
            _ => return Err(Errno::INVAL),
        };
        Ok(Subscription { user_data: guest.long(at)?, kind, after })
    };
    (0..count).map(|at| subscription(from + at * SUBSCRIPTION)).collect()
}

fn wait(rt: &mut Runtime, duration: Duration) -> Result<(), HostEnd> {
    rt.output.flush();
    let start = Instant::now();
    while let Some(left) = duration.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
        std::thread::sleep(left.min(BETWEEN_LOOKS));
        rt.stop_requested().map_err(HostEnd::Failure)?;
    }
    Ok(())
}
