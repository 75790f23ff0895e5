//! The programs of two profiles, where they can still be had.
//!
//! In: engines with them. Out: excerpts. Invariant: an excerpt is of the function that was
//! profiled: one that has another body now, or stands on other lines, is not shown.

use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::FuncRef;
use holloway_profiler::graph::Node;

use super::difference::Change;
use super::saved::SavedProfile;
use crate::report::body_hash::body_hash;
use crate::report::paths::{self, Excerpts};
use holloway::Engine;

/// The programs of both profiles, where they could be loaded.
pub struct Sources<'a>(pub [(&'a SavedProfile, Option<Engine>); 2]);

impl Sources<'_> {
    /// Appends the lines of a path of what changed; false if no program with it is to be had. Where the function has another body on each side, each
    /// side shows its own.
    pub(super) fn append(&self, change: &Change, blocks: &[u32], width: usize, out: &mut String) -> bool {
        if !change.differs_in_body {
            return [1, 0].into_iter().any(|side| self.append_side(side, change, blocks, width, out));
        }
        let mut is_shown = false;
        for (side, name) in ["a", "b"].into_iter().enumerate() {
            let start = out.len();
            out.push_str(&format!("       in {name}\n"));
            match self.append_side(side, change, blocks, width, out) {
                true => is_shown = true,
                false => out.truncate(start),
            }
        }
        is_shown
    }

    fn append_side(&self, side: usize, change: &Change, blocks: &[u32], width: usize, out: &mut String) -> bool {
        let (profile, engine) = &self.0[side];
        let (Some(engine), Some(place)) = (engine, change.places[side]) else { return false };
        let Some(func) = unchanged(engine, profile, place) else { return false };
        let body = engine.module().function(func);
        if blocks.iter().any(|block| *block as usize >= body.blocks.len()) {
            return false;
        }
        let nodes: Vec<Node> = blocks.iter().map(|block| Node::from_u32(*block)).collect();
        paths::passes(Excerpts { engine, func, graph: &graph_of(body), width }, &nodes, out);
        true
    }
}

/// The function at a place of a profile, if its blocks stand where they stood and do what they did.
fn unchanged(engine: &Engine, profile: &SavedProfile, place: usize) -> Option<FuncRef> {
    let func = engine.module().funcs.keys().nth(place)?;
    let (saved, body) = (&profile.functions[place], engine.module().function(func));
    let lines = body.blocks.keys().map(|block| engine.lines_of(func, block));
    let is_same = saved.hash.as_ref().is_none_or(|hash| *hash == body_hash(engine.module(), body));
    (is_same && saved.name == body.name && saved.blocks.iter().map(|block| block.lines).eq(lines)).then_some(func)
}
