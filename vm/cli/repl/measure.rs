//! `:time`: the time that an input took to run.
//!
//! In: the engine's statistics before and after. Out: wall time, and the parts of it spent in compiling and collecting.

use std::time::{Duration, Instant};

use holloway::Engine;
use holloway::internals::Executor;
use holloway_machine::CodeStats;
use holloway_runtime::heap::HeapStats;
use holloway_study::report::text::plural;

/// The time of an input.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Spent {
    pub(super) wall: Duration,
    functions: u64,
    compiling: Duration,
    collections: u64,
    collecting: Duration,
}

/// The statistics at its start.
pub(super) struct Meter {
    code: CodeStats,
    heap: HeapStats,
    start: Instant,
}

impl Meter {
    pub(super) fn start(engine: &Engine) -> Self {
        Self { code: code_stats(engine), heap: engine.executor().runtime().heap().stats(), start: Instant::now() }
    }

    pub(super) fn stop(self, engine: &Engine) -> Spent {
        let wall = self.start.elapsed();
        let (code, heap) = (code_stats(engine), engine.executor().runtime().heap().stats());
        Spent {
            wall,
            functions: code.functions - self.code.functions,
            compiling: code.time.saturating_sub(self.code.time),
            collections: heap.collections - self.heap.collections,
            collecting: heap.paused.saturating_sub(self.heap.paused),
        }
    }
}

fn code_stats(engine: &Engine) -> CodeStats {
    match engine.executor() {
        Executor::Compiled(machine) => machine.code.stats,
        Executor::Interpreted(_) => CodeStats::default(),
    }
}

impl Spent {
    /// One line.
    pub(super) fn told(&self) -> String {
        let mut parts = vec![format!("time: {}", readable(self.wall))];
        if self.functions > 0 {
            parts.push(format!(
                "{} of it compiling {}",
                readable(self.compiling),
                plural(self.functions as usize, "function")
            ));
        }
        if self.collections > 0 {
            parts.push(format!("{} in {}", readable(self.collecting), plural(self.collections as usize, "collection")));
        }
        format!("{}\n", parts.join(", "))
    }
}

/// Three digits are as much precision as a single run has.
fn readable(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        s if s >= 0.9995 => (s, "s"),
        s if s >= 0.000_999_5 => (s * 1e3, "ms"),
        s => (s * 1e6, "µs"),
    };
    match value {
        v if v >= 99.95 => format!("{v:.0} {unit}"),
        v if v >= 9.995 => format!("{v:.1} {unit}"),
        v => format!("{v:.2} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let shown = [0, 40, 1_000, 999_600, 12_340_000, 999_900_000, 1_500_000_000, 100_000_000_000]
            .map(|nanoseconds| readable(Duration::from_nanos(nanoseconds)));
        assert_eq!(shown, ["0.00 µs", "0.04 µs", "1.00 µs", "1.00 ms", "12.3 ms", "1.00 s", "1.50 s", "100 s"]);
    }

    #[test]
    fn only_what_happened_is_told() {
        let spent = Spent { wall: Duration::from_millis(20), ..Spent::default() };
        assert_eq!(spent.told(), "time: 20.0 ms\n");
        let compiling = Duration::from_micros(500);
        let spent = Spent { functions: 1, compiling, collections: 2, collecting: compiling, ..spent };
        assert_eq!(spent.told(), "time: 20.0 ms, 500 µs of it compiling 1 function, 500 µs in 2 collections\n");
    }
}
