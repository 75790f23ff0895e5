//! Plans of whole programs: where additions are.
//!
//! In: graphs of functions. Out: failed tests. Counts by such plans are compared elsewhere with those of a tracker, on whole programs.

use cranelift_entity::EntityRef;
use holloway_profiler::graph::{Call, EdgeId, ExitKind, Graph, GraphBuilder, Node};
use holloway_profiler::plan::across::{CrossStep, Scaled};
use holloway_profiler::plan::{Action, Plan};
use holloway_profiler::scheme::{Callee, ProgramBody, ProgramGraphs, Scheme};
use holloway_profiler::supergraph::ProcedureId;

fn body(name: &str, graph: Graph, callees: &[(Call, usize)]) -> ProgramBody {
    let known = |(call, callee): &(Call, usize)| (*call, Callee::Known(ProcedureId::new(*callee)));
    let callees = callees.iter().map(known).collect();
    ProgramBody { name: name.to_owned(), file: 0, signature: 0, graph, callees, values: Vec::new() }
}

/// A main function that calls `callee`, and the plan of that.
fn planned(scheme: &str, callee: &Graph) -> Plan {
    let mut builder = GraphBuilder::default();
    let [block, exit] = [(); 2].map(|()| builder.node());
    let calls = [builder.call(block), builder.call(block)];
    builder.edge(block, exit, holloway_profiler::graph::EdgeKind::Normal);
    let main = builder.finish(block, exit, ExitKind::Synthetic).expect("a graph");
    let bodies = [body("main", main, &[(calls[0], 1), (calls[1], 1)]), body("f", callee.clone(), &[])];
    let graphs = ProgramGraphs {
        bodies: bodies.into_iter().collect(),
        entries: vec![ProcedureId::new(0)],
        values_are_known: true,
    };
    let scheme = Scheme::named(scheme).expect("a row");
    let plan = scheme.plan_program(&graphs).expect("it plans programs").expect("a few paths");
    (*plan.function(ProcedureId::new(1)).expect("it is there").plan).clone()
}

fn added(plan: &Plan, edge: EdgeId) -> Scaled {
    plan.edges[edge].iter().fold(Scaled::NOTHING, |sum, step| match step {
        Action::AddPath(by) => sum.plus(Scaled { a: 0, b: *by }),
        Action::Across(CrossStep::Add(by)) => sum.plus(*by),
        _ => sum,
    })
}

/// A loop of 1 and 2 that is left before it goes on: the way out is numbered first.
#[test]
fn hot_edges_add_nothing() {
    let graph = Graph::from_pairs(4, &[(0, 1), (1, 3), (1, 2), (2, 1)], 0, 3, ExitKind::Block).expect("a graph");
    let edge = |from: usize, to: usize| graph.find_edge(Node::new(from), Node::new(to)).expect("an edge");
    for scheme in ["ip-context", "ip-piecewise"] {
        let plan = planned(scheme, &graph);
        assert_eq!([edge(1, 2), edge(2, 1)].map(|edge| added(&plan, edge)), [Scaled::NOTHING; 2], "{scheme}");
        // One way out has as many completions as there are at the exit.
        let moved = Scaled { a: 1, b: 0 };
        let around = [edge(0, 1), edge(1, 3)].map(|edge| added(&plan, edge));
        assert_eq!(around, [moved, Scaled::NOTHING.minus(moved)], "{scheme}");
        let header = Call { block: Node::new(1), number: 0 };
        assert_eq!(plan.number_at(header, 100, 7), 93, "{scheme}: in the loop 7 too many were added");
        assert!(plan.defers_completions());
    }
}

/// If no edge is colder than another, each adds its own value.
#[test]
fn edges_of_one_weight_add_their_values() {
    let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];
    let graph = Graph::from_pairs(7, &edges, 0, 6, ExitKind::Block).expect("a graph");
    let plan = planned("ip-context", &graph);
    let all = graph.edges().map(|(id, _)| added(&plan, id)).filter(|added| *added != Scaled::NOTHING);
    assert_eq!(all.collect::<Vec<_>>(), [Scaled { a: 2, b: 0 }, Scaled { a: 1, b: 0 }]);
    assert!(plan.deferred.is_empty());
}
