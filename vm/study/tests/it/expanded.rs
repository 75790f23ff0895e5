//! Expanded bodies do what functions do that call, and their paths are those of the bodies as they are written.
//!
//! In: random programs, and some whose loops call small functions. Out: a failed test if an expanded body is not well formed, or its loops have other
//! headers or states than the function's own; if optimized code of it differs from the interpreter in output, failure or call stack; if it outlives a
//! callee that is replaced; or if its paths, prefixes among them, are not those that the interpreter takes through the expanded body itself. `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` are as
//! in `agreement.rs`.

use super::common::interpret::watch;
use super::common::programs::seeds;
use super::common::{adapted, captured, counted, load, loaded, patient, scheme, seen};
use super::path_profile::{Naive, by_blocks, of};
use cranelift_entity::EntityRef;
use holloway::internals::Executor;
use holloway::{Adaptive, Config, Engine, TierChoice};
use holloway_aos::event::What;
use holloway_aos::{Parts, Session};
use holloway_generator::{Size, program};
use holloway_jit::expand::{Expanded, ExpandedBodies, expand};
use holloway_jit::opt::pipeline::{INLINE, Options};
use holloway_jit::osr::Headers;
use holloway_jit::probes::Paths;
use holloway_jit::{Request, Tier};
use holloway_lang::ir::{FuncRef, Module, verify};
use holloway_machine::profile::{CompiledPaths, Placement, Planner};
use holloway_profiler::scheme::PathRow;
use std::sync::Arc;

/// Functions with their expanded bodies.
fn expanded(module: &Module) -> Vec<(FuncRef, Arc<Expanded>)> {
    let found = module.funcs.keys().filter_map(|func| Some((func, Arc::new(expand(module, func)?))));
    found.inspect(|(func, expanded)| check_shape(module, *func, expanded)).collect()
}

fn check_shape(module: &Module, func: FuncRef, expanded: &Expanded) {
    verify::verify(module, &expanded.body).unwrap_or_else(|error| panic!("{error}"));
    let own = module.function(func);
    let (before, after) = (Headers::compute(own), Headers::compute(&expanded.body));
    for block in own.blocks.keys() {
        assert_eq!(before.state(block), after.state(block), "{}: {block}", own.name);
        assert_eq!(before.loop_of(block), after.loop_of(block), "{}: {block}", own.name);
    }
    let is_header = |block: &_| after.state(*block).is_some();
    let added = expanded.body.blocks.keys().skip(own.blocks.len()).filter(is_header).count();
    assert_eq!(added, 0, "{} has a new loop", own.name);
}

fn all(bodies: &[(FuncRef, Arc<Expanded>)]) -> ExpandedBodies {
    let mut all = ExpandedBodies::default();
    bodies.iter().for_each(|(func, expanded)| all.add(*func, Arc::clone(expanded)));
    all
}

/// Makes optimized code of expanded bodies the code of their functions.
fn compile(engine: &mut Engine, bodies: &[(FuncRef, Arc<Expanded>)], paths: &Paths) {
    let Executor::Compiled(machine) = engine.executor_mut() else { unreachable!("the tier is a compiled one") };
    for (func, _) in bodies {
        let plain = machine.code.request(*func, Tier::Optimized);
        let request = Request { expanded: all(bodies), paths: paths.clone(), ..plain };
        let version = machine.code.compile(&request).expect("there is room for code");
        machine.limit_stack_for_new_code();
        machine.code.activate(&version);
    }
}

/// Runs a program as it is and by expanded bodies. Returns the number of these.
fn check(what: &str, source: &str) -> usize {
    let run = |tier| loaded(Config { limits: patient(), ..captured(tier, &[]) }, source);
    let expected = seen(&mut run(TierChoice::Interp));
    let mut compiled = run(TierChoice::Optimized);
    let bodies = expanded(compiled.module());
    compile(&mut compiled, &bodies, &Paths::default());
    assert_eq!(seen(&mut compiled), expected, "{what}");
    bodies.len()
}

/// Profiles a program by its expanded bodies. Returns the number of prefixes that end in a callee's body.
fn check_paths(what: &str, source: &str) -> usize {
    // Where functions are inlined, all code would have to know of the expanded bodies.
    let passes = Options { disabled: vec![INLINE.to_owned()], ..Options::default() };
    let mut compiled = loaded(Config { limits: patient(), passes, ..captured(TierChoice::Optimized, &[]) }, source);
    let bodies = expanded(compiled.module());
    let mut module = Module::clone(compiled.module());
    bodies.iter().for_each(|(func, expanded)| module.funcs[*func].body = Arc::clone(&expanded.body));
    let module = Arc::new(module);
    let naive = watch(&module, &[], patient(), Naive::new(&module));
    let (collector, paths) = CompiledPaths::new(Planner::new(scheme("bl", 1)), Arc::clone(&module), Placement::Inline);
    let Executor::Compiled(machine) = compiled.executor_mut() else { unreachable!("the tier is a compiled one") };
    machine.set_collector(Box::new(collector.clone()), Some(collector.tables()), paths.clone());
    compile(&mut compiled, &bodies, &paths);
    let _ = seen(&mut compiled);
    let Executor::Compiled(machine) = compiled.executor_mut() else { unreachable!("the tier is a compiled one") };
    machine.flush_events();
    collector.settle();

    let mut inside = 0;
    for (func, _) in &bodies {
        let read = collector.collected(*func).map(|read| read.expect("all have acyclic paths"));
        let found = read.map(|(plan, collected)| collected.results(&plan.graph)).unwrap_or_default();
        assert_eq!(by_blocks(&found.paths), of(&naive.paths, *func), "{what}: {func}");
        assert_eq!(by_blocks(&found.prefixes), of(&naive.prefixes, *func), "{what}: prefixes of {func}");
        let own = compiled.module().function(*func).blocks.len();
        let ends_inside = |row: &&PathRow| row.path.blocks.last().is_some_and(|node| node.index() >= own);
        inside += found.prefixes.iter().filter(ends_inside).count();
    }
    inside
}

/// A machine whose steps are functions, two deep. In the end the innermost fails: on a trace, if there is one; before, such failures are caught around
/// short runs.
const MACHINE: &str = "
fn looked_up(x: int, i: int, table: [int]) -> int {
    if x & 1 == 0 { return x ^ table[i >> 12] }
    return (x ^ table[i >> 12]) & 0xFFFFFF
}
fn step(op: int, x: int, i: int, table: [int]) -> int {
    if op == 0 { return x + 7 }
    if op == 1 { return (x ^ 20) & -2 }
    if op == 2 { return x * 4 }
    if op == 3 { return x - 12 }
    if op == 4 { return (x << 1) & 0xFFFFFF }
    if op == 5 { return x >> 1 }
    return looked_up(x, i, table)
}
fn run(n: int, code: [int], table: [int]) -> int {
    var x = 1
    var pc = 0
    for i in 0..n {
        x = step(code[pc], x, i, table) & 0xFFFFFFFF
        pc += 1
        if pc == len(code) { pc = 0 }
    }
    return x
}
fn tries(n: int, table: [int]) -> int {
    var caught = 0
    for i in 0..n {
        try { caught += run(5, [3, 6, 4], [0; i & 1]) } catch e { caught += len(e) + step(4, i, 2, table) }
    }
    return caught
}
fn main() {
    let code = [3, 1, 4, 1, 5, 2, 6, 5, 3]
    let table = [6; (ROUNDS >> 12) + 1]
    print(tries(40, table))
    print(run(ROUNDS, code, table))
    print(run(ROUNDS, code, [8; (ROUNDS - 1) >> 12]))
}
";

fn machine(rounds: u32) -> String {
    MACHINE.replace("ROUNDS", &rounds.to_string())
}

#[test]
fn random_programs_do_the_same() {
    let mut bodies = 0;
    for seed in seeds(20) {
        bodies += check(&format!("seed {seed}"), &program(seed, Size::default()));
    }
    assert!(bodies > 0, "nothing was expanded");
    assert_eq!(check("the machine", &machine(9_000)), 2);
}

#[test]
fn paths_go_through_callees() {
    for seed in seeds(14) {
        check_paths(&format!("seed {seed}"), &program(seed, Size::default()));
    }
    assert!(check_paths("the machine", &machine(9_000)) > 1, "failures are inside callees");
}

#[test]
fn a_step_function_becomes_part_of_a_trace() {
    let source = machine(3_000_000);
    let (found, events) = adapted(TierChoice::Auto, Some(counted(Parts::NONE)), &source);
    assert_eq!(found, adapted(TierChoice::Optimized, None, &source).0, "with the call stack of the failure");
    let formed = events.iter().filter_map(|event| match &event.what {
        What::TraceFormed(formed) => Some(formed.unrolled),
        _ => None,
    });
    let formed: Vec<u32> = formed.collect();
    assert!(!formed.is_empty() && formed.iter().all(|unrolled| *unrolled == 9), "{formed:?}");
}

#[test]
fn call_stacks_are_those_of_calls_whatever_chance_decides() {
    let source = machine(9_000);
    let expected = adapted(TierChoice::Interp, None, &source).0;
    for seed in 0..20 {
        assert_eq!(adapted(TierChoice::Auto, Some(Session::by_chance(seed)), &source).0, expected, "seed {seed}");
    }
}

/// A definition that replaces another one: code of expanded bodies with the old one is never entered again.
#[test]
fn a_replaced_callee_is_replaced_in_expanded_bodies() {
    let (functions, _) = MACHINE.split_once("fn main").expect("it has one");
    let step = |op: &str| {
        functions[functions.find("fn step").unwrap()..functions.find("fn run").unwrap()].replace("x + 7", op)
    };
    let runs = |tier: TierChoice, adaptive: Option<Session>| {
        let config = Config { adaptive: adaptive.map(Adaptive), limits: patient(), ..captured(tier, &[]) };
        let mut engine = Engine::interactive(config).expect("there is memory for an engine");
        load(&mut engine, functions);
        for definition in ["".to_owned(), step("x + 5"), step("x * 3 + i"), step("x + 7")] {
            load(&mut engine, &definition);
            load(&mut engine, "print(run(3_000_000, [3, 1, 4, 1, 5, 2, 6, 5, 0], [6; 2000]))");
            engine.run_statements().expect("it ends");
        }
        let output = String::from_utf8_lossy(&engine.take_output()).into_owned();
        let events = engine.executor().adaptive().map(|session| session.events().to_vec()).unwrap_or_default();
        (output, events.iter().filter(|event| matches!(event.what, What::TraceFormed(_))).count())
    };
    let (output, traces) = runs(TierChoice::Auto, Some(counted(Parts::NONE)));
    assert_eq!(output, runs(TierChoice::Baseline, None).0);
    assert!(traces >= 2, "{traces} traces");
}
