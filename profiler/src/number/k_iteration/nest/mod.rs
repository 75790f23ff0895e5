//! Paths of several iterations in nests of loops: an outer loop's, with its inner loops collapsed, and those of the inner loops beside them.
//!
//! In: a reducible graph and a k for each loop. Out: [`NestNumbering`]: one range of ids for each part of the graph ([`super::collapse`]), and the
//! plan that counts all of them at once.
//!
//! A path in a collapsed loop begins where the loop is entered or at a loop's head, and ends where the loop is left or at a loop's tail.
//! Meanwhile the accumulators of the part around are put aside.
//! Invariant: ids are dense over all parts; without a loop of several iterations around another, they are those of [`super::number_mixed`].

use std::ops::Range;

use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::collapse::{PartId, Parts};
use super::{KError, KNumbering, KPath, KStartKind, goes_on, number_from};
use crate::graph::{EdgeId, EdgeKind, Graph, LoopNest, Node};
use crate::path_id::{Path, PathEnd, PathStart};
use crate::persistence::Irreducible;

mod instrument;

pub use instrument::Placement;

/// The numbered k-iteration paths of a graph, in its parts.
#[derive(Clone, Debug)]
pub struct NestNumbering {
    parts: Parts,
    numberings: PrimaryMap<PartId, KNumbering>,
}

/// Iterations of loops, by their headers.
#[derive(Clone, Copy, Debug)]
pub struct Iterations<F> {
    /// For each loop, the k that is asked for; `None` if none is.
    pub asked: F,
    /// That of innermost loops for which none is asked for; loops around others have acyclic paths then.
    pub innermost: u32,
}

/// A path, and the edges of it that the path an iteration earlier covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestPath {
    /// The path. A collapsed loop stands in it as its header, and the block by which it was left if that is another; no edge joins them.
    pub path: Path,
    /// Kind of its start.
    pub start: KStartKind,
    /// The number of its edges before the one into its last iteration, if it began at a loop's head.
    pub own_from: Option<usize>,
}

/// Numbers the paths of a graph with fewer than `limit` of them.
pub fn number_nest(
    graph: &Graph,
    iterations: Iterations<impl Fn(Node) -> Option<u32>>,
    limit: u64,
) -> Result<NestNumbering, KError> {
    let nest = LoopNest::of(graph);
    if let Some(edge) = nest.irreducible() {
        let ends = graph.edge(edge);
        return Err(KError::Irreducible(Irreducible { edge, from: ends.from, to: ends.to }));
    }
    let mut k_of: SecondaryMap<Node, u32> = SecondaryMap::with_default(1);
    for (id, each) in nest.iter() {
        let asked = (iterations.asked)(each.header);
        let usual = if nest.is_innermost(id) { iterations.innermost } else { 1 };
        k_of[each.header] = asked.unwrap_or(usual);
    }
    let parts = Parts::new(graph, &nest, |id| k_of[nest.get(id).header] > 1 && goes_on(graph, &nest, id));
    let mut numberings: PrimaryMap<PartId, KNumbering> = PrimaryMap::new();
    let (mut first, mut paths): (u64, u128) = (0, 0);
    for (_, part) in parts.iter() {
        paths = match number_from(&part.graph, |header| k_of[header], (first, limit)) {
            Ok(numbering) => {
                first = numbering.ids().end;
                let sum = paths.checked_add(numbering.num_paths().into());
                numberings.push(numbering);
                sum
            }
            // The rest is numbered to tell the sum of all.
            Err(KError::TooManyPaths(Some(of_part))) => paths.checked_add(of_part),
            Err(error) => return Err(error),
        }
        .ok_or(KError::TooManyPaths(None))?;
    }
    if numberings.len() < parts.iter().count() {
        return Err(KError::TooManyPaths(Some(paths)));
    }
    Ok(NestNumbering { parts, numberings })
}

impl NestNumbering {
    /// Number of paths; every id is below it.
    pub fn num_paths(&self) -> u64 {
        self.numberings.values().map(|numbering| numbering.ids().end).max().unwrap_or(0)
    }

    /// The ids of the paths in each collapsed loop, by its header.
    pub fn collapsed(&self) -> impl Iterator<Item = (Node, Range<u64>)> {
        let inner = self.parts.iter().filter(|(_, part)| part.parent.is_some());
        inner.map(|(id, part)| (part.header(), self.numberings[id].ids()))
    }

    /// The loops with iterations: their headers and k.
    pub fn loops(&self) -> impl Iterator<Item = (Node, u32)> {
        self.numberings.values().flat_map(KNumbering::loops)
    }

    /// The part that an edge of the whole stays in, with that edge there.
    fn in_part(&self, graph: &Graph, edge: EdgeId) -> Option<(PartId, EdgeId)> {
        let ends = graph.edge(edge);
        let (_, (part, _)) = self.parts.left(ends);
        let own = self.parts.get(part).graph.find_edge(ends.from, ends.to);
        own.filter(|_| ends.kind == EdgeKind::Normal).map(|own| (part, own))
    }

    /// Returns true if the back edge `edge` ends a path before it and starts another behind it.
    pub fn is_cut(&self, graph: &Graph, edge: EdgeId) -> bool {
        self.in_part(graph, edge).is_some_and(|(part, own)| self.numberings[part].is_cut(own))
    }

    /// Returns whether `edge` is a back edge that starts the next iteration of a loop with iterations.
    pub fn is_iteration(&self, graph: &Graph, edge: EdgeId) -> bool {
        let part = self.in_part(graph, edge);
        part.is_some_and(|(part, own)| self.numberings[part].is_iteration(&self.parts.get(part).graph, own))
    }

    /// Returns whether a path in a collapsed loop begins behind an edge, beside the one that goes on.
    pub fn enters(&self, graph: &Graph, edge: EdgeId) -> bool {
        self.parts.entered(graph.edge(edge)).is_some()
    }

    /// `(val, cval)` of an edge in each iteration, in the part that it stays in; empty if it is on no path.
    pub fn values(&self, graph: &Graph, edge: EdgeId) -> Vec<(u64, u64)> {
        let Some((part, own)) = self.in_part(graph, edge) else { return Vec::new() };
        let (numbering, graph) = (&self.numberings[part], &self.parts.get(part).graph);
        let iterations = 1..=numbering.iterations(graph.edge(own).from);
        iterations.filter_map(|i| numbering.values(graph, own, i)).collect()
    }

    /// The path with this id; `None` if the id is not below `num_paths`.
    pub fn path_of(&self, graph: &Graph, id: u64) -> Option<NestPath> {
        let part = self.part_of(id)?;
        let path = self.numberings[part].path_of(&self.parts.get(part).graph, id)?;
        Some(self.whole(graph, part, path))
    }

    /// The path that a failure inside `block`, or a loop collapsed into it, cut short in iteration `i`, from the id reported with it.
    pub fn prefix_of(&self, graph: &Graph, block: Node, i: u32, id: u64) -> Option<NestPath> {
        let part = self.part_of(id)?;
        let path = self.numberings[part].prefix_of(&self.parts.get(part).graph, block, i, id)?;
        Some(self.whole(graph, part, path))
    }

    fn part_of(&self, id: u64) -> Option<PartId> {
        self.numberings.iter().find(|(_, numbering)| numbering.ids().contains(&id)).map(|(part, _)| part)
    }

    /// A path of a part as one of the whole graph.
    fn whole(&self, graph: &Graph, part: PartId, path: KPath) -> NestPath {
        let of = self.parts.get(part);
        let edges_of = |blocks: &[Node]| -> Vec<EdgeId> {
            let ends = blocks.windows(2).filter_map(|pair| of.graph.find_edge(pair[0], pair[1]));
            ends.filter_map(|edge| of.own(edge)).collect()
        };
        let before = match path.start {
            KStartKind::Free => None,
            // It repeats the path that began an iteration earlier, up to the back edge into its last iteration.
            KStartKind::Head => {
                let k = self.numberings[part].iterations(path.blocks[0]);
                Some(path.iterations.iter().position(|&i| i == k).unwrap_or(path.blocks.len()) - 1)
            }
        };
        let own_from = before.map(|before| edges_of(&path.blocks[..=before]).len());
        let is_entry = (path.start, path.blocks.first()) == (KStartKind::Free, Some(&graph.entry()));
        let start = if is_entry { PathStart::Entry } else { PathStart::Restart };
        let (mut edges, mut end) = (edges_of(&path.blocks), path.end);
        match (end, of.parent, path.blocks.last()) {
            (PathEnd::Return, Some(_), _) => end = PathEnd::Left,
            (PathEnd::Return, None, Some(&last)) => {
                edges.extend(graph.normal_successors(last).find(|&edge| graph.is_return(edge)));
            }
            _ => {}
        }
        NestPath { start: path.start, path: Path { start, blocks: path.blocks, edges, end }, own_from }
    }
}
