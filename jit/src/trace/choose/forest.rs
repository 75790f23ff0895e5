//! Walks from a k-iteration path forest.

use super::super::nest::Nest;
use super::super::spec::{Source, TraceSpec};
use crate::graph_of::block_of;
use crate::settings::forest::{LEAST_SHARE, MOST_STARTS};
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function, LoopId};
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::forest::trie::TrieNode;
use holloway_profiler::graph::Graph;
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, path_of};

/// The best walk of each loop that has one; those that cover most executions first.
pub fn from_forest(body: &Function, graph: &Graph, numbering: &Numbering, forest: &PathForest) -> Vec<TraceSpec> {
    let nest = Nest::of(body);
    let paths = Paths::of(&nest, graph, numbering, forest);
    let mut best: HashMap<Block, TraceSpec> = HashMap::new();
    let mut starts: HashMap<LoopId, usize> = HashMap::new();
    for root in paths.hottest_first() {
        let inner = paths.inner_loop(root);
        let tried = starts.entry(inner).or_default();
        *tried += 1;
        if *tried > MOST_STARTS {
            continue;
        }
        let Some(spec) = paths.walk_from(root) else { continue };
        let known = best.get(&spec.header);
        let is_better = known.is_none_or(|known| {
            let rank = |spec: &TraceSpec| (spec.coverage, std::cmp::Reverse(spec.paths.len()));
            rank(&spec).partial_cmp(&rank(known)) == Some(std::cmp::Ordering::Greater)
        });
        if is_better {
            best.insert(spec.header, spec);
        }
    }
    let mut chosen: Vec<TraceSpec> = best.into_values().collect();
    let covered = |spec: &TraceSpec| spec.coverage * spec.executions as f64;
    chosen.sort_by(|a, b| covered(b).total_cmp(&covered(a)).then(a.header.cmp(&b.header)));
    chosen
}

/// The ids that run from a header to a back edge, as blocks.
struct Paths<'a> {
    nest: &'a Nest,
    forest: &'a PathForest,
    blocks: HashMap<u64, Vec<Block>>,
}

impl<'a> Paths<'a> {
    fn of(nest: &'a Nest, graph: &Graph, numbering: &Numbering, forest: &'a PathForest) -> Paths<'a> {
        let mut blocks = HashMap::new();
        for root in forest.trie().roots() {
            let id = forest.trie().label(root);
            let Some(path) = path_of(graph, numbering, id) else { continue };
            let path_blocks: Vec<Block> = path.blocks.iter().map(|node| block_of(*node)).collect();
            let starts = path_blocks.first().is_some_and(|first| nest.loops.headed_by(*first).is_some());
            let ends = path_blocks
                .last()
                .is_some_and(|last| nest.cfg.succs(*last).iter().any(|(to, _)| nest.loops.is_back_edge(*last, *to)));
            if starts && ends && path.end == PathEnd::Cut {
                blocks.insert(id, path_blocks);
            }
        }
        Paths { nest, forest, blocks }
    }

    fn hottest_first(&self) -> Vec<TrieNode> {
        let trie = self.forest.trie();
        let mut roots: Vec<TrieNode> =
            trie.roots().into_iter().filter(|root| self.blocks.contains_key(&trie.label(*root))).collect();
        roots.sort_by_key(|root| (std::cmp::Reverse(trie.count(*root)), trie.label(*root)));
        roots
    }

    fn inner_loop(&self, root: TrieNode) -> LoopId {
        let blocks = &self.blocks[&self.forest.trie().label(root)];
        self.nest.loops.headed_by(blocks[0]).expect("a path of a loop starts at its header")
    }

    fn follows(&self, before: u64, after: u64) -> bool {
        let (Some(before), Some(after)) = (self.blocks.get(&before), self.blocks.get(&after)) else { return false };
        self.nest.loops.is_back_edge(before[before.len() - 1], after[0])
            && self.nest.cfg.succs(before[before.len() - 1]).iter().any(|(to, _)| *to == after[0])
    }

    fn walk_from(&self, root: TrieNode) -> Option<TraceSpec> {
        let sequence = self.likeliest(root);
        let period = period(&sequence)?;
        let walk = self.turned(&sequence[..period])?;
        let header = self.blocks[&walk[0]][0];
        let around = self.nest.loops.headed_by(header)?;
        let (matching, windows) = self.windows(around, &walk, sequence.len());
        let coverage = matching as f64 / windows.max(1) as f64;
        // One id alone was not seen to repeat.
        if matching == 0 || (sequence.len() == 1 && coverage < LEAST_SHARE) {
            return None;
        }
        Some(TraceSpec {
            header,
            paths: walk.iter().map(|id| self.blocks[id].clone()).collect(),
            constants: Vec::new(),
            stable: Vec::new(),
            distinct: Vec::new(),
            coverage,
            executions: self.members(around).map(|(_, count)| count).sum(),
            source: Source::Forest,
        })
    }

    /// The likeliest way on from a root, while it is likely.
    fn likeliest(&self, root: TrieNode) -> Vec<u64> {
        let trie = self.forest.trie();
        let mut sequence = vec![trie.label(root)];
        let mut at = root;
        while let Some(child) = self.forest.likeliest_child(at) {
            let share = trie.count(child) as f64 / trie.count(at) as f64;
            if share < LEAST_SHARE || !self.follows(trie.label(at), trie.label(child)) {
                break;
            }
            sequence.push(trie.label(child));
            at = child;
        }
        sequence
    }

    /// A period, turned so that it starts at the header of the loop around all of it; `None` if it does not close.
    fn turned(&self, period: &[u64]) -> Option<Vec<u64>> {
        let loops = &self.nest.loops;
        let depth = |id: &u64| loops.depth(self.blocks[id][0]);
        let first = (0..period.len()).min_by_key(|at| depth(&period[*at]))?;
        let walk: Vec<u64> = period[first..].iter().chain(&period[..first]).copied().collect();
        let around = loops.headed_by(self.blocks[&walk[0]][0])?;
        let inside = walk.iter().flat_map(|id| &self.blocks[id]).all(|block| loops.contains(around, *block));
        (inside && self.follows(walk[walk.len() - 1], walk[0])).then_some(walk)
    }

    /// Ids of paths inside a loop, with their counts.
    fn members(&self, around: LoopId) -> impl Iterator<Item = (u64, u64)> + '_ {
        let trie = self.forest.trie();
        let all = trie.roots().into_iter().map(move |root| (trie.label(root), trie.count(root)));
        all.filter(move |(id, _)| self.is_member(around, *id))
    }

    fn is_member(&self, around: LoopId, id: u64) -> bool {
        self.blocks.get(&id).is_some_and(|blocks| blocks.iter().all(|block| self.nest.loops.contains(around, *block)))
    }

    /// Counts, of sequences of `length` ids of a loop, those that follow the walk, from any of its paths on, and all.
    fn windows(&self, around: LoopId, walk: &[u64], length: usize) -> (u64, u64) {
        let trie = self.forest.trie();
        let mut windows = 0;
        let mut pending: Vec<(TrieNode, usize)> = trie.roots().into_iter().map(|root| (root, 1)).collect();
        while let Some((node, depth)) = pending.pop() {
            if !self.is_member(around, trie.label(node)) {
                continue;
            }
            if depth == length {
                windows += trie.count(node);
            } else {
                pending.extend(trie.children(node).map(|child| (child, depth + 1)));
            }
        }
        let turns = (0..walk.len()).map(|first| {
            let window: Vec<u64> = walk.iter().cycle().skip(first).take(length).copied().collect();
            self.forest.count(&window)
        });
        (turns.sum(), windows)
    }
}

/// The least period of a sequence; one that was not seen to repeat has none, unless only single ids were counted.
fn period(sequence: &[u64]) -> Option<usize> {
    let repeats = |p: &usize| sequence[*p..].iter().zip(sequence).all(|(a, b)| a == b);
    let found = (1..=sequence.len() / 2).find(repeats);
    found.or((sequence.len() == 1).then_some(1))
}

#[cfg(test)]
mod tests {
    use super::period;

    #[test]
    fn periods() {
        assert_eq!(period(&[7]), Some(1));
        assert_eq!(period(&[7, 7, 7]), Some(1));
        assert_eq!(period(&[2, 3, 5, 2, 4, 5]), None, "twice the period was not seen");
        assert_eq!(period(&[2, 3, 2, 4, 2, 3, 2, 4, 2]), Some(4));
        assert_eq!(period(&[1, 2, 1, 2, 1]), Some(2));
        assert_eq!(period(&[1, 2, 3]), None);
    }
}
