//! The first ids of a stream, as they came; or the first ones of each of its parts.
//!
//! In: the whole stream, and where a part begins. Out: so many ids of each part at most, from which a forest is built later, and the stream of
//! each activation. Keeping an id costs a store; building a forest of a stream without a pattern takes a hundred times as long, so whoever
//! runs the program need not do it.
//! Invariants: memory is bounded; what is kept is the beginning of each part with its markers; no sequence goes on from one part to the next.

use crate::graph::Node;
use crate::machine::Sink;

use super::SlabForest;
use crate::settings::window::{DEEPEST, MARKERS_OF_ID};

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
    /// Number of ids for which there is room, now and in each part.
    most: usize,
    of_part: usize,
    /// Activations under way, and those that markers tell of.
    depth: usize,
    told: usize,
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
    /// Keeps the first `most` ids of each part.
    pub fn new(most: u64) -> FirstIds {
        let most = most as usize;
        FirstIds { ids: Vec::new(), markers: Vec::new(), most, of_part: most, depth: 0, told: 0, missed: 0 }
    }

    /// A part begins: activations under way go on as new ones. Within very many of them nothing more is kept.
    pub fn next_part(&mut self) {
        if self.depth > DEEPEST {
            return;
        }
        let here = self.ids.len();
        self.markers.extend((0..self.told).map(|_| (here, Marker::Leave)));
        self.markers.extend((0..self.depth).map(|_| (here, Marker::Enter)));
        self.told = self.depth;
        self.most = here + self.of_part;
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
    /// nothing more is kept. Returns true if it is.
    fn mark(&mut self, marker: Marker) -> bool {
        if self.ids.len() >= self.most {
            return false;
        }
        let here = self.ids.len();
        if marker == Marker::Leave && self.markers.last() == Some(&(here, Marker::Enter)) {
            self.markers.pop();
        } else if self.markers.len() < MARKERS_OF_ID * (self.most + MARKERS_OF_ID) {
            self.markers.push((here, marker));
        } else {
            self.most = here;
            return false;
        }
        true
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
        self.depth += 1;
        self.told += usize::from(self.mark(Marker::Enter));
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.mark(Marker::Leave) {
            self.told = self.told.saturating_sub(1);
        }
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

#[cfg(test)]
mod tests {
    use super::super::cycles::tests::random;
    use super::*;

    /// The same by its definition: a stack of streams, all of which end where a part begins.
    #[derive(Default)]
    struct Naive {
        open: Vec<Vec<u64>>,
        done: Vec<Vec<u64>>,
        kept: usize,
    }

    impl Naive {
        fn next_part(&mut self) {
            self.kept = 0;
            let depth = self.open.len();
            self.done.append(&mut self.open);
            self.open.resize(depth, Vec::new());
        }

        fn streams(self) -> Vec<Vec<u64>> {
            let mut all = [self.done, self.open].concat();
            all.retain(|stream| !stream.is_empty());
            all.sort();
            all
        }
    }

    #[test]
    fn each_part_has_its_first_ids_and_no_sequence_goes_on_in_the_next() {
        let (mut state, mut crossed) = (5, 0);
        for round in 0..400 {
            let most = 40 + random(&mut state, 40) as usize;
            let (mut ids, mut naive) = (FirstIds::new(most as u64), Naive::default());
            for _ in 0..600 {
                match random(&mut state, 12) {
                    0 => {
                        ids.enter();
                        naive.open.push(Vec::new());
                    }
                    1 if !naive.open.is_empty() => {
                        ids.leave();
                        naive.done.extend(naive.open.pop());
                    }
                    2 if random(&mut state, 4) == 0 => {
                        crossed += naive.open.iter().filter(|stream| !stream.is_empty()).count();
                        ids.next_part();
                        naive.next_part();
                    }
                    id if !naive.open.is_empty() => {
                        ids.path(id);
                        if naive.kept < most {
                            naive.kept += 1;
                            naive.open.last_mut().expect("it is not empty").push(id);
                        }
                    }
                    _ => {}
                }
            }
            let mut streams = ids.streams();
            streams.sort();
            assert_eq!(streams, naive.streams(), "round {round}");
        }
        assert!(crossed > 400, "{crossed} streams went on");
    }
}
