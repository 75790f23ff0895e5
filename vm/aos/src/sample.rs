//! Ticks folded into time: the work of each function and each of its loops, after the sample and decay organizers of
//! `[AFGHS00]`. Work is in microseconds of baseline code, so that samples outlast recompilation; it counts half for the
//! future once it is as old as all that is known of the function. Shares of loops are of late. Decay follows from times
//! alone.
//!
//! `[AFGHS00]` M. Arnold, S. Fink, D. Grove, M. Hind, P. Sweeney, "Adaptive Optimization in the Jalapeno JVM", OOPSLA
//! 2000.

use std::collections::BTreeMap;

use crate::{LoopKey, Micros};

/// An amount that halves with time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Decayed {
    amount: f64,
    at: Micros,
}

impl Decayed {
    /// Amount that is left of it.
    pub(super) fn at(self, now: Micros, half_life: Micros) -> f64 {
        self.amount * 0.5_f64.powf(now.since(self.at).as_f64() / half_life.as_f64())
    }

    fn add(&mut self, now: Micros, half_life: Micros, amount: f64) {
        *self = Self { amount: self.at(now, half_life) + amount, at: now };
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// Work that the future is expected to be like.
    work: Decayed,
    /// Work of late.
    recent: Decayed,
    loops: BTreeMap<LoopKey, Decayed>,
    /// Ticks of all time.
    pub(super) ticks: u64,
    /// Those of them at loop headers.
    pub(super) loop_ticks: u64,
    pub(super) recent_ticks: u64,
    /// When the first one was of those that are remembered.
    first: Option<Micros>,
    /// When the last one was.
    pub(super) last: Micros,
}

impl Sample {
    pub(super) fn add(&mut self, now: Micros, half_life: Micros, work: f64, innermost: Option<LoopKey>) {
        self.ticks += 1;
        self.recent_ticks += 1;
        self.last = now;
        self.first.get_or_insert(now);
        self.work.add(now, self.horizon(now, half_life), work);
        self.recent.add(now, half_life, work);
        if let Some(at) = innermost {
            self.loop_ticks += 1;
            self.loops.entry(at).or_default().add(now, half_life, work);
        }
    }

    pub(super) fn work(&self, now: Micros, half_life: Micros) -> f64 {
        self.work.at(now, self.horizon(now, half_life))
    }

    /// Age at which work counts half for the future.
    fn horizon(&self, now: Micros, half_life: Micros) -> Micros {
        half_life.max(now.since(self.first.unwrap_or(now)))
    }

    /// The part of the work that was done in a loop.
    pub(super) fn share(&self, at: LoopKey, now: Micros, half_life: Micros) -> f64 {
        let all = self.recent.at(now, half_life);
        let own = self.loops.get(&at).map_or(0.0, |work| work.at(now, half_life));
        if all > 0.0 { own / all } else { 0.0 }
    }

    pub(super) fn hottest_loop(&self, now: Micros, half_life: Micros) -> Option<LoopKey> {
        let hotter = |a: &(&LoopKey, f64), b: &(&LoopKey, f64)| a.1.total_cmp(&b.1).then(b.0.cmp(a.0));
        let loops = self.loops.iter().map(|(at, work)| (at, work.at(now, half_life)));
        loops.max_by(hotter).map(|(at, _)| *at)
    }

    /// Forgets all but how often it was hit.
    pub(super) fn forget(&mut self) {
        *self = Self { ticks: self.ticks, loop_ticks: 0, recent_ticks: self.recent_ticks, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::Block;

    const HALF_LIFE: Micros = Micros(1_000);

    fn at(header: u32) -> LoopKey {
        LoopKey::own(Block::from_u32(header))
    }

    fn tick(sample: &mut Sample, now: u64, header: Option<u32>) {
        let innermost = header.map(at);
        sample.add(Micros(now), HALF_LIFE, 100.0, innermost);
    }

    #[test]
    fn old_work_counts_less() {
        let mut sample = Sample::default();
        tick(&mut sample, 0, None);
        assert_eq!(sample.work(Micros(0), HALF_LIFE), 100.0);
        assert_eq!(sample.work(Micros(1_000), HALF_LIFE), 50.0);
        tick(&mut sample, 1_000, None);
        assert_eq!(sample.work(Micros(4_000), HALF_LIFE), 150.0 * 0.5_f64.powf(3.0 / 4.0), "all of it is 4 ms old");
    }

    #[test]
    fn the_longer_it_ran_the_longer_it_is_expected_to_run_on() {
        let mut sample = Sample::default();
        let expected = [10, 100].map(|half_lives: u64| {
            while sample.last < Micros(half_lives * HALF_LIFE.0) {
                let now = sample.last.0 + 100;
                tick(&mut sample, now, Some(1));
            }
            sample.work(sample.last, HALF_LIFE)
        });
        assert!(expected[1] > 9.0 * expected[0], "{expected:?}");
        for _ in 0..50 {
            let now = sample.last.0 + 100;
            tick(&mut sample, now, Some(2));
        }
        assert!(sample.share(at(2), sample.last, HALF_LIFE) > 0.9, "it took all of the time of late");
    }

    #[test]
    fn loops_have_their_share() {
        let mut sample = Sample::default();
        [Some(1), Some(2), Some(2), None].into_iter().for_each(|header| tick(&mut sample, 5, header));
        let share = |header| sample.share(at(header), Micros(5), HALF_LIFE);
        assert_eq!((share(1), share(2), share(3)), (0.25, 0.5, 0.0));
        assert_eq!(sample.hottest_loop(Micros(500), HALF_LIFE), Some(at(2)));
        assert_eq!((sample.ticks, sample.loop_ticks), (4, 3));
    }
}
