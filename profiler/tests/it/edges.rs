//! Edge profiling from a spanning tree: derived counts equal naive ones, and the counters are the fewest possible.

use cranelift_entity::SecondaryMap;
use holloway_profiler::graph::{DepthFirst, EdgeId, EdgeKind, ExitKind, Graph, LoopNest, Node};
use holloway_profiler::machine::{Machine, NoSink};
use holloway_profiler::number::spanning_tree::{EdgePlan, static_weights};
use proptest::prelude::*;

use super::common::{Run, components, execute, runs, structured_runs, tally};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(86))]

    #[test]
    fn derived_counts_are_the_naive_ones(run in runs(), seed in any::<u64>()) {
        check_run(&run, &static_weights(&run.graph))?;
        // The counts must not depend on the chosen tree.
        let mut weights = SecondaryMap::new();
        for (index, (id, _)) in run.graph.edges().enumerate() {
            weights[id] = seed.rotate_left(index as u32 * 7) % 16;
        }
        check_run(&run, &weights)?;
        // A maximum tree leaves the lightest chords: those of another tree are not lighter.
        let other = EdgePlan::new(&run.graph, &static_weights(&run.graph));
        let best = EdgePlan::new(&run.graph, &weights);
        let load = |plan: &EdgePlan| plan.counted_edges().map(|e| weights[e]).sum::<u64>();
        prop_assert!(load(&best) <= load(&other));
    }

    #[test]
    fn depth_first_and_dominators_agree_on_structured_graphs(run in structured_runs()) {
        let graph = &run.graph;
        let nest = LoopNest::of(graph);
        prop_assert_eq!(nest.irreducible(), None);
        let order = DepthFirst::new(graph);
        for (id, edge) in graph.edges() {
            let forward = order.position(edge.from) < order.position(edge.to);
            prop_assert_eq!(forward, !order.is_back_edge(id), "reverse postorder is topological without back edges");
        }
        for (id, around) in nest.iter() {
            for &member in &around.members {
                prop_assert!(nest.contains(id, member));
                // By definition of a dominator, the member is unreachable without the header.
                let avoided = member == around.header || !reached_without(graph, around.header, member);
                prop_assert!(avoided);
            }
        }
    }

    #[test]
    fn irreducible_is_what_dominators_deny(run in runs()) {
        let graph = &run.graph;
        let naive = DepthFirst::new(graph).back_edges().iter().any(|&e| {
            let edge = graph.edge(e);
            edge.from != edge.to && edge.to != graph.entry() && reached_without(graph, edge.to, edge.from)
        });
        prop_assert_eq!(LoopNest::of(graph).irreducible().is_some(), naive);
    }
}

fn check_run(run: &Run, weights: &SecondaryMap<EdgeId, u64>) -> Result<(), TestCaseError> {
    let graph = &run.graph;
    let edge_plan = EdgePlan::new(graph, weights);
    let order = DepthFirst::new(graph);
    let normal: Vec<_> =
        graph.edges().filter(|(_, e)| e.kind == EdgeKind::Normal && order.is_reachable(e.from)).collect();
    let trees = {
        let virtual_edge = (graph.exit(), graph.entry());
        let pairs: Vec<_> = normal.iter().map(|(_, e)| (e.from, e.to)).chain([virtual_edge]).collect();
        components(graph.node_count(), &pairs)
    };
    prop_assert_eq!(
        edge_plan.counters + graph.node_count(),
        normal.len() + 1 + trees,
        "the dimension of the cycle space"
    );

    let mut machine = Machine::new(graph, edge_plan.plan.clone());
    execute(run, &mut machine, &mut NoSink);
    let counts = edge_plan.derive(machine.counters(), &machine.failures(), &machine.aborts());
    let naive_edges = tally(run.activations.iter().flat_map(|a| a.edges.iter().copied()));
    let mut naive_nodes = tally(run.activations.iter().flat_map(|a| a.edges.iter().map(|&e| graph.edge(e).to)));
    *naive_nodes.entry(graph.entry()).or_insert(0) += run.activations.len() as u64;
    for (id, _) in graph.edges() {
        prop_assert_eq!(counts.edges[id], naive_edges.get(&id).copied().unwrap_or(0), "edge {}", id);
    }
    for node in graph.nodes().filter(|&n| n != graph.exit()) {
        prop_assert_eq!(counts.nodes[node], naive_nodes.get(&node).copied().unwrap_or(0), "node {}", node);
    }
    prop_assert_eq!(counts.calls, run.activations.len() as u64);
    prop_assert_eq!(counts.residual, 0);
    Ok(())
}

fn reached_without(graph: &Graph, removed: Node, target: Node) -> bool {
    let mut seen = vec![false; graph.node_count()];
    let mut work = vec![graph.entry()];
    while let Some(node) = work.pop() {
        if node == removed || std::mem::replace(&mut seen[node.as_u32() as usize], true) {
            continue;
        }
        if node == target {
            return true;
        }
        work.extend(graph.successors(node).iter().map(|&e| graph.edge(e).to));
    }
    false
}

#[test]
fn counters_leave_the_loop_free() {
    // entry -> header; header -> body | exit; body -> header. Both loop edges cannot be in the tree, the entry's can.
    let graph = Graph::from_pairs(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], 0, 3, ExitKind::Synthetic).unwrap();
    let weights = static_weights(&graph);
    let ids: Vec<u64> = graph.edges().map(|(id, _)| weights[id]).collect();
    assert_eq!(ids, [1, 10, 10, 1]);
    let plan = EdgePlan::new(&graph, &weights);
    assert_eq!(plan.counters, 2);
    let counted: Vec<_> =
        plan.counted_edges().map(|e| (graph.edge(e).from.as_u32(), graph.edge(e).to.as_u32())).collect();
    assert_eq!(counted, [(2, 1), (1, 3)], "one edge of the loop, and one of the two that are taken once a call");
}

#[test]
fn a_lone_block_counts_its_calls() {
    let graph = Graph::from_pairs(1, &[], 0, 0, ExitKind::Block).unwrap();
    let plan = EdgePlan::new(&graph, &static_weights(&graph));
    let mut machine = Machine::new(&graph, plan.plan.clone());
    for _ in 0..3 {
        machine.enter(&mut NoSink);
    }
    let counts = plan.derive(machine.counters(), &[], &[]);
    assert_eq!((counts.calls, counts.nodes[graph.entry()], counts.residual), (3, 3, 0));
}

#[test]
fn a_reading_amid_an_activation_is_told_apart() {
    let graph = Graph::from_pairs(3, &[(0, 1), (0, 2), (1, 2)], 0, 2, ExitKind::Synthetic).unwrap();
    let plan = EdgePlan::new(&graph, &static_weights(&graph));
    let mut machine = Machine::new(&graph, plan.plan.clone());
    let mut frame = machine.enter(&mut NoSink);
    let first = graph.find_edge(graph.entry(), Node::from_u32(1)).unwrap();
    machine.take(&mut frame, first, &mut NoSink);
    let open = plan.derive(machine.counters(), &[], &[]);
    let closed = plan.derive(machine.counters(), &[], &[(Node::from_u32(1), 1)]);
    assert_eq!((closed.calls, closed.edges[first], closed.residual), (1, 1, 0));
    assert!(open.residual > 0 || open.calls == 0, "{open:?}");
}
