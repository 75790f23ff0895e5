//! The edges that a profile's paths took, and how far they are from those that code was laid out by.
//!
//! In: the paths of a profile with their counts, and the counts that the optimizer had. Out: executions of edges, and a share of branches.
//! Invariant: a branch that goes either way, then and now, is not astray.

use hashbrown::HashMap;
use holloway_ir::{Block, Cfg, Function, Loops};
use holloway_jit::expand::Expanded;
use holloway_jit::graph_of::block_of;
use holloway_jit::observed::Counts;
use holloway_profiler::graph::Graph;
use holloway_profiler::path_id::PathEnd;
use holloway_profiler::scheme::PathRow;

/// Executions of edges, by the blocks that they lead from and to.
pub(crate) type EdgeExecutions = HashMap<(Block, Block), u64>;

/// The executions of each edge on some paths of a body, with the back edges that these end at.
pub(super) fn executions(body: &Function, graph: &Graph, paths: &[PathRow]) -> EdgeExecutions {
    let cfg = Cfg::compute(body);
    let loops = Loops::of(&cfg);
    let back_edge = |last: Block| {
        let header = cfg.succs(last).iter().find(|(to, _)| loops.is_back_edge(last, *to));
        header.map(|(to, _)| (last, *to))
    };
    let mut edges = EdgeExecutions::new();
    for PathRow { path, count, .. } in paths {
        let along = path.edges.iter().filter(|edge| !graph.is_return(**edge)).map(|edge| graph.edge(*edge));
        let along = along.map(|edge| (block_of(edge.from), block_of(edge.to)));
        let last = path.blocks.last().filter(|_| path.end == PathEnd::Cut);
        let back = last.and_then(|last| back_edge(block_of(*last)));
        along.chain(back).for_each(|edge| *edges.entry(edge).or_default() += count);
    }
    edges
}

/// The executions of a function's own edges, of those of its expanded body.
pub(super) fn as_written(expanded: &Expanded, taken: EdgeExecutions) -> EdgeExecutions {
    let own = |((from, to), count)| Some((expanded.own_edge(from, to)?, count));
    taken.into_iter().filter_map(own).collect()
}

/// The share of branches that would have gone the way that code is laid out for if that were the way they go most, and
/// did not.
pub(super) fn astray(body: &Function, counts: &Counts, edges: &EdgeExecutions) -> f64 {
    let cfg = Cfg::compute(body);
    let (mut all, mut astray) = (0, 0);
    for block in cfg.reverse_postorder() {
        let ways: Vec<Block> = cfg.succs(block).iter().map(|(to, _)| *to).collect();
        let now = |to: &Block| edges.get(&(block, *to)).copied().unwrap_or(0);
        let most = ways.iter().map(now).max().unwrap_or(0);
        // Of a branch that was not executed nothing is known: it is laid out as one that never is.
        let laid_out = ways.iter().max_by_key(|to| counts.taken(block, **to));
        let laid_out = laid_out.filter(|to| counts.taken(block, **to) > 0);
        if ways.len() > 1 {
            all += ways.iter().map(now).sum::<u64>();
            astray += most - laid_out.map_or(0, now).min(most);
        }
    }
    astray as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{body, module_of};
    use holloway_jit::graph_of::{graph_of, node_of};
    use holloway_profiler::number::ball_larus::number;
    use holloway_profiler::path_id::{id_of, path_of};
    use holloway_profiler::scheme::PathId;

    /// A loop with a branch in it.
    const LOOP: &str = "block0:
    jump block1
block1:
    v1 = igt v0, 5
    branch v1, block2, block3
block2:
    v0 = isub v0, 1
    jump block4
block3:
    v0 = isub v0, 2
    jump block4
block4:
    v1 = igt v0, 0
    branch v1, block1, block5
block5:
    return v0
";

    fn edge(from: u32, to: u32) -> (Block, Block) {
        (Block::from_u32(from), Block::from_u32(to))
    }

    #[test]
    fn paths_give_the_executions_of_their_edges() {
        let module = module_of(LOOP);
        let body = body(&module);
        let graph = graph_of(body);
        let numbering = number(&graph);
        let row = |blocks: &[u32], count: u64| {
            let nodes: Vec<_> = blocks.iter().map(|block| node_of(Block::from_u32(*block))).collect();
            let edges: Vec<_> =
                nodes.windows(2).map(|pair| graph.find_edge(pair[0], pair[1]).expect("it is one")).collect();
            let id = id_of(&graph, &numbering, nodes[0], &edges, PathEnd::Cut).expect("it is a path");
            let path = path_of(&graph, &numbering, id).expect("it has an id");
            PathRow::new(PathId::Number(id), path, count)
        };
        let edges = executions(body, &graph, &[row(&[0, 1, 2, 4], 1), row(&[1, 2, 4], 2), row(&[1, 3, 4], 2)]);
        let expected = [(0, 1, 1), (1, 2, 3), (1, 3, 2), (2, 4, 3), (3, 4, 2), (4, 1, 5)];
        assert_eq!(edges, expected.map(|(from, to, count)| (edge(from, to), count)).into());
    }

    #[test]
    fn branches_are_astray_that_mostly_go_another_way_than_before() {
        let module = module_of(LOOP);
        let body = body(&module);
        let share = |before: [u64; 2], now: [u64; 2]| {
            let of = |[one, other]: [u64; 2]| -> EdgeExecutions {
                [(edge(1, 2), one), (edge(1, 3), other), (edge(4, 1), one + other)].into()
            };
            let counts = Counts::new(body, 1, of(before).into_iter().collect(), []);
            astray(body, &counts, &of(now))
        };
        assert_eq!(share([100, 0], [0, 100]), 0.5, "one of two branches");
        assert_eq!(share([60, 40], [40, 60]), 0.1);
        assert_eq!(share([100, 0], [60, 40]), 0.0);
        assert_eq!(share([0, 0], [60, 40]), 0.8, "neither branch was known");
    }
}
