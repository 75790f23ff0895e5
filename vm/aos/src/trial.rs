//! Two versions of one body that take turns, and the gain by all pairs of their windows; it knows no reason to compare.
//! Invariant: a window counts only if one version came round the loop in it, but for what the other still did until it
//! was left.

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use crate::settings::{LEAST_PROGRESS, MOST_PAIRS};
use crate::version::Generation;
use crate::{Action, LoopKey, Measured, Reading};

/// Standard deviations that hold 95% of a normal distribution, as the pairs below their median nearly have.
const NORMAL_95: f64 = 1.96;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Own,
    Other,
}

/// Two versions that take turns.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) func: FuncRef,
    pub(crate) at: LoopKey,
    /// The version whose gain is measured.
    pub(crate) own: VersionId,
    /// The generation of the version that is there for the trial alone.
    pub(crate) generation: Generation,
    /// That version, once it is installed.
    pub(crate) other: Option<VersionId>,
    pub(crate) turn: Turn,
    pub(crate) ticks: u64,
    /// The reading with which the present window began.
    start: Option<Reading>,
    /// Nanoseconds an iteration in each turn that had a window.
    pub(crate) own_times: Vec<f64>,
    pub(crate) other_times: Vec<f64>,
}

impl Trial {
    pub(crate) fn new(func: FuncRef, at: LoopKey, own: VersionId, generation: Generation) -> Trial {
        Trial {
            func,
            at,
            own,
            generation,
            other: None,
            turn: Turn::Own,
            ticks: 0,
            start: None,
            own_times: Vec::new(),
            other_times: Vec::new(),
        }
    }

    /// Nanoseconds an iteration in the window that a reading ends, if it does: the version whose turn it is came far enough. A window in
    /// which the other came on is given up, and the next one begins.
    pub(crate) fn window(&mut self, reading: Reading) -> Option<f64> {
        let ended = self.start.as_ref().map(|start| self.came(start, &reading));
        if let Some(Some((own, other))) = ended
            && own < LEAST_PROGRESS
            && other <= 1
        {
            return None;
        }
        let start = self.start.replace(reading)?;
        let time = self.start.as_ref()?.nanos.saturating_sub(start.nanos);
        let (own, other) = ended??;
        (other * LEAST_PROGRESS <= own && time > 0).then(|| time as f64 / (own + other) as f64)
    }

    /// Iterations of the version whose turn it is from one reading to another, and those of the other.
    fn came(&self, from: &Reading, to: &Reading) -> Option<(u64, u64)> {
        let came = |version: VersionId| {
            let at =
                |reading: &Reading| reading.iterations.iter().find(|(id, _)| *id == version).map(|(_, count)| *count);
            Some(at(to)?.saturating_sub(at(from)?))
        };
        let (first, second) = (came(self.own)?, came(self.other?)?);
        Some(match self.turn {
            Turn::Own => (first, second),
            Turn::Other => (second, first),
        })
    }

    pub(crate) fn pairs(&self) -> usize {
        self.own_times.len().min(self.other_times.len())
    }

    /// True iff there are pairs enough: all, or so many that agree which version is faster that chance would hardly have
    /// it so. What the program does from one window to the next may differ by more than the versions do.
    pub(crate) fn is_decided(&self) -> bool {
        let gained = self.gains().filter(|gain| *gain > 0.0).count();
        let lead = (2 * gained).abs_diff(self.pairs()) as f64;
        self.pairs() >= MOST_PAIRS || lead > 2.0 * (self.pairs() as f64).sqrt()
    }

    /// The gain by all pairs; there must be two at least.
    pub(crate) fn gain(&self) -> Measured {
        let mut gains: Vec<f64> = self.gains().collect();
        gains.sort_by(f64::total_cmp);
        let pairs = gains.len() as f64;
        let left_out = ((pairs - NORMAL_95 * pairs.sqrt()) / 2.0).max(0.0) as usize;
        Measured { median: median(&gains), interval: (gains[left_out], gains[gains.len() - 1 - left_out]) }
    }

    fn gains(&self) -> impl Iterator<Item = f64> {
        let pairs = self.own_times.iter().zip(&self.other_times);
        pairs.map(|(own, other)| 1.0 - own / other)
    }

    /// Lets the other side have its turn.
    pub(crate) fn turn(&mut self) -> Vec<Action> {
        let (own, other) = (self.own, self.other.expect("it takes turns"));
        let (next, out, to) = match self.turn {
            Turn::Own => (Turn::Other, own, other),
            Turn::Other => (Turn::Own, other, own),
        };
        self.turn = next;
        self.ticks = 0;
        vec![Action::SetAside(out), Action::TakeUp(to)]
    }
}

/// The middle of some figures; 0 of none.
pub(crate) fn median(of: &[f64]) -> f64 {
    let mut of = of.to_vec();
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::Block;

    fn trial() -> Trial {
        let (func, at) = (FuncRef::from_u32(0), LoopKey::own(Block::from_u32(1)));
        let mut trial = Trial::new(func, at, VersionId(3), Generation(2));
        trial.other = Some(VersionId(4));
        trial
    }

    fn reading(nanos: u64, own: u64, other: u64) -> Reading {
        Reading { nanos, iterations: vec![(VersionId(3), own), (VersionId(4), other)] }
    }

    #[test]
    fn a_window_is_time_in_which_one_version_alone_came_on() {
        let mut trial = trial();
        assert_eq!(trial.window(reading(1_000, 10, 10)), None, "there is nothing before it");
        assert_eq!(trial.window(reading(2_000, 110, 10)), Some(10.0));
        assert_eq!(trial.window(reading(3_000, 210, 14)), None, "both came on");
        assert_eq!(trial.window(reading(4_000, 230, 14)), None, "it did not come far");
        assert_eq!(trial.window(reading(5_000, 250, 14)), Some(50.0), "the window went on");
        let moved = [Action::SetAside(VersionId(3)), Action::TakeUp(VersionId(4))];
        assert_eq!(trial.turn(), moved);
        assert_eq!(trial.window(reading(6_000, 350, 33)), None, "it is the other's turn");
        assert_eq!(trial.window(reading(7_000, 351, 132)), Some(10.0), "the one that was left came on a little");
    }

    #[test]
    fn the_gain_is_the_median_of_pairs_between_the_second_and_the_last_but_one() {
        let mut trial = trial();
        trial.own_times = vec![1.0, 5.0, 6.0, 7.0, 7.0, 7.0, 8.0, 8.5, 90.0];
        trial.other_times = vec![10.0; 9];
        let Measured { median, interval: (least, most) } = trial.gain();
        assert!((median - 0.3).abs() < 1e-12 && (least - 0.15).abs() < 1e-12 && (most - 0.5).abs() < 1e-12);
        assert!(trial.is_decided(), "eight of nine gained");
    }

    #[test]
    fn pairs_are_enough_once_chance_would_hardly_have_as_many_agree() {
        for (gained, lost, decided) in [(5, 0, true), (0, 5, true), (4, 0, false), (4, 1, false), (8, 1, true)] {
            assert_eq!(of_signs(gained, lost).is_decided(), decided, "{gained} of {}", gained + lost);
        }
        assert!(!of_signs(12, 8).is_decided() && of_signs(15, 5).is_decided());
        assert!(of_signs(13, MOST_PAIRS - 13).is_decided(), "more than so many are not waited for");
    }

    fn of_signs(gained: usize, lost: usize) -> Trial {
        let mut trial = trial();
        trial.own_times = [vec![9.0; gained], vec![11.0; lost]].concat();
        trial.other_times = vec![10.0; gained + lost];
        trial
    }
}
