//! Iterations of single loops: the mixed mode of `[RS09]` section 5.
//!
//! In: loops by function and header, each with its k. Out: [`LoopIterations`], a setting. Invariant: of two entries for a loop the last
//! counts.

use super::interned::Interned;
use crate::graph::Node;
use crate::number::k_iteration::AcyclicEdges;

static LISTS: Interned<LoopK> = Interned::new();

/// One loop with its number of iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopK {
    /// Name of its function.
    pub function: String,
    /// Its header.
    pub header: Node,
    /// The source of a back edge, if this is about that edge alone: then `k` is 1, paths end there, and it makes no loop.
    pub latch: Option<Node>,
    /// Iterations that its paths span; 1 for acyclic ones.
    pub k: u32,
}

/// Loops that have a k of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopIterations(&'static [LoopK]);

impl LoopIterations {
    /// These loops.
    pub fn new(loops: Vec<LoopK>) -> LoopIterations {
        LoopIterations(LISTS.get(loops))
    }

    /// Those of a function.
    pub fn of(self, function: &str) -> LoopIterations {
        match self.0.iter().all(|each| each.function == function) {
            true => self,
            false => LoopIterations::new(self.0.iter().filter(|each| each.function == function).cloned().collect()),
        }
    }

    /// The k of the loop with this header, in the one function that the loops are of.
    pub fn k_of(self, header: Node) -> Option<u32> {
        self.0.iter().rev().find(|each| each.header == header && each.latch.is_none()).map(|each| each.k)
    }

    /// The back edges at which paths end, in the one function that the loops are of.
    pub fn acyclic(self) -> AcyclicEdges {
        self.0.iter().filter_map(|each| Some((each.latch?, each.header))).collect()
    }

    /// These, and of the others those of loops that have none.
    pub fn or(self, others: LoopIterations) -> LoopIterations {
        if others.is_empty() {
            return self;
        }
        // The last entry of a loop counts.
        LoopIterations::new(others.iter().chain(self.iter()).cloned().collect())
    }

    /// Every entry.
    pub fn iter(self) -> impl Iterator<Item = &'static LoopK> {
        self.0.iter()
    }

    /// Returns true if no loop has a k of its own.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn a_function_has_its_own_loops_and_the_last_entry_counts() {
        let entry = |function: &str, header: usize, k| LoopK {
            function: function.into(),
            header: Node::new(header),
            latch: None,
            k,
        };
        let all = LoopIterations::new(vec![entry("f", 1, 3), entry("g", 1, 4), entry("f", 1, 5)]);
        assert_eq!([all.of("f").k_of(Node::new(1)), all.of("g").k_of(Node::new(1))], [Some(5), Some(4)]);
        assert_eq!(all.of("f").k_of(Node::new(2)), None);
        let others = LoopIterations::new(vec![entry("f", 1, 7), entry("f", 2, 8)]);
        let both = all.or(others).of("f");
        assert_eq!([both.k_of(Node::new(1)), both.k_of(Node::new(2))], [Some(5), Some(8)]);
        assert!(all.of("h").is_empty() && LoopIterations::default().is_empty());
    }
}
