//! Hardware performance counters of the running thread, by Linux's `perf_event_open`.
//!
//! In: the start and the end of a run. Out: [`HardwareCounts`] in user mode between them. The kernel counts by turns if there
//! are more events than counters; counts are then scaled to the whole time. Contract: a descriptor that the kernel returns is
//! owned by one [`File`]. Invariant: an event that the machine does not count is absent; many virtual machines count none.
//!
//! `[DD13]` figure 10 has the L2 cache of a Core2 Duo T9400, its last level. The kernel names no level 2, but the last
//! level (`PERF_COUNT_HW_CACHE_LL`), which is what is counted here.

#![expect(unsafe_code, reason = "perf_event_open has no wrapper in std or libc")]

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{FromRawFd, RawFd};

use serde::{Deserialize, Serialize};

/// A counted event, as the kernel names it: its type and its number.
#[derive(Clone, Copy, Debug)]
struct Event {
    kind: u32,
    config: u64,
}

/// `PERF_TYPE_HARDWARE`.
const HARDWARE: u32 = 0;
/// `PERF_TYPE_HW_CACHE`: cache, then operation, then result.
const CACHE: u32 = 3;
/// `PERF_COUNT_HW_CACHE_LL`; level 1 of data is 0, reads are 0, accesses are 0.
const LAST_LEVEL: u64 = 2;
/// `PERF_COUNT_HW_CACHE_RESULT_MISS`.
const MISS: u64 = 1 << 16;

const EVENTS: [Event; 6] = [
    Event { kind: HARDWARE, config: 0 },
    Event { kind: HARDWARE, config: 1 },
    Event { kind: CACHE, config: 0 },
    Event { kind: CACHE, config: MISS },
    Event { kind: CACHE, config: LAST_LEVEL },
    Event { kind: CACHE, config: LAST_LEVEL | MISS },
];

/// The beginning of `struct perf_event_attr`, which every kernel takes.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    breakpoint_address: u64,
}

/// `exclude_kernel` and `exclude_hv`: what an unprivileged user may count.
const USER_MODE: u64 = 1 << 5 | 1 << 6;
/// `PERF_FORMAT_TOTAL_TIME_ENABLED` and `PERF_FORMAT_TOTAL_TIME_RUNNING`.
const WITH_TIMES: u64 = 1 | 2;
/// `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: u64 = 8;

/// Running counters.
#[derive(Debug)]
pub struct HardwareCounters {
    open: [io::Result<File>; EVENTS.len()],
}

/// Counts of one run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HardwareCounts {
    /// Clock cycles.
    pub cycles: Option<f64>,
    /// Instructions that retired.
    pub instructions: Option<f64>,
    /// Reads from the level 1 data cache.
    pub l1_reads: Option<f64>,
    /// Those that missed.
    pub l1_misses: Option<f64>,
    /// Reads from the last level cache.
    pub last_level_reads: Option<f64>,
    /// Those that missed.
    pub last_level_misses: Option<f64>,
    /// The kernel's reason for the first absent event.
    pub refused: Option<String>,
}

impl HardwareCounters {
    /// Starts to count.
    pub fn start() -> HardwareCounters {
        HardwareCounters { open: EVENTS.map(open) }
    }

    /// The counts since then.
    pub fn stop(self) -> HardwareCounts {
        let refused = self.open.iter().find_map(|event| event.as_ref().err()).map(ToString::to_string);
        let [cycles, instructions, l1_reads, l1_misses, last_level_reads, last_level_misses] = self.open.map(read);
        HardwareCounts { cycles, instructions, l1_reads, l1_misses, last_level_reads, last_level_misses, refused }
    }
}

impl HardwareCounts {
    /// Figure 10 (a): cycles per instruction.
    pub fn cycles_per_instruction(&self) -> Option<f64> {
        quotient(self.cycles, self.instructions)
    }

    /// Figure 10 (b): percentage of the reads of level 1 that miss.
    pub fn l1_miss_percent(&self) -> Option<f64> {
        Some(100.0 * quotient(self.l1_misses, self.l1_reads)?)
    }

    /// Figure 10 (c): percentage of the reads of the last level that miss.
    pub fn last_level_miss_percent(&self) -> Option<f64> {
        Some(100.0 * quotient(self.last_level_misses, self.last_level_reads)?)
    }
}

fn quotient(part: Option<f64>, whole: Option<f64>) -> Option<f64> {
    let (part, whole) = (part?, whole?);
    (whole > 0.0).then(|| part / whole)
}

fn open(event: Event) -> io::Result<File> {
    let attributes = Attributes {
        kind: event.kind,
        size: size_of::<Attributes>() as u32,
        config: event.config,
        read_format: WITH_TIMES,
        flags: USER_MODE,
        ..Attributes::default()
    };
    let (this_thread, any_cpu, no_group): (libc::pid_t, libc::c_int, libc::c_int) = (0, -1, -1);
    // SAFETY: the kernel reads `size` bytes at the pointer, which is valid for so many during the call, and writes none.
    let descriptor = unsafe {
        libc::syscall(libc::SYS_perf_event_open, &raw const attributes, this_thread, any_cpu, no_group, CLOSE_ON_EXEC)
    };
    match RawFd::try_from(descriptor) {
        // SAFETY: the kernel has just opened it for this call, and nothing else knows it.
        Ok(descriptor) if descriptor >= 0 => Ok(unsafe { File::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Reads `value`, `time_enabled` and `time_running`.
fn read(event: io::Result<File>) -> Option<f64> {
    let mut bytes = [0; 24];
    event.ok()?.read_exact(&mut bytes).ok()?;
    let word = |at: usize| u64::from_ne_bytes(bytes[8 * at..8 * at + 8].try_into().expect("8 bytes"));
    scaled(word(0), word(1), word(2))
}

/// A count in part of the time, scaled to all of it; `None` if it was never counted.
fn scaled(value: u64, enabled: u64, running: u64) -> Option<f64> {
    (running > 0).then(|| value as f64 * (enabled as f64 / running as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PERF_TYPE_SOFTWARE`, `PERF_COUNT_SW_PAGE_FAULTS`: counted by the kernel on every machine that allows it at all.
    const PAGE_FAULTS: Event = Event { kind: 1, config: 2 };
    /// A type that no kernel has.
    const NO_SUCH: Event = Event { kind: u32::MAX, config: 0 };

    #[test]
    fn page_faults_are_counted() {
        let Ok(counter) = open(PAGE_FAULTS) else { return };
        let pages = 1000;
        let memory = vec![1_u8; pages * 4096];
        assert_eq!(std::hint::black_box(memory).len(), pages * 4096);
        let faults = read(Ok(counter)).expect("it was counted");
        // A page may be larger than 4096 bytes, but none comes without a fault.
        assert!((1.0..1e6).contains(&faults), "{faults}");
    }

    #[test]
    fn an_event_that_is_not_counted_is_absent() {
        let refused = open(NO_SUCH);
        assert!(refused.is_err());
        assert_eq!(read(refused), None);
        assert_eq!((scaled(7, 10, 0), scaled(7, 10, 5)), (None, Some(14.0)));
        let counts = HardwareCounters::start().stop();
        assert_eq!(
            counts.refused.is_some(),
            counts.cycles.is_none() || counts.last_level_misses.is_none(),
            "{counts:?}"
        );
    }

    #[test]
    fn rates_need_both_of_their_counts() {
        let counts = HardwareCounts {
            cycles: Some(30.0),
            instructions: Some(20.0),
            l1_reads: Some(200.0),
            l1_misses: Some(5.0),
            last_level_reads: Some(0.0),
            last_level_misses: Some(0.0),
            refused: None,
        };
        assert_eq!((counts.cycles_per_instruction(), counts.l1_miss_percent()), (Some(1.5), Some(2.5)));
        assert_eq!(counts.last_level_miss_percent(), None);
        assert_eq!(HardwareCounts { instructions: None, ..counts }.cycles_per_instruction(), None);
    }
}
