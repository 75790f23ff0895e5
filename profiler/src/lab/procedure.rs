//! Graphs of the lab's procedures.
//!
//! In: the procedures of a [`Lab`]. Out: their graphs, with maps between nodes and names.
//!
//! Invariant: nodes are numbered in the order in which blocks are first named: keys of `successors` first, then other
//! mentions. Copies of blocks, which make a graph reducible, come last, and have names that no block has.

use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::HashMap;

use super::error::LabError;
use super::input::{Lab, Procedure};
use crate::graph::reducible::Reducible;
use crate::graph::{EdgeId, EdgeKind, ExitKind, Graph, GraphBuilder, GraphError, LoopNest, Node};
use crate::settings::lab::MOST_WITH_COPIES;
use crate::supergraph::ProcedureId;

/// One procedure: its graph and names.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) graph: Graph,
    names: PrimaryMap<Node, String>,
    nodes: HashMap<String, Node>,
    /// For each copy the block that traces name, and for each other node itself.
    origin: PrimaryMap<Node, Node>,
    /// Call blocks with their callee and return site.
    pub(super) calls: HashMap<Node, (ProcedureId, Node)>,
}

/// Every procedure.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) procedures: PrimaryMap<ProcedureId, Named>,
    pub(super) main: ProcedureId,
    ids: HashMap<String, ProcedureId>,
    /// Every block by its number in streams.
    numbered: Vec<(ProcedureId, Node)>,
}

impl Program {
    /// Builds every graph.
    pub(super) fn new(lab: &Lab) -> Result<Program, LabError> {
        let mut ids = HashMap::new();
        for (index, (name, _)) in lab.procedures.iter().enumerate() {
            if ids.insert(name.clone(), ProcedureId::new(index)).is_some() {
                return Err(LabError::DuplicateProcedure(name.clone()));
            }
        }
        let main = find(&ids, &lab.main)?;
        let mut procedures = PrimaryMap::new();
        for (name, procedure) in &lab.procedures {
            procedures.push(build(name, procedure, &ids)?);
        }
        let blocks = |(id, named): (ProcedureId, &Named)| named.names.keys().map(|node| (id, node)).collect::<Vec<_>>();
        let numbered = procedures.iter().flat_map(blocks).collect();
        Ok(Program { procedures, main, ids, numbered })
    }

    /// Makes the graphs reducible that a scheme refuses otherwise, but for those that would need too many copies.
    pub(super) fn make_reducible(&mut self, refuses: impl Fn(&Graph) -> bool) {
        for named in self.procedures.values_mut() {
            if LoopNest::of(&named.graph).irreducible().is_some() && refuses(&named.graph) {
                named.make_reducible();
            }
        }
    }

    /// Number of blocks of all procedures.
    pub(super) fn blocks(&self) -> u32 {
        u32::try_from(self.numbered.len()).expect("nodes have numbers of 32 bits")
    }

    /// The block with this number in a stream.
    pub(super) fn numbered(&self, number: u32) -> Result<(ProcedureId, Node), LabError> {
        let block = usize::try_from(number).ok().and_then(|number| self.numbered.get(number));
        block.copied().ok_or(LabError::NoSuchBlock(number))
    }

    /// The block of a name in a trace: `block` if there is one procedure, else `procedure:block`.
    pub(super) fn block(&self, text: &str) -> Result<(ProcedureId, Node), LabError> {
        let only = if self.procedures.len() == 1 { self.procedures[self.main].nodes.get(text) } else { None };
        if let Some(&node) = only {
            return Ok((self.main, node));
        }
        let unknown = || LabError::UnknownBlock(text.to_string());
        let (procedure, block) = text.split_once(':').ok_or_else(unknown)?;
        let procedure = find(&self.ids, procedure)?;
        let node = self.procedures[procedure].nodes.get(block).ok_or_else(unknown)?;
        Ok((procedure, *node))
    }

    /// A block as traces name it: `block` if there is one procedure, else `procedure:block`.
    pub(super) fn in_traces(&self, (procedure, block): (ProcedureId, Node)) -> String {
        match self.procedures.len() {
            1 => self.procedures[procedure].name(block),
            _ => self.qualified(procedure, block),
        }
    }

    /// `procedure:block`.
    pub(super) fn qualified(&self, procedure: ProcedureId, block: Node) -> String {
        let named = &self.procedures[procedure];
        format!("{}:{}", named.name, named.names[block])
    }
}

impl Named {
    fn make_reducible(&mut self) {
        let Some(Reducible { graph, origin }) = Reducible::new(&self.graph, MOST_WITH_COPIES) else { return };
        for (node, of) in origin.iter().skip(self.names.len()) {
            let mut name = format!("{}~{}", self.names[*of], node.index());
            while self.nodes.contains_key(&name) {
                name.push('~');
            }
            self.names.push(name);
        }
        (self.graph, self.origin) = (graph, origin);
    }

    /// The normal edge from a node to a block, or to a copy of it.
    pub(super) fn edge_to(&self, from: Node, block: Node) -> Option<EdgeId> {
        self.graph.normal_successors(from).find(|&edge| self.origin[self.graph.edge(edge).to] == block)
    }

    /// The callee and the return site of the call at the end of a node.
    pub(super) fn call(&self, node: Node) -> Option<(ProcedureId, Node)> {
        self.calls.get(&self.origin[node]).copied()
    }

    /// A node's name.
    pub(super) fn name(&self, node: Node) -> String {
        self.names[node].clone()
    }

    /// The names of a list of nodes.
    pub(super) fn names(&self, nodes: &[Node]) -> Vec<String> {
        nodes.iter().map(|&node| self.name(node)).collect()
    }

    /// Every block's name.
    pub(super) fn blocks(&self) -> Vec<String> {
        self.names.values().cloned().collect()
    }
}

fn find(ids: &HashMap<String, ProcedureId>, name: &str) -> Result<ProcedureId, LabError> {
    ids.get(name).copied().ok_or_else(|| LabError::UnknownProcedure(name.to_string()))
}

/// Nodes by name, created at the first mention.
#[derive(Default)]
struct Names {
    builder: GraphBuilder,
    names: PrimaryMap<Node, String>,
    nodes: HashMap<String, Node>,
}

impl Names {
    fn node(&mut self, name: &str) -> Node {
        if let Some(&node) = self.nodes.get(name) {
            return node;
        }
        let node = self.builder.node();
        self.names.push(name.to_string());
        self.nodes.insert(name.to_string(), node);
        node
    }
}

fn build(name: &str, procedure: &Procedure, ids: &HashMap<String, ProcedureId>) -> Result<Named, LabError> {
    let mut names = Names::default();
    for (block, _) in &procedure.successors {
        let known = names.names.len();
        names.node(block);
        if names.names.len() == known {
            return Err(LabError::DuplicateBlock(block.clone()));
        }
    }
    for (from, successors) in &procedure.successors {
        for to in successors {
            let (from, to) = (names.node(from), names.node(to));
            names.builder.edge(from, to, EdgeKind::Normal);
        }
    }
    let mut calls = HashMap::new();
    for (block, call) in &procedure.calls {
        let (from, to) = (names.node(block), names.node(&call.return_site));
        if calls.insert(from, (find(ids, &call.callee)?, to)).is_some() {
            return Err(LabError::DuplicateBlock(block.clone()));
        }
        // Some inputs list the edge to the return site among the successors too.
        let listed = procedure.successors.iter().any(|(b, list)| b == block && list.contains(&call.return_site));
        if !listed {
            names.builder.edge(from, to, EdgeKind::Normal);
        }
    }
    // The entry and the exit must be blocks of the procedure; a procedure of one block names it only there.
    if names.names.is_empty() && procedure.entry == procedure.exit {
        names.node(&procedure.entry);
    }
    let known = |block: &String| names.nodes.get(block).copied().ok_or_else(|| LabError::UnknownBlock(block.clone()));
    let (entry, exit) = (known(&procedure.entry)?, known(&procedure.exit)?);
    let Names { builder, names, nodes } = names;
    let graph = builder.finish(entry, exit, ExitKind::Block).map_err(|error| match error {
        GraphError::DuplicateEdge(from, to) => LabError::DuplicateEdge(names[from].clone(), names[to].clone()),
        GraphError::ExitHasSuccessor(to) => LabError::ExitHasSuccessor(names[exit].clone(), names[to].clone()),
        GraphError::FailureToExit(_) => panic!("the lab makes no failure edges"),
    })?;
    let origin = graph.nodes().collect();
    Ok(Named { name: name.to_string(), graph, names, nodes, origin, calls })
}
