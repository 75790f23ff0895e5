//! Store sinking: what a loop stores to a field again and again is stored behind it [CL97].
//!
//! ```text
//!   L: ...; store p.f, y; ... -> L         L(v): sunk p.f, v; ...; sunk p.f, y; ... -> L(y)
//!                            \-> after                                             \-> store p.f, y -> after
//! ```
//!
//! Together with forwarding, which takes the loads, this is register promotion. Where the loop is left by a failure, or
//! polls, the store is made first, out of line: [`Op::Sunk`] declares what memory is to hold, at the beginning of each
//! block and in the place of each store.
//!
//! Requires: no failure handlers, and nothing pending for the unwinder. Preserves: what anybody else may see of memory.
//! A place is kept so if its operands are defined outside the loop, if it is there in any case ([`Present`]), if
//! nothing else in the loop may access it, if nothing there calls or allocates, and if enough iterations store to it.
//! Outer loops come first.
//!
//! [CL97] K. D. Cooper, J. Lu, "Register Promotion in C Programs", PLDI 1997.

use super::cfg::{Edges, Graph, Loop};
use super::memory_place::{MemoryPlace, accessed};
use super::pending::declare_sunk;
use super::present::Present;
use super::quiet::is_quiet;
use super::repair::Reaching;
use super::replacements::Replacements;
use super::shares::shares;
use super::ssa::{Args, Block, Func, InstData, Mem, Op, Target, Term, Value};
use super::version::like;
use super::visit::one_by_one;
use super::{Changed, congruent_params, gvn, loops, sweep};
use crate::settings::store_sinking::{LEAST_SHARE, MOST_PARAMS, MOST_PLACES};
use cranelift_entity::EntitySet;
use holloway_lang::ir::LoopId;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if func.has_handlers() || func.is_probed() {
        return Changed::No;
    }
    let next = |func: &Func, graph: &Graph, done: &EntitySet<Block>| {
        let is_next = |at: &LoopId| !done.contains(graph.loops[*at].header) && is_candidate(func, &graph.loops[*at]);
        graph.loops.keys().find(is_next)
    };
    let changed = one_by_one(func, next, |func, graph, l| {
        let places = places(func, graph, l);
        (!places.is_empty()).then(|| sink(func, graph, l, &places))
    });
    if changed == Changed::Yes {
        // What was forwarded is known by two names now, perhaps with one of a preheader's parameters in between.
        sweep::run(func);
        gvn::run(func);
        congruent_params::merge(func);
    }
    changed
}

/// Returns whether a loop stores to fields, and does nothing for which memory must be as the program has it, but fail
/// and poll.
fn is_candidate(func: &Func, l: &Loop) -> bool {
    let ops = || loops::insts(func, l).map(|data| data.op);
    let is_stored = |op: Op| matches!(op, Op::Store(Mem::Field(..)));
    !func.blocks[l.header].cold && ops().any(is_stored) && ops().all(is_quiet)
}

/// The places whose stores go.
fn places(func: &Func, graph: &Graph, l: &Loop) -> Vec<MemoryPlace> {
    if func.blocks[l.header].params.len() > MOST_PARAMS {
        return Vec::new();
    }
    let inside = loops::defined(func, l);
    let is_store = |data: &InstData| matches!(data.op, Op::Store(Mem::Field(..)));
    let mut found = accessed(func, l, &shares(func, graph, l), is_store);
    found.retain(|(place, _, all)| *all >= LEAST_SHARE && !place.args.iter().any(|arg| inside.contains(*arg)));
    if found.is_empty() {
        return Vec::new();
    }
    let present = Present::of(func, &graph.rpo);
    let is_there = |place: &MemoryPlace| place.args.iter().all(|object| present.contains(func, *object));
    let all = found.into_iter().map(|(place, ..)| place);
    all.filter(|place| is_there(place) && is_only_name(func, l, place)).take(MOST_PLACES).collect()
}

/// Returns whether all accesses of a loop that may be to a place are by the same name.
fn is_only_name(func: &Func, l: &Loop, place: &MemoryPlace) -> bool {
    loops::insts(func, l).all(|data| place.is_of(func, data) || !place.may_be_of(func, data))
}

/// Takes the stores out of a loop. Gives its header.
fn sink(func: &mut Func, graph: &Graph, l: &Loop, places: &[MemoryPlace]) -> Block {
    let before = loops::preheader(func, graph, l, &loops::blocks(l));
    let edges = Edges::of(func);
    let exits = exits(func, l);
    let mut with = Replacements::new(func);
    let mut stores: Vec<Vec<(MemoryPlace, Value)>> = vec![Vec::new(); exits.len()];
    for place in places {
        let initial = initial(func, l, before, place);
        let (last, exposed) = rename(func, l, place, &mut with);
        let mut reaching = Reaching::new(func, &edges);
        reaching.start_with(initial, last.into_iter().chain([(before, initial)]));
        let starts: Vec<(Block, Value)> = l.blocks.iter().map(|block| (*block, reaching.start(*block))).collect();
        for ((block, _), stores) in exits.iter().zip(&mut stores) {
            let value = reaching.end(*block);
            if value != initial {
                stores.push((place.clone(), value));
            }
        }
        for (block, value) in starts {
            let site = func.blocks[block].term_site;
            let inst = func.make_inst(sunk(place), place.args.iter().copied().chain([value]), None, site);
            func.blocks[block].insts.insert(0, inst);
            let exposed = exposed.iter().filter(|(at, _)| *at == block);
            exposed.for_each(|(_, result)| with.insert(*result, value));
        }
    }
    for (exit, stores) in exits.into_iter().zip(stores).filter(|(_, stores)| !stores.is_empty()) {
        store_behind(func, exit, places, &stores);
    }
    with.apply(func);
    l.header
}

/// The declaration of a store to a place.
fn sunk(place: &MemoryPlace) -> Op {
    let Mem::Field(record, field) = place.mem else { unreachable!("only stores to fields are sunk") };
    Op::Sunk(record, field)
}

/// The edges that leave a loop, each by its block and its place among the targets.
fn exits(func: &Func, l: &Loop) -> Vec<(Block, usize)> {
    let inside = loops::blocks(l);
    let mut found = Vec::new();
    for block in &l.blocks {
        let targets = func.blocks[*block].term.targets().enumerate();
        found.extend(targets.filter(|(_, to)| !inside.contains(to.block)).map(|(at, _)| (*block, at)));
    }
    found
}

/// Loads the content of a place in front of the loop, at the end of the preheader.
fn initial(func: &mut Func, l: &Loop, before: Block, place: &MemoryPlace) -> Value {
    let store = loops::insts(func, l).find(|data| matches!(data.op, Op::Store(_)) && place.is_of(func, data));
    let store = store.expect("the loop stores there");
    let value = *store.args.last().expect("a store has a value");
    let (scalar, site) = (func.values[value].scalar, store.site);
    let load = func.push(before, Op::Load(place.mem), place.args.clone(), Some(scalar), site);
    load.expect("a load has a result")
}

/// The value of a place behind the last store of each block that has one, and loads in front of the first store.
type Accesses = (Vec<(Block, Value)>, Vec<(Block, Value)>);

/// Makes declarations of a loop's stores to a place, and takes out the loads from it.
fn rename(func: &mut Func, l: &Loop, place: &MemoryPlace, with: &mut Replacements) -> Accesses {
    let (mut last, mut exposed) = (Vec::new(), Vec::new());
    for block in &l.blocks {
        let mut known: Option<Value> = None;
        let mut insts = std::mem::take(&mut func.blocks[*block].insts);
        insts.retain(|inst| {
            let data = &func.insts[*inst];
            if !place.is_of(func, data) {
                return true;
            }
            let Some(result) = data.result else {
                known = data.args.last().copied();
                func.insts[*inst].op = sunk(place);
                return true;
            };
            match known {
                Some(value) => with.insert(result, value),
                None => exposed.push((*block, result)),
            }
            false
        });
        func.blocks[*block].insts = insts;
        last.extend(known.map(|value| (*block, value)));
    }
    (last, exposed)
}

/// Makes stores on an edge, which may be one of another loop that keeps other places in registers.
fn store_behind(func: &mut Func, (block, at): (Block, usize), places: &[MemoryPlace], stores: &[(MemoryPlace, Value)]) {
    let target = func.blocks[block].term.target(at).clone();
    let between = like(func, target.block);
    func.blocks[between].cold = func.blocks[target.block].cold;
    declare_sunk(func, block, between, |op, object| {
        places.iter().any(|place| sunk(place) == op && place.args[0] == object)
    });
    let site = func.blocks[block].term_site;
    for (place, value) in stores {
        func.push(between, Op::Store(place.mem), place.args.iter().copied().chain([*value]), None, site);
    }
    func.blocks[between].term = Term::Jump(target);
    *func.blocks[block].term.target_mut(at) = Target { block: between, args: Args::new() };
}
