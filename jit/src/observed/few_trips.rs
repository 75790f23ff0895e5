//! Inner loops that come round the same few times whenever they are entered, by the counts of baseline code.
//!
//! In: a body and its counts. Out: the headers of such loops.
//! Invariant: each counts to a bound that stays the same for as long as an activation lasts, or is read from memory,
//! and that the optimizer does not know: where it does, it unrolls the loop by itself.
//!
//! Counts of edges give a mean. Of a loop with a bound that stays that is the trip count, but for activations with
//! other bounds; of rows of a table it is, if they are equally long. Of other loops it may be a whole number by
//! accident: the innermost loop of an FFT of 1,024 points comes round 5 times on average, and never as often.

use crate::observed::Counts;
use crate::settings::few_trips::{LARGEST, LEAST_ENTRIES, MOST_APART, MOST_TRIPS};
use holloway_lang::ir::loops::Loop;
use holloway_lang::ir::{Block, Cfg, Function, Inst, Local, Loops, Operand, Terminator};

/// Loads behind one another that are looked through: the length of an array in a field of a record in a field. It bounds the
/// time of the search.
const DEEPEST: u32 = 3;

/// Returns the headers of a body's inner loops with few trips, always as many.
pub fn few_trips(body: &Function, counts: &Counts) -> Vec<Block> {
    let cfg = Cfg::compute(body);
    let loops = Loops::of(&cfg);
    let inner = loops.iter().filter(|(id, l)| l.parent.is_some() && loops.is_innermost(*id));
    let few = inner.filter(|(_, l)| {
        let back: u64 = l.latches.iter().map(|latch| counts.taken(*latch, l.header)).sum();
        let entries = counts.executions(l.header).saturating_sub(back);
        let size: usize = l.blocks.iter().map(|block| body.blocks[*block].insts.len() + 1).sum();
        mean_trips(entries, back).is_some_and(|trips| size as u64 * trips <= LARGEST as u64)
            && knowledge(body, &loops, l).is_some_and(|known| known > Knowledge::Value)
    });
    few.map(|(_, l)| l.header).collect()
}

/// The trip count of a loop that was entered, and came round, so often; `None` if it is no whole number, or not a small
/// one.
fn mean_trips(entries: u64, back: u64) -> Option<u64> {
    if entries < LEAST_ENTRIES {
        return None;
    }
    let trips = (back + entries / 2) / entries;
    let apart = back.abs_diff(trips * entries);
    ((1..=MOST_TRIPS).contains(&trips) && apart <= entries / MOST_APART).then_some(trips)
}

/// Knowledge of a number before the program runs: the greater, the less is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Knowledge {
    /// Its value.
    Value,
    /// It stays the same.
    Fixed,
    /// It is read from memory each time.
    Loaded,
}

/// Knowledge of a loop's trip count: what is known of both the bound and where the counter starts. `None` if one of
/// them is computed anew.
fn knowledge(body: &Function, loops: &Loops, l: &Loop) -> Option<Knowledge> {
    let Terminator::Branch { cond: Operand::Local(cond), .. } = body.blocks[l.header].term else { return None };
    let test = body.blocks[l.header].insts.iter().rev().find(|inst| inst.dst() == Some(cond))?;
    let Inst::Binary { lhs, rhs, .. } = test else { return None };
    let is_inside = |block: Block| l.blocks.contains(&block);
    let is_counter = |operand: &Operand| match operand {
        Operand::Local(local) => assigning(body, *local).any(|(block, _)| is_inside(block)),
        _ => false,
    };
    let (Operand::Local(counter), bound) = (if is_counter(lhs) { (*lhs, *rhs) } else { (*rhs, *lhs) }) else {
        return None;
    };
    let starts = assigning(body, counter).filter(|(block, _)| !is_inside(*block)).map(|(_, inst)| match inst {
        Inst::Copy { src, .. } => of_operand(body, loops, *src),
        _ => None,
    });
    let starts = starts.collect::<Option<Vec<Knowledge>>>()?.into_iter().max()?;
    Some(starts.max(of_operand(body, loops, bound)?))
}

fn of_operand(body: &Function, loops: &Loops, operand: Operand) -> Option<Knowledge> {
    match operand {
        Operand::Int(_) => Some(Knowledge::Value),
        Operand::Local(local) => of_local(body, loops, local, DEEPEST),
        _ => None,
    }
}

/// Knowledge of a local that is assigned outside of loops, or to what the function loads.
fn of_local(body: &Function, loops: &Loops, local: Local, depth: u32) -> Option<Knowledge> {
    if assigning(body, local).count() == 1
        && !body.params.contains(&local)
        && assigning(body, local).all(|(_, inst)| matches!(inst, Inst::Copy { src: Operand::Int(_), .. }))
    {
        return Some(Knowledge::Value);
    }
    let stores = |is_store: &dyn Fn(&Inst) -> bool| body.blocks.values().flat_map(|data| &data.insts).any(is_store);
    let is_fixed = |object: &Operand| match object {
        Operand::Local(object) => {
            depth > 0 && of_local(body, loops, *object, depth - 1).is_some_and(|known| known <= Knowledge::Fixed)
        }
        _ => false,
    };
    let stays = |(block, inst): (Block, &Inst)| {
        let is_fixed = match inst {
            _ if loops.innermost(block).is_none() => true,
            Inst::Len { object, .. } => is_fixed(object),
            Inst::FieldGet { object, record, field, .. } => {
                is_fixed(object)
                    && !stores(
                        &|inst| matches!(inst, Inst::FieldSet { record: of, field: to, .. } if (of, to) == (record, field)),
                    )
            }
            Inst::GlobalGet { global, .. } => {
                !stores(&|inst| matches!(inst, Inst::GlobalSet { global: to, .. } if to == global))
            }
            Inst::ElemGet { .. } => false,
            _ => return None,
        };
        Some(if is_fixed { Knowledge::Fixed } else { Knowledge::Loaded })
    };
    assigning(body, local).map(stays).try_fold(Knowledge::Fixed, |least, known| Some(least.max(known?)))
}

fn assigning(body: &Function, local: Local) -> impl Iterator<Item = (Block, &Inst)> {
    let insts = body.blocks.iter().flat_map(|(block, data)| data.insts.iter().map(move |inst| (block, inst)));
    insts.filter(move |(_, inst)| inst.dst() == Some(local))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashbrown::HashMap;
    use holloway_lang::ir::{FuncRef, parse};
    use holloway_lang::session::{self, NoFiles, Session, SessionKind};

    #[test]
    fn a_mean_is_a_trip_count_if_it_is_small_and_whole() {
        let means =
            |entries: u64, backs: &[u64]| backs.iter().map(|back| mean_trips(entries, *back)).collect::<Vec<_>>();
        assert_eq!(means(10_000, &[30_000, 30_100, 29_900, 35_000]), [Some(3), Some(3), Some(3), None]);
        assert_eq!(means(10_000, &[0, 10_000, 160_000, 170_000]), [None, Some(1), Some(16), None]);
        assert_eq!(means(100, &[300]), [None], "too few entries");
    }

    /// `block3` is headed by a test of `BOUND`; there are so many instructions in its loop.
    fn headers(bound: &str, insts: usize) -> Vec<Block> {
        let text = r#"
            type t0 = int
            sig0 = (t0, t0) -> t0
            function f0 "f" sig0(v0: int, v1: int) -> int {
                local v2: int
                local v3: int
                local v4: bool
            block0:
                v2 = copy 0
                jump block1
            block1:
                v4 = ilt v2, 5000
                v0 = copy v0
                branch v4, block2, block6
            block2:
                v3 = copy 0
                jump block3
            block3:
                v4 = ilt v3, BOUND
                branch v4, block4, block5
            block4:
                INSTS
                jump block3
            block5:
                v2 = iadd v2, 1
                jump block1
            block6:
                return v2
            }"#;
        let text = text.replace("BOUND", bound).replace("INSTS", &"v3 = iadd v3, 1\n".repeat(insts));
        let module = parse::module(&text).unwrap_or_else(|error| panic!("{error}"));
        let body = module.function(FuncRef::from_u32(0));
        let edges =
            [(0, 1, 1), (1, 2, 5_000), (2, 3, 5_000), (3, 4, 20_000), (4, 3, 20_000), (3, 5, 5_000), (5, 1, 5_000)];
        let edges: HashMap<_, _> =
            edges.into_iter().map(|(from, to, count)| ((Block::from_u32(from), Block::from_u32(to)), count)).collect();
        few_trips(body, &Counts::new(body, 1, edges, []))
    }

    #[test]
    fn an_inner_loop_is_one_if_the_optimizer_does_not_know_its_trips() {
        assert_eq!(headers("v1", 1), [Block::from_u32(3)]);
        assert_eq!(headers("4", 1), [], "it is unrolled anyway");
        assert_eq!(headers("v0", 1), [], "the outer loop changes it");
        assert_eq!(headers("v1", 200), [], "a trace would be too large");
    }

    /// Knowledge of the trips of a loop inside another.
    fn inside(inner: &str) -> Option<Knowledge> {
        let source = format!(
            "struct Kernel {{ size: int, weights: [int], next: Kernel? }}
             var taps = 5
             var rows = 5
             fn f(a: [int], all: [[int]], kernel: Kernel, n: int) -> int {{
                 let four = 4
                 var s = 0
                 for i in 0..n {{ {inner} }}
                 return s
             }}"
        );
        let mut session = Session::new(SessionKind::Program);
        let input = session::Input { name: "test.hw", key: None, bytes: source.as_bytes() };
        assert!(session.add(input, &mut NoFiles).is_ok(), "{source}");
        let body = session.module().function(session.function("f").expect("there is a function `f`"));
        let loops = Loops::of(&Cfg::compute(body));
        let (_, l) = loops.iter().find(|(_, l)| l.parent.is_some()).expect("there is an inner loop");
        knowledge(body, &loops, l)
    }

    #[test]
    fn a_bound_stays_the_same_or_is_loaded() {
        let known = |inner: &[&str]| inner.iter().map(|inner| inside(inner)).collect::<Vec<_>>();
        let fixed = known(&[
            "for k in 0..n { s += k }",
            "for k in 0..len(a) { s += a[k] }",
            "for x in a { s += x }",
            "for k in 0..kernel.size { s += k }",
            "for x in kernel.weights { s += x }",
            "for k in 0..taps { s += k }",
            "var k = 0; while k < taps { k += 2 }",
            "for k in n..9 { s += k }",
        ]);
        assert_eq!(fixed, [Some(Knowledge::Fixed); 8]);
        let loaded = known(&[
            "for k in 0..a[0] { s += k }",
            "for k in a[i]..a[i + 1] { s += k }",
            "for x in all[i] { s += x }",
            "for k in 0..kernel.size { kernel.size = 3 }",
            "for k in 0..taps { s += k }; taps += 1",
            "var other = kernel; for k in 0..other.size { s += k }; other = other.next!",
            "for k in 0..all[i][0] { s += k }",
        ]);
        assert_eq!(loaded, [Some(Knowledge::Loaded); 7]);
        assert_eq!(known(&["for k in 0..i { s += k }", "for k in i..n { s += k }"]), [None; 2]);
        assert_eq!(known(&["for k in 0..4 { s += k }", "for k in 0..four { s += k }"]), [Some(Knowledge::Value); 2]);
    }
}
