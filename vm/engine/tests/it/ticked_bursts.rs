//! Bursts that ticks begin: programs do the same, and what is recorded happened.
//!
//! In: programs in optimized code, with ticks after so many polls. Out: failed tests where the output differs from that of the interpreter, where a
//! sequence is recorded more often than it was taken, or where shares are further from the true ones than their error allows.
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` choose random programs. Invariant: nothing depends on time.

use super::common::programs::{Benchmark, FAILURES, seeds, some_benchmarks};
use super::common::{captured, engine, load, patient, scheme, seen};
use hashbrown::HashMap;
use holloway::PathProfile;
use holloway::internals::Executor;
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_machine::profile::Pace;
use holloway_profiler::scheme::{Forest, Gap, Sampling, Scheme};

/// Counts of sequences, by function.
type Counts = HashMap<(usize, Vec<u64>), u64>;

/// Sequences of up to `k` paths, in bursts of so many that ticks begin.
fn ticked(k: u64, burst: u64) -> Scheme {
    let mut ticked = scheme("k-bl", k);
    ticked.settings.sample = Some(Sampling { burst: burst.try_into().expect("it is not 0"), gap: Gap::Ticks });
    ticked
}

/// The output and end of a run, and its profile.
fn run(scheme: Scheme, pace: Pace, source: &str, args: &[&str]) -> ((String, String), PathProfile) {
    let mut engine = engine(Config { limits: patient(), ..captured(TierChoice::Optimized, args) });
    engine.executor_mut().profile_at(scheme, pace);
    load(&mut engine, source);
    let seen = seen(&mut engine);
    if let Executor::Compiled(machine) = engine.executor() {
        assert!(machine.runtime.context().osr_request().is_none(), "no frame is asked when the run is over");
    }
    (seen, engine.path_profile().expect("paths were profiled"))
}

fn interpreted(source: &str, args: &[&str]) -> (String, String) {
    let mut engine = engine(Config { limits: patient(), ..captured(TierChoice::Interp, args) });
    load(&mut engine, source);
    seen(&mut engine)
}

fn counts(profile: &PathProfile) -> Counts {
    let functions = profile.results().into_iter().enumerate();
    let of = |(at, results): (usize, holloway_profiler::scheme::Results)| {
        let found = results.sequences.map(|found| found.k_ipf.sequences()).unwrap_or_default();
        found.into_iter().map(move |(ids, count)| ((at, ids), count))
    };
    functions.flat_map(|(at, (_, results))| of((at, results))).collect()
}

/// Number of bursts and of paths recorded.
fn recorded(profile: &PathProfile) -> (u64, u64) {
    let of = |results: holloway_profiler::scheme::Results| match results.sequences.map(|found| found.forest) {
        Some(Forest::Sampled(sampled)) => (sampled.bursts(), sampled.recorded()),
        Some(Forest::Whole(_) | Forest::Steps(_) | Forest::First(_)) | None => (0, 0),
    };
    let all = profile.results().into_iter().map(|(_, results)| of(results));
    all.fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1))
}

/// Checks a program at several paces; gives the number of bursts.
fn check(k: u64, burst: u64, polls: u64, source: &str, args: &[&str], what: &str) -> u64 {
    let expected = interpreted(source, args);
    if expected.1.contains("time") {
        return 0;
    }
    let (_, whole) = run(scheme("k-bl", k), Pace::Clock, source, args);
    let whole = counts(&whole);
    let (found, sampled) = run(ticked(k, burst), Pace::polls(polls), source, args);
    assert_eq!(found, expected, "{what}, k = {k}, burst {burst}, {polls} polls:\n{source}");
    for (sequence, count) in counts(&sampled) {
        let taken = whole.get(&sequence).copied().unwrap_or(0);
        assert!(
            count <= taken,
            "{what}: {sequence:?} {count} times, and taken {taken} times; k = {k}, burst {burst}\n{source}"
        );
    }
    recorded(&sampled).0
}

#[test]
fn random_programs_do_not_notice() {
    let mut bursts = 0;
    for seed in seeds(8) {
        let (k, burst, polls) = (1 + seed % 5, [1, 3, 40, 500][seed as usize % 4], [1, 7, 60][seed as usize % 3]);
        bursts += check(k, burst, polls, &program(seed, Size::default()), &[], &format!("seed {seed}"));
    }
    assert!(bursts > 13, "{bursts} bursts");
}

#[test]
fn failures_are_not_noticed_either() {
    let bursts: u64 = [(1, 1, 1), (2, 5, 2), (3, 60, 5)]
        .map(|(k, burst, polls)| check(k, burst, polls, FAILURES, &[], "failures"))
        .iter()
        .sum();
    assert!(bursts > 10, "{bursts} bursts");
}

#[test]
fn the_benchmark_programs_are_sampled() {
    let mut sampled = 0;
    for Benchmark { name, source, size, .. } in some_benchmarks(0) {
        let bursts = check(4, 50, 700, &source, &[&size], &name);
        sampled += usize::from(bursts > 0);
    }
    assert!(sampled > 3, "{sampled} programs were sampled");
}

/// A loop whose paths are random, in a function that is called from a loop and calls others: every share is the same at all times.
const STEADY: &str = "
var state = 12345

fn next() -> int {
    state = state * 6364136223846793005 + 1442695040888963407
    return (state >>> 33) & 15
}

fn walk(n: int) -> int {
    var sum = 0
    for i in 0..n {
        let r = next()
        if r < 9 { sum += 1 } else if r < 14 { sum ^= 3 } else { sum += next() }
    }
    return sum
}

fn main() {
    var sum = 0
    for i in 0..40 { sum += walk(20000) }
    print(sum)
}
";

/// The shares of sequences among those of their length are the true ones, and their errors are as stated.
#[test]
fn shares_are_true_within_their_errors() {
    let (_, whole) = run(scheme("k-bl", 3), Pace::Clock, STEADY, &[]);
    let whole = counts(&whole);
    let (mut seen, mut off, mut squares) = (0, 0, 0.0);
    for polls in [1500, 2300, 3100, 4700] {
        let (_, sampled) = run(ticked(3, 100), Pace::polls(polls), STEADY, &[]);
        let (bursts, paths) = recorded(&sampled);
        assert!(bursts > 20 && paths > 20 * 90, "{bursts} bursts of {paths} paths");
        for (at, (_, results)) in sampled.results().into_iter().enumerate() {
            let Some(found) = results.sequences else { continue };
            let Forest::Sampled(sample) = &found.forest else { continue };
            if sample.bursts() < 20 {
                continue;
            }
            let total = |counts: &mut dyn Iterator<Item = u64>| counts.sum::<u64>() as f64;
            for length in 1..=3 {
                let of_length = |ids: &Vec<u64>| ids.len() == length;
                let taken =
                    total(&mut whole.iter().filter(|((f, ids), _)| *f == at && of_length(ids)).map(|(_, n)| *n));
                let all = found.k_ipf.sequences();
                let drawn = total(&mut all.iter().filter(|(ids, _)| of_length(ids)).map(|(_, n)| *n));
                let estimator = sample.estimator(&found.k_ipf);
                for (ids, count) in all.iter().filter(|(ids, count)| of_length(ids) && *count > 50) {
                    let error = estimator.estimate(ids).standard_error / drawn;
                    let difference = *count as f64 / drawn - whole[&(at, ids.clone())] as f64 / taken;
                    if error == 0.0 {
                        assert!(difference.abs() < 1e-9, "all windows of this length are alike");
                        continue;
                    }
                    seen += 1;
                    off += usize::from(difference.abs() > 2.6 * error);
                    squares += (difference / error).powi(2);
                }
            }
        }
    }
    // Errors of eight groups are estimates themselves: one in thirty is beyond 2.6 of them (Student's t with 7 degrees of freedom).
    assert!(seen > 60 && off <= seen / 10, "{off} of {seen} are off");
    assert!((0.3..3.0).contains(&(squares / seen as f64)), "{}", squares / seen as f64);
}

/// Two runs with one pace sample alike.
#[test]
fn samples_by_polls_are_the_same_every_time() {
    let once = || counts(&run(ticked(4, 30), Pace::polls(900), STEADY, &[]).1);
    assert_eq!(once(), once());
}
