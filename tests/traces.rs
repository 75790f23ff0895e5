//! A formed body does what the body it was made from does, whatever walk was formed.
//!
//! In: random programs and the benchmark programs; in each function's loops, random closed walks with random constants.
//! Out: a failed test that names the seed, where the formed bodies are not well formed or reducible, or the program's output or end
//! differs from that of the original in the interpreter or in optimized code. `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` as elsewhere.

use holloway::engine::Executor;
use holloway::runtime::{Limits, Sink};
use holloway::{Config, Engine, RunError, TierChoice};
use holloway_generator::{Size, program};
use holloway_jit::trace::form::{Peel, Shape};
use holloway_jit::trace::{Formed, Source, TraceSpec, form_all};
use holloway_lang::ir::{
    Block, Cfg, Dominators, EdgeKind, FuncRef, Function, Liveness, Local, LoopId, Loops, Module, Scalar, verify,
};
use std::path::Path;
use std::sync::Arc;

/// A small generator of numbers: the walks of a seed are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

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

struct Nest {
    cfg: Cfg,
    loops: Loops,
    live: Liveness,
}

impl Nest {
    fn of(body: &Function) -> Nest {
        let cfg = Cfg::compute(body);
        let loops = Loops::compute(&cfg, &Dominators::compute(&cfg));
        let live = Liveness::compute(body, &cfg);
        Nest { cfg, loops, live }
    }

    /// A walk from a loop's header through the loop back to it, some rounds of it, as paths that end at back edges.
    fn walk(&self, random: &mut Random, id: LoopId) -> Option<Vec<Vec<Block>>> {
        let header = self.loops.get(id).header;
        let rounds = 1 + random.below(3);
        let mut paths = vec![vec![header]];
        let (mut at, mut back) = (header, 0);
        for _ in 0..200 {
            let inside = |to: &Block| self.loops.contains(id, *to);
            let succs = self.cfg.succs(at).iter().filter(|(_, kind)| *kind == EdgeKind::Normal).map(|(to, _)| *to);
            let ways: Vec<Block> = succs.filter(inside).collect();
            if ways.is_empty() {
                return None;
            }
            let to = ways[random.below(ways.len())];
            if to == header {
                back += 1;
                if back == rounds {
                    return Some(paths);
                }
            }
            if self.loops.is_back_edge(at, to) {
                paths.push(Vec::new());
            }
            paths.last_mut().expect("there is a path").push(to);
            at = to;
        }
        None
    }

    fn spec(&self, random: &mut Random, body: &Function, id: LoopId) -> Option<(TraceSpec, Shape)> {
        let header = self.loops.get(id).header;
        let paths = self.walk(random, id)?;
        let ints: Vec<Local> = self.live.live_in(header).filter(|local| body.scalar(*local) == Scalar::Int).collect();
        let mut constants: Vec<(Local, i64)> = Vec::new();
        if !ints.is_empty() {
            for _ in 0..random.below(3) {
                constants.push((ints[random.below(ints.len())], random.below(4) as i64));
            }
        }
        let mut stable: Vec<Local> = Vec::new();
        if !ints.is_empty() && random.below(3) == 0 {
            stable.push(ints[random.below(ints.len())]);
        }
        let refs: Vec<Local> = self.live.live_in(header).filter(|local| body.scalar(*local) == Scalar::Ref).collect();
        let mut distinct: Vec<(Local, Local)> = Vec::new();
        if refs.len() > 1 && random.below(2) == 0 {
            distinct.push((refs[random.below(refs.len())], refs[random.below(refs.len())]));
        }
        let coverage = random.below(101) as f64 / 100.0;
        let spec =
            TraceSpec { header, paths, constants, stable, distinct, coverage, executions: 1, source: Source::Forest };
        let peel = if random.below(2) == 0 { Peel::Off } else { Peel::Once };
        Some((spec, Shape { unroll: 1 + random.below(3) as u32, peel }))
    }
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
        let nest = Nest::of(&decl.body);
        let ids: Vec<LoopId> = nest.loops.iter().map(|(id, _)| id).collect();
        let mut specs = Vec::new();
        for _ in 0..ids.len().min(6) {
            let id = ids[random.below(ids.len())];
            specs.extend(nest.spec(random, &decl.body, id));
        }
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
