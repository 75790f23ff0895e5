//! Path profiles are the same from the interpreter and from optimized code, those across calls from baseline code too: every count, every prefix, every property
//! of their JSON; on the benchmark programs at their small size and on random programs.
//!
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`.

use super::common::programs::{Benchmark, is_asked_for_more, seeds, some_benchmarks};
use super::common::{captured, engine, load, patient, scheme};
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_profiler::counts::TableKind;
use holloway_profiler::scheme::{FrequencyCounting, Gap, SCHEMES, Sampling, Scheme};
use holloway_study::report::{Shown, paths};

/// Every scheme that counts paths, some in hash tables as well; sequences of one path; and persistence with frequencies.
fn schemes() -> Vec<Scheme> {
    let hashed = [("bl", 1), ("k-iter", 3)].map(|(name, k)| {
        let mut hash = scheme(name, k);
        hash.settings.table = Some(TableKind::Hash);
        hash
    });
    let paths = SCHEMES.iter().map(Scheme::of).filter(|scheme| !scheme.counts_edges());
    let mut frequencies = scheme("tfp", 4);
    frequencies.settings.frequencies = FrequencyCounting::Exact;
    let others = [frequencies, scheme("tfp", 1), scheme("tfp", 30), scheme("k-bl", 1), sampled(4, 40, 60)];
    paths.chain(hashed).chain(others).collect()
}

/// Sequences of up to `k` paths in bursts.
fn sampled(k: u64, burst: u64, gap: u64) -> Scheme {
    let mut sampled = scheme("k-bl", k);
    let length = |paths: u64| paths.try_into().expect("it is not 0");
    sampled.settings.sample = Some(Sampling { burst: length(burst), gap: Gap::Ids(length(gap)) });
    sampled
}

/// The profile as JSON; none if the program took too long.
fn profile(tier: TierChoice, scheme: Scheme, source: &str, args: &[&str]) -> Option<String> {
    let mut engine = engine(Config { limits: patient(), ..captured(tier, args) });
    engine.executor_mut().profile(scheme);
    load(&mut engine, source);
    let ended = engine.run();
    if ended.is_err_and(|error| error.to_string().contains("time")) {
        return None;
    }
    let profile = engine.path_profile().expect("paths were profiled");
    Some(paths::json(&engine, &profile, "program.hw", Shown::hottest(None)))
}

fn check(source: &str, args: &[&str], what: &str) {
    check_by(schemes(), source, args, what);
}

pub(super) fn check_by(schemes: impl IntoIterator<Item = Scheme>, source: &str, args: &[&str], what: &str) {
    for scheme in schemes {
        let Some(expected) = profile(TierChoice::Interp, scheme, source, args) else { continue };
        // Baseline code carries only what all code has to.
        let baseline = scheme.is_in_all_code().then_some(TierChoice::Baseline);
        for tier in [TierChoice::Optimized].into_iter().chain(baseline) {
            let found = profile(tier, scheme, source, args).expect("it ended before");
            if expected != found {
                let at = expected.bytes().zip(found.bytes()).position(|(a, b)| a != b).unwrap_or_default();
                let near = |text: &str| text[at.saturating_sub(300)..(at + 100).min(text.len())].to_owned();
                let (name, expected, found) = (tier.name(), near(&expected), near(&found));
                panic!("{what}, {scheme:?}:\ninterpreter: {expected}\n{name}: {found}\nof\n{source}");
            }
        }
    }
}

/// An activation waits at a forest node from which other activations take steps that share a slot in its table with the
/// step that led there.
const WITHIN_EACH_OTHER: &str = "
var state = 12345

fn next() -> int {
    state = state * 6364136223846793005 + 1442695040888963407
    return (state >>> 33) & 31
}

fn walk(depth: int) -> int {
    var sum = 0
    for i in 0..3 {
        if depth > 0 { sum += walk(depth - 1) }
        let r = next()
        if r & 1 != 0 { sum += 1 } else { sum ^= 3 }
        if r & 2 != 0 { sum += 5 } else { sum ^= 7 }
        if r & 4 != 0 { sum += 9 } else { sum ^= 11 }
        if r & 8 != 0 { sum += 13 } else { sum ^= 15 }
        if r & 16 != 0 { sum += 13 } else { sum ^= 15 }
    }
    return sum
}

print(walk(7))
";

#[test]
fn activations_within_each_other_have_one_profile() {
    check(WITHIN_EACH_OTHER, &[], "recursion");
}

/// A slab has one id of so many paths, and some of a loop with one path.
#[test]
fn many_paths_have_one_profile() {
    let diamonds = "        if n % 2 == 0 { s += 1 } else { s += n }\n".repeat(40);
    let source = format!(
        "fn many(n: int) -> int {{\n    var s = 0\n    for i in 0..5 {{\n{diamonds}    }}\n    for i in 0..n * 7 {{ s += i }}\n    \
         return s\n}}\nfor n in 0..9 {{ print(many(n)) }}\n"
    );
    check(&source, &[], "many paths");
}

/// Slabs that end in the middle: by calls that fail, by failures that are caught, and by the end of the program.
const CUT_SHORT: &str = "
fn half(n: int) -> int {
    if n % 5 == 4 { fail \"odd\" }
    return n / 2
}

fn walk(n: int) -> int {
    var sum = 0
    for i in 0..n {
        for j in 0..i { sum += j }
        try { sum += half(i + n) } catch message { sum += len(message) }
        if i % 3 == 0 { sum ^= 7 }
    }
    return sum
}

for n in 0..40 { print(walk(n)) }
print([1, 2][walk(3) + 100])
";

#[test]
fn slabs_that_are_cut_short_have_one_profile() {
    for k in [1, 2, 4, 9, 16] {
        check_by([scheme("k-bl", k)], CUT_SHORT, &[], "cut short");
        check_by([scheme("k-bl", k)], WITHIN_EACH_OTHER, &[], "recursion");
    }
}

/// Loops with one path whose iterations call other activations of the function, which report theirs in between.
const WITHIN_A_LOOP: &str = "
fn walk(depth: int) -> int {
    var sum = depth
    if depth > 0 { for i in 0..3 { sum += walk(depth - 1) } }
    for i in 0..depth * 9 { sum ^= i }
    return sum
}

fn leaf(n: int) -> int {
    var sum = 0
    for i in 0..n { sum += i }
    return sum
}

fn above(n: int) -> int {
    var sum = 0
    for i in 0..n { sum += leaf(i) }
    return sum
}

print(walk(6))
print(above(70))
";

/// Bursts that end in the middle of a loop with one path, of activations within each other, and of those that a failure ends.
#[test]
fn bursts_have_one_profile() {
    for (k, burst, gap) in [(1, 3, 2), (2, 1, 1), (4, 7, 3), (4, 100, 900), (16, 50, 50), (200, 3000, 10)] {
        for source in [CUT_SHORT, WITHIN_A_LOOP, SHORTER_AND_SHORTER] {
            check_by([sampled(k, burst, gap)], source, &[], "bursts");
        }
    }
    check_by([sampled(2, 7, 3), sampled(4, 100, 900)], WITHIN_EACH_OTHER, &[], "bursts");
    let mut limited = sampled(4, 20, 30);
    limited.settings.forest_limit = Some(1 << 20);
    check_by([limited], CUT_SHORT, &[], "bursts with a limit");
}

/// Random ways through some diamonds: a few of them have an index, more have none, and many need several words.
fn diamonds(count: usize) -> String {
    let shifts = (0..count).map(|nth| (nth * 7) % 31);
    let all: String =
        shifts.map(|shift| format!("        if state >>> {shift} & 1 == 0 {{ s += n }} else {{ s ^= 3 }}\n")).collect();
    format!(
        "fn walk(n: int, seed: int) -> int {{\n    var s = 0\n    var state = seed\n    for i in 0..n {{\n        if i % 13 > 8 {{ state \
         = state * 6364136223846793005 + 1442695040888963407 }}\n        if state % 5 == 1 {{ continue }}\n{all}    }}\n    return s\n}}\n\
         for n in 0..40 {{ print(walk(n * 20, n)) }}\n"
    )
}

/// Runs that become shorter, the first being the longest.
const SHORTER_AND_SHORTER: &str = "
var sum = 0
for length in 0..12 {
    for i in 0..90 - length * 7 {
        if length % 2 == 0 { sum += i } else { sum ^= i }
    }
}
print(sum)
fn walk(n: int) -> int {
    var sum = 0
    for i in 0..n {
        if i < 50 || i % 3 == 0 { sum += i } else { sum ^= 7 }
    }
    return sum
}
print(walk(200))
";

#[test]
fn executions_are_folded_in_place_for_any_window() {
    for (nth, k) in [1, 2, 3, 8, 50, u64::from(u32::MAX)].into_iter().enumerate() {
        let mut frequencies = scheme("tfp", k);
        frequencies.settings.frequencies = FrequencyCounting::Exact;
        check_by([frequencies], SHORTER_AND_SHORTER, &[], "shorter and shorter");
        check_by([frequencies], CUT_SHORT, &[], "cut short");
        check_by([frequencies], WITHIN_EACH_OTHER, &[], "recursion");
        // Each number of diamonds with two windows.
        for count in [1, 3, 6, 12, 16, 40].into_iter().skip(nth % 3).step_by(3) {
            check_by([frequencies, scheme("bala", 1)], &diamonds(count), &[], "diamonds");
        }
    }
}

/// Every program with a third of the schemes, every scheme with a third of the programs; with `HOLLOWAY_PROGRAMS` all with all.
#[test]
fn random_programs_have_one_profile() {
    for seed in seeds(8) {
        check_by(chosen(seed as usize, 3), &program(seed, Size::default()), &[], &format!("seed {seed}"));
    }
}

/// The same with programs of an eighth of the operations: for runs of many.
#[test]
fn short_random_programs_have_one_profile() {
    for seed in seeds(8) {
        check_by(chosen(seed as usize, 3), &program(seed, Size::Small), &[], &format!("short program of seed {seed}"));
    }
}

/// One in so many of the schemes, others for each program; with `HOLLOWAY_PROGRAMS` all.
fn chosen(program: usize, one_in: usize) -> impl Iterator<Item = Scheme> {
    let is_chosen = move |nth: usize| (program + nth).is_multiple_of(one_in) || is_asked_for_more();
    schemes().into_iter().enumerate().filter(move |(nth, _)| is_chosen(*nth)).map(|(_, scheme)| scheme)
}

/// Each of these programs with a fourth of the schemes, and every scheme with a fourth of them.
#[test]
fn the_benchmark_programs_have_one_profile() {
    for (at, Benchmark { name, source, size, .. }) in some_benchmarks(3).into_iter().enumerate() {
        check_by(chosen(at, 4), &source, &[&size], &name);
    }
}
