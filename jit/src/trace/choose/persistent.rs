//! Traces of one iteration: what TFP found persistent.
//!
//! In: findings of regions, or the blocks that were persistently not taken. Out: the path of an iteration, or why there is none.

use super::super::nest::Nest;
use super::super::spec::{Declined, Layout, Source, Trace, TraceSpec};
use crate::graph_of::block_of;
use cranelift_entity::EntitySet;
use holloway_lang::ir::{Block, EdgeKind, Function};
use holloway_profiler::persistence::{Findings, Place, Regions};

/// The persistent path of a loop's region.
pub fn from_findings(body: &Function, regions: &Regions, findings: &Findings) -> Result<TraceSpec, Declined> {
    let region = regions.get(findings.register);
    let Place::Block(head) = region.head else { return Err(Declined::NoLoop) };
    if region.around.is_none() {
        return Err(Declined::NoLoop);
    }
    let Some(path) = findings.path.as_ref().filter(|_| findings.is_persistent()) else { return Err(Declined::NoPath) };
    let blocks: Option<Vec<Block>> = path
        .iter()
        .map(|place| match place {
            Place::Block(node) => Some(block_of(*node)),
            Place::Loop(_) => None,
        })
        .collect();
    let blocks = blocks.ok_or(Declined::InnerLoop)?;
    let nest = Nest::of(body);
    let next = blocks.iter().cycle().skip(1);
    let follows = |(from, to): (&Block, &Block)| nest.cfg.succs(*from).contains(&(*to, EdgeKind::Normal));
    // A place may be passed by a failure that is caught: such a path is no trace.
    if !blocks.iter().zip(next).all(follows) {
        return Err(Declined::NotClosed);
    }
    Ok(one_path(block_of(head), blocks, findings.executions))
}

/// The only path that is left of a loop when blocks that were persistently not taken are left out.
pub fn from_untaken(
    body: &Function,
    header: Block,
    is_untaken: impl Fn(Block) -> bool,
    executions: u64,
) -> Result<TraceSpec, Declined> {
    let nest = Nest::of(body);
    let blocks = follow(&nest, header, |from| {
        let mut left = nest.cfg.succs(from).iter().filter(|(to, kind)| *kind == EdgeKind::Normal && !is_untaken(*to));
        match (left.next(), left.next()) {
            (Some((only, _)), None) => Some(*only),
            // An edge that leaves the loop ends it, so it was taken at most once.
            _ => only_inside(&nest, header, from, &is_untaken),
        }
    })?;
    Ok(one_path(header, blocks, executions))
}

fn only_inside(nest: &Nest, header: Block, from: Block, is_untaken: &impl Fn(Block) -> bool) -> Option<Block> {
    let around = nest.loops.headed_by(header)?;
    let inside = |to: Block| nest.loops.contains(around, to) && !is_untaken(to);
    let mut left = nest.cfg.succs(from).iter().filter(|(to, kind)| *kind == EdgeKind::Normal && inside(*to));
    match (left.next(), left.next()) {
        (Some((only, _)), None) => Some(*only),
        _ => None,
    }
}

/// The blocks that one step after another leads to from a header, until it is reached again.
fn follow(nest: &Nest, header: Block, step: impl Fn(Block) -> Option<Block>) -> Result<Vec<Block>, Declined> {
    let around = nest.loops.headed_by(header).ok_or(Declined::NoLoop)?;
    let mut seen: EntitySet<Block> = EntitySet::new();
    let (mut blocks, mut at) = (Vec::new(), header);
    loop {
        if !seen.insert(at) {
            return Err(Declined::InnerLoop);
        }
        blocks.push(at);
        let to = step(at).ok_or(Declined::NoPath)?;
        if to == header {
            return Ok(blocks);
        }
        if !nest.loops.contains(around, to) {
            return Err(Declined::NoPath);
        }
        at = to;
    }
}

fn one_path(header: Block, blocks: Vec<Block>, executions: u64) -> TraceSpec {
    TraceSpec {
        header,
        traces: vec![Trace::new(vec![blocks])],
        constants: Vec::new(),
        distinct: Vec::new(),
        collapsed: Vec::new(),
        layout: Layout::Apart,
        coverage: 1.0,
        executions,
        source: Source::Tfp,
    }
}
