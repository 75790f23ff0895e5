//! Two versions of one body that take turns, and what their windows say.
//!
//! In: readings of their progress. Out: the CPU time of an iteration in each window, whose turn it is, and the gain by all pairs.
//! Invariant: a window counts only if one version came round the loop in it, but for what the other still did until it was left.

use holloway_jit::VersionId;
use holloway_lang::ir::FuncRef;

use crate::adaptive::directive::{CompilationId, Directive};
use crate::adaptive::history::Generation;
use crate::adaptive::input::{Micros, Reading};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::settings::{
    CLEAR_GAIN, CLEAR_PAIRS, LEAST_PROGRESS, LEAST_SHARE, LONGEST_JUDGED, LONGEST_TURN, PAIRS,
};

/// The side whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Own,
    Other,
}

/// Two versions that take turns.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) func: FuncRef,
    /// The loop that was specialized, or that calls inlined functions.
    pub(super) at: LoopKey,
    /// The version that is judged.
    pub(super) judged: VersionId,
    /// The generation of the versions that are there for the comparison alone.
    pub(super) generation: Generation,
    /// The code of the judged version: itself, or a copy that counts iterations.
    pub(super) own: Option<VersionId>,
    /// Code of the same body that it is compared with.
    pub(super) other: Option<VersionId>,
    /// The compilations of both sides, if a copy of the judged version plays its side.
    pub(super) sides: Option<Sides>,
    /// Functions that the other side calls and the own has inlined; of a specialized version there are none.
    pub(super) called: Vec<FuncRef>,
    pub(super) turn: Turn,
    /// Ticks in this turn so far.
    pub(super) ticks: u64,
    /// The reading with which the present window began.
    pub(super) start: Option<Reading>,
    /// Nanoseconds an iteration in each turn that had a window.
    pub(super) own_times: Vec<f64>,
    pub(super) other_times: Vec<f64>,
}

/// The compilations of both sides of a comparison whose judged version counts nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// That of a copy of the judged version that counts iterations.
    pub(super) copy: CompilationId,
    /// That of the code it is compared with.
    pub(super) other: CompilationId,
    /// When both were asked for.
    pub(super) asked: Micros,
    /// True iff one of them is compiled, and the other awaited.
    pub(super) is_half_compiled: bool,
}

/// The gain of the one version over the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Measured {
    pub(super) median: f64,
    /// Bounds that hold the median of all possible pairs, whatever their distribution: of nine pairs the second and the last but one, in 96 of
    /// 100 cases; of five the first and the last, in 94.
    pub(super) interval: (f64, f64),
}

impl Comparison {
    /// A version that counts iterations, as specialized ones do where they can, beside another one.
    pub(super) fn new(func: FuncRef, at: LoopKey, judged: VersionId, generation: Generation) -> Comparison {
        Comparison {
            func,
            at,
            judged,
            generation,
            own: Some(judged),
            other: None,
            sides: None,
            called: Vec::new(),
            turn: Turn::Own,
            ticks: 0,
            start: None,
            own_times: Vec::new(),
            other_times: Vec::new(),
        }
    }

    /// The same, with a copy that counts in the place of the judged version.
    pub(super) fn of_copy(self, sides: Sides) -> Comparison {
        Comparison { own: None, sides: Some(sides), ..self }
    }

    /// True iff it is about what is inlined in the judged version.
    pub(super) fn is_of_inlining(&self) -> bool {
        !self.called.is_empty()
    }

    /// Ticks after which a turn without a window ends the comparison.
    pub(super) fn longest_turn(&self) -> u64 {
        if self.is_of_inlining() { LONGEST_JUDGED } else { LONGEST_TURN }
    }

    /// Nanoseconds an iteration in the window that a reading ends, if it does: the version whose turn it is came far enough. A window in
    /// which the other came on is given up, and the next one begins.
    pub(super) fn window(&mut self, reading: Reading) -> Option<f64> {
        let ended = self.start.as_ref().map(|start| self.came(start, &reading));
        if let Some(Some((own, other))) = ended
            && own < LEAST_PROGRESS
            && other * LEAST_SHARE <= LEAST_PROGRESS
        {
            return None;
        }
        let start = self.start.replace(reading)?;
        let time = self.start.as_ref()?.nanos.saturating_sub(start.nanos);
        let (own, other) = ended??;
        (other * LEAST_SHARE <= own && time > 0).then(|| time as f64 / (own + other) as f64)
    }

    /// Iterations of the version whose turn it is from one reading to another, and those of the other.
    fn came(&self, from: &Reading, to: &Reading) -> Option<(u64, u64)> {
        let came = |version: VersionId| {
            let at =
                |reading: &Reading| reading.iterations.iter().find(|(id, _)| *id == version).map(|(_, count)| *count);
            Some(at(to)?.saturating_sub(at(from)?))
        };
        let (first, second) = (came(self.own?)?, came(self.other?)?);
        Some(match self.turn {
            Turn::Own => (first, second),
            Turn::Other => (second, first),
        })
    }

    /// Pairs of turns so far.
    pub(super) fn pairs(&self) -> usize {
        self.own_times.len().min(self.other_times.len())
    }

    /// True iff there are pairs enough: all, or a few that agree that the one version is much faster.
    pub(super) fn is_decided(&self) -> bool {
        let agree = self.gains().all(|gain| gain > CLEAR_GAIN) || self.gains().all(|gain| gain < -CLEAR_GAIN);
        self.pairs() >= PAIRS || self.pairs() >= CLEAR_PAIRS && agree
    }

    /// The gain by all pairs; there must be two at least.
    pub(super) fn gain(&self) -> Measured {
        let mut gains: Vec<f64> = self.gains().collect();
        gains.sort_by(f64::total_cmp);
        let left_out = usize::from(gains.len() >= PAIRS);
        Measured { median: median(&gains), interval: (gains[left_out], gains[gains.len() - 1 - left_out]) }
    }

    /// The gain of each pair, in order.
    fn gains(&self) -> impl Iterator<Item = f64> {
        let pairs = self.own_times.iter().zip(&self.other_times);
        pairs.map(|(own, other)| 1.0 - own / other)
    }

    /// Lets the other side have its turn.
    pub(super) fn turn(&mut self) -> Vec<Directive> {
        let (own, other) = (self.own.expect("a window of it was seen"), self.other.expect("it takes turns"));
        let (next, out, to) = match self.turn {
            Turn::Own => (Turn::Other, own, other),
            Turn::Other => (Turn::Own, other, own),
        };
        self.turn = next;
        self.ticks = 0;
        vec![Directive::SetAside(out), Directive::TakeUp(to)]
    }
}

/// The middle of some figures; 0 of none.
pub(super) fn median(of: &[f64]) -> f64 {
    let mut of = of.to_vec();
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::history::Generation;
    use holloway_lang::ir::Block;

    fn comparison() -> Comparison {
        let (func, at) = (FuncRef::from_u32(0), LoopKey::own(Block::from_u32(1)));
        let mut comparison = Comparison::new(func, at, VersionId(3), Generation(2));
        comparison.other = Some(VersionId(4));
        comparison
    }

    fn reading(nanos: u64, own: u64, other: u64) -> Reading {
        Reading { nanos, iterations: vec![(VersionId(3), own), (VersionId(4), other)] }
    }

    #[test]
    fn a_window_is_time_in_which_one_version_alone_came_on() {
        let mut comparison = comparison();
        assert_eq!(comparison.window(reading(1_000, 10, 10)), None, "there is nothing before it");
        assert_eq!(comparison.window(reading(2_000, 110, 10)), Some(10.0));
        assert_eq!(comparison.window(reading(3_000, 210, 14)), None, "both came on");
        assert_eq!(comparison.window(reading(4_000, 230, 14)), None, "it did not come far");
        assert_eq!(comparison.window(reading(5_000, 250, 14)), Some(50.0), "the window went on");
        let moved = [Directive::SetAside(VersionId(3)), Directive::TakeUp(VersionId(4))];
        assert_eq!(comparison.turn(), moved);
        assert_eq!(comparison.window(reading(6_000, 350, 33)), None, "it is the other's turn");
        assert_eq!(comparison.window(reading(7_000, 351, 132)), Some(10.0), "the one that was left came on a little");
    }

    #[test]
    fn the_gain_is_the_median_of_pairs_between_the_second_and_the_last_but_one() {
        let mut comparison = comparison();
        comparison.own_times = vec![1.0, 5.0, 6.0, 7.0, 7.0, 7.0, 8.0, 8.5, 90.0];
        comparison.other_times = vec![10.0; 9];
        let Measured { median, interval: (least, most) } = comparison.gain();
        assert!((median - 0.3).abs() < 1e-12 && (least - 0.15).abs() < 1e-12 && (most - 0.5).abs() < 1e-12);
        assert!(comparison.is_decided());
    }

    #[test]
    fn five_pairs_are_enough_if_they_agree_on_much() {
        let mut comparison = comparison();
        comparison.other_times = vec![10.0; 5];
        for (times, decided) in
            [([5.0; 5], true), ([15.0; 5], true), ([9.5; 5], false), ([5.0, 5.0, 5.0, 5.0, 9.5], false)]
        {
            comparison.own_times = times.to_vec();
            assert_eq!(comparison.is_decided(), decided, "{times:?}");
        }
    }
}
