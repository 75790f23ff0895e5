//! Traces that the lab reads as streams: the same counts as from a list, activations that are cut, procedures that a scheme refuses.

use holloway_profiler::lab::{
    BlockEvent, BlockStream, Call, Lab, LabError, LabResult, LabScheme, Procedure, evaluate, evaluate_stream,
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
    assert_eq!(across, Err(LabError::Cut("f:x".into())));
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
    for scheme in ["tfp", "k-iter", "context"] {
        let mut lab = program(scheme);
        let edges = serde_json::json!({ "entry": "x", "exit": "w", "successors": { "x": ["y", "z"], "y": ["z", "w"], "z": ["y", "w"], "w": [] } });
        lab.procedures[1].1 = procedure(&edges);
        let stream = numbers(&lab, &trace());
        let result = evaluate_stream(&lab, &stream).unwrap();
        assert!(matches!(result.functions[1].refused, Some(LabError::Irreducible(..))), "{scheme}");
        assert!(result.functions[1].paths.is_empty() && result.functions[1].regions.is_empty());
        assert_eq!(result.functions[0].refused, None);
        let listed = evaluate(&Lab { traces: vec![trace()], ..lab });
        assert!(matches!(listed, Err(LabError::Irreducible(..))), "{scheme}");
    }
}
