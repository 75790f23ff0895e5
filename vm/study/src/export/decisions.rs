//! Decisions of the adaptive system, as viewers of profiles mark them.
//!
//! In: the events of a [`Run`]. Out: [`Decision`]s in order, compilations with their beginning and end. Invariant: each event is in one of them, but for
//! those that tell of time alone.

use crate::report::story::event_in_words;
use crate::run::Run;
use holloway_aos::Event;
use holloway_aos::event::{Kind, Thread, What};
use serde::Serialize;
use std::collections::HashMap;

/// A mark.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Decision {
    /// Kind of the event: `osr`.
    pub(super) kind: &'static str,
    pub(super) thread: Thread,
    /// Time in microseconds.
    pub(super) at: f64,
    /// The end of what takes time.
    pub(super) end: Option<f64>,
    /// The function, and the loop if it is about one.
    pub(super) subject: String,
    /// The tier that it is about.
    pub(super) tier: Option<Kind>,
    /// It in words.
    pub(super) text: String,
}

/// The marks of a run.
pub(super) fn decisions(run: &Run) -> Vec<Decision> {
    let mut all = Vec::new();
    let mut compiling = HashMap::new();
    for event in &run.events {
        match &event.what {
            What::CompileStart(start) => {
                compiling.insert(start.compilation, all.len());
                let text = format!("{} code: {}", start.plan.name(), start.why);
                all.push(Decision { tier: Some(start.plan), text, ..mark(run, event, "compile") });
            }
            What::CompileEnd(end) => {
                let began: Option<&mut Decision> =
                    compiling.remove(&end.compilation).and_then(|at: usize| all.get_mut(at));
                let told = mark(run, event, "compile");
                match began {
                    Some(began) => {
                        began.end = Some(told.at);
                        began.text = format!("{}; {}", began.text, told.text);
                    }
                    None => all.push(Decision { tier: Some(end.plan), ..told }),
                }
            }
            _ => all.extend(kind(&event.what).map(|kind| mark(run, event, kind))),
        }
    }
    all
}

fn mark(run: &Run, event: &Event, kind: &'static str) -> Decision {
    let subject = &event.subject;
    let text = match &event.what {
        What::Transition(transition) => {
            let [from, to] = [transition.from, transition.to].map(word);
            format!("{from} -> {to}: {}", transition.reason)
        }
        _ => event_in_words(event, run).unwrap_or_default(),
    };
    let function = subject.function.clone().unwrap_or_default();
    let subject = match subject.loop_line {
        Some(line) => format!("{function}, loop of line {line}"),
        None => function,
    };
    let at = event.time.as_f64();
    Decision { kind, thread: event.thread, at, end: None, subject, tier: event.subject.tier, text }
}

/// The kind of an event that happens at a moment; `None` for those that sum time up.
fn kind(what: &What) -> Option<&'static str> {
    match what {
        What::TickSummary(_) | What::RunEnd(_) => None,
        What::CompileStart(_) | What::CompileEnd(_) => Some("compile"),
        What::Considered(_) => Some("considered"),
        What::Transition(_) => Some("transition"),
        What::Installed(_) => Some("installed"),
        What::Osr(_) => Some("osr"),
        What::Persistent(_) => Some("persistent"),
        What::TraceFormed(_) => Some("trace formed"),
        What::GuardReport(_) => Some("failing guards"),
        What::Dropped(_) => Some("dropped"),
        What::Gain(_) => Some("gain"),
        What::Refused(_) => Some("refused"),
    }
}

/// A value as it is written in JSON, without quotes around a word; nothing if it is none.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(serde_json::Value::Null) | Err(_) => String::new(),
        Ok(other) => other.to_string(),
    }
}
