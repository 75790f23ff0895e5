//! The lab on the papers' examples, and on invalid inputs.

use holloway_profiler::lab::{Call, Lab, LabError, LabResult, LabScheme, Procedure, evaluate};
use holloway_profiler::scheme::{SCHEMES, Scheme};
use proptest::prelude::*;

use super::common::conformance;

pub(crate) fn procedure(cfg: &serde_json::Value) -> Procedure {
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_string();
    let list = |v: &serde_json::Value| v.as_array().unwrap().iter().map(text).collect();
    Procedure {
        entry: text(&cfg["entry"]),
        exit: text(&cfg["exit"]),
        successors: cfg["successors"].as_object().unwrap().iter().map(|(b, s)| (b.clone(), list(s))).collect(),
        calls: cfg["calls"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(block, call)| {
                (block.clone(), Call { callee: text(&call["callee"]), return_site: text(&call["return_site"]) })
            })
            .collect(),
    }
}

/// A scheme by name, with K where it has one.
fn scheme_of(name: &str, k: u64) -> LabScheme {
    match LabScheme::named(name).unwrap() {
        LabScheme::Registered(scheme) => LabScheme::Registered(scheme.with_k(k).unwrap_or(scheme)),
        other => other,
    }
}

fn lab(scheme: &str, k: u64, procedure: Procedure, traces: &[&str]) -> Lab {
    let traces = traces.iter().map(|t| t.split('-').map(String::from).collect()).collect();
    Lab { scheme: scheme_of(scheme, k), procedures: vec![("f".into(), procedure)], main: "f".into(), traces }
}

fn figure_3(scheme: &str, k: u64) -> LabResult {
    let example = conformance("kblpp-fig3");
    let ids = example["stream"].as_array().unwrap().iter().filter_map(|i| i.as_u64());
    let blocks: Vec<String> = ids.map(|id| example["path_ids"][id.to_string()].as_str().unwrap().to_string()).collect();
    evaluate(&lab(scheme, k, procedure(&example["cfg"]), &[&blocks.join("-")])).unwrap()
}

#[test]
fn every_scheme_on_figure_3() {
    let edges = |result: &LabResult| {
        let edges = &result.functions[0].edges;
        edges.iter().map(|(f, t, n)| format!("{f}{t}:{n}")).collect::<Vec<_>>().join(" ")
    };
    for row in SCHEMES {
        let result = figure_3(row.name, 4);
        assert_eq!(edges(&result), "AB:1 BD:6 BC:8 CE:8 DE:6 EB:13 EF:1");
        let counts_otherwise = matches!(row.name, "k-iter" | "context" | "cct") || row.name.starts_with("ip-");
        if !counts_otherwise {
            assert_eq!(result.functions[0].num_paths, Some(8));
        }
        assert_eq!(Scheme::named(row.name), Some(Scheme::of(row)));
    }
    let example = conformance("kblpp-fig3");
    let k_bl = &figure_3("k-bl", 4).functions[0];
    let expected: Vec<(Vec<u64>, u64)> = serde_json::from_value(example["k_ipf"].clone()).unwrap();
    assert_eq!(k_bl.sequences, expected);
    let size = k_bl.forest.unwrap();
    assert_eq!((size.slab_nodes, size.ipf_nodes), (example["slab_forest"].as_array().unwrap().len(), 22));
    for path in k_bl.path_list.as_ref().unwrap() {
        assert_eq!(path.blocks.join("-"), example["path_ids"][path.id.to_string()].as_str().unwrap());
    }
    let values: Vec<String> = k_bl.values.iter().map(|(f, t, v)| format!("{f}{t}:{v}")).collect();
    assert_eq!(values.join(" "), "AB:4 BD:0 BC:2 CE:0 DE:0 EF:1");
}

#[test]
fn acyclic_paths_and_branch_bits_of_figure_3() {
    let rows = |scheme| {
        let result = figure_3(scheme, 1);
        let mut rows: Vec<String> =
            result.functions[0].paths.iter().map(|r| format!("{} {} {}", r.blocks.join(""), r.count, r.id)).collect();
        rows.sort();
        rows
    };
    assert_eq!(rows("bl"), ["ABCE 1 6", "BCE 6 2", "BCEF 1 3", "BDE 6 0"]);
    assert_eq!(rows("bala"), ["ABCE 1 A:10", "BCE 6 B:10", "BCEF 1 B:11", "BDE 6 B:00"]);
}

/// Two loops, one behind the other: mixed mode, a k for each.
#[test]
fn each_loop_of_the_lab_has_its_k() {
    let edges = [("1", "2"), ("2", "3"), ("3", "2"), ("3", "4"), ("4", "5"), ("5", "4"), ("5", "6")];
    let blocks = ["1", "2", "3", "4", "5", "6"];
    let of = |block: &str| edges.iter().filter(|(from, _)| *from == block).map(|(_, to)| to.to_string()).collect();
    let successors = blocks.iter().map(|block| (block.to_string(), of(block))).collect();
    let procedure = Procedure { entry: "1".into(), exit: "6".into(), successors, ..Procedure::default() };
    let scheme = |loops: &[(&str, u32)]| {
        let loops = loops.iter().map(|(name, k)| (name.to_string(), *k)).collect();
        LabScheme::Mixed(Scheme::named("k-iter").and_then(|scheme| scheme.with_k(1).ok()).unwrap(), loops)
    };
    let result = |loops: &[(&str, u32)]| {
        evaluate(&Lab { scheme: scheme(loops), ..lab("k-iter", 1, procedure.clone(), &["1-2-3-2-3-2-3-4-5-4-5-6"]) })
    };
    let paths = |loops: &[(&str, u32)]| {
        let found = result(loops).unwrap();
        let mut paths: Vec<String> = found.functions[0].paths.iter().map(|row| row.blocks.join("-")).collect();
        paths.sort();
        paths
    };
    assert_eq!(paths(&[("2", 2)]), ["1-2-3-2-3", "2-3-2-3-4-5", "4-5-6"]);
    assert_eq!(paths(&[("2", 2), ("4", 2)]), ["1-2-3-2-3", "2-3-2-3-4-5-4-5-6"]);
    assert_eq!(paths(&[("2", 3), ("4", 1)]), ["1-2-3-2-3-2-3-4-5", "4-5-6"]);
    assert_eq!(
        result(&[("3", 2)]).unwrap_err().to_string(),
        "the block `3` is not the header of a loop with iterations, so that no k can be set for it"
    );
}

/// A loop of 2, 3 and 4 around that of 3 and 4.
fn nest() -> Procedure {
    let edges = [("1", "2"), ("2", "3"), ("3", "4"), ("4", "3"), ("4", "2"), ("4", "5")];
    let blocks = ["1", "2", "3", "4", "5"];
    let of = |block: &str| edges.iter().filter(|(from, _)| *from == block).map(|(_, to)| to.to_string()).collect();
    let successors = blocks.iter().map(|block| (block.to_string(), of(block))).collect();
    Procedure { entry: "1".into(), exit: "5".into(), successors, ..Procedure::default() }
}

/// The inner loop is one node of the outer one's paths.
#[test]
fn a_nest_of_the_lab_is_collapsed() {
    let scheme = Scheme::named("k-iter").and_then(|scheme| scheme.with_k(1).ok()).unwrap();
    let scheme = LabScheme::Mixed(scheme, vec![("2".to_owned(), 2), ("3".to_owned(), 2)]);
    let result = evaluate(&Lab { scheme, ..lab("k-iter", 1, nest(), &["1-2-3-4-3-4-2-3-4-2-3-4-5"]) }).unwrap();
    let function = &result.functions[0];
    let mut paths: Vec<String> =
        function.paths.iter().map(|row| format!("{} {}", row.count, row.blocks.join("-"))).collect();
    paths.sort();
    assert_eq!(paths, ["1 1-2-3-4-2-3-4", "1 2-3-4-2-3-4-5", "1 3-4-3-4", "2 3-4"]);
    assert_eq!(function.num_paths, Some(10));
}

/// Paths span iterations of both loops, and an edge has a weight for each combination.
#[test]
fn a_nest_of_the_lab_is_unrolled() {
    let scheme = Scheme::named("k-iter").and_then(|scheme| scheme.with_k(2).ok()).unwrap();
    let traces = ["1-2-3-4-3-4-2-3-4-2-3-4-5", "1-2-3-4-3"];
    let result = |loops: &[(&str, u32)]| {
        let loops = loops.iter().map(|(name, k)| (name.to_string(), *k)).collect();
        evaluate(&Lab { scheme: LabScheme::Unrolled(scheme, loops), ..lab("k-iter", 2, nest(), &traces) })
    };
    let functions = result(&[]).unwrap().functions;
    let function = &functions[0];
    let mut paths: Vec<String> = function.paths.iter().map(|row| row.blocks.join("-")).collect();
    paths.sort();
    assert_eq!(paths, ["1-2-3-4-3-4-2-3-4", "2-3-4-2-3-4-5"]);
    assert_eq!((function.prefixes.len(), function.prefixes[0].blocks.join("-")), (1, "1-2-3-4-3".to_owned()));
    let unrolled = function.unrolled.as_ref().unwrap();
    assert_eq!((function.num_paths, unrolled.copies, unrolled.most_accumulators), (Some(25), 19, 2));
    let into_outer = unrolled.values.iter().find(|v| (v.from.as_str(), v.to.as_str()) == ("4", "2")).unwrap();
    let iterations: Vec<(Vec<u32>, Option<&str>)> =
        into_outer.values.iter().map(|(i, owes, _)| (i.clone(), owes.as_deref())).collect();
    // On paths that owe iterations of the inner loop there is no such edge.
    let expected = [(vec![1, 1], None), (vec![1, 2], None), (vec![1, 1], Some("2")), (vec![1, 2], Some("2"))];
    assert_eq!(iterations, expected);
    let inner = &result(&[("2", 1)]).unwrap().functions[0];
    let mut paths: Vec<String> = inner.paths.iter().map(|row| row.blocks.join("-")).collect();
    paths.sort();
    assert_eq!(paths, ["1-2-3-4-3-4", "2-3-4", "2-3-4-5"]);
    assert!(result(&[("4", 2)]).is_err(), "no loop has this header");
}

#[test]
fn k_iterations_of_roy_figure_1() {
    let example = conformance("roy-trace-table2");
    let trace = format!("1{}-6", "-2-3-5-2-4-5".repeat(100));
    let result = evaluate(&lab("k-iter", 2, procedure(&example["cfg"]), &[&trace, "1-2-3-5-2-4"])).unwrap();
    let function = &result.functions[0];
    for row in &function.paths {
        assert_eq!(row.count, example["counts"][&row.id].as_u64().unwrap());
    }
    assert_eq!((function.paths.len(), function.num_paths), (4, Some(23)));
    assert_eq!(function.prefixes[0].blocks.join("-"), "1-2-3-5-2-4");
    let listed: Vec<String> = function.path_list.iter().flatten().map(|p| p.blocks.join("-")).collect();
    assert_eq!(serde_json::json!(listed), conformance("ball-larus-roy-fig1")["two_iteration_paths"]);
    let exit = function.iteration_values.iter().find(|v| (v.from.as_str(), v.to.as_str()) == ("4", "6")).unwrap();
    assert_eq!(exit.values, [(6, 1), (2, 0)]);
}

#[test]
fn windows_of_figure_3() {
    let result = figure_3("tfp", 13);
    let [body, inner] = &result.functions[0].regions[..] else { panic!("two regions") };
    assert_eq!((body.header.as_deref(), inner.header.as_deref()), (None, Some("B")));
    assert_eq!(body.places, ["B", "F"]);
    assert_eq!(body.rest.as_ref().unwrap().path.as_ref().unwrap().join(""), "ABF");
    assert_eq!(inner.places, ["D", "C", "E"]);
    let window = &inner.windows[0];
    assert_eq!((window.and.as_str(), window.or.as_str(), window.persistent), ("100", "111", false));
    assert_eq!((window.executions, window.least, window.greatest), (13, 1, 2));
    assert!(window.untaken.is_empty() && window.segments.is_empty());
    assert_eq!(inner.rest, None, "the iteration that leaves the loop is no execution of it");
}

#[test]
fn traces_that_stop_short_leave_prefixes() {
    let cfg = procedure(&conformance("kblpp-fig3")["cfg"]);
    let result = evaluate(&lab("bl", 1, cfg, &["A-B-C-E-B-D", "A-B"])).unwrap();
    let function = &result.functions[0];
    assert_eq!(function.paths.len(), 1);
    let prefixes: Vec<String> =
        function.prefixes.iter().map(|r| format!("{}:{}", r.blocks.join(""), r.count)).collect();
    assert_eq!(prefixes, ["AB:1", "BD:1"]);
    let counts: Vec<u64> = function.edges.iter().map(|e| e.2).collect();
    assert_eq!(counts, [2, 1, 1, 1, 0, 1, 0], "AB BD BC CE DE EB EF");
}

/// Some inputs list the edge from a call to its return site; in others only the call gives it.
#[test]
fn a_call_edge_may_be_listed() {
    let example = conformance("melski-reps-pow");
    let mut main = procedure(&example["procedures"]["main"]);
    main.successors.push(("v6".into(), vec!["v7".into()]));
    let procedures = vec![("main".into(), main), ("pow".into(), procedure(&example["procedures"]["pow"]))];
    let lab = Lab { scheme: scheme_of("edge", 1), procedures, main: "main".into(), traces: Vec::new() };
    assert!(evaluate(&lab).is_ok());
}

fn pow(traces: Vec<Vec<String>>, scheme: &str) -> Result<LabResult, LabError> {
    let example = conformance("melski-reps-pow");
    let procedures = ["main", "pow"].map(|p| (p.to_string(), procedure(&example["procedures"][p]))).to_vec();
    evaluate(&Lab { scheme: scheme_of(scheme, 2), procedures, main: "main".into(), traces })
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

#[test]
fn calls_are_activations_of_their_own() {
    let call = "pow:u1 pow:u2 pow:u3 pow:u4 pow:u5 pow:u3 pow:u7 pow:u8";
    let trace = format!(
        "main:v1 main:v2 main:v3 main:v4 main:v5 main:v6 {call} main:v7 main:v8 main:v9 main:v10 {call} \
         main:v11 main:v12 main:v13 main:v4 main:v15 main:v16"
    );
    let result = pow(vec![words(&trace)], "bl").unwrap();
    let count = |name: &str, from: &str, to: &str| {
        let function = result.functions.iter().find(|f| f.name == name).unwrap();
        function.edges.iter().find(|(f, t, _)| f == from && t == to).unwrap().2
    };
    assert_eq!((count("main", "v6", "v7"), count("pow", "u5", "u3"), count("pow", "u1", "u2")), (1, 2, 2));
    let paths: Vec<u64> = result.functions[1].paths.iter().map(|r| r.count).collect();
    assert_eq!(paths, [2, 2]);
    assert!(result.functions.iter().all(|f| f.prefixes.is_empty()));
}

#[test]
fn an_open_call_aborts_its_callers_in_their_call_blocks() {
    let trace = "main:v1 main:v2 main:v3 main:v4 main:v5 main:v6 pow:u1 pow:u2";
    let result = pow(vec![words(trace)], "bl").unwrap();
    let last = |i: usize| result.functions[i].prefixes[0].blocks.last().unwrap().as_str();
    assert_eq!((last(0), last(1)), ("v6", "u2"));
}

#[test]
fn errors_name_what_is_wrong() {
    let cfg = || procedure(&conformance("kblpp-fig3")["cfg"]);
    let error = |scheme, procedure, traces: &[&str]| evaluate(&lab(scheme, 2, procedure, traces)).unwrap_err();
    let name = String::from;
    assert_eq!(error("bl", cfg(), &["A-B-Q"]), LabError::UnknownBlock(name("Q")));
    assert_eq!(error("bl", cfg(), &["A-B-E"]), LabError::NoEdge(name("B"), name("E")));
    assert_eq!(error("bl", cfg(), &["B-D"]), LabError::WrongStart(name("B")));
    assert_eq!(error("bl", cfg(), &["A-B-D-E-F-A"]), LabError::AfterReturn(name("A")));
    let mut onward = cfg();
    onward.successors.iter_mut().find(|(b, _)| b == "F").unwrap().1.push(name("A"));
    assert_eq!(error("bl", onward, &[]), LabError::ExitHasSuccessor(name("F"), name("A")));
    let mut twice = cfg();
    twice.successors.iter_mut().find(|(b, _)| b == "A").unwrap().1.push(name("B"));
    assert_eq!(error("edge", twice, &[]), LabError::DuplicateEdge(name("A"), name("B")));
    // A second way into the loop, past its header.
    let mut irreducible = cfg();
    irreducible.successors.iter_mut().find(|(b, _)| b == "A").unwrap().1.push(name("E"));
    for scheme in ["tfp", "bl"] {
        assert!(evaluate(&lab(scheme, 2, irreducible.clone(), &["A-E-B-D-E-F"])).is_ok(), "{scheme}");
    }
    assert_eq!(pow(vec![words("main:v1 v2")], "bl"), Err(LabError::UnknownBlock(name("v2"))));
    assert_eq!(pow(vec![words("main:v1 pow:u1")], "bl"), Err(LabError::NoEdge(name("main:v1"), name("pow:u1"))));
    let mut main = lab("bl", 2, cfg(), &[]);
    main.main = name("g");
    assert_eq!(evaluate(&main), Err(LabError::UnknownProcedure(name("g"))));
    assert!(Scheme::named("k-bl").unwrap().with_k(0).is_err());
    assert_eq!(evaluate(&lab("bl", 1, cfg(), &[""])), Err(LabError::UnknownBlock(name(""))));
}

#[test]
fn too_many_paths_are_refused_only_where_ids_are_needed() {
    let mut successors = Vec::new();
    for i in 0..70 {
        successors.push((format!("a{i}"), vec![format!("b{i}"), format!("c{i}")]));
        successors.push((format!("b{i}"), vec![format!("a{}", i + 1)]));
        successors.push((format!("c{i}"), vec![format!("a{}", i + 1)]));
    }
    let wide = Procedure { entry: "a0".into(), exit: "a70".into(), successors, calls: Vec::new() };
    assert_eq!(evaluate(&lab("bl", 1, wide.clone(), &[])), Err(LabError::TooManyPaths("f".into())));
    for scheme in ["edge", "tfp", "bala"] {
        assert_eq!(evaluate(&lab(scheme, 1, wide.clone(), &[])).unwrap().functions[0].num_paths, None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(86))]

    /// Any input gives a result or an error; a trace along edges gives a result.
    #[test]
    fn no_input_panics(
        edges in prop::collection::vec(prop::collection::btree_set(0..6_u8, 0..3), 5),
        ends in (prop_oneof![9 => Just(0_u8), 1 => 0..7_u8], prop_oneof![9 => Just(5_u8), 1 => 0..7_u8]),
        calls in prop::collection::vec((0..5_u8, 0..8_u8, 0..5_u8), 0..2),
        walks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..3),
        scheme in 0..SCHEMES.len(),
        k in 1..4_u64,
    ) {
        let block = |b: u8| format!("b{b}");
        let mut successors: Vec<(String, Vec<String>)> = (0..).zip(&edges)
            .map(|(b, s)| (block(b), s.iter().map(|&to| block(to)).collect())).collect();
        successors.push((block(5), Vec::new()));
        let call = |&(b, p, r): &(u8, u8, u8)| {
            (block(b), Call { callee: format!("p{}", p / 7), return_site: block(r) })
        };
        let procedure =
            Procedure { entry: block(ends.0), exit: block(ends.1), successors, calls: calls.iter().map(call).collect() };
        let one = calls.is_empty();
        let spell = |b: u8| if one { block(b) } else { format!("p0:b{b}") };
        let traces = walks.iter().map(|choices| {
            let mut at = ends.0;
            let mut trace = vec![spell(at)];
            for &choice in choices {
                let ways: Vec<u8> = edges.get(usize::from(at)).into_iter().flatten().copied().collect();
                if choice == 255 {
                    at = 4;
                } else if ways.is_empty() {
                    break;
                } else {
                    at = ways[usize::from(choice) % ways.len()];
                }
                trace.push(spell(at));
            }
            trace
        }).collect();
        let procedures = vec![("p0".into(), procedure)];
        let names: Vec<&str> = SCHEMES.iter().map(|row| row.name).collect();
        let scheme = scheme_of(names[scheme], k);
        let answer = evaluate(&Lab { scheme: scheme.clone(), procedures, main: "p0".into(), traces });
        let plain = one && ends == (0, 5) && walks.iter().flatten().all(|&c| c != 255);
        if plain && !matches!(scheme.name(), "tfp" | "k-iter" | "context") {
            let result = answer.unwrap();
            let entered = result.functions[0].edges.iter().filter(|(_, to, _)| to == "b5").map(|e| e.2).sum::<u64>();
            prop_assert!(entered <= walks.len() as u64);
        }
    }
}
