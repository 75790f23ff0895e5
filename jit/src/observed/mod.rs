//! Profiles of functions for their recompilation: counts of edges, outcomes of branches, and the targets of indirect
//! calls.
//!
//! In: counts of a function's edges and of its calls, as baseline code gathered them. Out: for the optimizer, which
//! blocks are [`Heat::Rare`], how often each was executed, which branches go either way, and the target that an
//! indirect call mostly has.
//! Beside these, [`convertible`] says which branches are worth a look at how they go, [`outcomes`] whether that is
//! foreseen, and [`redundant`] which loads recorded runs
//! found to be redundant.
//! Invariant: nothing that is compiled depends on what was observed but its speed.
//!
//! A block that was not executed may be one that the program has not come to yet: what follows a loop that still runs.
//! So a block is rare only in comparison with what leads to it again and again: the header of the innermost loop around
//! it (for a header, of the next loop), or, in no loop, the calls of the function.

pub mod convertible;
pub mod outcomes;
pub mod redundant;

use crate::settings::observed::{EITHER, FEW, JUDGED, RARE, USUAL};
use cranelift_entity::{EntitySet, SecondaryMap};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Cfg, Dominators, FuncRef, Function, Inst, LoopId, Loops, Terminator};
use outcomes::Outcomes;
use std::sync::Arc;

/// Words of a target cell: the target as a function value, the calls of it, the calls of others since it is there.
pub const TARGET_WORDS: usize = 3;

/// The heat of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// So rarely that it may be slow.
    Rare,
    /// Often, or nobody knows.
    Usual,
}

/// The profiles of functions; none, by default.
#[derive(Clone, Debug, Default)]
pub struct Observed(Arc<HashMap<FuncRef, Arc<Counts>>>);

/// The profile of one function.
#[derive(Clone, Debug)]
pub struct Counts {
    /// The number of its calls.
    calls: u64,
    blocks: SecondaryMap<Block, u64>,
    edges: HashMap<(Block, Block), u64>,
    rare: EntitySet<Block>,
    either: EntitySet<Block>,
    targets: HashMap<(Block, usize), (FuncRef, f64)>,
    rounds: HashMap<Block, f64>,
}

/// The profile of an indirect call: the words of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetCell {
    /// The function, if there was a call.
    pub func: Option<FuncRef>,
    /// Calls of it.
    pub same: u64,
    /// Calls of others since.
    pub other: u64,
}

impl TargetCell {
    /// The content of a cell.
    pub fn of_words(words: [u64; TARGET_WORDS]) -> TargetCell {
        let [value, same, other] = words;
        let func = value.checked_sub(1).and_then(|number| u32::try_from(number).ok()).map(FuncRef::from_u32);
        TargetCell { func, same, other }
    }

    /// Returns the usual target of the call, and its share of the calls.
    fn usual(self) -> Option<(FuncRef, f64)> {
        let all = self.same + self.other;
        let share = self.same as f64 / all.max(1) as f64;
        (all >= FEW && share >= USUAL).then_some((self.func?, share))
    }
}

impl Counts {
    /// Takes the counts of a body, of its calls and its edges, and the cells of its indirect calls, by
    /// block and number of the instruction.
    pub fn new(
        body: &Function,
        calls: u64,
        edges: HashMap<(Block, Block), u64>,
        cells: impl IntoIterator<Item = ((Block, usize), TargetCell)>,
    ) -> Counts {
        let mut blocks: SecondaryMap<Block, u64> = SecondaryMap::new();
        blocks[body.entry()] += calls;
        edges.iter().for_each(|((_, to), count)| blocks[*to] += count);
        let cfg = Cfg::compute(body);
        let loops = Loops::of(&cfg);
        let rare = rare(&cfg, &loops, calls, &blocks);
        let rounds = rounds(&loops, &blocks, &edges);
        let targets = cells.into_iter().filter_map(|(at, cell)| Some((at, cell.usual()?))).collect();
        let mut either = EntitySet::new();
        for (block, data) in body.blocks.iter() {
            let Terminator::Branch { then, otherwise, .. } = data.term else { continue };
            let taken = |to: Block| edges.get(&(block, to)).copied().unwrap_or(0);
            if then != otherwise && goes_either_way(taken(then), taken(otherwise)) {
                either.insert(block);
            }
        }
        Counts { calls, blocks, edges, rare, either, targets, rounds }
    }

    /// Adds what looks at branches saw: those that are foreseen do not count as going either way.
    #[must_use]
    pub fn with_outcomes(mut self, outcomes: impl IntoIterator<Item = (Block, Outcomes)>) -> Counts {
        for (block, outcomes) in outcomes {
            if outcomes.are_foreseen(self.blocks[block]) {
                self.either.remove(block);
            }
        }
        self
    }

    /// Takes note that blocks are executed often by now. What is left out of the profile where a way to one of them was hardly ever taken is unknown: it
    /// counts as executed as often as the loop around it, or as the function is called.
    #[must_use]
    pub fn with_hot(mut self, body: &Function, hot: impl IntoIterator<Item = Block>) -> Counts {
        let cfg = Cfg::compute(body);
        let (dominators, loops) = (Dominators::compute(&cfg), Loops::of(&cfg));
        for block in hot {
            let way = std::iter::successors(Some(block), |block| dominators.idom(*block));
            let Some(first) = way.filter(|block| self.rare.contains(*block)).last() else { continue };
            let around = loops.chain(first).map(|id| loops.get(id).header).find(|header| *header != first);
            let often = around.map_or(self.calls, |header| self.blocks[header]);
            for inside in cfg.reverse_postorder().filter(|inside| dominators.dominates(first, *inside)) {
                self.rare.remove(inside);
                self.blocks[inside] = self.blocks[inside].max(often);
            }
            for ((_, to), count) in &mut self.edges {
                if dominators.dominates(first, *to) {
                    *count = (*count).max(often);
                }
            }
        }
        self
    }

    /// Takes other usual targets of indirect calls; of those without one nothing is known.
    #[must_use]
    pub fn with_targets(mut self, cells: impl IntoIterator<Item = ((Block, usize), TargetCell)>) -> Counts {
        for (at, cell) in cells {
            self.targets.remove(&at);
            self.targets.extend(cell.usual().map(|usual| (at, usual)));
        }
        self
    }

    /// Returns the weight of an execution where the function is called so often; `None` if too few calls were seen.
    pub fn scale(&self, calls: f64) -> Option<f64> {
        (self.calls >= RARE).then(|| calls / self.calls as f64)
    }

    /// Iterates over the usual targets of indirect calls.
    pub fn targets(&self) -> impl Iterator<Item = FuncRef> {
        self.targets.values().map(|(func, _)| *func)
    }

    /// Returns the executions of a block.
    pub fn executions(&self, block: Block) -> u64 {
        self.blocks[block]
    }

    /// Returns whether a block may be slow.
    pub fn heat(&self, block: Block) -> Heat {
        if self.rare.contains(block) { Heat::Rare } else { Heat::Usual }
    }

    /// Returns the count of an edge.
    pub fn taken(&self, from: Block, to: Block) -> u64 {
        self.edges.get(&(from, to)).copied().unwrap_or(0)
    }

    /// Returns how often the loop with that header comes round for each time that it is entered, on average; `None` if
    /// it was entered too few times for that to say anything.
    pub fn rounds(&self, header: Block) -> Option<f64> {
        self.rounds.get(&header).copied()
    }

    /// Returns whether the branch that ends a block goes either way, so that no predictor is likely to get it right.
    pub fn goes_either_way(&self, block: Block) -> bool {
        self.either.contains(block)
    }

    /// Returns the usual target of the indirect call that is a block's instruction at `at`, and its share of the calls.
    pub fn target(&self, block: Block, at: usize) -> Option<(FuncRef, f64)> {
        self.targets.get(&(block, at)).copied()
    }
}

impl Observed {
    /// Collects the profiles of functions.
    pub fn new(of: impl IntoIterator<Item = (FuncRef, Counts)>) -> Observed {
        Observed(Arc::new(of.into_iter().map(|(func, counts)| (func, Arc::new(counts))).collect()))
    }

    /// Iterates over the functions with their profiles.
    pub fn iter(&self) -> impl Iterator<Item = (FuncRef, &Counts)> {
        self.0.iter().map(|(func, counts)| (*func, &**counts))
    }

    /// Returns the profile of a function.
    pub fn of(&self, func: FuncRef) -> Option<&Arc<Counts>> {
        self.0.get(&func)
    }
}

/// The places of a body's indirect calls: block and number of the instruction.
pub fn indirect_calls(body: &Function) -> impl Iterator<Item = (Block, usize)> {
    body.blocks.iter().flat_map(|(block, data)| {
        let calls = data.insts.iter().enumerate().filter(|(_, inst)| matches!(inst, Inst::CallIndirect { .. }));
        calls.map(move |(at, _)| (block, at))
    })
}

fn goes_either_way(one: u64, other: u64) -> bool {
    let all = one + other;
    all >= JUDGED && one.min(other) as f64 >= EITHER * all as f64
}

fn rounds(
    loops: &Loops,
    executions: &SecondaryMap<Block, u64>,
    edges: &HashMap<(Block, Block), u64>,
) -> HashMap<Block, f64> {
    let rounds = loops.iter().filter_map(|(_, l)| {
        let back: u64 = l.latches.iter().filter_map(|latch| edges.get(&(*latch, l.header))).sum();
        let entries = executions[l.header].saturating_sub(back);
        (entries >= JUDGED).then(|| (l.header, back as f64 / entries as f64))
    });
    rounds.collect()
}

fn rare(cfg: &Cfg, loops: &Loops, calls: u64, executions: &SecondaryMap<Block, u64>) -> EntitySet<Block> {
    let is_rare = |count: u64, of: u64| of >= RARE && count <= of / RARE;
    // Iterations of the loop that a block is in, or calls.
    let around = |id: Option<LoopId>| id.map_or(calls, |id| executions[loops.get(id).header]);
    let is_rare_loop = |id: LoopId| {
        let l = loops.get(id);
        is_rare(executions[l.header], around(l.parent))
    };
    let in_rare_loop = |block: Block| loops.chain(block).any(is_rare_loop);
    let mut rare = EntitySet::new();
    for block in cfg.reverse_postorder() {
        let is_header = loops.headed_by(block).is_some();
        if in_rare_loop(block) || (!is_header && is_rare(executions[block], around(loops.innermost(block)))) {
            rare.insert(block);
        }
    }
    rare
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::ir::{Module, parse};

    #[test]
    fn a_branch_goes_either_way_if_its_rarer_way_is_not_rare() {
        let judged: Vec<bool> =
            [(500, 500), (990, 10), (20, 20), (20, 80)].map(|(one, other)| goes_either_way(one, other)).to_vec();
        assert_eq!(judged, [true, false, false, true]);
    }

    /// Two loops one after the other; the first has a branch.
    ///
    /// ```text
    ///   0 -> 1 -> 2 -> 3 -> 5 -> 1     1 -> 6 -> 7 -> 6 -> 8
    ///             2 -> 4 -> 5
    /// ```
    fn module() -> Module {
        let text = r#"
            type t0 = bool
            sig0 = (t0)
            function f0 "f" sig0(v0: bool) {
            block0:
                jump block1
            block1:
                branch v0, block2, block6
            block2:
                branch v0, block3, block4
            block3:
                jump block5
            block4:
                jump block5
            block5:
                jump block1
            block6:
                branch v0, block7, block8
            block7:
                jump block6
            block8:
                return
            }"#;
        parse::module(text).unwrap_or_else(|error| panic!("{error}"))
    }

    fn counts(calls: u64, edges: &[(u32, u32, u64)]) -> Counts {
        let module = module();
        let block = Block::from_u32;
        let edges = edges.iter().map(|(from, to, count)| ((block(*from), block(*to)), *count)).collect();
        Counts::new(module.function(FuncRef::from_u32(0)), calls, edges, [])
    }

    fn rare_blocks(counts: &Counts) -> Vec<u32> {
        (0..9).filter(|block| counts.heat(Block::from_u32(*block)) == Heat::Rare).collect()
    }

    #[test]
    fn what_a_loop_passes_by_is_rare_and_what_follows_it_is_not() {
        let running = [(0, 1, 1), (1, 2, 1000), (2, 3, 990), (2, 4, 10), (3, 5, 990), (4, 5, 10), (5, 1, 1000)];
        let counts = counts(1, &running);
        assert_eq!(rare_blocks(&counts), [4]);
        assert_eq!(counts.executions(Block::from_u32(1)), 1001);
        assert_eq!(counts.taken(Block::from_u32(2), Block::from_u32(3)), 990);
        // One call tells nothing of what happens in a call.
        assert_eq!(counts.scale(5.0), None);
    }

    #[test]
    fn a_branch_that_is_foreseen_does_not_count_as_going_either_way() {
        let even = [(0, 1, 1), (1, 2, 1000), (2, 3, 500), (2, 4, 500), (3, 5, 500), (4, 5, 500), (5, 1, 1000)];
        let branch = Block::from_u32(2);
        let after = |word: u64| {
            let mut outcomes = Outcomes::default();
            outcomes.look(word);
            counts(1, &even).with_outcomes([(branch, outcomes.with_changes(500))]).goes_either_way(branch)
        };
        assert!(counts(1, &even).goes_either_way(branch));
        assert!(after(0x6a09_e667_f3bc_c908), "the digits of a root follow no pattern");
        assert!(!after(0xffff_ffff_0000_0000), "a long run of each");
        assert!(!after(0x5555_5555_5555_5555), "one after the other");
    }

    #[test]
    fn a_way_that_is_taken_by_now_is_as_hot_as_the_loop_around() {
        let calls = [(0, 1, 1), (1, 2, 1000), (2, 3, 1000), (3, 5, 1000), (5, 1, 1000)];
        let edges = [&calls[..], &[(2, 4, 0), (4, 5, 0), (1, 6, 0), (6, 7, 0), (7, 6, 0), (6, 8, 0)]].concat();
        let module = module();
        let body = module.function(FuncRef::from_u32(0));
        let [arm, join] = [4, 5].map(Block::from_u32);
        let before = counts(1, &edges);
        assert_eq!(rare_blocks(&before), [4]);
        let after = before.with_hot(body, [arm]);
        assert_eq!(rare_blocks(&after), [0; 0]);
        assert_eq!((after.executions(arm), after.taken(Block::from_u32(2), arm)), (1001, 1001));
        assert_eq!(after.taken(arm, join), 0, "the way on is not one of the arm");
        let same = after.with_hot(body, [join]);
        assert_eq!(same.executions(join), 1000, "what was hot stays as it was");
    }

    #[test]
    fn with_many_calls_a_loop_that_is_not_reached_is_rare() {
        let counts = counts(100, &[(0, 1, 100), (1, 6, 100), (6, 8, 100)]);
        assert_eq!(rare_blocks(&counts), [2, 3, 4, 5, 7]);
        assert_eq!((counts.executions(Block::from_u32(8)), counts.scale(5.0)), (100, Some(0.05)));
    }

    #[test]
    fn few_executions_tell_nothing() {
        assert_eq!(rare_blocks(&counts(1, &[(0, 1, 1), (1, 2, 60), (2, 3, 60), (3, 5, 60), (5, 1, 60)])), [0; 0]);
    }

    #[test]
    fn a_loop_comes_round_so_often_for_each_time_that_it_is_entered() {
        let entered =
            |entries, back| counts(1, &[(0, 1, 1), (1, 6, entries), (6, 7, back), (7, 6, back), (6, 8, entries)]);
        let rounds = |entries, back| entered(entries, back).rounds(Block::from_u32(6));
        assert_eq!(rounds(200, 500), Some(2.5));
        assert_eq!(rounds(200, 0), Some(0.0));
        assert_eq!(rounds(JUDGED - 1, 5_000), None, "it was entered too few times");
        assert_eq!(entered(200, 500).rounds(Block::from_u32(7)), None, "no header");
    }

    #[test]
    fn a_usual_target_is_one_of_most_calls() {
        let cell = |value, same, other| TargetCell::of_words([value, same, other]).usual();
        assert_eq!(cell(4, 90, 10), Some((FuncRef::from_u32(3), 0.9)));
        assert_eq!((cell(4, 50, 50), cell(4, 10, 0), cell(0, 0, 0)), (None, None, None));
    }
}
