//! Random graphs, random executions of them, and a naive record of each execution.
//!
//! In: proptest's choices. Out: a [`Run`]: activations as lists of edges, each ended by a return or an abort.
//! Invariant: every node but the exit is reachable from the entry, and no pair of nodes is joined twice by one kind of
//! edge.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use holloway_profiler::graph::{EdgeId, EdgeKind, ExitKind, Graph, GraphBuilder, Node};
use holloway_profiler::machine::{Machine, Sink};
use proptest::prelude::*;

/// One activation: its edges in order, and where it failed if it did not return.
#[derive(Clone, Debug, Default)]
pub struct Activation {
    pub edges: Vec<EdgeId>,
    pub aborted_in: Option<Node>,
}

/// A graph and some activations.
#[derive(Clone, Debug)]
pub struct Run {
    pub graph: Graph,
    pub activations: Vec<Activation>,
}

/// Number of random graphs of a property: `HOLLOWAY_GRAPHS`, or as many as take a second.
pub fn cases(usual: u32) -> u32 {
    let asked = std::env::var("HOLLOWAY_GRAPHS").ok();
    asked.map_or(usual, |asked| asked.parse().expect("HOLLOWAY_GRAPHS is a number"))
}

/// Random graphs, reducible or not, with self loops and failure edges, and random executions.
pub fn runs() -> impl Strategy<Value = Run> {
    (
        2..9_usize,
        prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6_u8), 0..14),
        prop::collection::vec(any::<prop::sample::Index>(), 9),
        prop::collection::vec(any::<u8>(), 0..160),
    )
        .prop_map(|(blocks, extra, parents, choices)| {
            let graph = random_graph(blocks, &extra, &parents);
            let activations = walk(&graph, &choices);
            Run { graph, activations }
        })
}

fn random_graph(
    blocks: usize,
    extra: &[(prop::sample::Index, prop::sample::Index, u8)],
    parents: &[prop::sample::Index],
) -> Graph {
    let mut builder = GraphBuilder::default();
    let nodes: Vec<Node> = (0..=blocks).map(|_| builder.node()).collect();
    let exit = nodes[blocks];
    let mut joined = std::collections::BTreeSet::new();
    let mut add = |builder: &mut GraphBuilder, from: Node, to: Node, kind: EdgeKind| {
        if joined.insert((from, to, kind)) {
            builder.edge(from, to, kind);
        }
    };
    for block in 1..blocks {
        add(&mut builder, nodes[parents[block].index(block)], nodes[block], EdgeKind::Normal);
    }
    for (from, to, kind) in extra {
        let kind = if *kind == 0 { EdgeKind::Failure } else { EdgeKind::Normal };
        add(&mut builder, nodes[from.index(blocks)], nodes[to.index(blocks)], kind);
    }
    for (block, &node) in nodes[..blocks].iter().enumerate() {
        // Most blocks without successors return; every fifth choice leaves a block that can only fail.
        let leads_on = extra.iter().any(|(from, _, kind)| *kind > 0 && from.index(blocks) == block)
            || (1..blocks).any(|b| parents[b].index(b) == block);
        if (!leads_on && extra.len() % 5 != 4) || block + 1 == blocks {
            add(&mut builder, node, exit, EdgeKind::Normal);
        }
    }
    builder.finish(nodes[0], exit, ExitKind::Synthetic).expect("the construction keeps the invariants")
}

/// Reducible graphs with nested loops, as a structured program has them, and random executions.
pub fn structured_runs() -> impl Strategy<Value = Run> {
    (prop::collection::vec(any::<u8>(), 0..24), prop::collection::vec(any::<u8>(), 0..240)).prop_map(
        |(shape, choices)| {
            let graph = structured_graph(&shape);
            let activations = walk(&graph, &choices);
            Run { graph, activations }
        },
    )
}

/// Reads `shape` as a program: straight blocks, conditionals, loops, breaks and returns.
fn structured_graph(shape: &[u8]) -> Graph {
    let mut builder = GraphBuilder::default();
    let entry = builder.node();
    let exit = builder.node();
    let mut program = Structured { builder, joined: Default::default(), exit, loops: Vec::new() };
    let mut shape = shape.iter().copied();
    let last = program.sequence(entry, &mut shape, 0);
    program.join(last, exit);
    program.builder.finish(entry, exit, ExitKind::Synthetic).expect("the construction keeps the invariants")
}

struct Structured {
    builder: GraphBuilder,
    joined: std::collections::BTreeSet<(Node, Node)>,
    exit: Node,
    loops: Vec<(Node, Node)>,
}

impl Structured {
    fn join(&mut self, from: Node, to: Node) {
        if self.joined.insert((from, to)) {
            self.builder.edge(from, to, EdgeKind::Normal);
        }
    }

    fn sequence(&mut self, mut at: Node, shape: &mut impl Iterator<Item = u8>, depth: u32) -> Node {
        while let Some(choice) = shape.next() {
            match choice % 8 {
                0 | 1 if depth < 4 => {
                    let (then, other, after) = (self.builder.node(), self.builder.node(), self.builder.node());
                    self.join(at, then);
                    self.join(at, other);
                    let then = self.sequence(then, shape, depth + 1);
                    let other = if choice % 16 < 8 { other } else { self.sequence(other, shape, depth + 1) };
                    self.join(then, after);
                    self.join(other, after);
                    at = after;
                }
                2 | 3 if depth < 4 => {
                    let (header, body, after) = (self.builder.node(), self.builder.node(), self.builder.node());
                    self.join(at, header);
                    self.join(header, body);
                    self.join(header, after);
                    self.loops.push((header, after));
                    let end = self.sequence(body, shape, depth + 1);
                    self.loops.pop();
                    self.join(end, header);
                    at = after;
                }
                4 => {
                    // A conditional jump out of an enclosing loop or to its head, or a return.
                    let on = self.builder.node();
                    self.join(at, on);
                    match self.loops.last() {
                        Some(&(header, after)) => self.join(at, if choice % 16 < 8 { after } else { header }),
                        None => self.join(at, self.exit),
                    }
                    at = on;
                }
                5 if depth > 0 => return at,
                _ => {
                    let next = self.builder.node();
                    self.join(at, next);
                    at = next;
                }
            }
        }
        at
    }
}

/// Follows the choices through the graph. Activations that the choices do not finish are aborted.
pub fn walk(graph: &Graph, choices: &[u8]) -> Vec<Activation> {
    let mut activations = Vec::new();
    let mut current = Activation::default();
    let mut at = graph.entry();
    for &choice in choices {
        let ways = graph.successors(at);
        if ways.is_empty() || choice == 255 {
            current.aborted_in = Some(at);
            activations.push(std::mem::take(&mut current));
            at = graph.entry();
            continue;
        }
        let edge = ways[usize::from(choice) % ways.len()];
        current.edges.push(edge);
        at = graph.edge(edge).to;
        if at == graph.exit() {
            activations.push(std::mem::take(&mut current));
            at = graph.entry();
        }
    }
    current.aborted_in = Some(at);
    activations.push(current);
    activations
}

/// Executes a plan along every activation.
pub fn execute(run: &Run, machine: &mut Machine, sink: &mut impl Sink) {
    for activation in &run.activations {
        let mut frame = machine.enter(sink);
        for &edge in &activation.edges {
            machine.take(&mut frame, edge, sink);
        }
        if let Some(block) = activation.aborted_in {
            machine.abort(frame, block, sink);
        }
    }
}

/// End of a piece of an execution, for naive path counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Whole,
    Cut,
    Failure,
}

/// Splits an activation at cut edges and failures, by definition: each piece's blocks (without the exit) and end.
pub fn pieces(graph: &Graph, activation: &Activation, is_cut: impl Fn(EdgeId) -> bool) -> Vec<(Vec<Node>, End)> {
    let mut pieces = Vec::new();
    let mut piece = vec![graph.entry()];
    for &id in &activation.edges {
        let edge = graph.edge(id);
        if edge.kind == EdgeKind::Failure {
            pieces.push((std::mem::take(&mut piece), End::Failure));
        } else if is_cut(id) {
            pieces.push((std::mem::take(&mut piece), End::Cut));
        }
        if graph.is_block(edge.to) {
            piece.push(edge.to);
        }
    }
    let end = if activation.aborted_in.is_some() { End::Failure } else { End::Whole };
    pieces.push((piece, end));
    pieces
}

/// Number of occurrences of each item.
pub fn tally<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeMap<T, u64> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts
}

/// A worked example of a paper.
pub fn conformance(name: &str) -> serde_json::Value {
    let path = format!("{}/tests/conformance/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The `cfg` of a worked example: its graph and the blocks' names.
pub fn conformance_graph(cfg: &serde_json::Value) -> (Graph, Vec<String>) {
    let successors = cfg["successors"].as_object().unwrap();
    let names: Vec<String> = successors.keys().cloned().collect();
    let index = |name: &serde_json::Value| names.iter().position(|n| n == name.as_str().unwrap()).unwrap();
    let mut pairs = Vec::new();
    for (from, (_, list)) in successors.iter().enumerate() {
        pairs.extend(list.as_array().unwrap().iter().map(|to| (from, index(to))));
    }
    let graph =
        Graph::from_pairs(names.len(), &pairs, index(&cfg["entry"]), index(&cfg["exit"]), ExitKind::Block).unwrap();
    (graph, names)
}

/// Blocks as the papers write them.
pub fn spell(blocks: &[Node], names: &[String]) -> String {
    blocks.iter().map(|b| names[b.index()].as_str()).collect::<Vec<_>>().join("-")
}

/// The activation along a list of block names.
pub fn activation_of(graph: &Graph, names: &[String], blocks: &[&str]) -> Activation {
    let node = |name: &str| Node::new(names.iter().position(|n| n == name).unwrap());
    let edges = blocks.windows(2).map(|w| graph.find_edge(node(w[0]), node(w[1])).unwrap()).collect();
    Activation { edges, aborted_in: None }
}

/// Number of connected components, by label propagation: it shares nothing with the code under test.
pub fn components(nodes: usize, pairs: &[(Node, Node)]) -> usize {
    let mut label: Vec<usize> = (0..nodes).collect();
    for _ in 0..nodes {
        for (a, b) in pairs {
            let low = label[a.index()].min(label[b.index()]);
            label[a.index()] = low;
            label[b.index()] = low;
        }
    }
    label.sort_unstable();
    label.dedup();
    label.len()
}
