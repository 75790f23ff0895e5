//! A run and the replay of its advice tell the same transitions, and of the same versions.

use super::common::{captured, counted, loaded, seen};
use holloway::internals::Executor;
use holloway::{Adaptive, Config, TierChoice};
use holloway_aos::event::{DropReason, PhaseKind, TraceFormed, What, episodes};
use holloway_aos::session::{Keep, PolicyOfRun};
use holloway_aos::{Advice, DEMO, Event, Parts, Reason, ReplayController, Session};

/// A program whose loop changes phase: traces are formed, their guards fail, and the loop is left general in the end.
const PASSES: &str = "20000";

/// The run of the demonstration under a session: its output, events, and advice if it has some to give.
fn run(session: Session) -> (String, Vec<Event>, Option<Advice>) {
    let config = Config { adaptive: Some(Adaptive(session)), ..captured(TierChoice::Auto, &[PASSES]) };
    let mut engine = loaded(config, DEMO);
    let (output, ended) = seen(&mut engine);
    let session = engine.executor().adaptive().expect("it decided");
    let advice = session.controller().map(|controller| controller.advice());
    (output + &ended, session.events().to_vec(), advice)
}

fn transitions(events: &[Event]) -> Vec<(Option<String>, PhaseKind, PhaseKind, Reason)> {
    let told = events.iter().filter_map(|event| match &event.what {
        What::Transition(it) => Some((event.subject.function.clone(), it.from, it.to, it.reason.clone())),
        _ => None,
    });
    told.collect()
}

fn formed(events: &[Event]) -> Vec<TraceFormed> {
    let told = events.iter().filter_map(|event| match &event.what {
        What::TraceFormed(formed) => Some(formed.clone()),
        _ => None,
    });
    told.collect()
}

/// The versions that were dropped, each with its loop and the reason.
fn dropped(events: &[Event]) -> Vec<(Option<u32>, DropReason)> {
    let told = events.iter().filter_map(|event| match &event.what {
        What::Dropped(dropped) => Some((event.subject.loop_line, dropped.reason)),
        _ => None,
    });
    told.collect()
}

#[test]
fn a_replay_tells_the_transitions_of_its_run() {
    let (printed, live, advice) = run(counted(Parts::NONE));
    let advice = Advice::parse(&advice.expect("a controller decided").to_json()).expect("it reads back");
    let policy = PolicyOfRun::Replay(Box::new(ReplayController::new(advice)));
    let (again, replayed, _) = run(Session::new(policy, Keep::Events));
    assert_eq!(printed, again);
    assert_eq!(transitions(&live), transitions(&replayed));
    assert_eq!(formed(&live), formed(&replayed));
    assert_eq!(dropped(&live), dropped(&replayed));
    let reasons: Vec<DropReason> = dropped(&live).into_iter().map(|(_, reason)| reason).collect();
    for reason in [DropReason::ProfileDone, DropReason::GuardsFail] {
        assert!(reasons.contains(&reason), "{reason:?} is not among {reasons:?}");
    }
    let of_loops = |events: &[Event]| episodes(events).into_iter().map(|(_, one)| one.clone()).collect::<Vec<_>>();
    assert_eq!(of_loops(&live), of_loops(&replayed), "what became of loops is told as it was");
    assert!(of_loops(&live).iter().any(|one| one.formed.is_some() && one.dropped.is_some()));
}

/// The time that transfers to other code took, by the events about them.
fn transfers(events: &[Event]) -> Vec<f64> {
    let told = events.iter().filter_map(|event| match &event.what {
        What::Osr(osr) => Some(osr.took),
        _ => None,
    });
    told.collect()
}

#[test]
fn transfers_take_time_where_it_is_the_clock() {
    let (_, counted, _) = run(counted(Parts::NONE));
    let (_, live, _) = run(Session::in_background().keeping_events());
    let (counted, live) = (transfers(&counted), transfers(&live));
    assert!(!counted.is_empty() && counted.iter().all(|took| *took == 0.0), "{counted:?}");
    assert!(!live.is_empty() && live.iter().all(|took| *took > 0.0), "{live:?}");
}

/// Back edges whose polls were looked into.
fn polls(session: Session) -> u64 {
    let config = Config { adaptive: Some(Adaptive(session)), ..captured(TierChoice::Auto, &[PASSES]) };
    let mut engine = loaded(config, DEMO);
    let _ = seen(&mut engine);
    let Executor::Compiled(machine) = engine.executor() else { panic!("the run is of compiled code") };
    machine.polls.back_edges
}

#[test]
fn a_replay_counts_no_polls_behind_its_last_step() {
    let (_, _, advice) = run(counted(Parts::NONE));
    let mut advice: serde_json::Value = serde_json::from_str(&advice.expect("there is one").to_json()).expect("JSON");
    advice["steps"].as_array_mut().expect("steps").truncate(3);
    let advice = Advice::parse(&advice.to_string()).expect("it reads back");
    let replay = PolicyOfRun::Replay(Box::new(ReplayController::new(advice)));
    let (all, few) = (polls(counted(Parts::NONE)), polls(Session::new(replay, Keep::Events)));
    assert!(few < all / 10, "{few} of {all}");
}

/// The phases of each function follow each other without a gap, in time and in kind.
#[test]
fn transitions_follow_each_other() {
    let (_, events, _) = run(counted(Parts::NONE));
    let mut known: std::collections::BTreeMap<Option<String>, (PhaseKind, u64)> = Default::default();
    for event in &events {
        let What::Transition(it) = &event.what else { continue };
        let (phase, entered) = known.get(&event.subject.function).copied().unwrap_or((PhaseKind::Baseline, 0));
        assert_eq!((it.from, it.since.0), (phase, entered), "{event:?}");
        known.insert(event.subject.function.clone(), (it.to, event.time.0));
    }
    assert!(!known.is_empty(), "nothing was decided");
}
