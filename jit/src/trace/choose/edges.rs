//! Traces of one iteration: what TFP found persistent, or what edge counts say is nearly always taken.

use super::super::nest::Nest;
use super::super::spec::{Declined, Layout, Source, Trace, TraceSpec};
use crate::graph_of::block_of;
use crate::settings::edges::LEAST_BIAS;
use cranelift_entity::EntitySet;
use holloway_lang::ir::{Block, EdgeKind, Function, LoopId};
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
    Ok(one_path(block_of(head), blocks, 1.0, findings.executions, Source::Tfp))
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
            (Some((only, _)), None) => Some((*only, 1.0)),
            // An edge that leaves the loop ends it, so it was taken at most once.
            _ => only_inside(&nest, header, from, &is_untaken),
        }
    })?;
    Ok(one_path(header, blocks.0, 1.0, executions, Source::Tfp))
}

fn only_inside(nest: &Nest, header: Block, from: Block, is_untaken: &impl Fn(Block) -> bool) -> Option<(Block, f64)> {
    let around = nest.loops.headed_by(header)?;
    let inside = |to: Block| nest.loops.contains(around, to) && !is_untaken(to);
    let mut left = nest.cfg.succs(from).iter().filter(|(to, kind)| *kind == EdgeKind::Normal && inside(*to));
    match (left.next(), left.next()) {
        (Some((only, _)), None) => Some((*only, 1.0)),
        _ => None,
    }
}

/// For each loop the path along edges that are nearly always taken; those that cover most executions first.
pub fn from_edges(body: &Function, count: impl Fn(Block, Block) -> u64) -> Vec<TraceSpec> {
    let nest = Nest::of(body);
    let mut chosen: Vec<TraceSpec> = nest.loops.iter().filter_map(|(id, _)| biased(&nest, id, &count)).collect();
    let covered = |spec: &TraceSpec| spec.coverage * spec.executions as f64;
    chosen.sort_by(|a, b| covered(b).total_cmp(&covered(a)).then(a.header.cmp(&b.header)));
    chosen
}

fn biased(nest: &Nest, id: LoopId, count: &impl Fn(Block, Block) -> u64) -> Option<TraceSpec> {
    let l = nest.loops.get(id);
    let back: u64 = l.latches.iter().map(|latch| count(*latch, l.header)).sum();
    let step = |from: Block| {
        let succs = nest.cfg.succs(from);
        let all: u64 = succs.iter().map(|(to, _)| count(from, *to)).sum();
        let (to, taken) = succs
            .iter()
            .filter(|(_, kind)| *kind == EdgeKind::Normal)
            .map(|(to, _)| (*to, count(from, *to)))
            .max_by_key(|(to, taken)| (*taken, std::cmp::Reverse(*to)))?;
        let share = taken as f64 / all as f64;
        (all > 0 && share >= LEAST_BIAS).then_some((to, share))
    };
    let (blocks, coverage) = follow(nest, l.header, step).ok()?;
    Some(one_path(l.header, blocks, coverage, back, Source::Edges))
}

/// The blocks that one step after another leads to from a header, until it is reached again; and the product of the steps' shares.
fn follow(
    nest: &Nest,
    header: Block,
    step: impl Fn(Block) -> Option<(Block, f64)>,
) -> Result<(Vec<Block>, f64), Declined> {
    let around = nest.loops.headed_by(header).ok_or(Declined::NoLoop)?;
    let mut seen: EntitySet<Block> = EntitySet::new();
    let (mut blocks, mut coverage, mut at) = (Vec::new(), 1.0, header);
    loop {
        if !seen.insert(at) {
            return Err(Declined::InnerLoop);
        }
        blocks.push(at);
        let (to, share) = step(at).ok_or(Declined::NoPath)?;
        coverage *= share;
        if to == header {
            return Ok((blocks, coverage));
        }
        if !nest.loops.contains(around, to) {
            return Err(Declined::NoPath);
        }
        at = to;
    }
}

fn one_path(header: Block, blocks: Vec<Block>, coverage: f64, executions: u64, source: Source) -> TraceSpec {
    TraceSpec {
        header,
        traces: vec![Trace::new(vec![blocks])],
        constants: Vec::new(),
        distinct: Vec::new(),
        collapsed: Vec::new(),
        layout: Layout::Apart,
        coverage,
        executions,
        source,
    }
}
