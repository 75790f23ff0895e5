//! Random supergraphs, and random executions of them.
//!
//! In: proptest's choices. Out: a [`Program`] with loops, reducible or not, blocks that can only fail, and calls, recursive
//! or not; and its [`Event`]s. Invariant: every block but those behind dead ends is reachable, and a block that calls has one
//! successor.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;
use holloway_profiler::graph::{EdgeId, EdgeKind, ExitKind, Graph, GraphBuilder, Node};
use holloway_profiler::supergraph::{ProcedureId, SiteId, Supergraph};
use proptest::prelude::*;
use proptest::sample::Index;

/// A supergraph and executions of it.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) supergraph: Supergraph,
    pub(super) executions: Vec<Vec<Event>>,
}

/// One event of the current activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Call(SiteId),
    Take(EdgeId),
    /// It returns; the caller has yet to take its edge.
    Leave,
    /// It fails, and so do its callers.
    Abort,
    /// It fails, and its caller fails as well or goes on.
    Fail,
    /// It goes on along the edge behind a call that failed.
    Resume(EdgeId),
}

#[derive(Clone, Debug)]
struct Shape {
    blocks: usize,
    parents: Vec<Index>,
    extra: Vec<(Index, Index)>,
    callees: Vec<Index>,
    /// Set if blocks without successors do not lead to the exit.
    dead_ends: bool,
}

fn shapes() -> impl Strategy<Value = Shape> {
    (
        prop_oneof![1 => 1..4_usize, 9 => 4..10_usize],
        prop::collection::vec(any::<Index>(), 10),
        prop::collection::vec((any::<Index>(), any::<Index>()), 0..6),
        prop::collection::vec(any::<Index>(), 10),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(blocks, parents, extra, callees, dead_ends)| Shape {
            blocks,
            parents,
            extra,
            callees,
            dead_ends,
        })
}

/// Random supergraphs of up to four procedures.
pub(super) fn programs() -> impl Strategy<Value = Program> {
    (prop::collection::vec(shapes(), 1..5), prop::collection::vec(prop::collection::vec(any::<u8>(), 0..120), 0..4))
        .prop_map(|(shapes, choices)| {
            let count = shapes.len();
            let main = ProcedureId::new(0);
            let supergraph =
                Supergraph::new(shapes.iter().map(|shape| body(shape, count)), main).expect("one successor");
            let executions = choices.iter().map(|choices| execute(&supergraph, choices)).collect();
            Program { supergraph, executions }
        })
}

fn body(shape: &Shape, procedures: usize) -> (Graph, Vec<(Node, ProcedureId)>) {
    let mut builder = GraphBuilder::default();
    let nodes: Vec<Node> = (0..shape.blocks).map(|_| builder.node()).collect();
    let exit = shape.blocks - 1;
    let mut joined = BTreeSet::new();
    for block in 1..shape.blocks {
        joined.insert((shape.parents[block].index(block.min(exit)), block));
    }
    if exit > 0 {
        joined.extend(shape.extra.iter().map(|(from, to)| (from.index(exit), to.index(shape.blocks))));
        for block in 0..exit {
            if !shape.dead_ends && !joined.iter().any(|&(from, _)| from == block) {
                joined.insert((block, exit));
            }
        }
    }
    for &(from, to) in &joined {
        builder.edge(nodes[from], nodes[to], EdgeKind::Normal);
    }
    let single = |block: &usize| joined.iter().filter(|(from, _)| from == block).count() == 1;
    // Some of the calls that could be there are left out.
    let callee = |block: usize| Some(shape.callees[block].index(procedures + 2)).filter(|&p| p < procedures);
    let calls = (0..shape.blocks).filter(single);
    let calls = calls.filter_map(|block| Some((nodes[block], ProcedureId::new(callee(block)?)))).collect();
    (builder.finish(nodes[0], nodes[exit], ExitKind::Block).expect("no edge stands twice"), calls)
}

/// One execution of main, which aborts when the choices run out.
fn execute(supergraph: &Supergraph, choices: &[u8]) -> Vec<Event> {
    let mut stack = vec![(supergraph.main(), supergraph.graph(supergraph.main()).entry())];
    let mut events = Vec::new();
    let mut choices = choices.iter();
    while let Some(&(procedure, at)) = stack.last() {
        let graph = supergraph.graph(procedure);
        let choice = choices.next();
        if at == graph.exit() {
            events.push(Event::Leave);
            stack.pop();
            let Some((caller, block)) = stack.last_mut() else { return events };
            let edge = supergraph.site(supergraph.site_at(*caller, *block).expect("it called")).edge;
            events.push(Event::Take(edge));
            *block = supergraph.graph(*caller).edge(edge).to;
        } else if let (Some(site), Some(_)) = (supergraph.site_at(procedure, at), choice) {
            let callee = supergraph.site(site).callee;
            events.push(Event::Call(site));
            stack.push((callee, supergraph.graph(callee).entry()));
        } else if let (Some(&choice), false) = (choice, graph.successors(at).is_empty()) {
            let edge = graph.successors(at)[usize::from(choice) % graph.successors(at).len()];
            events.push(Event::Take(edge));
            stack.last_mut().expect("it is under way").1 = graph.edge(edge).to;
        } else {
            events.push(Event::Abort);
            return events;
        }
    }
    events
}
