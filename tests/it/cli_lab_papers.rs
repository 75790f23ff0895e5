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
fn figures_4_to_7_of_zhang_and_gupta() {
    let paper = paper("twpp-figs1-7.json");
    let main = function(&["examples/twpp.json", "--scheme", "wpp"], 0)["traces"].take();
    assert_eq!(main.as_array().map(Vec::len), Some(1));
    let ids: Vec<String> = paper["trace_after_dbb"].as_array().expect("a list").iter().map(Value::to_string).collect();
    assert_eq!(main[0]["trace"], json!(ids));
    assert_eq!(main[0]["dictionary"], json!([["2", "3", "4", "5"]]));
    assert_eq!(main[0]["timestamps"], paper["compacted"]);
    // The two traces of f differ in their dictionaries alone.
    let f = function(&["examples/twpp.json", "--scheme", "wpp"], 1)["traces"].take();
    assert_eq!((&f[0]["calls"], &f[1]["calls"]), (&json!(3), &json!(2)));
    assert_eq!(f[0]["timestamps"], f[1]["timestamps"]);
    assert_ne!(f[0]["dictionary"], f[1]["dictionary"]);
}

/// Series as the paper prints them: `4:28:8`, or `7,23`.
fn printed(words: &Value) -> String {
    let words = words.as_array().expect("a list").iter().map(|word| word.as_i64().expect("a number"));
    let mut out = String::new();
    let mut starts_entry = true;
    for word in words {
        out += if out.is_empty() {
            ""
        } else if starts_entry {
            ","
        } else {
            ":"
        };
        out += &word.abs().to_string();
        starts_entry = word < 0;
    }
    out
}

#[test]
fn timestamps_of_figure_10_of_zhang_and_gupta() {
    let paper = paper("twpp-slicing-fig10.json");
    let found = function(&["examples/twpp-slicing.json"], 0)["traces"].take();
    let blocks: Vec<String> = paper["trace"].as_array().expect("a list").iter().map(Value::to_string).collect();
    assert_eq!(found[0]["blocks"], json!(blocks));
    let of_blocks = found[0]["of_blocks"].as_object().expect("an object").iter();
    let of_blocks: Value = of_blocks.map(|(block, words)| (block.clone(), json!(printed(words)))).collect();
    assert_eq!(of_blocks, paper["timestamps"]);
}

#[test]
fn trace_of_figure_9_of_zhang_and_gupta() {
    let paper = paper("twpp-redundancy-fig9.json");
    let found = function(&["examples/twpp-redundancy.json"], 0);
    let executions = |block: &str| {
        let edges = found["edges"].as_array().expect("a list").iter().filter(|edge| edge[1] == block);
        edges.map(|edge| edge[2].as_u64().expect("a count")).sum::<u64>()
    };
    // 4_Load is executed as often as the paper counts, and each time behind 1_Load of the same iteration.
    assert_eq!((executions("1"), executions("6")), (100, 40));
    assert_eq!(json!(executions("4")), paper["redundant_count"]);
    let blocks = found["traces"][0]["blocks"].as_array().expect("a list");
    assert!(blocks.windows(3).filter(|three| three[2] == "4").all(|three| three[0] == "1" || three[1] == "1"));
    assert!(!found["traces"][0]["timestamps"]["4"].is_null(), "{found}");
}

#[test]
fn graphs_with_values() {
    let schemes =
        ["bl", "k-iter", "context", "tfp"].map(|scheme| text(&["examples/kblpp.json", "--scheme", scheme, "--dot"]));
    let pow = ["ip-context", "ip-piecewise"].map(|scheme| text(&["examples/pow.json", "--scheme", scheme, "--dot"]));
    insta::assert_snapshot!(schemes.into_iter().chain(pow).collect::<Vec<_>>().join("\n"));
}
