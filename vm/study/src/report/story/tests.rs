//! The report of a made-up run.

use super::{Lines, Story, Target, VersionRow};
use crate::report::style::{Color, Style};
use holloway_aos::event::{DropReason, Kind, What, examples};
use holloway_aos::input::Arm;
use holloway_aos::version::VersionState;
use holloway_aos::{Clock, Event, Micros};

struct Walk;

impl Lines for Walk {
    fn line(&self, _: &str, number: u32) -> Option<String> {
        let text = [
            "// walks along",
            "",
            "fn walk(a: [int]) -> int {",
            "    var sum = 0",
            "    for i in 0..len(a) {",
            "        if a[i] >= 0 {",
            "            sum += a[i]",
            "        } else {",
            "            sum -= 2 * a[i]",
            "            sum = sum & 0xFFFF",
            "        }",
            "    }",
        ];
        text.get(number as usize - 1).map(|line| (*line).to_owned())
    }
}

fn row(version: u32, tier: Kind, entry_line: Option<u32>, time_us: f64, left: VersionState) -> VersionRow {
    VersionRow {
        version,
        function: "walk".into(),
        file: "walk.hw".into(),
        line: 3,
        tier,
        entry_line,
        compile_us: (version > 0).then_some(585 + u64::from(version)),
        code_bytes: (version > 0).then_some(900 + u64::from(version)),
        ticks: (time_us / 1e3) as u64,
        time_us,
        iterations: 0,
        failures: 0,
        left,
    }
}

fn versions() -> Vec<VersionRow> {
    vec![
        row(0, Kind::Baseline, None, 1_500.0, VersionState::Dropped(DropReason::Replaced)),
        row(1, Kind::Optimized, None, 190_000.0, VersionState::Live),
        row(2, Kind::Profiled, Some(5), 1_000.0, VersionState::Dropped(DropReason::ProfileDone)),
        row(3, Kind::Specialized, Some(5), 57_000.0, VersionState::Dropped(DropReason::GuardsFail)),
    ]
}

/// The story of a run of a quarter of a second.
fn story(events: &[Event], versions: Vec<VersionRow>, clock: Clock) -> Story<'_> {
    Story { events, versions, lines: &Walk, clock, end: Micros(260_000), measured: None, run: None }
}

#[test]
fn the_story_reads_in_order() {
    let events = examples();
    let story = story(&events, versions(), Clock::Real);
    insta::assert_snapshot!(story.text(Style { color: Color::Plain, width: 100 }));
}

#[test]
fn what_was_only_considered_is_told_apart() {
    use holloway_aos::event::{Choice, What};
    let mut events = examples();
    events.truncate(1);
    if let What::Considered(considered) = &mut events[0].what {
        considered.choice = Choice::Stay;
        considered.reason = "1 of 2 ticks that make more than chance".into();
    }
    let text = story(&events, Vec::new(), Clock::Real).text(Style { color: Color::Plain, width: 80 });
    let told = "Considered and left as they are\n  walk (walk.hw:3), 1 tick: 1 of 2 ticks that make more than chance\n";
    assert!(text.starts_with(told), "{text}");
}

#[test]
fn the_json_has_every_event_and_version() {
    let events = examples();
    let json = story(&events, versions(), Clock::Real).json();
    assert_eq!(json["events"].as_array().map(Vec::len), Some(events.len()));
    assert_eq!(json["versions"][3]["left"], "guards-fail");
    assert_eq!(json["schema"], 3);
    let end = json["events"].as_array().and_then(|events| events.last()).expect("there are events");
    assert_eq!((&end["event"], &end["share"]), (&"run-end".into(), &0.032.into()));
}

#[test]
fn polls_are_called_polls() {
    use holloway_aos::event::What;
    let mut events = examples();
    // What a compilation took is measured, and where polls are counted neither gains nor CPU times are.
    events.retain(|event| !matches!(event.what, What::CompileEnd(_) | What::Gain(_) | What::RunEnd(_)));
    for event in &mut events {
        if let What::Considered(considered) = &mut event.what {
            considered.reason = "".into();
        }
    }
    let story = story(&events, Vec::new(), Clock::Polls);
    let text = story.text(Style { color: Color::Plain, width: 100 });
    assert!(text.contains("10040 polls  "), "{text}");
    assert!(!text.contains(" ms") && !text.contains(" ns"), "{text}");
}

#[test]
fn the_first_screen_says_how_the_time_went_and_where_to_look() {
    let events = examples();
    let story = story(&events, versions(), Clock::Real);
    insta::assert_snapshot!(story.overview(Style { color: Color::Plain, width: 100 }));
    let none = self::story(&[], Vec::new(), Clock::Real);
    assert!(none.overview(Style { color: Color::Plain, width: 100 }).starts_with("No tick fell on the program"));
    let short = self::story(&events[events.len() - 1..], Vec::new(), Clock::Real);
    let told = "could be decided.\nAll compilation, looking through profiles included, took 8.45 ms of CPU time, 1.20 ms of it";
    assert!(short.overview(Style { color: Color::Plain, width: 100 }).contains(told));
}

/// Closures all have one name: each has its own time, and a name with its line.
#[test]
fn functions_of_one_name_are_told_apart() {
    let mut events = examples();
    let mut rows = versions();
    let (others, other_rows) = (events.clone(), rows.clone());
    events.extend(others.into_iter().map(|mut event| {
        event.subject.line = event.subject.line.map(|_| 99);
        event
    }));
    rows.extend(other_rows.into_iter().map(|row| VersionRow { version: row.version + 10, line: 99, ..row }));
    let story = story(&events, rows, Clock::Real);
    let style = Style { color: Color::Plain, width: 100 };
    let text = story.overview(style);
    let lane = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).map(str::to_owned);
    for name in ["walk:3 ", "walk:99 "] {
        assert!(lane(name).expect("it has a lane").contains(" 50% "), "{text}");
    }
    assert!(text.contains("--why walk.hw:3"), "{text}");
    let why = story.why(&Target::parse("walk.hw:99"), style).expect("something was decided");
    assert_eq!(why.lines().filter(|line| line.contains("  walk  ")).count(), 4, "{why}");
}

#[test]
fn a_profile_that_found_nothing_is_told_of() {
    use holloway_aos::event::What;
    let mut events = examples();
    events.retain(|event| matches!(&event.what, What::Transition(transition) if !transition.loops.is_empty()));
    events.truncate(1);
    for event in &mut events {
        if let What::Transition(transition) = &mut event.what {
            transition.loops[0].found = None;
            transition.loops[0].declined = Some("no path of it repeats enough".into());
        }
    }
    let text = story(&events, versions(), Clock::Real).overview(Style { color: Color::Plain, width: 100 });
    let told = "found nothing that repeats; left general: no path of it repeats enough\n";
    assert!(text.contains(told), "{text}");
}

#[test]
fn one_thing_is_told_whole_and_nothing_else() {
    let events = examples();
    let story = story(&events, versions(), Clock::Real);
    let style = Style { color: Color::Plain, width: 100 };
    let why = |text: &str| story.why(&Target::parse(text), style);
    let whole = why("walk").expect("there is a function walk");
    assert_eq!(story.text(style).strip_prefix(&whole).map(str::lines).map(Iterator::count), Some(2), "{whole}");
    let version = why("3").expect("there is a version 3");
    assert!(version.contains("version 3, specialized, installed") && !version.contains("sampled"), "{version}");
    assert!(version.lines().filter(|line| line.contains("  walk  ")).count() == 1, "{version}");
    assert_eq!((why("run"), why("walk.hw:77"), why("12")), (None, None, None));
}

#[test]
fn a_guard_is_told_with_its_path_and_both_arms() {
    let mut events = examples();
    for event in &mut events {
        if let What::GuardReport(report) = &mut event.what {
            let guard = &mut report.worst[0];
            (guard.column, guard.arm, guard.to) = (12, Some(Arm::False), 9);
            (guard.instead_of, guard.path) = (Some(7), Some(2));
        }
    }
    let text = story(&events, versions(), Clock::Real).text(Style { color: Color::Plain, width: 100 });
    let told = "column 12, path 2 of the trace: its condition was false, so that it went on at line 9 instead of 7";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&text).contains(told), "{text}");
}
