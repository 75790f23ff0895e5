//! Decisions, with the figures that they were made on.
//!
//! In: the events of a run. Out: [`Card`]s in order. A decision that leads to a change of phase is one card with that; changes that follow from
//! something else, such as code that was installed or guards that failed, have cards without candidates.
//! Invariant: of too many, those are kept that changed something, and the latest of the others.

use super::kept::Kept;
use super::limits::{MOST_DECISIONS, first_by};
use super::text::{name_of, rounded, shortened};
use crate::run::Run;
use holloway_aos::event::{Candidate, Choice, Considered, Event, Transition, Trigger, What, is_least};
use holloway_aos::{Micros, Reason};
use serde::Serialize;
use std::cmp::Reverse;

/// A decision, or a change of phase.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Card {
    /// Its time.
    pub time: u64,
    /// The function, if the page has it.
    pub function: Option<u32>,
    /// Its name.
    pub name: String,
    /// The line of the loop, if it is about one.
    #[serde(rename = "loop")]
    pub loop_line: Option<u32>,
    /// The version that ran.
    pub version: Option<u32>,
    /// The kind of code that ran.
    pub tier: Option<&'static str>,
    /// The trigger; absent if it followed from something else.
    pub trigger: Option<&'static str>,
    /// Ticks in the function.
    pub ticks: Option<u64>,
    /// T, the expected time in its present code, in microseconds.
    pub expected: Option<f64>,
    /// The choices that there were.
    pub candidates: Vec<CandidateCost>,
    /// The choice.
    pub choice: Option<&'static str>,
    /// True iff it is the one with the least sum of cost and future: otherwise a rule decided, which the reason tells.
    pub is_least: bool,
    /// The reason in words.
    pub reason: String,
    /// The change of phase, if there was one.
    pub phase: Option<PhaseChange>,
    /// Loops that are left as they are, and until when.
    pub declined: Vec<DeclinedLoop>,
}

/// A choice that there was, and what it was expected to take.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct CandidateCost {
    /// The choice.
    pub choice: &'static str,
    /// C, taken once, in microseconds.
    pub cost: f64,
    /// F, taken while it runs on, in microseconds.
    pub future: f64,
}

/// A change of phase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PhaseChange {
    /// The phase that ends.
    pub from: String,
    /// The phase that begins.
    pub to: String,
    /// The beginning of the first one.
    pub since: u64,
    /// The kind of code that is in use from now on.
    pub code: &'static str,
    /// The kind of code that is compiled.
    pub next: Option<&'static str>,
}

/// A loop that nothing is tried with for some time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DeclinedLoop {
    /// Its line.
    pub line: u32,
    /// Why.
    pub reason: String,
    /// Until when; beyond the end of the run if nothing more was tried.
    pub until: Option<u64>,
}

/// The cards of a run, and how many more there were.
pub(super) fn cards(run: &Run, kept: &Kept) -> (Vec<Card>, usize) {
    let mut cards: Vec<Card> = Vec::new();
    for event in &run.events {
        match &event.what {
            What::Considered(considered) => cards.push(considered_card(event, considered, kept)),
            What::Transition(transition) => match decision_of(&mut cards, event, transition) {
                Some(card) => {
                    card.phase = Some(phase(transition));
                    card.declined = declined(transition);
                }
                None => cards.push(transition_card(event, transition, kept)),
            },
            _ => {}
        }
    }
    let acts = |card: &Card| card.phase.is_some() || card.choice.is_some_and(|choice| choice != Choice::Stay.name());
    // What changed something comes first, and of that the latest.
    first_by(cards, MOST_DECISIONS, |card| (!acts(card), Reverse(card.time)))
}

/// The card of the decision that led to a transition: the last one, made at the same time about the same function.
fn decision_of<'a>(cards: &'a mut [Card], event: &Event, transition: &Transition) -> Option<&'a mut Card> {
    let card = cards.last_mut()?;
    let is_it = card.time == event.time.0
        && Some(&card.name) == event.subject.function.as_ref()
        && card.phase.is_none()
        && !transition.candidates.is_empty()
        && card.candidates == options(&transition.candidates);
    is_it.then_some(card)
}

fn considered_card(event: &Event, considered: &Considered, kept: &Kept) -> Card {
    let trigger = match considered.trigger {
        Trigger::Tick => "tick",
        Trigger::WindowFull => "window-full",
    };
    Card {
        trigger: Some(trigger),
        ticks: Some(considered.ticks),
        expected: Some(rounded(considered.expected)),
        candidates: options(&considered.candidates),
        choice: Some(considered.choice.name()),
        is_least: is_least(&considered.candidates, considered.choice),
        ..card(event, &considered.reason, kept)
    }
}

fn transition_card(event: &Event, transition: &Transition, kept: &Kept) -> Card {
    let choice = match &transition.reason {
        Reason::Least { choice, .. } => Some(*choice),
        _ => None,
    };
    Card {
        candidates: options(&transition.candidates),
        choice: choice.map(Choice::name),
        is_least: choice.is_some_and(|choice| is_least(&transition.candidates, choice)),
        phase: Some(phase(transition)),
        declined: declined(transition),
        ..card(event, &transition.reason, kept)
    }
}

fn card(event: &Event, reason: &Reason, kept: &Kept) -> Card {
    let subject = &event.subject;
    Card {
        time: event.time.0,
        function: kept.subject(subject),
        name: subject.function.clone().unwrap_or_default(),
        loop_line: subject.loop_line,
        version: subject.version.and_then(|version| kept.version_of_id(version)),
        tier: subject.tier.map(|tier| tier.name()),
        trigger: None,
        ticks: None,
        expected: None,
        candidates: Vec::new(),
        choice: None,
        is_least: false,
        reason: shortened(&reason.to_string()),
        phase: None,
        declined: Vec::new(),
    }
}

fn options(candidates: &[Candidate]) -> Vec<CandidateCost> {
    let option = |candidate: &Candidate| CandidateCost {
        choice: candidate.choice.name(),
        cost: rounded(candidate.cost),
        future: rounded(candidate.future),
    };
    candidates.iter().map(option).collect()
}

fn phase(transition: &Transition) -> PhaseChange {
    PhaseChange {
        from: name_of(&transition.from),
        to: name_of(&transition.to),
        since: transition.since.0,
        code: transition.code.name(),
        next: transition.next_code.map(|kind| kind.name()),
    }
}

fn declined(transition: &Transition) -> Vec<DeclinedLoop> {
    let found = transition.loops.iter().filter_map(|episode| {
        let reason = episode.declined.as_ref();
        let until = episode.rest_until.filter(|until| *until > Micros(0)).map(|until| until.0);
        let reason = reason.map(ToString::to_string);
        (reason.is_some() || until.is_some()).then(|| DeclinedLoop {
            line: episode.loop_line,
            reason: shortened(&reason.unwrap_or_else(|| "it rests".to_owned())),
            until,
        })
    });
    found.collect()
}
