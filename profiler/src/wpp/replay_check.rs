//! An execution beside the recorded path, activation by activation: also where the recording was cut short.
//!
//! In: a [`WholePath`], and the activations and blocks of an execution as they come. Out: for each block whether it is recorded.
//!
//! ```text
//!   main   b0 b1 ...          live when the recording was cut: the last blocks are missing
//!     f    b0 b1 b2           ended: all of it is recorded
//!     g    b0 ...             live: the last child of main
//! ```
//!
//! Activations that were live when a recording was cut short are the last children of live ones; which of the last children are live is not
//! recorded. What a last child does behind its recorded blocks is therefore accepted, as long as recorded blocks are left elsewhere.
//! Invariant: of a complete recording nothing is accepted but what was recorded.

use super::call_graph::CUT;
use super::sequence::SequenceView;
use super::sequence_cursor::SequenceCursor;
use super::whole_path::WholePath;
use crate::event::FunctionId;
use crate::graph::Node;

/// Answers about a block of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedBlock {
    /// It was recorded.
    Recorded,
    /// It was not recorded, as the recording was cut short, but executed before others that were.
    Missing,
    /// All recorded blocks were executed before.
    Over,
    /// Another thing was recorded: a block, or that no block comes here.
    Differs(Option<(FunctionId, Node)>),
}

/// An execution beside a recorded path.
#[derive(Clone, Debug)]
pub struct ReplayCheck<'a> {
    path: &'a WholePath,
    /// The host, then the activations of the execution, innermost last.
    frames: Vec<CheckedActivation<'a>>,
    /// Recorded blocks that were not executed yet.
    left: u64,
    /// The recorded block where the execution went another way.
    differs: Option<Option<(FunctionId, Node)>>,
}

#[derive(Clone, Debug)]
struct CheckedActivation<'a> {
    function: FunctionId,
    pieces: SequenceCursor<'a>,
    children: SequenceCursor<'a>,
    /// The next recorded block: a piece and a place in it.
    piece: u64,
    place: usize,
    /// The next child.
    child: u64,
    /// It may have been live when the recording was cut short.
    may_be_live: bool,
}

impl<'a> ReplayCheck<'a> {
    /// Follows an execution from its start.
    pub fn new(path: &'a WholePath) -> ReplayCheck<'a> {
        let nothing = SequenceView::Short(&[]);
        let roots = path.call_graph().roots().view();
        let host = CheckedActivation::new(FunctionId::from_u32(0), nothing, roots, !path.complete);
        ReplayCheck { path, frames: vec![host], left: path.events(), differs: None }
    }

    /// The innermost activation, or the host, calls a function.
    pub fn enter(&mut self, function: FunctionId) {
        if self.differs.is_some() {
            return;
        }
        let caller = self.frames.last_mut().expect("the host is always there");
        let Some(node) = caller.next_child() else {
            let recorded = caller.peek(self.path);
            self.differs = Some(recorded);
            return;
        };
        let may_be_live = caller.may_be_live && caller.peek_child().is_none();
        let (recorded, trace) = self.path.call_graph().trace(node);
        let traces = self.path.function(recorded);
        let pieces = traces.map_or(SequenceView::Short(&[]), |traces| traces.trace(trace));
        let children = self.path.call_graph().children(node);
        let mut activation = CheckedActivation::new(recorded, pieces, children, may_be_live);
        if recorded != function {
            self.differs = Some(activation.peek(self.path));
        }
        self.frames.push(activation);
    }

    /// The innermost activation enters a block.
    pub fn block(&mut self, block: Node) -> CheckedBlock {
        if self.left == 0 {
            return CheckedBlock::Over;
        }
        if let Some(recorded) = self.differs {
            return CheckedBlock::Differs(recorded);
        }
        let activation = self.frames.last_mut().expect("the host is always there");
        match activation.peek(self.path) {
            Some((_, recorded)) if recorded == block => {
                activation.pass(self.path);
                self.left -= 1;
                CheckedBlock::Recorded
            }
            None if activation.may_be_live => CheckedBlock::Missing,
            recorded => CheckedBlock::Differs(recorded),
        }
    }

    /// The innermost activation ends, by a return or a failure.
    pub fn leave(&mut self) {
        if self.differs.is_some() || self.frames.len() == 1 {
            return;
        }
        let mut activation = self.frames.pop().expect("the host is below it");
        let recorded = activation.peek(self.path);
        if recorded.is_some() || activation.peek_child().is_some() {
            self.differs = Some(recorded);
        }
    }

    /// Returns whether all recorded blocks were executed.
    pub fn is_over(&self) -> bool {
        self.left == 0
    }
}

impl<'a> CheckedActivation<'a> {
    fn new(
        function: FunctionId,
        pieces: SequenceView<'a>,
        children: SequenceView<'a>,
        may_be_live: bool,
    ) -> CheckedActivation<'a> {
        let (pieces, children) = (SequenceCursor::new(pieces), SequenceCursor::new(children));
        CheckedActivation { function, pieces, children, piece: 0, place: 0, child: 0, may_be_live }
    }

    /// The next recorded block.
    fn peek(&mut self, path: &WholePath) -> Option<(FunctionId, Node)> {
        if self.piece == self.pieces.len {
            return None;
        }
        let blocks = path.function(self.function)?.piece(self.pieces.at(self.piece));
        Some((self.function, Node::from_u32(*blocks.get(self.place)?)))
    }

    /// Goes on behind the next recorded block.
    fn pass(&mut self, path: &WholePath) {
        let piece = self.pieces.at(self.piece);
        let len = path.function(self.function).map_or(0, |traces| traces.piece(piece).len());
        self.place += 1;
        if self.place >= len {
            (self.piece, self.place) = (self.piece + 1, 0);
        }
    }

    /// The next child; calls that were not made are passed over.
    fn peek_child(&mut self) -> Option<u32> {
        while self.child < self.children.len {
            match self.children.at(self.child) {
                CUT => self.child += 1,
                node => return Some(node),
            }
        }
        None
    }

    fn next_child(&mut self) -> Option<u32> {
        let node = self.peek_child()?;
        self.child += 1;
        Some(node)
    }
}
