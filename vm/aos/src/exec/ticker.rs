//! Ticks of the program's timer: each millisecond while it runs, or less often where nothing follows from them; none
//! between runs.

use crate::settings::{QUIET_TICKS, tick_periods};
use holloway_runtime::timer::Ticks;

pub(super) struct Ticker {
    ticks: Ticks,
    vain: u32,
}

impl Ticker {
    pub(super) fn begun(ticks: Ticks) -> Ticker {
        let mut ticker = Ticker { ticks, vain: 0 };
        ticker.note(true);
        ticker.run();
        ticker
    }

    /// Takes note whether something followed from a tick, or from the end of a compilation.
    pub(super) fn note(&mut self, led_to_something: bool) {
        self.vain = if led_to_something { 0 } else { self.vain.saturating_add(1) };
        let (often, quiet) = tick_periods();
        self.ticks.set_period(if self.vain < QUIET_TICKS { often } else { quiet });
    }

    pub(super) fn run(&mut self) {
        if self.ticks.begin() {
            self.note(true);
        }
    }

    pub(super) fn rest(&self) {
        self.ticks.end();
    }
}
