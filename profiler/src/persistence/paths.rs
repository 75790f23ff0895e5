//! The paths of a region, where there are few.
//!
//! In: the regions of a graph. Out: the bits of every path on which an execution of a region can reach its end.
//!
//! Paths are counted from their ends, as `[BL96]` (T. Ball, J. R. Larus, "Efficient Path Profiling", MICRO-29, 1996, figure 5) counts them:
//! bits increase along each path, so that the places behind a place are counted before it. A way that only fails, or leaves the loop, is
//! no path.

use crate::graph::{ExitKind, Graph, Node};
use crate::hash::KeyMap;
use crate::plan::BitRegister;

use super::region::{Region, RegionPlace, Regions, region_place};

/// A way on from a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Place(RegionPlace),
    /// The execution is complete.
    End,
}

/// The number of paths from each place of a region.
struct Counted<'a> {
    regions: &'a Regions,
    graph: &'a Graph,
    region: &'a Region,
    from: KeyMap<RegionPlace, u64>,
}

impl Regions {
    /// The bits of every path of a region; `None` if there are more than `most`.
    pub fn paths(&self, graph: &Graph, register: BitRegister, most: u64) -> Option<Vec<Vec<u64>>> {
        let region = self.get(register);
        let mut counted = Counted { regions: self, graph, region, from: KeyMap::default() };
        for &place in region.places.iter().rev().chain([&region.head]) {
            let paths = counted.next(place).into_iter().map(|next| counted.paths(next));
            let paths = paths.fold(0, u64::saturating_add);
            counted.from.insert(place, paths);
        }
        if counted.from[&region.head] > most {
            return None;
        }
        let mut found = Vec::new();
        counted.walk(region.head, vec![0; self.words(register) as usize], &mut found);
        Some(found)
    }

    /// The bits of a region's path; `None` if it has several paths, or none.
    pub fn single_path(&self, graph: &Graph, register: BitRegister) -> Option<Vec<u64>> {
        self.paths(graph, register, 1)?.pop()
    }
}

impl Counted<'_> {
    /// Adds the paths that go on from a place, which has been reached with these bits.
    fn walk(&self, place: RegionPlace, bits: Vec<u64>, found: &mut Vec<Vec<u64>>) {
        for next in self.next(place).into_iter().filter(|next| self.paths(*next) > 0) {
            let mut bits = bits.clone();
            match next {
                Next::End => found.push(bits),
                Next::Place(place) => {
                    let bit = self.region.bit(place).expect("only the head has no bit");
                    bits[bit / 64] |= 1 << (bit % 64);
                    self.walk(place, bits, found);
                }
            }
        }
    }

    /// The number of paths that go on in a way.
    fn paths(&self, next: Next) -> u64 {
        match next {
            Next::End => 1,
            Next::Place(place) => self.from[&place],
        }
    }

    /// The ways on from a place, each once.
    fn next(&self, place: RegionPlace) -> Vec<Next> {
        let (nest, graph, around) = (self.regions.nest(), self.graph, self.region.around);
        let members = match place {
            RegionPlace::Block(node) => vec![node],
            RegionPlace::Loop(header) => {
                nest.get(nest.innermost(header).expect("a header is in its loop")).members.clone()
            }
        };
        let head = around.map(|around| nest.get(around).header);
        let inside = |node: Node| graph.is_block(node) && around.is_none_or(|id| nest.contains(id, node));
        let mut found = Vec::new();
        if head.is_none() && graph.exit_kind() == ExitKind::Block && members.contains(&graph.exit()) {
            found.push(Next::End);
        }
        for &edge in members.iter().flat_map(|&member| graph.successors(member)) {
            let to = graph.edge(edge).to;
            let next = match head {
                Some(header) if header == to => Next::End,
                None if graph.is_return(edge) && graph.exit_kind() == ExitKind::Synthetic => Next::End,
                _ if inside(to) => Next::Place(region_place(nest, around, to)),
                _ => continue,
            };
            if next != Next::Place(place) && !found.contains(&next) {
                found.push(next);
            }
        }
        found
    }
}
