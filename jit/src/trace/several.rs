//! Several traces in one body: each is formed on the body that the one before made. Invariant: guards and origins name
//! blocks of the body that was given, as if each trace had been formed on that.

use super::form::{Formed, Guard, GuardId, Head, Origins, form};
use super::spec::{Trace, TraceSpec};
use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function};
use std::sync::Arc;

/// Forms several specs, one on the other, as many as can be; gives the positions of these, too. A trace whose blocks an
/// earlier one has copied cannot. What is known to be formed of the first on this very body is not formed again.
pub fn form_all<'a>(
    body: &Function,
    wanted: impl IntoIterator<Item = (&'a TraceSpec, Option<&'a Arc<Formed>>)>,
) -> Option<(Arc<Formed>, Vec<usize>)> {
    let mut all: Option<(Arc<Formed>, Vec<usize>)> = None;
    for (at, (spec, known)) in wanted.into_iter().enumerate() {
        match &mut all {
            None => {
                let formed = known.cloned().or_else(|| form(body, spec).ok().map(Arc::new));
                all = formed.map(|formed| (formed, vec![at]));
            }
            Some((formed, done)) => {
                if let Some(next) = formed.translate(spec).and_then(|spec| form(&formed.body, &spec).ok()) {
                    *formed = Arc::new(formed.followed_by(next));
                    done.push(at);
                }
            }
        }
    }
    all
}

impl Formed {
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

    /// Both traces, the other being formed on this body, in which a head has several copies, so no trace passes it.
    fn followed_by(&self, next: Formed) -> Formed {
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
        let copies = |head: &Head| {
            let (head, blocks) = (*head, next.origins.blocks.iter());
            blocks.filter(move |(_, of)| **of == head.block).map(move |(block, _)| Head { block, ..head })
        };
        let heads = self.heads.iter().flat_map(copies).chain(next.heads.iter().copied()).collect();
        Formed { guards, origins, heads, ..next }
    }
}
