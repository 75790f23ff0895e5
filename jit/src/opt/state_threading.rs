//! State threading: a loop that is a state machine goes from each state straight to the code of the next.
//!
//! ```text
//!   loop: H(s): ...; switch s, A, B     A: ...; jump H(1)     B: ...; jump H(0)
//!     becomes    A: ...; jump H1     H1: ...; jump B     B: ...; jump H0     H0: ...; jump A
//! ```
//!
//! It is jump threading through the header of a loop: where an edge back passes a constant, all blocks from there to the branches
//! that the constant decides are copied, once for each constant. Then no state is tested any more, and the branch predictor sees
//! each state by the address it is in. GCC threads such paths backwards from the switch, LLVM calls the pass DFA jump threading.
//!
//! Requires: no failure handlers. Preserves: everything. The loop may become irreducible, so this comes after all
//! passes over loops; polls are on edges that go back in the order of blocks, one of which every cycle has.
//!
//! Phases: (1) find the parameter that a switch, or a row of branches, tests; (2) undo selects between two states; (3) group the edges
//! that bring a constant, through other parameters too; (4) copy the blocks on the way of each group.

use super::Changed;
use super::cfg::Graph;
use super::pending::work;
use super::ssa::{Args, Block, Def, Func, Op, Target, Term, Value};
use super::thread::{Edge, Way, edges_into, passed, thread, way};
use crate::settings::state_threading::{LEAST_DECIDED, MAX_FORWARDED, MAX_GROWTH, MAX_ROUTE, MAX_SOURCES};
use cranelift_entity::EntitySet;
use hashbrown::HashMap;
use holloway_lang::ir::Operand;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() {
        return Changed::No;
    }
    let mut changed = Changed::No;
    let mut tried: EntitySet<Value> = EntitySet::new();
    let mut graph = Graph::of(func);
    let mut left = MAX_GROWTH;
    while let Some(machine) = next(func, &graph, &tried) {
        tried.insert(machine.state);
        if split_selects(func, &graph, &machine) == Changed::Yes {
            graph = Graph::of(func);
            changed = Changed::Yes;
        }
        let groups = groups(func, &graph, &machine);
        if let Some(ways) = worthwhile(func, &graph, groups, &mut left) {
            thread(func, ways);
            graph = Graph::of(func);
            changed = Changed::Yes;
        }
    }
    changed
}

/// A state and the blocks from where it is merged to where it is first tested, each but the first with one predecessor.
struct Machine {
    /// A parameter of the first block.
    state: Value,
    route: Vec<Block>,
}

/// Integers that loops test for being constants, and parameters that bring them their values: a constant among these decides a branch
/// further on, once the machine is threaded.
pub(super) fn states(func: &Func, graph: &Graph) -> EntitySet<Value> {
    let mut states: EntitySet<Value> = EntitySet::new();
    let in_loops = graph.rpo.iter().filter(|block| graph.loop_depth(**block) > 0);
    let mut pending: Vec<Value> = in_loops.filter_map(|block| tested(func, *block)).collect();
    while let Some(state) = pending.pop() {
        let Def::Param(merge, at) = func.values[state].def else { continue };
        if states.insert(state) {
            let edges = edges_into(func, graph, merge).into_iter();
            pending.extend(edges.map(|(from, to)| func.blocks[from].term.target(to).args[at as usize]));
        }
    }
    states
}

/// Finds the next machine in a loop.
fn next(func: &Func, graph: &Graph, tried: &EntitySet<Value>) -> Option<Machine> {
    graph.rpo.iter().filter(|block| graph.loop_depth(**block) > 0 && !func.blocks[**block].cold).find_map(|block| {
        let state = tested(func, *block)?;
        let Def::Param(merge, _) = func.values[state].def else { return None };
        let in_loop = graph.innermost(merge).is_some() && !tried.contains(state);
        let route = in_loop.then(|| route(graph, merge, *block)).flatten()?;
        Some(Machine { state, route })
    })
}

/// The integer that the branch of a block compares with constants.
fn tested(func: &Func, block: Block) -> Option<Value> {
    match &func.blocks[block].term {
        Term::Switch { value, .. } => Some(*value),
        Term::Branch { cond, .. } => {
            let data = &func.insts[func.def_inst(*cond)?];
            let compares = matches!(data.op, Op::Binary(op) if super::op::compares_numbers(op));
            (compares && func.as_int(data.args[1]).is_some()).then(|| data.args[0])
        }
        Term::Jump(_) | Term::Return(_) | Term::Fail(..) | Term::Exit(_) => None,
    }
}

/// The blocks from one to another, if each but the first has one predecessor.
fn route(graph: &Graph, from: Block, to: Block) -> Option<Vec<Block>> {
    let mut route = vec![to];
    while *route.last()? != from {
        let [pred] = &graph.preds[*route.last()?] else { return None };
        if route.len() == MAX_ROUTE {
            return None;
        }
        route.push(*pred);
    }
    route.reverse();
    Some(route)
}

/// An edge that brings a value to the state, and the blocks from it to the tested state.
struct StateEdge {
    edge: Edge,
    value: Value,
    /// The position of the value among the arguments.
    at: usize,
    route: Vec<Block>,
}

/// The edges that bring values, through other parameters too; none if there are too many ways. Switches that follow each other have as many as their
/// cases multiplied.
fn sources(func: &Func, graph: &Graph, machine: &Machine) -> Vec<StateEdge> {
    let mut sources = Vec::new();
    let mut pending = vec![(machine.state, machine.route.clone(), 0)];
    while let Some((param, to, forwarded)) = pending.pop() {
        let Def::Param(_, at) = func.values[param].def else { unreachable!("a state is a parameter") };
        for edge in edges_into(func, graph, to[0]) {
            if pending.len() + sources.len() > MAX_SOURCES {
                return Vec::new();
            }
            let value = func.blocks[edge.0].term.target(edge.1).args[at as usize];
            if let Def::Param(before, _) = func.values[value].def
                && forwarded < MAX_FORWARDED
                && let Some(mut longer) = route(graph, before, edge.0)
                && !longer.iter().any(|block| to.contains(block))
            {
                longer.extend(&to);
                pending.push((value, longer, forwarded + 1));
            } else {
                sources.push(StateEdge { edge, value, at: at as usize, route: to.clone() });
            }
        }
    }
    sources
}

/// Makes a branch of each select between constants that is a jump's next state.
fn split_selects(func: &mut Func, graph: &Graph, machine: &Machine) -> Changed {
    let mut changed = Changed::No;
    for StateEdge { edge: (block, _), value, at, .. } in sources(func, graph, machine) {
        let Term::Jump(to) = func.blocks[block].term.clone() else { continue };
        let Some(data) = func.def_inst(value).map(|inst| &func.insts[inst]) else { continue };
        if data.op != Op::Select || !data.args[1..].iter().all(|arg| func.as_int(*arg).is_some()) {
            continue;
        }
        let cond = data.args[0];
        // Edges differ in their arguments, so each goes through a block of its own.
        let [then, otherwise] = [data.args[1], data.args[2]].map(|state| {
            let from = &func.blocks[block];
            let (origin, handler, site, cold) = (from.origin, from.handler, from.term_site, from.cold);
            let edge = func.new_block(origin, handler, site);
            let mut to = to.clone();
            to.args[at] = state;
            func.blocks[edge].term = Term::Jump(to);
            func.blocks[edge].cold = cold;
            Target { block: edge, args: Args::new() }
        });
        func.blocks[block].term = Term::Branch { cond, then, otherwise };
        changed = Changed::Yes;
    }
    changed
}

/// Edges that bring one constant to a parameter, and the blocks from it to the tested state.
struct Group {
    constant: i64,
    edges: Vec<Edge>,
    route: Vec<Block>,
}

/// Groups the edges that bring constants.
fn groups(func: &Func, graph: &Graph, machine: &Machine) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for StateEdge { edge, value, route, .. } in sources(func, graph, machine) {
        let Some(constant) = func.as_int(value) else { continue };
        let same = |group: &&mut Group| group.constant == constant && group.route[0] == route[0];
        match groups.iter_mut().find(same) {
            Some(group) => group.edges.push(edge),
            None => groups.push(Group { constant, edges: vec![edge], route }),
        }
    }
    groups
}

/// The ways of all groups, if they are worth their copies.
fn worthwhile(func: &Func, graph: &Graph, groups: Vec<Group>, left: &mut usize) -> Option<Vec<Way>> {
    let several = groups.iter().any(|group| group.constant != groups[0].constant);
    let ways: Vec<Way> = groups.into_iter().map(|group| follow(func, graph, group)).collect();
    let size = |way: &Way| way.blocks.iter().map(|(block, _)| work(func, *block).len() + 1).sum::<usize>();
    let decided = |way: &Way| -> usize {
        let saved =
            |block: Block| if matches!(func.blocks[block].term, Term::Switch { .. }) { LEAST_DECIDED } else { 1 };
        way.blocks.iter().filter(|(_, at)| at.is_some()).map(|(block, _)| saved(*block)).sum()
    };
    let insts = ways.iter().flat_map(|way| &way.blocks).flat_map(|(block, _)| &func.blocks[*block].insts);
    let mut insts = insts.map(|inst| func.insts[*inst].op);
    let growth = ways.iter().map(size).sum::<usize>();
    let fits = growth <= *left && insts.all(Op::is_copyable);
    let saves = ways.iter().map(decided).max().is_some_and(|most| most >= LEAST_DECIDED);
    if !(several && fits && saves) {
        return None;
    }
    *left -= growth;
    Some(ways)
}

/// Follows a group's constant through its route and on through branches that it decides.
fn follow(func: &Func, graph: &Graph, group: Group) -> Way {
    let mut blocks: Vec<(Block, Option<usize>)> = Vec::new();
    let mut facts: HashMap<Value, Operand> =
        group.edges.iter().map(|edge| passed(func, *edge)).reduce(common).unwrap_or_default();
    let mut at = group.route[0];
    loop {
        let decided = way(func, at, facts.clone());
        let term = &func.blocks[at].term;
        let ahead = group.route.get(blocks.len() + 1);
        blocks.push((at, decided));
        let Some(out) = decided.or_else(|| term.targets().position(|target| Some(&target.block) == ahead)) else {
            break;
        };
        let target = term.target(out);
        let next = target.block;
        let params = func.blocks[next].params.iter().zip(&target.args);
        let passed: Vec<(Value, Operand)> = params
            .filter_map(|(param, arg)| Some((*param, facts.get(arg).copied().or_else(|| func.as_const(*arg))?)))
            .collect();
        facts.extend(passed);
        let on_route = Some(&next) == ahead;
        let decides = || graph.preds[next].len() == 1 && way(func, next, facts.clone()).is_some();
        let copied = blocks.iter().any(|(block, _)| *block == next);
        if copied || blocks.len() == MAX_ROUTE || !(on_route || decides()) {
            break;
        }
        at = next;
    }
    Way { edges: group.edges, blocks }
}

/// The facts that hold on both of two edges.
fn common(mut a: HashMap<Value, Operand>, b: HashMap<Value, Operand>) -> HashMap<Value, Operand> {
    a.retain(|value, known| b.get(value) == Some(known));
    a
}
