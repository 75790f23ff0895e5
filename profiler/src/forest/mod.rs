//! Concatenations of up to `k` acyclic paths: the k-slab forest, built from a stream of path ids.
//!
//! In: activation markers and path ids, through [`Sink`]. Out: a [`SlabForest`], which [`ipf::PathForest::of`] turns into the k-IPF:
//! every sequence of 1..k ids with its exact count.
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013:
//! Definition 3 and Figure 6. Notation: `tau` is the current node in the upper part of the forest (levels 0 to k-2), `beta` in the
//! lower part (k-1 to 2k-3), `n` the ids since the activation started; kept modulo k-1, which is all that is asked of it.
//!
//! ```text
//!   stream  * 6 2 0 | 0 2 2 | 0 0 2 ...      k = 4: cut every 3 ids. A slab enters the trie twice:
//!           s1 = 6 2 0, s2 = 0 2 2           from a root (tau), and below the slab before it (beta).
//! ```
//!
//! The paper's stream knows one routine and no recursion; here each activation has its own `tau`, `beta` and `n` on a stack.
//! A failure ends a path as a prefix, which is no id of the stream, so no sequence runs across it: it acts as a marker `*`.
//! `k = 1`, which Definition 3 leaves out, counts single ids at the roots.
//!
//! Invariants: each id of the stream is counted at exactly one node; without pruning every count of the k-IPF is exact, and with
//! it too low by at most [`SlabForest::lost`].

pub mod ipf;
pub mod prune;
pub mod sample;
pub mod trie;

use cranelift_entity::packed_option::PackedOption;

use crate::graph::Node;
use crate::machine::Sink;
use trie::{ChildKind, Trie, TrieNode};

/// The k-slab forest of a stream, as far as it has been read.
#[derive(Clone, Debug)]
pub struct SlabForest {
    k: u32,
    trie: Trie,
    /// The activations under way, innermost last.
    activations: Vec<Activation>,
    limit: Option<usize>,
    prune_above: usize,
    lost: u64,
    pruned: u64,
    uncertain: u64,
}

/// What is kept for one activation.
#[derive(Clone, Copy, Debug, Default)]
struct Activation {
    tau: PackedOption<TrieNode>,
    beta: PackedOption<TrieNode>,
    /// Ids since the activation started, modulo k-1.
    n: u32,
    /// Ids to come whose sequences may have begun in a gap of the stream.
    resumed: u32,
}

impl SlabForest {
    /// An empty forest for sequences of up to `k` ids below `num_paths`; `k` is at least 1.
    pub fn new(k: u32, num_paths: u64) -> SlabForest {
        SlabForest::with_children(k, ChildKind::for_paths(num_paths))
    }

    /// An empty forest whose nodes keep their children in a given way.
    pub fn with_children(k: u32, children: ChildKind) -> SlabForest {
        assert!(k >= 1, "a sequence has at least one id");
        SlabForest {
            k,
            trie: Trie::new(children),
            activations: Vec::new(),
            limit: None,
            prune_above: usize::MAX,
            lost: 0,
            pruned: 0,
            uncertain: 0,
        }
    }

    /// Bounds the memory: above `bytes`, cold subtrees are pruned and what they counted is added to [`SlabForest::lost`].
    ///
    /// Nodes that an activation under way stands on stay, so deep recursion may hold more.
    pub fn with_limit(mut self, bytes: usize) -> SlabForest {
        self.limit = Some(bytes);
        self.prune_above = bytes;
        self
    }

    /// An activation starts: the marker `*`, with the one around it kept for later.
    pub fn enter(&mut self) {
        self.activations.push(Activation::default());
    }

    /// The innermost activation ends.
    pub fn leave(&mut self) {
        self.activations.pop();
    }

    /// No sequence runs across this point of the innermost activation: the marker `*` within it.
    pub fn restart(&mut self) {
        match self.activations.last_mut() {
            Some(innermost) => *innermost = Activation::default(),
            None => self.enter(),
        }
    }

    /// Ids were left out: no sequence runs across this point of any activation, though in the program one might.
    pub fn resume_after_gap(&mut self) {
        self.activations.fill(Activation { resumed: self.k - 1, ..Activation::default() });
    }

    /// Figure 6: the innermost activation completes the path `r`.
    pub fn process_bl_path_id(&mut self, r: u64) {
        if self.activations.is_empty() {
            self.enter();
        }
        let at = self.activations.last_mut().expect("an activation is under way");
        if at.resumed > 0 {
            at.resumed -= 1;
            self.uncertain += 1;
        }
        if self.k == 1 {
            let root = self.trie.root(r);
            self.trie.add(root, 1);
        } else {
            let tau = if at.n == 0 {
                at.beta = at.tau;
                self.trie.root(r)
            } else {
                self.trie.child(at.tau.expect("a slab has begun"), r)
            };
            at.tau = tau.into();
            let counted = match at.beta.expand() {
                Some(beta) => {
                    let below = self.trie.child(beta, r);
                    at.beta = below.into();
                    below
                }
                None => tau,
            };
            self.trie.add(counted, 1);
            at.n += 1;
            if at.n == self.k - 1 {
                at.n = 0;
            }
        }
        if self.trie.bytes() > self.prune_above {
            self.prune();
        }
    }

    /// The longest sequences that are counted.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The nodes, their labels and counts.
    pub fn trie(&self) -> &Trie {
        &self.trie
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.trie.node_count()
    }

    /// Bytes that the nodes and the table of roots take.
    pub fn bytes(&self) -> usize {
        self.trie.bytes()
    }

    /// Ids whose count was pruned: no count of the k-IPF is too low by more. 0 means that all are exact.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Ids at which a sequence may have ended that began in a gap, and so was not counted.
    pub fn uncertain(&self) -> u64 {
        self.uncertain
    }

    /// Nodes that were pruned.
    pub fn pruned_nodes(&self) -> u64 {
        self.pruned
    }
}

impl Sink for SlabForest {
    fn path(&mut self, id: u64) {
        self.process_bl_path_id(id);
    }

    fn prefix(&mut self, _block: Node, _id: u64) {
        self.restart();
    }

    fn enter(&mut self) {
        SlabForest::enter(self);
    }

    fn leave(&mut self) {
        SlabForest::leave(self);
    }
}
