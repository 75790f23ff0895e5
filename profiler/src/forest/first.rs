//! The first ids of a stream, as they came.
//!
//! In: the whole stream. Out: its first ids, so many at most, from which a forest is built later, and the stream of each activation. Keeping an id costs
//! a store; building a forest of a stream without a pattern takes a hundred times as long, so whoever runs the program need not do it.
//! Invariants: memory is bounded; what is kept is the beginning of the stream with its markers.

use crate::graph::Node;
use crate::machine::Sink;

use super::SlabForest;

/// A marker of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    /// An activation starts.
    Enter,
    /// The innermost one ends.
    Leave,
    /// No sequence of the innermost one crosses this point.
    Restart,
}

/// The first ids of a stream.
#[derive(Clone, Debug)]
pub struct FirstIds {
    ids: Vec<u64>,
    /// Markers, each with the number of ids before it.
    markers: Vec<(usize, Marker)>,
    /// Number of ids for which there is room.
    most: usize,
    /// Number of ids for which there was none.
    missed: u64,
}

/// A forest of the first ids of a stream.
#[derive(Clone, Debug)]
pub struct FirstForest {
    /// The forest.
    pub forest: SlabForest,
    /// The ids.
    pub ids: FirstIds,
}

impl FirstIds {
    /// Keeps the first `most` ids.
    pub fn new(most: u64) -> FirstIds {
        FirstIds { ids: Vec::new(), markers: Vec::new(), most: most as usize, missed: 0 }
    }

    /// Returns whether every id was kept.
    pub fn is_complete(&self) -> bool {
        self.missed == 0
    }

    /// Number of ids that were kept.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether no id was kept.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Bytes of what was kept.
    pub fn bytes(&self) -> usize {
        size_of_val(self.ids.as_slice()) + size_of_val(self.markers.as_slice())
    }

    /// The ids in a forest that is empty.
    pub fn forest(&self, mut forest: SlabForest) -> FirstForest {
        self.replay(&mut forest);
        FirstForest { forest, ids: self.clone() }
    }

    /// The ids of each activation, where no marker is between them.
    pub fn streams(&self) -> Vec<Vec<u64>> {
        let mut streams = Streams::default();
        self.replay(&mut streams);
        let Streams { open, mut done } = streams;
        done.extend(open);
        done.retain(|stream| !stream.is_empty());
        done
    }

    fn replay(&self, sink: &mut impl Sink) {
        let mut done = 0;
        for (before, marker) in &self.markers {
            sink.paths(&self.ids[done..*before]);
            done = *before;
            match marker {
                Marker::Enter => sink.enter(),
                Marker::Leave => sink.leave(),
                // No sink of ids looks at the path.
                Marker::Restart => sink.prefix(Node::from_u32(0), 0),
            }
        }
        sink.paths(&self.ids[done..]);
    }

    /// Keeps a marker while there is room for ids behind it. Activations without ids could be any number of markers: beyond some for each id
    /// nothing more is kept.
    fn mark(&mut self, marker: Marker) {
        if self.ids.len() >= self.most {
            return;
        }
        let here = self.ids.len();
        if marker == Marker::Leave && self.markers.last() == Some(&(here, Marker::Enter)) {
            self.markers.pop();
        } else if self.markers.len() < 4 * self.most {
            self.markers.push((here, marker));
        } else {
            self.most = here;
        }
    }
}

impl Sink for FirstIds {
    fn path(&mut self, id: u64) {
        self.paths(&[id]);
    }

    fn paths(&mut self, ids: &[u64]) {
        let (kept, missed) = ids.split_at(ids.len().min(self.most - self.ids.len()));
        self.ids.extend_from_slice(kept);
        self.missed += missed.len() as u64;
    }

    fn prefix(&mut self, _block: Node, _id: u64) {
        self.mark(Marker::Restart);
    }

    fn enter(&mut self) {
        self.mark(Marker::Enter);
    }

    fn leave(&mut self) {
        self.mark(Marker::Leave);
    }
}

/// The ids between markers.
#[derive(Default)]
struct Streams {
    /// Those of the activations under way, innermost last.
    open: Vec<Vec<u64>>,
    done: Vec<Vec<u64>>,
}

impl Sink for Streams {
    fn paths(&mut self, ids: &[u64]) {
        if self.open.is_empty() {
            self.open.push(Vec::new());
        }
        self.open.last_mut().expect("an activation is under way").extend_from_slice(ids);
    }

    fn prefix(&mut self, _block: Node, _id: u64) {
        if let Some(innermost) = self.open.last_mut() {
            self.done.push(std::mem::take(innermost));
        }
    }

    fn enter(&mut self) {
        self.open.push(Vec::new());
    }

    fn leave(&mut self) {
        self.done.extend(self.open.pop());
    }
}
