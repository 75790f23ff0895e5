//! Dead-code elimination, with what else is left over: parameters that always get one value, and blocks with one predecessor.
//!
//! Requires: nothing. Preserves: the order of effects; only a small allocation that nobody reads may go. Phases: (1) replace
//! parameters whose arguments are all one value, the redundant phis of [BBHLMZ13], and (2) merge a block into the only one that
//! jumps to it, both until neither finds anything; (3) drop the instructions and parameters that [CFRWZ91] would not mark as live,
//! branches aside, which all stay.
//!
//! [BBHLMZ13] M. Braun, S. Buchwald, S. Hack, R. Leissa, C. Mallon, A. Zwinkau, "Simple and Efficient Construction of Static
//! Single Assignment Form", CC 2013.
//! [CFRWZ91] R. Cytron, J. Ferrante, B. K. Rosen, M. N. Wegman, F. K. Zadeck, "Efficiently Computing Static Single Assignment
//! Form and the Control Dependence Graph", TOPLAS 13(4), 1991, section 7.1.

use super::Changed;
use super::cfg::Edges;
use super::replacements::Replacements;
use super::ssa::{Block, BlockData, Def, Func, Inst, Op, Term, Value};
use crate::settings::sweep::MOST_DROPPED;
use cranelift_entity::{EntitySet, SecondaryMap};
use smallvec::SmallVec;

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let mut changed = Changed::No;
    loop {
        let edges = Edges::of(func);
        let incoming = incoming(func, &edges.rpo);
        let (with, dropped) = redundant_params(func, &edges.rpo, &incoming);
        if with.is_empty() && !may_merge(func, &edges) {
            let live = live(func, &edges.rpo, &incoming);
            drop(incoming);
            return drop_dead(func, &edges.rpo, &live).or(changed);
        }
        drop(incoming);
        drop_params(func, &dropped);
        with.apply(func);
        merge_blocks(func, &edges);
        changed = Changed::Yes;
    }
}

/// The arguments with which control comes to each block.
type Incoming<'a> = SecondaryMap<Block, SmallVec<[&'a [Value]; 2]>>;

fn incoming<'a>(func: &'a Func, order: &[Block]) -> Incoming<'a> {
    let mut incoming: Incoming<'a> = SecondaryMap::new();
    incoming.resize(func.blocks.len());
    for block in order {
        for target in func.blocks[*block].term.targets().filter(|target| !target.args.is_empty()) {
            incoming[target.block].push(&target.args);
        }
    }
    incoming
}

/// The positions of parameters to drop, of each block.
type Dropped = SecondaryMap<Block, Vec<usize>>;

/// Parameters that always get one value: that value, and their positions.
fn redundant_params(func: &Func, order: &[Block], incoming: &Incoming<'_>) -> (Replacements, Dropped) {
    let mut with = Replacements::new(func);
    let mut dropped = Dropped::new();
    for block in order.iter().filter(|block| **block != func.entry) {
        for (at, param) in func.blocks[*block].params.iter().enumerate() {
            let mut only: Option<Value> = None;
            let one = incoming[*block].iter().all(|args| {
                let arg = with.resolve(args[at]);
                if arg == *param {
                    return true;
                }
                match only {
                    None => {
                        only = Some(arg);
                        true
                    }
                    Some(known) => func.same(known, arg),
                }
            });
            if let Some(value) = only
                && one
            {
                with.insert(*param, value);
                dropped[*block].push(at);
            }
        }
    }
    (with, dropped)
}

/// Drops parameters by position, with their arguments.
fn drop_params(func: &mut Func, dropped: &Dropped) {
    let keep = |at: usize, block: Block| !dropped[block].contains(&at);
    if dropped.values().all(Vec::is_empty) {
        return;
    }
    for data in func.blocks.values_mut() {
        for target in data.term.targets_mut().filter(|target| !dropped[target.block].is_empty()) {
            let mut at = 0;
            target.args.retain(|_| {
                at += 1;
                keep(at - 1, target.block)
            });
        }
    }
    for (block, data) in func.blocks.iter_mut().filter(|(block, _)| !dropped[*block].is_empty()) {
        let mut at = 0;
        data.params.retain(|_| {
            at += 1;
            keep(at - 1, block)
        });
        for (at, param) in data.params.iter().enumerate() {
            func.values[*param].def = Def::Param(block, at as u32);
        }
    }
}

/// A block that ends in a jump to a block with no other way in takes that block's instructions over.
fn merge_blocks(func: &mut Func, edges: &Edges) {
    let mut gone: EntitySet<Block> = EntitySet::new();
    let mut with = Replacements::new(func);
    for block in edges.rpo.iter().copied() {
        if gone.contains(block) {
            continue;
        }
        while let Some(next) = mergeable(func, edges, block) {
            gone.insert(next);
            if let Some(record) = &mut func.record {
                record.merged(block, next);
            }
            let emptied = &mut func.blocks[next];
            let params = std::mem::take(&mut emptied.params);
            let insts = std::mem::take(&mut emptied.insts);
            let term = std::mem::replace(&mut emptied.term, Term::Return(None));
            let BlockData { term_site, cold, seen, .. } = *emptied;
            let data = &mut func.blocks[block];
            data.insts.extend(insts);
            let Term::Jump(target) = std::mem::replace(&mut data.term, term) else { unreachable!("only jumps merge") };
            with.extend(params.into_iter().zip(target.args));
            data.term_site = term_site;
            data.cold &= cold;
            data.seen.rare &= seen.rare;
            data.seen.weight = data.seen.weight.or(seen.weight);
            data.seen.rounds = data.seen.rounds.or(seen.rounds);
        }
    }
    with.apply(func);
}

/// Returns whether some block can be merged into another one.
fn may_merge(func: &Func, edges: &Edges) -> bool {
    edges.rpo.iter().any(|block| mergeable(func, edges, *block).is_some())
}

/// The block that can be merged into `block`. A failure leaves a block before any of its values may be there: behind the failure
/// of the second block, the handler may use values of a first one that cannot fail, and would lose them.
fn mergeable(func: &Func, edges: &Edges, block: Block) -> Option<Block> {
    let Term::Jump(target) = &func.blocks[block].term else { return None };
    let next = target.block;
    let one_way_in = edges.preds[next].len() == 1;
    let same_handler = func.blocks[block].handler == func.blocks[next].handler;
    let is_candidate = one_way_in && same_handler && !func.is_handler(next) && next != block && next != func.entry;
    let keeps_values = || func.blocks[next].handler.is_none() || func.can_fail(block) || !func.can_fail(next);
    (is_candidate && keeps_values()).then_some(next)
}

/// Drops what has no use.
fn drop_dead(func: &mut Func, order: &[Block], live: &EntitySet<Value>) -> Changed {
    let mut changed = Changed::No;
    let mut dropped = Dropped::new();
    for block in order.iter().copied() {
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        let before = insts.len();
        insts.retain(|inst| func.insts[*inst].result.is_some_and(|value| live.contains(value)) || is_kept(func, *inst));
        drop_superseded(func, &mut insts);
        if insts.len() != before {
            changed = Changed::Yes;
        }
        func.blocks[block].insts = insts;
        let params = &func.blocks[block].params;
        if block != func.entry && params.iter().any(|param| !live.contains(*param)) {
            let dead = params.iter().enumerate().filter(|(_, param)| !live.contains(**param));
            dropped[block] = dead.map(|(at, _)| at).collect();
            changed = Changed::Yes;
        }
    }
    drop_params(func, &dropped);
    changed
}

/// Drops declarations of what is pending that others follow before anything can look at them.
fn drop_superseded(func: &Func, insts: &mut Vec<Inst>) {
    if !func.is_probed() {
        return;
    }
    let mut later: SmallVec<[Op; 4]> = SmallVec::new();
    let mut kept = Vec::with_capacity(insts.len());
    for inst in insts.drain(..).rev() {
        let op = func.insts[inst].op;
        if op.is_declaration() {
            if later.contains(&op) {
                continue;
            }
            later.push(op);
        } else if op.can_fail() || op.polls() {
            later.clear();
        }
        kept.push(inst);
    }
    insts.extend(kept.into_iter().rev());
}

/// Values that are used, from effects and terminators backwards.
fn live(func: &Func, order: &[Block], incoming: &Incoming<'_>) -> EntitySet<Value> {
    let mut live: EntitySet<Value> = EntitySet::with_capacity(func.values.len());
    let mut pending: Vec<Value> = Vec::new();
    for block in order {
        let data = &func.blocks[*block];
        for inst in data.insts.iter().filter(|inst| is_kept(func, **inst)) {
            pending.extend(&func.insts[*inst].args);
        }
        pending.extend(data.term.operand());
    }
    while let Some(value) = pending.pop() {
        if !live.insert(value) {
            continue;
        }
        match func.values[value].def {
            Def::Inst(inst) => pending.extend(&func.insts[inst].args),
            Def::Param(block, at) => pending.extend(incoming[block].iter().map(|args| args[at as usize])),
            Def::Const(_) => {}
        }
    }
    live
}

/// Returns whether an instruction does something even if nobody reads its result. Small allocations and pure builtins do not:
/// running out of memory is an effect that only a used one needs to have.
fn is_kept(func: &Func, inst: Inst) -> bool {
    match func.insts[inst].op {
        Op::NewRecord(_) | Op::ArrayOf(_) => false,
        Op::NewArray(_) => !func.as_int(func.insts[inst].args[0]).is_some_and(|len| (0..=MOST_DROPPED).contains(&len)),
        op => op.has_effect(),
    }
}
