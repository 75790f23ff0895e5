//! Several traces in one body: each is formed on the body that the one before made.
//!
//! In: a body, the specs of its loops and their shapes. Out: one [`Formed`], and which of the specs are in it.
//! Invariant: guards and origins name blocks of the body that was given, as if each trace had been formed on that.

use super::form::{Formed, Guard, GuardId, Shape, form};
use super::{Origins, TraceSpec};
use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function};

/// Forms several traces, one on the other; gives those that could be, by their position in `specs`. A trace whose blocks an earlier
/// one has copied cannot.
pub fn form_all(body: &Function, specs: &[(TraceSpec, Shape)]) -> Option<(Formed, Vec<usize>)> {
    let mut done: Option<(Formed, Vec<usize>)> = None;
    for (at, (spec, shape)) in specs.iter().enumerate() {
        let next = match &done {
            None => form(body, spec, *shape).ok(),
            Some((before, _)) => before.translate(spec).and_then(|spec| form(&before.body, &spec, *shape).ok()),
        };
        let Some(next) = next else { continue };
        done = Some(match done {
            None => (next, vec![at]),
            Some((before, mut formed)) => {
                formed.push(at);
                (before.followed_by(next), formed)
            }
        });
    }
    done
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
