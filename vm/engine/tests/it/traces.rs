//! A body with formed traces behaves as the body it was made from, whichever blocks the traces follow.
//!
//! In: random programs and the benchmark programs; in each function's loops, random closed paths with random constants,
//! with guards on most of them that are forced to fail at random. Out: a failed test that names the seed, if the formed
//! bodies are not well formed or reducible, or the program's output or end differs from that of the original in the
//! interpreter or in optimized code; or if a loop that repeats its paths gets no trace. `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`.

use super::common::programs::{Benchmark, seeds, some_benchmarks};
use super::common::{adapted, captured, counted, loaded, patient, seen};
use holloway::internals::Executor;
use holloway::{Config, Engine, TierChoice};
use holloway_aos::Parts;
use holloway_aos::event::What;
use holloway_generator::{Size, program};
use holloway_jit::Tier;
use holloway_jit::opt::pipeline::{INLINE, Options};
use holloway_jit::progress::Progress;
use holloway_jit::trace::chance::{self, Random};
use holloway_jit::trace::{Formed, Layout, Traces, form_all};
use holloway_lang::ir::{Block, Cfg, Dominators, EdgeKind, FuncRef, Function, Loops, Module, verify};
use std::sync::Arc;

/// Back edges of a loop on one trace, and so the most that a failure there makes its iterations wrong by: a way through a loop has up to 200 blocks.
const MOST_LAG: u64 = 100;

fn engine(tier: TierChoice, source: &str, args: &[&str]) -> Engine {
    loaded(Config { limits: patient(), ..captured(tier, args) }, source)
}

fn check_shape(module: &Module, before: &Function, formed: &Formed, layouts: &[Layout]) {
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
    for head in &formed.heads {
        let Some(head) = loops.headed_by(head.block) else {
            assert!(layouts.contains(&Layout::Through), "`{name}`: the head of a trace heads a loop");
            continue;
        };
        let latches = loops.get(head).latches.len();
        let are_apart = layouts.iter().all(|layout| *layout == Layout::Apart);
        assert!(latches == 1 || !are_apart, "`{name}`: a trace has one back edge");
    }
    for (id, guard) in &formed.guards {
        let (from, to) = guard.edge;
        assert!(cfg.succs(from).contains(&(to, EdgeKind::Normal)), "`{name}`: {id} is no edge");
    }
}

/// Forms traces in the loops of every function of a module.
fn formed(module: &Module, random: &mut Random) -> Vec<(FuncRef, Formed)> {
    let mut all = Vec::new();
    for (func, decl) in module.funcs.iter() {
        let wanted = chance::specs(&decl.body, None, random);
        if let Some((formed, done)) = form_all(&decl.body, wanted.iter().map(|spec| (spec, None))) {
            assert_eq!(done.first(), Some(&0), "a trace of a loop can be formed");
            let layouts: Vec<Layout> = wanted.iter().map(|one| one.layout).collect();
            check_shape(module, &decl.body, &formed, &layouts);
            all.push((func, Formed::clone(&formed)));
        }
    }
    all
}

/// Runs a program as it is and with bodies formed of random traces. Returns the number of formed bodies.
pub(super) fn check(what: &str, source: &str, args: &[&str], random: &mut Random) -> usize {
    check_formed(what, source, args, |module| formed(module, random))
}

/// Runs a program as it is and with formed bodies. Returns the number of these.
pub(super) fn check_formed(
    what: &str,
    source: &str,
    args: &[&str],
    form: impl FnOnce(&Module) -> Vec<(FuncRef, Formed)>,
) -> usize {
    let mut original = engine(TierChoice::Interp, source, args);
    let module = Arc::clone(original.module());
    let bodies = form(&module);
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
        machine.code.compile_formed(*func, formed, None).expect("there is room for code");
    }
    assert_eq!(seen(&mut compiled), expected, "{what}, optimized");
    bodies.len()
}

/// A program with formed bodies, in each function of which iterations of a random loop are counted. Returns the sum of all counts.
fn check_progress(
    what: &str,
    source: &str,
    random: &mut Random,
    form: impl FnOnce(&Module, &mut Random) -> Vec<(FuncRef, Formed)>,
) -> u64 {
    let mut original = engine(TierChoice::Interp, source, &[]);
    let bodies = form(original.module(), random);
    original.executor_mut().profile(super::common::scheme("edge", 1));
    let _ = seen(&mut original);
    let edges = original.edge_profile();

    let passes = Options { disabled: vec![INLINE.to_owned()], ..Options::default() };
    let config = Config { limits: patient(), passes, ..captured(TierChoice::Optimized, &[]) };
    let mut compiled = loaded(config, source);
    let module = Arc::clone(compiled.module());
    let Executor::Compiled(machine) = compiled.executor_mut() else { unreachable!("the tier is a compiled one") };
    let mut counted = Vec::new();
    for (func, formed) in &bodies {
        let loops = Loops::of(&Cfg::compute(module.function(*func)));
        let all: Vec<_> = loops.values().filter(|l| !l.latches.contains(&l.header)).collect();
        let Some(chosen) = all.get(random.word() as usize % all.len().max(1)) else { continue };
        let progress = Some(Arc::new(Progress::new(chosen.header)));
        let version = machine.code.compile_formed(*func, formed, progress).expect("there is room for code");
        let of_func = edges.iter().find(|edges| edges.func == *func).expect("each function has counts");
        // A failure on a trace leaves it without the edge that would make up for its lag.
        let body = module.function(*func);
        let executed = |is_it: &dyn Fn(Block, Block) -> bool| {
            of_func.edges.iter().filter(|(from, to, _)| is_it(*from, *to)).map(|(_, _, count)| count).sum::<u64>()
        };
        let expected = executed(&|_, to| to == chosen.header);
        let failed = |block: Block| {
            let mut next = Vec::new();
            body.blocks[block].term.targets(|to| next.push(to));
            let ended = executed(&|from, to| from == block && next.contains(&to));
            executed(&|_, to| to == block).saturating_sub(ended)
        };
        let failures: u64 = chosen.blocks.iter().map(|block| failed(*block)).sum();
        counted.push((*func, version, expected, failures * MOST_LAG));
    }
    let _ = seen(&mut compiled);
    for (func, version, expected, lost) in &counted {
        let found = version.iterations().expect("it counts a loop");
        assert!(found.abs_diff(*expected) <= *lost, "{what}: iterations in {func}");
    }
    counted.iter().map(|(_, _, expected, _)| expected).sum()
}

#[test]
fn progress_counts_each_iteration_once_whatever_copy_of_the_loop_it_runs_in() {
    let mut iterations = 0;
    let seeds = seeds(20);
    for seed in seeds.clone() {
        let source = program(seed, Size::default());
        iterations += check_progress(&format!("seed {seed}"), &source, &mut Random(seed), formed);
    }
    assert!(iterations > 100 * (seeds.end - seeds.start), "only {iterations} iterations");
}

/// A loop in a function that is small enough to be inlined, into a loop.
const INLINED_LOOP: &str = "
fn walk(steps: [int], rounds: int) -> int {
    var sum = 0
    var at = 0
    while at < rounds {
        if steps[at & 15] < 3 { sum += 1 } else { sum += at }
        at += 1
    }
    return sum
}

fn main() {
    let steps = [5; 16]
    for i in 0..12 { steps[i] = i % 5 }
    var sum = 0
    for round in 0..40 { sum += walk(steps, round) }
    print(sum)
}
";

/// The count that a version has of `walk`, inlined into `main` or not, in a loop or at the entry, with traces unless the
/// seed is 0.
fn progress_of_walk(seed: u64, is_inlined: bool, place: impl FnOnce(&Function) -> Block) -> Option<u64> {
    let mut random = Random(seed);
    let mut compiled = engine(TierChoice::Optimized, INLINED_LOOP, &[]);
    let [main, walk] = ["main", "walk"].map(|name| compiled.function_named(name).expect("it is there"));
    let body = Arc::clone(compiled.module().function(walk));
    let at = place(&body);
    let specs = chance::specs(&body, None, &mut random);
    let traces = form_all(&body, specs.iter().map(|spec| (spec, None))).filter(|_| seed > 0);
    let traces = traces.map(|(formed, _)| Arc::new(Traces::new(formed)));
    let Executor::Compiled(machine) = compiled.executor_mut() else { unreachable!("the tier is a compiled one") };
    let mut request = machine.code.request(if is_inlined { main } else { walk }, Tier::Optimized);
    request.progress = Some(Arc::new(if is_inlined { Progress::inlined(walk, at) } else { Progress::new(at) }));
    match traces {
        Some(traces) if is_inlined => request.inlined_traces.add(walk, traces),
        traces => request.traces = traces,
    }
    let code = holloway_jit::compile(machine.code.env(), &request).expect("it can be compiled");
    assert_eq!(code.inlined.calls > 0, is_inlined);
    let version = machine.code.add(&request, code).expect("there is room for code");
    machine.code.activate(&version);
    if !is_inlined {
        let mut calling = machine.code.request(main, Tier::Optimized);
        calling.not_inlined.push(walk);
        let code = holloway_jit::compile(machine.code.env(), &calling).expect("it can be compiled");
        let calling = machine.code.add(&calling, code).expect("there is room for code");
        machine.code.activate(&calling);
    }
    let (output, ended) = seen(&mut compiled);
    assert_eq!(ended, "status 0", "{output}");
    version.iterations()
}

#[test]
fn progress_counts_a_loop_where_its_function_is_inlined_with_traces_and_without() {
    let header = |body: &Function| Loops::of(&Cfg::compute(body)).values().next().expect("it has a loop").header;
    for seed in 0..8 {
        // Each call tests once more than it comes round.
        let expected = (0..40).map(|rounds| rounds + 1).sum();
        assert_eq!(progress_of_walk(seed, true, header), Some(expected), "seed {seed}");
    }
}

#[test]
fn progress_counts_calls_inlined_or_not_with_traces_and_without() {
    for (seed, is_inlined) in (0..8).flat_map(|seed| [(seed, false), (seed, true)]) {
        assert_eq!(progress_of_walk(seed, is_inlined, Function::entry), Some(40), "seed {seed}, {is_inlined}");
    }
}

#[test]
fn random_programs_with_random_traces_do_the_same() {
    let mut bodies = 0;
    let seeds = seeds(20);
    for seed in seeds.clone() {
        let mut random = Random(seed);
        bodies += check(&format!("seed {seed}"), &program(seed, Size::default()), &[], &mut random);
    }
    assert!(bodies as u64 > seeds.end - seeds.start, "only {bodies} bodies have loops");
}

#[test]
fn benchmark_programs_with_random_traces_do_the_same() {
    let mut random = Random(1);
    for Benchmark { name, source, size, .. } in some_benchmarks(2) {
        check(&name, &source, &[&size], &mut random);
    }
}

/// A loop whose latch falls through in general code, where it has two entries.
const TWO_ARMS: &str = "
fn scan(text: [int], rounds: int) -> int {
    var words = 0
    var digits = 0
    var other = 0
    var at = 0
    for i in 0..rounds {
        let k = text[at]
        if k == 1 { words += 1 } else if k == 2 { digits += 3 } else if k == 3 { other ^= i }
        at += 1
        if at == len(text) { at = 0 }
    }
    return words + digits * 7 + other
}
fn main() { print(scan([1, 1, 0, 2, 2, 0, 1, 3, 0], 3_000_000)) }
";

#[test]
fn a_loop_with_two_entries_in_general_code_is_weighed() {
    let (found, events) = adapted(TierChoice::Auto, Some(counted(Parts::NONE)), TWO_ARMS);
    assert_eq!(found, adapted(TierChoice::Optimized, None, TWO_ARMS).0);
    let formed = events.iter().filter_map(|event| match &event.what {
        What::TraceFormed(formed) => Some(formed.unrolled),
        _ => None,
    });
    assert_eq!(formed.collect::<Vec<_>>(), [9]);
}

/// An interpreter that is called for each of many values; its program has no loop, so none of its sequences of paths is repeated in one call.
const CALLED_OFTEN: &str = "
fn run(code: [int], value: int) -> int {
    var pc = 0
    var x = value
    while pc < len(code) {
        match code[pc] {
            0 => { x += code[pc + 1] }
            1 => { x ^= code[pc + 1] }
            2 => { x *= code[pc + 1] }
            3 => { x = x >> 1 & 0xFFFF }
        }
        pc += 2
    }
    return x
}
fn main() {
    let code = [0, 7, 2, 5, 1, 99, 3, 0, 0, 1, 2, 3, 1, 12, 3, 0]
    var sum = 0
    for i in 0..400_000 { sum = (sum + run(code, i)) & 0xFFFFFF }
    print(sum)
}
";

#[test]
fn a_loop_that_takes_the_same_way_each_time_it_is_entered_gets_it() {
    let (found, events) = adapted(TierChoice::Auto, Some(counted(Parts::NONE)), CALLED_OFTEN);
    assert_eq!(found, adapted(TierChoice::Optimized, None, CALLED_OFTEN).0);
    let formed: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.what {
            What::TraceFormed(formed) => Some((formed.layout, formed.traces, formed.unrolled)),
            _ => None,
        })
        .collect();
    assert!(!formed.is_empty() && formed.iter().all(|one| *one == (Layout::Through, 1, 8)), "{formed:?}");
    let reports: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.what {
            What::GuardReport(report) => Some((report.iterations, report.failures)),
            _ => None,
        })
        .collect();
    assert!(reports.iter().all(|(iterations, failures)| *iterations % 8 == 0 && *failures == 0), "{reports:?}");
}
