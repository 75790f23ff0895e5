//! Costs of plans and speeds of their code: the calibrated table, corrected by what was measured in this run.
//!
//! In: the [`Calibration`] and measured compilations. Out: speeds and expected compile times.
//! Invariant: with the clock of polls nothing that was measured in this run changes an estimate.

use std::collections::BTreeMap;

use holloway_ir::FuncRef;

use super::calibration::TierFigures;
use super::event::Kind;
use super::settings::{CORRECTIONS, NEWEST};
use crate::{Calibration, Clock};

/// Speeds and compile times.
#[derive(Clone, Debug)]
pub struct CostModel {
    calibration: fn() -> &'static Calibration,
    clock: Clock,
    /// Measured to calibrated time, over all compilations: how this machine differs from that of the table.
    machine: f64,
    /// The same of each function, beyond the machine's: how this function differs from others of its size. Apart for code with probes, which is
    /// compiled without the passes that copy loops: what these took says nothing of it.
    functions: BTreeMap<(FuncRef, bool), f64>,
}

impl CostModel {
    /// The model before anything was measured.
    pub fn new(calibration: fn() -> &'static Calibration, clock: Clock) -> Self {
        Self { calibration, clock, machine: 1.0, functions: BTreeMap::new() }
    }

    fn figures(&self, kind: Kind) -> &'static TierFigures {
        let table = (self.calibration)();
        match kind {
            Kind::Baseline => &table.baseline,
            Kind::Profiled => &table.profiled,
            Kind::Optimized => &table.optimized,
            Kind::Specialized => &table.specialized,
        }
    }

    /// Speed as a multiple of baseline code's.
    pub fn speed(&self, kind: Kind) -> f64 {
        self.figures(kind).speed / self.figures(Kind::Baseline).speed
    }

    /// Factor by which probes lengthen the time that optimized code runs.
    pub fn probe_slowdown(&self) -> f64 {
        self.speed(Kind::Optimized) / self.speed(Kind::Profiled)
    }

    fn calibrated(&self, kind: Kind, size: u64) -> f64 {
        let figures = self.figures(kind);
        figures.function_us + size as f64 * 1_000.0 / figures.instructions_per_ms
    }

    /// The microseconds that compiling a function of that size should take.
    pub fn compile_micros(&self, func: FuncRef, kind: Kind, size: u64) -> f64 {
        let own = self.functions.get(&(func, kind == Kind::Profiled)).copied().unwrap_or(1.0);
        self.calibrated(kind, size) * self.machine * own
    }

    /// Takes note of what it took.
    pub fn measured(&mut self, func: FuncRef, kind: Kind, size: u64, micros: f64) {
        if self.clock == Clock::Polls {
            return;
        }
        let bounded = |ratio: f64| ratio.clamp(CORRECTIONS.0, CORRECTIONS.1);
        let ratio = bounded(micros / self.calibrated(kind, size));
        let own = self.functions.entry((func, kind == Kind::Profiled)).or_insert(1.0);
        *own = bounded((1.0 - NEWEST) * *own + NEWEST * ratio / self.machine);
        self.machine = bounded((1.0 - NEWEST / 4.0) * self.machine + NEWEST / 4.0 * ratio);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(clock: Clock) -> CostModel {
        CostModel::new(Calibration::embedded, clock)
    }

    fn func(number: u32) -> FuncRef {
        FuncRef::from_u32(number)
    }

    #[test]
    fn better_code_takes_longer_to_make() {
        let model = model(Clock::Real);
        let micros = [Kind::Baseline, Kind::Optimized, Kind::Profiled, Kind::Specialized]
            .map(|kind| model.compile_micros(func(0), kind, 300));
        assert!(micros.is_sorted(), "{micros:?}");
        assert!(model.probe_slowdown() > 1.0);
        assert_eq!(model.speed(Kind::Baseline), 1.0);
    }

    #[test]
    fn measurements_correct_estimates() {
        let mut model = model(Clock::Real);
        let before = model.compile_micros(func(0), Kind::Optimized, 200);
        for _ in 0..10 {
            model.measured(func(0), Kind::Optimized, 200, 3.0 * before);
        }
        let of = |number| model.compile_micros(func(number), Kind::Optimized, 200) / before;
        let probed = |number| model.compile_micros(func(number), Kind::Profiled, 200);
        assert_eq!(probed(0), probed(1), "code with probes is compiled in another way");
        assert!((2.5..3.5).contains(&of(0)), "{}", of(0));
        // Another function may be slower too, but less is known of it.
        assert!(of(1) > 1.2 && of(1) < of(0) + 0.5, "{}", of(1));
    }

    #[test]
    fn nothing_that_was_measured_counts_by_the_clock_of_polls() {
        let mut model = model(Clock::Polls);
        let before = model.compile_micros(func(0), Kind::Optimized, 200);
        model.measured(func(0), Kind::Optimized, 200, 1e9);
        assert_eq!(model.compile_micros(func(0), Kind::Optimized, 200), before);
    }
}
