//! The programs of two profiles, where they can still be had.
//!
//! In: engines with them. Out: excerpts. Invariant: an excerpt is of the function that was
//! profiled: one whose blocks stand on other lines now is not shown.

use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::FuncRef;
use holloway_profiler::graph::Node;

use super::difference::Change;
use super::saved::SavedProfile;
use crate::report::paths::{self, Excerpts};
use holloway::Engine;

/// The programs of both profiles, where they could be loaded.
pub struct Sources<'a>(pub [(&'a SavedProfile, Option<Engine>); 2]);

impl Sources<'_> {
    /// Appends the lines of a path of what changed; false if its program is not to be had.
    pub(super) fn append(&self, change: &Change, blocks: &[u32], width: usize, out: &mut String) -> bool {
        let places = self.0.iter().zip(&change.places).rev();
        let mut unchanged = places.filter_map(|((profile, engine), place)| {
            let (engine, place) = (engine.as_ref()?, (*place)?);
            Some((engine, unchanged(engine, profile, place)?))
        });
        let Some((engine, func)) = unchanged.next() else { return false };
        let body = engine.module().function(func);
        if blocks.iter().any(|block| *block as usize >= body.blocks.len()) {
            return false;
        }
        let nodes: Vec<Node> = blocks.iter().map(|block| Node::from_u32(*block)).collect();
        paths::passes(Excerpts { engine, func, graph: &graph_of(body), width }, &nodes, out);
        true
    }
}

/// The function at a place of a profile, if its blocks stand where they stood.
fn unchanged(engine: &Engine, profile: &SavedProfile, place: usize) -> Option<FuncRef> {
    let func = engine.module().funcs.keys().nth(place)?;
    let (saved, body) = (&profile.functions[place], engine.module().function(func));
    let lines = body.blocks.keys().map(|block| engine.lines_of(func, block));
    (saved.name == body.name && saved.blocks.iter().map(|block| block.lines).eq(lines)).then_some(func)
}
