//! Dynamic basic blocks of a path trace, and the trace in timestamps [ZG01 section 2, Figures 4 to 7].
//!
//! In: the blocks of a trace. Out: its [`Dictionary`] of chains, the trace without the blocks inside chains, and the
//! timestamps of each dynamic basic block.
//! A dynamic basic block is a chain of the trace's own control-flow graph that is always entered at its first block and
//! left behind its last. It has the id of its first block.
//! Invariant: a dictionary and the compacted trace give the blocks back.

use super::series::Series;
use crate::graph::Node;

/// The dynamic basic blocks of more than one block, by their first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dictionary {
    chains: Vec<Vec<Node>>,
}

/// The neighbours that a block has on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Neighbours {
    None,
    One(Node),
    Many,
}

impl Neighbours {
    fn add(&mut self, node: Node) {
        *self = match *self {
            Neighbours::None => Neighbours::One(node),
            Neighbours::One(known) if known == node => Neighbours::One(node),
            Neighbours::One(_) | Neighbours::Many => Neighbours::Many,
        };
    }
}

/// Neighbours by block.
#[derive(Default)]
struct Neighbourhood(Vec<Neighbours>);

impl Neighbourhood {
    fn at(&mut self, node: Node) -> &mut Neighbours {
        let index = node.as_u32() as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, Neighbours::None);
        }
        &mut self.0[index]
    }
}

impl Dictionary {
    /// The dictionary of a trace.
    pub fn of(blocks: impl IntoIterator<Item = Node>) -> Dictionary {
        let (mut successors, mut predecessors) = (Neighbourhood::default(), Neighbourhood::default());
        let mut last = None;
        for block in blocks {
            match last {
                Some(before) => {
                    successors.at(before).add(block);
                    predecessors.at(block).add(before);
                }
                // The trace is entered here, from nowhere.
                None => *predecessors.at(block) = Neighbours::Many,
            }
            last = Some(block);
        }
        if let Some(last) = last {
            *successors.at(last) = Neighbours::Many;
        }
        let blocks = successors.0.len().max(predecessors.0.len());
        let next = |index: usize| match *successors.at(Node::from_u32(index as u32)) {
            Neighbours::One(next) if *predecessors.at(next) == Neighbours::One(Node::from_u32(index as u32)) => {
                Some(next)
            }
            _ => None,
        };
        let links: Vec<Option<Node>> = (0..blocks).map(next).collect();
        Dictionary::of_links(&links)
    }

    /// The chains along unique neighbours.
    fn of_links(links: &[Option<Node>]) -> Dictionary {
        let mut is_inner = vec![false; links.len()];
        for next in links.iter().flatten() {
            is_inner[next.as_u32() as usize] = true;
        }
        let heads = (0..links.len()).filter(|&index| links[index].is_some() && !is_inner[index]);
        let chain = |head: usize| {
            let first = Some(Node::from_u32(head as u32));
            std::iter::successors(first, |block| links[block.as_u32() as usize]).collect()
        };
        Dictionary { chains: heads.map(chain).collect() }
    }

    /// The chains, by their first block; each has two blocks at least.
    pub fn chains(&self) -> &[Vec<Node>] {
        &self.chains
    }

    /// A dictionary of chains in the order of their first blocks.
    pub(super) fn from_chains(chains: Vec<Vec<Node>>) -> Dictionary {
        Dictionary { chains }
    }

    /// The blocks of a dynamic basic block; `None` if it is a single one.
    pub fn chain(&self, id: Node) -> Option<&[Node]> {
        let index = self.chains.binary_search_by_key(&id, |chain| chain[0]).ok()?;
        Some(&self.chains[index])
    }

    /// The compacted trace: `blocks` without those inside chains.
    pub fn compact(&self, blocks: impl IntoIterator<Item = Node>) -> impl Iterator<Item = Node> {
        let inner: Vec<Node> = self.chains.iter().flat_map(|chain| &chain[1..]).copied().collect();
        let bound = inner.iter().map(|block| block.as_u32() as usize + 1).max().unwrap_or(0);
        let mut is_inner = vec![false; bound];
        inner.iter().for_each(|block| is_inner[block.as_u32() as usize] = true);
        blocks.into_iter().filter(move |block| !is_inner.get(block.as_u32() as usize).copied().unwrap_or(false))
    }
}

/// A compacted trace as the timestamps of each dynamic basic block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimestampedTrace {
    /// The timestamps of each dynamic basic block, by its id.
    series: Vec<(Node, Series)>,
    len: u64,
}

impl TimestampedTrace {
    /// The timestamps of a compacted trace.
    pub fn of(compacted: impl IntoIterator<Item = Node>) -> TimestampedTrace {
        let mut by_block: Vec<Series> = Vec::new();
        let mut len = 0;
        for id in compacted {
            let index = id.as_u32() as usize;
            if index >= by_block.len() {
                by_block.resize_with(index + 1, Series::default);
            }
            len += 1;
            by_block[index].push(len);
        }
        let series = by_block.into_iter().enumerate().filter(|(_, series)| !series.is_empty());
        TimestampedTrace { series: series.map(|(index, series)| (Node::from_u32(index as u32), series)).collect(), len }
    }

    /// Each dynamic basic block with its timestamps, by its id.
    pub fn series(&self) -> &[(Node, Series)] {
        &self.series
    }

    /// The timestamps of one dynamic basic block.
    pub fn timestamps(&self, id: Node) -> Option<&Series> {
        let index = self.series.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.series[index].1)
    }

    /// Number of timestamps.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether there is no timestamp.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The compacted trace of up to `most` timestamps; `None` unless each from 1 on belongs to one dynamic basic block.
    pub(super) fn sequence(series: &[(Node, Series)], most: u64) -> Option<Vec<Node>> {
        let len = series.iter().try_fold(0_u64, |sum, (_, series)| sum.checked_add(series.len()))?;
        if len > most {
            return None;
        }
        let mut ids = vec![None; len as usize];
        for (id, series) in series {
            for at in series.iter() {
                let place = ids.get_mut(at as usize - 1)?;
                if place.replace(*id).is_some() {
                    return None;
                }
            }
        }
        ids.into_iter().collect()
    }
}
