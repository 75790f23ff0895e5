//! A loop, split by the value of a local that says what state it is in.
//!
//! In: a body, a [`Split`]. Out: a [`Formed`] body with a loop of its own for each value, beside the loop as it was.
//!
//! ```text
//!        before       what the loop was, and iterations that changed the state
//!            \         |      ^
//!             v        v      |
//!             D  which state? +--> H: the loop as it was, for any other value
//!             |
//!             +--> H1 ... back to H1 while the state is v1; an iteration that makes it v2 goes on to H2
//!             |                                                                             |
//!             +--> H2 ... back to H2 while the state is v2 <--------------------------------+
//!                  what changes it goes on in the loop as it was
//! ```
//!
//! The first value's loop, that of the state from which most others are entered, leads straight to theirs: the rest of an iteration
//! that changes the state is copied for each new one. The others' loops do not lead to each other, which would give them
//! several entries.
//!
//! In the loop of a value, the tests of the local are decided: a state machine does not ask in each iteration what it was
//! doing in the one before, and each state's branches are its own, so that they are foreseen by what that state does.
//!
//! Nothing can fail here, unlike at a guard: each value but those has the loop as it was.
//! Invariants: reducible in, reducible out; each block keeps its instructions and spans; only reachable blocks are made.

use super::form::{Formed, Origins};
use super::nest::Nest;
use super::spec::Declined;
use crate::settings::split::{MOST_INSTS, MOST_VALUES};
use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{
    BinaryOp, Block, BlockData, Function, Inst, Local, LocalDecl, LoopId, Loops, Operand, Scalar, Terminator,
};

/// A loop and the local that says which state it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The loop's header.
    pub header: Block,
    /// An integer that is assigned constants only.
    pub local: Local,
    /// The values that get a loop of their own: first the one that is left for most others, then the most frequent first.
    pub values: Vec<i64>,
}

/// The body split.
pub fn split(body: &Function, split: &Split) -> Result<Formed, Declined> {
    let Nest { loops, .. } = Nest::of(body);
    let around = loops.headed_by(split.header).ok_or(Declined::NoLoop)?;
    let l = loops.get(around);
    if loops.iter().any(|(_, inner)| inner.parent == Some(around)) {
        return Err(Declined::InnerLoop);
    }
    let size: usize = l.blocks.iter().map(|block| body.blocks[*block].insts.len() + 1).sum();
    let catches = body.blocks.values().any(|data| data.handler.is_some());
    let fits = (1..=MOST_VALUES).contains(&split.values.len()) && size * split.values.len() <= MOST_INSTS;
    if catches || !fits || split.header == body.entry() || states(body, split.local).is_none_or(|all| all.len() < 2) {
        return Err(Declined::NotTestable);
    }
    let splitter = Splitter {
        body,
        loops: &loops,
        around,
        split,
        numbers: HashMap::new(),
        places: PrimaryMap::new(),
        locals: body.locals.clone(),
    };
    Ok(splitter.run())
}

/// All values that a local has, by rising value, if it is an integer that is assigned constants only.
pub fn states(body: &Function, local: Local) -> Option<Vec<i64>> {
    if !body.locals.is_valid(local) || body.scalar(local) != Scalar::Int || body.params.contains(&local) {
        return None;
    }
    let assigning = body.blocks.values().flat_map(|data| &data.insts).filter(|inst| inst.dst() == Some(local));
    let values: Option<Vec<i64>> = assigning.map(assigned).collect();
    let mut values = values?;
    values.sort_unstable();
    values.dedup();
    Some(values)
}

fn assigned(inst: &Inst) -> Option<i64> {
    match inst {
        Inst::Copy { src: Operand::Int(value), .. } => Some(*value),
        _ => None,
    }
}

/// The value that a local has at the end of a block.
pub(super) fn value_after(data: &BlockData, local: Local, before: i64) -> i64 {
    let last = data.insts.iter().rev().find(|inst| inst.dst() == Some(local));
    last.map_or(before, |inst| assigned(inst).expect("it is assigned constants only"))
}

/// A branch at the end of a block that compares a local with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) value: i64,
    /// Blocks that control goes to if the local is that, and if not.
    pub(super) same: Block,
    pub(super) other: Block,
}

/// The test at the end of a block, if it is one of the local's value there.
pub(super) fn test(data: &BlockData, local: Local) -> Option<Test> {
    let Terminator::Branch { cond: Operand::Local(cond), then, otherwise } = data.term else { return None };
    let at = data.insts.iter().rposition(|inst| inst.dst() == Some(cond))?;
    let Inst::Binary { op, lhs, rhs, .. } = data.insts[at] else { return None };
    let value = match (lhs, rhs) {
        (Operand::Local(tested), Operand::Int(value)) | (Operand::Int(value), Operand::Local(tested))
            if tested == local =>
        {
            value
        }
        _ => return None,
    };
    if data.insts[at..].iter().any(|inst| inst.dst() == Some(local)) {
        return None;
    }
    match op {
        BinaryOp::IntEq => Some(Test { value, same: then, other: otherwise }),
        BinaryOp::IntNe => Some(Test { value, same: otherwise, other: then }),
        _ => None,
    }
}

/// Role of a block in the new body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    /// A block as it was.
    Original(Block),
    /// The test for a value, or for the first of several.
    Dispatch(u32),
    /// A block in the loop of a value.
    Copy(u32, Block),
    /// A block in an iteration that began with the first value and has made it another.
    Rest(u32, Block),
}

struct Splitter<'a> {
    body: &'a Function,
    loops: &'a Loops,
    around: LoopId,
    split: &'a Split,
    numbers: HashMap<Place, Block>,
    places: PrimaryMap<Block, Place>,
    locals: PrimaryMap<Local, LocalDecl>,
}

impl Splitter<'_> {
    fn run(mut self) -> Formed {
        self.number(Place::Original(self.body.entry()));
        let mut blocks: PrimaryMap<Block, BlockData> = PrimaryMap::new();
        // Places are numbered as they are met and made in that order, so each block's number is its position.
        while let Some(place) = self.places.get(blocks.next_key()).copied() {
            let data = match place {
                Place::Original(block) => self.original(block),
                Place::Dispatch(at) => self.dispatch(at),
                Place::Copy(at, block) => self.copy(at, block),
                Place::Rest(at, block) => self.rest(at, block),
            };
            blocks.push(data);
        }
        let mut origins = Origins::default();
        for place in self.places.values() {
            origins.blocks.push(match place {
                Place::Original(block) | Place::Copy(_, block) | Place::Rest(_, block) => *block,
                Place::Dispatch(_) => self.split.header,
            });
        }
        let head = self.numbers[&Place::Copy(0, self.split.header)];
        let entry = self.numbers[&Place::Dispatch(0)];
        let body = Function { locals: self.locals, blocks, ..self.body.clone() };
        Formed { body, origins, guards: PrimaryMap::new(), heads: vec![head], entry }
    }

    fn number(&mut self, place: Place) -> Block {
        *self.numbers.entry(place).or_insert_with(|| self.places.push(place))
    }

    /// Place that an edge of the loop as it was leads to.
    fn general(&self, to: Block) -> Place {
        if to == self.split.header { Place::Dispatch(0) } else { Place::Original(to) }
    }

    fn original(&mut self, block: Block) -> BlockData {
        let mut data = self.body.blocks[block].clone();
        data.term = self.retargeted(&data.term, |splitter, to| splitter.general(to));
        data
    }

    fn retargeted(&mut self, term: &Terminator, place: impl Fn(&Self, Block) -> Place) -> Terminator {
        let mut targets: Vec<(Block, Block)> = Vec::new();
        term.targets(|to| targets.push((to, to)));
        for (from, to) in &mut targets {
            *to = self.number(place(self, *from));
        }
        let mut term = term.clone();
        crate::osr::retarget(&mut term, |to| {
            targets.iter().find(|(from, _)| *from == to).expect("it is one of the targets").1
        });
        term
    }

    fn dispatch(&mut self, at: u32) -> BlockData {
        let value = self.split.values[at as usize];
        let cond = self.locals.push(LocalDecl { scalar: Scalar::Bool, name: None });
        let (lhs, rhs) = (Operand::Local(self.split.local), Operand::Int(value));
        let insts = vec![Inst::Binary { op: BinaryOp::IntEq, dst: cond, lhs, rhs }];
        let then = self.number(Place::Copy(at, self.split.header));
        let last = at as usize + 1 == self.split.values.len();
        let next = if last { Place::Original(self.split.header) } else { Place::Dispatch(at + 1) };
        let otherwise = self.number(next);
        let span = self.body.blocks[self.split.header].term_span;
        let term = Terminator::Branch { cond: Operand::Local(cond), then, otherwise };
        BlockData { spans: vec![span], insts, term, term_span: span, handler: None }
    }

    /// Place that an edge leads to from the loop of a value, when the local has some value.
    fn onward(&self, at: u32, to: Block, after: i64) -> Place {
        let stays = after == self.split.values[at as usize];
        let other = self.split.values.iter().position(|value| *value == after).map(|at| at as u32);
        match other.filter(|_| self.loops.contains(self.around, to)) {
            Some(_) if stays => Place::Copy(at, to),
            Some(other) if at == 0 => self.resting(other, to),
            // What is left of the iteration is done by the loop as it was.
            Some(_) | None => self.general(to),
        }
    }

    fn resting(&self, at: u32, to: Block) -> Place {
        if to == self.split.header { Place::Copy(at, to) } else { Place::Rest(at, to) }
    }

    fn rest(&mut self, at: u32, block: Block) -> BlockData {
        let value = self.split.values[at as usize];
        let mut data = self.body.blocks[block].clone();
        let after = value_after(&data, self.split.local, value);
        data.term = self.retargeted(&data.term, |splitter, to| {
            let stays = after == value && splitter.loops.contains(splitter.around, to);
            if stays { splitter.resting(at, to) } else { splitter.general(to) }
        });
        data
    }

    /// A block that is executed while the local has a value.
    fn copy(&mut self, at: u32, block: Block) -> BlockData {
        let value = self.split.values[at as usize];
        let mut data = self.body.blocks[block].clone();
        let after = value_after(&data, self.split.local, value);
        if after == value
            && let Some(test) = test(&data, self.split.local)
        {
            data.term = Terminator::Jump(if test.value == value { test.same } else { test.other });
        }
        data.term = self.retargeted(&data.term, |splitter, to| splitter.onward(at, to, after));
        if block == self.split.header {
            data.insts.insert(0, Inst::Copy { dst: self.split.local, src: Operand::Int(value) });
            data.spans.insert(0, data.term_span);
        }
        data
    }
}
