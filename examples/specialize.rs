//! What traces gain on the benchmark programs: each program plain and with traces, in optimized code, at its default size.
//!
//! In: the programs of `bench-programs/`, or those named on the command line. Each is run at its small size in the interpreter, which
//! records path ids (k-IPF) and edges; traces are formed in the functions that take most steps. Out: a line for each program: both
//! times, their ratio, and the traces.
//! `cargo run --release --example specialize [NAME...]`; `HOLLOWAY_ROUNDS` runs of each kind take turns, the fastest counts.

use holloway::engine::Executor;
use holloway::interp::Interpreter;
use holloway::interp::plan::{Instrumented, PlanObserver};
use holloway::runtime::{Runtime, RuntimeConfig, Sink};
use holloway::{Config, Engine, TierChoice, builtins};
use holloway_jit::Tier;
use holloway_jit::graph_of::graph_of;
use holloway_jit::trace::choose::{expect, from_edges, from_forest, has_other_ways, shape};
use holloway_jit::trace::form::{Peel, Shape};
use holloway_jit::trace::{Formed, Several, TraceSpec, form_all};
use holloway_lang::ir::{FuncRef, Module};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::ipf::PathForest;
use holloway_profiler::machine::Machine;
use holloway_profiler::number::ball_larus::{Numbering, number};
use holloway_profiler::number::increments::Potentials;
use holloway_profiler::plan::Markers;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

type Failed = Box<dyn Error>;

/// The longest sequences that are recorded: twice the longest period, which with inner loops is one more than their trips.
const K: u32 = 140;

fn main() -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-programs");
    let expected: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json"))?)?;
    let named: Vec<String> = std::env::args().skip(1).collect();
    println!("{:<14} {:>8} {:>8} {:>6}  traces", "program", "plain", "traces", "ratio");
    for (name, entry) in expected.as_object().ok_or("expected.json is no object")? {
        if !named.is_empty() && !named.contains(name) {
            continue;
        }
        let source = std::fs::read_to_string(folder.join(format!("{name}.hw")))?;
        let small = entry["sizes"]["small"].to_string();
        measure(name, &source, &small)?;
    }
    Ok(())
}

fn engine(tier: TierChoice, source: &str, args: &[&str]) -> Result<Engine, Failed> {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    let mut engine = Engine::new(Config { tier, output: Sink::Captured(Vec::new()), args, ..Config::default() })?;
    engine.load("program.hw", source)?;
    Ok(engine)
}

fn measure(name: &str, source: &str, small: &str) -> Result<(), Failed> {
    let module = Arc::clone(engine(TierChoice::Interp, source, &[small])?.module());
    let traces = traces(&module, small.as_bytes())?;
    let rounds = std::env::var("HOLLOWAY_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let (mut plain, mut traced) = (Duration::MAX, Duration::MAX);
    let mut outputs = Vec::new();
    for round in 0..rounds {
        // Where code stands matters to some loops, so each round has it elsewhere.
        plain = plain.min(run(source, &[], round, &mut outputs)?);
        traced = traced.min(run(source, &traces, round, &mut outputs)?);
    }
    outputs.dedup();
    let agree = if outputs.len() == 1 { "" } else { " DIFFERENT OUTPUT" };
    let (plain, traced) = (plain.as_secs_f64() * 1e3, traced.as_secs_f64() * 1e3);
    let notes: Vec<String> = traces.iter().map(|trace| trace.note.clone()).collect();
    println!("{name:<14} {plain:>6.0}ms {traced:>6.0}ms {:>6.2}  {}{agree}", plain / traced, notes.join("; "));
    Ok(())
}

fn run(source: &str, traces: &[Trace], padding: u32, outputs: &mut Vec<Vec<u8>>) -> Result<Duration, Failed> {
    let mut engine = engine(TierChoice::Optimized, source, &[])?;
    // A caller must not have the general body inlined, so the formed one is what the module has.
    let mut module = Module::clone(engine.module());
    for trace in traces {
        module.funcs[trace.func].body = Arc::new(trace.formed.body.clone());
    }
    let Executor::Compiled(machine) = engine.executor_mut() else { unreachable!("the tier is a compiled one") };
    machine.install(Arc::new(module));
    let main = machine.runtime.module().main.ok_or("there is no main")?.func;
    for _ in 0..padding {
        let request = machine.code.request(main, Tier::Baseline);
        machine.code.compile(&request).map_err(|kind| kind.to_string())?;
    }
    for trace in traces {
        machine.code.compile_formed(trace.func, &trace.formed).map_err(|kind| kind.to_string())?;
    }
    let start = cpu_time()?;
    engine.run()?;
    let time = cpu_time()?.saturating_sub(start);
    outputs.push(engine.take_output());
    Ok(time)
}

/// Processor time of this thread: others share the machine.
fn cpu_time() -> Result<Duration, Failed> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = stat.split_whitespace().next().ok_or("no times")?.parse()?;
    Ok(Duration::from_nanos(nanoseconds))
}

struct Trace {
    func: FuncRef,
    formed: Formed,
    note: String,
}

/// Records the program and forms what the profiles suggest.
fn traces(module: &Arc<Module>, small: &[u8]) -> Result<Vec<Trace>, Failed> {
    let of = Arc::clone(module);
    let observer = PlanObserver::new(move |func| {
        let graph = graph_of(of.function(func));
        let numbering = number(&graph);
        let plan = numbering.plan(&graph, &Potentials::direct(), Markers::Emit);
        let sink = SlabForest::new(K, numbering.num_paths()).with_limit(64 << 20);
        Instrumented { machine: Machine::new(&graph, plan), graph, sink }
    });
    let mut counters = holloway::interp::EdgeCounter::default();
    let mut interpreter = Interpreter::with_observer((observer, &mut counters));
    let config =
        RuntimeConfig { args: vec![small.to_vec()], sink: Sink::Captured(Vec::new()), ..RuntimeConfig::default() };
    let mut runtime = Runtime::new(Arc::clone(module), config)?;
    let called = |unwind: holloway::failure::Unwind| format!("{unwind:?}");
    for func in &module.top_level {
        interpreter.call(&mut runtime, *func, &[]).map_err(called)?;
    }
    if let Some(main) = module.main {
        let array = builtins::io::args(&mut runtime).map_err(|kind| kind.to_string())?;
        runtime.pin(array.word());
        interpreter.call(&mut runtime, main.func, &[array.word()]).map_err(called)?;
    }
    let observer = interpreter.observer.0;
    let mut found = Vec::new();
    for (func, decl) in module.funcs.iter() {
        let Some(recorded) = observer.get(func) else { continue };
        let numbering: Numbering = number(&recorded.graph);
        let mut specs = from_forest(&decl.body, &recorded.graph, &numbering, &PathForest::of(&recorded.sink));
        specs.extend(from_edges(&decl.body, |from, to| counters.edges.get(&(func, from, to)).copied().unwrap_or(0)));
        specs.retain(|spec| worth(spec) && has_other_ways(&decl.body, spec));
        let shaped: Vec<(TraceSpec, Shape)> =
            specs.iter().map(|spec| (expect(&decl.body, spec), shape_of(decl, spec))).collect();
        if let Some(Several { formed, done, .. }) = form_all(&decl.body, &shaped) {
            let notes: Vec<String> = done.iter().map(|at| note(&shaped[*at])).collect();
            found.push(Trace { func, formed, note: format!("{} {}", decl.body.name, notes.join(" ")) });
        }
    }
    Ok(found)
}

fn worth(spec: &TraceSpec) -> bool {
    spec.coverage >= 0.5 && spec.executions >= 500
}

/// `HOLLOWAY_UNROLL` and `HOLLOWAY_PEEL=0|1` overrule what is chosen.
fn shape_of(decl: &holloway_lang::ir::FuncDecl, spec: &TraceSpec) -> Shape {
    let mut shape = shape(&decl.body, spec);
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    if let Some(unroll) = number("HOLLOWAY_UNROLL") {
        shape.unroll = unroll;
    }
    if let Some(peel) = number("HOLLOWAY_PEEL") {
        shape.peel = if peel == 0 { Peel::Off } else { Peel::Once };
    }
    shape
}

fn note((spec, shape): &(TraceSpec, Shape)) -> String {
    let blocks = spec.blocks().count();
    let peel = if shape.peel == Peel::Once { "+" } else { "" };
    format!(
        "{}:{} p{} b{blocks} {:.0}% x{}{peel}",
        spec.header,
        spec.source.name(),
        spec.paths.len(),
        100.0 * spec.coverage,
        shape.unroll
    )
}
