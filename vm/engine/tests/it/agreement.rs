//! Every tier agrees with the reference interpreter: on random programs, and on the benchmark programs
//! at their small size. Agreement is on output, failure with span and call stack, exit status and the
//! count of every edge.
//!
//! `HOLLOWAY_PROGRAMS=20000 cargo test --release -p holloway --test it agreement` runs that many random programs, and all benchmark
//! programs; without it some dozens, and every eighth. `HOLLOWAY_FIRST_SEED` sets where they start.

use super::common::programs::{Benchmark, causes, every_eighth, how_many, seeds};
use super::common::{captured, engine, impatient, patient, seen};
use super::depths::DEPTHS;
use holloway::FunctionEdges;
use holloway::{Config, LoadError, TierChoice};
use holloway_generator::{Size, minimize, program};
use holloway_jit::opt::pipeline::{Options, PASSES};
use holloway_jit::redundant::RedundantLoads;
use holloway_lang::ir::Module;
use holloway_runtime::Limits;

/// The visible behaviour of a run.
#[derive(Debug, PartialEq)]
struct Seen {
    output: String,
    ended: String,
    edges: Option<Vec<FunctionEdges>>,
}

fn run(tier: TierChoice, source: &str, args: &[&str]) -> Result<Seen, String> {
    run_within(patient(), Options::default(), tier, source, args)
}

fn run_within(limits: Limits, passes: Options, tier: TierChoice, source: &str, args: &[&str]) -> Result<Seen, String> {
    let mut engine = engine(Config { passes, limits, ..captured(tier, args) });
    if counts_edges(tier) {
        engine.executor_mut().profile(super::common::scheme("edge", 1));
    }
    if let Err(LoadError::Diagnostics(all)) = engine.load("program.hw", source) {
        let messages = all.iter().map(|one| format!("{}: {}", engine.sources().place(one.span), one.message()));
        return Err(messages.collect::<Vec<_>>().join("\n"));
    }
    let (output, ended) = seen(&mut engine);
    let edges = counts_edges(tier).then(|| engine.edge_profile());
    Ok(Seen { output, ended, edges })
}

/// Returns true if the tier's code counts edges all the time.
fn counts_edges(tier: TierChoice) -> bool {
    matches!(tier, TierChoice::Interp | TierChoice::Baseline)
}

/// The difference between the compiled tiers and the interpreter on a program, if there is one.
fn disagreement(source: &str, args: &[&str]) -> Option<String> {
    disagreement_within(patient(), source, args)
}

/// The tiers that compile.
const COMPILED: [TierChoice; 3] = [TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto];

fn disagreement_within(limits: Limits, source: &str, args: &[&str]) -> Option<String> {
    let run = |tier| run_within(limits, Options::default(), tier, source, args);
    let expected = match run(TierChoice::Interp) {
        Ok(seen) => seen,
        Err(messages) => return Some(format!("it does not compile:\n{messages}")),
    };
    for tier in COMPILED {
        let mut found = run(tier).expect("it compiled before");
        if found.edges.is_none() {
            found.edges.clone_from(&expected.edges);
        }
        if found != expected {
            return Some(difference(tier, &expected, &found));
        }
    }
    None
}

fn difference(tier: TierChoice, expected: &Seen, found: &Seen) -> String {
    let name = tier.name();
    if expected.ended != found.ended {
        return format!("ended\n  interp: {}\n  {name}: {}", expected.ended, found.ended);
    }
    if expected.output != found.output {
        let line = expected.output.lines().zip(found.output.lines()).position(|(a, b)| a != b);
        return format!("{name} differs in line {line:?} of its output");
    }
    let pairs = expected.edges.iter().flatten().zip(found.edges.iter().flatten());
    let different = pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("\n  interp: {a:?}\n  {name}: {b:?}"));
    format!("edges:{}", different.collect::<String>())
}

#[test]
fn tiers_agree_on_random_programs() {
    for seed in seeds(27) {
        let source = program(seed, Size::default());
        if let Some(why) = disagreement(&source, &[]) {
            let small = minimize(
                &source,
                |candidate| matches!(disagreement_within(impatient(), candidate, &[]), Some(reason) if !reason.starts_with("it does not compile")),
            );
            panic!("seed {seed}: {why}\nsmallest program that still shows a disagreement:\n{small}");
        }
    }
}

#[test]
fn tiers_agree_on_the_benchmark_programs() {
    assert_agreement(every_eighth(1));
}

#[test]
fn tiers_agree_on_programs_that_show_what_made_code_slow() {
    let programs = causes();
    let folder =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/causes")).expect("the folder is there");
    let files = folder.map(|entry| entry.expect("it is read").path());
    assert_eq!(files.filter(|path| path.extension().is_some_and(|found| found == "hw")).count(), programs.len());
    for program in &programs {
        assert!(program.source.starts_with("// "), "{} tells its cause first", program.name);
    }
    assert_agreement(programs);
}

/// Asserts that all tiers print the checksums of programs, and agree on the rest of what they do.
fn assert_agreement(programs: Vec<Benchmark>) {
    for Benchmark { name, source, size, checksum } in programs {
        let why = disagreement(&source, &[&size]);
        assert_eq!(why, None, "{name}");
        let seen = run(TierChoice::Baseline, &source, &[&size]).expect("it compiles");
        assert_eq!(seen.output.trim_end(), checksum, "{name}");
    }
}

#[test]
fn tiers_agree_on_how_deep_calls_go() {
    for source in DEPTHS {
        assert_eq!(disagreement(source, &[]), None, "{source}");
    }
}

/// Failures caught in a loop, whose operands are loop-invariant.
const CAUGHT: [&str; 2] = [
    "let table = [1, 2, 3]
     fn f(n: int, at: int) -> int {
         var i = 0
         loop {
             try { table[at] += 1 } catch e { print(e) }
             i += 1
             if i > n { break }
         }
         return i
     }
     fn main() {
         try { print(f(3, 1), f(3, -3)) } catch e { print(\"outside\", e) }
         print(table)
     }",
    "let table = [1, 2, 3]
     fn f(n: int, by: int) -> int {
         var i = 0
         try {
             loop {
                 table[0] = 7 / by
                 i += 1
                 if i > n { break }
             }
         } catch e { print(e, i) }
         return i
     }
     fn main() { print(f(3, 2), f(3, 0), table) }",
];

#[test]
fn tiers_agree_on_failures_caught_in_loops() {
    for source in CAUGHT {
        assert_eq!(disagreement(source, &[]), None, "{source}");
    }
}

/// Objects subject to scalar replacement: each program prints the final values of their fields.
const OBJECTS: [&str; 4] = [
    "struct P { x: int, y: int, b: byte, ok: bool, next: P? }
     fn f(n: int) -> int {
         let p = P(x: n, y: 300, b: n * 100, ok: n > 2, next: none)
         var q = P(x: 0, y: n, b: 255, ok: false, next: none)
         for i in 0..n {
             p.b += i * 50
             if p.ok { p.x += p.y } else { p.y -= i }
             q = P(x: q.y, y: q.x + i, b: q.b + 1, ok: !q.ok, next: none)
             p.ok = q.ok
         }
         return p.x * 1_000_000 + p.y * 1000 + p.b + q.x + q.y + q.b + if q.ok { 1 } else { 0 }
     }
     fn main() { for n in 0..20 { print(f(n)) } }",
    "struct V { x: float, y: float }
     fn add(a: V, b: V) -> V { return V(x: a.x + b.x, y: a.y + b.y) }
     fn scale(a: V, by: float) -> V { return V(x: a.x * by, y: a.y * by) }
     fn main() {
         var p = V(x: 0.0, y: 1.0)
         var v = V(x: 1.0, y: 0.5)
         for i in 0..100 {
             p = add(p, scale(v, 0.01))
             if p.x > 0.5 { v = scale(v, -1.0) }
         }
         print(p.x, p.y, v.x, v.y)
     }",
    "fn f(n: int) -> int {
         let a = [n, 2, 3, 4]
         let b = [n > 2; 2]
         let c: [byte] = [n * 77; 3]
         for i in 0..n {
             a[0] += a[3]
             a[3] = a[1] - a[2]
             b[1] = !b[1]
             c[2] += 200
         }
         return a[0] + a[1] * a[3] + len(a) + c[2] + c[0] + if b[0] == b[1] { 1000 } else { 0 }
     }
     fn main() { for n in 0..10 { print(f(n)) } }",
    "struct P { x: int }
     fn f(n: int) -> int {
         let a = [n; 3]
         let p = P(x: a[n])
         assert(p.x < 3, \"too large\")
         return a[p.x] / (p.x - 1)
     }
     fn main() { print(f(0))\n for n in 1..4 { try { print(f(n)) } catch message { print(message) } }\n print(f(-1)) }",
];

#[test]
fn tiers_agree_on_objects_taken_apart() {
    for source in OBJECTS {
        assert_eq!(disagreement(source, &[]), None, "{source}");
    }
}

/// Sums in fields of records that are passed in: each program fails in loops that keep them in registers, and prints
/// what the records hold then.
const FIELDS: [&str; 2] = [
    "struct Sums { count: int, total: int, last: byte, even: bool, mean: float }
     fn scan(xs: [int], to: int, by: int, s: Sums) {
         for i in 0..to {
             if xs[i] & 1 == 0 {
                 s.count += 1
                 s.total = (s.total * 3 + xs[i] / (by - i)) & 0xFFFFFFF
                 s.even = !s.even
             } else {
                 s.last += 77
                 s.mean = s.mean * 0.5 + float(xs[i])
             }
         }
     }
     fn main() {
         let xs = [7; 40]
         for i in 0..40 { xs[i] = i * 5 % 11 }
         for to in 30..50 {
             for by in 0..50 step 7 {
                 let s = Sums(count: 0, total: 0, last: 0, even: true, mean: 0.0)
                 try { scan(xs, to, by, s) } catch e { print(e) }
                 print(s)
             }
         }
     }",
    "struct Node { value: int, next: Node? }
     struct List { first: Node?, length: int }
     fn walk(l: List, most: int) {
         while l.length < most {
             l.length += 1
             if l.length % 3 != 1 { l.first = l.first!.next }
         }
     }
     fn main() {
         var node: Node? = none
         for i in 0..9 { node = Node(value: i, next: node) }
         for most in 0..20 {
             let l = List(first: node, length: 0)
             try { walk(l, most) } catch e { print(e) }
             print(l.length, l.first)
         }
     }",
];

#[test]
fn tiers_agree_on_fields_kept_in_registers() {
    for source in FIELDS {
        assert_eq!(disagreement(source, &[]), None, "{source}");
    }
}

/// Accesses whose checks are needless only as long as the index did not wrap, or another check stays before them: each program fails in the end.
const NEEDLESS: [&str; 3] = [
    "fn f(a: [int], v: int) -> int {
         let i = v + -1
         if i >= 0 {
             if v < len(a) {
                 return a[i]
             }
         }
         return -1
     }
     fn g(a: [int], v: int) -> int { return 0 }
     let fs = [f, g]
     var q = 0
     for t in 0..2 {
         print(fs[q]([1, 2, 3], 2 - t * 9223372036854775807 - 3 * t))
     }",
    "fn f(a: [int], b: [int], i: int) -> int {
         var s = 0
         let j = i + 1
         if j < len(b) {
             var k = 0
             while k < len(a) {
                 s += a[i]
                 s += b[j]
                 k += 1
             }
         }
         return s
     }
     fn g(a: [int], b: [int], i: int) -> int { return 0 }
     let fs = [f, g]
     var q = 0
     for t in 0..3 {
         print(fs[q]([1, 2, 3], [4, 5, 6], t - 1 + q + 1 - (t >> 1) * 1000000000000))
     }",
    "fn f(a: [int], b: [int], i: int) -> int {
         let j = i + 1
         if j < len(b) {
             var k = 0
             while k < len(a) {
                 k += a[i]
                 b[j] = b[j] + k
             }
         }
         return b[0]
     }
     fn g(a: [int], b: [int], i: int) -> int { return 0 }
     let fs = [f, g]
     var q = 0
     for t in 0..3 { print(fs[q]([1, 2, 3], [4, 5, 6], t - (t >> 1) * 1000000000000)) }",
];

#[test]
fn tiers_agree_where_checks_depend_on_each_other() {
    for source in NEEDLESS {
        assert_eq!(disagreement(source, &[]), None, "{source}");
    }
}

/// The facts that a run would give in which every load was redundant; places of other instructions do no harm.
fn all_loads(module: &Module) -> RedundantLoads {
    let places = module.funcs.iter().flat_map(|(func, decl)| {
        let blocks = decl.body.blocks.iter();
        blocks.flat_map(move |(block, data)| data.spans.iter().map(move |span| (func, block, *span)))
    });
    places.collect()
}

#[test]
fn programs_run_alike_whatever_loads_are_said_to_be_redundant() {
    for seed in seeds(8) {
        let source = program(seed, Size::default());
        let expected = run(TierChoice::Interp, &source, &[]).expect("generated programs compile");
        for tier in [TierChoice::Optimized, TierChoice::Auto] {
            let mut engine = engine(Config { limits: patient(), ..captured(tier, &[]) });
            engine.load("program.hw", &source).expect("it compiled before");
            let loads = all_loads(engine.module());
            engine.executor_mut().advise(loads);
            let found = seen(&mut engine);
            assert_eq!(found, (expected.output.clone(), expected.ended.clone()), "seed {seed} with {}", tier.name());
        }
    }
}

#[test]
fn programs_run_alike_without_a_pass() {
    for seed in 0..how_many(30) / 15 {
        let source = program(seed, Size::default());
        let expected = run(TierChoice::Interp, &source, &[]).expect("generated programs compile");
        for pass in PASSES {
            let passes = Options { disabled: vec![pass.name.to_owned()], ..Options::default() };
            let found = run_within(patient(), passes, TierChoice::Optimized, &source, &[]).expect("it compiled before");
            let (found, expected) = ((&found.output, &found.ended), (&expected.output, &expected.ended));
            assert_eq!(found, expected, "seed {seed} without {}", pass.name);
        }
    }
}
