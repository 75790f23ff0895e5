//! Calling context trees, exact.
//!
//! In: calls and returns in order, each call with its call site. Out: a [`ContextTree`]: a node for each calling context, with how often it was
//! entered.
//!
//! `[ABL97]` G. Ammons, T. Ball, J. R. Larus, "Exploiting Hardware Performance Counters with Flow and Context Sensitive Profiling", PLDI 1997;
//! section 4. Their call records are [`ContextNode`]s, and their callee slots, one for each call site, are the keys of [`ContextNode::callees`].
//!
//! ```text
//!   call tree           main: f() -> g() -> f() -> g(),  h()         tree   main --> f --> g        a recursive call leads back to the node of
//!                                                                            \-> h   ^-----+         the procedure that is active already
//! ```
//!
//! Invariants: a procedure has at most one node on the way from the root to any node, so that the depth is at most the number of
//! procedures; the sum of all counts is the number of activations.

use std::collections::BTreeMap;

use cranelift_entity::{PrimaryMap, entity_impl};

use crate::event::FunctionId;

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(u32);
entity_impl!(ContextId, "context");

/// A call site of a procedure, by its number in it.
pub type CallNumber = u32;

/// The place from which a context is entered: the root's procedures have none.
pub type CallSlot = (Option<CallNumber>, FunctionId);

/// A procedure in a calling context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextNode {
    /// The context that calls, and its call site; `None` if the host does.
    pub parent: Option<(ContextId, Option<CallNumber>)>,
    /// The procedure.
    pub function: FunctionId,
    /// Activations in this context, those that recursive calls lead back to it among them.
    pub calls: u64,
    /// Those of them.
    pub recursive: u64,
    /// The contexts that it calls, by call site and procedure; a recursive call leads to an ancestor, or to the node itself.
    pub callees: BTreeMap<CallSlot, ContextId>,
}

/// A calling context tree, and the activations under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextTree {
    nodes: PrimaryMap<ContextId, ContextNode>,
    roots: BTreeMap<FunctionId, ContextId>,
    active: Vec<Activation>,
}

/// An activation: its context, and the call that it makes, or made last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Activation {
    context: ContextId,
    site: Option<CallNumber>,
}

impl ContextTree {
    /// The innermost activation reaches a call; false if there is none.
    pub fn reach(&mut self, site: CallNumber) -> bool {
        match self.active.last_mut() {
            Some(activation) => {
                activation.site = Some(site);
                true
            }
            None => false,
        }
    }

    /// A procedure is called: by the innermost activation at the call that it reached, or by the host.
    pub fn enter(&mut self, function: FunctionId) {
        let caller = self.active.last().copied();
        let slot = (caller.and_then(|caller| caller.site), function);
        let known = match caller {
            None => self.roots.get(&function),
            Some(caller) => self.nodes[caller.context].callees.get(&slot),
        };
        let context = known.copied().unwrap_or_else(|| self.fill(caller, slot));
        let node = &mut self.nodes[context];
        node.calls += 1;
        // The one slot that leads down to a node is that of its parent; all others lead back to it.
        let leads_down = node.parent == caller.map(|caller| (caller.context, slot.0));
        node.recursive += u64::from(!leads_down);
        self.active.push(Activation { context, site: None });
    }

    /// The innermost activation ends, by a return or by a failure; false if there is none.
    pub fn leave(&mut self) -> bool {
        self.active.pop().is_some()
    }

    /// Fills the slot of a caller that calls a procedure for the first time there: with the ancestor of the same procedure, or a new node.
    fn fill(&mut self, caller: Option<Activation>, slot: CallSlot) -> ContextId {
        let (site, function) = slot;
        let ancestor =
            caller.and_then(|caller| self.way_up(caller.context).find(|at| self.nodes[*at].function == function));
        let parent = caller.map(|caller| (caller.context, site));
        let new = ContextNode { parent, function, calls: 0, recursive: 0, callees: BTreeMap::new() };
        let context = ancestor.unwrap_or_else(|| self.nodes.push(new));
        match caller {
            None => self.roots.insert(function, context),
            Some(caller) => self.nodes[caller.context].callees.insert(slot, context),
        };
        context
    }

    /// A node and its ancestors.
    fn way_up(&self, from: ContextId) -> impl Iterator<Item = ContextId> {
        std::iter::successors(Some(from), |at| self.nodes[*at].parent.map(|(parent, _)| parent))
    }

    /// Every context, in the order in which they were entered first.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (ContextId, &ContextNode)> {
        self.nodes.iter()
    }

    /// One context.
    pub fn node(&self, context: ContextId) -> &ContextNode {
        &self.nodes[context]
    }

    /// The contexts on the way to one, from the root on, each with the call site of its caller.
    pub fn way_to(&self, context: ContextId) -> Vec<(ContextId, Option<CallNumber>)> {
        let site = |at: ContextId| self.nodes[at].parent.and_then(|(_, site)| site);
        let mut way: Vec<_> = self.way_up(context).map(|at| (at, site(at))).collect();
        way.reverse();
        way
    }

    /// Number of activations.
    pub fn activations(&self) -> u64 {
        self.nodes.values().map(|node| node.calls).sum()
    }

    /// Returns true if nothing was entered.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(function: u32) -> FunctionId {
        FunctionId::from_u32(function)
    }

    /// The tree of calls and returns; the first call is the host's.
    fn tree(calls: &[Step]) -> ContextTree {
        let mut tree = ContextTree::default();
        for call in calls {
            match *call {
                Step::Enter(site, function) => {
                    assert_eq!(tree.reach(site), !tree.active.is_empty());
                    tree.enter(f(function));
                }
                Step::Leave => assert!(tree.leave()),
            }
        }
        tree
    }

    #[derive(Clone, Copy)]
    enum Step {
        Enter(CallNumber, u32),
        Leave,
    }
    use Step::{Enter, Leave};

    /// One procedure, called at two sites and from two contexts, has three contexts.
    #[test]
    fn contexts_are_told_apart_by_call_sites_and_callers() {
        let tree = tree(&[
            Enter(0, 0),
            Enter(1, 2),
            Leave,
            Enter(2, 2),
            Leave,
            Enter(2, 2),
            Leave,
            Enter(3, 1),
            Enter(0, 2),
            Leave,
            Leave,
            Leave,
        ]);
        let calls: Vec<(u32, u64)> = tree.nodes().map(|(_, node)| (node.function.as_u32(), node.calls)).collect();
        assert_eq!(calls, [(0, 1), (2, 1), (2, 2), (1, 1), (2, 1)]);
        assert_eq!(tree.activations(), 6);
        let last = tree.nodes().last().expect("there are contexts").0;
        let way: Vec<(u32, Option<u32>)> =
            tree.way_to(last).iter().map(|(at, site)| (tree.node(*at).function.as_u32(), *site)).collect();
        assert_eq!(way, [(0, None), (1, Some(3)), (2, Some(0))]);
    }

    /// The figure above: recursion leads back, and is counted there.
    #[test]
    fn recursion_leads_back_to_the_ancestor() {
        let deep: Vec<Step> =
            [Enter(0, 0), Enter(0, 1)].into_iter().chain((0..500).flat_map(|_| [Enter(0, 2), Enter(0, 1)])).collect();
        let tree = tree(&deep);
        let calls: Vec<(u32, u64, u64)> =
            tree.nodes().map(|(_, node)| (node.function.as_u32(), node.calls, node.recursive)).collect();
        assert_eq!(calls, [(0, 1, 0), (1, 501, 500), (2, 500, 0)]);
        assert!(tree.nodes().all(|(at, _)| tree.way_to(at).len() <= 3), "no deeper than there are procedures");
    }
}
