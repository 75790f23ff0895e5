//! Traces of one iteration: the paths that TFP found persistent (3.2 of `[NGF03]`).
//!
//! In: findings of regions. Out: the path of an iteration, or why there is none. What is left without untaken blocks is in [`super::untaken`].

use super::super::nest::Nest;
use super::super::spec::{Declined, Layout, Source, Trace, TraceSpec};
use crate::graph_of::block_of;
use holloway_lang::ir::{Block, EdgeKind, Function};
use holloway_profiler::persistence::{Findings, RegionPlace, Regions};

/// The persistent path of a loop's region.
pub fn from_findings(body: &Function, regions: &Regions, findings: &Findings) -> Result<TraceSpec, Declined> {
    let region = regions.get(findings.register);
    let RegionPlace::Block(head) = region.head else { return Err(Declined::NoLoop) };
    if region.around.is_none() {
        return Err(Declined::NoLoop);
    }
    let Some(path) = findings.path.as_ref().filter(|_| findings.is_persistent()) else { return Err(Declined::NoPath) };
    let blocks: Option<Vec<Block>> = path
        .iter()
        .map(|place| match place {
            RegionPlace::Block(node) => Some(block_of(*node)),
            RegionPlace::Loop(_) => None,
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

/// A trace of one path, which every iteration is taken to follow.
pub(super) fn one_path(header: Block, blocks: Vec<Block>, executions: u64) -> TraceSpec {
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
