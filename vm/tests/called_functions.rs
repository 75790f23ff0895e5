//! Code that calls a function which it might inline, because that measured faster, computes the same.
//!
//! In: a program whose loop calls a hot function, and advice of a run of it. Out: the calls that its code has inlined. Invariant: nothing here depends
//! on time: polls are counted, and a replay calls what its advice says.

use super::common::{captured, counted, loaded, seconds, seen};
use crate::adaptive::advice::Action;
use crate::adaptive::event::What;
use crate::adaptive::session::{Keep, PolicyOfRun};
use crate::adaptive::{Advice, Event, Parts, ReplayController, Session};
use crate::{Adaptive, Config, TierChoice};

const PROGRAM: &str = "
fn hash(data: [int], seed: int) -> int {
    var h = seed
    for i in 0..len(data) { h = (h * 31 + data[i]) & 0xFFFFFF }
    return h
}
fn sum(rounds: int) -> int {
    let data = [7; 100]
    var sum = 0
    for k in 0..rounds { sum += hash(data, k) & 15 }
    return sum
}
print(sum(40000))
";

/// A run: its output and end, its advice, its events.
fn run(session: Session) -> ((String, String), Option<Advice>, Vec<Event>) {
    let adaptive = Some(Adaptive(session));
    let mut engine = loaded(Config { adaptive, limits: seconds(60), ..captured(TierChoice::Auto, &[]) }, PROGRAM);
    let seen = seen(&mut engine);
    let session = engine.executor().adaptive().expect("it is recompiled");
    let advice = session.controller().map(crate::adaptive::Controller::advice);
    (seen, advice, session.events().to_vec())
}

/// Calls that were inlined in the code of `sum` for its loop.
fn inlined(events: &[Event]) -> Vec<u32> {
    let inlined = |event: &Event| match &event.what {
        What::CompileEnd(end) if event.subject.function.as_deref() == Some("sum") && end.entry_line.is_some() => {
            Some(end.inlined)
        }
        _ => None,
    };
    events.iter().filter_map(inlined).collect()
}

#[test]
fn a_replay_calls_what_its_advice_says() {
    let (seen, advice, events) = run(counted(Parts::NONE));
    assert_eq!(inlined(&events).first(), Some(&1));
    let mut advice = advice.expect("a controller decided");
    let replayed = |advice: &Advice| {
        let advice = Advice::parse(&advice.to_json()).expect("it was written");
        let policy = PolicyOfRun::Replay(Box::new(ReplayController::new(advice)));
        run(Session::new(policy, Keep::Events))
    };
    let (again, _, events) = replayed(&advice);
    assert_eq!((&again, inlined(&events).first()), (&seen, Some(&1)));
    for step in advice.steps.iter_mut().filter(|step| step.function == "sum") {
        if let Action::Compile(compile) = &mut step.action {
            // The functions of the program come first, in the order of their declarations.
            compile.called = vec![0, 1];
        }
    }
    let (again, _, events) = replayed(&advice);
    assert_eq!((again, inlined(&events).first()), (seen, Some(&0)));
}
