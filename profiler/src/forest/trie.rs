//! The prefix forest (Definition 1 of `[DD13]`): labelled, counted nodes in an arena.
//!
//! In: find-or-add operations on roots and children. Out: sequences with counts.
//!
//! Nodes are first-child/next-sibling. A lookup moves the child found to the front of the list, as section 4.2 of
//! `[DD13]` proposes for nodes with many children; most of those that it lacks are known from a bit of their label. Where
//! there are few labels, nodes have a row of slots instead, one slot a label.
//!
//! Nodes may have a *link* to one that spells their end: in a suffix forest all but the first id; in a slab forest the
//! last slab of a node of the lower part, which is a node of the upper part. There the successors of a node on the last
//! level are the children of its link. So such a node needs no row of its own, and a slot holds both the child and the row
//! in which the search continues.
//!
//! Invariant: a node's index is above those of its parent and its link, so a descending loop visits children before
//! parents.

use crate::settings::trie::DENSE_MAX_PATHS;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::hash::IdMap;

/// A node of a prefix forest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrieNode(u32);
entity_impl!(TrieNode, "t");

/// Storage of a node's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildKind {
    /// A list that is scanned.
    List,
    /// An array of this many slots a node; every label is below that number.
    Dense(u32),
}

impl ChildKind {
    /// The kind for ids below `num_paths`.
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
    /// For [`ChildKind::Dense`]: the rows of slots, the roots' row first.
    slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct NodeData {
    label: u64,
    count: u64,
    first_child: PackedOption<TrieNode>,
    next_sibling: PackedOption<TrieNode>,
    link: PackedOption<TrieNode>,
    row: Row,
    /// The [`bit`]s of the children's labels.
    children: u64,
}

/// Index of a row of slots. The roots' row belongs to no node, so it also means no row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row(u32);

/// The row of the roots.
pub(super) const ROOTS: Row = Row(0);

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    child: PackedOption<TrieNode>,
    /// The row of the children of `child`, or of its link.
    next: Row,
}

/// The bit that a label has in a set of 64, where it may be with others.
fn bit(label: u64) -> u64 {
    1 << (label % u64::BITS as u64)
}

/// The node whose children are a node's successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// The node itself.
    Own,
    /// The node itself; its descendants on the last level use the link.
    Linked(TrieNode),
    /// The node's link: the node is on the last level.
    Instead(TrieNode),
}

impl Trie {
    /// An empty forest.
    pub fn new(kind: ChildKind) -> Trie {
        let slots = match kind {
            ChildKind::List => Vec::new(),
            ChildKind::Dense(width) => vec![Slot::default(); width as usize],
        };
        Trie { nodes: PrimaryMap::new(), roots: IdMap::default(), kind, slots }
    }

    /// The root with this label, added with count 0 if there is none.
    pub fn root(&mut self, label: u64) -> TrieNode {
        if let Some(root) = self.find_root(label) {
            return root;
        }
        let root = self.push(label, Below::Own);
        self.place_root(root);
        root
    }

    /// The child of `parent` with this label, added with count 0 if there is none.
    pub fn child(&mut self, parent: TrieNode, label: u64) -> TrieNode {
        self.find_child(parent, label).unwrap_or_else(|| self.add_child(parent, label, Below::Own))
    }

    /// The child of `parent` with this label, which moves to the front of a list.
    pub(super) fn find_child(&mut self, parent: TrieNode, label: u64) -> Option<TrieNode> {
        match self.kind {
            ChildKind::List => self.listed_child(parent, label),
            ChildKind::Dense(width) => self.slots[slot(width, self.nodes[parent].row, label)].child.expand(),
        }
    }

    /// Adds a child that does not exist yet.
    pub(super) fn add_child(&mut self, parent: TrieNode, label: u64, below: Below) -> TrieNode {
        let child = self.push(label, below);
        self.place_child(parent, child);
        child
    }

    fn listed_child(&mut self, parent: TrieNode, label: u64) -> Option<TrieNode> {
        if self.nodes[parent].children & bit(label) == 0 {
            return None;
        }
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
                return Some(child);
            }
            before = Some(child);
            at = next.expand();
        }
        None
    }

    fn push(&mut self, label: u64, below: Below) -> TrieNode {
        let link = match below {
            Below::Own => None,
            Below::Linked(link) | Below::Instead(link) => Some(link),
        };
        let row = match (self.kind, below) {
            (ChildKind::List, _) | (ChildKind::Dense(_), Below::Instead(_)) => ROOTS,
            (ChildKind::Dense(width), Below::Own | Below::Linked(_)) => {
                let row = Row((self.slots.len() / width as usize) as u32);
                self.slots.resize(self.slots.len() + width as usize, Slot::default());
                row
            }
        };
        let (first_child, next_sibling) = Default::default();
        self.nodes.push(NodeData { label, count: 0, first_child, next_sibling, link: link.into(), row, children: 0 })
    }

    /// Adds 1 to the nodes along `labels` from `row` on, while they exist; returns their number, the last node and the
    /// next row.
    pub(super) fn count_along(&mut self, width: u32, mut row: Row, labels: &[u64]) -> (usize, Option<TrieNode>, Row) {
        let mut at = None;
        for (index, &label) in labels.iter().enumerate() {
            let found = self.slots[slot(width, row, label)];
            let Some(child) = found.child.expand() else { return (index, at, row) };
            self.nodes[child].count += 1;
            row = found.next;
            at = Some(child);
        }
        (labels.len(), at, row)
    }

    /// Adds 1 to the child of `parent` with this label and returns it, if it is the first of the list.
    #[inline]
    pub(super) fn count_first_child(&mut self, parent: TrieNode, label: u64) -> Option<TrieNode> {
        let child = self.nodes[parent].first_child.expand()?;
        let data = &mut self.nodes[child];
        if data.label != label {
            return None;
        }
        data.count += 1;
        Some(child)
    }

    /// The link of a node.
    pub(super) fn link(&self, node: TrieNode) -> Option<TrieNode> {
        self.nodes[node].link.expand()
    }

    /// The row of the children that are the successors of `node`.
    pub(super) fn next_row(&self, node: TrieNode) -> Row {
        let data = &self.nodes[node];
        match data.link.expand() {
            Some(link) if data.row == ROOTS => self.nodes[link].row,
            Some(_) | None => data.row,
        }
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

    /// The storage of children.
    pub fn kind(&self) -> ChildKind {
        self.kind
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use: nodes, slots and the table of roots.
    pub fn bytes(&self) -> usize {
        let (slots, roots) = (self.slots.len() * size_of::<Slot>(), self.roots.len() * size_of::<(u64, TrieNode)>());
        self.nodes.len() * size_of::<NodeData>() + slots + roots
    }

    /// The most bytes that adding one root takes.
    pub(super) fn bytes_per_root(&self) -> usize {
        let slots = match self.kind {
            ChildKind::List => 0,
            ChildKind::Dense(width) => width as usize * size_of::<Slot>(),
        };
        size_of::<NodeData>() + slots + size_of::<(u64, TrieNode)>()
    }

    /// Every node, parents before children.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = TrieNode> + use<> {
        self.nodes.keys()
    }

    /// The children of a node; in a list, the most recently used one first.
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
            ChildKind::Dense(width) => {
                self.slots[..width as usize].iter().filter_map(|slot| slot.child.expand()).collect()
            }
        }
    }

    /// The root with this label, if there is one.
    pub fn find_root(&self, label: u64) -> Option<TrieNode> {
        match self.kind {
            ChildKind::List => self.roots.get(&label).copied(),
            ChildKind::Dense(width) if label < u64::from(width) => self.slots[label as usize].child.expand(),
            ChildKind::Dense(_) => None,
        }
    }

    /// The node at the end of a sequence of labels.
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
        // Each entry: a node and the length of its parent's sequence.
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

    /// The forest of the nodes for which `keep` holds, and the new index of each; `keep` must not hold for a node whose
    /// parent or link is dropped.
    pub(super) fn retain(
        &self,
        keep: impl Fn(TrieNode) -> bool,
    ) -> (Trie, SecondaryMap<TrieNode, PackedOption<TrieNode>>) {
        let mut kept = Trie::new(self.kind);
        let mut moved: SecondaryMap<TrieNode, PackedOption<TrieNode>> = SecondaryMap::new();
        for node in self.nodes().filter(|&node| keep(node)) {
            let link = self.link(node).map(|link| moved[link].expect("a node is kept with its link"));
            let below = match link {
                None => Below::Own,
                Some(link) if self.nodes[node].row == ROOTS => Below::Instead(link),
                Some(link) => Below::Linked(link),
            };
            let there = kept.push(self.label(node), below);
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
            // In reverse, to keep the order, most recent first.
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
            ChildKind::Dense(width) => {
                let next = self.next_row(root);
                self.slots[slot(width, ROOTS, label)] = Slot { child: root.into(), next };
            }
        }
    }

    fn place_child(&mut self, parent: TrieNode, child: TrieNode) {
        self.nodes[child].next_sibling = self.nodes[parent].first_child;
        self.nodes[parent].first_child = child.into();
        self.nodes[parent].children |= bit(self.nodes[child].label);
        match self.kind {
            ChildKind::List => {}
            ChildKind::Dense(width) => {
                let at = slot(width, self.nodes[parent].row, self.label(child));
                self.slots[at] = Slot { child: child.into(), next: self.next_row(child) };
            }
        }
    }
}

/// Index of a label's slot.
#[inline]
fn slot(width: u32, row: Row, label: u64) -> usize {
    // A label that is too great would be found in another row.
    assert!(label < u64::from(width), "label {label} has no slot");
    row.0 as usize * width as usize + label as usize
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
        let (kept, moved) = trie.retain(|node| node != TrieNode(2));
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
