//! Values that locals are likely to come back to on a trace, by its code alone, such as the position of an interpreter
//! in a loop of its program. That is stable which is made of constants, of what the trace does not change, and of loads
//! from places that it does not write; a counter is not, unless all that is added to it makes 0. The formed trace tests
//! it, so a wrong guess costs time only.

use super::super::nest::Nest;
use super::super::spec::{Layout, TraceSpec};
use super::positions::Round;
use crate::arrays::BodyFacts;
use cranelift_entity::EntitySet;
use hashbrown::{HashMap, HashSet};
use holloway_lang::ir::{BinaryOp, Block, Elem, Function, Inst, Liveness, Local, Operand, Scalar};

/// Adds what may be expected.
pub(super) fn expect(body: &Function, spec: &TraceSpec, facts: Option<&BodyFacts<'_>>) -> TraceSpec {
    let nest = Nest::of(body);
    // What is stable on one trace is not on another that may come next.
    let is_apart = spec.layout == Layout::Apart;
    let live = Liveness::compute(body, &nest.cfg);
    let mut expected = spec.clone();
    for trace in expected.traces.iter_mut().filter(|_| is_apart) {
        let insts: Vec<&Inst> = insts(body, trace.blocks()).collect();
        let assigned = assigned(&insts);
        let ints =
            live.live_in(spec.header).filter(|local| assigned.contains(*local) && body.scalar(*local) == Scalar::Int);
        trace.stable = Straight { insts: &insts, assigned: &assigned, stable: ints.collect() }.stable();
        if let Some(facts) = facts {
            let blocks: Vec<Block> = trace.blocks().collect();
            let round = Round { body, blocks: &blocks, facts };
            let position = |local: &Local| Some((*local, round.position(*local)?));
            trace.constants = trace.stable.iter().filter_map(position).collect();
        }
    }
    // A trace alone is entered where it goes round, too.
    if let [trace] = expected.traces.as_mut_slice() {
        trace.stable.retain(|local| trace.constants.iter().all(|(known, _)| known != local));
        expected.constants.append(&mut trace.constants);
    }
    expected
}

fn insts(body: &Function, blocks: impl Iterator<Item = Block>) -> impl Iterator<Item = &Inst> {
    blocks.flat_map(|block| &body.blocks[block].insts)
}

fn assigned(insts: &[&Inst]) -> EntitySet<Local> {
    let mut assigned = EntitySet::new();
    insts.iter().filter_map(|inst| inst.dst()).for_each(|local| {
        assigned.insert(local);
    });
    assigned
}

/// The instructions of a trace, in order.
struct Straight<'a> {
    insts: &'a [&'a Inst],
    assigned: &'a EntitySet<Local>,
    /// Locals not yet known to change.
    stable: Vec<Local>,
}

/// Locals whose value on the way in a value is computed from; `None` if it changes from round to round.
type Made = Option<HashSet<Local>>;

impl Straight<'_> {
    /// Drops locals until those that are left are stable if all of them are.
    fn stable(&mut self) -> Vec<Local> {
        let comes_back: HashSet<Local> =
            self.stable.iter().copied().filter(|local| self.moves(*local) == Some(0)).collect();
        loop {
            let ends = self.ends();
            let before = self.stable.len();
            self.stable.retain(|local| {
                comes_back.contains(local) || matches!(ends.get(local), Some(Some(made)) if made.is_empty())
            });
            if self.stable.len() == before {
                return std::mem::take(&mut self.stable);
            }
        }
    }

    /// Constant that the trace adds to a local; `None` if it does more to it.
    fn moves(&self, local: Local) -> Option<i64> {
        // Locals that are the local's first value and a constant.
        let mut moved: HashMap<Local, i64> = HashMap::from([(local, 0)]);
        for inst in self.insts {
            let Some(dst) = inst.dst() else { continue };
            let of = |operand: &Operand| match operand {
                Operand::Local(local) => moved.get(local).copied(),
                _ => None,
            };
            let value = match inst {
                Inst::Copy { src, .. } => of(src),
                Inst::Binary { op: BinaryOp::IntAdd, lhs, rhs: Operand::Int(by), .. } => {
                    of(lhs).map(|at| at.wrapping_add(*by))
                }
                Inst::Binary { op: BinaryOp::IntSub, lhs, rhs: Operand::Int(by), .. } => {
                    of(lhs).map(|at| at.wrapping_sub(*by))
                }
                _ => None,
            };
            match value {
                Some(value) => moved.insert(dst, value),
                None => moved.remove(&dst),
            };
        }
        moved.get(&local).copied()
    }

    fn ends(&self) -> HashMap<Local, Made> {
        let mut made: HashMap<Local, Made> = HashMap::new();
        for inst in self.insts {
            let Some(dst) = inst.dst() else { continue };
            let mut all: Made = Some(HashSet::new());
            inst.operands(|operand| {
                let of = self.operand(&made, operand);
                all = match (all.take(), of) {
                    (Some(mut all), Some(of)) => {
                        all.extend(of);
                        Some(all)
                    }
                    _ => None,
                };
            });
            let value = match inst {
                Inst::Copy { .. } | Inst::Unary { .. } | Inst::Binary { .. } | Inst::Unwrap { .. } => all,
                Inst::Len { .. } => all.map(|_| HashSet::new()),
                Inst::ElemGet { elem, array, .. } if !self.writes(*elem, *array) => all.map(|_| HashSet::new()),
                _ => None,
            };
            made.insert(dst, value);
        }
        made
    }

    fn operand(&self, made: &HashMap<Local, Made>, operand: Operand) -> Made {
        match operand {
            Operand::Local(local) => match made.get(&local) {
                Some(made) => made.clone(),
                None if self.stable.contains(&local) => Some(HashSet::from([local])),
                None => (!self.assigned.contains(local)).then(HashSet::new),
            },
            _ => Some(HashSet::new()),
        }
    }

    /// True if the trace may write elements of an array, assuming that arrays that have different names are different.
    fn writes(&self, elem: Elem, array: Operand) -> bool {
        self.insts.iter().any(|inst| match inst {
            Inst::ElemSet { elem: written, array: to, .. } => elem == *written && array == *to,
            Inst::Call { .. } | Inst::CallIndirect { .. } => true,
            _ => false,
        })
    }
}
