//! Imports: a program with callbacks, calls through pointers and recursion; random executions; cut activations; files that are wrong.

use std::io::{self, Cursor};

use holloway_profiler::lab::{BlockEvent, BlockStream, LabError, LabResult, evaluate_stream};

use super::raw_trace::{RawEvent, RawTrace};
use super::walk::{Place, Walk, WalkError};
use super::write::{Blocks, TraceWriter};
use super::{Graphs, Observed};
use crate::lab::llvm::{Callee, End, Module, parse};
use crate::lab::{SchemeChoice, input};

const TINY: &str = include_str!("../../../../../tests/data/tiny.ll");
const TRACE: &[u8] = include_bytes!("../../../../../tests/data/tiny.trace");

/// The lab's blocks of a trace, in memory.
#[derive(Default)]
struct Kept(Vec<BlockEvent>);

impl TraceWriter for Kept {
    fn block(&mut self, number: u32) -> io::Result<()> {
        self.0.push(BlockEvent::Block(number));
        Ok(())
    }

    fn cut(&mut self) -> io::Result<()> {
        self.0.push(BlockEvent::Cut);
        Ok(())
    }
}

impl BlockStream for Kept {
    fn read(&self, _: u32, each: &mut dyn FnMut(BlockEvent) -> Result<(), LabError>) -> Result<(), LabError> {
        self.0.iter().try_for_each(|&event| each(event))
    }
}

fn tiny_events() -> Vec<RawEvent> {
    let checksum = crate::lab::checksum::cksum(TINY.as_bytes());
    let mut trace = RawTrace::open(TRACE, checksum, 20).expect("a trace");
    std::iter::from_fn(|| trace.next().expect("an event")).collect()
}

fn main_of(module: &Module) -> usize {
    module.functions.iter().position(|function| function.name == "main").expect("it has one")
}

fn imported(module: &Module, events: &[RawEvent]) -> Result<(Graphs, Kept), WalkError> {
    let mut observed = Observed::default();
    let mut walk = Walk::new(module, main_of(module));
    events.iter().try_for_each(|&event| walk.step(event, &mut observed).expect("it is memory"))?;
    walk.finish(&mut observed).expect("it is memory");
    let graphs = Graphs::new(module, main_of(module), &observed);
    let (mut kept, mut walk) = (Kept::default(), Walk::new(module, main_of(module)));
    let mut blocks = Blocks::new(&graphs, &mut kept);
    events.iter().try_for_each(|&event| walk.step(event, &mut blocks).expect("it is memory"))?;
    walk.finish(&mut blocks).expect("it is memory");
    Ok((graphs, kept))
}

/// The blocks in names, separated by blanks.
fn names(module: &Module, (graphs, kept): &(Graphs, Kept)) -> String {
    let name = |event: &BlockEvent| match event {
        BlockEvent::Block(number) => graphs.name(module, *number),
        BlockEvent::Cut => "CUT".to_owned(),
    };
    kept.0.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn evaluated(module: &Module, (graphs, kept): &(Graphs, Kept), scheme: &str) -> LabResult {
    let text = graphs.json_head(module) + "}";
    let choice = SchemeChoice { name: scheme.to_owned(), k: None, base: None, bits: None };
    let input = input::read(text.as_bytes(), Some(&choice)).expect("an input");
    evaluate_stream(&input.lab, &Numbered { kept, blocks: graphs.blocks() }).expect("the trace fits the graphs")
}

/// Blocks of graphs that have so many.
struct Numbered<'a> {
    kept: &'a Kept,
    blocks: u32,
}

impl BlockStream for Numbered<'_> {
    fn read(&self, blocks: u32, each: &mut dyn FnMut(BlockEvent) -> Result<(), LabError>) -> Result<(), LabError> {
        assert_eq!(blocks, self.blocks);
        self.kept.read(blocks, each)
    }
}

#[test]
fn callbacks_pointers_and_recursion() {
    let module = parse(TINY).expect("a module");
    let imported = imported(&module, &tiny_events()).expect("it fits");
    let callback = "main:entry@compare compare:entry main:entry@";
    let expected = format!(
        "main:entry main:entry@ {callback} {callback} {callback} main:entry+1 main:12 main:17 \
         apply:entry apply:entry@twice twice:entry apply:entry+1 main:17+1 main:23 main:28 main:12 main:19 \
         apply:entry apply:entry@minus minus:entry apply:entry+1 main:19+1 main:23 main:28 main:12 main:21 \
         twice:entry main:21+1 main:23 main:6 odd:entry odd:5 even:entry even:5 odd:entry odd:5 even:entry even:4 even:8 \
         odd:5+1 odd:8 even:5+1 even:8 odd:5+1 odd:8 main:6+1"
    );
    assert_eq!(names(&module, &imported), expected);
    let result = evaluated(&module, &imported, "ip-context").across.expect("it is interprocedural");
    assert_eq!(result.recursive, ["even:5"]);
    // exit is called in main: its last path is a prefix.
    assert_eq!(result.prefixes.iter().map(|row| row.count).sum::<u64>(), 1);
}

#[test]
fn returns_follow_from_blocks_where_they_are_not_marked() {
    let text = TINY.replace("@__cyg_profile_func_exit", "@__cyg_profile_func_gone");
    let module = parse(&text).expect("a module");
    let unmarked: Vec<RawEvent> = tiny_events().into_iter().filter(|event| *event != RawEvent::Return).collect();
    let marked = imported(&parse(TINY).expect("a module"), &tiny_events()).expect("it fits");
    // Nothing says whether the last call returned.
    let found = names(&module, &imported(&module, &unmarked).expect("it fits"));
    assert_eq!(found + " main:6+1", names(&module, &marked));
}

/// Executes functions at random, and says which blocks it enters.
struct Execution<'m> {
    module: &'m Module,
    state: u64,
    events: Vec<RawEvent>,
    entered: Vec<Place>,
    fuel: u32,
}

impl Execution<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % bound
    }

    /// Returns whether the function returned.
    fn call(&mut self, function: usize) -> bool {
        let mut block = 0;
        loop {
            let place = Place { function, block };
            let guard = self.module.guards.iter().position(|at| *at == Some((function, block))).expect("it has one");
            self.events.push(RawEvent::Block(guard));
            self.entered.push(place);
            let Some(fuel) = self.fuel.checked_sub(1) else { return false };
            self.fuel = fuel;
            let text = &self.module.functions[function].blocks[block];
            for callee in &text.calls {
                let callees = match callee {
                    Callee::Traced(callee) => vec![*callee],
                    // Not itself: a callback of a function that is called next by its name is told apart by nothing.
                    Callee::Pointer => [vec![], vec![1], vec![3]][self.below(3)].clone(),
                    Callee::Outside => (0..self.below(3)).map(|_| 1).collect(),
                };
                if !callees.into_iter().all(|callee| self.call(callee)) {
                    return false;
                }
            }
            match &text.end {
                End::LeadsTo(to) => block = to[self.below(to.len())],
                End::Returns => {
                    self.events.push(RawEvent::Return);
                    return true;
                }
                End::Stops => return false,
            }
        }
    }
}

#[test]
fn random_executions_enter_the_blocks_that_they_entered() {
    let module = parse(TINY).expect("a module");
    for seed in 0..200 {
        let mut execution =
            Execution { module: &module, state: seed, events: Vec::new(), entered: Vec::new(), fuel: 300 };
        execution.call(main_of(&module));
        let imported = imported(&module, &execution.events).expect("it fits");
        let result = evaluated(&module, &imported, "edge");
        for (function, text) in module.functions.iter().enumerate() {
            for (index, block) in text.blocks.iter().enumerate().skip(1) {
                let edges = &result.functions[function].edges;
                let counted: u64 = edges.iter().filter(|(_, to, _)| *to == block.name).map(|(.., count)| count).sum();
                let place = Place { function, block: index };
                let entered = execution.entered.iter().filter(|entered| **entered == place).count() as u64;
                assert_eq!(counted, entered, "{}:{} with seed {seed}", text.name, block.name);
            }
        }
    }
}

/// `main` calls `f`, and continues in `a` or, after an exception, in `b`; `f` calls `g`.
const CUT: &str = include_str!("../../../../../tests/data/cut.ll");

#[test]
fn an_exception_cuts_the_activations_that_it_leaves() {
    let module = parse(CUT).expect("a module");
    let block = RawEvent::Block;
    let thrown = imported(&module, &[block(0), block(3), block(4), block(2)]).expect("it fits");
    // f is cut behind its call, for the call is over; main has two blocks that return, and so an exit of its own.
    assert_eq!(names(&module, &thrown), "main:entry f:entry g:entry CUT f:entry+1 CUT main:entry+1 main:b");
    let result = evaluated(&module, &thrown, "bl");
    let prefixes: Vec<String> =
        result.functions.iter().flat_map(|f| &f.prefixes).map(|row| row.blocks.join(" ")).collect();
    assert_eq!(prefixes, ["entry entry+1 b", "entry entry+1", "entry"]);
    let text = thrown.0.json_head(&module) + "}";
    let choice = SchemeChoice { name: "ip-piecewise".to_owned(), k: None, base: None, bits: None };
    let input = input::read(text.as_bytes(), Some(&choice)).expect("an input");
    let across = evaluate_stream(&input.lab, &thrown.1).expect("it is counted").across.expect("paths across calls");
    let prefixes: Vec<String> = across.prefixes.iter().map(|row| row.blocks.join(" ")).collect();
    assert_eq!(prefixes, ["main:entry f:entry g:entry", "main:entry+1 main:b", "f:entry+1"]);
}

/// `main` calls `f` twice and then a function by its address, `f` calls `g`: both do the last in a tail call, and
/// mark their return ahead of it.
const TAIL: &str = include_str!("../../../../../tests/data/tail.ll");

#[test]
fn a_tail_call_returns_to_the_callers_caller() {
    let module = parse(TAIL).expect("a module");
    let (block, end) = (RawEvent::Block, RawEvent::Return);
    let call_of_f = [block(1), end, block(2), end];
    let calls = [&[block(0)], call_of_f.as_slice(), &call_of_f, &[end]].concat();
    let of_f = "f:entry g:entry f:entry+1";
    let before = format!("main:entry {of_f} main:entry+1 {of_f}");
    let with = |last: &[RawEvent]| {
        let found = imported(&module, &[&calls, last].concat()).expect("it fits");
        let counts = evaluated(&module, &found, "bl").functions;
        let paths: u64 = counts.iter().flat_map(|function| &function.paths).map(|path| path.count).sum();
        let prefixes: u64 = counts.iter().flat_map(|function| &function.prefixes).map(|path| path.count).sum();
        (names(&module, &found), paths, prefixes)
    };
    assert_eq!(
        with(&[block(3), end]),
        (format!("{before} main:entry+2 h:entry main:entry+3"), 6, 0),
        "everything has returned"
    );
    assert_eq!(with(&[]), (format!("{before} main:entry+2"), 5, 0), "it called a function without guards");
    assert_eq!(
        with(&[block(3)]),
        (format!("{before} main:entry+2 h:entry"), 5, 1),
        "the program ended in `h`, in a block that returns, while `main` waited for it"
    );
}

#[test]
fn events_that_fit_nothing() {
    let module = parse(CUT).expect("a module");
    let fault = |events: &[RawEvent]| imported(&module, events).map(|_| ()).expect_err("it does not fit").to_string();
    let block = RawEvent::Block;
    assert_eq!(fault(&[block(4)]), "event 1 is `g:entry`, which is entered while `main` is not running");
    assert!(
        fault(&[block(0), block(1)]).starts_with("event 2 is `main:a`, and no activation leads there"),
        "main calls f first"
    );
    assert!(fault(&[block(0), block(4)]).starts_with("event 2 is `g:entry`, and no activation leads there"));
    assert_eq!(
        fault(&[block(0), RawEvent::Return]),
        "event 2 is a return, and no activation is in a block that returns"
    );
    let larger = parse(&CUT.replace("[5 x i32]", "[6 x i32]")).expect("a module");
    let unused = imported(&larger, &[block(0), block(5)]).map(|_| ()).expect_err("it does not fit").to_string();
    assert_eq!(unused, "event 2 is guard 6, which no block of the text has");
}

#[test]
fn files_that_are_no_traces() {
    let checksum = crate::lab::checksum::cksum(TINY.as_bytes());
    let fault = |bytes: &[u8]| {
        let mut trace = match RawTrace::open(Cursor::new(bytes.to_vec()), checksum, 20) {
            Ok(trace) => trace,
            Err(error) => return error.to_string(),
        };
        loop {
            match trace.next() {
                Ok(Some(_)) => {}
                Ok(None) => return String::new(),
                Err(error) => return error.to_string(),
            }
        }
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = TRACE.to_vec();
        bytes[at] = byte;
        fault(&bytes)
    };
    assert_eq!(fault(TRACE), "");
    assert!(fault(b"").starts_with("this is no trace"));
    assert!(with(0, b'x').starts_with("this is no trace"));
    assert!(with(8, TRACE[8] ^ 1).starts_with("the trace is of another build"));
    assert!(with(12, 21).starts_with("the traced program has 21 guards, and the text 20"));
    assert!(with(16, 0).starts_with("the trace was not closed"));
    assert_eq!(with(25, 7), "event 1 is guard 1793, which does not exist");
    for end in 8..TRACE.len() {
        assert!(fault(&TRACE[..end]).starts_with("the file ends before the trace does"), "{end}");
    }
}
