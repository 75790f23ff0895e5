//! Traces from a k-iteration path forest and the ids themselves: the cycles of paths that a loop repeats in long runs.
//!
//! 1. [`cycles`] gives each sequence that is repeated within the loops, with its runs. Unless one goes on for long,
//!    [`long_cycles`] searches the ids for longer periods than a forest shows.
//! 2. A cycle belongs to the outermost loop whose header its paths start at. Its runs must be long, and cover enough.
//! 3. The cycles of a loop that cover most become traces, unless one repeats a part of another (`a`, `a a a b`).
//! 4. A trace starts where it has least in common with those before it, then where the fewest iterations are lost.
//!
//! Coverage counts the end of each run, and each iteration outside of runs, as one that tries the trace in vain.

use super::super::nest::Nest;
use super::super::spec::{Layout, Trace, TraceShape, TraceSpec};
use super::room::{NoRoom, Room};
use crate::graph_of::block_of;
use crate::settings::forest::{LEAST_PART, LEAST_ROUNDS, LEAST_RUN, LONGEST_PERIOD, NEARLY_ALL};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function, LoopId};
use holloway_profiler::forest::cycles::{Cycle, cycles};
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::forest::long_cycles::long_cycles;
use holloway_profiler::graph::Graph;
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, path_of};
use std::collections::BTreeMap;

/// Everything that the loops of a body repeat.
pub struct Repeated<'a> {
    pub(super) body: &'a Function,
    pub(super) nest: Nest,
    /// The ids that run from a header to a back edge: blocks, and counts.
    pub(super) paths: HashMap<u64, (Vec<Block>, u64)>,
    cycles: Vec<Cycle>,
    /// Ways through loops that take few each time they are entered.
    through: Vec<TraceSpec>,
    /// Those that are left out, by the headers of their loops.
    no_room_through: BTreeMap<Block, NoRoom>,
}

impl<'a> Repeated<'a> {
    /// Finds what a forest shows.
    pub fn of(
        body: &'a Function,
        graph: &Graph,
        numbering: &Numbering,
        (forest, streams): (&PathForest, &[Vec<u64>]),
    ) -> Repeated<'a> {
        let nest = Nest::of(body);
        let (mut all, mut paths) = (HashMap::new(), HashMap::new());
        for root in forest.trie().roots() {
            let id = forest.trie().label(root);
            let Some(path) = path_of(graph, numbering, id) else { continue };
            let blocks: Vec<Block> = path.blocks.iter().map(|node| block_of(*node)).collect();
            let starts = blocks.first().is_some_and(|first| nest.loops.headed_by(*first).is_some());
            let ends = blocks
                .last()
                .is_some_and(|last| nest.cfg.succs(*last).iter().any(|(to, _)| nest.loops.is_back_edge(*last, *to)));
            if starts && ends && path.end == PathEnd::Cut {
                paths.insert(id, (blocks.clone(), forest.trie().count(root)));
            }
            all.insert(id, blocks);
        }
        let mut repeated =
            Repeated { body, nest, paths, cycles: Vec::new(), through: Vec::new(), no_room_through: BTreeMap::new() };
        repeated.cycles = cycles(forest, |before, after| repeated.follows(before, after));
        if !repeated.runs_on() {
            let shown = (forest.k() as usize).saturating_sub(1) / 2;
            let long =
                long_cycles(streams, shown + 1..=LONGEST_PERIOD, |before, after| repeated.follows(before, after));
            repeated.cycles.extend(long);
            repeated.cycles.sort_by_key(|cycle| std::cmp::Reverse(cycle.covered));
        }
        (repeated.through, repeated.no_room_through) = repeated.ways_through(&all, streams);
        repeated
    }

    /// True if one cycle has nearly all paths, in runs that are longer than any longer period that they could be a part of.
    fn runs_on(&self) -> bool {
        let all: u64 = self.paths.values().map(|(_, count)| *count).sum();
        let is_it = |cycle: &&Cycle| {
            cycle.covered as f64 >= NEARLY_ALL * all as f64 && cycle.covered >= LONGEST_PERIOD as u64 * cycle.runs
        };
        self.cycles.first().filter(is_it).is_some()
    }

    /// The traces of each loop that has some, those that cover most first; and how many are left out, by loop.
    pub fn choose(&self) -> (Vec<TraceSpec>, BTreeMap<Block, NoRoom>) {
        let mut by_header: BTreeMap<Block, Vec<Chosen<'_>>> = BTreeMap::new();
        let mut no_room = self.no_room_through.clone();
        let mut rooms: BTreeMap<Block, Room> = BTreeMap::new();
        for cycle in &self.cycles {
            let Some((header, starts)) = self.starts(&cycle.ids) else { continue };
            let chosen = by_header.entry(header).or_default();
            let part = self.covered(header, cycle) / self.iterations(header);
            let is_new = chosen.iter().all(|known| !repeats(known.cycle, cycle) && !repeats(cycle, known.cycle));
            if part < LEAST_PART || !is_long(cycle) || !is_new {
                continue;
            }
            let (room, size) = (rooms.entry(header).or_default(), self.size(cycle));
            if !room.fits(size) {
                continue;
            }
            let first = starts.into_iter().min_by_key(|first| self.rank(chosen, cycle, *first));
            let turned = turned(&cycle.ids, first.expect("a cycle of a loop starts somewhere"));
            if chosen.iter().all(|known| in_common(&known.ids, &turned) < known.ids.len().min(turned.len())) {
                chosen.push(Chosen { cycle, ids: turned });
                room.add(size);
            }
        }
        no_room.extend(rooms.into_iter().filter_map(|(header, room)| Some((header, room.left_out()?))));
        let chosen = by_header.iter().filter(|(_, chosen)| !chosen.is_empty());
        let mut specs: Vec<TraceSpec> = chosen.map(|(header, chosen)| self.spec(*header, chosen)).collect();
        let covered = |spec: &TraceSpec| spec.coverage * spec.executions as f64;
        specs.sort_by(|a, b| covered(b).total_cmp(&covered(a)).then(a.header.cmp(&b.header)));
        (specs, no_room)
    }

    /// The ways through loops that take few of them each time they are entered.
    pub fn through(&self) -> &[TraceSpec] {
        &self.through
    }

    fn spec(&self, header: Block, chosen: &[Chosen<'_>]) -> TraceSpec {
        let iterations = self.iterations(header);
        let trace = |chosen: &Chosen<'_>| Trace {
            share: self.covered(header, chosen.cycle) / iterations,
            ..Trace::new(chosen.ids.iter().map(|id| self.blocks(*id).to_vec()).collect())
        };
        let coverage = self.staying(header, chosen.iter().map(|chosen| chosen.cycle));
        self.spec_of(header, chosen.iter().map(trace).collect(), coverage)
    }

    /// Traces of a loop, each a loop of its own.
    pub(super) fn spec_of(&self, header: Block, traces: Vec<Trace>, coverage: f64) -> TraceSpec {
        TraceSpec {
            header,
            layout: Layout::Apart,
            traces,
            constants: Vec::new(),
            coverage,
            executions: self.iterations(header) as u64,
            shape: TraceShape::default(),
        }
    }

    fn size(&self, cycle: &Cycle) -> usize {
        let blocks = cycle.ids.iter().flat_map(|id| self.blocks(*id));
        blocks.map(|block| self.body.blocks[*block].insts.len() + 1).sum()
    }

    fn staying<'c>(&self, header: Block, cycles: impl Iterator<Item = &'c Cycle>) -> f64 {
        let iterations = self.iterations(header);
        let (covered, runs) = cycles.fold((0.0, 0.0), |(covered, runs), cycle| {
            (covered + self.covered(header, cycle), runs + cycle.runs as f64)
        });
        (covered.min(iterations) - runs).max(0.0) / iterations
    }

    /// Iterations of a loop, from its header back to it or to that of an inner loop; at least 1.
    pub(super) fn iterations(&self, header: Block) -> f64 {
        let Some(around) = self.nest.loops.headed_by(header) else { return 1.0 };
        let own = self.paths.values().filter(|(blocks, _)| blocks[0] == header && self.is_inside(around, blocks));
        own.map(|(_, count)| *count as f64).sum::<f64>().max(1.0)
    }

    /// Iterations of a loop in the runs of a cycle.
    fn covered(&self, header: Block, cycle: &Cycle) -> f64 {
        let starts = cycle.ids.iter().filter(|id| self.blocks(**id)[0] == header).count();
        cycle.covered as f64 * starts as f64 / cycle.ids.len() as f64
    }

    pub(super) fn is_inside(&self, around: LoopId, blocks: &[Block]) -> bool {
        blocks.iter().all(|block| self.nest.loops.contains(around, *block))
    }

    fn blocks(&self, id: u64) -> &[Block] {
        &self.paths[&id].0
    }

    fn follows(&self, before: u64, after: u64) -> bool {
        let (Some((before, _)), Some((after, _))) = (self.paths.get(&before), self.paths.get(&after)) else {
            return false;
        };
        self.nest.loops.is_back_edge(before[before.len() - 1], after[0])
            && self.nest.cfg.succs(before[before.len() - 1]).iter().any(|(to, _)| *to == after[0])
    }

    /// The header of the loop that a cycle belongs to, and the positions of the ids that start there.
    fn starts(&self, ids: &[u64]) -> Option<(Block, Vec<usize>)> {
        let loops = &self.nest.loops;
        let outermost = ids.iter().min_by_key(|id| loops.depth(self.blocks(**id)[0]))?;
        let header = self.blocks(*outermost)[0];
        let around = loops.headed_by(header)?;
        let starts = (0..ids.len()).filter(|at| self.blocks(ids[*at])[0] == header).collect();
        ids.iter().all(|id| self.is_inside(around, self.blocks(*id))).then_some((header, starts))
    }

    /// Order of the places that a trace may start at: ids that traces have in common with it from there, then how many iterations do not stay
    /// on it, as they come before the first round that is made whole, or take the path that starts there outside of runs.
    fn rank(&self, chosen: &[Chosen<'_>], cycle: &Cycle, first: usize) -> (usize, u64) {
        let turned = turned(&cycle.ids, first);
        let in_common = chosen.iter().map(|known| in_common(&known.ids, &turned)).max();
        let period = cycle.ids.len();
        let a_run = cycle.covered / cycle.runs.max(1);
        let lost = |begin: usize| passed(&cycle.ids, &turned, begin).map_or(a_run, |passed| passed as u64);
        let before: u64 = cycle.begins.iter().enumerate().map(|(begin, runs)| lost(begin) * runs).sum();
        let a_round = turned.iter().filter(|id| **id == turned[0]).count() as u64;
        let in_vain = self.paths[&turned[0]].1.saturating_sub(cycle.covered * a_round / period as u64);
        (in_common.unwrap_or(0), before + in_vain)
    }
}

/// Number of ids that two traces begin with alike.
fn in_common(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// A cycle that becomes a trace.
struct Chosen<'a> {
    cycle: &'a Cycle,
    /// Its ids from where the trace starts.
    ids: Vec<u64>,
}

fn turned(ids: &[u64], first: usize) -> Vec<u64> {
    ids[first..].iter().chain(&ids[..first]).copied().collect()
}

/// Number of ids of a run that come before a round of a trace; `None` if it never makes one. A false start goes down
/// the trace, and passes over the places behind it, among which the true one may be.
fn passed(ids: &[u64], trace: &[u64], begin: usize) -> Option<usize> {
    let period = ids.len();
    let mut passed = 0;
    for _ in 0..period {
        let here = ids.iter().cycle().skip((begin + passed) % period);
        let alike = here.zip(trace).take_while(|(id, expected)| id == expected).count();
        if alike == period {
            return Some(passed);
        }
        passed += alike + 1;
    }
    None
}

fn is_long(cycle: &Cycle) -> bool {
    let run = cycle.covered as f64 / cycle.runs.max(1) as f64;
    run >= LEAST_RUN && run >= LEAST_ROUNDS * cycle.ids.len() as f64
}

/// True if two rounds of a cycle occur where another repeats.
fn repeats(part: &Cycle, of: &Cycle) -> bool {
    let round = |first: usize| of.ids.iter().cycle().skip(first);
    let twice = || part.ids.iter().cycle().take(2 * part.ids.len());
    (0..of.ids.len()).any(|first| twice().zip(round(first)).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_start_may_pass_over_the_true_one_for_ever() {
        let ids = [0, 0, 2, 5];
        let from = |first: usize| (0..4).map(|begin| passed(&ids, &turned(&ids, first), begin)).collect::<Vec<_>>();
        assert_eq!(from(0), [Some(0), Some(3), Some(2), Some(1)]);
        assert_eq!(
            from(1),
            [None, Some(0), None, None],
            "0 2 5 0 begins at the first 0, and the second is the rest of that iteration"
        );
        assert_eq!(from(2), [Some(2), Some(1), Some(0), Some(3)]);
    }
}
