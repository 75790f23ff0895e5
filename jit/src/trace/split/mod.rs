//! A loop, split by the value of the place that says what state it is in: a local, a global, a field or an element.
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
//! In the loop of a value, the tests of the state are decided: a state machine does not ask in each iteration what it was
//! doing in the one before, and each state's branches are its own, so that they are foreseen by what that state does.
//!
//! Blocks that are executed rarely are not copied. What they call and where they lead would else cost registers in the loops of the values, and
//! what they change would have to be tested.
//!
//! Memory is as it would be without the split: stores stay, loads of the state become its value. Behind a block that may have stored another
//! value there, as through another name of the object or in a callee, the state is tested again (`checks.rs`): while it is the same, the
//! iteration stays in the loop of its value. So whoever takes over, at a failure, a poll or a call, finds what it expects.
//!
//! Nothing can fail here, unlike at a guard: each value but those has the loop as it was.
//! Invariants: reducible in, reducible out; each block keeps its instructions, but for loads of the state, and spans; only reachable blocks
//! are made.

mod checks;

use super::facts::{Facts, Use};
use super::form::{Formed, Origins};
use super::nest::Nest;
use super::spec::Declined;
use super::state::{Holder, State, is_state};
use crate::settings::split::{MOST_INSTS, MOST_VALUES};
use checks::{Aim, Check, Code};
use cranelift_entity::PrimaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{
    Block, BlockData, Function, Inst, Liveness, Local, LocalDecl, LoopId, Loops, Operand, Terminator,
};

/// A loop and the place that says which state it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The loop's header.
    pub header: Block,
    /// The place.
    pub state: State,
    /// The values that get a loop of their own: first the one that is left for most others, then the most frequent first.
    pub values: Vec<i64>,
    /// Blocks of the loop that are executed rarely: an iteration that comes to one goes on in the loop as it was.
    pub rare: Vec<Block>,
}

/// The body split.
pub fn split(body: &Function, split: &Split) -> Result<Formed, Declined> {
    let nest = Nest::of(body);
    let around = nest.loops.headed_by(split.header).ok_or(Declined::NoLoop)?;
    let l = nest.loops.get(around);
    if nest.loops.iter().any(|(_, inner)| inner.parent == Some(around)) {
        return Err(Declined::InnerLoop);
    }
    let size: usize = l.blocks.iter().map(|block| body.blocks[*block].insts.len() + 1).sum();
    let catches = body.catches();
    let fits = (1..=MOST_VALUES).contains(&split.values.len()) && size * split.values.len() <= MOST_INSTS;
    if catches || !fits || split.header == body.entry() || split.rare.contains(&split.header) {
        return Err(Declined::NotTestable);
    }
    let live = Liveness::compute(body, &nest.cfg);
    if !is_state(body, &nest, &live, around, split.state) {
        return Err(Declined::NotTestable);
    }
    let splitter = Splitter {
        body,
        loops: &nest.loops,
        around,
        split,
        numbers: HashMap::new(),
        places: PrimaryMap::new(),
        locals: body.locals.clone(),
    };
    Ok(splitter.run())
}

/// Role of a block in the new body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SplitPlace {
    /// A block as it was.
    Original(Block),
    /// A test of the state.
    Check(Check, Aim),
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
    numbers: HashMap<SplitPlace, Block>,
    places: PrimaryMap<Block, SplitPlace>,
    locals: PrimaryMap<Local, LocalDecl>,
}

impl Splitter<'_> {
    fn run(mut self) -> Formed {
        self.number(SplitPlace::Original(self.body.entry()));
        let mut blocks: PrimaryMap<Block, BlockData> = PrimaryMap::new();
        // Places are numbered as they are met and made in that order, so each block's number is its position.
        while let Some(place) = self.places.get(blocks.next_key()).copied() {
            let data = match place {
                SplitPlace::Original(block) => self.original(block),
                SplitPlace::Check(check, aim) => self.check(check, aim),
                SplitPlace::Copy(at, block) => self.copy(at, block),
                SplitPlace::Rest(at, block) => self.rest(at, block),
            };
            blocks.push(data);
        }
        let mut origins = Origins::default();
        for place in self.places.values() {
            origins.blocks.push(match place {
                SplitPlace::Original(block)
                | SplitPlace::Copy(_, block)
                | SplitPlace::Rest(_, block)
                | SplitPlace::Check(_, Aim::Stay(_, block)) => *block,
                SplitPlace::Check(_, Aim::Enter) => self.split.header,
            });
        }
        let entry = self.numbers[&self.enter()];
        let body = Function { locals: self.locals, blocks, ..self.body.clone() };
        Formed { body, origins, guards: PrimaryMap::new(), heads: Vec::new(), entry }
    }

    fn number(&mut self, place: SplitPlace) -> Block {
        *self.numbers.entry(place).or_insert_with(|| self.places.push(place))
    }

    /// SplitPlace that an edge of the loop as it was leads to.
    fn general(&self, to: Block) -> SplitPlace {
        if to == self.split.header { self.enter() } else { SplitPlace::Original(to) }
    }

    fn original(&mut self, block: Block) -> BlockData {
        let mut data = self.body.blocks[block].clone();
        data.term = self.retargeted(&data.term, |splitter, to| splitter.general(to));
        data
    }

    fn retargeted(&mut self, term: &Terminator, place: impl Fn(&Self, Block) -> SplitPlace) -> Terminator {
        let mut targets: Vec<(Block, Block)> = Vec::new();
        term.targets(|to| targets.push((to, to)));
        for (from, to) in &mut targets {
            *to = self.number(place(self, *from));
        }
        let mut term = term.clone();
        term.retarget(|to| targets.iter().find(|(from, _)| *from == to).expect("it is one of the targets").1);
        term
    }

    /// SplitPlace that an edge leads to from the loop of a value, when the state has some value, or may have any.
    fn onward(&self, at: u32, to: Block, after: Option<i64>) -> SplitPlace {
        if !self.is_copied(to) {
            return self.general(to);
        }
        let Some(after) = after else { return self.stay(at, to) };
        let other = self.split.values.iter().position(|value| *value == after).map(|at| at as u32);
        match other {
            Some(other) if other == at => SplitPlace::Copy(at, to),
            Some(other) if at == 0 => self.resting(other, to),
            // What is left of the iteration is done by the loop as it was.
            Some(_) | None => self.general(to),
        }
    }

    fn is_copied(&self, block: Block) -> bool {
        self.loops.contains(self.around, block) && !self.split.rare.contains(&block)
    }

    fn resting(&self, at: u32, to: Block) -> SplitPlace {
        if to == self.split.header { SplitPlace::Copy(at, to) } else { SplitPlace::Rest(at, to) }
    }

    fn rest(&mut self, at: u32, block: Block) -> BlockData {
        let value = self.split.values[at as usize];
        let (mut data, after) = self.known(block, value);
        data.term = self.retargeted(&data.term, |splitter, to| {
            let stays = after == Some(value) && splitter.is_copied(to);
            if stays { splitter.resting(at, to) } else { splitter.general(to) }
        });
        data
    }

    /// A block that is executed while the state has a value.
    fn copy(&mut self, at: u32, block: Block) -> BlockData {
        let value = self.split.values[at as usize];
        let (mut data, after) = self.known(block, value);
        data.term = self.retargeted(&data.term, |splitter, to| splitter.onward(at, to, after));
        if let State::Local(dst) = self.split.state
            && block == self.split.header
        {
            data.insts.insert(0, Inst::Copy { dst, src: Operand::Int(value) });
            data.spans.insert(0, data.term_span);
        }
        data
    }

    /// A block where the state has a value: loads of it and branches by it are decided. Beside it the value at its end, if that is known.
    fn known(&self, block: Block, value: i64) -> (BlockData, Option<i64>) {
        let mut data = self.body.blocks[block].clone();
        let mut facts = Facts::new(self.split.state, value);
        for inst in &mut data.insts {
            if let (Use::Read(value), Some(dst)) = (facts.follow(inst), inst.dst()) {
                *inst = Inst::Copy { dst, src: Operand::Int(value) };
            }
        }
        if let Some(to) = facts.decided(&data.term) {
            data.term = Terminator::Jump(to);
        }
        (data, facts.value())
    }

    /// The way into the loops of all values.
    fn enter(&self) -> SplitPlace {
        let first = if self.split.state.holder().is_some() { Check::Present } else { Check::Equal(0) };
        SplitPlace::Check(first, Aim::Enter)
    }

    /// The way on in the loop of a value, where it may have changed.
    fn stay(&self, at: u32, to: Block) -> SplitPlace {
        let first = match self.split.state.holder() {
            Some(Holder::Global(_)) => Check::Present,
            Some(Holder::Local(_)) | None => Check::Equal(at),
        };
        SplitPlace::Check(first, Aim::Stay(at, to))
    }

    fn check(&mut self, check: Check, aim: Aim) -> BlockData {
        let header = &self.body.blocks[self.split.header];
        let mut code = Code { locals: &mut self.locals, insts: Vec::new() };
        let cond = code.test(check, self.split.state, &self.split.values);
        let Code { insts, .. } = code;
        let (span, spans) = (header.term_span, vec![header.term_span; insts.len()]);
        let then = self.number(self.passed(check, aim));
        let otherwise = self.number(self.failed(check, aim));
        let term = Terminator::Branch { cond: Operand::Local(cond), then, otherwise };
        BlockData { spans, insts, term, term_span: span, handler: None }
    }

    fn passed(&self, check: Check, aim: Aim) -> SplitPlace {
        let is_element = matches!(self.split.state, State::Element { .. });
        match (check, aim) {
            (Check::Present, _) if is_element => SplitPlace::Check(Check::InRange, aim),
            (Check::Present | Check::InRange, Aim::Enter) => SplitPlace::Check(Check::Equal(0), aim),
            (Check::Present | Check::InRange, Aim::Stay(at, _)) => SplitPlace::Check(Check::Equal(at), aim),
            (Check::Equal(at), Aim::Enter) => SplitPlace::Copy(at, self.split.header),
            (Check::Equal(_), Aim::Stay(at, to)) => SplitPlace::Copy(at, to),
        }
    }

    fn failed(&self, check: Check, aim: Aim) -> SplitPlace {
        match (check, aim) {
            (Check::Equal(at), Aim::Enter) if at as usize + 1 < self.split.values.len() => {
                SplitPlace::Check(Check::Equal(at + 1), aim)
            }
            (_, Aim::Enter) => SplitPlace::Original(self.split.header),
            (_, Aim::Stay(_, to)) => self.general(to),
        }
    }
}
