//! The regions of a function: the bit of each place, and the plan that sets the bits.
//!
//! In: a reducible graph. Out: [`Regions`], and their plan.
//!
//! Phases: 1. the loop nest; 2. for each region a depth-first search of its places, with inner loops collapsed and
//! without back edges; its reverse postorder numbers the bits; 3. the plan, from the role of each edge and block in its
//! regions.
//!
//! Invariant: bits of a region increase along each of its paths.

use std::fmt;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::graph::{EdgeId, ExitKind, Graph, LoopId, LoopNest, Node};
use crate::hash::KeyMap;
use crate::plan::{Action, BitRegister, Plan};

/// The part of a region that a bit stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A block that is directly in the region.
    Block(Node),
    /// An inner loop, by its header.
    Loop(Node),
}

/// One region and its register.
#[derive(Clone, Debug)]
pub struct Region {
    /// The loop; `None` for the function's body.
    pub around: Option<LoopId>,
    /// The place that starts each execution; it has no bit.
    pub head: Place,
    /// The other places, in bit order.
    pub places: Vec<Place>,
    bits: KeyMap<Place, usize>,
}

impl Region {
    /// The bit of a place; the head has none.
    pub fn bit(&self, place: Place) -> Option<usize> {
        self.bits.get(&place).copied()
    }

    /// The places of the path with these bits, head first.
    pub fn path(&self, bits: &[u64]) -> Vec<Place> {
        let passed = self.places.iter().enumerate().filter(|&(bit, _)| bits[bit / 64] >> (bit % 64) & 1 == 1);
        std::iter::once(self.head).chain(passed.map(|(_, &place)| place)).collect()
    }
}

/// Every region of a function; the body comes first.
#[derive(Clone, Debug)]
pub struct Regions {
    nest: LoopNest,
    regions: PrimaryMap<BitRegister, Region>,
    of_loop: SecondaryMap<LoopId, PackedOption<BitRegister>>,
    body: BitRegister,
}

/// The graph has a loop with two entries, given by an edge, and therefore no regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irreducible {
    /// A back edge whose target does not dominate its source.
    pub edge: EdgeId,
    /// The source.
    pub from: Node,
    /// The target.
    pub to: Node,
}

impl fmt::Display for Irreducible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the graph is irreducible: the loop closed by {} -> {} has another entry", self.from, self.to)
    }
}

impl std::error::Error for Irreducible {}

/// The bits of an edge's ends; none for the head, which has no bit, and for what is not in the region.
pub(super) type EdgeEnds = (Option<usize>, Option<usize>);

/// An edge of a region: its register, and the bits of its ends.
pub(super) type EdgeBits = (BitRegister, EdgeEnds);

impl Regions {
    /// Finds the regions of `graph`.
    pub fn new(graph: &Graph) -> Result<Regions, Irreducible> {
        let nest = LoopNest::of(graph);
        if let Some(edge) = nest.irreducible() {
            let ends = graph.edge(edge);
            return Err(Irreducible { edge, from: ends.from, to: ends.to });
        }
        let mut regions: PrimaryMap<BitRegister, Region> = PrimaryMap::new();
        let mut of_loop = SecondaryMap::new();
        let body = regions.push(search(graph, &nest, None));
        for (id, _) in nest.iter() {
            of_loop[id] = regions.push(search(graph, &nest, Some(id))).into();
        }
        Ok(Regions { nest, regions, of_loop, body })
    }

    /// Every region with its register.
    pub fn iter(&self) -> impl Iterator<Item = (BitRegister, &Region)> {
        self.regions.iter()
    }

    /// One region.
    pub fn get(&self, register: BitRegister) -> &Region {
        &self.regions[register]
    }

    /// The region of the function's body.
    pub fn body(&self) -> BitRegister {
        self.body
    }

    /// The region of the loop with this header.
    pub fn loop_at(&self, header: Node) -> Option<BitRegister> {
        let id = self.nest.innermost(header).filter(|&id| self.nest.get(id).header == header)?;
        self.of_loop[id].expand()
    }

    /// The loops.
    pub fn nest(&self) -> &LoopNest {
        &self.nest
    }

    /// 64-bit words in a register.
    pub fn words(&self, register: BitRegister) -> u32 {
        self.regions[register].places.len().div_ceil(64).max(1) as u32
    }

    /// The plan that sets, clears and folds the registers.
    pub fn plan(&self, graph: &Graph) -> Plan {
        let mut plan = Plan::default();
        self.instrument(graph, &mut plan);
        plan
    }

    /// Adds the steps that set, clear and fold the registers to a plan that has no registers yet, behind its other steps.
    pub fn instrument(&self, graph: &Graph, plan: &mut Plan) {
        plan.registers = self.regions.keys().map(|r| self.words(r)).collect();
        plan.entry.push(Action::ClearBits(self.body));
        if let Some(register) = self.loop_at(graph.entry()) {
            plan.entry.push(Action::ClearBits(register));
        }
        for (id, edge) in graph.edges() {
            if let Some(register) = self.loop_at(edge.to) {
                let around = self.regions[register].around.expect("the region of a loop");
                if self.nest.contains(around, edge.from) {
                    plan.edges[id].push(Action::FoldBits(register));
                } else {
                    plan.edges[id].push(Action::ClearBits(register));
                    let outside = self.register(self.nest.get(around).parent);
                    plan.edges[id].extend(self.set(outside, Place::Loop(edge.to)));
                }
            }
            if graph.is_return(id) && graph.exit_kind() == ExitKind::Synthetic {
                plan.edges[id].push(Action::FoldBits(self.body));
            }
        }
        for block in graph.nodes().filter(|&b| graph.is_block(b)) {
            let register = self.register(self.nest.innermost(block));
            plan.blocks[block].extend(self.set(register, Place::Block(block)));
        }
        if graph.exit_kind() == ExitKind::Block {
            // The bit of the last block is set first.
            plan.blocks[graph.exit()].push(Action::FoldBits(self.body));
        }
    }

    /// The test of section 3.5: the edge was taken iff the bits of its ends are set, and none between them.
    ///
    /// Deviation: the paper keeps two masks of the register for each edge, which take the square of the region's
    /// size; here the ends are kept. An edge that ends an execution has no bit at its far end: no bit after its
    /// source's may be set. `None` for an edge that shares both its places with another, such as two exits of an
    /// inner loop to one block.
    pub(super) fn edge_bits(&self, graph: &Graph, edge: EdgeId) -> Option<EdgeBits> {
        self.monitorable(graph).find(|&(id, _)| id == edge).map(|(_, bits)| bits)
    }

    /// Every edge that has such a test, with the test.
    pub(super) fn monitorable(&self, graph: &Graph) -> impl Iterator<Item = (EdgeId, EdgeBits)> {
        let ends: Vec<(EdgeId, BitRegister, Place, Place)> = graph
            .edges()
            .map(|(id, edge)| {
                let around = self.nest.common(edge.from, edge.to);
                let place = |node| region_place(&self.nest, around, node);
                (id, self.register(around), place(edge.from), place(edge.to))
            })
            .collect();
        let mut sharing: KeyMap<(BitRegister, Place, Place), u32> = KeyMap::default();
        for &(_, register, from, to) in &ends {
            *sharing.entry((register, from, to)).or_insert(0) += 1;
        }
        ends.into_iter().filter_map(move |(id, register, from, to)| {
            let alone = sharing[&(register, from, to)] == 1;
            let bits = if alone { self.test_bits(register, from, to)? } else { return None };
            Some((id, bits))
        })
    }

    fn test_bits(&self, register: BitRegister, from: Place, to: Place) -> Option<EdgeBits> {
        let region = &self.regions[register];
        if from == to && to != region.head {
            return None;
        }
        let first = if from == region.head { None } else { Some(*region.bits.get(&from)?) };
        Some((register, (first, region.bits.get(&to).copied())))
    }

    fn register(&self, around: Option<LoopId>) -> BitRegister {
        around.map_or(self.body, |id| self.of_loop[id].expect("every loop has a region"))
    }

    fn set(&self, register: BitRegister, place: Place) -> Option<Action> {
        let &bit = self.regions[register].bits.get(&place)?;
        Some(Action::SetBit { register, word: (bit / 64) as u32, bit: (bit % 64) as u8 })
    }
}

/// The place in the region `around` that contains `node`, a member of the region.
pub(super) fn region_place(nest: &LoopNest, around: Option<LoopId>, node: Node) -> Place {
    match nest.chain(node).take_while(|&id| Some(id) != around).last() {
        None => Place::Block(node),
        Some(child) => Place::Loop(nest.get(child).header),
    }
}

/// Searches one region depth first and numbers its places.
fn search(graph: &Graph, nest: &LoopNest, around: Option<LoopId>) -> Region {
    let head_node = around.map_or(graph.entry(), |id| nest.get(id).header);
    let head = region_place(nest, around, head_node);
    let inside = |node: Node| graph.is_block(node) && around.is_none_or(|id| nest.contains(id, node));
    // Successors are pushed in order and popped from the end of each list, so the first comes first in reverse
    // postorder.
    let ways = |place: Place| -> Vec<Place> {
        let blocks = match place {
            Place::Block(node) => vec![node],
            Place::Loop(header) => {
                let id = nest.innermost(header).expect("a loop's header is in the loop");
                nest.get(id).members.clone()
            }
        };
        let targets = blocks.iter().flat_map(|&b| graph.successors(b)).map(|&e| graph.edge(e).to);
        targets.filter(|&to| inside(to)).map(|to| region_place(nest, around, to)).collect()
    };
    let mut seen: KeyMap<Place, ()> = KeyMap::default();
    seen.insert(head, ());
    let mut postorder = Vec::new();
    let mut stack = vec![(head, ways(head))];
    while let Some((place, left)) = stack.last_mut() {
        match left.pop() {
            Some(to) => {
                if seen.insert(to, ()).is_none() {
                    stack.push((to, ways(to)));
                }
            }
            None => {
                postorder.push(*place);
                stack.pop();
            }
        }
    }
    postorder.pop(); // the head, which has no bit
    postorder.reverse();
    let bits = postorder.iter().enumerate().map(|(bit, &place)| (place, bit)).collect();
    Region { around, head, places: postorder, bits }
}
