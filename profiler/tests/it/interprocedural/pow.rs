//! The paper's program: Figures 4 to 9 and 14 to 17.
//!
//! In: `melski-reps-pow.json`. Out: its functions, values and counters, each compared with the numbering's.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use holloway_profiler::graph::{ExitKind, Graph, Node};
use holloway_profiler::number::ball_larus::StepKind;
use holloway_profiler::number::interprocedural::{AtCut, Base, GlobalTarget, InterNumbering, Linear};
use holloway_profiler::supergraph::{ProcedureId, Supergraph};
use serde_json::Value;

use super::super::common::conformance;
use super::encode;
use super::supergraphs::Event;

struct Pow {
    example: Value,
    supergraph: Supergraph,
    /// Each block by its name.
    blocks: BTreeMap<String, (ProcedureId, Node)>,
}

const NAMES: [&str; 2] = ["main", "pow"];

fn pow() -> Pow {
    let example = conformance("melski-reps-pow");
    let mut blocks = BTreeMap::new();
    let mut bodies = Vec::new();
    for (index, name) in NAMES.iter().enumerate() {
        let procedure = &example["procedures"][name];
        let calls = procedure["calls"].as_object().unwrap();
        let successors = procedure["successors"].as_object().unwrap();
        let mut names: Vec<&String> = successors.keys().chain(calls.keys()).collect();
        names.sort_by_key(|name| name[1..].parse::<u32>().unwrap());
        let node = |block: &str| Node::new(names.iter().position(|name| *name == block).unwrap());
        blocks.extend(names.iter().map(|name| (name.to_string(), (ProcedureId::new(index), node(name)))));
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (from, list) in successors {
            edges.extend(
                list.as_array().unwrap().iter().map(|to| (node(from).index(), node(to.as_str().unwrap()).index())),
            );
        }
        let site = |call: &Value| node(call["return_site"].as_str().unwrap()).index();
        edges.extend(calls.iter().map(|(from, call)| (node(from).index(), site(call))));
        let [entry, exit] = ["entry", "exit"].map(|end| node(procedure[end].as_str().unwrap()).index());
        let graph = Graph::from_pairs(names.len(), &edges, entry, exit, ExitKind::Block).unwrap();
        bodies.push((graph, calls.keys().map(|block| (node(block), ProcedureId::new(1))).collect()));
    }
    Pow { example, supergraph: Supergraph::new(bodies, ProcedureId::new(0)).unwrap(), blocks }
}

impl Pow {
    /// The events of the program of Figure 4.
    fn execution(&self) -> Vec<Event> {
        let call = ["u1", "u2", "u3", "u4", "u5", "u3", "u4", "u5", "u3", "u7", "u8"];
        let mut trace = vec!["v1", "v2", "v3", "v4"];
        for i in 1..=18 {
            trace.push("v5");
            if i % 2 == 0 {
                trace.extend(["v6"].iter().chain(&call).chain(&["v7", "v8"]));
            }
            trace.push("v9");
            if i % 3 == 0 {
                trace.extend(["v10"].iter().chain(&call).chain(&["v11", "v12"]));
            }
            trace.extend(["v13", "v4"]);
        }
        trace.extend(["v15", "v16"]);
        let mut events: Vec<Event> = trace.windows(2).flat_map(|pair| self.step(pair[0], pair[1])).collect();
        events.push(Event::Leave);
        events
    }

    fn step(&self, from: &str, to: &str) -> Vec<Event> {
        let ((caller, from), (callee, to)) = (self.blocks[from], self.blocks[to]);
        if caller == callee {
            return vec![Event::Take(self.supergraph.graph(caller).find_edge(from, to).unwrap())];
        }
        match self.supergraph.site_at(caller, from) {
            Some(site) => vec![Event::Call(site)],
            None => {
                let edge = self.supergraph.graph(callee).predecessors(to)[0];
                vec![Event::Leave, Event::Take(edge)]
            }
        }
    }

    /// Counts of all numbers, as the paper prints them.
    fn counters(&self, numbering: &InterNumbering) -> Vec<u64> {
        let counts = encode(&self.supergraph, numbering, &[self.execution()]);
        assert!(counts.prefixes.is_empty());
        (0..numbering.num_paths()).map(|number| counts.paths.get(&number).copied().unwrap_or(0)).collect()
    }
}

fn pair(function: Linear) -> Value {
    serde_json::json!([function.a as u64, function.b as u64])
}

#[test]
fn figure_7() {
    let pow = pow();
    let expected = &pow.example["context"];
    let numbering = InterNumbering::new(&pow.supergraph, Base::Context, AtCut::Aside, &[]).unwrap();
    assert_eq!(numbering.num_paths(), 36);
    let mut edges = serde_json::Map::new();
    for (name, &(procedure, block)) in &pow.blocks {
        let is_entry = block == pow.supergraph.graph(procedure).entry();
        let psi = if is_entry { numbering.entry_psi(procedure) } else { numbering.psi(procedure, block) };
        assert_eq!(pair(psi), expected["vertex_functions"][name], "{name}");
        let name_of = |procedure, node| pow.blocks.iter().find(|(_, at)| **at == (procedure, node)).unwrap().0;
        for step in numbering.steps(procedure, block).iter().filter(|step| step.rho != Linear::default()) {
            let StepKind::Edge(edge) = step.kind else { panic!("a surrogate to an exit comes first") };
            let to = name_of(procedure, pow.supergraph.graph(procedure).edge(edge).to);
            edges.insert(format!("{name}->{to}"), pair(step.rho));
        }
        for surrogate in numbering.surrogates(procedure).iter().filter(|_| is_entry) {
            edges.insert(format!("{name}->{}", name_of(procedure, surrogate.to)), pair(surrogate.rho));
        }
    }
    assert_eq!(Value::Object(edges), expected["edge_functions"]);
}

#[test]
fn figures_8_and_9() {
    let pow = pow();
    let numbering = InterNumbering::new(&pow.supergraph, Base::Context, AtCut::Aside, &[]).unwrap();
    assert_eq!(serde_json::json!(pow.counters(&numbering)), pow.example["context"]["counters"]);
}

#[test]
fn figures_15_to_17() {
    let pow = pow();
    let expected = &pow.example["piecewise"];
    let numbering = InterNumbering::new(&pow.supergraph, Base::Piecewise, AtCut::Aside, &[]).unwrap();
    assert_eq!(numbering.num_paths(), 21);
    for (procedure, name) in pow.supergraph.procedures().zip(NAMES) {
        let found = numbering.unbalanced_paths_from_exit(procedure).unwrap() as u64;
        assert_eq!(found, expected["unbalanced_right_left_paths_from_exit"][name]);
    }
    for edge in numbering.global_edges() {
        let name = match edge.to {
            GlobalTarget::Entry(procedure) => format!("Entry_{}", NAMES[procedure.index()]),
            GlobalTarget::GEntry(procedure) => format!("GEntry_{}", NAMES[procedure.index()]),
        };
        assert_eq!(edge.value as u64, expected["entry_values"][&name], "{name}");
    }
    assert_eq!(numbering.global_edges().len(), 3);
    let sites = pow.supergraph.sites(pow.supergraph.main());
    let values: Vec<u128> = sites.iter().map(|&site| numbering.return_value(site).unwrap()).collect();
    assert_eq!((values[0], serde_json::json!(values[1] as u64)), (0, expected["edge_values"]["u8->v11"].clone()));
    assert_eq!(serde_json::json!(pow.counters(&numbering)), expected["counters"]);
}
