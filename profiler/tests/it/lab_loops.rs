//! Loops of the lab that are not told apart by a header alone: several with one header, and those with several entries.
//!
//! In: figure 8 of [RS09], and graphs that are not reducible. Out: the paper's number of paths; counts by schemes that need reducible graphs,
//! whose edges add up to those of the graph as it was given.

use std::collections::{BTreeMap, BTreeSet};

use holloway_profiler::lab::{Lab, LabError, LabResult, LabScheme, evaluate};
use holloway_profiler::scheme::Scheme;
use serde_json::json;

use super::lab::procedure;

fn lab(scheme: LabScheme, body: &serde_json::Value, trace: &str) -> Result<LabResult, LabError> {
    let traces = vec![trace.split(' ').map(str::to_owned).collect()];
    evaluate(&Lab { scheme, procedures: vec![("f".into(), procedure(body))], main: "f".into(), traces })
}

/// Figure 8 of [RS09]: L1 of 2 and 3, L2 of 4 and 5, and L3 of 4, 5 and 6.
fn figure_8() -> serde_json::Value {
    json!({ "entry": "1", "exit": "7", "successors": {
        "1": ["2"], "2": ["3"], "3": ["2", "4"], "4": ["5"], "5": ["4", "6"], "6": ["4", "7"], "7": [],
    } })
}

fn mixed(loops: &[(&str, u32)]) -> LabScheme {
    let scheme = Scheme::named("k-iter").and_then(|scheme| scheme.with_k(2).ok()).expect("it takes k");
    LabScheme::Mixed(scheme, loops.iter().map(|(name, k)| ((*name).to_owned(), *k)).collect())
}

#[test]
fn loops_that_share_a_header_are_told_apart_by_a_back_edge() {
    let trace = "1 2 3 2 3 4 5 4 5 6 4 5 6 7";
    let paths =
        |loops: &[(&str, u32)]| lab(mixed(loops), &figure_8(), trace).map(|result| result.functions[0].num_paths);
    assert_eq!(paths(&[]), Ok(Some(29)), "one loop of 4, 5 and 6");
    assert_eq!(paths(&[("6->4", 1)]), Ok(Some(22)), "L3 acyclic, as the paper has it");
    assert_eq!(paths(&[("6->4", 1), ("4", 2), ("2", 1)]).map(|paths| paths.is_some_and(|paths| paths < 22)), Ok(true));
    let result = lab(mixed(&[("6->4", 1)]), &figure_8(), trace).expect("it is numbered");
    let list = result.functions[0].path_list.as_ref().expect("there are few");
    let distinct: BTreeSet<String> = list.iter().map(|path| path.blocks.join(" ")).collect();
    assert_eq!(distinct.len(), 22);
    let taken: Vec<(String, u64)> =
        result.functions[0].paths.iter().map(|row| (row.blocks.join(" "), row.count)).collect();
    assert_eq!(taken, [("1 2 3 2 3 4 5 4 5 6".to_owned(), 1), ("4 5 6 7".to_owned(), 1)]);
    // What is within the other loop of its header, what is no back edge, and more than one iteration.
    for (wrong, k) in [("5->4", 1), ("3->4", 1), ("6->4", 2), ("6->9", 1)] {
        assert!(paths(&[(wrong, k)]).is_err(), "{wrong}");
    }
}

/// A loop of `b` and `c` that both are entered, in a loop with the header `h`.
fn two_entries() -> serde_json::Value {
    json!({ "entry": "a", "exit": "z", "successors": {
        "a": ["h"], "h": ["b", "c"], "b": ["c", "d"], "c": ["b"], "d": ["h", "z"], "z": [],
    } })
}

#[test]
fn irreducible_graphs_get_copies_of_blocks() {
    let trace = "a h b c b d h c b c b d h b d z";
    let edges = |scheme: LabScheme| {
        let result = lab(scheme, &two_entries(), trace).expect("it is made reducible");
        let mut sums: BTreeMap<(String, String), u64> = BTreeMap::new();
        let origin = |name: &String| name.split('~').next().unwrap_or(name).to_owned();
        for (from, to, count) in &result.functions[0].edges {
            *sums.entry((origin(from), origin(to))).or_default() += count;
        }
        (sums, result)
    };
    let named = |name| LabScheme::named(name).expect("there is such a scheme");
    let (as_given, _) = edges(named("edge"));
    assert_eq!(as_given.values().sum::<u64>(), 15);
    for scheme in [named("context"), named("k-iter"), named("tfp"), mixed(&[])] {
        let what = scheme.name();
        let (sums, result) = edges(scheme);
        assert_eq!(sums, as_given, "{what}");
        let copies = result.functions[0].blocks.iter().filter(|block| block.contains('~')).count();
        assert!(copies > 0, "{what}");
    }
    let (_, result) = edges(named("bl"));
    assert!(result.functions[0].blocks.iter().all(|block| !block.contains('~')), "it needs no copies");
    // Four back edges and the end.
    let (_, result) = edges(named("context"));
    let executions: u64 = result.functions[0].paths.iter().map(|row| row.count).sum();
    assert_eq!(executions, 5, "{:?}", result.functions[0].paths);
}
