//! Search for a path: occurrences of a sequence of blocks within activations of a function.
//!
//! In: a function and blocks. Out: the number of occurrences, overlapping ones too, and the positions of the first.
//! Each unique trace is searched once [ZG01 section 2]; positions come from the call graph.
//! [KMP77]: D. Knuth, J. Morris and V. Pratt, "Fast pattern matching in strings", SIAM J. Comput. 6(2), 1977.

use super::replay::Replay;
use super::whole_path::WholePath;
use crate::event::FunctionId;
use crate::graph::Node;

/// Occurrences of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// Their number in the whole run.
    pub count: u64,
    /// The first of them, in order of their last blocks.
    pub first: Vec<Occurrence>,
}

/// One occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The number of the event at which its last block is entered, from 1.
    pub event: u64,
    /// The step of its first block in the path trace of its activation.
    pub step: u64,
}

/// A sequence to be found, with its failure function.
struct Pattern<'a> {
    blocks: &'a [Node],
    /// For each length, that of the longest proper prefix that is a suffix, too.
    borders: Vec<usize>,
}

impl Pattern<'_> {
    fn new(blocks: &[Node]) -> Pattern<'_> {
        let mut pattern = Pattern { blocks, borders: vec![0, 0] };
        for (at, &block) in blocks.iter().enumerate().skip(1) {
            let border = pattern.next(pattern.borders[at], block).0;
            pattern.borders.push(border);
        }
        pattern
    }

    /// The matched length after one block more, and whether that is an occurrence.
    fn next(&self, mut matched: usize, block: Node) -> (usize, bool) {
        if matched == self.blocks.len() {
            matched = self.borders[matched];
        }
        while matched > 0 && self.blocks[matched] != block {
            matched = self.borders[matched];
        }
        matched += usize::from(self.blocks[matched] == block);
        (matched, matched == self.blocks.len())
    }
}

/// Finds `blocks` in the activations of `function`, with the positions of the first `most` occurrences.
pub fn find(path: &WholePath, function: FunctionId, blocks: &[Node], most: usize) -> Occurrences {
    let mut found = Occurrences::default();
    let Some(traces) = path.function(function).filter(|_| !blocks.is_empty()) else { return found };
    let pattern = Pattern::new(blocks);
    let counts = path.calls();
    for trace in 0..traces.len() {
        let (mut matched, mut here) = (0, 0_u64);
        for block in traces.blocks(trace) {
            let (next, is_found) = pattern.next(matched, block);
            (matched, here) = (next, here + u64::from(is_found));
        }
        found.count = found.count.saturating_add(here.saturating_mul(counts.of(function, trace)));
    }
    let wanted = most.min(usize::try_from(found.count).unwrap_or(usize::MAX));
    let mut replay = Replay::new(path);
    // The matched length of each live activation.
    let mut matched: Vec<usize> = Vec::new();
    while found.first.len() < wanted {
        let Some(event) = replay.forward() else { break };
        matched.resize(replay.depth() + 1, 0);
        let here = &mut matched[replay.depth()];
        if event.step == 1 {
            *here = 0;
        }
        if event.function == function {
            let (next, is_found) = pattern.next(*here, event.block);
            *here = next;
            if is_found {
                found.first.push(Occurrence { event: replay.position(), step: event.step + 1 - blocks.len() as u64 });
            }
        }
    }
    found
}
