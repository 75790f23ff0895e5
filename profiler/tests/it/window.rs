//! A window finds what `k-bl` and the windows of `tfp` find apart, as far as its bounds reach.

use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::number::spanning_tree::static_weights;
use holloway_profiler::persistence::{Ending, Persistence, Regions};
use holloway_profiler::scheme::{Collected, FunctionPlan, NumberingOrder, Scheme, WindowBounds, plan_window};
use proptest::prelude::*;

use super::common::{Run, execute, structured_runs};

const BOUNDS: WindowBounds = WindowBounds { k: 3, executions: 40, parts: 1, sequence: 4, ids: 1 << 11 };

fn collect(run: &Run, plan: &FunctionPlan) -> Box<dyn Collected> {
    let mut collected = plan.decoder.collector();
    execute(run, &mut Machine::new(&run.graph, (*plan.plan).clone()), &mut collected);
    collected
}

fn window(run: &Run, bounds: WindowBounds) -> FunctionPlan {
    plan_window(run.graph.clone(), &static_weights(&run.graph), bounds).expect("structured graphs are reducible")
}

proptest! {
    #[test]
    fn sequences_are_those_of_k_bl(run in structured_runs()) {
        let mut scheme = Scheme::named("k-bl").and_then(|scheme| scheme.with_k(4).ok()).expect("a scheme");
        scheme.settings.numbering = NumberingOrder::Smart;
        let frequency = static_weights(&run.graph);
        let plan = scheme.plan(run.graph.clone(), Some(&frequency)).expect("it counts paths").expect("acyclic paths");
        let alone = collect(&run, &plan).results(&run.graph);
        let found = collect(&run, &window(&run, BOUNDS)).results(&run.graph);
        let sequences = |results: holloway_profiler::scheme::Results| results.sequences.expect("joined").k_ipf.sequences();
        let frequent: Vec<(Vec<u64>, u64)> = sequences(alone).into_iter().filter(|(_, count)| *count >= 4).collect();
        prop_assert_eq!(sequences(found), frequent);
    }

    #[test]
    fn only_the_first_ids_are_joined(run in structured_runs(), ids in 0u64..20) {
        let paths = |ids| {
            let plan = window(&run, WindowBounds { ids, ..BOUNDS });
            let results = collect(&run, &plan).results(&run.graph);
            let forest = &results.sequences.as_ref().expect("joined").forest;
            let single = PathForest::of(forest.slabs().unwrap()).sequences().into_iter().filter(|(ids, _)| ids.len() == 1);
            (forest.is_exact(), single.map(|(_, count)| count).sum::<u64>())
        };
        let (_, all) = paths(BOUNDS.ids);
        prop_assert_eq!(paths(ids), (all <= ids, all.min(ids)));
    }

    #[test]
    fn regions_are_those_of_a_persistence(run in structured_runs()) {
        let regions = Regions::new(&run.graph).expect("structured graphs are reducible");
        let mut alone = Persistence::new(regions.clone(), BOUNDS.k, Ending::Early);
        execute(&run, &mut Machine::new(&run.graph, regions.plan(&run.graph)), &mut alone);
        let finished = alone.take_finished();
        let collected = collect(&run, &window(&run, BOUNDS));
        let found = collected.results(&run.graph).regions.expect("regions");
        let mut hottest = None;
        for (register, region) in regions.iter() {
            prop_assert_eq!(found.overall(register), alone.overall(register));
            prop_assert_eq!(found.current(register), alone.current(register));
            let last = finished.iter().rfind(|findings| findings.register == register);
            let persistent = last.filter(|findings| findings.is_persistent());
            prop_assert_eq!(found.persistent(register), persistent);
            let executions = alone.overall(register).executions;
            if region.around.is_some() && hottest.is_none_or(|most| executions >= most) {
                hottest = Some(executions);
            }
        }
        let full = hottest.is_none_or(|executions| executions >= BOUNDS.executions);
        prop_assert_eq!(collected.is_full(), full);
    }
}

#[test]
fn a_window_without_loops_is_full() {
    let run = Run {
        graph: holloway_profiler::graph::Graph::from_pairs(
            2,
            &[(0, 1)],
            0,
            1,
            holloway_profiler::graph::ExitKind::Synthetic,
        )
        .expect("a graph"),
        activations: Vec::new(),
    };
    let mut collected = window(&run, BOUNDS).decoder.collector();
    assert!(collected.is_empty() && collected.is_full());
    collected.lone(0);
    assert!(!collected.is_empty());
}
