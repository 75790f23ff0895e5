//! Several traces in one body: each is formed on the body that the one before made.
//!
//! In: a body, the specializations of its loops. Out: one [`Formed`], where each trace starts, and which are in it.
//! Invariant: guards and origins name blocks of the body that was given, as if each trace had been formed on that.

use super::counted::Head;
use super::form::{Formed, Guard, GuardId, Origins, form};
use super::spec::{Trace, TraceSpec};
use super::specialization::Specialization;
use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function};
use std::sync::Arc;

/// Traces in one body.
#[derive(Clone, Debug)]
pub struct Several {
    /// The body; its head and entry are those of the last trace.
    pub formed: Arc<Formed>,
    /// Start of the rounds of each trace.
    pub heads: Vec<Head>,
    /// The specializations that could be formed, by their position.
    pub done: Vec<usize>,
}

/// Forms several specializations, one on the other, as many as can be. A trace whose blocks an earlier one has copied
/// cannot.
pub fn form_all(body: &Function, wanted: &[Specialization]) -> Option<Several> {
    let mut all: Option<Several> = None;
    for (at, specialization) in wanted.iter().enumerate() {
        match &mut all {
            None => {
                let formed = specialization.formed_of(body).cloned();
                let formed =
                    formed.or_else(|| form(body, &specialization.spec, specialization.shape).ok().map(Arc::new));
                all = formed.map(|formed| Several { heads: heads(&formed, specialization), formed, done: vec![at] });
            }
            Some(several) => {
                if let Some(next) = several.formed.next(specialization) {
                    several.add(at, &next, heads(&next, specialization));
                }
            }
        }
    }
    all
}

/// Start of the rounds of each trace.
fn heads(formed: &Formed, Specialization { spec, shape, .. }: &Specialization) -> Vec<Head> {
    let unroll = spec.shape(*shape).unroll;
    let head = |(block, trace): (&Block, &Trace)| Head {
        block: *block,
        iterations: u64::from(spec.counted_iterations(trace) * unroll),
    };
    formed.heads.iter().zip(&spec.traces).map(head).collect()
}

impl Several {
    /// Adds a trace that was formed on the body. No trace passes the head of an earlier trace, as the block it was made of
    /// has several copies.
    fn add(&mut self, at: usize, next: &Formed, heads: Vec<Head>) {
        let copies = |head: &Head| {
            let (head, origins) = (*head, &next.origins.blocks);
            origins.iter().filter(move |(_, of)| **of == head.block).map(move |(block, _)| Head { block, ..head })
        };
        self.heads = self.heads.iter().flat_map(copies).chain(heads).collect();
        self.formed = Arc::new(self.formed.followed_by(next));
        self.done.push(at);
    }
}

impl Formed {
    /// One more trace, formed on this body.
    fn next(&self, specialization: &Specialization) -> Option<Formed> {
        form(&self.body, &self.translate(&specialization.spec)?, specialization.shape).ok()
    }

    /// A spec of the body that this was formed on, as one of this body; `None` if a block of it has no copy, or several.
    fn translate(&self, spec: &TraceSpec) -> Option<TraceSpec> {
        let mut copies: HashMap<Block, Option<Block>> = HashMap::new();
        for block in self.body.blocks.keys() {
            copies.entry(self.origins.blocks[block]).and_modify(|one| *one = None).or_insert(Some(block));
        }
        let copy = |block: Block| copies.get(&block).copied().flatten();
        let path = |path: &Vec<Block>| path.iter().map(|block| copy(*block)).collect::<Option<Vec<Block>>>();
        let trace = |trace: &Trace| {
            let paths = trace.paths.iter().map(path).collect::<Option<_>>()?;
            Some(Trace { paths, ..trace.clone() })
        };
        let traces = spec.traces.iter().map(trace).collect::<Option<_>>()?;
        Some(TraceSpec { header: copy(spec.header)?, traces, ..spec.clone() })
    }

    /// Both traces, the other being formed on this body.
    fn followed_by(&self, next: &Formed) -> Formed {
        let is_copy = |block: &Block, of: Block| next.origins.blocks[*block] == of;
        let mut guards: PrimaryMap<GuardId, Guard> = PrimaryMap::new();
        for guard in self.guards.values() {
            // A block that is on the next trace may end in a test of its own, behind which another copy of it has its edges.
            let copied_edge = |from: Block| {
                let mut to = None;
                let term = &next.body.blocks[from].term;
                term.targets(|target| to = to.or(Some(target).filter(|to| is_copy(to, guard.edge.1))));
                to.map(|to| (from, to))
            };
            let copies = next.body.blocks.keys().filter(|block| is_copy(block, guard.edge.0));
            // A guard is gone if nothing reaches it any more.
            guards.extend(copies.filter_map(copied_edge).map(|edge| Guard { edge, ..*guard }));
        }
        for guard in next.guards.values() {
            guards.push(Guard { target: self.origins.blocks[guard.target], ..*guard });
        }
        let mut origins = Origins { blocks: PrimaryMap::new(), cold: next.origins.cold.clone() };
        for block in next.body.blocks.keys() {
            let before = next.origins.blocks[block];
            origins.blocks.push(self.origins.blocks[before]);
            if self.origins.cold.contains(before) {
                origins.cold.insert(block);
            }
        }
        Formed { guards, origins, ..next.clone() }
    }
}
