//! Loops that take the same way each time they are entered: few iterations, and the same paths, from where the loop is entered to where it is left.
//!
//! In: the paths of a body, the ids themselves. Out: for each innermost loop its frequent ways through, with the share of its iterations that stay on them.
//!
//! ```text
//!      paths     E1 2 3 X    E1 2 3 X    E1 2 4 X        E1 enters the loop and makes its first iteration, X leaves it
//!      ways      1 2 3 X, twice; 1 2 4 X, once           a run of paths ends where the loop is left, so no cycle has three rounds
//! ```
//!
//! An interpreter that is called for each of many packets, rows or pixels has such a loop, wherever it stands: in the loop over these, or in a callee.
//! Invariant: a way is told from where the loop was seen to be entered to where it was seen to be left.

use super::super::nest::Nest;
use super::super::spec::{Layout, Trace, TraceSpec};
use super::forest::Repeated;
use super::room::{NoRoom, Room};
use crate::request::Request;
use crate::settings::forest::LEAST_PART;
use crate::settings::inline::LARGE;
use crate::settings::through::LONGEST;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Cfg, FuncRef, Inst, LoopId, Loops, Module};
use std::collections::{BTreeMap, BTreeSet};

/// A way through a loop, as numbers of paths; the last leaves it.
type Way = Vec<usize>;

/// The ways that were read of one loop.
#[derive(Default)]
struct Ways {
    paths: Vec<Vec<Block>>,
    numbers: HashMap<Vec<Block>, usize>,
    /// The number of times that each way was taken.
    counts: HashMap<Way, u64>,
    /// Iterations in all, be they on a way that was seen whole or not.
    iterations: u64,
}

impl Repeated<'_> {
    /// The ways through each innermost loop, by all paths of the body, whatever they begin and end at.
    pub(super) fn ways_through(
        &self,
        paths: &HashMap<u64, Vec<Block>>,
        streams: &[Vec<u64>],
    ) -> (Vec<TraceSpec>, BTreeMap<Block, NoRoom>) {
        let (mut specs, mut no_room) = (Vec::new(), BTreeMap::new());
        for id in self.nest.loops.keys().filter(|id| self.nest.loops.is_innermost(*id)) {
            let (spec, room) = self.frequent_through(id, &Ways::read(&self.nest, id, paths, streams));
            specs.extend(spec);
            no_room.extend(room.left_out().map(|left_out| (self.nest.loops.get(id).header, left_out)));
        }
        (specs, no_room)
    }

    /// The frequent ways through a loop, and the room that they take.
    fn frequent_through(&self, id: LoopId, ways: &Ways) -> (Option<TraceSpec>, Room) {
        let iterations = |way: &Way| way.len() as u64 - 1;
        let all = ways.iterations.max(1);
        let mut frequent: Vec<(&Way, u64)> =
            ways.counts.iter().map(|(way, count)| (way, iterations(way) * count)).collect();
        // A way of less than two iterations goes round nothing.
        frequent
            .retain(|(way, made)| (2..=LONGEST).contains(&(way.len() - 1)) && *made as f64 >= LEAST_PART * all as f64);
        frequent.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut chosen: Vec<(&Way, u64)> = Vec::new();
        let mut room = Room::default();
        for (way, made) in frequent {
            let blocks =
                way.iter().flat_map(|path| &ways.paths[*path]).filter(|block| self.nest.loops.contains(id, **block));
            let own: usize = blocks.map(|block| self.body.blocks[*block].insts.len() + 1).sum();
            if room.fits(own) {
                room.add(own);
                chosen.push((way, made));
            }
        }
        let traces: Vec<Trace> = chosen
            .iter()
            .map(|(way, made)| Trace {
                share: *made as f64 / all as f64,
                ..Trace::new(way.iter().map(|path| ways.paths[*path].clone()).collect())
            })
            .collect();
        // Who leaves a way and the loop at once makes no iteration off it.
        let in_common = |way: &Way| {
            let with = |chosen: &Way| way.iter().zip(chosen).take_while(|(a, b)| a == b).count() as u64;
            chosen.iter().map(|(chosen, _)| with(chosen).min(iterations(way))).max().unwrap_or(0)
        };
        let stay: u64 = ways.counts.iter().map(|(way, count)| in_common(way) * count).sum();
        let header = self.nest.loops.get(id).header;
        let spec = (!traces.is_empty()).then(|| TraceSpec {
            layout: Layout::Through,
            executions: all,
            ..self.spec_of(header, traces, stay as f64 / all as f64)
        });
        (spec, room)
    }
}

/// True iff a way calls functions whose loops run, and which are inlined: each call would have a copy of them.
pub fn copies_loops(module: &Module, request: &Request, spec: &TraceSpec) -> bool {
    let body = request.whole();
    let insts = spec.blocks().flat_map(|block| &body.blocks[block].insts);
    let callees: BTreeSet<FuncRef> = insts
        .filter_map(|inst| match inst {
            Inst::Call { func, .. } => Some(*func),
            _ => None,
        })
        .collect();
    spec.layout == Layout::Through && callees.into_iter().any(|func| is_copied_with_loops(module, request, func))
}

fn is_copied_with_loops(module: &Module, request: &Request, func: FuncRef) -> bool {
    let callee = module.function(func);
    let is_inlined = callee.size() <= LARGE && !callee.catches() && !request.not_inlined.contains(&func);
    let Some(counts) = request.observed.of(func).filter(|_| is_inlined) else { return false };
    let loops = Loops::of(&Cfg::compute(callee));
    loops.iter().any(|(_, l)| counts.executions(l.header) > counts.executions(callee.entry()))
}

/// A path of the body, by its part in a loop.
struct Step {
    /// It comes from elsewhere.
    enters: bool,
    /// An iteration ends with it.
    goes_back: bool,
    /// It goes on elsewhere.
    leaves: bool,
    /// The number of the part of it that is in the loop, with where it goes on.
    number: usize,
}

impl Ways {
    fn read(nest: &Nest, id: LoopId, paths: &HashMap<u64, Vec<Block>>, streams: &[Vec<u64>]) -> Ways {
        let mut ways = Ways::default();
        // In order, as numbers order ways that are as frequent.
        let paths: BTreeMap<&u64, &Vec<Block>> = paths.iter().collect();
        let steps: HashMap<u64, Step> =
            paths.into_iter().filter_map(|(path, blocks)| Some((*path, ways.step(nest, id, blocks)?))).collect();
        for stream in streams {
            // The way so far, if the loop was seen to be entered.
            let mut way: Option<Way> = None;
            for path in stream {
                way = steps.get(path).and_then(|step| ways.follow(step, way));
            }
        }
        ways
    }

    fn step(&mut self, nest: &Nest, id: LoopId, blocks: &[Block]) -> Option<Step> {
        let l = nest.loops.get(id);
        let first = blocks.iter().position(|block| *block == l.header)?;
        let inside = &blocks[first..];
        let left = inside.iter().position(|block| !nest.loops.contains(id, *block));
        Some(Step {
            enters: first > 0,
            goes_back: left.is_none() && inside.last().is_some_and(|last| l.latches.contains(last)),
            leaves: left.is_some(),
            number: self.number(&inside[..left.map_or(inside.len(), |left| left + 1)]),
        })
    }

    /// Follows one path of the body; gives the way that goes on behind it.
    fn follow(&mut self, step: &Step, before: Option<Way>) -> Option<Way> {
        self.iterations += u64::from(step.goes_back);
        let mut way = if step.enters { Way::new() } else { before? };
        let has_room = way.len() < LONGEST;
        way.push(step.number);
        if step.leaves {
            *self.counts.entry(way).or_default() += 1;
            return None;
        }
        (step.goes_back && has_room).then_some(way)
    }

    fn number(&mut self, path: &[Block]) -> usize {
        *self.numbers.entry(path.to_vec()).or_insert_with(|| {
            self.paths.push(path.to_vec());
            self.paths.len() - 1
        })
    }
}
