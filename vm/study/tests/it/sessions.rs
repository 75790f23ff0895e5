//! Sessions of the REPL go alike in every tier and under every schedule: definitions are replaced, structs and globals too, between runs that are hot,
//! fail, or are interrupted.
//!
//! In: random sessions of the generator, and some that once went wrong. Out: what each input gave, compared with the interpreter. `HOLLOWAY_PROGRAMS` and
//! `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`. Invariant: nothing depends on time; interrupts are raised when output is passed on, and the next
//! poll stops the program.

use super::common::programs::seeds;
use super::common::{captured, counted, scheme};
use holloway_aos::{Parts, Session};
use holloway_machine::profile::Pace;
use holloway_runtime::failure::FailureKind;

use holloway::{Adaptive, Config, Engine, LoadError, RunError, TierChoice};
use holloway_generator::session;
use holloway_lang::session::Input;
use holloway_profiler::scheme::{Gap, SCHEMES, Sampling, Scheme};
use holloway_runtime::{InterruptHandle, Sink};
use holloway_study::report::{Shown, paths};
use std::sync::{Arc, Mutex};

/// Bytes that are passed on in the middle of a run.
const PIECE: usize = 1 << 16;

/// Iterations of a run that is short in any tier, and of one that the adaptive system finds worth a profile.
const SHORT: u64 = 1500;
const LONG: u64 = 600_000;

/// The output of a session, and the program that it stops.
#[derive(Default)]
struct Screen {
    output: String,
    program: Option<InterruptHandle>,
}

/// A session.
struct Talk {
    engine: Engine,
    screen: Arc<Mutex<Screen>>,
    inputs: usize,
}

impl Talk {
    fn new(tier: TierChoice, adaptive: Option<Session>) -> Talk {
        let screen: Arc<Mutex<Screen>> = Arc::default();
        let shown = Arc::clone(&screen);
        let show = move |piece: &[u8]| {
            let mut screen = shown.lock().expect("nobody panics");
            let Screen { output, program } = &mut *screen;
            match piece.len() {
                0..PIECE => output.push_str(&String::from_utf8_lossy(piece)),
                _ => program.iter().for_each(InterruptHandle::interrupt),
            }
        };
        let output = Sink::Callback(Box::new(show));
        let config = Config { adaptive: adaptive.map(Adaptive), output, ..captured(tier, &[]) };
        let engine = Engine::interactive(config).expect("there is memory for an engine");
        screen.lock().expect("nobody panics").program = Some(engine.interrupt_handle());
        Talk { engine, screen, inputs: 0 }
    }

    /// Gives an input; returns what came of it.
    fn give(&mut self, text: &str, run: impl FnOnce(&mut Engine) -> String) -> String {
        self.inputs += 1;
        let name = format!("<input {}>", self.inputs);
        let ended = match self.engine.add(Input { name: &name, key: None, bytes: text.as_bytes() }) {
            Ok(_) => run(&mut self.engine),
            Err(LoadError::Diagnostics(found)) => found.iter().map(|one| format!("{}\n", one.message())).collect(),
            Err(error) => panic!("{error}"),
        };
        let mut screen = self.screen.lock().expect("nobody panics");
        std::mem::take(&mut screen.output) + &ended
    }

    /// Gives inputs that run by themselves.
    fn give_all(&mut self, inputs: &[String]) -> Vec<String> {
        inputs.iter().map(|text| self.give(text, statements)).collect()
    }
}

/// Runs an input; where an interrupt is noticed is not told, as code polls where it comes by.
fn statements(engine: &mut Engine) -> String {
    match engine.run_statements() {
        Err(RunError::Failure(failure)) if failure.kind == FailureKind::Interrupted => "interrupted".to_owned(),
        ended => format!("{ended:?}"),
    }
}

/// Compares what each input gave.
fn compare(inputs: &[String], expected: &[String], found: &[String], what: &str) {
    if let Some(at) = (0..inputs.len()).find(|at| expected[*at] != found[*at]) {
        panic!("{what}, input {at}:\n{}\nfound {}\nof\n{}", expected[at], found[at], inputs[..=at].join("\n"));
    }
}

/// The sessions of the adaptive system under which inputs are tried: on a thread of its own, driven by counters, and by chance.
fn schedules(seed: u64, by_chance: u64) -> Vec<(String, Option<Session>)> {
    let chance = (0..by_chance).map(|at| (format!("stress {at}"), Some(Session::by_chance(seed * by_chance + at))));
    let others = [("auto".to_owned(), None), ("counters".to_owned(), Some(counted(Parts::NONE)))];
    others.into_iter().chain(chance).collect()
}

/// Sessions in which profiled code wrote behind what had forgotten its function: the function itself, its callee, or a global is replaced.
fn once_wrong() -> Vec<Vec<String>> {
    let table = "var t1 = [2, 6, 8, 1]";
    let get = |more: &str| format!("fn get(z: [int], i: int) -> int {{ return z[i & 3]{more} }}");
    let sum = |start: u32| {
        format!(
            "fn f0(n: int) -> int {{ var s = {start}; for i in 0..n {{ if i % 3 == 0 {{ s += get(t1, i) }} else {{ s = s * 5 - t1[i & 1] }} }}; return s }}"
        )
    };
    let session = |inputs: &[&str]| inputs.iter().map(|input| (*input).to_owned()).collect();
    vec![
        session(&[table, &get(" + len(z)"), &sum(0), "f0(1130000)", &sum(7), "f0(300000)"]),
        session(&[table, &get(" + len(z)"), &sum(0), "f0(1140000)", &get(""), "f0(300000)"]),
        session(&[table, &get(" + len(z)"), &sum(0), "f0(2000000)", &get(""), "f0(3000000)", "f0(5000000)"]),
        session(&[table, &get(" + len(z)"), &sum(0), "f0(300000)", "let t1 = [2, 3, 3, 9]", "f0(300000)"]),
    ]
}

#[test]
fn what_was_mended_stays_so() {
    for inputs in once_wrong() {
        let expected = Talk::new(TierChoice::Optimized, None).give_all(&inputs);
        for (name, adaptive) in schedules(0, 4) {
            compare(&inputs, &expected, &Talk::new(TierChoice::Auto, adaptive).give_all(&inputs), &name);
        }
    }
}

#[test]
fn every_tier_and_schedule_answers_alike() {
    for seed in seeds(3) {
        let inputs = session(seed, SHORT);
        let expected = Talk::new(TierChoice::Interp, None).give_all(&inputs);
        for tier in [TierChoice::Baseline, TierChoice::Optimized] {
            let found = Talk::new(tier, None).give_all(&inputs);
            compare(&inputs, &expected, &found, &format!("seed {seed}, {}", tier.name()));
        }
        for (name, adaptive) in schedules(seed, 4) {
            let found = Talk::new(TierChoice::Auto, adaptive).give_all(&inputs);
            compare(&inputs, &expected, &found, &format!("seed {seed}, {name}"));
        }
    }
}

#[test]
fn runs_that_are_worth_a_profile_answer_alike() {
    for seed in seeds(3) {
        let inputs = session(seed, LONG);
        let expected = Talk::new(TierChoice::Optimized, None).give_all(&inputs);
        for (name, adaptive) in schedules(seed, 1) {
            let found = Talk::new(TierChoice::Auto, adaptive).give_all(&inputs);
            compare(&inputs, &expected, &found, &format!("seed {seed}, {name}"));
        }
    }
}

/// Schemes that count paths, and bursts of them that a number of paths begins.
fn schemes() -> Vec<Scheme> {
    let mut sampled = scheme("k-bl", 3);
    let length = |paths: u64| paths.try_into().expect("it is not 0");
    sampled.settings.sample = Some(Sampling { burst: length(30), gap: Gap::Ids(length(50)) });
    SCHEMES.iter().map(Scheme::of).filter(|scheme| !scheme.counts_edges()).chain([sampled]).collect()
}

#[test]
fn profiles_of_a_session_are_those_of_the_bodies_that_it_has_now() {
    for seed in seeds(3) {
        let inputs = session(seed, SHORT);
        for scheme in schemes() {
            let profiled = |tier| {
                let mut talk = Talk::new(tier, None);
                talk.engine.executor_mut().profile(scheme);
                let answers = talk.give_all(&inputs);
                let profile = talk.engine.path_profile().expect("paths were profiled");
                (answers, paths::json(&talk.engine, &profile, "session", Shown::hottest(None)))
            };
            let (expected, found) = (profiled(TierChoice::Interp), profiled(TierChoice::Optimized));
            compare(&inputs, &expected.0, &found.0, &format!("seed {seed}, {scheme:?}"));
            assert!(expected.1 == found.1, "seed {seed}, {scheme:?}:\n{}\n{}", expected.1, found.1);
        }
    }
}

#[test]
fn inputs_that_are_profiled_apart_answer_alike() {
    for seed in seeds(4) {
        let inputs = session(seed, SHORT);
        let expected = Talk::new(TierChoice::Interp, None).give_all(&inputs);
        for (name, adaptive) in schedules(seed, 2) {
            let mut talk = Talk::new(TierChoice::Auto, adaptive);
            let mut schemes = schemes().into_iter().cycle();
            let apart =
                |engine: &mut Engine, scheme| engine.count_apart(scheme, statements).expect("there is memory for it").0;
            let found: Vec<String> = inputs
                .iter()
                .enumerate()
                .map(|(at, text)| match (at as u64 + seed) % 3 {
                    0 => talk.give(text, |engine| apart(engine, schemes.next().expect("they go on"))),
                    _ => talk.give(text, statements),
                })
                .collect();
            compare(&inputs, &expected, &found, &format!("seed {seed}, {name}"));
        }
    }
}

#[test]
fn a_session_goes_on_while_it_is_counted_by_one_scheme_and_another() {
    for seed in seeds(4) {
        let inputs = session(seed, SHORT);
        let expected = Talk::new(TierChoice::Interp, None).give_all(&inputs);
        let all: Vec<Scheme> = SCHEMES.iter().map(Scheme::of).chain(schemes()).collect();
        for (name, adaptive) in schedules(seed, 1) {
            let mut talk = Talk::new(TierChoice::Auto, adaptive);
            let mut found = Vec::new();
            for (at, text) in inputs.iter().enumerate() {
                if at > inputs.len() / 2 {
                    talk.engine.profile_by(all[(at + seed as usize) % all.len()]);
                }
                found.push(talk.give(text, statements));
            }
            compare(&inputs, &expected, &found, &format!("seed {seed}, {name}"));
        }
    }
}

/// Bursts that ticks begin, in code whose callees are replaced.
#[test]
fn bursts_end_with_the_code_that_they_are_of() {
    let mut ticked = scheme("k-bl", 3);
    ticked.settings.sample = Some(Sampling { burst: 200.try_into().expect("it is not 0"), gap: Gap::Ticks });
    for seed in seeds(4) {
        let inputs = session(seed, SHORT);
        let expected = Talk::new(TierChoice::Interp, None).give_all(&inputs);
        for period in [20, 300] {
            let mut talk = Talk::new(TierChoice::Auto, None);
            talk.engine.executor_mut().profile_at(ticked, Pace::polls(period));
            let found = talk.give_all(&inputs);
            compare(&inputs, &expected, &found, &format!("seed {seed}, a tick each {period} polls"));
            talk.engine.path_profile().expect("paths were profiled");
        }
    }
}
