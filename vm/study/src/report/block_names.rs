//! Names of a function's blocks and edges for people.
//!
//! In: an engine and a function. Out: a block's lines; where several blocks have the same, the line and column at which it starts; where
//! these are the same too, its role in its loop: `8 header` decides whether the loop goes on, `8 latch` goes back there; and where nothing else tells
//! them apart, its number. An edge's name says how the block ends that it leaves: `12:8 true -> 13`.
//! Invariant: blocks with source of their own have different names, and so have the edges that leave them.

use super::unique_names::unique_names;
use cranelift_entity::SecondaryMap;
use holloway::Engine;
use holloway_lang::ir::{Block, BlockData, Cfg, FuncRef, Function, Loops, Terminator};
use std::collections::HashMap;

/// Names of the blocks of one function.
pub(super) struct BlockNames<'a> {
    body: &'a Function,
    /// For each block the one with source that it leads to, if it is empty, or itself.
    passed_to: SecondaryMap<Block, Block>,
    names: HashMap<Block, String>,
}

impl BlockNames<'_> {
    /// Names all blocks of a function.
    pub(super) fn new(engine: &Engine, func: FuncRef) -> BlockNames<'_> {
        let body = &**engine.module().function(func);
        let passed_to = passed_to(body);
        let lines = |block| match engine.lines_of(func, block) {
            (first, last) if first == last => format!("{first}"),
            (first, last) => format!("{first}-{last}"),
        };
        let start = |block: Block| {
            let (line, column) = engine.sources().line_col(body.blocks[block].span());
            format!("{line}:{column}")
        };
        let loops = Loops::of(&Cfg::compute(body));
        let in_loop = |block: Block| match loop_role(&loops, block) {
            Some(role) => format!("{} {role}", engine.sources().line_col(body.blocks[block].span()).0),
            None => start(block),
        };
        let placed = |block: Block| match loop_role(&loops, block) {
            Some(role) => format!("{} {role}", start(block)),
            None => start(block),
        };
        let numbered = |block| format!("{} {block}", start(block));
        let shown = body.blocks.keys().filter(|block| passed_to[*block] == *block);
        let names = unique_names(shown, &[&lines, &start, &in_loop, &placed, &numbered]);
        BlockNames { body, passed_to, names }
    }

    /// True iff an edge stands for itself in a table: one that leaves an empty block is shown as the edge that leads there.
    pub(super) fn is_shown(&self, from: Block) -> bool {
        from == self.body.entry() || self.passed_to[from] == from
    }

    /// The name of an edge, by the block with source that it leads to.
    pub(super) fn edge(&self, from: Block, to: Block) -> String {
        let start = self.names.get(&from).map_or("entry", String::as_str);
        let end = &self.names[&self.passed_to[to]];
        match outcome(self.body, from, to) {
            Some(outcome) => format!("{start} {outcome} -> {end}"),
            None => format!("{start} -> {end}"),
        }
    }
}

/// The part of a block in its loop, if it begins or ends the iterations of one.
fn loop_role(loops: &Loops, block: Block) -> Option<&'static str> {
    let of = &loops[loops.innermost(block)?];
    let is_latch = of.latches.contains(&block);
    match of.header == block {
        true => Some("header"),
        false => is_latch.then_some("latch"),
    }
}

/// For each block itself, or the first one behind it with anything in it; an endless loop may be empty.
fn passed_to(body: &Function) -> SecondaryMap<Block, Block> {
    let mut found: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    for block in body.blocks.keys() {
        let mut passed = Vec::new();
        let mut at = block;
        let end = loop {
            match (found[at], &body.blocks[at]) {
                (Some(end), _) => break end,
                (None, BlockData { insts, term: Terminator::Jump(to), .. }) if insts.is_empty() => {
                    passed.push(at);
                    // Until another is known: where an empty loop begins.
                    found[at] = Some(at);
                    at = *to;
                }
                (None, _) => break at,
            }
        };
        passed.into_iter().for_each(|block| found[block] = Some(end));
    }
    let mut all = SecondaryMap::with_default(body.entry());
    body.blocks.keys().for_each(|block| all[block] = found[block].unwrap_or(block));
    all
}

/// The end of a block that leads along an edge, where several edges leave it.
fn outcome(body: &Function, from: Block, to: Block) -> Option<String> {
    let data = &body.blocks[from];
    let mut is_target = false;
    data.term.targets(|target| is_target |= target == to);
    if !is_target {
        return Some("fails".to_owned());
    }
    match &data.term {
        Terminator::Branch { then, otherwise, .. } if then != otherwise => Some((*then == to).to_string()),
        Terminator::Switch { default, .. } if *default == to => Some("default".to_owned()),
        Terminator::Switch { cases, .. } => Some(case(cases.iter().filter(|case| case.1 == to).map(|case| case.0))),
        Terminator::Branch { .. }
        | Terminator::Jump(_)
        | Terminator::Return(_)
        | Terminator::Fail { .. }
        | Terminator::Exit(_) => None,
    }
}

/// The values that lead to one block, of which a few are shown.
fn case(values: impl Iterator<Item = i64>) -> String {
    const SHOWN: usize = 3;
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    let more = if values.len() > SHOWN { ", ..." } else { "" };
    format!("case {}{more}", values[..values.len().min(SHOWN)].join(", "))
}
