//! Forms traces on the IR, by cloning blocks.
//!
//! In: a body, a [`TraceSpec`] for one of its loops. Out: a [`Formed`] body with the trace as a loop of its own, or
//! with a loop for each of several traces.
//!
//! ```text
//!        before        other latches of the loop
//!             \         |       ^
//!              v        v       |
//!              P  the entry     |          P heads what was the loop; H, its old header, is left to executions in
//!              |                |          which a test of what the spec expects fails.
//!              T1 -- guard --> rest of the iteration, as it was
//!              |                ^
//!         +--> T2 -- guard -----+          T2 ... Tn is an innermost loop with one back edge and no merge
//!         |    ...              |          points: what is invariant on the trace can leave it for P.
//!         +--- Tn -- guard -----+
//! ```
//!
//! The IR is not SSA, so no value needs repair, and a failing guard loses nothing.
//!
//! Several traces are copied once more in front of their loops, as a tree (`sequence.rs`): an iteration goes down the tree to the
//! loop of the trace that it follows, or leaves it for the general loop, behind which the next iteration tries again.
//!
//! A guard inside an inner loop that the trace passes would enter that loop in its middle. It leads to a *bridge* instead: copies
//! of the loop's blocks without its header, from which the header is reached as usual.
//!
//! Paths through the loop are begun only where it is entered, and lead out of it. The loop keeps its header, so exits into
//! its middle lead over bridges, too.
//!
//! Invariants: reducible in, reducible out; each block keeps its instructions, spans and handler; only reachable blocks are made.

mod entry;
mod forced;
mod formed;
mod guards;
mod place;

pub use formed::{Formed, Guard, GuardId, Head, Origins};

use super::nest::Nest;
use super::sequence::{Point, Tree};
use super::spec::{Declined, Trace, TraceSpec};
use crate::body::osr::most_copied;
use cranelift_entity::{EntitySet, PrimaryMap};
use forced::ForcedFailures;
use hashbrown::HashMap;
use holloway_lang::ir::{
    BinaryOp, Block, BlockData, Cfg, Dominators, EdgeKind, Function, Inst, Local, LocalDecl, LoopId, Loops, Operand,
    Scalar, Terminator,
};
use place::{FormedPlace, Test};

/// Forms the traces of one loop.
pub fn form(body: &Function, spec: &TraceSpec) -> Result<Formed, Declined> {
    let Nest { cfg, dominators, loops } = Nest::of(body);
    if !is_reducible(&cfg, &dominators) {
        return Err(Declined::Irreducible);
    }
    let tree = Tree::new(body, &cfg, &loops, spec)?;
    let mut locals = body.locals.clone();
    let mut saved: Vec<(Local, Local)> = Vec::new();
    for local in spec.traces.iter().flat_map(|trace| &trace.stable) {
        if saved.iter().all(|(known, _)| known != local) {
            saved.push((*local, int(&mut locals)));
        }
    }
    let forced = spec.shape.forced_failures;
    let forced = forced.map(|seed| ForcedFailures::new(seed, (body, &cfg, spec.header), &mut locals));
    let constants = spec.constants.iter().map(|(local, value)| Test(*local, Operand::Int(*value)));
    let tests_of = |(at, trace): (usize, &Trace)| {
        let own = own_constants(&tree, spec, at as u32);
        let stable = saved.iter().filter(|(local, _)| is_saved(trace, own, *local));
        let stable = stable.map(|(local, saved)| Test(*local, Operand::Local(*saved)));
        let own = own.iter().map(|(local, value)| Test(*local, Operand::Int(*value)));
        constants.clone().chain(own).chain(stable).collect()
    };
    let former = Former {
        body,
        cfg: &cfg,
        loops: &loops,
        tree: &tree,
        spec,
        numbers: HashMap::new(),
        places: PrimaryMap::new(),
        guards: PrimaryMap::new(),
        entry_tests: constants.clone().collect(),
        round_tests: spec.traces.iter().enumerate().map(tests_of).collect(),
        locals,
        saved,
        forced,
    };
    former.run()
}

fn int(locals: &mut PrimaryMap<Local, LocalDecl>) -> Local {
    locals.push(LocalDecl { scalar: Scalar::Int, name: None })
}

/// The constants of a trace's own: of one whose loop is entered through the tests before each round.
fn own_constants<'a>(tree: &Tree, spec: &'a TraceSpec, trace: u32) -> &'a [(Local, i64)] {
    if tree.head(trace) == tree.root() { &[] } else { &spec.traces[trace as usize].constants }
}

/// True if a trace expects of a local what was saved of it.
fn is_saved(trace: &Trace, own: &[(Local, i64)], local: Local) -> bool {
    trace.stable.contains(&local) && own.iter().all(|(constant, _)| *constant != local)
}

/// True if every edge against reverse postorder leads to a dominator.
fn is_reducible(cfg: &Cfg, dominators: &Dominators) -> bool {
    let mut seen: EntitySet<Block> = EntitySet::new();
    cfg.reverse_postorder().all(|block| {
        seen.insert(block);
        cfg.succs(block).iter().all(|(to, _)| !seen.contains(*to) || dominators.dominates(*to, block))
    })
}

struct Former<'a> {
    body: &'a Function,
    cfg: &'a Cfg,
    loops: &'a Loops,
    tree: &'a Tree,
    spec: &'a TraceSpec,
    numbers: HashMap<FormedPlace, Block>,
    places: PrimaryMap<Block, FormedPlace>,
    locals: PrimaryMap<Local, LocalDecl>,
    guards: PrimaryMap<GuardId, Guard>,
    /// Stable locals, each with the one that holds its value on the way in.
    saved: Vec<(Local, Local)>,
    forced: Option<ForcedFailures>,
    entry_tests: Vec<Test>,
    /// Tests before each round of a trace but the first.
    round_tests: Vec<Vec<Test>>,
}

impl Former<'_> {
    fn run(mut self) -> Result<Formed, Declined> {
        self.number(FormedPlace::Original(self.body.entry()));
        let mut blocks: PrimaryMap<Block, BlockData> = PrimaryMap::new();
        let mut copied = 0;
        // Places are numbered as they are met and made in that order, so each block's number is its position.
        while let Some(place) = self.places.get(blocks.next_key()).copied() {
            let data = self.make(place);
            blocks.push(data);
            copied += usize::from(matches!(place, FormedPlace::Bridge(..)));
            if copied > most_copied(self.body.blocks.len()) {
                return Err(Declined::TooLarge);
            }
        }
        for (block, data) in blocks.iter_mut() {
            data.handler = self.handler(self.places[block]);
        }
        let mut origins = Origins::default();
        for (block, place) in self.places.iter() {
            origins.blocks.push(self.origin(*place));
            if self.is_off_trace(*place) {
                origins.cold.insert(block);
            }
        }
        let unroll = self.spec.formed_shape().unroll;
        let head = |trace: u32| {
            let iterations = self.spec.counted_iterations(&self.spec.traces[trace as usize]) * unroll;
            Some(Head { block: *self.numbers.get(&self.head(trace))?, iterations: iterations.into() })
        };
        let heads = self.tree.with_loops().map(head).collect::<Option<_>>().ok_or(Declined::Shadowed)?;
        let entry = self.numbers[&FormedPlace::Entry(0)];
        let body = Function { locals: self.locals, blocks, ..self.body.clone() };
        Ok(Formed { body, origins, guards: self.guards, heads, entry })
    }

    /// Header of a trace's loop. A loop behind a copy of the trace is entered and gone round through the tests.
    fn head(&self, trace: u32) -> FormedPlace {
        match self.tree.head(trace) {
            head if head == self.tree.root() || self.round_tests[trace as usize].is_empty() => FormedPlace::Step(head),
            _ => FormedPlace::Test { trace, at: 0 },
        }
    }

    /// FormedPlace of a step that another leads to.
    fn onward(&self, to: Point) -> FormedPlace {
        match to == self.tree.head(to.trace) && !self.round_tests[to.trace as usize].is_empty() {
            true => FormedPlace::Test { trace: to.trace, at: 0 },
            false => FormedPlace::Step(to),
        }
    }

    fn number(&mut self, place: FormedPlace) -> Block {
        *self.numbers.entry(place).or_insert_with(|| self.places.push(place))
    }

    fn origin(&self, place: FormedPlace) -> Block {
        match place {
            FormedPlace::Original(block) | FormedPlace::Bridge(block, _) => block,
            FormedPlace::Entry(_) | FormedPlace::Test { .. } => self.spec.header,
            FormedPlace::Step(at) | FormedPlace::Rest(at) | FormedPlace::Guard(at) => self.tree.step(at).block,
        }
    }

    fn is_off_trace(&self, place: FormedPlace) -> bool {
        let is_left = matches!(place, FormedPlace::Original(block) if self.loops.contains(self.tree.around, block));
        is_left || matches!(place, FormedPlace::Bridge(..) | FormedPlace::Rest(_))
    }

    /// The inner loop whose header was not passed on the way to a place; the loop of the trace if there is none.
    fn region(&self, place: FormedPlace) -> Option<LoopId> {
        if let FormedPlace::Bridge(_, region) = place {
            return Some(region);
        }
        let is_original = matches!(place, FormedPlace::Original(_));
        self.loops.innermost(self.origin(place)).filter(|_| !is_original)
    }

    fn is_inside(&self, place: FormedPlace) -> bool {
        !matches!(place, FormedPlace::Original(block) if !self.loops.contains(self.tree.around, block))
    }

    /// FormedPlace that an edge of the general loop leads to from a place.
    fn general(&self, from: FormedPlace, to: Block) -> FormedPlace {
        if to == self.spec.header && !(self.tree.goes_through() && self.is_inside(from)) {
            return FormedPlace::Entry(0);
        }
        let mut region = self.region(from);
        // A loop that keeps its header is not entered in its middle either.
        let whole = match self.tree.goes_through() {
            true => self.loops.get(self.tree.around).parent,
            false => Some(self.tree.around),
        };
        while let Some(inner) = region.filter(|inner| Some(*inner) != whole) {
            let l = self.loops.get(inner);
            if l.header != to && self.loops.contains(inner, to) {
                return FormedPlace::Bridge(to, inner);
            }
            region = l.parent;
        }
        FormedPlace::Original(to)
    }

    fn handler(&self, place: FormedPlace) -> Option<Block> {
        if !matches!(place, FormedPlace::Original(_) | FormedPlace::Bridge(..) | FormedPlace::Step(_)) {
            return None;
        }
        let handler = self.body.blocks[self.origin(place)].handler?;
        // A handler that nothing can reach is not there.
        self.numbers.get(&self.general(place, handler)).copied()
    }

    fn make(&mut self, place: FormedPlace) -> BlockData {
        match place {
            FormedPlace::Original(block) | FormedPlace::Bridge(block, _) => self.copy(place, block),
            FormedPlace::Step(at) => self.step_block(place, at),
            FormedPlace::Rest(at) => {
                let block = self.tree.step(at).block;
                let term = self.redirected(place, &self.body.blocks[block].term, &[]);
                self.alone(block, Vec::new(), term)
            }
            FormedPlace::Guard(at) => {
                let block = self.tree.step(at).block;
                let data = self.alone(block, Vec::new(), self.body.blocks[block].term.clone());
                self.ended(place, at, data)
            }
            FormedPlace::Entry(at) => self.entry_block(place, at),
            FormedPlace::Test { trace, at } => {
                let tests = &self.round_tests[trace as usize];
                let test = tests[at as usize];
                let onward = match at as usize + 1 == tests.len() {
                    true => FormedPlace::Step(self.tree.head(trace)),
                    false => FormedPlace::Test { trace, at: at + 1 },
                };
                self.test(place, Vec::new(), test, (onward, FormedPlace::Entry(0)))
            }
        }
    }

    /// Appends a comparison; gives the local that holds its result.
    fn compare(&mut self, insts: &mut Vec<Inst>, op: BinaryOp, lhs: Operand, rhs: Operand) -> Local {
        let dst = self.locals.push(LocalDecl { scalar: Scalar::Bool, name: None });
        insts.push(Inst::Binary { op, dst, lhs, rhs });
        dst
    }

    /// A block without instructions of the program, made for a block.
    fn alone(&self, of: Block, insts: Vec<Inst>, term: Terminator) -> BlockData {
        let span = self.body.blocks[of].term_span;
        BlockData { spans: vec![span; insts.len()], insts, term, term_span: span, handler: None }
    }

    fn copy(&mut self, place: FormedPlace, block: Block) -> BlockData {
        let data = self.body.blocks[block].clone();
        let term = self.redirected(place, &data.term, &[]);
        self.reach_handler(place, block);
        BlockData { term, ..data }
    }

    fn reach_handler(&mut self, place: FormedPlace, block: Block) {
        if let Some((handler, EdgeKind::Failure)) = self.cfg.succs(block).last() {
            self.number(self.general(place, *handler));
        }
    }

    fn step_block(&mut self, place: FormedPlace, at: Point) -> BlockData {
        let step = self.tree.step(at);
        let mut data = self.body.blocks[step.block].clone();
        self.reach_handler(place, step.block);
        if self.tree.is_round_start(at) {
            let is_head = at == self.tree.head(at.trace);
            let own = if is_head { own_constants(self.tree, self.spec, at.trace) } else { &[] };
            let constants = self.spec.constants.iter().chain(own).map(|(dst, value)| (*dst, Operand::Int(*value)));
            // At the root each local is what was saved of it a moment ago.
            let trace = &self.spec.traces[at.trace as usize];
            let stable = self.saved.iter().filter(|(local, _)| at == self.tree.root() || is_saved(trace, own, *local));
            let stable = stable.map(|(dst, saved)| (*dst, Operand::Local(*saved)));
            let known: Vec<Inst> = constants.chain(stable).map(|(dst, src)| Inst::Copy { dst, src }).collect();
            data.spans.splice(0..0, vec![data.term_span; known.len()]);
            data.insts.splice(0..0, known);
        }
        if self.force_failure(place, at, &mut data) { data } else { self.ended(place, at, data) }
    }

    /// Ends a block of the trace with a test that forces a failure, if its own end is a guard.
    fn force_failure(&mut self, place: FormedPlace, at: Point, data: &mut BlockData) -> bool {
        let Some(numbers) = self.forced else { return false };
        let step = self.tree.step(at);
        let block = step.block;
        let mut ways = 0;
        self.body.blocks[block].term.targets(|_| ways += 1);
        if ways < 2 {
            return false;
        }
        let drawn = numbers.draw(&mut self.locals, &mut data.insts);
        let fails = self.compare(&mut data.insts, BinaryOp::IntEq, Operand::Local(drawn), Operand::Int(0));
        data.spans.resize(data.insts.len(), data.term_span);
        let (from, then, otherwise) =
            (self.number(place), self.number(FormedPlace::Rest(at)), self.number(FormedPlace::Guard(at)));
        self.guard((from, then), Some(at), block);
        data.term = Terminator::Branch { cond: Operand::Local(fails), then, otherwise };
        true
    }

    /// A block of the trace, or what stands for its end, with the ways on along the trace.
    fn ended(&mut self, place: FormedPlace, at: Point, mut data: BlockData) -> BlockData {
        let step = self.tree.step(at);
        let next = self.next(at);
        if let Terminator::Switch { value, cases, default } = &data.term
            && let [(on_trace, onward)] = next.as_slice()
            && default != on_trace
            && let [(case, _)] = cases.iter().filter(|(_, to)| to == on_trace).collect::<Vec<_>>().as_slice()
        {
            let cond = self.compare(&mut data.insts, BinaryOp::IntEq, *value, Operand::Int(*case));
            data.spans.push(data.term_span);
            let (from, otherwise) = (self.number(place), self.number(FormedPlace::Rest(at)));
            self.guard((from, otherwise), Some(at), step.block);
            let then = self.number(*onward);
            data.term = Terminator::Branch { cond: Operand::Local(cond), then, otherwise };
            return data;
        }
        data.term = self.redirected(place, &data.term, &next);
        data
    }

    /// Places that edges lead to along the trace.
    fn next(&self, at: Point) -> Vec<(Block, FormedPlace)> {
        let mut next: Vec<(Block, FormedPlace)> =
            self.tree.next(at).into_iter().map(|(block, to)| (block, self.onward(to))).collect();
        next.extend(self.tree.exits(at).map(|exit| (exit, FormedPlace::Original(exit))));
        next
    }

    /// A terminator with each target at its place; those that leave the trace are guards.
    fn redirected(&mut self, place: FormedPlace, term: &Terminator, on_trace: &[(Block, FormedPlace)]) -> Terminator {
        let mut left: Vec<Block> = Vec::new();
        let mut target = |to: Block| {
            let next = match on_trace.iter().find(|(block, _)| *block == to) {
                Some((_, next)) => *next,
                None => {
                    if !on_trace.is_empty() && !left.contains(&to) {
                        left.push(to);
                    }
                    self.general(place, to)
                }
            };
            self.number(next)
        };
        let term = match term {
            Terminator::Jump(to) => Terminator::Jump(target(*to)),
            Terminator::Branch { cond, then, otherwise } => {
                Terminator::Branch { cond: *cond, then: target(*then), otherwise: target(*otherwise) }
            }
            Terminator::Switch { value, cases, default } => Terminator::Switch {
                value: *value,
                cases: cases.iter().map(|(case, to)| (*case, target(*to))).collect(),
                default: target(*default),
            },
            Terminator::Return(_) | Terminator::Fail { .. } | Terminator::Exit(_) => term.clone(),
        };
        for to in left {
            let (FormedPlace::Step(at) | FormedPlace::Guard(at)) = place else {
                unreachable!("only steps are on the trace")
            };
            let (from, edge_to) = (self.number(place), self.number(self.general(place, to)));
            self.guard((from, edge_to), Some(at), to);
        }
        term
    }
}
