//! Edge counts of baseline code.
//!
//! In: function bodies, as they are compiled. Out: what the optimizer is told of them; probes for the compiler, at the few edges that
//! `number::spanning_tree` chose; and exact counts of every edge afterwards, with what the unwinder saw.
//! Invariant: a body's counters never move while code with its probes exists.

use super::branches::Branches;
use super::counter::read_counter;
use super::profile_changes::ProfileChanges;
use super::settings::{MOST_LOOKED_AT, MOST_OBSERVED};
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use holloway_abi::graph_of::{block_of, graph_of, node_of};
use holloway_ir::{Block, FuncRef, Function, Inst};
use holloway_jit::MAX_DEPTH;
use holloway_jit::missed::{Expectation, MissedCall};
use holloway_jit::observed::{Counts, Observed, TARGET_WORDS, TargetCell, indirect_calls};
use holloway_jit::translate::Probes;
use holloway_profiler::graph::{EdgeId, EdgeKind, Graph, Node};
use holloway_profiler::number::spanning_tree::{EdgeCounts, EdgePlan, static_weights};
use holloway_profiler::plan::Action;
use std::collections::VecDeque;
use std::sync::Arc;

/// The profile of one body.
pub struct EdgeProfile {
    /// The body it is of.
    pub body: Arc<Function>,
    /// The body's graph.
    pub graph: Arc<Graph>,
    /// The edges that have counters.
    pub plan: Arc<EdgePlan>,
    counters: Box<[u64]>,
    /// The indirect calls, in the order of their cells.
    calls: Vec<(Block, usize)>,
    cells: Box<[[u64; TARGET_WORDS]]>,
    branches: Branches,
    failures: HashMap<EdgeId, u64>,
    aborts: HashMap<Node, u64>,
    changes: ProfileChanges,
}

/// A graph, and the edges of it that have counters.
type Planned = (Arc<Graph>, Arc<EdgePlan>);

fn planned(body: &Function) -> Planned {
    let graph = graph_of(body);
    let plan = EdgePlan::new(&graph, &static_weights(&graph));
    (Arc::new(graph), Arc::new(plan))
}

/// The profiles of all functions that were compiled.
#[derive(Default)]
pub struct EdgeProfiles {
    /// The graph and the plan of straight bodies, which are many, by their calls: all with as many have the same.
    straight: HashMap<usize, Planned>,
    /// Boxed, so that the map is small.
    of: HashMap<FuncRef, Box<EdgeProfile>>,
    /// The functions with branches that are looked at, in turn. One whose body was replaced may be there several times: another look sees nothing new.
    looked_at: VecDeque<FuncRef>,
}

impl EdgeProfile {
    fn new(body: &Arc<Function>, (graph, plan): Planned) -> EdgeProfile {
        let counters = vec![0; plan.counters].into_boxed_slice();
        let calls: Vec<_> = indirect_calls(body).collect();
        let cells = vec![[0; TARGET_WORDS]; calls.len()].into_boxed_slice();
        let (failures, aborts) = (HashMap::new(), HashMap::new());
        let branches = Branches::of(body);
        let changes = ProfileChanges::default();
        EdgeProfile { body: Arc::clone(body), graph, plan, counters, calls, cells, branches, failures, aborts, changes }
    }

    fn probes(&mut self) -> Probes {
        let base = self.counters.as_mut_ptr().expose_provenance();
        let concrete = |action: &Action| match action {
            Action::Count(counter) => base + 8 * counter.index(),
            other => unreachable!("an edge plan only counts, it does not {other:?}"),
        };
        let cells = self.cells.iter_mut().map(|cell| cell.as_mut_ptr().expose_provenance());
        let targets = self.calls.iter().copied().zip(cells).collect();
        let entry = self.plan.plan.entry.iter().map(concrete).collect();
        let mut probes = Probes { targets, entry, outcomes: self.branches.cells(), ..Probes::default() };
        for (id, edge) in self.graph.edges() {
            let steps: Vec<usize> = self.plan.plan.edges[id].iter().map(concrete).collect();
            if steps.is_empty() {
                continue;
            }
            if self.graph.is_return(id) {
                probes.returns.insert(block_of(edge.from), steps);
            } else {
                probes.edges.insert((block_of(edge.from), block_of(edge.to)), steps);
            }
        }
        probes
    }

    /// The counts as the optimizer takes them.
    pub fn observed(&self) -> Counts {
        let counts = self.counts();
        let normal = self.graph.edges().filter(|(id, _)| !self.graph.is_return(*id));
        let counted = normal.map(|(id, edge)| ((block_of(edge.from), block_of(edge.to)), counts.edges[id]));
        let edges = counted.collect();
        let cells = self.cells.iter().map(|cell| TargetCell::of_words(cell.each_ref().map(read_counter)));
        let counts = Counts::new(&self.body, counts.calls, edges, self.calls.iter().copied().zip(cells));
        self.changes.applied(&self.body, counts.with_outcomes(self.branches.outcomes()))
    }

    /// Every edge's count.
    pub fn counts(&self) -> EdgeCounts {
        let counters: Vec<u64> = self.counters.iter().map(read_counter).collect();
        let failures: Vec<_> = self.failures.iter().map(|(edge, count)| (*edge, *count)).collect();
        let aborts: Vec<_> = self.aborts.iter().map(|(node, count)| (*node, *count)).collect();
        self.plan.derive(&counters, &failures, &aborts)
    }
}

fn callee(inst: &Inst) -> Option<FuncRef> {
    match inst {
        Inst::Call { func, .. } => Some(*func),
        _ => None,
    }
}

impl EdgeProfiles {
    /// The probes for a body, with new counters unless it has some.
    pub fn probes(&mut self, func: FuncRef, body: &Arc<Function>) -> Probes {
        let present = self.of.get(&func).filter(|profile| Arc::ptr_eq(&profile.body, body));
        if present.is_none() {
            let planned = match body.straight() {
                Some(only) => {
                    let calls = only.insts.iter().filter(|inst| inst.is_call()).count();
                    self.straight.entry(calls).or_insert_with(|| planned(body)).clone()
                }
                None => planned(body),
            };
            let profile = EdgeProfile::new(body, planned);
            if profile.branches.are_looked_at() {
                self.looked_at.push_back(func);
            }
            self.of.insert(func, Box::new(profile));
        }
        self.of.get_mut(&func).expect("it is there").probes()
    }

    /// Looks at the latest outcomes of the branches of the running function, and of others in turn: there may be very many functions, and hardly any
    /// with a branch that was not looked at often enough.
    pub fn look_at_branches(&mut self, running: FuncRef) {
        self.look(running);
        for _ in 0..self.looked_at.len().min(MOST_LOOKED_AT) {
            let Some(func) = self.looked_at.pop_front() else { return };
            if self.look(func) {
                self.looked_at.push_back(func);
            }
        }
    }

    /// True iff there are branches of the function to be looked at further on.
    fn look(&mut self, func: FuncRef) -> bool {
        self.of.get_mut(&func).is_some_and(|profile| {
            profile.branches.look();
            profile.branches.are_looked_at()
        })
    }

    /// The counts of a function and of those that may be inlined into it.
    pub fn observed(&self, func: FuncRef) -> Observed {
        let mut found: HashMap<FuncRef, Counts> = HashMap::new();
        let mut callers = vec![func];
        for _ in 0..=MAX_DEPTH {
            let mut callees = Vec::new();
            for func in callers {
                let Some(profile) = self.of.get(&func).filter(|_| found.len() < MOST_OBSERVED) else { continue };
                found.entry(func).or_insert_with(|| {
                    let counts = profile.observed();
                    let direct = profile.body.blocks.values().flat_map(|data| &data.insts).filter_map(callee);
                    callees.extend(direct.chain(counts.targets()));
                    counts
                });
            }
            callers = callees;
        }
        Observed::new(found)
    }

    /// Drops the counters of a function whose code is gone.
    pub fn forget(&mut self, func: FuncRef) {
        self.of.remove(&func);
    }

    /// Calls of a function; `None` if it was never compiled.
    pub fn calls(&self, func: FuncRef) -> Option<u64> {
        let profile = self.of.get(&func)?;
        Some(profile.counts().calls)
    }

    /// The profile of a function, if it was ever compiled.
    pub fn get(&self, func: FuncRef) -> Option<&EdgeProfile> {
        self.of.get(&func).map(|profile| &**profile)
    }

    /// Notes that optimized code makes a call often that its profile kept it from inlining.
    pub fn missed(&mut self, missed: &MissedCall) {
        for (func, block) in &missed.blocks {
            let Some(profile) = self.of.get_mut(func) else { continue };
            match missed.expectation {
                Expectation::Rare => profile.changes.note_hot(*block),
                Expectation::Target => {}
            }
        }
        let Some((func, block)) = missed.blocks.first() else { return };
        let Some(profile) = self.of.get_mut(func) else { return };
        if profile.calls.contains(&(*block, missed.inst)) {
            profile.changes.note_target(*block, missed);
        }
    }

    /// Notes that a failure inside a block was caught by the block's own function.
    pub(super) fn caught(&mut self, func: FuncRef, block: Block) {
        let Some(profile) = self.of.get_mut(&func) else { return };
        let out = profile.graph.successors(node_of(block)).iter();
        let edge = out.copied().find(|edge| profile.graph.edge(*edge).kind == EdgeKind::Failure);
        *profile.failures.entry(edge.expect("a block with a handler has a failure edge")).or_default() += 1;
    }

    /// Notes that an activation ended inside a block.
    pub(super) fn aborted(&mut self, func: FuncRef, block: Block) {
        if let Some(profile) = self.of.get_mut(&func) {
            *profile.aborts.entry(node_of(block)).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::MOST_LOOKS;
    use holloway_ir::parse;
    use holloway_jit::outcomes::Outcomes;

    #[test]
    fn functions_are_looked_at_as_long_as_a_branch_of_theirs_is() {
        let text = "type t0 = bool\nsig0 = (t0)\nfunction f0 \"f\" sig0(v0: bool) {\nblock0:\n    branch v0, block1, block2\nblock1:\n    return\nblock2:\n    return\n}
function f1 \"g\" sig0(v0: bool) {\nblock0:\n    return\n}";
        let module = parse::module(text).unwrap_or_else(|error| panic!("{error}"));
        let [branching, straight] = [0, 1].map(FuncRef::from_u32);
        let mut profiles = EdgeProfiles::default();
        for func in [branching, straight] {
            profiles.probes(func, module.function(func));
        }
        let mut expected = Outcomes::default();
        for look in 1..=u64::from(MOST_LOOKS) {
            assert_eq!(profiles.looked_at, [branching]);
            profiles.of.get_mut(&branching).expect("it is there").branches.note(look);
            profiles.look_at_branches(straight);
            expected.look(look);
        }
        assert!(profiles.looked_at.is_empty(), "often enough");
        let seen = profiles.of[&branching].branches.outcomes().next();
        assert_eq!(seen.map(|(_, outcomes)| outcomes), Some(expected));
    }

    #[test]
    fn a_tick_looks_at_the_running_function_and_at_some_others_in_turn() {
        let function = |nth: usize| {
            format!(
                "function f{nth} \"f\" sig0(v0: bool) {{\nblock0:\n    branch v0, block1, block2\nblock1:\n    return\nblock2:\n    return\n}}\n"
            )
        };
        let functions: String = (0..2 * MOST_LOOKED_AT).map(function).collect();
        let module = parse::module(&format!("type t0 = bool\nsig0 = (t0)\n{functions}")).expect("it is a module");
        let mut profiles = EdgeProfiles::default();
        for func in module.funcs.keys() {
            profiles.probes(func, module.function(func));
            profiles.of.get_mut(&func).expect("it is there").branches.note(1);
        }
        let last = FuncRef::from_u32(2 * MOST_LOOKED_AT as u32 - 1);
        let seen = |profiles: &EdgeProfiles, func| {
            profiles.of[&func].branches.outcomes().next().map(|(_, outcomes)| outcomes) != Some(Outcomes::default())
        };
        let all = |profiles: &EdgeProfiles| module.funcs.keys().filter(|func| seen(profiles, *func)).count();
        profiles.look_at_branches(last);
        assert!(seen(&profiles, last), "it runs");
        assert_eq!(all(&profiles), MOST_LOOKED_AT + 1);
        profiles.look_at_branches(last);
        assert_eq!(all(&profiles), 2 * MOST_LOOKED_AT);
    }
}
