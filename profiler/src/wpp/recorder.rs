//! Recording of a run: from path events to unique path traces and the dynamic call graph.
//!
//! In: the functions' shapes and decoders of path ids, then the events of a thread. Out: a [`WholePath`], at the end or as
//! it stands. Duplicate traces and equal subtrees of calls are found when an activation ends, by hash, so memory is
//! bounded by what differs [ZG01 section 2, "Eliminating redundant path traces"].
//!
//! Live activations share two stacks, of piece numbers and of children: an activation adds only while it is innermost, and
//! takes its part off when it ends. A part that grows beyond a piece of [`Sequence`] is compressed. A piece is only appended while the
//! program runs; the hash of its blocks is taken later, if the activation is none that is known by its numbers ([`ActivationCache`]).
//! Invariant: traces are told apart by the hash of their blocks alone, however paths and failures cut them.

use super::activation_cache::{ActivationCache, Cached};
use super::call_graph::{CUT, CallNode};
use super::function_recorder::{FunctionRecorder, Mark};
use super::function_traces::{FunctionTraces, PieceNumber};
use super::node_table::{Children, NodeTable};
use super::path_blocks::PathBlocks;
use super::program::{FunctionShape, Program};
use super::rolling::RollingHash;
use super::sequence::{PIECE, Sequence};
use super::whole_path::WholePath;
use crate::event::{ActivationSink, BadWord, Event, EventSink, FunctionId, WordReader};
use crate::forest::slab::Packing;
use crate::graph::Node;
use crate::settings::wpp::LONGEST_SHORT;

/// Recorder of the whole path of one thread.
#[derive(Default)]
pub struct Recorder {
    path: WholePath,
    functions: Vec<Option<Box<FunctionRecorder>>>,
    nodes: NodeTable,
    activations: Vec<Activation>,
    /// Piece numbers of live activations, outermost first.
    pieces: Vec<u32>,
    /// Children of live activations, outermost first.
    children: Vec<CallNode>,
    cache: ActivationCache,
    reader: WordReader,
}

/// A live activation.
#[derive(Clone)]
struct Activation {
    function: FunctionId,
    /// The start of its part of the stacks.
    pieces: usize,
    children: usize,
    /// The end of the pieces that are in the sums below.
    settled: usize,
    /// The hash of its blocks so far.
    hash: RollingHash,
    /// Their number.
    blocks: u64,
    /// The calls of its blocks so far, less the children that it has.
    owed: i64,
    spilled: Option<Box<Spilled>>,
}

impl Activation {
    /// Takes all pieces into the sums.
    fn settle(&mut self, function: &FunctionRecorder, pieces: &[PieceNumber]) {
        for &piece in &pieces[self.settled..] {
            let piece = &function.pieces[piece as usize];
            self.hash.append(&piece.part);
            self.blocks += u64::from(piece.blocks);
            self.owed += piece.calls as i64;
        }
        self.settled = pieces.len();
    }

    /// Compresses the pieces if they are many.
    #[inline]
    fn spill_if_long(
        &mut self,
        function: &FunctionRecorder,
        traces: &mut FunctionTraces,
        pieces: &mut Vec<PieceNumber>,
    ) {
        if pieces.len() - self.pieces >= PIECE {
            self.settle(function, pieces);
            traces.count_uses(&pieces[self.pieces..]);
            self.spilled.get_or_insert_default().pieces.extend(&pieces[self.pieces..]);
            pieces.truncate(self.pieces);
            self.settled = self.pieces;
        }
    }
}

/// The compressed first parts of a long activation.
#[derive(Clone, Default)]
struct Spilled {
    pieces: Sequence,
    children: Sequence,
}

impl Recorder {
    /// A recorder of a program whose functions are declared later, or given in `program`.
    pub fn new(program: Program) -> Recorder {
        Recorder { path: WholePath { program, ..WholePath::default() }, ..Recorder::default() }
    }

    /// The program, to which sources and inputs may be added at any time.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.path.program
    }

    /// Declares a function, before its first event, with the layout of its words if they have several ids each. Once more
    /// replaces its decoder, where the same ids stand for the same blocks.
    pub fn declare(
        &mut self,
        function: FunctionId,
        shape: FunctionShape,
        packing: Option<Packing>,
        paths: Box<dyn PathBlocks + Send>,
    ) {
        let index = function.as_u32() as usize;
        if index >= self.functions.len() {
            self.functions.resize_with(index + 1, || None);
            self.path.functions.resize_with(index + 1, Default::default);
        }
        if index >= self.path.program.functions.len() {
            self.path.program.functions.resize_with(index + 1, Default::default);
        }
        let calls = shape.blocks.iter().map(|block| block.calls).collect();
        self.path.program.functions[index] = shape;
        match &mut self.functions[index] {
            Some(known) => known.decoder = paths,
            none => *none = Some(Box::new(FunctionRecorder::new(paths, packing, calls))),
        }
    }

    /// Returns whether a function is declared.
    pub fn is_declared(&self, function: FunctionId) -> bool {
        self.functions.get(function.as_u32() as usize).is_some_and(Option::is_some)
    }

    /// Reads a buffer of words, which may end within an event.
    pub fn read(&mut self, words: &[u64]) -> Result<(), BadWord> {
        let mut reader = std::mem::take(&mut self.reader);
        let result = reader.read(words, self);
        self.reader = reader;
        result
    }

    /// The innermost activation completes paths; false if there is none, or no such path.
    pub fn paths(&mut self, ids: &[u64]) -> bool {
        let Some(activation) = self.activations.last_mut() else { return false };
        let index = activation.function.as_u32() as usize;
        let (Some(Some(function)), traces) = (self.functions.get_mut(index), &mut self.path.functions[index]) else {
            return false;
        };
        let Some(packing) = function.packing else {
            for &id in ids {
                let Some(piece) = function.path(id, traces) else { return false };
                self.pieces.push(piece);
                activation.spill_if_long(function, traces, &mut self.pieces);
            }
            return true;
        };
        for &word in ids {
            match function.word(word, packing, traces) {
                Some(piece) => self.pieces.push(piece),
                None if function.parts(word, packing, &mut self.pieces, traces) => {}
                None => return false,
            }
            activation.spill_if_long(function, traces, &mut self.pieces);
        }
        true
    }

    /// Adds a child of the innermost activation, so often.
    #[inline]
    fn add_children(&mut self, node: CallNode, count: usize) {
        let Some(caller) = self.activations.last_mut() else {
            (0..count).for_each(|_| self.path.calls.roots_mut().push(node));
            return;
        };
        caller.owed -= count as i64;
        if count == 1 && self.children.len() - caller.children < PIECE - 1 {
            self.children.push(node);
            return;
        }
        let mut left = count;
        while left > 0 {
            let now = left.min(PIECE - (self.children.len() - caller.children));
            self.children.resize(self.children.len() + now, node);
            left -= now;
            if self.children.len() - caller.children >= PIECE {
                let spilled = caller.spilled.get_or_insert_default();
                spilled.children.extend(&self.children[caller.children..]);
                self.children.truncate(caller.children);
            }
        }
    }

    /// Takes the innermost activation off, if an equal one ended lately.
    #[inline]
    fn leave_known(&mut self) -> Result<(), Cached> {
        let Some(activation) = self.activations.last() else { return Err(Cached::Never) };
        if activation.spilled.is_some() {
            return Err(Cached::Never);
        }
        let (pieces, children) = (activation.pieces, activation.children);
        match self.cache.find(activation.function, &self.pieces[pieces..], &self.children[children..]) {
            Cached::Known(node) => {
                self.activations.pop();
                self.pieces.truncate(pieces);
                self.children.truncate(children);
                self.add_children(node, 1);
                Ok(())
            }
            other => Err(other),
        }
    }

    /// The node of an ended activation.
    fn close(&mut self, mut activation: Activation) -> CallNode {
        let index = activation.function.as_u32() as usize;
        let function = self.functions[index].as_deref_mut().expect("an entered function is declared");
        activation.settle(function, &self.pieces);
        pad(&mut activation, &mut self.children);
        let (pieces, children) = (&self.pieces[activation.pieces..], &self.children[activation.children..]);
        let single = match (pieces, &activation.spilled) {
            (&[piece], None) => Some(piece),
            _ => None,
        };
        let (first_pieces, first_children) = match activation.spilled {
            None => (None, None),
            Some(spilled) => (filled(spilled.pieces), filled(spilled.children)),
        };
        let trace =
            function.trace((activation.hash, activation.blocks), first_pieces, pieces, &mut self.path.functions[index]);
        let is_leaf = children.is_empty() && first_children.is_none();
        let known = if is_leaf { function.leaf(trace) } else { None };
        let node = known.unwrap_or_else(|| {
            let children = match first_children {
                None if children.len() <= LONGEST_SHORT => Children::Short(children),
                first => {
                    let mut all = first.unwrap_or_default();
                    all.extend(children);
                    Children::Long(all.seal())
                }
            };
            self.nodes.intern(&mut self.path.calls, activation.function, trace, children)
        });
        if is_leaf {
            function.set_leaf(trace, single, node);
        }
        node
    }

    /// Takes an ended activation off the stacks, and keeps it at its place in the cache.
    fn leave_new(&mut self, activation: Activation, place: Option<usize>) {
        let (function, pieces, children) = (activation.function, activation.pieces, activation.children);
        // The children before those are added that failures cut off: these follow from the rest.
        let heard = self.children.len();
        let node = self.close(activation);
        if let Some(place) = place {
            self.cache.keep(place, function, (&self.pieces[pieces..], &self.children[children..heard]), node);
        }
        self.pieces.truncate(pieces);
        self.children.truncate(children);
        self.add_children(node, 1);
    }

    /// Shows the path as it stands to `look`. Live activations are in it as if they ended here; the blocks that a live
    /// activation entered since its last complete path are not known yet, so only the calls that it made there are.
    pub fn snapshot<T>(&mut self, look: impl FnOnce(&WholePath) -> T) -> T {
        if self.activations.is_empty() {
            return look(&self.path);
        }
        let nodes = self.path.calls.len();
        let roots = self.path.calls.roots().clone();
        let marks: Vec<Mark> = self.path.functions.iter().map(Mark::of).collect();
        let live = (self.activations.clone(), self.pieces.clone(), self.children.clone());
        while self.leave() {}
        let result = look(&self.path);
        (self.activations, self.pieces, self.children) = live;
        self.cache.clear();
        self.nodes.truncate(nodes, &self.path.calls);
        self.path.calls.truncate(nodes, roots);
        for (function, (mark, traces)) in self.functions.iter_mut().zip(marks.iter().zip(&mut self.path.functions)) {
            if let Some(function) = function {
                function.back_to(mark, nodes, traces);
            }
        }
        result
    }

    /// The whole path of a run that ended by itself. Activations that are still live are in it as in a snapshot, and leave
    /// it incomplete, as does an event of which words are missing.
    pub fn finish(mut self) -> WholePath {
        self.path.complete = self.activations.is_empty() && !self.reader.is_cut();
        while self.leave() {}
        self.path
    }

    /// Number of live activations.
    pub fn depth(&self) -> usize {
        self.activations.len()
    }

    /// Memory in use, in bytes, the program aside.
    pub fn bytes(&self) -> u64 {
        let traces: u64 = self.path.functions.iter().map(FunctionTraces::bytes).sum();
        let tables: u64 = self.functions.iter().flatten().map(|function| function.bytes()).sum();
        let of = |spilled: &Spilled| spilled.pieces.bytes() + spilled.children.bytes();
        let spilled: u64 = self.activations.iter().filter_map(|activation| activation.spilled.as_deref()).map(of).sum();
        let stacks = (self.pieces.capacity() + self.children.capacity()) * size_of::<u32>()
            + self.activations.capacity() * size_of::<Activation>();
        traces + tables + spilled + stacks as u64 + self.cache.bytes() + self.nodes.bytes() + self.path.calls.bytes()
    }
}

/// Adds a child for each call that the activation's blocks did not make.
#[inline]
fn pad(activation: &mut Activation, children: &mut Vec<CallNode>) {
    if activation.owed > 0 {
        children.extend(std::iter::repeat_n(CUT, activation.owed as usize));
        activation.owed = 0;
    }
}

fn filled(sequence: Sequence) -> Option<Sequence> {
    (!sequence.is_empty()).then_some(sequence)
}

/// False, too, of a function that is not declared, and of a path that there is not.
impl ActivationSink for Recorder {
    #[inline]
    fn enter(&mut self, function: FunctionId) -> bool {
        if !self.is_declared(function) {
            return false;
        }
        let (pieces, children) = (self.pieces.len(), self.children.len());
        let hash = RollingHash::default();
        let (settled, spilled) = (pieces, None);
        self.activations.push(Activation { function, pieces, children, settled, hash, blocks: 0, owed: 0, spilled });
        true
    }

    fn repeat(&mut self, id: u64, count: u64) -> bool {
        let Some(activation) = self.activations.last_mut() else { return false };
        let index = activation.function.as_u32() as usize;
        let (Some(Some(function)), traces) = (self.functions.get_mut(index), &mut self.path.functions[index]) else {
            return false;
        };
        let mut left = count;
        while left > 0 {
            let Some((piece, taken)) = function.run(id, left, traces) else { return false };
            self.pieces.push(piece);
            activation.spill_if_long(function, traces, &mut self.pieces);
            left -= taken;
        }
        true
    }

    fn prefix(&mut self, block: Node, id: u64) -> bool {
        let Some(activation) = self.activations.last_mut() else { return false };
        let index = activation.function.as_u32() as usize;
        let Some(Some(function)) = self.functions.get_mut(index) else { return false };
        let Some(piece) = function.prefix(block, id, &mut self.path.functions[index]) else { return false };
        self.pieces.push(piece);
        activation.settle(function, &self.pieces);
        pad(activation, &mut self.children);
        true
    }

    #[inline]
    fn leave(&mut self) -> bool {
        let place = match self.leave_known() {
            Ok(()) => return true,
            Err(Cached::At(place)) => Some(place),
            Err(_) => None,
        };
        let Some(activation) = self.activations.pop() else { return false };
        self.leave_new(activation, place);
        true
    }
}

impl EventSink for Recorder {
    fn paths(&mut self, ids: &[u64]) -> bool {
        Recorder::paths(self, ids)
    }

    #[inline]
    fn lone(&mut self, function: FunctionId, id: u64, count: usize) -> bool {
        let index = function.as_u32() as usize;
        for done in 0..count {
            let Some(Some(known)) = self.functions.get_mut(index) else { return false };
            let Some(piece) = known.path(id, &mut self.path.functions[index]) else { return false };
            // Behind the first time its node is known.
            if let Some(node) = known.pieces[piece as usize].leaf {
                self.add_children(node, count - done);
                return true;
            }
            if !(self.enter(function) && self.repeat(id, 1) && self.leave()) {
                return false;
            }
        }
        true
    }

    #[inline]
    fn leaf(&mut self, function: FunctionId, word: u64) -> bool {
        if let Some(node) = self.cache.leaf(function, word) {
            self.add_children(node, 1);
            return true;
        }
        let is_handled = self.enter(function) && Recorder::paths(self, &[word]) && self.leave();
        // A caller's children may just have been compressed.
        if let (true, Some(caller), Some(&node)) = (is_handled, self.activations.last(), self.children.last())
            && self.children.len() > caller.children
        {
            self.cache.keep_leaf(function, word, node);
        }
        is_handled
    }

    #[inline]
    fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        self.follow(event)
    }
}
