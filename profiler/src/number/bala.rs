//! Bala's path profiling: a path is a start block and the outcomes of its branches.
//!
//! In: a graph. Out: a plan that shifts each branch's outcome into a register, and the blocks of a history.
//! TFP ([`crate::persistence`]) is compared with it.
//!
//! `[B96]` V. Bala, "Low overhead path profiling", technical report, Hewlett Packard Labs, 1996, as described in
//! section 2 of `[NGF03]` (S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime",
//! LCPC 2003).
//!
//! A block with `d` successors adds `ceil(log2 d)` bits, the index of the successor. A leading 1 marks the history's
//! length.
//! Invariant: no history is longer than 63 branch bits; a graph with longer paths is cut further, at
//! `dag().truncated()`.

use cranelift_entity::SecondaryMap;

use super::dag::Dag;
use crate::graph::{EdgeKind, Graph, Node};
use crate::hash::KeyMap;
use crate::machine::Sink;
use crate::path_id::{Path, PathEnd, PathStart};
use crate::plan::{Action, Markers, Plan, append};

/// Branch bits that fit beside the leading 1.
pub const MAX_BITS: u32 = 63;

/// Branch histories of a graph.
#[derive(Clone, Debug)]
pub struct BranchHistories {
    dag: Dag,
}

/// Counts by start block and history; prefixes are counted apart.
#[derive(Clone, Debug, Default)]
pub struct BranchCounts {
    paths: KeyMap<(Node, u64), u64>,
    prefixes: KeyMap<(Node, Node, u64), u64>,
}

impl BranchHistories {
    /// Cuts `graph` so that the branch bits of each path fit a register.
    pub fn new(graph: &Graph) -> BranchHistories {
        BranchHistories::with_bits(graph, MAX_BITS)
    }

    /// Cuts `graph` for a register of `max_bits` branch bits, which must hold the widest branch.
    pub fn with_bits(graph: &Graph, max_bits: u32) -> BranchHistories {
        let mut dag = Dag::new(graph);
        let mut longest: SecondaryMap<Node, u32> = SecondaryMap::new();
        for node in dag.topological().to_vec() {
            let width = width(graph, node);
            assert!(width <= max_bits, "a branch of {width} bits does not fit {max_bits}");
            for &edge in graph.predecessors(node) {
                let from = graph.edge(edge).from;
                let kept = graph.edge(edge).kind == EdgeKind::Normal && !dag.is_cut(edge);
                if !kept {
                    continue;
                }
                if longest[from] + width > max_bits {
                    dag.truncate(graph, edge);
                } else {
                    longest[node] = longest[node].max(longest[from]);
                }
            }
            // From here on `longest` includes the bits of this block's own branch.
            longest[node] += width;
        }
        BranchHistories { dag }
    }

    /// The graph with its cuts.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The plan that records and reports histories.
    pub fn plan(&self, graph: &Graph, markers: Markers) -> Plan {
        let mut plan = Plan::default();
        append(&mut plan.entry, Action::StartBranches(graph.entry()));
        for &block in self.dag.topological() {
            for (index, edge) in (0..).zip(graph.normal_successors(block)) {
                let list = &mut plan.edges[edge];
                let to = graph.edge(edge).to;
                let width = width(graph, block) as u8;
                if width > 0 {
                    append(list, Action::ShiftBranches { width, value: index });
                }
                if self.dag.is_cut(edge) {
                    append(list, Action::FinishBranches { restart: Some(to) });
                } else if graph.is_return(edge) {
                    append(list, Action::FinishBranches { restart: None });
                }
            }
            append(&mut plan.aborts[block], Action::FinishBranchPrefix { block, restart: None });
        }
        for (id, edge) in graph.edges() {
            if edge.kind == EdgeKind::Failure {
                append(&mut plan.edges[id], Action::FinishBranchPrefix { block: edge.from, restart: Some(edge.to) });
            }
        }
        if graph.entry() == graph.exit() {
            append(&mut plan.entry, Action::FinishBranches { restart: None });
        }
        plan.mark_activations(graph, markers);
        plan
    }

    /// The blocks of a complete path.
    pub fn path_of(&self, graph: &Graph, start: Node, history: u64) -> Option<Path> {
        self.walk(graph, start, history, None)
    }

    /// The blocks of a path that a failure inside `block` cut short.
    pub fn prefix_of(&self, graph: &Graph, block: Node, start: Node, history: u64) -> Option<Path> {
        self.walk(graph, start, history, Some(block))
    }

    fn walk(&self, graph: &Graph, start: Node, history: u64, failed_in: Option<Node>) -> Option<Path> {
        let mut bits = MAX_BITS.checked_sub(history.leading_zeros())?;
        let kind = if start == graph.entry() { PathStart::Entry } else { PathStart::Restart };
        let mut path = Path { start: kind, blocks: Vec::new(), edges: Vec::new(), end: PathEnd::Return };
        let mut node = start;
        let end = loop {
            if graph.is_block(node) {
                path.blocks.push(node);
            }
            if failed_in == Some(node) {
                break PathEnd::Failure;
            }
            if node == graph.exit() {
                break PathEnd::Return;
            }
            bits = bits.checked_sub(width(graph, node))?;
            let index = (history >> bits) & !(u64::MAX << width(graph, node));
            let edge = graph.normal_successors(node).nth(usize::try_from(index).ok()?)?;
            if self.dag.is_cut(edge) {
                break PathEnd::Cut;
            }
            path.edges.push(edge);
            node = graph.edge(edge).to;
        };
        path.end = end;
        (bits == 0).then_some(path)
    }
}

impl BranchCounts {
    /// Complete paths by start block and history.
    pub fn paths(&self) -> Vec<(Node, u64, u64)> {
        let mut all: Vec<_> = self.paths.iter().map(|(&(start, history), &n)| (start, history, n)).collect();
        all.sort_unstable();
        all
    }

    /// Prefixes by block, start block and history.
    pub fn prefixes(&self) -> Vec<(Node, Node, u64, u64)> {
        let mut all: Vec<_> = self.prefixes.iter().map(|(&(block, start, h), &n)| (block, start, h, n)).collect();
        all.sort_unstable();
        all
    }
}

impl Sink for BranchCounts {
    fn branches(&mut self, start: Node, history: u64) {
        self.counted_branches(start, history, 1);
    }

    fn counted_branches(&mut self, start: Node, history: u64, count: u64) {
        *self.paths.entry((start, history)).or_insert(0) += count;
    }

    fn prefix_at(&mut self, block: Node, start: u32, history: u64) {
        *self.prefixes.entry((block, Node::from_u32(start), history)).or_insert(0) += 1;
    }
}

/// The branch bits of a history, oldest first.
pub fn history_bits(history: u64) -> String {
    let marked = format!("{history:b}");
    marked.get(1..).unwrap_or_default().to_string()
}

/// Number of bits of a branch at the end of `node`.
fn width(graph: &Graph, node: Node) -> u32 {
    let ways = graph.normal_successors(node).count();
    ways.max(1).next_power_of_two().trailing_zeros()
}
