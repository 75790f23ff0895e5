//! Proposals for tests.

use holloway_ir::Block;
use holloway_jit::trace::{Layout, Trace, TraceShape, TraceSpec};

use crate::gain::Estimate;
use crate::proposal::Proposal;

/// A proposal for the loop at block 1, of one trace that is this block.
pub(crate) fn proposal(coverage: f64, cost: f64, general_cost: f64) -> Proposal {
    of_paths(vec![vec![Block::from_u32(1)]], Estimate { coverage, cost, general_cost })
}

/// A proposal of one trace.
pub(crate) fn of_paths(paths: Vec<Vec<Block>>, estimate: Estimate) -> Proposal {
    let spec = TraceSpec {
        header: paths[0][0],
        traces: vec![Trace::new(paths)],
        constants: Vec::new(),
        layout: Layout::Apart,
        coverage: estimate.coverage,
        executions: 1,
        shape: TraceShape::default(),
    };
    Proposal { callee: None, spec, formed: None, estimate, lines: Vec::new() }
}
