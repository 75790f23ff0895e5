//! The first screen of `explain`: how the time went, a timeline, the loops that were profiled, and where to look next.
//! Invariant: a figure that is an estimate is called so.

use super::chapter::{Chapter, Story, Telling};
use super::episodes::Rows;
use super::findings::{Finding, findings};
use super::table::{VersionRow, by_kind};
use super::{loops, timeline};
use crate::report::fit::folded;
use crate::report::settings::{LEAST_SHARE, MOST_COLUMNS, MOST_LANES, SHOWN_FINDINGS};
use crate::report::text::{one_line, percent};
use crate::report::unique_names::function_names;
use crate::run::Time;
use holloway_aos::Clock;
use holloway_aos::event::{Kind, What, episodes};
use std::collections::BTreeMap;

pub(super) fn text(story: &Story<'_>, telling: &Telling<'_>) -> String {
    let chapters = story.chapters();
    let time = |chapter: &Chapter<'_>| story.time_in(chapter);
    let all: f64 = story.versions.iter().map(|row| row.time_us).sum();
    let mut hot: Vec<&Chapter<'_>> = chapters.iter().filter(|chapter| time(chapter) >= LEAST_SHARE * all).collect();
    hot.sort_by(|a, b| time(b).total_cmp(&time(a)));
    hot.truncate(MOST_LANES);
    let mut text = headline(story, telling, all);
    // Functions of one name, closures above all, are told apart.
    let all_hot: Vec<_> = hot.iter().map(|chapter| (chapter.function, chapter.file, chapter.line)).collect();
    let names = function_names(&all_hot);
    text.push_str(&lanes(story, telling, (&hot, &names), all));
    text.push_str(&hot_loops(story, telling, (&hot, &names)));
    text.push_str(&found(story, telling));
    text.push_str(&next(telling, &hot));
    text
}

fn headline(story: &Story<'_>, telling: &Telling<'_>, all: f64) -> String {
    let width = telling.style.width;
    let paragraph = |text: &str| folded(text, 2, width).join("\n") + "\n";
    let compiling = story.compiling().map(|said| paragraph(&said)).unwrap_or_default();
    if story.versions.is_empty() {
        return paragraph("No tick fell on the program: it was over before anything could be decided.") + &compiling;
    }
    let rows: Vec<&VersionRow> = story.versions.iter().collect();
    let compiled: Vec<&&VersionRow> = rows.iter().filter(|row| row.compile_us.is_some()).collect();
    let micros: u64 = compiled.iter().filter_map(|row| row.compile_us).sum();
    let mut text = telling.heading(&time_told(story, all));
    text.push_str(&paragraph(&format!("Code: {}.", by_kind(&rows))));
    text.push_str(&paragraph(&format!(
        "{} compiled by decision in {} of CPU time.",
        super::sentence::count(compiled.len() as u64, "version"),
        Clock::Real.brief(micros as f64)
    )));
    text.push_str(&compiling);
    let gain = match &story.measured {
        Some(gain) if rows.iter().any(|row| row.tier == Kind::Specialized) => gain.text(),
        Some(gain) => format!(
            "{}\nNo version has traces here: the difference is noise, and what profiles cost.",
            gain.text()
        ),
        None => "Expected gains are computed from the cost of code; `--measure 5` measures by whole runs what all of it gains."
            .to_owned(),
    };
    text.extend(gain.lines().map(paragraph));
    text.push('\n');
    text
}

/// The time that all shares are of.
fn time_told(story: &Story<'_>, all: f64) -> String {
    let clock = story.clock;
    match (story.sampled(), story.run.and_then(|run| run.end.as_ref())) {
        (None, Some(end)) if all == 0.0 => {
            format!("{} of CPU time of the program's thread, without samples", Clock::Real.brief(end.cpu))
        }
        (None, _) => format!("{} sampled", clock.brief(all)),
        (Some(run), _) => {
            let sampled = percent(run.sampled() / run.cpu().max(f64::MIN_POSITIVE));
            format!("{} of CPU time of the program's thread, {sampled} of it sampled", clock.brief(run.cpu()))
        }
    }
}

fn lanes(story: &Story<'_>, telling: &Telling<'_>, (hot, names): (&[&Chapter<'_>], &[String]), all: f64) -> String {
    if hot.is_empty() {
        return String::new();
    }
    let cut = |name: &String| name.chars().take(24).collect::<String>();
    let width = names.iter().map(|name| cut(name).chars().count()).max().unwrap_or(0);
    let columns = telling.style.width.saturating_sub(width + 10).clamp(20, MOST_COLUMNS);
    let end = story.end.0.max(1);
    let slice = story.clock.brief(end as f64 / columns as f64);
    let mut text = telling.heading("Timeline");
    for (chapter, name) in hot.iter().zip(names) {
        let share = story.time_in(chapter) / all.max(f64::MIN_POSITIVE) * 100.0;
        let lane = match story.sampled() {
            Some(run) => timeline::ran(run, chapter, end, columns, telling.style.color),
            None => timeline::lane(&chapter.events, end, columns, telling.style.color),
        };
        text.push_str(&format!("  {:<width$} {share:>4.0}% {lane}\n", cut(name)));
    }
    let legend = format!("  {}; a column is {slice}", timeline::legend(story.sampled().is_some(), telling.style.color));
    text.extend(folded(&legend, 2, telling.style.width).iter().map(|line| format!("{line}\n")));
    text.push('\n');
    text
}

fn hot_loops(story: &Story<'_>, telling: &Telling<'_>, (hot, names): (&[&Chapter<'_>], &[String])) -> String {
    let mut text = String::new();
    for chapter in hot {
        let rows = Rows { story, events: &chapter.events, width: telling.style.width };
        for (name, episodes) in loops::rows(&chapter.events) {
            let source = telling.source(&name.file, name.line);
            let inlined = name.inlined.iter().map(|inlined| format!("{inlined}, ")).collect::<String>();
            // The line number stands right-aligned.
            let place = format!("{inlined}{}:{}", one_line(&name.file), source.trim_start());
            let cut: String = place.chars().take(telling.style.width.saturating_sub(2)).collect();
            text.push_str(format!("  {}", cut).trim_end());
            text.push('\n');
            for line in rows.of(&name, &episodes) {
                text.push_str(&format!("{line}\n"));
            }
        }
    }
    match text.is_empty() {
        true => format!("No loop was profiled. {}", why_none(hot, names)).trim_end().to_owned() + "\n\n",
        false => telling.heading("Loops that were profiled, and when") + &text + "\n",
    }
}

fn found(story: &Story<'_>, telling: &Telling<'_>) -> String {
    let Some(run) = story.sampled() else { return String::new() };
    let found = findings(run, &Time::of(run));
    if found.is_empty() {
        return String::new();
    }
    let mut text = telling.heading("What could be gained at most");
    for Finding { micros, what, look } in found.iter().take(SHOWN_FINDINGS) {
        let told = format!("  {:>9}  {what}: {look}", story.clock.brief(*micros));
        text.extend(folded(&told, 13, telling.style.width).iter().map(|line| format!("{line}\n")));
    }
    text + "\n"
}

/// Why nothing was profiled: what was decided last about each function.
fn why_none(hot: &[&Chapter<'_>], names: &[String]) -> String {
    let reason = |(chapter, name): (&&Chapter<'_>, &String)| {
        let last = chapter.events.iter().rev().find_map(|event| match &event.what {
            What::Considered(considered) => Some(&considered.reason),
            _ => None,
        });
        last.map(|reason| format!("{name}: {reason}."))
    };
    let reasons: Vec<String> = hot.iter().zip(names).filter_map(reason).collect();
    reasons.join("\n")
}

/// Hints on where to look next: the function with most time, the loop whose specialization was lost most often, everything.
fn next(telling: &Telling<'_>, hot: &[&Chapter<'_>]) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    if let Some(chapter) = hot.first() {
        let is_alone = hot[1..].iter().all(|other| other.function != chapter.function);
        let target = if is_alone { chapter.function.to_owned() } else { format!("{}:{}", chapter.file, chapter.line) };
        rows.push((format!("--why {target}"), "all that was decided about the function with most time".to_owned()));
    }
    let mut counts: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for (subject, episode) in hot.iter().flat_map(|chapter| episodes(chapter.events.iter().copied())) {
        if let (Some(file), Some(_)) = (subject.loop_file(), &episode.dropped) {
            *counts.entry((file.to_owned(), episode.loop_line)).or_default() += 1;
        }
    }
    if let Some(((file, line), times)) =
        counts.into_iter().max_by_key(|(_, times)| *times).filter(|(_, times)| *times > 1)
    {
        rows.push((format!("--why {file}:{line}"), format!("the loop whose versions were invalidated {times} times")));
    }
    rows.push(("--story".to_owned(), "every decision in order, and a table of all versions".to_owned()));
    let width = rows.iter().map(|(option, _)| option.chars().count()).max().unwrap_or(0);
    let line = |(option, what): &(String, String)| format!("  {:<width$}  {what}\n", one_line(option));
    telling.heading("Look at") + &rows.iter().map(line).collect::<String>()
}
