//! The stories that the controller must tell.

use proptest::prelude::*;

use super::machine::{Machine, fixed};
use super::{Activation, Function, Paths, Stretch, Workload};
use crate::event::{DropReason, Gain, Kind, What};
use crate::observation::decide_again;
use crate::settings::CompileWeight;
use crate::strategies::{STRATEGIES, strategy};
use crate::{Action, Controller, Event, Observed, Settings};

fn stretch(function: usize, iterations: u64, paths: Paths) -> Stretch {
    Stretch { function, iterations, paths }
}

/// Iterations in which a loop that alternates too fast is seen to do so.
const TOO_FAST: u64 = 600_000_000;

fn run(functions: Vec<Function>, stretches: Vec<Stretch>) -> Machine {
    let mut machine = Machine::new(&functions, Settings::on_two_cores());
    machine.run(&Workload { functions, stretches });
    machine
}

/// Story of what happened, without what was only considered or said in passing: one word each.
fn story(events: &[Event]) -> Vec<String> {
    let word = |event: &Event| match &event.what {
        What::Installed(installed) => {
            let tier = event.subject.tier.expect("versions have a kind").name();
            let entry = if installed.entry_line.is_some() { " at its loop" } else { "" };
            let again = if installed.compilation.is_none() { " again" } else { "" };
            Some(format!("{tier}{entry}{again}"))
        }
        What::Persistent(_) => Some("persistent".to_owned()),
        What::Dropped(dropped) if matches!(dropped.reason, DropReason::GuardsFail | DropReason::NoGain) => {
            let next = dropped.next_k.map_or("no more".to_owned(), |k| format!("K {k}"));
            Some(format!("dropped: {:?}, then {next}", dropped.reason))
        }
        _ => None,
    };
    events.iter().filter_map(word).collect()
}

fn time_of(events: &[Event], matches: impl Fn(&What) -> bool) -> u64 {
    events.iter().find(|event| matches(&event.what)).expect("it happened").time.0
}

#[test]
fn a_hot_function_is_optimized_soon() {
    let plain = Function { branches: 0, ..Function::new("hot", 0.05) };
    let machine = run(vec![plain], vec![stretch(0, 4_000_000, Paths::Same(0))]);
    assert_eq!(story(&machine.events), ["optimized"]);
    let installed = time_of(&machine.events, |what| matches!(what, What::Installed(_)));
    assert!(installed < 3_000, "optimized code came after {installed} us");
}

#[test]
fn a_loop_that_is_entered_once_is_entered_in_the_middle() {
    let once = Function { branches: 0, activation: Activation::Once, ..Function::new("main", 0.05) };
    let machine = run(vec![once], vec![stretch(0, 4_000_000, Paths::Same(0))]);
    assert_eq!(story(&machine.events), ["optimized", "optimized at its loop"]);
    let entered = time_of(&machine.events, |what| matches!(what, What::Osr(_)));
    assert!(entered < 6_000, "optimized code was entered after {entered} us");
    let took = machine.events.iter().filter_map(|event| match &event.what {
        What::Osr(osr) => Some((osr.count, osr.took)),
        _ => None,
    });
    assert!(took.clone().count() > 0 && took.clone().all(|(count, took)| took == 0.9 * count as f64));
}

#[test]
fn a_persistent_loop_is_specialized() {
    let machine = run(vec![Function::new("walk", 0.05)], vec![stretch(0, 20_000_000, Paths::Same(3))]);
    assert_eq!(story(&machine.events), ["optimized", "profiled", "optimized again", "persistent", "specialized"]);
}

#[test]
fn a_persistent_loop_of_one_activation_is_specialized() {
    let once = Function { activation: Activation::Once, ..Function::new("main", 0.05) };
    let machine = run(vec![once], vec![stretch(0, 20_000_000, Paths::Same(3))]);
    assert_eq!(
        story(&machine.events),
        [
            "optimized",
            "optimized at its loop",
            "profiled at its loop",
            "optimized at its loop again",
            "persistent",
            "specialized at its loop"
        ]
    );
}

#[test]
fn a_change_of_phase_is_followed() {
    let phases = (0..3).map(|path| stretch(0, 30_000_000, Paths::Same(path))).collect();
    let machine = run(vec![Function::new("walk", 0.05)], phases);
    let once = ["profiled", "optimized again", "persistent", "specialized"];
    let change = ["dropped: GuardsFail, then K 1024", "optimized again"];
    let mut expected = vec!["optimized"];
    for _ in 0..2 {
        expected.extend(once);
        expected.extend(change);
    }
    expected.extend(once);
    assert_eq!(story(&machine.events), expected);
}

#[test]
fn what_alternates_too_fast_is_left_alone() {
    let walk = vec![Function::new("walk", 0.05)];
    let machine = run(walk, vec![stretch(0, TOO_FAST, Paths::Alternating(20_000, 1, 2))]);
    let story = story(&machine.events);
    let drops: Vec<&str> = story.iter().filter_map(|word| word.strip_prefix("dropped: GuardsFail, then ")).collect();
    assert_eq!(drops, ["K 2048", "K 4096", "K 8192", "K 16384"], "then too little is expected of another");
    assert_eq!(story.last().map(String::as_str), Some("optimized again"));
    let is_drop =
        |event: &&Event| matches!(&event.what, What::Dropped(dropped) if dropped.reason == DropReason::GuardsFail);
    let times: Vec<u64> = machine.events.iter().filter(is_drop).map(|event| event.time.0).collect();
    let rests: Vec<u64> = times.windows(2).map(|pair| (pair[1] - pair[0]) / 200_000).collect();
    assert!(
        rests.windows(2).all(|pair| pair[1] >= 2 * pair[0]),
        "each try is twice as late as the one before: {rests:?}"
    );
}

/// The only gain that was told.
fn gain(machine: &Machine) -> &Gain {
    let gains = machine.events.iter().filter_map(|event| match &event.what {
        What::Gain(gain) => Some(gain),
        _ => None,
    });
    let [gain] = gains.collect::<Vec<_>>()[..] else { panic!("one gain is told") };
    gain
}

#[test]
fn a_trace_is_measured_in_turns_with_general_code() {
    let machine = run(vec![Function::new("walk", 0.05)], vec![stretch(0, 30_000_000, Paths::Same(1))]);
    let gain = gain(&machine);
    let (least, most) = gain.interval.expect("it was measured");
    assert!((gain.measured.expect("it was measured") - 0.4).abs() < 0.01, "{gain:?}");
    assert!(least > 0.38 && most < 0.42 && gain.pairs == 5, "{gain:?}");
}

#[test]
fn a_trace_that_measures_slower_is_dropped_whatever_was_expected() {
    let slow = Function { real_ratio: 1.1, ..Function::new("walk", 0.05) };
    let machine = run(vec![slow], vec![stretch(0, 12_000_000, Paths::Same(1))]);
    let story = story(&machine.events);
    let expected = [
        "optimized",
        "profiled",
        "optimized again",
        "persistent",
        "specialized",
        "dropped: NoGain, then K 1024",
        "optimized again",
    ];
    assert_eq!(story[..expected.len()], expected);
    let again = story[expected.len()..].iter().filter(|word| *word == "specialized");
    assert!(again.count() <= 1, "it rests ever longer: {story:?}");
}

#[test]
fn what_did_not_pay_may_not_take_more_than_its_part_of_a_run() {
    let slow = || Function { real_ratio: 1.1, size: 4_000, ..Function::new("slow", 0.05) };
    let functions = std::iter::repeat_with(slow).take(6).collect();
    let rounds = (0..10).flat_map(|_| (0..6).map(|at| stretch(at, 1_000_000, Paths::Same(1))));
    let machine = run(functions, rounds.collect());
    let compiled = |event: &Event| match &event.what {
        What::CompileEnd(end) if end.plan != Kind::Optimized => Some(end.figures.micros.0),
        _ => None,
    };
    let total: u64 = machine.events.iter().filter_map(compiled).sum();
    let run = machine.events.last().expect("there are some").time.0;
    let settings = Settings::on_two_cores();
    let limit = settings.first_overhead().0 as f64 + settings.overhead_share * run as f64;
    // What was begun within the limit ends beyond it: a profile, and what it found.
    assert!((total as f64) < limit + 60_000.0, "{total} us of {run}");
}

#[test]
fn a_trace_that_paid_leaves_room_for_the_next_though_nothing_was_measured() {
    let large = Function { size: 4_000, activation: Activation::Once, ..Function::new("phases", 0.05) };
    let phases = (0..6).map(|path| stretch(0, 10_000_000, Paths::Same(path)));
    let story = story(&run(vec![large], phases.collect()).events);
    let traces = story.iter().filter(|word| *word == "specialized at its loop").count();
    // The first two take what compilations may take besides; the third is within what these saved.
    assert!(traces >= 3, "{story:?}");
}

#[test]
fn a_loop_without_a_persistent_path_rests_between_profiles() {
    let machine = run(vec![Function::new("mixed", 0.05)], vec![stretch(0, 100_000_000, Paths::Mixed)]);
    let story = story(&machine.events);
    let profiles = story.iter().filter(|word| *word == "profiled").count();
    assert!((1..=3).contains(&profiles), "{story:?}");
    assert_eq!(story.last().map(String::as_str), Some("optimized again"));
}

#[test]
fn a_loop_whose_trace_saves_too_little_in_any_run_rests_ever_longer() {
    let little = || vec![Function { ratio: 0.95, ..Function::new("little", 0.05) }];
    let mut machine = Machine::new(&little(), Settings::synchronous());
    machine.run(&Workload { functions: little(), stretches: vec![stretch(0, 100_000_000, Paths::Same(1))] });
    let story = story(&machine.events);
    let profiles = story.iter().filter(|word| *word == "profiled").count();
    assert!((1..=3).contains(&profiles) && !story.contains(&"specialized".to_owned()), "{story:?}");
}

#[test]
fn a_profile_that_came_too_early_is_followed_by_one_that_pays() {
    // Much is expected of a dispatch loop, and less is found.
    let dispatch = Function { size: 3_000, ratio: 0.9, real_ratio: 0.9, choices: 9, ..Function::new("dispatch", 0.05) };
    let machine = run(vec![dispatch], vec![stretch(0, 20_000_000, Paths::Same(1))]);
    let story = story(&machine.events);
    let profiles = story.iter().filter(|word| *word == "profiled").count();
    assert!(profiles == 2 && story.contains(&"specialized".to_owned()), "{story:?}");
}

#[test]
fn cold_functions_are_never_compiled() {
    // A tick falls on it, but as much code as this is does not pay for a millisecond.
    let cold = Function { size: 5_000, ..Function::new("cold", 0.05) };
    let functions = vec![Function { branches: 0, ..Function::new("hot", 0.05) }, cold];
    let rounds = (0..100).flat_map(|_| [stretch(0, 100_000, Paths::Mixed), stretch(1, 200, Paths::Mixed)]);
    let machine = run(functions, rounds.collect());
    let compiled = |event: &Event| matches!(event.what, What::CompileStart(_));
    let names: Vec<_> =
        machine.events.iter().filter(|event| compiled(event)).map(|event| event.subject.function.clone()).collect();
    assert_eq!(names, [Some("hot".to_owned())]);
    let was_considered = |event: &&Event| event.subject.function.as_deref() == Some("cold");
    assert!(machine.events.iter().any(|event| was_considered(&event)));
}

#[test]
fn a_function_that_comes_back_after_a_long_rest_has_another_chance() {
    let functions = vec![Function::new("walk", 0.05)];
    let fast = Workload {
        functions: functions.clone(),
        stretches: vec![stretch(0, TOO_FAST, Paths::Alternating(20_000, 1, 2))],
    };
    let steady = Workload { functions: functions.clone(), stretches: vec![stretch(0, 20_000_000, Paths::Same(1))] };
    let mut machine = Machine::new(&functions, Settings::on_two_cores());
    machine.run(&fast);
    let before = machine.events.len();
    machine.run(&steady);
    assert_eq!(story(&machine.events[before..]), [""; 0]);
    machine.rest(3e6);
    let before = machine.events.len();
    machine.run(&steady);
    assert_eq!(story(&machine.events[before..]), ["profiled", "optimized again", "persistent", "specialized"]);
}

#[test]
fn the_same_run_is_decided_alike() {
    let workload = || vec![stretch(0, 9_000_000, Paths::Same(1)), stretch(0, 9_000_000, Paths::Same(2))];
    let runs = [(); 2].map(|()| run(vec![Function::new("walk", 0.05)], workload()));
    assert_eq!(runs[0].actions, runs[1].actions);
    assert_eq!(runs[0].events, runs[1].events);
    assert!(runs[0].actions.len() > 10);
}

#[test]
fn every_version_is_accounted_for() {
    let machine = run(vec![Function::new("walk", 0.05)], vec![stretch(0, 20_000_000, Paths::Same(3))]);
    let records: Vec<_> = machine.controller.records().map(|(_, _, record)| record).collect();
    let kinds: Vec<Kind> = records.iter().map(|record| record.kind).collect();
    let compared = Kind::Optimized;
    assert_eq!(kinds, [Kind::Baseline, Kind::Optimized, Kind::Profiled, Kind::Specialized, compared]);
    let ticks: u64 = records.iter().map(|record| record.ticks).sum();
    assert_eq!(ticks, machine.controller.ticks());
    assert!(records[3].iterations > 1_000_000 && records[3].failures == 0);
}

#[test]
fn a_long_persistent_run_comes_close_to_traces_from_the_start() {
    let functions = vec![Function::new("walk", 0.05)];
    let workload = Workload { functions: functions.clone(), stretches: vec![stretch(0, 30_000_000, Paths::Same(1))] };
    let adaptive = Machine::new(&functions, Settings::on_two_cores()).run(&workload);
    let traced = fixed(&workload, Kind::Specialized, 1);
    assert!(adaptive <= 1.05 * traced, "{adaptive:.0} us against {traced:.0}");
    assert!(adaptive <= 0.7 * fixed(&workload, Kind::Optimized, 1));
}

/// The kinds of code that a strategy makes of a persistent loop, and the time that the run takes.
fn under(name: &str) -> (Vec<String>, f64) {
    let functions = vec![Function::new("walk", 0.05)];
    let workload = Workload { functions: functions.clone(), stretches: vec![stretch(0, 30_000_000, Paths::Same(1))] };
    let strategy = strategy(name).unwrap_or_else(|| panic!("{name} is a strategy"));
    let mut machine = Machine::with_strategy(&functions, Settings::on_two_cores(), strategy);
    let time = machine.run(&workload);
    (story(&machine.events), time)
}

#[test]
fn every_strategy_makes_what_it_says_of_a_persistent_loop() {
    let specialized = ["optimized", "profiled", "optimized again", "persistent", "specialized"];
    assert_eq!(under("cost-benefit").0, specialized);
    assert_eq!(under("counters").0, specialized);
    assert_eq!(under("ahead").0, ["optimized"]);
    let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
    assert_eq!(names, ["cost-benefit", "counters", "ahead"]);
}

#[test]
fn every_strategy_comes_near_optimized_code_whatever_paths_do() {
    for strategy in STRATEGIES {
        for paths in [Paths::Same(1), Paths::Alternating(20_000, 1, 2), Paths::Mixed] {
            let functions = vec![Function::new("walk", 0.05)];
            let stretches = vec![stretch(0, 60_000_000, paths)];
            let workload = Workload { functions: functions.clone(), stretches };
            let time = Machine::with_strategy(&functions, Settings::on_two_cores(), strategy).run(&workload);
            let optimized = fixed(&workload, Kind::Optimized, 0);
            assert!(time < 1.1 * optimized, "{} takes {time} for {optimized} us of {paths:?}", strategy.name);
        }
    }
}

fn any_paths() -> impl proptest::strategy::Strategy<Value = Paths> {
    prop_oneof![
        (0..4_u32).prop_map(Paths::Same),
        (100..2_000_000_u64).prop_map(|each| Paths::Alternating(each, 1, 2)),
        Just(Paths::Mixed),
    ]
}

fn any_workload() -> impl proptest::strategy::Strategy<Value = Workload> {
    let function = (20..400_u64, 1..100_u32, 30..110_u32, 0..3_u32, any::<bool>()).prop_map(
        |(size, iteration, ratio, branches, once)| Function {
            name: "any",
            iteration: f64::from(iteration) / 500.0,
            size,
            ratio: f64::from(ratio) / 100.0,
            real_ratio: f64::from(ratio) / 100.0,
            branches,
            choices: 0,
            activation: if once { Activation::Once } else { Activation::Often },
        },
    );
    let functions = prop::collection::vec(function, 1..4);
    // Each stretch takes a tenth of a second in optimized code, or more.
    let stretches = prop::collection::vec((0..4_usize, any_paths(), 1..8_u32), 2..8);
    (functions, stretches).prop_map(|(functions, stretches)| {
        let stretches = stretches
            .into_iter()
            .map(|(function, paths, length)| {
                let function = function % functions.len();
                let iterations = (f64::from(length) * 300_000.0 / functions[function].iteration) as u64;
                stretch(function, iterations, paths)
            })
            .collect();
        Workload { functions, stretches }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn deciding_is_never_much_worse_than_the_best_fixed_choice(workload in any_workload()) {
        let mut machine = Machine::new(&workload.functions, Settings::on_two_cores());
        let adaptive = machine.run(&workload);
        // A trace that was right from the start by luck is no choice: nothing is known of paths then.
        let best = [Kind::Baseline, Kind::Optimized].map(|kind| fixed(&workload, kind, 0)).into_iter();
        let best = best.fold(f64::INFINITY, f64::min);
        prop_assert!(adaptive <= 1.1 * best, "{adaptive:.0} us against {best:.0}: {:?}", story(&machine.events));
    }
}

#[test]
fn a_recording_is_decided_again_alike_and_by_another_policy_otherwise() {
    let functions = vec![Function::new("walk", 0.05)];
    let recording = run(functions, vec![stretch(0, 20_000_000, Paths::Same(3))]).recording;
    let told: Vec<Vec<Action>> = recording.iter().map(|observed: &Observed| observed.actions.clone()).collect();
    assert!(told.iter().flatten().any(|action| matches!(action, Action::Compile(_))), "nothing was decided");
    let again = |settings| decide_again(&mut Controller::new(settings, STRATEGIES[0], super::calibration), &recording);
    assert_eq!(again(Settings::on_two_cores()), told);
    let lazy = Settings { loop_share: 2.0, compile_weight: CompileWeight::Fixed(1e9), ..Settings::on_two_cores() };
    assert_ne!(again(lazy), told);
}
