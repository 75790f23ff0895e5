//! Traces that the lab reads as streams: the same counts as from a list, activations that are cut, procedures that a scheme refuses.

use holloway_profiler::lab::{
    BlockEvent, BlockStream, Call, Lab, LabError, LabResult, LabScheme, PathRow, Procedure, evaluate, evaluate_stream,
};
use holloway_profiler::scheme::SCHEMES;

use super::lab::procedure;

struct Stream(Vec<BlockEvent>);

impl BlockStream for Stream {
    fn read(&self, _: u32, each: &mut dyn FnMut(BlockEvent) -> Result<(), LabError>) -> Result<(), LabError> {
        self.0.iter().try_for_each(|&event| each(event))
    }
}

/// Procedures of blocks that are all keys of their successors.
fn numbers(lab: &Lab, trace: &[String]) -> Stream {
    let blocks = lab.procedures.iter().flat_map(|(name, procedure)| {
        let call_blocks = procedure.calls.iter().map(|(block, _)| block);
        let keys = procedure.successors.iter().map(|(block, _)| block);
        let others = call_blocks.filter(|block| procedure.successors.iter().all(|(key, _)| key != *block));
        keys.chain(others).map(move |block| format!("{name}:{block}")).collect::<Vec<_>>()
    });
    let blocks: Vec<String> = blocks.collect();
    let number = |name: &String| blocks.iter().position(|block| block == name).expect("it is a block");
    Stream(trace.iter().map(|name| BlockEvent::Block(number(name) as u32)).collect())
}

/// `main` calls `f` in a loop: `a -> b (calls f) -> c -> a | d`; `f` is `x -> y | z -> w`.
fn program(scheme: &str) -> Lab {
    let text = |text: &str| text.to_string();
    let list = |list: &[(&str, &[&str])]| {
        list.iter().map(|(block, to)| (text(block), to.iter().map(|to| text(to)).collect())).collect()
    };
    let calls = vec![(text("b"), Call { callee: text("f"), return_site: text("c") })];
    let successors = list(&[("a", &["b"]), ("b", &[]), ("c", &["a", "d"]), ("d", &[])]);
    let main = Procedure { entry: text("a"), exit: text("d"), successors, calls };
    let successors = list(&[("x", &["y", "z"]), ("y", &["w"]), ("z", &["w"]), ("w", &[])]);
    let f = Procedure { entry: text("x"), exit: text("w"), successors, calls: Vec::new() };
    let procedures = vec![(text("main"), main), (text("f"), f)];
    Lab { scheme: LabScheme::named(scheme).unwrap(), procedures, main: text("main"), traces: Vec::new() }
}

fn trace() -> Vec<String> {
    let around = |arm: &str| format!("main:a main:b f:x f:{arm} f:w main:c ");
    let all = around("y") + &around("z") + &around("y") + &around("y") + "main:d";
    all.split(' ').map(str::to_string).collect()
}

fn without_lists(mut result: LabResult) -> LabResult {
    for function in &mut result.functions {
        function.path_list = None;
        function.traces.clear();
    }
    if let Some(across) = &mut result.across {
        across.path_list = None;
    }
    result
}

#[test]
fn every_scheme_counts_a_stream_as_it_counts_a_list() {
    for name in SCHEMES.iter().map(|row| row.name) {
        let lab = program(name);
        // Whole, and stopped short in either procedure.
        for length in [trace().len(), 14, 9, 1] {
            let trace = trace()[..length].to_vec();
            let streamed = evaluate_stream(&lab, &numbers(&lab, &trace));
            let listed = evaluate(&Lab { traces: vec![trace], ..lab.clone() });
            assert_eq!(streamed, listed.map(without_lists), "{name}, {length} blocks");
        }
    }
}

#[test]
fn a_cut_activation_leaves_a_prefix_and_its_caller_continues() {
    let lab = program("bl");
    let mut stream = numbers(&lab, &trace());
    // The first call of f ends in x.
    stream.0.splice(3..5, [BlockEvent::Cut]);
    let result = evaluate_stream(&lab, &stream).unwrap();
    let counts = |index: usize| result.functions[index].edges.iter().map(|(.., count)| *count).collect::<Vec<_>>();
    assert_eq!((counts(0), counts(1)), (vec![4, 3, 1, 4], vec![2, 1, 2, 1]), "ab ca cd bc; xy xz yw zw");
    let prefix = &result.functions[1].prefixes[0];
    assert_eq!((prefix.blocks.join(" "), prefix.count), ("x".to_string(), 1));
    let across = evaluate_stream(&program("ip-context"), &stream);
    // The path ends in both, and another one begins at the return site, with the context of `main`.
    let across = across.expect("a failure may be caught").across.expect("paths across calls");
    let rows = |rows: &[PathRow]| -> Vec<String> {
        rows.iter().map(|row| format!("{} | {} x{}", row.context.join(" "), row.blocks.join(" "), row.count)).collect()
    };
    assert_eq!(rows(&across.prefixes), [" | main:a main:b f:x x1"]);
    assert_eq!(rows(&across.paths)[3], "main:a | main:c x1");
    assert_eq!(across.paths.iter().map(|row| row.count).sum::<u64>(), 4);
    let whole = evaluate_stream(&lab, &Stream(vec![BlockEvent::Block(0), BlockEvent::Cut]));
    assert_eq!(whole, Err(LabError::CutMain("main:a".into())));
}

/// A stream of graphs that have three blocks.
struct OfThree(Stream);

impl BlockStream for OfThree {
    fn read(&self, blocks: u32, each: &mut dyn FnMut(BlockEvent) -> Result<(), LabError>) -> Result<(), LabError> {
        assert_eq!(blocks, 3);
        self.0.read(blocks, each)
    }
}

#[test]
fn keys_of_successors_are_numbered_before_other_blocks() {
    let mut lab = program("edge");
    let edges = serde_json::json!({ "entry": "a", "exit": "c", "successors": { "a": ["c", "b"], "b": ["c"] } });
    lab.procedures = vec![("main".into(), procedure(&edges))];
    let result = evaluate_stream(&lab, &OfThree(Stream([0, 1, 2].map(BlockEvent::Block).to_vec()))).unwrap();
    let taken = result.functions[0].edges.iter().filter(|(.., count)| *count == 1);
    let taken: Vec<String> = taken.map(|(from, to, _)| format!("{from}{to}")).collect();
    assert_eq!(taken, ["ab", "bc"]);
}

#[test]
fn faults_of_streams() {
    let lab = program("bl");
    let error = |events: &[BlockEvent]| evaluate_stream(&lab, &Stream(events.to_vec())).unwrap_err();
    assert_eq!(error(&[BlockEvent::Block(8)]), LabError::NoSuchBlock(8));
    assert_eq!(error(&[]), LabError::EmptyStream);
    assert_eq!(error(&[BlockEvent::Cut]), LabError::CutBeforeStart);
    assert_eq!(error(&[BlockEvent::Block(1)]), LabError::WrongStart("main:b".into()));
    let step = error(&[BlockEvent::Block(0), BlockEvent::Block(3)]);
    assert_eq!(step, LabError::NoEdge("main:a".into(), "main:d".into()));
}

#[test]
fn a_procedure_that_a_scheme_refuses_does_not_hold_up_a_program() {
    let refusals = [
        ("k-iter", LabError::TooManyPaths("f".into())),
        ("context", LabError::PastNumbers { of: "f".into(), bits: 128 }),
    ];
    for (scheme, refusal) in refusals {
        let mut lab = with_large_procedure(scheme);
        lab.procedures[1].1.calls.clear();
        let trace = "main:a main:b main:c main:d".split(' ').map(str::to_string).collect::<Vec<_>>();
        let result = evaluate_stream(&lab, &numbers(&lab, &trace)).unwrap();
        assert_eq!(result.functions[1].refused, Some(refusal.clone()), "{scheme}");
        assert!(result.functions[1].paths.is_empty());
        assert_eq!(result.functions[0].refused, None);
        assert_eq!(evaluate(&Lab { traces: vec![trace], ..lab }), Err(refusal), "{scheme}");
    }
}

/// `main` calls `f` with more paths than numbers, which calls `g`.
fn with_large_procedure(scheme: &str) -> Lab {
    let mut lab = program(scheme);
    let text = |text: &str| text.to_string();
    let mut successors = vec![(text("x"), vec![text("a0")])];
    for at in 0..130 {
        let (from, arm, to) = (format!("a{at}"), format!("b{at}"), format!("a{}", at + 1));
        successors.extend([(from, vec![arm.clone(), to.clone()]), (arm, vec![to])]);
    }
    successors.extend([(text("a130"), vec![text("w")]), (text("w"), vec![])]);
    let calls = vec![(text("x"), Call { callee: text("g"), return_site: text("a0") })];
    lab.procedures[1].1 = Procedure { entry: text("x"), exit: text("w"), successors, calls };
    let successors = vec![(text("p"), vec![text("q"), text("r")]), (text("q"), vec![text("r")]), (text("r"), vec![])];
    let leaf = Procedure { entry: text("p"), exit: text("r"), successors, calls: Vec::new() };
    lab.procedures.push((text("g"), leaf));
    lab
}

#[test]
fn a_procedure_with_too_many_paths_does_not_hold_up_the_program() {
    let through: String = (0..=130).map(|at| format!("f:a{at} ")).collect();
    let around = |leaf: &str| format!("main:a main:b f:x {leaf} {through}f:w main:c ");
    let all = around("g:p g:q g:r") + &around("g:p g:r") + &around("g:p g:r") + "main:d";
    let trace: Vec<String> = all.split(' ').map(str::to_string).collect();
    for (scheme, bits) in [("ip-hybrid", 64), ("ip-context", 128), ("ip-piecewise", 128)] {
        let lab = with_large_procedure(scheme);
        let past = LabError::PastNumbers { of: "f".into(), bits };
        assert_eq!(evaluate(&Lab { traces: vec![trace.clone()], ..lab.clone() }), Err(past.clone()), "{scheme}");
        let result = evaluate_stream(&lab, &numbers(&lab, &trace)).expect("the others have paths");
        let refused: Vec<Option<LabError>> = result.functions.iter().map(|f| f.refused.clone()).collect();
        assert_eq!(refused, [None, Some(past), None], "{scheme}");
        let across = result.across.expect("paths across calls");
        let mut paths: Vec<(String, u64)> = across.paths.iter().map(|row| (row.blocks.join(" "), row.count)).collect();
        paths.sort();
        let expected = [
            ("g:p g:q g:r", 1),
            ("g:p g:r", 2),
            ("main:a main:b main:c", 1),
            ("main:a main:b main:c", 1),
            ("main:a main:b main:c main:d", 1),
        ];
        let expected = expected.map(|(path, count)| (path.to_owned(), count));
        // The path from the entry and that behind the back edge are two of context paths.
        assert_eq!(paths, expected, "{scheme}");
    }
}
