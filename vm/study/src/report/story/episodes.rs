//! The episodes of loops: a row for each profile, with what was found, decided, measured, and how it ended. Invariant:
//! a gain that was not measured is called expected; of many episodes of a loop the last ones are told, and the others
//! counted.

use super::chapter::Story;
use super::loops::{self, LoopName};
use crate::report::fit::folded;
use crate::report::settings::SHOWN_EPISODES;
use crate::report::text::{percent, plural};
use holloway_aos::Micros;
use holloway_aos::event::{DropReason, Dropped, Episode, Event, Gain, Kind, What};
use holloway_aos::version::VersionState;
use std::collections::BTreeMap;

/// The material of the rows of a function's loops.
pub(super) struct Rows<'a> {
    pub(super) story: &'a Story<'a>,
    pub(super) events: &'a [&'a Event],
    pub(super) width: usize,
}

impl Rows<'_> {
    pub(super) fn of(&self, name: &LoopName, episodes: &[&Episode]) -> Vec<String> {
        let left_out = episodes.len().saturating_sub(SHOWN_EPISODES);
        let (before, shown) = episodes.split_at(left_out);
        let mut lines = Vec::new();
        if let Some(told) = summary(before) {
            lines.extend(folded(&format!("    {told}"), 4, self.width));
        }
        for episode in shown {
            let when = self.story.clock.brief(episode.began.as_f64());
            let told = format!("  {when:>9}  {}", self.sentence(name, episode));
            lines.extend(folded(&told, 13, self.width));
        }
        lines
    }

    fn sentence(&self, name: &LoopName, episode: &Episode) -> String {
        let mut parts = vec![format!("found {}", loops::what_repeats(episode.found.as_ref()))];
        match &episode.formed {
            None => parts.push(format!("left general: {}", why_left(episode))),
            Some(formed) => {
                parts.push(format!("made {}, expected to save {}", formed.form(), percent(formed.estimated_gain)));
                parts.push(episode.gain.as_ref().and_then(measured).unwrap_or_else(|| "not measured".to_owned()));
                if let Some(time) = self.time_in(name, episode) {
                    parts.push(format!("{} in it", self.story.clock.brief(time)));
                }
                parts.push(ended(episode));
            }
        }
        if let Some(until) = episode.rest_until.filter(|until| *until > episode.began) {
            let until = match until > self.story.end {
                true => "nothing more was tried".to_owned(),
                false => format!("nothing more was tried until {}", self.story.clock.brief(until.as_f64())),
            };
            parts.push(until);
        }
        parts.join("; ")
    }

    /// The time in the specialized versions that were made of an episode: those that were installed between its traces and the next ones.
    fn time_in(&self, name: &LoopName, episode: &Episode) -> Option<f64> {
        let is_of_loop =
            |event: &&&Event| event.subject.loop_line == Some(name.line) && event.subject.inlined_at() == name.inlined;
        let formed = self.events.iter().filter(is_of_loop).filter(|event| matches!(event.what, What::TraceFormed(_)));
        let mut times = formed.map(|event| event.time).filter(|time| *time >= episode.began);
        let from = times.next()?;
        let to = times.find(|time| *time > from).unwrap_or(Micros(u64::MAX));
        let installed: Vec<u32> = self
            .events
            .iter()
            .filter(|event| (from..to).contains(&event.time) && event.subject.tier == Some(Kind::Specialized))
            .filter(|event| matches!(event.what, What::Installed(_)))
            .filter_map(|event| event.subject.version)
            .collect();
        let rows = self.story.versions.iter().filter(|row| installed.contains(&row.version));
        (!installed.is_empty()).then(|| rows.map(|row| row.time_us).sum())
    }
}

/// The ends of episodes that are not told one by one.
fn summary(episodes: &[&Episode]) -> Option<String> {
    if episodes.is_empty() {
        return None;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for episode in episodes {
        let what = match (&episode.formed, &episode.dropped) {
            (None, _) => "left general".to_owned(),
            (Some(_), None) => "specialized".to_owned(),
            (Some(_), Some(dropped)) => format!("specialized, then {}", VersionState::Dropped(dropped.reason).words()),
        };
        *counts.entry(what).or_default() += 1;
    }
    let counts: Vec<String> = counts.into_iter().map(|(what, times)| format!("{times}x {what}")).collect();
    Some(format!("{} before: {}", plural(episodes.len(), "episode"), counts.join(", ")))
}

fn why_left(episode: &Episode) -> String {
    episode.declined.as_ref().map_or("no trace came of it".to_owned(), ToString::to_string)
}

fn measured(gain: &Gain) -> Option<String> {
    let (measured, (least, most)) = gain.measured.zip(gain.interval)?;
    let verb = if measured >= 0.0 { "saves" } else { "costs" };
    let [measured, least, most] = [measured.abs(), least, most].map(percent);
    Some(format!("{verb} {measured} of the program's time while in use ({least} to {most}, by turns)"))
}

fn ended(episode: &Episode) -> String {
    match &episode.dropped {
        None => "in use".to_owned(),
        Some(Dropped { reason: DropReason::GuardsFail, .. }) => {
            format!("invalidated: {} of the iterations failed a guard", percent(episode.failing.unwrap_or_default()))
        }
        Some(dropped) => format!("general again: {}", VersionState::Dropped(dropped.reason).words()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::Clock;
    use holloway_aos::event::{TraceFormed, episodes, examples};
    use holloway_lang::source::SourceMap;

    const WIDE: usize = 400;

    fn rows<'a>(events: &'a [&'a Event], width: usize) -> Rows<'a> {
        let (lines, end) = (Box::leak(Box::new(SourceMap::default())), Micros(900_000));
        let (versions, clock) = (Vec::new(), Clock::Real);
        let story = Story { events: &[], versions, lines, clock, end, measured: None, run: None };
        Rows { story: Box::leak(Box::new(story)), events, width }
    }

    fn name() -> LoopName {
        LoopName { inlined: None, file: "walk.hw".to_owned(), line: 5 }
    }

    /// The example's specialized episode, as it is changed.
    fn episode(change: impl Fn(&mut Episode, TraceFormed, Dropped)) -> Episode {
        let events = examples();
        let (_, example) = episodes(&events)[0].clone();
        let (formed, dropped) = (example.formed.clone(), example.dropped.clone());
        let mut episode = Episode { formed: None, dropped: None, gain: None, rest_until: None, ..example.clone() };
        change(&mut episode, formed.expect("it was formed"), dropped.expect("it was dropped"));
        episode
    }

    fn one(episode: &Episode) -> String {
        rows(&[], WIDE).of(&name(), &[episode]).concat()
    }

    #[test]
    fn an_episode_tells_what_was_found_decided_measured_and_how_it_ended() {
        let lost = episode(|episode, formed, dropped| {
            episode.formed = Some(formed);
            episode.failing = Some(0.25);
            episode.dropped = Some(Dropped { reason: DropReason::GuardsFail, ..dropped });
            episode.rest_until = Some(Micros(500_000));
        });
        let told = one(&lost);
        assert!(
            told.contains("iterations in a row alike; made a trace, expected to save 38.0%; not measured; "),
            "{told}"
        );
        let end = "invalidated: 25.0% of the iterations failed a guard; nothing more was tried until 500.0 ms";
        assert!(told.ends_with(end), "{told}");
        let kept = Episode { dropped: None, rest_until: None, ..lost.clone() };
        assert!(one(&kept).ends_with("not measured; in use"));
        let settled = Episode { rest_until: Some(Micros(u64::MAX)), ..lost };
        assert!(one(&settled).ends_with("; nothing more was tried"));
    }

    #[test]
    fn what_is_declined_has_its_reason() {
        let declined = episode(|episode, _, _| episode.declined = Some("it should save too little".into()));
        assert!(one(&declined).ends_with("; left general: it should save too little"));
    }

    #[test]
    fn of_many_episodes_the_last_are_told_and_the_others_counted() {
        let lost = episode(|episode, formed, dropped| {
            episode.formed = Some(formed);
            episode.dropped = Some(Dropped { reason: DropReason::NoGain, ..dropped });
        });
        let all = vec![&lost; SHOWN_EPISODES + 3];
        let lines = rows(&[], WIDE).of(&name(), &all);
        assert_eq!(lines[0], "    3 episodes before: 3x specialized, then no gain");
        assert_eq!(lines.len(), 1 + SHOWN_EPISODES);
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let lost = episode(|episode, formed, _| episode.formed = Some(formed));
        let lines = rows(&[], 60).of(&name(), &[&lost]);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= 60), "{lines:?}");
    }
}
