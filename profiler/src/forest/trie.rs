//! The prefix forest (Definition 1 of `[DD13]`): labelled, counted nodes in an arena.
//!
//! In: find-or-add of roots and children. Out: sequences with counts.
//!
//! Nodes are first-child/next-sibling. A node's list of children moves the one asked for to its front, as section 4.2 of
//! `[DD13]` proposes for nodes with many children. Where labels are few, each node has an array with one slot for each label instead.
//!
//! Invariant: a parent's index is below its children's, so that a descending loop meets children first.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use crate::hash::IdMap;

/// A node of a prefix forest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrieNode(u32);
entity_impl!(TrieNode, "t");

/// How children are found by label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildKind {
    /// By a scan of the list.
    List,
    /// By an array with so many slots in each node; labels are below that.
    Dense(u32),
}

/// Up to so many paths children are in arrays.
///
/// Measured 2026-11-21, AMD EPYC, two shared cores, three runs, k = 8, by
/// `cargo run --release -p holloway-profiler --example measure_children`, ns an id, list against array, last run:
///
/// | paths | periodic | nine of ten ids alike | uniform | bytes, uniform |
/// |---|---|---|---|---|
/// | 2 | 8.5 / 8.3 | 10.2 / 8.6 | 22 / 10 | x 1.3 |
/// | 4 | 8.5 / 8.4 | 17.4 / 9.2 | 59 / 50 | x 1.7 |
/// | 8 | 8.4 / 8.3 | 16.2 / 10.4 | 94 / 182 | x 2.3 in the skewed stream |
/// | 16 | 8.5 / 8.3 | 21.3 / 20.4 | 148 / 225 | x 3.7 in the skewed stream |
///
/// Arrays win by less than they can lose once they outgrow the caches, so the switch is where no stream loses.
pub const DENSE_MAX_PATHS: u64 = 4;

impl ChildKind {
    /// What suits ids below `num_paths`.
    pub fn for_paths(num_paths: u64) -> ChildKind {
        match u32::try_from(num_paths) {
            Ok(slots) if num_paths <= DENSE_MAX_PATHS => ChildKind::Dense(slots),
            _ => ChildKind::List,
        }
    }
}

/// A prefix forest.
#[derive(Clone, Debug)]
pub struct Trie {
    nodes: PrimaryMap<TrieNode, NodeData>,
    /// For [`ChildKind::List`]: the roots by label.
    roots: IdMap<TrieNode>,
    kind: ChildKind,
    /// For [`ChildKind::Dense`]: the roots' slots, then each node's.
    slots: Vec<PackedOption<TrieNode>>,
}

#[derive(Clone, Debug)]
struct NodeData {
    label: u64,
    count: u64,
    first_child: PackedOption<TrieNode>,
    next_sibling: PackedOption<TrieNode>,
}

impl Trie {
    /// An empty forest.
    pub fn new(kind: ChildKind) -> Trie {
        let slots = match kind {
            ChildKind::List => Vec::new(),
            ChildKind::Dense(width) => vec![PackedOption::default(); width as usize],
        };
        Trie { nodes: PrimaryMap::new(), roots: IdMap::default(), kind, slots }
    }

    /// The root with this label, added with count 0 if there is none.
    pub fn root(&mut self, label: u64) -> TrieNode {
        match self.kind {
            ChildKind::List => {
                if let Some(&root) = self.roots.get(&label) {
                    return root;
                }
                let root = self.push(label);
                self.roots.insert(label, root);
                root
            }
            ChildKind::Dense(width) => {
                assert!(label < u64::from(width), "label {label} has no slot");
                self.in_slot(label as usize, label).0
            }
        }
    }

    /// The child of `parent` with this label, added with count 0 if there is none.
    pub fn child(&mut self, parent: TrieNode, label: u64) -> TrieNode {
        match self.kind {
            ChildKind::List => self.listed_child(parent, label),
            ChildKind::Dense(width) => {
                // A label too great would find another node's slot.
                assert!(label < u64::from(width), "label {label} has no slot");
                let slot = (parent.index() + 1) * width as usize + label as usize;
                let (child, added) = self.in_slot(slot, label);
                if added {
                    self.nodes[child].next_sibling = self.nodes[parent].first_child;
                    self.nodes[parent].first_child = child.into();
                }
                child
            }
        }
    }

    fn listed_child(&mut self, parent: TrieNode, label: u64) -> TrieNode {
        let first = self.nodes[parent].first_child;
        let mut before: Option<TrieNode> = None;
        let mut at = first.expand();
        while let Some(child) = at {
            let next = self.nodes[child].next_sibling;
            if self.nodes[child].label == label {
                if let Some(before) = before {
                    self.nodes[before].next_sibling = next;
                    self.nodes[child].next_sibling = first;
                    self.nodes[parent].first_child = child.into();
                }
                return child;
            }
            before = Some(child);
            at = next.expand();
        }
        let child = self.push(label);
        self.nodes[child].next_sibling = first;
        self.nodes[parent].first_child = child.into();
        child
    }

    fn in_slot(&mut self, slot: usize, label: u64) -> (TrieNode, bool) {
        match self.slots[slot].expand() {
            Some(node) => (node, false),
            None => {
                let node = self.push(label);
                self.slots[slot] = node.into();
                (node, true)
            }
        }
    }

    fn push(&mut self, label: u64) -> TrieNode {
        if let ChildKind::Dense(width) = self.kind {
            self.slots.resize(self.slots.len() + width as usize, PackedOption::default());
        }
        let (first_child, next_sibling) = Default::default();
        self.nodes.push(NodeData { label, count: 0, first_child, next_sibling })
    }

    /// Adds to a node's count.
    pub fn add(&mut self, node: TrieNode, count: u64) {
        self.nodes[node].count += count;
    }

    /// A node's label.
    pub fn label(&self, node: TrieNode) -> u64 {
        self.nodes[node].label
    }

    /// A node's count.
    pub fn count(&self, node: TrieNode) -> u64 {
        self.nodes[node].count
    }

    /// How children are found.
    pub fn kind(&self) -> ChildKind {
        self.kind
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use: nodes, slots and the table of roots.
    pub fn bytes(&self) -> usize {
        let inner = self.bytes_per_root() - size_of::<(u64, TrieNode)>();
        self.nodes.len() * inner + self.roots.len() * size_of::<(u64, TrieNode)>()
    }

    /// The most that one node takes.
    pub(super) fn bytes_per_root(&self) -> usize {
        let slots = match self.kind {
            ChildKind::List => 0,
            ChildKind::Dense(width) => width as usize * size_of::<PackedOption<TrieNode>>(),
        };
        size_of::<NodeData>() + slots + size_of::<(u64, TrieNode)>()
    }

    /// Every node, parents before children.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = TrieNode> + use<> {
        self.nodes.keys()
    }

    /// The children of a node; in a list, the one asked for last comes first.
    pub fn children(&self, node: TrieNode) -> impl Iterator<Item = TrieNode> + '_ {
        let first = self.nodes[node].first_child.expand();
        std::iter::successors(first, |&child| self.nodes[child].next_sibling.expand())
    }

    /// The roots by increasing label.
    pub fn roots(&self) -> Vec<TrieNode> {
        match self.kind {
            ChildKind::List => {
                let mut roots: Vec<TrieNode> = self.roots.values().copied().collect();
                roots.sort_unstable_by_key(|&root| self.label(root));
                roots
            }
            ChildKind::Dense(width) => self.slots[..width as usize].iter().filter_map(|slot| slot.expand()).collect(),
        }
    }

    /// The root with this label, if there is one.
    pub fn find_root(&self, label: u64) -> Option<TrieNode> {
        match self.kind {
            ChildKind::List => self.roots.get(&label).copied(),
            ChildKind::Dense(width) if label < u64::from(width) => self.slots[label as usize].expand(),
            ChildKind::Dense(_) => None,
        }
    }

    /// The node that a sequence of labels leads to.
    pub fn find(&self, sequence: &[u64]) -> Option<TrieNode> {
        let (&first, rest) = sequence.split_first()?;
        let mut at = self.find_root(first)?;
        for &label in rest {
            at = self.children(at).find(|&child| self.label(child) == label)?;
        }
        Some(at)
    }

    /// Every node as its sequence of labels, with its count, in lexicographic order.
    pub fn sequences(&self) -> Vec<(Vec<u64>, u64)> {
        let mut all = Vec::with_capacity(self.node_count());
        let mut sequence = Vec::new();
        // Each entry: a node and the length of the sequence before it.
        let mut work: Vec<(TrieNode, usize)> = self.roots().into_iter().rev().map(|root| (root, 0)).collect();
        while let Some((node, before)) = work.pop() {
            sequence.truncate(before);
            sequence.push(self.label(node));
            all.push((sequence.clone(), self.count(node)));
            let mut children: Vec<TrieNode> = self.children(node).collect();
            children.sort_unstable_by_key(|&child| std::cmp::Reverse(self.label(child)));
            work.extend(children.into_iter().map(|child| (child, before + 1)));
        }
        all
    }

    /// The forest without the nodes that `keep` denies, whose descendants it must deny too; and where each node went.
    pub(super) fn retain(
        &self,
        keep: impl Fn(TrieNode) -> bool,
    ) -> (Trie, SecondaryMap<TrieNode, PackedOption<TrieNode>>) {
        let mut kept = Trie::new(self.kind);
        let mut moved: SecondaryMap<TrieNode, PackedOption<TrieNode>> = SecondaryMap::new();
        for node in self.nodes().filter(|&node| keep(node)) {
            let there = kept.push(self.label(node));
            kept.nodes[there].count = self.count(node);
            moved[node] = there.into();
        }
        for root in self.roots() {
            if let Some(there) = moved[root].expand() {
                kept.place_root(there);
            }
        }
        for node in self.nodes() {
            let Some(parent) = moved[node].expand() else { continue };
            let children: Vec<TrieNode> = self.children(node).filter_map(|child| moved[child].expand()).collect();
            // From the back, so that the order, most recent first, stays.
            for &child in children.iter().rev() {
                kept.place_child(parent, child);
            }
        }
        (kept, moved)
    }

    fn place_root(&mut self, root: TrieNode) {
        let label = self.label(root);
        match self.kind {
            ChildKind::List => {
                self.roots.insert(label, root);
            }
            ChildKind::Dense(_) => self.slots[label as usize] = root.into(),
        }
    }

    fn place_child(&mut self, parent: TrieNode, child: TrieNode) {
        self.nodes[child].next_sibling = self.nodes[parent].first_child;
        self.nodes[parent].first_child = child.into();
        match self.kind {
            ChildKind::List => {}
            ChildKind::Dense(width) => {
                let slot = (parent.index() + 1) * width as usize + self.label(child) as usize;
                self.slots[slot] = child.into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_nodes_keeps_the_order_of_the_others() {
        let mut trie = Trie::new(ChildKind::List);
        let root = trie.root(0);
        for label in [5, 6, 7, 8] {
            trie.child(root, label);
        }
        let (kept, moved) = trie.retain(|node| node.index() != 2);
        let labels = |trie: &Trie, node| trie.children(node).map(|c| trie.label(c)).collect::<Vec<_>>();
        assert_eq!(labels(&trie, root), [8, 7, 6, 5]);
        assert_eq!(labels(&kept, moved[root].unwrap()), [8, 7, 5]);
    }

    #[test]
    fn few_paths_have_arrays() {
        assert_eq!(ChildKind::for_paths(DENSE_MAX_PATHS), ChildKind::Dense(4));
        assert_eq!(ChildKind::for_paths(DENSE_MAX_PATHS + 1), ChildKind::List);
        assert_eq!(ChildKind::for_paths(u64::MAX), ChildKind::List);
    }
}
