//! Path numbers along an execution.
//!
//! In: the events of an execution, activation by activation. Out: [`InterCounts`]. `[MR98]` Algorithms 5.1 and 6.1 as the
//! instrumentation of 5.5 and 6.3 carries them out: `pathNum` and `cntOpenLfParens` run through all activations,
//! `numValidCompsFromExit` and `pathNumOnEntry` belong to each one.
//!
//! At a cut call site the current path is put aside, unless it is split there; the callee starts a path at its entry, which its return ends, and then
//! the one put aside continues with `c -> r`. A failure ends the current path, and each that was put aside in an activation that it ends or is
//! caught in, as prefixes: nothing is lost (9.2.1). Where it is caught another path begins.
//!
//! A prefix is the number so far and how many vertices it has. The number alone is that of the path that continues with the
//! first steps, on which the last block may stand several times.
//!
//! Invariant: the sum of the counts grows by one for each back edge, each return to a cut call site and each return of main.

use std::collections::BTreeMap;

use super::{AtCut, GlobalTarget, InterNumbering};
use crate::graph::EdgeId;
use crate::number::ball_larus::StepKind;
use crate::supergraph::{ProcedureId, SiteId, Supergraph};

/// Counts of interprocedural paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InterCounts {
    /// Complete paths by number.
    pub paths: BTreeMap<u128, u64>,
    /// Prefixes by number and number of vertices.
    pub prefixes: BTreeMap<(u128, usize), u64>,
}

/// An execution under way.
#[derive(Debug)]
pub struct Encoder<'a> {
    supergraph: &'a Supergraph,
    numbering: &'a InterNumbering,
    counts: &'a mut InterCounts,
    current: OpenPath,
    aside: Vec<OpenPath>,
    frames: Vec<CallFrame>,
}

/// A path up to the current vertex.
#[derive(Clone, Copy, Debug, Default)]
struct OpenPath {
    /// `pathNum`.
    number: u128,
    /// `cntOpenLfParens`.
    open_calls: u32,
    vertices: usize,
}

#[derive(Clone, Copy, Debug)]
struct CallFrame {
    procedure: ProcedureId,
    /// `numValidCompsFromExit`.
    completions: u128,
    /// The path at `Entry_P`, before any edge from it: `pathNumOnEntry`.
    on_entry: OpenPath,
    entered: Entered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entered {
    /// With a path of its own; the caller's was put aside if it waits.
    Root { is_waited_for: bool },
    /// With the caller's path, from a call site that is not cut.
    Call(SiteId),
}

impl<'a> Encoder<'a> {
    /// Starts an execution of main, whose paths are added to `counts`.
    pub fn new(supergraph: &'a Supergraph, numbering: &'a InterNumbering, counts: &'a mut InterCounts) -> Encoder<'a> {
        let mut encoder = Encoder::idle(supergraph, numbering, counts);
        encoder.enter_from_outside(supergraph.main());
        encoder
    }

    /// Starts an execution in code that has no paths.
    pub fn idle(supergraph: &'a Supergraph, numbering: &'a InterNumbering, counts: &'a mut InterCounts) -> Encoder<'a> {
        let (current, aside, frames) = (OpenPath::default(), Vec::new(), Vec::new());
        Encoder { supergraph, numbering, counts, current, aside, frames }
    }

    /// Code that has no paths calls an entry. The path of the current activation, if there is one, waits.
    pub fn enter_from_outside(&mut self, procedure: ProcedureId) {
        let is_waited_for = !self.frames.is_empty();
        if is_waited_for {
            self.aside.push(self.current);
        }
        self.start(procedure, is_waited_for);
    }

    /// The current activation calls.
    pub fn call(&mut self, site: SiteId) {
        let callee = self.supergraph.site(site).callee;
        if self.numbering.calls.is_cut(site) {
            match self.numbering.at_cut {
                AtCut::Aside => self.aside.push(self.current),
                // The surrogate to `GExit_P` is the only step there and adds nothing. There is no path until the caller goes on to
                // its return site.
                AtCut::Split => self.finish(),
            }
            self.start(callee, self.numbering.at_cut == AtCut::Aside);
            return;
        }
        let completions = self.numbering.returns[site].at(self.frame().completions);
        self.current.open_calls += 1;
        self.enter(CallFrame { procedure: callee, completions, on_entry: self.current, entered: Entered::Call(site) });
    }

    /// The current activation, which is at its exit, returns. The caller has not yet taken the edge to the return site.
    pub fn leave(&mut self) {
        let frame = self.frames.pop().expect("an activation is under way");
        match (frame.entered, self.frames.last_mut()) {
            (Entered::Root { is_waited_for }, _) => {
                // The edge to `Exit_global` has the value 0.
                self.finish();
                self.current = self.waiting(is_waited_for);
            }
            (Entered::Call(_), Some(_)) if self.current.open_calls > 0 => self.current.open_calls -= 1,
            (Entered::Call(site), Some(caller)) => {
                self.current.number += self.numbering.right_left().edge_value[site];
                caller.completions = self.numbering.right_left().from_exit[caller.procedure];
            }
            (Entered::Call(_), None) => panic!("a call has a caller"),
        }
    }

    /// The current activation takes an edge. After a call it is the edge to the return site.
    pub fn take(&mut self, edge: EdgeId) {
        let frame = *self.frame();
        if self.is_behind_a_split(frame.procedure, edge) {
            self.restart(frame, edge);
            return;
        }
        let ends = self.supergraph.graph(frame.procedure).edge(edge);
        let steps = &self.numbering.functions[frame.procedure].steps[ends.from];
        let is_back_edge = self.supergraph.order(frame.procedure).is_back_edge(edge);
        let kind = if is_back_edge { StepKind::Cut } else { StepKind::Edge(edge) };
        // The edge from the return vertex of a call that is not cut is its only one and adds nothing.
        if let Some(step) = steps.iter().find(|step| step.kind == kind) {
            self.current.number += step.rho.at(frame.completions);
        }
        if is_back_edge {
            self.finish();
            self.restart(frame, edge);
        } else {
            self.current.vertices += 1;
        }
    }

    fn is_behind_a_split(&self, procedure: ProcedureId, edge: EdgeId) -> bool {
        let from = self.supergraph.graph(procedure).edge(edge).from;
        let site = self.supergraph.site_at(procedure, from);
        self.numbering.at_cut == AtCut::Split && site.is_some_and(|site| self.numbering.calls.is_cut(site))
    }

    /// Counts the current path.
    fn finish(&mut self) {
        *self.counts.paths.entry(self.current.number).or_default() += 1;
    }

    /// The current activation fails in the middle of its block. Its callers go on behind it, fail as well, or catch the failure.
    pub fn fail(&mut self) {
        self.cut_short();
        let frame = self.frames.pop().expect("an activation is under way");
        if let Entered::Root { is_waited_for } = frame.entered {
            self.current = self.waiting(is_waited_for);
        }
    }

    /// The current activation goes on along the edge behind a call that failed.
    pub fn resume(&mut self, edge: EdgeId) {
        self.cut_short();
        self.restart(*self.frame(), edge);
    }

    /// The current activation fails in the middle of its block, and so do all others.
    pub fn abort(mut self) {
        while !self.frames.is_empty() {
            self.fail();
        }
    }

    /// Counts the current path as a prefix, if it has begun.
    fn cut_short(&mut self) {
        let OpenPath { number, vertices, .. } = std::mem::take(&mut self.current);
        if vertices > 0 {
            *self.counts.prefixes.entry((number, vertices)).or_default() += 1;
        }
    }

    /// The path that goes on when that of a root has ended.
    fn waiting(&mut self, is_there: bool) -> OpenPath {
        if is_there { self.aside.pop().expect("it was put aside") } else { OpenPath::default() }
    }

    /// A new path at the target of a back edge, or at a return site: behind the context for context paths, without one for
    /// piecewise paths.
    fn restart(&mut self, frame: CallFrame, edge: EdgeId) {
        self.current = match self.numbering.right_left {
            // The context ends with the entry, which is its last vertex.
            None => OpenPath { vertices: frame.on_entry.vertices + 1, ..frame.on_entry },
            Some(_) => {
                self.frame_mut().completions = self.numbering.right_left().from_exit[frame.procedure];
                let number = self.numbering.edge_value(GlobalTarget::GEntry(frame.procedure));
                OpenPath { number, open_calls: 0, vertices: 0 }
            }
        };
        let to = self.supergraph.graph(frame.procedure).edge(edge).to;
        let surrogate = self.numbering.surrogates(frame.procedure).iter().find(|surrogate| surrogate.to == to);
        let rho = surrogate.expect("a block at which paths start has a surrogate").rho;
        self.current.number += rho.at(self.frame().completions);
        self.current.vertices += 1;
    }

    /// A new path at the entry of a root.
    fn start(&mut self, procedure: ProcedureId, is_waited_for: bool) {
        let number = self.numbering.edge_value(GlobalTarget::Entry(procedure));
        self.current = OpenPath { number, open_calls: 1, vertices: 0 };
        self.enter(CallFrame {
            procedure,
            completions: 1,
            on_entry: self.current,
            entered: Entered::Root { is_waited_for },
        });
    }

    fn enter(&mut self, frame: CallFrame) {
        self.frames.push(frame);
        self.current.vertices += 1;
    }

    fn frame(&self) -> &CallFrame {
        self.frames.last().expect("an activation is under way")
    }

    fn frame_mut(&mut self) -> &mut CallFrame {
        self.frames.last_mut().expect("an activation is under way")
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::*;
    use crate::graph::{ExitKind, Graph, Node};
    use crate::number::interprocedural::Base;

    /// A procedure that calls itself or does not: 0 -> 1 or 2, 1 calls and returns to 2.
    #[test]
    fn failures_lose_no_path() {
        let main = ProcedureId::new(0);
        let graph = Graph::from_pairs(3, &[(0, 1), (0, 2), (1, 2)], 0, 2, ExitKind::Block).expect("a graph");
        let edge = |from, to| graph.find_edge(Node::new(from), Node::new(to)).expect("an edge");
        let supergraph = Supergraph::new([(graph.clone(), vec![(Node::new(1), main)])], main).expect("one successor");
        let site = supergraph.sites(main)[0];
        let numbering = InterNumbering::new(&supergraph, Base::Context, AtCut::Aside, &[]).expect("it fits");
        let mut counts = InterCounts::default();
        let mut encoder = Encoder::new(&supergraph, &numbering, &mut counts);
        encoder.take(edge(0, 1));
        encoder.call(site);
        encoder.take(edge(0, 2));
        encoder.leave();
        encoder.take(edge(1, 2));
        encoder.leave();
        assert_eq!(counts.paths, BTreeMap::from([(0, 1), (1, 1)]));
        let mut encoder = Encoder::new(&supergraph, &numbering, &mut counts);
        encoder.take(edge(0, 1));
        encoder.call(site);
        encoder.take(edge(0, 1));
        encoder.call(site);
        encoder.abort();
        assert_eq!(counts.prefixes, BTreeMap::from([((0, 2), 2), ((0, 1), 1)]));
    }
}
