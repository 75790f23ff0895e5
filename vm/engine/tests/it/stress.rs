//! Under stress (`--stress`), a seeded random schedule compiles and invalidates versions of functions while a program
//! runs: in any tier and with any traces, entered by calls and by OSR, left at loop headers; and guards that hold are
//! forced to fail. The behaviour must not change: output, failure, span and call stack are those of the reference
//! interpreter.
//!
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`.

use super::common::programs::{Benchmark, causes, every_eighth, first_seed, how_many, seeds};
use super::common::{captured, impatient, loaded, patient, seen};
use super::depths::DEPTHS;
use holloway::{Config, Engine, TierChoice};
use holloway_aos::{Session, Stressed};
use holloway_generator::{Size, minimize, program};
use holloway_runtime::Limits;

struct Seen {
    shown: String,
    stressed: Option<Stressed>,
}

fn run(tier: TierChoice, stress: Option<u64>, source: &str, args: &[&str]) -> Seen {
    run_within(patient(), tier, stress, source, args)
}

fn run_within(limits: Limits, tier: TierChoice, stress: Option<u64>, source: &str, args: &[&str]) -> Seen {
    let adaptive = stress.map(|seed| holloway::Adaptive(Session::by_chance(seed)));
    let mut engine = loaded(Config { adaptive, limits, ..captured(tier, args) }, source);
    let (output, ended) = seen(&mut engine);
    Seen { shown: format!("{output}\n{ended}"), stressed: engine.executor().adaptive().and_then(Session::stressed) }
}

/// The difference between a run with a seed and the interpreter's, if there is one.
fn difference(seed: u64, source: &str, total: &mut Stressed) -> Option<String> {
    difference_within(patient(), seed, source, total)
}

fn difference_within(limits: Limits, seed: u64, source: &str, total: &mut Stressed) -> Option<String> {
    let expected = run_within(limits, TierChoice::Interp, None, source, &[]);
    let found = run_within(limits, TierChoice::Auto, Some(seed), source, &[]);
    let stressed = found.stressed.expect("chance decides");
    total.versions += stressed.versions;
    total.transfers += stressed.transfers;
    total.failures += stressed.failures;
    let lines = expected.shown.lines().zip(found.shown.lines());
    let shorten = |line: &str| line.chars().take(300).collect::<String>();
    (found.shown != expected.shown).then(|| match lines.clone().find(|(expected, found)| expected != found) {
        Some((expected, found)) => format!("expected {}\nfound    {}", shorten(expected), shorten(found)),
        None => "one output is longer".to_owned(),
    })
}

#[test]
fn random_programs_do_not_notice() {
    let mut total = Stressed::default();
    for seed in seeds(10) {
        let source = program(seed, Size::default());
        if let Some(why) = difference(seed, &source, &mut total) {
            let small = minimize(&source, |candidate| {
                Engine::new(Config::default()).expect("memory").load("program.hw", candidate).is_ok()
                    && difference_within(impatient(), seed, candidate, &mut Stressed::default()).is_some()
            });
            panic!("seed {seed}: {why}\nsmallest program that still shows a difference:\n{small}");
        }
    }
    println!("{total:?}");
    assert!(total.versions > 0 && total.transfers > 0 && total.failures > 0, "nothing was stressed: {total:?}");
}

/// Programs that once differed under stress.
const ONCE_WRONG: [&str; 4] = [
    // A failure in a trace is caught around the trace's loop, but not at the trace head.
    "var total = 5
     let table = [1, 2, 3, 4, 5]
     fn turn() {
         var a = 7
         while a > 0 {
             a -= 1
             for u in \"alpha\" { total |= u }
             try {
                 for last in 4..-1 step -1 { table[-3] = table[-3] + 2 }
                 total /= a + 4
             } catch e {
                 print(\"caught\", e)
                 total >>>= if a > 3 { 1 } else { a }
             }
         }
     }
     fn main() {
         for i in 0..20 { turn() }
         print(total)
     }",
    // A version entered at an inner loop, in the copy of a trace around it, took what that keeps from a parameter that nobody passed.
    "fn kern(a: int, b: int, c: int, d: int, e: int, f: int) -> int {
         var s = a
         for i in 0..5 { for j in 0..3 { for k in 1..f & 7 { s = s * 3 + k } s ^= d } }
         return s + f
     }
     var acc = 0
     for rep in 0..300 { acc = acc * 31 + kern(rep, 1, 5, rep + 3, 3, rep + 5) }
     print(acc)",
    "fn kern(a: int, b: int, c: int, d: int, e: int, f: int) -> int {
         var s = a
         for i in 0..5 { for j in 0..3 { for k in 1..f & 7 { s = s * 3 + k } s ^= d } }
         return s + f
     }
     var acc = 0
     for rep in 0..300 {
         let x = rep * 3
         let y = [rep, 2]
         acc = acc * 31 + kern(rep, rep + 1, 5, rep + 3, 3, rep + 5)
         acc += y[0] + x
     }
     print(acc)",
    // A loop that is left from an inner loop, before the code after the inner loop has been executed.
    "var ys10 = [2; 22]
     var p12 = Body(size: 'a' + -3, next: [12, 256, 11, -1, -9223372036854775808, -128], link: none)
     fn check2(flag5: bool, flag6: bool) -> str {
         return MASK1
     }
     const MASK1 = \"\\r//\"
     for w63 in 550..=1 step -5 {
         if let item64 = p12.link {
             let t65 = item64.next[w63 & 3]
         }
     }
     var v72 = ys10[2 - 0xffffffffffffffff & 3]
     try {
         assert(false, check2(0x80154 == v72, if v72 != -327 { false } else { false }))
     } catch e78 {
     }
     struct Body {
         next: [int]
         size: int
         link: Body?
     }",
];

#[test]
fn what_was_mended_stays_so() {
    for source in ONCE_WRONG {
        for seed in 0..how_many(6) {
            let why = difference(seed, source, &mut Stressed::default());
            assert_eq!(why, None, "seed {seed}\n{source}");
        }
    }
}

/// Functions that are too large to be optimized stay as they are, whatever chance decides.
#[test]
fn large_functions_do_not_notice() {
    let steps = "q = q * 3 + j\n q ^= i\n".repeat(1_700);
    let source = format!(
        "fn f(n: int) -> int {{
             var q = 0
             let j = n + 1
             for i in 0..n {{
                 if i & 1 == 0 {{ q += 1 }}
                 {steps}
             }}
             return q
         }}
         var sum = 0
         for i in 0..30 {{ sum ^= f(4) + i }}
         print(sum)"
    );
    for seed in [2, 3, 4, 9] {
        let why = difference(seed, &source, &mut Stressed::default());
        assert_eq!(why, None, "seed {seed}");
    }
}

/// Switches one after the other have as many ways to a state as their cases multiplied, of which state threading follows a few only.
#[test]
fn rows_of_switches_are_compiled_soon() {
    let cases: String = (0..200).map(|case| format!("{case} => {{ q += {case} }}\n")).collect();
    let switch =
        |by: u32, state: u32| format!("match (i * {by}) & 1023 {{ {cases} 200 => {{ s = {state} }}\n _ => {{}} }}");
    let switches: String = [(7, 1), (5, 2), (3, 3), (11, 1)].map(|(by, state)| switch(by, state)).concat();
    let source = format!(
        "fn f(n: int) -> int {{
             var s = 0
             var q = 0
             for i in 0..n {{
                 if s == 1 {{ q += 7 }} else if s == 2 {{ q += 9 }}
                 {switches}
             }}
             return q
         }}
         print(f(300))"
    );
    let expected = run(TierChoice::Interp, None, &source, &[]).shown;
    assert_eq!(run(TierChoice::Optimized, None, &source, &[]).shown, expected);
}

#[test]
fn calls_go_as_deep() {
    for (seed, source) in DEPTHS.iter().enumerate() {
        for seed in [seed as u64, 100 + seed as u64] {
            let why = difference(seed, source, &mut Stressed::default());
            assert_eq!(why, None, "seed {seed}\n{source}");
        }
    }
}

#[test]
fn the_benchmark_programs_do_not_notice() {
    let first = first_seed();
    let (mut moved, mut failed) = (0, 0);
    for (nth, Benchmark { name, source, size, checksum }) in every_eighth(3).into_iter().chain(causes()).enumerate() {
        let seen = run(TierChoice::Auto, Some(first + nth as u64), &source, &[&size]);
        assert_eq!(seen.shown, format!("{checksum}\n\nstatus 0"), "{name}");
        let stressed = seen.stressed.expect("chance decides");
        moved += u64::from(stressed.transfers > 0);
        failed += u64::from(stressed.failures > 0);
    }
    assert!(moved > 6 && failed > 4, "activations moved in {moved} programs only, guards failed in {failed}");
}

#[test]
fn a_seed_decides_alike_in_two_runs() {
    let source = program(3, Size::default());
    let runs = [(); 2].map(|()| run(TierChoice::Auto, Some(3), &source, &[]));
    assert_eq!(runs[0].stressed, runs[1].stressed);
}
