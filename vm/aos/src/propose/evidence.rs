//! Traces that a profile shows, by whether they are worth a try. Invariant: a loop of which nothing is tried has a
//! reason.

use crate::NoProposal;
use crate::settings::{MOST_TRIED, Settings};
use holloway_ir::{Block, Function};
use holloway_jit::trace::TraceSpec;
use holloway_jit::trace::choose::{self, NoRoom};

/// Specs by whether they are worth a try.
pub(super) struct Sorted {
    /// The specs that are, those that cover most first, up to a number.
    pub(super) tried: Vec<TraceSpec>,
    /// The loops of the others, and why they are not.
    pub(super) left: Vec<(Block, NoProposal)>,
}

/// Sorts specs by what speaks against them.
pub(super) fn sorted(
    found: Vec<TraceSpec>,
    body: &Function,
    (has_traces, guard_penalty): (bool, f64),
    copies_loops: impl Fn(&TraceSpec) -> bool,
) -> Sorted {
    let (mut tried, mut left): (Vec<TraceSpec>, Vec<(Block, NoProposal)>) = (Vec::new(), Vec::new());
    for spec in found {
        let against = if spec.coverage <= Settings::least_coverage(guard_penalty) {
            Some(NoProposal::LittleCovered)
        } else if copies_loops(&spec) {
            Some(NoProposal::CallsLoops)
        } else if !has_traces {
            Some(NoProposal::LeftOut)
        } else {
            (!choose::has_other_ways(body, &spec)).then_some(NoProposal::OnePath)
        };
        match against {
            Some(reason) => left.push((spec.header, reason)),
            None => tried.push(spec),
        }
    }
    let covered = |spec: &TraceSpec| spec.coverage * spec.executions as f64;
    tried.sort_by(|a, b| covered(b).total_cmp(&covered(a)));
    let beyond = tried.split_off(MOST_TRIED.min(tried.len()));
    left.extend(beyond.iter().map(|spec| (spec.header, NoProposal::NotTried)));
    Sorted { tried, left }
}

/// Why a loop has no proposal: of several reasons the one that came last on the way to a trial tells most.
pub(super) fn why_none(
    header: Block,
    (tried, left): (&[TraceSpec], &[(Block, NoProposal)]),
    no_room: NoRoom,
    is_persistent: bool,
) -> NoProposal {
    if tried.iter().any(|spec| spec.header == header) {
        return NoProposal::NotFormed;
    }
    let is_left = |reason: &NoProposal| left.contains(&(header, *reason));
    let found = [NoProposal::NotTried, NoProposal::OnePath, NoProposal::LeftOut, NoProposal::CallsLoops];
    let passes = |spec: &TraceSpec| spec.blocks().any(|block| block == header);
    match found.into_iter().find(is_left) {
        Some(reason) => reason,
        None if tried.iter().any(passes) => NoProposal::Unrolled,
        None if no_room.too_large > 0 => NoProposal::TooLarge,
        None if no_room.too_many > 0 => NoProposal::TooMany,
        None if is_left(&NoProposal::LittleCovered) => NoProposal::LittleCovered,
        None if is_persistent => NoProposal::ShortRuns,
        None => NoProposal::NothingRepeats,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{body, module_of};
    use holloway_jit::trace::{Layout, Trace, TraceShape};

    /// A loop of four ways.
    const LOOP: &str = "block0:
    jump block1
block1:
    v1 = igt v0, 5
    branch v1, block2, block3
block2:
    v0 = isub v0, 1
    jump block4
block3:
    v0 = isub v0, 2
    jump block4
block4:
    v1 = igt v0, 3
    branch v1, block5, block6
block5:
    v0 = isub v0, 3
    jump block7
block6:
    v0 = isub v0, 4
    jump block7
block7:
    v1 = igt v0, 0
    branch v1, block1, block8
block8:
    return v0
";

    fn spec(paths: &[&[u32]], coverage: f64) -> TraceSpec {
        let path = |blocks: &&[u32]| blocks.iter().copied().map(Block::from_u32).collect();
        TraceSpec {
            header: Block::from_u32(paths[0][0]),
            traces: vec![Trace::new(paths.iter().map(path).collect())],
            constants: Vec::new(),
            layout: Layout::Apart,
            coverage,
            executions: 100,
            shape: TraceShape::default(),
        }
    }

    fn sort(found: Vec<TraceSpec>, has_traces: bool, copies_loops: bool) -> Sorted {
        let module = module_of(LOOP);
        sorted(found, body(&module), (has_traces, 1.0), |_| copies_loops)
    }

    const WAYS: [&[u32]; 4] = [&[1, 2, 4, 5, 7], &[1, 2, 4, 6, 7], &[1, 3, 4, 5, 7], &[1, 3, 4, 6, 7]];

    #[test]
    fn what_is_not_tried_has_its_reason() {
        let header = Block::from_u32(1);
        let left = |spec: TraceSpec, has_traces, copies_loops| sort(vec![spec], has_traces, copies_loops).left;
        let one = |coverage| spec(&WAYS[..1], coverage);
        assert_eq!(left(one(0.5), true, false), [(header, NoProposal::LittleCovered)]);
        assert_eq!(left(one(0.8), true, true), [(header, NoProposal::CallsLoops)]);
        assert_eq!(left(one(0.8), false, false), [(header, NoProposal::LeftOut)]);
        assert_eq!(left(spec(&[&[1, 2, 3, 4, 5, 6, 7]], 0.8), true, false), [(header, NoProposal::OnePath)]);
        assert_eq!(left(one(0.8), true, false), []);
    }

    #[test]
    fn what_covers_most_is_tried() {
        let mut found = vec![spec(&WAYS[..1], 0.7)];
        found.extend((1..=MOST_TRIED).map(|nth| spec(&[WAYS[nth], WAYS[0]], 0.8)));
        let Sorted { tried, left } = sort(found, true, false);
        assert_eq!((tried.len(), tried.iter().all(|spec| spec.coverage == 0.8)), (MOST_TRIED, true));
        assert_eq!(left, [(Block::from_u32(1), NoProposal::NotTried)]);
    }

    #[test]
    fn of_several_reasons_the_one_nearest_to_a_trial_is_told() {
        let [header, inner] = [1, 4].map(Block::from_u32);
        let all = [
            (header, NoProposal::LittleCovered),
            (header, NoProposal::CallsLoops),
            (header, NoProposal::LeftOut),
            (header, NoProposal::OnePath),
            (header, NoProposal::NotTried),
        ];
        let none = NoRoom::default();
        let why =
            |at: Block, tried: &[TraceSpec], left: &[(Block, NoProposal)]| why_none(at, (tried, left), none, false);
        for (nth, (_, reason)) in all.iter().enumerate() {
            assert_eq!(why(header, &[], &all[..=nth]), *reason);
        }
        let tried = [spec(&WAYS[..1], 0.8)];
        assert_eq!(why(header, &tried, &all), NoProposal::NotFormed);
        assert_eq!(why(inner, &tried, &all), NoProposal::Unrolled);
        assert_eq!(why(inner, &[], &all), NoProposal::NothingRepeats);
    }

    #[test]
    fn little_is_covered_for_want_of_room_or_as_runs_are_short() {
        let header = Block::from_u32(1);
        let little = [(header, NoProposal::LittleCovered)];
        let why = |left: &[(Block, NoProposal)], no_room: [u32; 2], is_persistent: bool| {
            let [too_large, too_many] = no_room;
            why_none(header, (&[], left), NoRoom { too_large, too_many }, is_persistent)
        };
        assert_eq!(why(&little, [0, 0], true), NoProposal::LittleCovered);
        assert_eq!(why(&little, [1, 1], true), NoProposal::TooLarge);
        assert_eq!(why(&[], [1, 0], false), NoProposal::TooLarge);
        assert_eq!(why(&little, [0, 1], false), NoProposal::TooMany);
        assert_eq!(why(&[], [0, 0], true), NoProposal::ShortRuns, "its path is shown beside");
    }
}
