//! A cursor over a whole path, forward and backward.
//!
//! In: a [`WholePath`]. Out: its events, each a block that is entered, in order of execution from any point.
//!
//! The cursor stands between two events. Below it are the live activations; each is in a block, and some of the block's
//! calls are made. The last block of a trace makes all calls that are left.
//! Invariant: [`Replay::previous`] undoes [`Replay::forward`].

use super::call_graph::{CUT, CallNode};
use super::sequence::SequenceView;
use super::sequence_cursor::SequenceCursor;
use super::whole_path::WholePath;
use crate::event::FunctionId;
use crate::graph::Node;
use crate::hash::KeyMap;

/// A block that is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockEvent {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: Node,
    /// Its position in the path trace of its activation, from 1.
    pub step: u64,
}

/// A live activation, or the host.
#[derive(Clone, Debug)]
struct ReplayFrame<'a> {
    function: FunctionId,
    pieces: SequenceCursor<'a>,
    children: SequenceCursor<'a>,
    /// The piece and the place in it of the current block; meaningless at step 0.
    piece: u64,
    place: usize,
    /// The current block's step; 0 before the first.
    step: u64,
    /// Children that are called, in all and by the current block, a live one among them.
    called: u64,
    called_here: u64,
}

/// A cursor over a whole path.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    path: &'a WholePath,
    /// The host, then the live activations, innermost last.
    frames: Vec<ReplayFrame<'a>>,
    position: u64,
    /// Numbers of blocks and of calls of traces that were entered from behind.
    totals: KeyMap<(u32, u32), (u64, u64)>,
}

impl<'a> Replay<'a> {
    /// A cursor before the first event.
    pub fn new(path: &'a WholePath) -> Replay<'a> {
        let host = ReplayFrame::new(FunctionId::from_u32(0), SequenceView::Short(&[]), path.calls.roots().view());
        Replay { path, frames: vec![host], position: 0, totals: KeyMap::default() }
    }

    /// A cursor behind the last event.
    pub fn at_end(path: &'a WholePath) -> Replay<'a> {
        let mut replay = Replay::new(path);
        let host = &mut replay.frames[0];
        (host.called, host.called_here) = (host.children.len, host.children.len);
        replay.position = path.events();
        replay
    }

    /// A cursor behind the first `position` events, or behind all if there are fewer. Activations that end before are
    /// passed as a whole.
    pub fn at(path: &'a WholePath, position: u64) -> Replay<'a> {
        let sizes = subtree_events(path);
        let mut replay = Replay::new(path);
        while replay.position < position {
            if !replay.pass_call(position, &sizes) && replay.forward().is_none() {
                break;
            }
        }
        replay
    }

    /// Passes the next call of the innermost activation if it ends before `position`.
    fn pass_call(&mut self, position: u64, sizes: &[u64]) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if frame.called_here >= frame.quota(self.path) || frame.called >= frame.children.len {
            return false;
        }
        let child = frame.children.at(frame.called);
        let size = if child == CUT { 0 } else { sizes[child as usize] };
        let behind = self.position.saturating_add(size);
        if behind > position {
            return false;
        }
        frame.called += 1;
        frame.called_here += 1;
        self.position = behind;
        true
    }

    /// Number of events before the cursor.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Number of live activations.
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// The next event; the cursor moves behind it.
    pub fn forward(&mut self) -> Option<BlockEvent> {
        loop {
            let frame = self.frames.last_mut()?;
            if frame.called < frame.children.len && frame.called_here < frame.quota(self.path) {
                let child = frame.children.at(frame.called);
                frame.called += 1;
                frame.called_here += 1;
                if child != CUT {
                    self.frames.push(ReplayFrame::of(self.path, child));
                }
            } else if frame.advance(self.path) {
                self.position += 1;
                return frame.event(self.path);
            } else if self.frames.len() > 1 {
                self.frames.pop();
            } else {
                return None;
            }
        }
    }

    /// The event before the cursor; the cursor moves before it.
    pub fn previous(&mut self) -> Option<BlockEvent> {
        loop {
            let frame = self.frames.last_mut()?;
            if frame.called_here > 0 {
                let child = frame.children.at(frame.called - 1);
                if child == CUT {
                    frame.uncall();
                } else {
                    let mut frame = ReplayFrame::of(self.path, child);
                    frame.finish(self.path, self.path.calls.trace(child), &mut self.totals);
                    self.frames.push(frame);
                }
            } else if frame.step > 0 {
                let event = frame.event(self.path);
                frame.retreat(self.path);
                self.position = self.position.saturating_sub(1);
                return event;
            } else if self.frames.len() > 1 {
                self.frames.pop();
                self.frames.last_mut()?.uncall();
            } else {
                return None;
            }
        }
    }
}

impl Iterator for Replay<'_> {
    type Item = BlockEvent;

    fn next(&mut self) -> Option<BlockEvent> {
        self.forward()
    }
}

impl<'a> ReplayFrame<'a> {
    fn new(function: FunctionId, pieces: SequenceView<'a>, children: SequenceView<'a>) -> ReplayFrame<'a> {
        let (pieces, children) = (SequenceCursor::new(pieces), SequenceCursor::new(children));
        ReplayFrame { function, pieces, children, piece: 0, place: 0, step: 0, called: 0, called_here: 0 }
    }

    fn of(path: &'a WholePath, node: CallNode) -> ReplayFrame<'a> {
        let (function, trace) = path.calls.trace(node);
        let pieces = path.functions[function.as_u32() as usize].trace(trace);
        ReplayFrame::new(function, pieces, path.calls.children(node))
    }

    /// Takes back the last call.
    fn uncall(&mut self) {
        self.called -= 1;
        self.called_here -= 1;
    }

    /// The blocks of the current piece.
    fn blocks(&mut self, path: &'a WholePath) -> &'a [u32] {
        let piece = self.pieces.at(self.piece);
        path.functions[self.function.as_u32() as usize].piece(piece)
    }

    fn event(&mut self, path: &'a WholePath) -> Option<BlockEvent> {
        let block = Node::from_u32(self.blocks(path)[self.place]);
        Some(BlockEvent { function: self.function, block, step: self.step })
    }

    fn is_last(&mut self, path: &'a WholePath) -> bool {
        match self.step {
            0 => self.pieces.len == 0,
            _ => self.piece + 1 == self.pieces.len && self.place + 1 == self.blocks(path).len(),
        }
    }

    /// Number of calls that the current block makes: all that are left if it is the last.
    fn quota(&mut self, path: &'a WholePath) -> u64 {
        if self.is_last(path) {
            return u64::MAX;
        }
        if self.step == 0 {
            return 0;
        }
        let block = Node::from_u32(self.blocks(path)[self.place]);
        u64::from(path.program.calls(self.function, block))
    }

    /// Goes on to the next block; false if there is none.
    fn advance(&mut self, path: &'a WholePath) -> bool {
        if self.is_last(path) {
            return false;
        }
        if self.step > 0 {
            self.place += 1;
            if self.place == self.blocks(path).len() {
                (self.piece, self.place) = (self.piece + 1, 0);
            }
        }
        self.step += 1;
        self.called_here = 0;
        true
    }

    /// Goes back to the end of the block before, or before the first.
    fn retreat(&mut self, path: &'a WholePath) {
        self.step -= 1;
        if self.step == 0 {
            return;
        }
        if self.place == 0 {
            self.piece -= 1;
            self.place = self.blocks(path).len();
        }
        self.place -= 1;
        self.called_here = self.quota(path).min(self.called);
    }

    /// Goes to the end of the activation.
    fn finish(
        &mut self,
        path: &'a WholePath,
        (function, trace): (FunctionId, u32),
        totals: &mut KeyMap<(u32, u32), (u64, u64)>,
    ) {
        self.called = self.children.len;
        self.called_here = self.called;
        if self.pieces.len == 0 {
            return;
        }
        let traces = &path.functions[function.as_u32() as usize];
        let (blocks, calls) = *totals.entry((function.as_u32(), trace)).or_insert_with(|| {
            let calls = traces.blocks(trace).map(|block| u64::from(path.program.calls(function, block)));
            calls.fold((0, 0), |(blocks, sum), calls| (blocks + 1, sum + calls))
        });
        self.piece = self.pieces.len - 1;
        self.step = blocks;
        let last = self.blocks(path);
        self.place = last.len() - 1;
        let by_last = path.program.calls(function, Node::from_u32(last[self.place]));
        self.called_here = self.called - self.called.min(calls - u64::from(by_last));
    }
}

/// Number of events in the activation of each node, with those of all that it calls.
pub fn subtree_events(path: &WholePath) -> Vec<u64> {
    let own: Vec<Vec<u64>> = path
        .functions
        .iter()
        .map(|traces| (0..traces.len()).map(|trace| traces.block_count(trace)).collect())
        .collect();
    let mut sizes: Vec<u64> = Vec::new();
    for node in 0..path.calls.len() {
        let (function, trace) = path.calls.trace(node);
        let children = path.calls.children(node).iter().filter(|&child| child != CUT);
        let own = own[function.as_u32() as usize][trace as usize];
        sizes.push(children.fold(own, |sum, child| sum.saturating_add(sizes[child as usize])));
    }
    sizes
}
