//! The papers' examples that docs/lab.md walks through, compared with what the papers print.
//!
//! In: the files of `examples/`. Out: values, numbers and counts. Melski and Reps's program is in `cli_lab.rs`.

use std::path::Path;

use serde_json::{Value, json};

use super::command::{holloway, run};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(args: &[&str]) -> String {
    let done = run(holloway(root(), std::iter::once("lab").chain(args.iter().copied())));
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{args:?}");
    done.out
}

fn function(args: &[&str], index: usize) -> Value {
    let mut result: Value = serde_json::from_str(&text(args)).expect("JSON");
    result["functions"][index].take()
}

fn paper(name: &str) -> Value {
    let path = root().join("profiler/tests/conformance").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("JSON")
}

/// The lists of blocks in `rows`, each as `A-B-C`.
fn spelled(rows: &Value) -> Vec<String> {
    let name = |block: &Value| block.as_str().expect("a name").to_owned();
    let blocks = |row: &Value| row["blocks"].as_array().expect("a list").iter().map(name).collect::<Vec<_>>();
    rows.as_array().expect("a list").iter().map(|row| blocks(row).join("-")).collect()
}

#[test]
fn figure_3_of_delia_and_demetrescu() {
    let paper = paper("kblpp-fig3.json");
    let found = function(&["examples/kblpp.json"], 0);
    let sequences = found["paths"].as_array().expect("a list").iter().map(|row| {
        let ids = row["ids"].as_array().expect("a list").iter();
        let ids: Vec<u64> = ids.map(|id| id.as_str().expect("text").parse().expect("a number")).collect();
        json!([ids, row["count"]])
    });
    assert_eq!(Value::from(sequences.collect::<Vec<_>>()), paper["k_ipf"]);
    assert_eq!(found["forest"], json!({ "k": 4, "nodes": 22, "slab_nodes": 23 }));
    for k in ["1", "2", "3", "4", "5", "11"] {
        let nodes = &function(&["examples/kblpp.json", "--scheme", "k-bl", "--k", k], 0)["forest"]["nodes"];
        assert_eq!(*nodes, paper["k_ipf_node_counts"][k], "k = {k}");
    }
    for (id, path) in spelled(&found["path_list"]).iter().enumerate() {
        assert_eq!(*path, paper["path_ids"][id.to_string()].as_str().expect("text"));
    }
}

/// The program of Figure 4 of Melski and Reps has three calling contexts: main, and pow at either call.
#[test]
fn calling_contexts_of_pow() {
    let result: Value = serde_json::from_str(&text(&["examples/pow.json", "--scheme", "cct"])).expect("JSON");
    let context = |id: u32, site: Value, function: &str, calls: u64| {
        let parent = if site.is_null() { Value::Null } else { json!(0) };
        json!({ "id": id, "parent": parent, "site": site, "function": function, "calls": calls, "recursive": 0 })
    };
    let contexts =
        [context(0, Value::Null, "main", 1), context(1, json!("v6"), "pow", 9), context(2, json!("v10"), "pow", 6)];
    assert_eq!(result["contexts"], json!(contexts));
}

#[test]
fn figure_1_of_roy_and_srikant() {
    let (figure, trace) = (paper("ball-larus-roy-fig1.json"), paper("roy-trace-table2.json"));
    let found = function(&["examples/k-iter.json"], 0);
    assert_eq!(json!(spelled(&found["path_list"])), figure["two_iteration_paths"]);
    for row in found["paths"].as_array().expect("a list") {
        assert_eq!(row["count"], trace["counts"][row["id"].as_str().expect("text")]);
    }
    assert_eq!(found["paths"].as_array().map(Vec::len), Some(4));
    for k in ["1", "2", "3", "4"] {
        let paths = &function(&["examples/k-iter.json", "--scheme", "k-iter", "--k", k], 0)["num_paths"];
        assert_eq!(*paths, figure["number_of_paths"][k].to_string(), "k = {k}");
    }
    // The paper lists them in another order.
    let mut acyclic = spelled(&function(&["examples/k-iter.json", "--scheme", "bl"], 0)["path_list"]);
    acyclic.sort();
    let mut expected: Vec<String> = serde_json::from_value(figure["acyclic_paths"].clone()).expect("names");
    expected.sort();
    assert_eq!(acyclic, expected);
}

#[test]
fn figure_3_of_nandy_gao_and_ferrante() {
    let paper = paper("tfp-fig3.json");
    let body = function(&["examples/tfp.json"], 0)["regions"][0].take();
    assert_eq!(body["places"], json!(["B", "C", "D", "E", "F"]), "bit 0 is that of B");
    let (first, rest) = (&body["windows"][0], &body["rest"]);
    for (window, case) in [(first, &paper["persistent_path"]), (rest, &paper["always_taken"])] {
        assert_eq!(
            (&window["and"], &window["or"], &window["persistent"]),
            (&case["and"], &case["or"], &case["persistent"])
        );
    }
    assert_eq!((&first["path"], &rest["path"]), (&json!(["A", "B", "E", "F"]), &Value::Null));
    assert_eq!((&rest["segments"], &rest["untaken"]), (&json!([["C", "E", "F"]]), &json!(["D"])));
}

#[test]
fn unique_traces_of_zhang_and_gupta() {
    let found = function(&["examples/twpp.json"], 1);
    let rows = found["paths"].as_array().expect("a list");
    let of_three: Vec<&Value> = rows.iter().filter(|row| row["ids"].as_array().map(Vec::len) == Some(3)).collect();
    // f has 3 iterations in each of its 5 calls: sequences of 3 paths are its traces, of which 2 are unique.
    assert_eq!(
        json!(of_three),
        json!([{ "count": 3, "ids": ["4", "0", "1"] }, { "count": 2, "ids": ["6", "2", "3"] }])
    );
    let edges = function(&["examples/twpp.json", "--scheme", "edge"], 0)["edges"].take();
    assert!(edges.as_array().expect("a list").contains(&json!(["5", "2", 4])), "main's loop has 5 iterations");
}

#[test]
fn graphs_with_values() {
    let schemes =
        ["bl", "k-iter", "context", "tfp"].map(|scheme| text(&["examples/kblpp.json", "--scheme", scheme, "--dot"]));
    let pow = ["ip-context", "ip-piecewise"].map(|scheme| text(&["examples/pow.json", "--scheme", scheme, "--dot"]));
    insta::assert_snapshot!(schemes.into_iter().chain(pow).collect::<Vec<_>>().join("\n"));
}
