//! On-stack replacement: where a version may be left and entered, and what passes between the two.
//!
//! In: a function body and a loop header. Out: the state there ([`state_at`]), and the body as it is compiled when it
//! is entered at that header ([`peel`]).
//!
//! A transfer happens right after a back edge was taken. Its state is the locals that are live at the header, by rising
//! number; the frame that is left stores them in the context, the code that is entered loads them from there.
//!
//! Invariant: the state at a header depends on the body alone, so any two versions of one body agree on it.

pub use crate::abi::MAX_STATE;
use crate::settings::osr::MOST_COPIED;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Cfg, Function, Liveness, Local, LoopId, Loops, cfg};

/// Blocks that a version may have more than its body of so many, for what enters loops in their middle. Code that is
/// entered in a nest of loops, or whose guards fail there, has a copy of what is left of each loop around: they add up
/// to the square of the nest's depth.
pub(crate) fn most_copied(blocks: usize) -> usize {
    blocks.max(MOST_COPIED)
}

/// The start of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// At the function's entry, by a call.
    Call,
    /// At the header of a loop, by a transfer.
    Header(Block),
}

impl Entry {
    /// The header, if it is at one.
    pub fn header(self) -> Option<Block> {
        match self {
            Entry::Call => None,
            Entry::Header(header) => Some(header),
        }
    }
}

/// The OSR exits of a version: where it can be left for another while it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaving {
    /// Only by its end.
    #[default]
    Never,
    /// At the headers of the function's outermost loops, and off the traces of a loop at each header: the others are left soon enough by themselves,
    /// and what a transfer keeps at hand would cost them registers.
    AtOutermost,
    /// The same, if code in a loop relies on a profile that may come to be out of date: on traces, or on calls that are rare or have a usual target.
    /// Other code is as good as any that comes later.
    IfOutdated,
    /// At the header of each loop of the function itself.
    AtHeaders,
    /// The same, and no function with a loop is inlined: wherever the time goes, a header is near at which the version
    /// is left.
    AtEveryLoop,
}

impl Leaving {
    /// The OSR exits of code that may or may not have some.
    #[must_use]
    pub(crate) fn with_points(self, has_some: bool) -> Leaving {
        match (self, has_some) {
            (Leaving::IfOutdated, true) => Leaving::AtOutermost,
            (Leaving::IfOutdated, false) => Leaving::Never,
            (Leaving::Never | Leaving::AtOutermost | Leaving::AtHeaders | Leaving::AtEveryLoop, _) => self,
        }
    }
}

/// The headers of a body at which transfers happen, each with its state.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    state: SecondaryMap<Block, Option<Vec<Local>>>,
    innermost: SecondaryMap<Block, Option<Block>>,
    /// Blocks that [`peel`] copies at most.
    copied: SecondaryMap<Block, usize>,
    blocks: usize,
}

impl Headers {
    /// Finds them.
    pub fn compute(body: &Function) -> Headers {
        let cfg = Cfg::compute(body);
        let loops = Loops::of(&cfg);
        Headers::of_loops(body, &cfg, &loops)
    }

    /// Finds them in a body whose loops are known.
    pub fn of_loops(body: &Function, cfg: &Cfg, loops: &Loops) -> Headers {
        let mut headers = Headers { blocks: body.blocks.len(), ..Headers::default() };
        if loops.is_empty() {
            return headers;
        }
        for block in body.blocks.keys() {
            headers.innermost[block] = loops.innermost(block).map(|id| loops.get(id).header);
        }
        let live = Liveness::compute(body, cfg);
        for (_, l) in loops.iter() {
            let around = l.parent.map(|parent| loops.get(parent));
            headers.copied[l.header] = around.map_or(0, |l| headers.copied[l.header] + l.blocks.len());
            let mut state: Vec<Local> = live.live_in(l.header).take(MAX_STATE + 1).collect();
            state.sort_unstable();
            if state.len() <= MAX_STATE {
                headers.state[l.header] = Some(state);
            }
        }
        headers
    }

    /// The header of the innermost loop around a block.
    pub fn loop_of(&self, block: Block) -> Option<Block> {
        self.innermost[block]
    }

    /// True iff code that is entered at a header is of a reasonable size.
    pub fn can_enter(&self, header: Block) -> bool {
        self.copied[header] <= most_copied(self.blocks)
    }

    /// The state at a header; none where no transfer happens.
    pub fn state(&self, header: Block) -> Option<&[Local]> {
        self.state[header].as_deref()
    }
}

/// A body that is made of another, with the way back.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The body.
    pub body: Function,
    /// The block it starts at; not its block 0 unless that is so for all bodies.
    pub entry: Block,
    /// The block of the other body that each new block is a copy of; blocks of the other body are themselves.
    pub origins: Vec<Block>,
    /// Blocks that are off the usual way.
    pub cold: EntitySet<Block>,
    /// Copies that [`peel`] made, with the blocks of the body that they are copies of.
    pub peeled: Vec<(Block, Block)>,
}

impl Shape {
    /// The body as it is.
    pub fn plain(body: &Function) -> Shape {
        let origins = body.blocks.keys().collect();
        Shape { entry: body.entry(), origins, cold: EntitySet::new(), body: body.clone(), peeled: Vec::new() }
    }

    /// The outermost loop header that stands for a header of the source body, with no more than the state there: what a trace keeps in locals of its
    /// own has no value in a frame that comes from elsewhere. None if the loop is only inside of traces that do.
    pub fn header(&self, of: Block, state: &[Local]) -> Option<Block> {
        let cfg = Cfg::compute(&self.body);
        let loops = Loops::of(&cfg);
        let live = Liveness::compute(&self.body, &cfg);
        let has_state = |header| live.live_in(header).all(|local| state.contains(&local));
        let copies = loops.iter().map(|(_, l)| l).filter(|l| self.origin(l.header) == of && has_state(l.header));
        copies.min_by_key(|l| (l.depth, l.header)).map(|l| l.header)
    }

    /// The block of the source body that a block stands for.
    pub fn origin(&self, block: Block) -> Block {
        self.origins[block.index()]
    }
}

/// Makes a body to be entered at the header of one of its loops, so that it stays reducible and every loop keeps its
/// shape.
///
/// Entered in the middle of a nest, the loops around are no longer entered by their headers only. So the rest of the
/// present iteration of each is a copy: the first copy holds the loop of the header and what follows it in the loop
/// around; when that loop's header is reached, control goes on in the next copy, and so on; the last is the body
/// itself.
pub fn peel(shape: Shape, header: Block) -> Shape {
    let graph = Cfg::compute(&shape.body);
    let loops = Loops::of(&graph);
    if loops.headed_by(header).is_none() {
        return Shape { entry: header, ..shape };
    }
    let nest: Vec<LoopId> = loops.chain(header).collect();
    let outermost = *nest.last().expect("a nest has a loop");
    let headers: Vec<Block> = nest.iter().map(|id| loops.get(*id).header).collect();
    let mut shape = shape;
    // The next copies' headers, by the header they are copies of. The outermost loop is the body's own.
    let mut further: HashMap<Block, Block> = HashMap::from([(headers[headers.len() - 1], headers[headers.len() - 1])]);
    for at in (0..headers.len() - 1).rev() {
        let members = reachable(&shape.body, &loops, outermost, headers[at], &headers[at + 1..]);
        let copies: HashMap<Block, Block> = members.iter().map(|block| (*block, copy(&mut shape, *block))).collect();
        for block in &members {
            let to = |target: Block| copies.get(&target).or_else(|| further.get(&target)).copied().unwrap_or(target);
            let data = &mut shape.body.blocks[copies[block]];
            data.handler = data.handler.map(to);
            data.term.retarget(to);
        }
        further.insert(headers[at], copies[&headers[at]]);
    }
    Shape { entry: further[&header], ..shape }
}

fn copy(shape: &mut Shape, block: Block) -> Block {
    shape.origins.push(shape.origin(block));
    if shape.cold.contains(block) {
        shape.cold.insert(Block::new(shape.body.blocks.len()));
    }
    let data = shape.body.blocks[block].clone();
    let copy = shape.body.blocks.push(data);
    shape.peeled.push((copy, block));
    copy
}

/// Blocks of a loop that control gets to from `from` without passing a header of `stops`.
fn reachable(body: &Function, loops: &Loops, outermost: LoopId, from: Block, stops: &[Block]) -> Vec<Block> {
    let mut found = vec![from];
    let mut next = 0;
    while let Some(block) = found.get(next).copied() {
        next += 1;
        for (to, _) in cfg::edges(body, block) {
            if loops.contains(outermost, to) && !stops.contains(&to) && !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    /// A nest of loops, each of a header and a latch: loop `n` is headed by block `n + 1`.
    fn nest(depth: usize) -> Function {
        let mut text = String::from(
            "type t0 = int\nsig0 = (t0) -> t0\nfunction f0 \"f\" sig0(v0: int) -> int {\n    local v1: bool\nblock0:\n    jump block1\n",
        );
        let (innermost, exit) = (depth + 1, 2 * depth + 2);
        for header in 1..=depth {
            let out = if header == 1 { exit } else { innermost + header - 1 };
            writeln!(text, "block{header}:\n    v1 = ilt v0, 3\n    branch v1, block{}, block{out}", header + 1)
                .expect("a string");
        }
        writeln!(text, "block{innermost}:\n    v0 = iadd v0, 1\n    jump block{}", innermost + depth)
            .expect("a string");
        for latch in 1..=depth {
            writeln!(text, "block{}:\n    jump block{latch}", innermost + latch).expect("a string");
        }
        writeln!(text, "block{exit}:\n    return v0\n}}").expect("a string");
        let module = holloway_lang::ir::parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        (*module.funcs.values().next().expect("a function").body).clone()
    }

    #[test]
    fn what_is_entered_in_a_nest_is_not_much_larger_than_the_nest() {
        for depth in [1, 5, 15, 60, 190] {
            let body = nest(depth);
            let headers = Headers::compute(&body);
            let can_enter = |header: &Block| headers.can_enter(*header);
            let entered: Vec<Block> = (1..=depth).map(Block::new).filter(can_enter).collect();
            assert!(!entered.is_empty() && (depth > 15 || entered.len() == depth), "{entered:?} of {depth}");
            for header in entered {
                let peeled = peel(Shape::plain(&body), header).body.blocks.len();
                assert!(peeled <= body.blocks.len() + most_copied(body.blocks.len()), "{peeled} at {header}");
            }
        }
    }
}
