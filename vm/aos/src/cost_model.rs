//! Speeds of code and costs of compilations: the calibrated table, corrected by what was measured in this run.
//! Invariant: where polls are counted, nothing that was measured changes an estimate.

use std::collections::BTreeMap;

use holloway_ir::FuncRef;

use super::calibration::{FEW_PASSES, TierFigures};
use super::event::Kind;
use super::settings::{MOST_CORRECTED, TABLE_MICROS};
use crate::{Calibration, Clock};

/// Speeds and compile times.
#[derive(Clone, Debug)]
pub struct CostModel {
    calibration: fn() -> &'static Calibration,
    clock: Clock,
    /// All compilations: how this machine differs from that of the table.
    machine: Measured,
    /// Those of a kind: how this program's code differs from that of the table.
    kinds: BTreeMap<Effort, Measured>,
    /// Measured to expected time of each function: how it differs from others of its size.
    functions: BTreeMap<(FuncRef, Effort), f64>,
}

/// A compilation.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    pub func: FuncRef,
    pub kind: Kind,
    pub size: u64,
    /// True iff another compiler has optimized the function, so that few passes run.
    pub is_optimized: bool,
}

/// Compilations whose times are alike, by size.
type Effort = (Kind, bool);

#[derive(Clone, Copy, Default, Debug)]
struct Measured {
    micros: f64,
    calibrated: f64,
}

impl Measured {
    /// Measured to calibrated time, which is `before` while little was measured.
    fn ratio(self, before: f64) -> f64 {
        (self.micros + TABLE_MICROS * before) / (self.calibrated + TABLE_MICROS)
    }

    fn add(&mut self, micros: f64, calibrated: f64) {
        self.micros += micros;
        self.calibrated += calibrated;
    }
}

impl Work {
    fn effort(self) -> Effort {
        (self.kind, self.is_optimized)
    }
}

impl CostModel {
    /// The model before anything was measured.
    pub fn new(calibration: fn() -> &'static Calibration, clock: Clock) -> Self {
        let machine = Measured::default();
        Self { calibration, clock, machine, kinds: BTreeMap::new(), functions: BTreeMap::new() }
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

    fn calibrated(&self, work: Work) -> f64 {
        let figures = self.figures(work.kind);
        let micros = figures.function_us + work.size as f64 * 1_000.0 / figures.instructions_per_ms;
        match work.kind {
            Kind::Optimized | Kind::Profiled if work.is_optimized => micros * FEW_PASSES,
            _ => micros,
        }
    }

    /// The calibrated time of a compilation, corrected for the machine and the program.
    fn expected(&self, work: Work) -> f64 {
        let of_kind = self.kinds.get(&work.effort()).copied().unwrap_or_default();
        self.calibrated(work) * of_kind.ratio(self.machine.ratio(1.0))
    }

    /// The microseconds that a compilation should take.
    pub fn compile_micros(&self, work: Work) -> f64 {
        let own = self.functions.get(&(work.func, work.effort())).copied().unwrap_or(1.0);
        self.expected(work) * own
    }

    /// Takes note of what it took.
    pub fn measured(&mut self, work: Work, micros: f64) {
        if self.clock == Clock::Polls {
            return;
        }
        let calibrated = self.calibrated(work);
        let micros = micros.clamp(calibrated / MOST_CORRECTED, calibrated * MOST_CORRECTED);
        let ratio = micros / self.expected(work);
        let own = self.functions.entry((work.func, work.effort())).or_insert(1.0);
        *own = f64::midpoint(*own, ratio);
        self.machine.add(micros, calibrated);
        self.kinds.entry(work.effort()).or_default().add(micros, calibrated);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(clock: Clock) -> CostModel {
        CostModel::new(Calibration::embedded, clock)
    }

    fn work(number: u32, kind: Kind, size: u64) -> Work {
        Work { func: FuncRef::from_u32(number), kind, size, is_optimized: false }
    }

    #[test]
    fn better_code_takes_longer_to_make() {
        let model = model(Clock::Real);
        let micros = [Kind::Baseline, Kind::Profiled, Kind::Optimized, Kind::Specialized]
            .map(|kind| model.compile_micros(work(0, kind, 300)));
        assert!(micros.is_sorted(), "{micros:?}");
        assert!(model.probe_slowdown() > 1.0);
        assert_eq!(model.speed(Kind::Baseline), 1.0);
    }

    #[test]
    fn few_passes_take_less_time() {
        let model = model(Clock::Real);
        let again = |kind| Work { is_optimized: true, ..work(0, kind, 300) };
        assert!(model.compile_micros(again(Kind::Optimized)) < model.compile_micros(work(0, Kind::Optimized, 300)));
        let specialized = model.compile_micros(work(0, Kind::Specialized, 300));
        assert_eq!(model.compile_micros(again(Kind::Specialized)), specialized, "all passes run over traces");
    }

    #[test]
    fn measurements_correct_estimates() {
        let mut model = model(Clock::Real);
        let before = model.compile_micros(work(0, Kind::Optimized, 200));
        for _ in 0..10 {
            model.measured(work(0, Kind::Optimized, 200), 3.0 * before);
        }
        let of = |number, kind| model.compile_micros(work(number, kind, 200));
        assert!((2.5..3.5).contains(&(of(0, Kind::Optimized) / before)));
        // Another function may be slower too, but less is known of it; and of code of another kind even less.
        let other = of(1, Kind::Optimized) / before;
        assert!(other > 1.5 && other < of(0, Kind::Optimized) / before, "{other}");
        let profiled = of(1, Kind::Profiled)
            / CostModel::new(Calibration::embedded, Clock::Real).compile_micros(work(1, Kind::Profiled, 200));
        assert!(profiled > 1.2 && profiled <= other, "{profiled}");
    }

    #[test]
    fn one_compilation_that_was_interrupted_forbids_no_other() {
        let mut model = model(Clock::Real);
        let before = model.compile_micros(work(0, Kind::Optimized, 200));
        model.measured(work(0, Kind::Optimized, 200), 1_000.0 * before);
        assert!(model.compile_micros(work(1, Kind::Optimized, 200)) < 10.0 * before);
    }

    #[test]
    fn nothing_that_was_measured_counts_by_the_clock_of_polls() {
        let mut model = model(Clock::Polls);
        let before = model.compile_micros(work(0, Kind::Optimized, 200));
        model.measured(work(0, Kind::Optimized, 200), 1e9);
        assert_eq!(model.compile_micros(work(0, Kind::Optimized, 200)), before);
    }
}
