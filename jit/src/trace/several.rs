//! Several traces in one body: each is formed on the body that the one before made.
//!
//! In: a body, the specs of its loops and their shapes. Out: one [`Formed`], where each trace starts, and which of the specs are in it.
//! Invariant: guards and origins name blocks of the body that was given, as if each trace had been formed on that.

use super::counted::Head;
use super::form::{Formed, Guard, GuardId, Shape, form};
use super::{Origins, TraceSpec};
use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function};

/// Traces in one body.
#[derive(Clone, Debug)]
pub struct Several {
    /// The body; its head and entry are those of the last trace.
    pub formed: Formed,
    /// Start of the rounds of each trace.
    pub heads: Vec<Head>,
    /// The specs that traces were formed of, by their position.
    pub done: Vec<usize>,
}

/// Forms several traces, one on the other, as many as can be. A trace whose blocks an earlier one has copied cannot.
pub fn form_all(body: &Function, specs: &[(TraceSpec, Shape)]) -> Option<Several> {
    let mut all: Option<Several> = None;
    for (at, (spec, shape)) in specs.iter().enumerate() {
        let on = all.as_ref().map_or(body, |before| &before.formed.body);
        let spec = all.as_ref().map_or_else(|| Some(spec.clone()), |before| before.formed.translate(spec));
        let Some(spec) = spec else { continue };
        let Ok(next) = form(on, &spec, *shape) else { continue };
        let head = Head { block: next.head, iterations: u64::from(spec.iterations(*shape)) };
        let mut several = match all {
            None => Several { formed: next, heads: Vec::new(), done: Vec::new() },
            Some(before) => before.followed_by(next),
        };
        several.heads.push(head);
        several.done.push(at);
        all = Some(several);
    }
    all
}

impl Several {
    /// The body with a trace that was formed on it. No walk passes the head of an earlier trace, as the block it was made of
    /// has several copies.
    fn followed_by(self, next: Formed) -> Several {
        let copies = |head: &Head| {
            let (head, origins) = (*head, &next.origins.blocks);
            origins.iter().filter(move |(_, of)| **of == head.block).map(move |(block, _)| Head { block, ..head })
        };
        let heads = self.heads.iter().flat_map(copies).collect();
        Several { formed: self.formed.followed_by(next), heads, done: self.done }
    }
}

impl Formed {
    /// A spec of the body that this was formed on, as one of this body; `None` if a block of it has no copy, or several.
    pub fn translate(&self, spec: &TraceSpec) -> Option<TraceSpec> {
        let mut copies: HashMap<Block, Option<Block>> = HashMap::new();
        for block in self.body.blocks.keys() {
            copies.entry(self.origins.blocks[block]).and_modify(|one| *one = None).or_insert(Some(block));
        }
        let copy = |block: Block| copies.get(&block).copied().flatten();
        let path = |path: &Vec<Block>| path.iter().map(|block| copy(*block)).collect::<Option<Vec<Block>>>();
        let paths = spec.paths.iter().map(path).collect::<Option<Vec<_>>>()?;
        Some(TraceSpec { header: copy(spec.header)?, paths, ..spec.clone() })
    }

    /// Both traces, the other being formed on this body.
    fn followed_by(self, next: Formed) -> Formed {
        let is_copy = |block: &Block, of: Block| next.origins.blocks[*block] == of;
        let mut guards: PrimaryMap<GuardId, Guard> = PrimaryMap::new();
        for guard in self.guards.values() {
            // A guard is gone if nothing reaches it any more.
            let from = next.body.blocks.keys().find(|block| is_copy(block, guard.edge.0));
            let Some(from) = from else { continue };
            let mut to = None;
            next.body.blocks[from]
                .term
                .targets(|target| to = to.or(Some(target).filter(|to| is_copy(to, guard.edge.1))));
            let to = to.expect("a copy of a block has copies of its edges");
            guards.push(Guard { edge: (from, to), ..*guard });
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
        Formed { guards, origins, ..next }
    }
}
