//! A formed body does what the body it was made from does, whatever walk was formed.
//!
//! In: random programs and the benchmark programs; in each function's loops, random closed walks with random constants, on most of
//! which guards fail by chance.
//! Out: a failed test that names the seed, where the formed bodies are not well formed or reducible, or the program's output or end
//! differs from that of the original in the interpreter or in optimized code. `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` as elsewhere.

use holloway::engine::Executor;
use holloway::runtime::{Limits, Sink};
use holloway::{Config, Engine, RunError, TierChoice};
use holloway_generator::{Size, program};
use holloway_jit::trace::chance::{self, Random};
use holloway_jit::trace::{Formed, form_all};
use holloway_lang::ir::{Block, Cfg, Dominators, EdgeKind, FuncRef, Function, Loops, Module, verify};
use std::path::Path;
use std::sync::Arc;

fn engine(tier: TierChoice, source: &str, args: &[&str]) -> Engine {
    let config = Config {
        tier,
        output: Sink::Captured(Vec::new()),
        args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        limits: Limits { fuel: None, time: Some(std::time::Duration::from_secs(20)) },
        ..Config::default()
    };
    let mut engine = Engine::new(config).expect("memory");
    engine.load("program.hw", source).unwrap_or_else(|error| panic!("{error}"));
    engine
}

/// Output and end, with the span and the call stack of a failure.
fn seen(engine: &mut Engine) -> (String, String) {
    let ended = match engine.run() {
        Ok(status) => format!("status {status}"),
        Err(RunError::Failure(failure)) => format!("{failure:?}"),
        Err(other) => format!("{other:?}"),
    };
    (String::from_utf8_lossy(&engine.take_output()).into_owned(), ended)
}

fn check_shape(module: &Module, before: &Function, formed: &Formed) {
    let name = &before.name;
    verify::verify(module, &formed.body).unwrap_or_else(|error| panic!("{error}"));
    let cfg = Cfg::compute(&formed.body);
    let dominators = Dominators::compute(&cfg);
    assert_eq!(cfg.postorder().len(), formed.body.blocks.len(), "`{name}` has blocks that nothing reaches");
    assert_eq!(formed.origins.blocks.len(), formed.body.blocks.len(), "`{name}` has blocks of no origin");
    let order: Vec<Block> = cfg.reverse_postorder().collect();
    for (at, block) in order.iter().enumerate() {
        for (to, _) in cfg.succs(*block) {
            let is_back = order[..=at].contains(to);
            assert!(!is_back || dominators.dominates(*to, *block), "`{name}` is irreducible: {block} -> {to}");
        }
    }
    let loops = Loops::compute(&cfg, &dominators);
    let head = loops.headed_by(formed.head).expect("the head of a trace heads a loop");
    assert_eq!(loops.get(head).latches.len(), 1, "`{name}`: a trace has one back edge");
    for (id, guard) in &formed.guards {
        let (from, to) = guard.edge;
        assert!(cfg.succs(from).contains(&(to, EdgeKind::Normal)), "`{name}`: {id} is no edge");
    }
}

/// Every function of a module with its loops formed in some way.
fn formed(module: &Module, random: &mut Random) -> Vec<(FuncRef, Formed)> {
    let mut all = Vec::new();
    for (func, decl) in module.funcs.iter() {
        let specs = chance::specs(&decl.body, None, random);
        if let Some((formed, done)) = form_all(&decl.body, &specs) {
            assert_eq!(done.first(), Some(&0), "a walk through a loop can be formed");
            check_shape(module, &decl.body, &formed);
            all.push((func, formed));
        }
    }
    all
}

/// Runs a program as it is and with formed bodies; says how many were formed.
fn check(what: &str, source: &str, args: &[&str], random: &mut Random) -> usize {
    let mut original = engine(TierChoice::Interp, source, args);
    let module = Arc::clone(original.module());
    let bodies = formed(&module, random);
    let expected = seen(&mut original);

    let mut interpreted = engine(TierChoice::Interp, source, args);
    let mut with_traces = Module::clone(&module);
    for (func, formed) in &bodies {
        with_traces.funcs[*func].body = Arc::new(formed.body.clone());
    }
    interpreted.executor_mut().runtime_mut().install(Arc::new(with_traces));
    assert_eq!(seen(&mut interpreted), expected, "{what}, interpreted");

    let mut compiled = engine(TierChoice::Optimized, source, args);
    let Executor::Compiled(machine) = compiled.executor_mut() else { unreachable!("the tier is a compiled one") };
    for (func, formed) in &bodies {
        machine.code.compile_formed(*func, formed).expect("there is room for code");
    }
    assert_eq!(seen(&mut compiled), expected, "{what}, optimized");
    bodies.len()
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_programs_with_random_traces_do_the_same() {
    let first = number("HOLLOWAY_FIRST_SEED", 0);
    let mut bodies = 0;
    let seeds = first..first + number("HOLLOWAY_PROGRAMS", 60);
    for seed in seeds.clone() {
        let mut random = Random(seed);
        bodies += check(&format!("seed {seed}"), &program(seed, Size::default()), &[], &mut random);
    }
    assert!(bodies as u64 > seeds.end - seeds.start, "only {bodies} bodies have loops");
}

#[test]
fn benchmark_programs_with_random_traces_do_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-programs");
    let expected = std::fs::read_to_string(folder.join("expected.json")).expect("the file is there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("the file is JSON");
    let mut random = Random(1);
    for (name, entry) in expected.as_object().expect("an entry for each program") {
        let size = entry["sizes"]["small"].to_string();
        let source = std::fs::read_to_string(folder.join(format!("{name}.hw"))).expect("the program is there");
        check(name, &source, &[&size], &mut random);
    }
}
