//! Recording of a run: from path events to unique path traces and the dynamic call graph.
//!
//! In: the functions' shapes and decoders of path ids, then the events of a thread. Out: a [`WholePath`], at the end or as
//! it stands. Duplicate traces and equal subtrees of calls are found when an activation ends, by hash, so memory is
//! bounded by what differs [ZG01 section 2, "Eliminating redundant path traces"].
//!
//! Live activations share two stacks, of piece numbers and of children: an activation adds only while it is innermost, and
//! takes its part off when it ends. A part that grows beyond a piece of [`Sequence`] is compressed ([`LiveActivation`]). A piece is only
//! appended while the program runs; the hash of its blocks is taken later, if the activation is none that is known by its numbers
//! ([`ActivationCache`]).
//! Invariant: traces are told apart by the hash of their blocks alone, however paths and failures cut them.

use super::activation_cache::{ActivationCache, BriefActivation, Cached};
use super::call_graph::{CUT, CallNode};
use super::function_recorder::{FunctionRecorder, Mark};
use super::function_traces::FunctionTraces;
use super::live_activation::{FirstParts, LiveActivation};
use super::node_table::{Children, NodeTable};
use super::path_blocks::PathBlocks;
use super::program::{FunctionShape, Program};
use super::sequence::{PIECE, Sequence};
use super::whole_path::WholePath;
use crate::event::packing::Packing;
use crate::event::{ActivationSink, BadWord, Event, EventSink, FunctionId, WordReader};
use crate::graph::Node;
use crate::settings::wpp::LONGEST_SHORT;

/// Recorder of the whole path of one thread.
#[derive(Default)]
pub struct Recorder {
    path: WholePath,
    functions: Vec<Option<Box<FunctionRecorder>>>,
    nodes: NodeTable,
    activations: Vec<LiveActivation>,
    /// Piece numbers of live activations, outermost first.
    pieces: Vec<u32>,
    /// Children of live activations, outermost first.
    children: Vec<CallNode>,
    cache: ActivationCache,
    reader: WordReader,
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
            }
            activation.spill_pieces(function, traces, &mut self.pieces);
            return true;
        };
        for &word in ids {
            if !Packing::is_packed(word) {
                return false;
            }
            match function.word(word, packing, traces) {
                Some(piece) => self.pieces.push(piece),
                None if function.parts(word, packing, &mut self.pieces, traces) => {}
                None => return false,
            }
        }
        activation.spill_pieces(function, traces, &mut self.pieces);
        true
    }

    /// Adds a child of the innermost activation.
    #[inline]
    fn add_child(&mut self, node: CallNode) {
        match self.activations.last_mut() {
            Some(caller) => {
                self.children.push(node);
                caller.spill_children(&mut self.children);
            }
            None => self.path.calls.roots_mut().push(node),
        }
    }

    /// Adds a child of the innermost activation, so often.
    #[inline]
    fn add_children(&mut self, node: CallNode, count: usize) {
        if count == 1 {
            return self.add_child(node);
        }
        let mut left = count;
        while left > 0 && !self.activations.is_empty() {
            let now = left.min(PIECE - 1);
            self.children.resize(self.children.len() + now, node);
            self.spill_children();
            left -= now;
        }
        (0..left).for_each(|_| self.path.calls.roots_mut().push(node));
    }

    fn spill_children(&mut self) {
        if let Some(caller) = self.activations.last_mut() {
            caller.spill_children(&mut self.children);
        }
    }

    /// The innermost activation ends: its node, which is no child of its caller yet.
    #[inline]
    fn end(&mut self) -> Option<CallNode> {
        let activation = self.activations.last()?;
        let mut place = None;
        if activation.first.is_none() {
            let (pieces, children) = (activation.pieces, activation.children);
            match self.cache.find(activation.function, &self.pieces[pieces..], &self.children[children..]) {
                Cached::Known(node) => {
                    self.activations.pop();
                    self.pieces.truncate(pieces);
                    self.children.truncate(children);
                    return Some(node);
                }
                Cached::At(at) => place = Some(at),
                Cached::Never => {}
            }
        }
        let activation = self.activations.pop()?;
        Some(self.end_new(activation, place))
    }

    /// Takes an ended activation off the stacks, and keeps it at its place in the cache.
    fn end_new(&mut self, activation: LiveActivation, place: Option<usize>) -> CallNode {
        let (function, pieces, children) = (activation.function, activation.pieces, activation.children);
        // The children before those are added that failures cut off: these follow from the rest.
        let heard = self.children.len();
        let node = self.close(activation);
        if let Some(place) = place {
            self.cache.keep(place, function, (&self.pieces[pieces..], &self.children[children..heard]), node);
        }
        self.pieces.truncate(pieces);
        self.children.truncate(children);
        node
    }

    /// The node of an ended activation.
    fn close(&mut self, activation: LiveActivation) -> CallNode {
        let LiveActivation { function: of, pieces, children, .. } = activation;
        let index = of.as_u32() as usize;
        let function = self.functions[index].as_deref_mut().expect("an entered function is declared");
        let mut sums = activation.into_sums();
        sums.settle(function, &self.pieces);
        pad(&sums, children, &mut self.children);
        let (pieces, children) = (&self.pieces[pieces..], &self.children[children..]);
        let (first_pieces, first_children) = (filled(sums.pieces), filled(sums.children));
        let trace = function.trace((sums.hash, sums.blocks), first_pieces, pieces, &mut self.path.functions[index]);
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
            self.nodes.intern(&mut self.path.calls, of, trace, children)
        });
        if is_leaf {
            function.set_leaf(trace, node);
        }
        node
    }

    /// The innermost activation completes the paths of a word and ends: its node, which is no child of its caller yet.
    #[inline]
    fn last_node(&mut self, word: u64) -> Option<CallNode> {
        let activation = self.activations.last()?;
        let (pieces, children) = (activation.pieces, activation.children);
        let is_first = activation.first.is_none() && self.pieces.len() == pieces;
        let brief =
            if is_first { BriefActivation::new(activation.function, word, &self.children[children..]) } else { None };
        if let Some(node) = brief.and_then(|brief| self.cache.brief(&brief)) {
            self.activations.pop();
            self.children.truncate(children);
            return Some(node);
        }
        let node = if self.paths(&[word]) { self.end()? } else { return None };
        brief.into_iter().for_each(|brief| self.cache.keep_brief(brief, node));
        Some(node)
    }

    /// The node of an activation with the paths of one word and no calls; `None` if it cannot stand here.
    #[inline]
    fn leaf_node(&mut self, function: FunctionId, word: u64) -> Option<CallNode> {
        let known = self.functions.get(function.as_u32() as usize)?.as_ref()?.known_leaf(word);
        known.or_else(|| self.other_leaf(function, word))
    }

    fn other_leaf(&mut self, function: FunctionId, word: u64) -> Option<CallNode> {
        if let Some(node) = self.cache.leaf(function, word) {
            return Some(node);
        }
        if !(self.enter(function) && self.paths(&[word])) {
            return None;
        }
        let node = self.end()?;
        let known = self.functions[function.as_u32() as usize].as_mut()?;
        if !known.keep_leaf(word, node) {
            self.cache.keep_leaf(function, word, node);
        }
        Some(node)
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
        let first = self.activations.iter().filter_map(|activation| activation.first.as_deref());
        let spilled: u64 = first.map(FirstParts::bytes).sum();
        let stacks = (self.pieces.capacity() + self.children.capacity()) * size_of::<u32>()
            + self.activations.capacity() * size_of::<LiveActivation>();
        traces + tables + spilled + stacks as u64 + self.cache.bytes() + self.nodes.bytes() + self.path.calls.bytes()
    }
}

/// Adds a child for each call that the blocks of an activation did not make, whose children on the stack begin at `start`.
#[inline]
fn pad(sums: &FirstParts, start: usize, children: &mut Vec<CallNode>) {
    let missing = sums.missing_children(children.len() - start);
    children.extend(std::iter::repeat_n(CUT, missing));
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
        self.activations.push(LiveActivation { function, pieces, children, first: None });
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
            activation.spill_pieces(function, traces, &mut self.pieces);
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
        let start = activation.children;
        let sums = activation.sums();
        sums.settle(function, &self.pieces);
        pad(sums, start, &mut self.children);
        self.spill_children();
        true
    }

    #[inline]
    fn leave(&mut self) -> bool {
        let node = self.end();
        node.inspect(|&node| self.add_child(node)).is_some()
    }
}

impl EventSink for Recorder {
    fn paths(&mut self, ids: &[u64]) -> bool {
        Recorder::paths(self, ids)
    }

    #[inline]
    fn begin(&mut self, function: FunctionId) -> bool {
        self.enter(function)
    }

    #[inline]
    fn lone(&mut self, function: FunctionId, id: u64, count: usize) -> bool {
        let node = self.leaf_node(function, id);
        node.inspect(|&node| self.add_children(node, count)).is_some()
    }

    #[inline]
    fn leaf(&mut self, function: FunctionId, word: u64) -> bool {
        let node = self.leaf_node(function, word);
        node.inspect(|&node| self.add_child(node)).is_some()
    }

    #[inline]
    fn last(&mut self, word: u64) -> bool {
        let node = self.last_node(word);
        node.inspect(|&node| self.add_child(node)).is_some()
    }

    #[inline]
    fn event<'a>(&mut self, event: Event<'a>) -> Result<(), Event<'a>> {
        self.follow(event)
    }
}
