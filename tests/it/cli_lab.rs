//! `lab` from outside: the paper's program of interprocedural paths, every scheme, and wrong inputs.
//!
//! In: `examples/pow.json`, which docs/lab.md walks through. Out: values and counts compared with the paper's.

use std::path::Path;

use holloway_profiler::scheme::SCHEMES;
use serde_json::{Value, json};

use super::command::{Done, holloway, run, run_with_input};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn paper() -> Value {
    let path = root().join("profiler/tests/conformance/melski-reps-pow.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("JSON")
}

/// The example with other options.
fn example(options: Value) -> Value {
    let text = std::fs::read_to_string(root().join("examples/pow.json")).expect("it is there");
    let mut input: Value = serde_json::from_str(&text).expect("JSON");
    for (key, value) in options.as_object().expect("an object") {
        input[key] = value.clone();
    }
    input
}

fn lab(input: &Value) -> Done {
    run_with_input(holloway(root(), ["lab", "-"]), input.to_string().as_bytes())
}

fn result(options: Value) -> Value {
    let done = lab(&example(options));
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    serde_json::from_str(&done.out).expect("JSON")
}

fn counters(result: &Value) -> Value {
    let paths: u64 = result["num_paths"].as_str().expect("text").parse().expect("a number");
    let rows = result["paths"].as_array().expect("a list");
    let count = |id: u64| {
        rows.iter().find(|row| row["id"].as_str() == Some(&id.to_string())).map_or(json!(0), |row| row["count"].clone())
    };
    (0..paths).map(count).collect()
}

/// `values` and the like of every function, with the last element by the others joined.
fn of_functions(result: &Value, keys: &[&str]) -> Value {
    let mut found = serde_json::Map::new();
    for function in result["functions"].as_array().expect("a list") {
        for row in keys.iter().flat_map(|key| function[key].as_array().expect("a list")) {
            let row = row.as_array().expect("a list");
            let names: Vec<&str> = row.iter().filter_map(Value::as_str).collect();
            found.insert(names.join("->"), row.last().expect("a function").clone());
        }
    }
    Value::Object(found)
}

#[test]
fn context_paths_of_the_paper() {
    let file = run(holloway(root(), ["lab", "examples/pow.json"]));
    assert_eq!((file.status, file.err.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&file.out).expect("JSON");
    let expected = &paper()["context"];
    assert_eq!((&result["scheme"], &result["program"]), (&json!("ip-context"), &json!("examples/pow.json")));
    assert_eq!(result["num_paths"], expected["paths"].to_string());
    assert_eq!(counters(&result), expected["counters"]);
    let mut edges = of_functions(&result, &["values", "surrogates"]);
    edges.as_object_mut().expect("an object").retain(|_, rho| *rho != json!([0, 0]));
    assert_eq!(edges, expected["edge_functions"]);
    let mut vertices = of_functions(&result, &["vertices"]);
    // The paper's names of the vertices GExit, which are no blocks.
    for gexit in ["u6", "v14"] {
        vertices[gexit] = json!([0, 1]);
    }
    assert_eq!(vertices, expected["vertex_functions"]);
    assert_eq!(result["path_list"].as_array().map(Vec::len), Some(36));
}

#[test]
fn piecewise_paths_of_the_paper() {
    let result = result(json!({ "scheme": "ip-piecewise" }));
    let expected = &paper()["piecewise"];
    assert_eq!(counters(&result), expected["counters"]);
    let entries = result["entries"].as_array().expect("a list").iter();
    let entries: serde_json::Map<String, Value> =
        entries.map(|row| (row[0].as_str().expect("a name").to_owned(), row[1].clone())).collect();
    assert_eq!(Value::Object(entries), expected["entry_values"]);
    for function in result["functions"].as_array().expect("a list") {
        let name = function["name"].as_str().expect("a name");
        assert_eq!(function["unbalanced_paths_from_exit"], expected["unbalanced_right_left_paths_from_exit"][name]);
    }
    let last = json!({ "exit": "pow:u8", "call": "main:v10", "return_site": "main:v11", "value": expected["edge_values"]["u8->v11"] });
    assert_eq!(result["returns"][1], last);
    let seventeenth = result["paths"].as_array().expect("a list").iter().find(|row| row["id"] == "17").expect("a path");
    assert_eq!(seventeenth["returns_to"], json!(["main:v6"]));
}

#[test]
fn hybrid_and_context_paths() {
    let listed = result(json!({ "scheme": "ip-hybrid", "cut": ["main:v6"] }));
    assert_eq!((&listed["num_paths"], &listed["cut"]), (&json!("26"), &json!(["main:v6"])));
    let coldest = result(json!({ "scheme": "ip-hybrid", "bits": 5 }));
    assert_eq!((&coldest["bits"], &coldest["cut"]), (&json!(5), &json!(["main:v10"])));
    // The loop of main, and the return site of v6, start paths behind v1; pow has 4 for itself, and 4 at v10.
    let split = result(json!({ "scheme": "ip-hybrid", "cut": ["main:v6"], "at_cut": "split" }));
    assert_eq!((&split["num_paths"], &split["functions"][0]["surrogates"][1][1]), (&json!("23"), &json!("v7")));
    let within = result(json!({ "scheme": "context" }));
    let pow = &within["functions"][1];
    assert_eq!((&pow["num_paths"], &pow["surrogates"]), (&json!("4"), &json!([["u3", "u3", 2]])));
    let row = json!({ "id": "2", "context": ["u1", "u2", "u3"], "blocks": ["u3", "u4", "u5"], "surrogates": [3], "count": 15 });
    assert_eq!(pow["paths"][1], row);
}

#[test]
fn every_scheme_has_edge_counts() {
    for name in SCHEMES.iter().map(|row| row.name) {
        let result = result(json!({ "scheme": name, "k": if name == "k-iter" { 2 } else { 1 } }));
        let back_edge = json!(["u5", "u3", 30]);
        assert!(result["functions"][1]["edges"].as_array().expect("a list").contains(&back_edge), "{name}");
    }
}

#[test]
fn stopped_traces_leave_prefixes() {
    let trace = ["main:v1", "main:v2", "main:v3", "main:v4", "main:v5", "main:v6", "pow:u1"];
    let result = result(json!({ "traces": [trace] }));
    assert_eq!(
        result["prefixes"],
        json!([
            { "id": "0", "block": "pow:u1", "blocks": trace, "context": [], "surrogates": [], "count": 1 }
        ])
    );
}

#[test]
fn wrong_inputs_are_refused_in_a_line() {
    let complaint = |input: &Value| {
        let done = lab(input);
        assert_eq!((done.status, done.out.as_str(), done.err.lines().count()), (65, "", 1));
        done.complaint().to_owned()
    };
    assert_eq!(
        complaint(&example(json!({ "scheme": "ip-pieces" }))),
        "holloway: <stdin>: there is no scheme `ip-pieces`; did you mean `ip-piecewise`?"
    );
    assert_eq!(
        complaint(&example(json!({ "traces": [["main:v1", "main:v4"]] }))),
        "holloway: <stdin>: a trace steps from `main:v1` to `main:v4`, which is no edge"
    );
    assert!(complaint(&example(json!({ "main": "start" }))).ends_with("there is no procedure `start`"));
    assert!(complaint(&json!([])).contains("the input is not as docs/lab.md says"));
    let missing = run(holloway(root(), ["lab", "examples/none.json"]));
    assert_eq!(
        (missing.status, missing.complaint()),
        (66, "holloway: cannot read examples/none.json: there is no such file")
    );
}

/// The options of `ip-hybrid` on the command line are those of the input.
#[test]
fn hybrid_paths_take_their_options_with_the_scheme() {
    let chosen = |options: &str| {
        let args = format!("lab examples/pow.json --scheme {options}");
        run(holloway(root(), args.split(' ')))
    };
    let found = |options: &str| -> Value {
        let result: Value = serde_json::from_str(&chosen(options).out).expect("JSON");
        json!([result["num_paths"], result["bits"], result["cut"]])
    };
    assert_eq!(found("ip-hybrid"), json!(["36", 6, []]));
    assert_eq!(found("ip-hybrid --bits 5"), json!(["22", 5, ["main:v10"]]));
    assert_eq!(found("ip-hybrid --base piecewise"), json!(["21", 5, []]));
    assert_eq!(found("ip-hybrid --base piecewise --bits 4")[1], json!(4));
    let done = chosen("ip-context --bits 5");
    assert!(done.err.contains("`bits` goes with the scheme `ip-hybrid`, not with `ip-context`"), "{}", done.err);
    let done = chosen("ip-hybrid --bits 3");
    assert!(done.err.contains("the procedure `main` has more paths than numbers of 3 bits"), "{}", done.err);
}
