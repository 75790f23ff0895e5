//! The lab's interprocedural and context paths: the paper's program, recursion, cut call sites, and invalid inputs.
//!
//! In: procedures and traces in names of blocks. Out: results compared with the paper's, and with what is worked by hand.

use holloway_profiler::lab::{
    Call, CutSites, FunctionResult, Lab, LabError, LabResult, LabScheme, PathRow, Procedure, Remedy, evaluate,
};
use holloway_profiler::number::interprocedural::{AtCut, Base};
use serde_json::{Value, json};

use super::common::conformance;
use super::lab::procedure;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

/// The trace of the program of Figure 4.
fn pow_trace() -> Vec<String> {
    let call = "pow:u1 pow:u2 pow:u3 pow:u4 pow:u5 pow:u3 pow:u4 pow:u5 pow:u3 pow:u7 pow:u8";
    let mut trace = String::from("main:v1 main:v2 main:v3 main:v4");
    for i in 1..=18 {
        trace += " main:v5";
        if i % 2 == 0 {
            trace += &format!(" main:v6 {call} main:v7 main:v8");
        }
        trace += " main:v9";
        if i % 3 == 0 {
            trace += &format!(" main:v10 {call} main:v11 main:v12");
        }
        trace += " main:v13 main:v4";
    }
    words(&(trace + " main:v15 main:v16"))
}

fn pow(scheme: LabScheme, traces: Vec<Vec<String>>) -> Result<LabResult, LabError> {
    let example = conformance("melski-reps-pow");
    let procedures = ["main", "pow"].map(|p| (p.to_string(), procedure(&example["procedures"][p]))).to_vec();
    evaluate(&Lab { scheme, procedures, main: "main".into(), traces })
}

fn named(name: &str) -> LabScheme {
    LabScheme::named(name).unwrap()
}

fn hybrid(base: Base, cut: &[&str]) -> LabScheme {
    LabScheme::Interprocedural {
        base,
        cut: CutSites::Listed(cut.iter().map(|s| s.to_string()).collect()),
        at_cut: AtCut::Aside,
    }
}

/// One counter for each number, as the paper prints them.
fn counters(num_paths: u128, rows: &[PathRow]) -> Value {
    let count = |id: u128| rows.iter().find(|row| row.id == id.to_string()).map_or(0, |row| row.count);
    json!((0..num_paths).map(count).collect::<Vec<_>>())
}

fn spelled(row: &PathRow) -> String {
    format!("{} / {} x{}", row.context.join(" "), row.blocks.join(" "), row.count)
}

#[test]
fn context_paths_of_pow() {
    let expected = &conformance("melski-reps-pow")["context"];
    let result = pow(named("ip-context"), vec![pow_trace()]).unwrap();
    let across = result.across.as_ref().unwrap();
    assert_eq!((json!(across.num_paths as u64), across.bits), (expected["paths"].clone(), 6));
    assert_eq!(counters(across.num_paths, &across.paths), expected["counters"]);
    let (mut edges, mut vertices) = (serde_json::Map::new(), serde_json::Map::new());
    for linear in result.functions.iter().map(|function| function.linear.as_ref().unwrap()) {
        let all = linear.rho.iter().chain(&linear.surrogates);
        edges.extend(all.map(|(from, to, (a, b))| (format!("{from}->{to}"), json!([*a as u64, *b as u64]))));
        vertices.extend(linear.psi.iter().map(|(block, (a, b))| (block.clone(), json!([*a as u64, *b as u64]))));
    }
    edges.retain(|_, function| *function != json!([0, 0]));
    assert_eq!(Value::Object(edges), expected["edge_functions"]);
    for (vertex, function) in expected["vertex_functions"].as_object().unwrap() {
        // The vertices `GExit` are no blocks.
        let is_gexit = ["v14", "u6"].contains(&vertex.as_str());
        assert_eq!(vertices.get(vertex), Some(function).filter(|_| !is_gexit));
    }
    let list = across.path_list.as_ref().unwrap();
    assert_eq!(list.len(), 36);
    let last = &list[35];
    assert_eq!((last.context.join(" "), last.blocks.join(" ")), ("main:v1".into(), "main:v4 main:v15 main:v16".into()));
    let nested = across.paths.iter().find(|row| row.id == "25").unwrap();
    assert_eq!(
        spelled(nested),
        "main:v1 main:v4 main:v5 main:v6 pow:u1 / pow:u3 pow:u7 pow:u8 main:v7 main:v8 main:v9 main:v10 pow:u1 pow:u2 \
         pow:u3 pow:u4 pow:u5 x3"
    );
    assert_eq!(nested.surrogates, [1, 5]);
    assert!(across.return_values.is_empty() && across.prefixes.is_empty() && across.cut.is_empty());
}

#[test]
fn piecewise_paths_of_pow() {
    let expected = &conformance("melski-reps-pow")["piecewise"];
    let result = pow(named("ip-piecewise"), vec![pow_trace()]).unwrap();
    let across = result.across.as_ref().unwrap();
    assert_eq!((json!(across.num_paths as u64), across.bits), (expected["paths"].clone(), 5));
    assert_eq!(counters(across.num_paths, &across.paths), expected["counters"]);
    let entries: serde_json::Map<String, Value> =
        across.entry_values.iter().map(|(name, value)| (name.clone(), json!(*value as u64))).collect();
    assert_eq!(Value::Object(entries), expected["entry_values"]);
    for function in &result.functions {
        let paths = function.linear.as_ref().unwrap().unbalanced_paths_from_exit.unwrap();
        assert_eq!(json!(paths as u64), expected["unbalanced_right_left_paths_from_exit"][&function.name]);
    }
    let values: Vec<String> =
        across.return_values.iter().map(|v| format!("{}->{} {}", v.exit, v.return_site, v.value)).collect();
    assert_eq!(values, ["pow:u8->main:v7 0", "pow:u8->main:v11 3"]);
    assert_eq!(expected["edge_values"]["u8->v11"], 3);
    let row = across.paths.iter().find(|row| row.id == "17").unwrap();
    assert_eq!(
        spelled(row),
        " / pow:u3 pow:u7 pow:u8 main:v7 main:v8 main:v9 main:v10 pow:u1 pow:u2 pow:u3 pow:u4 pow:u5 x3"
    );
    assert_eq!((&row.returns_to[..], &row.surrogates[..]), (&["main:v6".to_string()][..], &[0][..]));
}

/// Example 8.1: at one call site `pow` is profiled for itself, at the other within the paths of main.
#[test]
fn one_call_site_of_pow_is_cut() {
    let result = pow(hybrid(Base::Context, &["main:v6"]), vec![pow_trace()]).unwrap();
    let across = result.across.as_ref().unwrap();
    assert_eq!((result.scheme.name(), &across.cut[..]), ("ip-hybrid", &["main:v6".to_string()][..]));
    // Without the cut there were 36: the copy of pow behind `v6` is now that of all calls from there.
    let entry_pow = across.entry_values.iter().find(|(name, _)| name == "Entry_pow").unwrap().1;
    assert_eq!((entry_pow, across.num_paths), (22, 26));
    let own: Vec<String> =
        across.paths.iter().filter(|row| row.id.parse::<u128>().unwrap() >= entry_pow).map(spelled).collect();
    assert_eq!(
        own,
        [
            " / pow:u1 pow:u2 pow:u3 pow:u4 pow:u5 x9",
            "pow:u1 / pow:u3 pow:u4 pow:u5 x9",
            "pow:u1 / pow:u3 pow:u7 pow:u8 x9"
        ]
    );
    // All call sites cut: the paths are those within procedures.
    let all = pow(hybrid(Base::Piecewise, &["main:v6", "main:v10"]), vec![pow_trace()]).unwrap().across.unwrap();
    assert_eq!(all.num_paths, 2 * (4 + 1) + 2 * 2);
    assert!(
        all.paths.iter().all(|row| row.blocks.iter().all(|b| b.split(':').next() == row.blocks[0].split(':').next()))
    );
}

#[test]
fn the_coldest_call_site_of_pow_is_cut() {
    let coldest = |base, bits| {
        let scheme = LabScheme::Interprocedural { base, cut: CutSites::Coldest { bits }, at_cut: AtCut::Aside };
        pow(scheme, vec![pow_trace()]).map(|result| result.across.unwrap())
    };
    // The call in `v6` is executed 9 times, that in `v10` 6 times.
    for base in [Base::Context, Base::Piecewise] {
        assert!(coldest(base, 6).unwrap().cut.is_empty());
    }
    let one = coldest(Base::Context, 5).unwrap();
    assert_eq!((&one.cut[..], one.bits), (&["main:v10".to_string()][..], 5));
    assert_eq!(coldest(Base::Piecewise, 4).unwrap().bits, 4);
    let error = coldest(Base::Context, 3).unwrap_err();
    assert_eq!(error, LabError::PastNumbers { of: None, bits: 3, remedy: Some(Remedy::MoreBits(128)) });
}

/// `fact(n)`: calls itself until n is 0.
fn recursive() -> Vec<(String, Procedure)> {
    let list = |pairs: &[(&str, &[&str])]| {
        pairs.iter().map(|(b, s)| (b.to_string(), s.iter().map(|s| s.to_string()).collect())).collect()
    };
    let call = |site: &str| Call { callee: "fact".into(), return_site: site.into() };
    let main = Procedure {
        entry: "a".into(),
        exit: "b".into(),
        successors: list(&[("b", &[])]),
        calls: vec![("a".into(), call("b"))],
    };
    let fact = Procedure {
        entry: "n".into(),
        exit: "x".into(),
        successors: list(&[("n", &["c", "x"]), ("r", &["x"]), ("x", &[])]),
        calls: vec![("c".into(), call("r"))],
    };
    vec![("main".into(), main), ("fact".into(), fact)]
}

fn of_recursive(scheme: &str, trace: &str) -> LabResult {
    let traces = vec![words(trace)];
    evaluate(&Lab { scheme: named(scheme), procedures: recursive(), main: "main".into(), traces }).unwrap()
}

#[test]
fn a_recursive_call_puts_the_path_aside() {
    let trace = "main:a fact:n fact:c fact:n fact:c fact:n fact:x fact:r fact:x fact:r fact:x main:b";
    for scheme in ["ip-context", "ip-piecewise"] {
        let result = of_recursive(scheme, trace);
        let across = result.across.as_ref().unwrap();
        assert_eq!((&across.recursive[..], across.num_paths), (&["fact:c".to_string()][..], 4));
        assert_eq!(across.entry_values, [("Entry_main".to_string(), 0), ("Entry_fact".to_string(), 2)]);
        let rows: Vec<String> = across.paths.iter().map(spelled).collect();
        assert_eq!(
            rows,
            [
                " / main:a fact:n fact:c fact:r fact:x main:b x1",
                " / fact:n fact:c fact:r fact:x x1",
                " / fact:n fact:x x1"
            ]
        );
        let enters: Vec<u128> = result.functions.iter().map(|f| f.linear.as_ref().unwrap().max_enters).collect();
        assert_eq!(enters, [1, 1]);
    }
}

/// The variant of section 9.2.1, in which no path is ever pending.
#[test]
fn a_recursive_call_may_split_the_path() {
    let of = |base, trace: &str| {
        let scheme = LabScheme::Interprocedural { base, cut: CutSites::Recursive, at_cut: AtCut::Split };
        let traces = vec![words(trace)];
        evaluate(&Lab { scheme, procedures: recursive(), main: "main".into(), traces }).unwrap().across.unwrap()
    };
    let rows = |rows: &[PathRow]| rows.iter().map(spelled).collect::<Vec<_>>();
    let trace = "main:a fact:n fact:c fact:n fact:c fact:n fact:x fact:r fact:x fact:r fact:x main:b";
    let own = [" / main:a fact:n fact:c x1", " / fact:n fact:c x1", " / fact:n fact:x x1"];
    let context = of(Base::Context, trace);
    let behind = ["main:a fact:n / fact:r fact:x main:b x1", "fact:n / fact:r fact:x x1"];
    assert_eq!(
        (context.num_paths, rows(&context.paths)),
        (6, vec![own[0].into(), behind[0].into(), own[1].into(), own[2].into(), behind[1].into()])
    );
    let piecewise = of(Base::Piecewise, trace);
    let behind = [" / fact:r fact:x x1", " / fact:r fact:x main:b x1"];
    assert_eq!(
        (piecewise.num_paths, rows(&piecewise.paths)),
        (6, own.iter().chain(&behind).map(|row| row.to_string()).collect())
    );
    let stopped = of(Base::Context, "main:a fact:n fact:c fact:n fact:x");
    assert_eq!((rows(&stopped.paths), stopped.prefixes.len()), (vec![own[0].into(), own[2].into()], 0));
}

#[test]
fn open_paths_are_prefixes() {
    let across = of_recursive("ip-context", "main:a fact:n fact:c fact:n fact:c fact:n").across.unwrap();
    let rows: Vec<String> = across.prefixes.iter().map(spelled).collect();
    assert_eq!(rows, [" / main:a fact:n fact:c x1", " / fact:n x1", " / fact:n fact:c x1"]);
    assert!(across.paths.is_empty());
    // In the middle of a loop a prefix has a context.
    let trace = words("main:v1 main:v2 main:v3 main:v4 main:v5 main:v6 pow:u1 pow:u2 pow:u3 pow:u4 pow:u5 pow:u3");
    let across = pow(named("ip-context"), vec![trace]).unwrap().across.unwrap();
    let rows: Vec<String> = across.prefixes.iter().map(spelled).collect();
    assert_eq!(rows, ["main:v1 main:v2 main:v3 main:v4 main:v5 main:v6 pow:u1 / pow:u3 x1"]);
}

#[test]
fn context_paths_within_procedures() {
    let result = pow(named("context"), vec![pow_trace()]).unwrap();
    assert!(result.across.is_none());
    let rows = |function: &FunctionResult| function.paths.iter().map(spelled).collect::<Vec<_>>();
    let [main, pow] = &result.functions[..] else { panic!("two procedures") };
    assert_eq!((main.num_paths, pow.num_paths), (Some(10), Some(4)));
    assert_eq!(rows(pow), [" / u1 u2 u3 u4 u5 x15", "u1 u2 u3 / u3 u4 u5 x15", "u1 u2 u3 / u3 u7 u8 x15"]);
    assert_eq!(rows(main).last().unwrap(), "v1 v2 v3 v4 / v4 v15 v16 x1");
    assert_eq!((&pow.surrogate_values[..], pow.path_list.as_ref().unwrap().len()), (&[("u3".to_string(), 2)][..], 4));
    let stopped =
        super::lab_calls::pow(named("context"), vec![words("main:v1 main:v2 main:v3 main:v4 main:v5")]).unwrap();
    assert_eq!(
        rows(&FunctionResult { paths: stopped.functions[0].prefixes.clone(), ..FunctionResult::default() }),
        [" / v1 v2 v3 v4 v5 x1"]
    );
}

#[test]
fn errors_name_what_is_wrong() {
    let text = |result: Result<LabResult, LabError>| result.unwrap_err().to_string();
    let skipped = vec![words("main:v1 main:v2 main:v3 main:v4 main:v5 main:v6 main:v7")];
    assert_eq!(
        text(pow(named("ip-context"), skipped.clone())),
        "a trace passes over the call in `main:v6` to `main:v7`; the scheme needs the callee's blocks"
    );
    assert!(pow(named("context"), skipped).is_ok());
    let error = text(pow(hybrid(Base::Context, &["main:v5"]), Vec::new()));
    assert_eq!(error, "the block `main:v5` calls nothing, so it is no call site to cut");
    assert_eq!(text(pow(hybrid(Base::Context, &["v6"]), Vec::new())), "there is no block `v6`");
    let mut procedures = recursive();
    procedures[1].1.successors.push(("c".into(), vec!["x".into()]));
    let branching = Lab { scheme: named("ip-context"), procedures, main: "main".into(), traces: Vec::new() };
    assert_eq!(text(evaluate(&branching)), "the call block `fact:c` has another successor than its return site");
    let mut procedures = recursive();
    procedures[1].1.successors = vec![("n".into(), vec!["p".into(), "q".into()]), ("p".into(), vec!["q".into()])];
    procedures[1].1.successors.extend([("q".to_string(), vec!["p".to_string(), "x".to_string()])]);
    let two_entries = |scheme: &str| Lab {
        scheme: named(scheme),
        procedures: vec![("f".into(), Procedure { calls: Vec::new(), ..procedures[1].1.clone() })],
        main: "f".into(),
        traces: Vec::new(),
    };
    assert!(matches!(evaluate(&two_entries("context")), Err(LabError::Irreducible(..))));
    assert!(evaluate(&two_entries("ip-piecewise")).is_ok());
}

/// Sections 5 and 6 need no reducible graphs: back edges are those of a depth-first search. f: n leads to p and to q, which lead to each other.
#[test]
fn a_loop_with_two_entries_has_paths_across_calls() {
    let mut procedures = recursive();
    procedures[0].1.calls[0].1.callee = "f".into();
    let list = |pairs: &[(&str, &[&str])]| {
        pairs.iter().map(|(b, s)| (b.to_string(), s.iter().map(|s| s.to_string()).collect())).collect()
    };
    let successors = list(&[("n", &["p", "q"]), ("p", &["q"]), ("q", &["p", "x"]), ("x", &[])]);
    procedures[1] = ("f".into(), Procedure { successors, calls: Vec::new(), ..procedures[1].1.clone() });
    let of = |scheme: &str| {
        let traces = vec![words("main:a f:n f:q f:p f:q f:x main:b")];
        let lab = Lab { scheme: named(scheme), procedures: procedures.clone(), main: "main".into(), traces };
        let across = evaluate(&lab).unwrap().across.unwrap();
        assert_eq!(across.path_list.map(|list| list.len() as u128), Some(across.num_paths));
        (across.num_paths, across.paths.iter().map(spelled).collect::<Vec<_>>())
    };
    // From n by p or directly to q, and there the back edge or x; behind the back edge again either.
    let behind = ["main:a f:n / f:p f:q f:x main:b x1", " / f:p f:q f:x main:b x1"];
    for (scheme, behind) in ["ip-context", "ip-piecewise"].into_iter().zip(behind) {
        assert_eq!(of(scheme), (6, vec![" / main:a f:n f:q x1".to_string(), behind.to_string()]), "{scheme}");
    }
}

#[test]
fn numbers_past_64_bits_have_no_list() {
    let mut successors = Vec::new();
    for i in 0..130 {
        successors.push((format!("a{i}"), vec![format!("b{i}"), format!("a{}", i + 1)]));
        successors.push((format!("b{i}"), vec![format!("a{}", i + 1)]));
    }
    let wide = |length: usize| {
        let successors = successors[..2 * length].to_vec();
        Procedure { entry: "a0".into(), exit: format!("a{length}"), successors, calls: Vec::new() }
    };
    let lab = |scheme, length| {
        let trace: Vec<String> = (0..=length).map(|i| format!("a{i}")).collect();
        evaluate(&Lab { scheme, procedures: vec![("f".into(), wide(length))], main: "f".into(), traces: vec![trace] })
    };
    let across = lab(named("ip-context"), 100).unwrap().across.unwrap();
    assert_eq!((across.num_paths, across.bits, across.path_list), (1 << 100, 100, None));
    assert_eq!(across.paths[0].id, ((1_u128 << 100) - 1).to_string());
    assert_eq!(across.paths[0].blocks.len(), 101);
    let own = &lab(named("context"), 100).unwrap().functions[0];
    assert_eq!((own.num_paths, own.paths[0].blocks.len()), (Some(1 << 100), 101));
    let past = |of: Option<&str>| Err(LabError::PastNumbers { of: of.map(String::from), bits: 128, remedy: None });
    assert_eq!(lab(named("ip-piecewise"), 130).map(|_| ()), past(None));
    assert_eq!(lab(named("context"), 130).map(|_| ()), past(Some("f")));
    // Nothing is called, so no cut helps.
    let error = lab(named("ip-hybrid"), 100).map(|_| ()).expect_err("it has more paths");
    assert_eq!(error, LabError::PastNumbers { of: None, bits: 64, remedy: Some(Remedy::MoreBits(128)) });
    assert_eq!(
        error.to_string(),
        "the program has more interprocedural paths than numbers of 64 bits even where no path crosses a call; \
         allow them more `bits`, at most 128"
    );
}
