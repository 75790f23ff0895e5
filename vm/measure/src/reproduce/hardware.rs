//! Hardware performance counters of the running thread.
//!
//! In: the start and the end of a run. Out: [`HardwareCounts`] in user mode between them. The kernel counts by turns if there
//! are more events than counters; counts are then scaled to the whole time. Invariant: an event that the machine does not
//! count is absent; many virtual machines count none.
//!
//! `[DD13]` figure 10 has the L2 cache of a Core2 Duo T9400, its last level. The kernel names no level 2, but the last
//! level, which is what is counted here.

use std::io;

use perf_event::events::{Cache, CacheId, CacheOp, CacheResult, Event, Hardware};
use perf_event::{Builder, Counter};
use serde::{Deserialize, Serialize};

/// Running counters, in the order of the fields of [`HardwareCounts`].
#[derive(Debug)]
pub struct HardwareCounters([io::Result<Counter>; 6]);

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
        let reads = |which, result| start(Cache { which, operation: CacheOp::READ, result });
        HardwareCounters([
            start(Hardware::CPU_CYCLES),
            start(Hardware::INSTRUCTIONS),
            reads(CacheId::L1D, CacheResult::ACCESS),
            reads(CacheId::L1D, CacheResult::MISS),
            reads(CacheId::LL, CacheResult::ACCESS),
            reads(CacheId::LL, CacheResult::MISS),
        ])
    }

    /// The counts since then.
    pub fn stop(self) -> HardwareCounts {
        let refused = self.0.iter().find_map(|counter| counter.as_ref().err()).map(ToString::to_string);
        let [cycles, instructions, l1_reads, l1_misses, last_level_reads, last_level_misses] = self.0.map(read);
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

fn start(event: impl Event) -> io::Result<Counter> {
    let mut counter = Builder::new(event).build()?;
    counter.enable()?;
    Ok(counter)
}

fn read(counter: io::Result<Counter>) -> Option<f64> {
    let read = counter.ok()?.read_count_and_time().ok()?;
    scaled(read.count, read.time_enabled, read.time_running)
}

/// A count in part of the time, scaled to all of it; `None` if it was never counted.
fn scaled(value: u64, enabled: u64, running: u64) -> Option<f64> {
    (running > 0).then(|| value as f64 * (enabled as f64 / running as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    use holloway::TierChoice;
    use holloway::{Config, Engine};
    use perf_event::events::Software;

    #[test]
    fn page_faults_are_counted() {
        // The kernel counts them on every machine that allows it at all.
        let Ok(counter) = start(Software::PAGE_FAULTS) else { return };
        // A heap of its own has pages that nobody touched; the allocator of this process may have old ones.
        let mut engine =
            Engine::new(Config { tier: TierChoice::Interp, ..Config::default() }).expect("there is memory");
        engine.load("pages.hw", "let pages = [1; 500000]").expect("the program is correct");
        engine.run().expect("it ends");
        let faults = read(Ok(counter)).expect("it was counted");
        // A page may be larger than 4096 bytes, but none comes without a fault.
        assert!((1.0..1e6).contains(&faults), "{faults}");
    }

    #[test]
    fn an_event_that_is_not_counted_is_absent() {
        let refused = start(Hardware(u64::MAX));
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
