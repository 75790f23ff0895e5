//! Plans: instrumentation of a graph, as steps at its places.
//!
//! In: the steps that a scheme chooses. Out: a [`Plan`], which the interpreter ([`crate::machine`]) and compiled code
//! both execute, so that their counts agree by construction.
//!
//! Places, in the order in which an activation meets them: `entry` once; `blocks[b]` each time control reaches `b` (the
//! entry block included, after `entry`); `calls[c].before` and `calls[c].after` around a call in a block, unless the callee
//! ends in a failure; `edges[e]` when a normal edge is taken (an edge to the exit is a return edge).
//! The unwinder executes `edges[e]` of a failure edge when the failure is caught, and `aborts[b]` when an activation
//! ends in a failure inside `b`.
//!
//! An activation tells the next one something with [`Action::Pass`], before a call or on a return edge; it is read with
//! [`Action::Receive`], at the entry or after the call, before anything else is passed. So an entry knows its caller.
//!
//! Invariant: lists are built with [`append`], which merges steps, so no list holds two steps that one could replace.

pub mod across;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use hashbrown::HashMap;

use crate::graph::{Call, EdgeId, Node};
use across::{CrossStep, Scaled};

/// A counter that is incremented in place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CounterId(u32);
entity_impl!(CounterId, "c");

/// A register of bits: one bit for each block of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitRegister(u32);
entity_impl!(BitRegister, "bits");

/// A table of the values that an edge adds in each iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IterationTable(u32);
entity_impl!(IterationTable, "weights");

/// The values that an edge adds in one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IterationWeight {
    /// The addend of the oldest path.
    pub val: i64,
    /// The addend of a younger path, which started at the loop's head.
    pub compensated: i64,
}

/// Values of the accumulators of paths that did not start early enough, where they are told from the others by their values. Each starts anew when a loop
/// is left, and adds what the others add. What it reports on a back edge is no path's, and collectors pass it over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// The value that they start with.
    pub start: i64,
    /// The bound between both: these are never less, and the others always.
    pub from: i64,
    /// A bound of what they report.
    pub end: i64,
    /// The least id that is no path's, which stands for all of these where each would take room.
    pub id: i64,
}

/// One machine-level step. Arithmetic on the path register wraps at 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `counts[c] += 1`.
    Count(CounterId),
    /// `path = value`.
    SetPath(i64),
    /// `path += value`.
    AddPath(i64),
    /// Report `path + add` as the id of a complete path; then `path = restart`.
    FinishPath {
        /// The rest of the id.
        add: i64,
        /// The register's value for the next path; `None` when the activation ends.
        restart: Option<i64>,
    },
    /// Report `path + add`, at `block`, as a path that a failure cut short; then `path = restart`.
    FinishPrefix {
        /// The block in which the failure happened.
        block: Node,
        /// The rest of the prefix's id.
        add: i64,
        /// The register's value for the next path; `None` when the activation ends.
        restart: Option<i64>,
    },
    /// `passed = path + add`, in the one register that all activations share.
    Pass {
        /// The addend.
        add: i64,
    },
    /// `path = passed`.
    Receive,
    /// Report the start of an activation.
    Enter,
    /// Report the end of an activation.
    Leave,
    /// Set every bit of the register to 0.
    ClearBits(BitRegister),
    /// Set one bit of the register to 1.
    SetBit {
        /// The register.
        register: BitRegister,
        /// Index of the 64-bit word.
        word: u32,
        /// Index of the bit in the word.
        bit: u8,
    },
    /// Report the register as one complete execution of its region; then clear it.
    FoldBits(BitRegister),
    /// `c[j] += compensated[j]` for `j < itr`, `c[itr] += val[itr]`, by the table; `c[0]` is the path register.
    AddIterations(IterationTable),
    /// On a back edge: if `itr = k - 1`, report `c[itr]` as a complete path, else `itr += 1`; then shift `c` upwards
    /// and set `c[0] = restart`.
    NextIteration {
        /// Number of iterations that paths span.
        k: u32,
        /// The value of `c[0]` for the path that starts at the head.
        restart: i64,
    },
    /// `c[0] = c[itr]`, `itr = 0`: discard the younger paths.
    LeaveLoop,
    /// Report `c[itr]`, at `block` in iteration `itr + 1`, as a path that a failure cut short; then `c[0] = restart`,
    /// `itr = 0`.
    FinishIterationPrefix {
        /// The block in which the failure happened.
        block: Node,
        /// The value of `c[0]` for the next path; `None` when the activation ends.
        restart: Option<i64>,
    },
    /// Keep `c[0]` to `c[itr]` at a depth, on the way into a loop that has paths of its own; `itr = 0`.
    PutAside {
        /// The number of loops around whose paths wait, too.
        depth: u32,
    },
    /// `c[0]` to `c[itr]` become what was kept at a depth.
    TakeBack {
        /// The depth.
        depth: u32,
    },
    /// Begin a branch history at a block.
    StartBranches(Node),
    /// `history = history << width | value`.
    ShiftBranches {
        /// Number of bits.
        width: u8,
        /// The bits.
        value: u64,
    },
    /// Report the branch history as a complete path; then begin one at `restart`.
    FinishBranches {
        /// Start block of the next history; `None` when the activation ends.
        restart: Option<Node>,
    },
    /// Report the branch history, at `block`, as a path that a failure cut short; then begin one at `restart`.
    FinishBranchPrefix {
        /// The block in which the failure happened.
        block: Node,
        /// Start block of the next history; `None` when the activation ends.
        restart: Option<Node>,
    },
    /// A step of paths that keep a context or run across calls.
    Across(CrossStep),
}

/// The path of a caller, while a callee runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossing {
    /// It waits behind the call.
    #[default]
    Waits,
    /// It goes on in the callee.
    Continues,
}

/// The reporter of a path that a failure cuts short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CutShort {
    /// The steps of aborts and failure edges.
    #[default]
    BySteps,
    /// The unwinder, which knows the activations that a path runs through ([`crate::cross_prefix`]).
    ByUnwinder,
    /// Nobody: the function has no paths.
    Nobody,
}

/// Steps around a call.
#[derive(Clone, Debug, Default)]
pub struct CallSteps {
    /// Steps when control reaches the call.
    pub before: Vec<Action>,
    /// Steps when the callee has returned.
    pub after: Vec<Action>,
    /// The caller's path meanwhile.
    pub crossing: Crossing,
}

/// A scheme's instrumentation of one function.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Steps at the start of an activation.
    pub entry: Vec<Action>,
    /// Steps when control reaches a block.
    pub blocks: SecondaryMap<Node, Vec<Action>>,
    /// Steps around calls.
    pub calls: HashMap<Call, CallSteps>,
    /// Steps when an edge is taken.
    pub edges: SecondaryMap<EdgeId, Vec<Action>>,
    /// Steps when an activation ends in a failure inside a block.
    pub aborts: SecondaryMap<Node, Vec<Action>>,
    /// Number of counters that are incremented in place.
    pub counters: usize,
    /// The bit registers, each with its number of 64-bit words.
    pub registers: PrimaryMap<BitRegister, u32>,
    /// For [`Action::AddIterations`]: a weight for each iteration of each table.
    pub iteration_weights: PrimaryMap<IterationTable, Vec<IterationWeight>>,
    /// For [`Action::NextIteration`]: accumulators above `itr`, in code that keeps no `itr`.
    pub unfinished: Unfinished,
    /// The reporter of paths that failures cut short.
    pub cut_short: CutShort,
    /// For paths across calls: the function of completions that the path register lacks to the number, in a block behind
    /// so many of its calls; nothing where it does not stand.
    pub deferred: HashMap<Call, Scaled>,
}

/// Presence of activation markers in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markers {
    /// No markers: ids are only counted.
    Omit,
    /// Markers: ids are concatenated within an activation.
    Emit,
}

impl Action {
    /// The step of a plan whose numbers of acyclic paths are multiplied.
    fn scaled(self, by: i64) -> Action {
        let times = |value: i64| value.wrapping_mul(by);
        match self {
            Action::SetPath(value) => Action::SetPath(times(value)),
            Action::AddPath(value) => Action::AddPath(times(value)),
            Action::FinishPath { add, restart } => Action::FinishPath { add: times(add), restart: restart.map(times) },
            Action::FinishPrefix { block, add, restart } => {
                Action::FinishPrefix { block, add: times(add), restart: restart.map(times) }
            }
            other => other,
        }
    }
}

impl Plan {
    /// The plan with the numbers of its acyclic paths multiplied: what a table has them as.
    pub fn scaled(&self, by: i64) -> Plan {
        let mut plan = self.clone();
        let others = plan.blocks.values_mut().chain(plan.aborts.values_mut());
        let all = others.chain(plan.edges.values_mut()).chain([&mut plan.entry]);
        all.flatten().for_each(|step| *step = step.scaled(by));
        plan
    }

    /// Number of steps at all places: the size of the instrumentation.
    pub fn step_count(&self) -> usize {
        let others = self.blocks.values().chain(self.aborts.values()).flatten();
        self.steps_on_the_way().chain(others).count()
    }

    /// Returns whether any step uses the path register.
    pub fn uses_path_register(&self) -> bool {
        self.steps_on_the_way().any(|step| register_step(*step))
    }

    /// Steps at the entry, at edges and around calls: where paths begin and go on.
    fn steps_on_the_way(&self) -> impl Iterator<Item = &Action> {
        let around = self.calls.values().flat_map(|call| [&call.before, &call.after]);
        [&self.entry].into_iter().chain(self.edges.values()).chain(around).flatten()
    }

    /// The number of a path across calls, where a failure finds it.
    pub fn number_at(&self, at: Call, path: u64, completions: i64) -> u64 {
        self.deferred.get(&at).map_or(path, |deferred| path.wrapping_add_signed(deferred.at(completions)))
    }

    /// Returns whether [`Plan::number_at`] needs to know the completions.
    pub fn defers_completions(&self) -> bool {
        self.deferred.values().any(|deferred| deferred.a != 0)
    }

    /// Returns whether paths may begin behind calls that are open.
    pub fn may_detach(&self) -> bool {
        let detaches = |step: &Action| {
            matches!(step, Action::Across(CrossStep::Detach { .. } | CrossStep::ReceiveDetached { .. }))
        };
        self.steps_on_the_way().any(detaches)
    }

    /// Number of registers that keep values of the path register.
    pub fn saved_registers(&self) -> usize {
        let saved = self.steps_on_the_way().map(|step| match step {
            Action::Across(CrossStep::Save(register) | CrossStep::EnterByValue { flag: Some(register), .. }) => {
                register.index() + 1
            }
            _ => 0,
        });
        saved.max().unwrap_or(0)
    }

    /// Returns whether paths are branch histories.
    pub fn keeps_histories(&self) -> bool {
        self.steps_on_the_way().any(|step| matches!(step, Action::StartBranches(_)))
    }

    /// The greatest number of iterations that a path spans; 1 without [`Action::NextIteration`].
    pub fn most_iterations(&self) -> u32 {
        let steps = self.edges.values().flatten();
        steps.map(|step| if let Action::NextIteration { k, .. } = step { *k } else { 1 }).max().unwrap_or(1)
    }

    /// The greatest number of loops around a place whose paths wait; 0 without [`Action::PutAside`].
    pub fn most_put_aside(&self) -> u32 {
        let depths =
            self.steps_on_the_way().map(|step| if let Action::PutAside { depth } = step { depth + 1 } else { 0 });
        depths.max().unwrap_or(0)
    }

    /// Adds an activation's markers, if there are to be any: at the entry, on return edges and at aborts.
    pub fn mark_activations(&mut self, graph: &crate::graph::Graph, markers: Markers) {
        match markers {
            Markers::Emit => {}
            Markers::Omit => return,
        }
        self.entry.insert(0, Action::Enter);
        for (id, _) in graph.edges() {
            if graph.is_return(id) {
                self.edges[id].push(Action::Leave);
            }
        }
        for node in graph.nodes() {
            self.aborts[node].push(Action::Leave);
        }
        if graph.entry() == graph.exit() {
            self.entry.push(Action::Leave);
        }
    }
}

/// Appends `step` to `list`, merged with the last step on the path register if one step can replace both.
///
/// Steps on other state do not use the path register, so a merged step may move past them. Reports keep their order.
pub fn append(list: &mut Vec<Action>, step: Action) {
    if step == Action::AddPath(0) {
        return;
    }
    let last = if register_step(step) { list.iter().rposition(|&s| register_step(s)) } else { None };
    let Some(at) = last else {
        list.push(step);
        return;
    };
    match merge(list[at], step) {
        Merged::One(one @ (Action::FinishPath { .. } | Action::FinishPrefix { .. }))
            if !matches!(list[at], Action::FinishPath { .. } | Action::FinishPrefix { .. }) =>
        {
            // A report must not move before steps appended in between.
            list.remove(at);
            list.push(one);
        }
        Merged::One(Action::AddPath(0)) => {
            list.remove(at);
        }
        Merged::One(one) => list[at] = one,
        Merged::Two => list.push(step),
    }
}

enum Merged {
    One(Action),
    Two,
}

/// Two consecutive steps on the path register, merged into one if possible.
fn merge(first: Action, second: Action) -> Merged {
    use Action::{AddPath, FinishPath, FinishPrefix, Receive, SetPath};
    match (first, second) {
        (SetPath(_) | AddPath(_) | Receive, SetPath(value)) => Merged::One(SetPath(value)),
        (SetPath(a), AddPath(b)) => Merged::One(SetPath(a.wrapping_add(b))),
        (AddPath(a), AddPath(b)) => Merged::One(AddPath(a.wrapping_add(b))),
        (AddPath(a), FinishPath { add, restart }) => Merged::One(FinishPath { add: a.wrapping_add(add), restart }),
        (AddPath(a), FinishPrefix { block, add, restart }) => {
            Merged::One(FinishPrefix { block, add: a.wrapping_add(add), restart })
        }
        (FinishPath { add, restart }, SetPath(_) | AddPath(_)) => {
            Merged::One(FinishPath { add, restart: restarted(restart, second) })
        }
        (FinishPrefix { block, add, restart }, SetPath(_) | AddPath(_)) => {
            Merged::One(FinishPrefix { block, add, restart: restarted(restart, second) })
        }
        _ => Merged::Two,
    }
}

fn restarted(restart: Option<i64>, step: Action) -> Option<i64> {
    match step {
        Action::SetPath(value) => Some(value),
        Action::AddPath(value) => restart.map(|r| r.wrapping_add(value)),
        other => panic!("{other:?} does not set the path register"),
    }
}

fn register_step(step: Action) -> bool {
    use Action::{Across, AddPath, FinishPath, FinishPrefix, Pass, Receive, SetPath};
    matches!(
        step,
        SetPath(_) | AddPath(_) | FinishPath { .. } | FinishPrefix { .. } | Pass { .. } | Receive | Across(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(steps: &[Action]) -> Vec<Action> {
        let mut list = Vec::new();
        for &step in steps {
            append(&mut list, step);
        }
        list
    }

    #[test]
    fn steps_on_the_path_register_merge() {
        use Action::{AddPath, Count, FinishPath, Leave, SetPath};
        assert_eq!(list(&[AddPath(0)]), []);
        assert_eq!(list(&[AddPath(3), AddPath(-3)]), []);
        assert_eq!(list(&[SetPath(2), AddPath(5)]), [SetPath(7)]);
        assert_eq!(list(&[AddPath(2), SetPath(5)]), [SetPath(5)]);
        let finish = FinishPath { add: 4, restart: Some(1) };
        assert_eq!(list(&[AddPath(2), finish, AddPath(7)]), [FinishPath { add: 6, restart: Some(8) }]);
        assert_eq!(list(&[finish, SetPath(9)]), [FinishPath { add: 4, restart: Some(9) }]);
        let count = Count(CounterId(0));
        let pass = Action::Pass { add: 1 };
        assert_eq!(list(&[AddPath(2), pass, AddPath(3)]), [AddPath(2), pass, AddPath(3)]);
        assert_eq!(list(&[Action::Receive, SetPath(3)]), [SetPath(3)]);
        assert_eq!(list(&[AddPath(2), count, finish, Leave]), [count, FinishPath { add: 6, restart: Some(1) }, Leave]);
    }

    #[test]
    fn a_scaled_plan_has_multiples_of_all_numbers() {
        use Action::{AddPath, Enter, FinishPath, FinishPrefix, SetPath};
        let (node, edge) = (Node::from_u32(1), EdgeId::from_u32(2));
        let mut plan = Plan { entry: vec![Enter, SetPath(3)], ..Plan::default() };
        plan.blocks[node] = vec![AddPath(-2)];
        plan.edges[edge] = vec![FinishPath { add: 5, restart: Some(7) }];
        plan.aborts[node] = vec![FinishPrefix { block: node, add: 1, restart: None }];
        let scaled = plan.scaled(32);
        assert_eq!((&scaled.entry[..], &scaled.blocks[node][..]), (&[Enter, SetPath(96)][..], &[AddPath(-64)][..]));
        assert_eq!(scaled.edges[edge], [FinishPath { add: 160, restart: Some(224) }]);
        assert_eq!(scaled.aborts[node], [FinishPrefix { block: node, add: 32, restart: None }]);
    }
}
