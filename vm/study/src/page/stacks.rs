//! The tree of call stacks.
//!
//! In: a run. Out: [`Node`]s, each behind the one that it is called by. Functions are told apart by the kind of their code. A function that calls
//! itself is one node, so that a deep recursion is no deep tree.
//! Invariant: own times of all nodes, and of what was left out, add up to the time that was sampled in the program's code.

use super::kept::Kept;
use super::limits::MOST_NODES;
use super::text::rounded;
use crate::run::Run;
use crate::run::record::{Doing, Frame, Stack};
use serde::{Serialize, Serializer};
use std::collections::HashMap;

/// A function as it was called from somewhere: an array in the page.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The node that calls it; `None` of the outermost ones.
    pub parent: Option<u32>,
    /// The function, if the page has it; `None` of frames that were left out, too.
    pub function: Option<u32>,
    /// The kind of its code.
    pub tier: String,
    /// True iff it is inlined into the one that calls it.
    pub inlined: bool,
    /// Time in it alone.
    pub own: f64,
    /// The part of that in the runtime.
    pub runtime: f64,
    /// Time in it and what it calls.
    pub total: f64,
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let Node { parent, function, tier, inlined, own, runtime, total } = self;
        (parent, function, tier, u8::from(*inlined), rounded(*own), rounded(*runtime), rounded(*total)).serialize(out)
    }
}

/// The key that tells the callees of a node apart: the function, the kind of code, and whether it is inlined.
type Callee = (Option<u32>, String, bool);

/// The greatest nodes, and how many more there were.
pub(super) fn of(run: &Run, kept: &Kept) -> (Vec<Node>, usize) {
    let mut weights: HashMap<u32, f64> = HashMap::new();
    run.samples.iter().for_each(|sample| *weights.entry(sample.stack).or_default() += sample.weight);
    let mut weights: Vec<(u32, f64)> = weights.into_iter().collect();
    weights.sort_by_key(|(stack, _)| *stack);
    let mut nodes: Vec<Node> = Vec::new();
    let mut known: HashMap<(Option<u32>, Callee), u32> = HashMap::new();
    for (stack, weight) in weights {
        let stack = &run.stacks[stack as usize];
        let mut at = None;
        for callee in callees(run, stack, kept) {
            let next = *known.entry((at, callee.clone())).or_insert_with(|| {
                let (function, tier, inlined) = callee;
                nodes.push(Node { parent: at, function, tier, inlined, own: 0.0, runtime: 0.0, total: 0.0 });
                nodes.len() as u32 - 1
            });
            nodes[next as usize].total += weight;
            at = Some(next);
        }
        if let Some(at) = at {
            nodes[at as usize].own += weight;
            nodes[at as usize].runtime += if stack.doing == Doing::Runtime { weight } else { 0.0 };
        }
    }
    greatest(nodes)
}

/// The frames of a stack, outermost first, each function that calls itself once.
fn callees(run: &Run, stack: &Stack, kept: &Kept) -> Vec<Callee> {
    let mut found: Vec<(Option<u32>, Callee)> = Vec::new();
    for (nth, frame) in stack.frames.iter().enumerate().rev() {
        let Frame { function, version, inlined, .. } = run.frames[*frame as usize];
        let is_again = found.last().is_some_and(|(before, _)| *before == Some(function));
        if !is_again {
            let tier = run.versions[version as usize].tier.clone();
            found.push((Some(function), (kept.function(function), tier, inlined)));
        }
        if stack.left_out == Some(nth) {
            found.push((None, (None, "left-out".to_owned(), false)));
        }
    }
    found.into_iter().map(|(_, callee)| callee).collect()
}

/// The greatest nodes. One that calls another is greater than that, or as great and before it, so that each is kept with its callers.
fn greatest(nodes: Vec<Node>) -> (Vec<Node>, usize) {
    let left_out = nodes.len().saturating_sub(MOST_NODES);
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by(|a, b| nodes[*b].total.total_cmp(&nodes[*a].total).then(a.cmp(b)));
    order.truncate(MOST_NODES);
    let places: HashMap<u32, u32> = order.iter().enumerate().map(|(at, of)| (*of as u32, at as u32)).collect();
    let kept = order.iter().map(|of| {
        let node = nodes[*of].clone();
        Node { parent: node.parent.and_then(|parent| places.get(&parent)).copied(), ..node }
    });
    (kept.collect(), left_out)
}
