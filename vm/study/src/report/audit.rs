//! `explain --audit`: decisions of a run, and what each is worth by replays without it.
//!
//! In: a recorded run, and CPU times of replays: as it was, and with one decision left out. Out: a table, or JSON. A decision is what was compiled
//! because of one choice: the versions of a function with their entries.
//! Invariant: times are CPU time of all threads of whole runs; what was expected is told as it was decided on, and what turns in the run measured as the
//! time that the version saved.

use super::columns::{NOTHING, Table};
use super::text::{one_line, plural};
use crate::diff::runs::Spread;
use crate::run::Run;
use holloway_aos::event::{Candidate, Choice, Event, Kind, What, episodes};
use holloway_aos::{Clock, CompilationId};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// Replays that take so many times as long as the run, or so many times less, are not like it.
const MOST_APART: f64 = 1.33;

/// A decision that led to code.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AuditedDecision {
    /// When it was made, in microseconds.
    pub at: u64,
    /// The function.
    pub function: String,
    /// Its file and line.
    #[serde(skip)]
    pub place: (String, u32),
    /// The kind of code.
    pub kind: Kind,
    /// The versions that came of it: their numbers, and the names that they have in each run of the same decisions.
    pub versions: Vec<(u32, String)>,
    /// Lines of the loops at which they are entered.
    pub entry_lines: Vec<u32>,
    /// The time that the decision was expected to save, in microseconds, less what it costs.
    #[serde(rename = "expected_us")]
    pub expected: Option<f64>,
    /// The time that the version saved, in microseconds, by the gain that turns in the run measured.
    #[serde(rename = "measured_us")]
    pub measured: Option<f64>,
    /// Its time by samples, in microseconds.
    #[serde(rename = "time_us")]
    pub time: f64,
    /// Its compilations.
    #[serde(skip)]
    pub compilations: BTreeSet<CompilationId>,
}

impl AuditedDecision {
    /// The function's place, as that of [`Subject`](holloway_aos::event::Subject).
    fn subject(&self) -> (&str, u32, &str) {
        (&self.place.0, self.place.1, &self.function)
    }

    /// True iff a version of it has that number or name.
    pub fn has(&self, version: &str) -> bool {
        self.versions.iter().any(|(id, name)| name == version || id.to_string() == version)
    }

    /// The version with that number or name alone.
    pub fn only(&self, version: &str, compilation: impl Fn(u32) -> Option<CompilationId>) -> AuditedDecision {
        let is_it = |(id, name): &&(u32, String)| name == version || id.to_string() == version;
        let versions: Vec<(u32, String)> = self.versions.iter().filter(is_it).cloned().collect();
        let compilations = versions.iter().filter_map(|(id, _)| compilation(*id)).collect();
        AuditedDecision { versions, compilations, ..self.clone() }
    }
}

/// The compilation of each version that a decision led to.
pub fn compilations(run: &Run) -> HashMap<u32, CompilationId> {
    let of = |event: &Event| match &event.what {
        What::Installed(installed) => event.subject.version.zip(installed.compilation),
        _ => None,
    };
    run.events.iter().filter_map(of).collect()
}

/// The decisions of a run that led to code which came into use, in order.
pub fn decisions(run: &Run) -> Vec<AuditedDecision> {
    let installed: HashMap<CompilationId, u32> = compilations(run).into_iter().map(|(id, of)| (of, id)).collect();
    let mut considered: HashMap<(&str, u32, &str), (usize, &[Candidate])> = HashMap::new();
    let mut found: Vec<(Option<usize>, AuditedDecision)> = Vec::new();
    for (number, event) in run.events.iter().enumerate() {
        let place = event.subject.place();
        match &event.what {
            What::Transition(transition) if !transition.candidates.is_empty() => {
                considered.insert(place, (number, &transition.candidates));
            }
            What::Considered(decision) if decision.choice != Choice::Stay => {
                considered.insert(place, (number, &decision.candidates));
            }
            What::CompileStart(start) => {
                let Some(id) = installed.get(&start.compilation) else { continue };
                let (cause, candidates) = considered.get(&place).copied().unzip();
                let name = run.version(*id).map_or_else(|| id.to_string(), |(_, version)| version.name.clone());
                let same = found.iter_mut().find(|(of, known)| {
                    cause.is_some() && *of == cause && known.kind == start.plan && known.function == place.2
                });
                match same {
                    Some((_, known)) => {
                        known.versions.push((*id, name));
                        known.entry_lines.extend(start.entry_line);
                        known.compilations.insert(start.compilation);
                        known.time += time_in(run, *id);
                    }
                    None => {
                        let decision = AuditedDecision {
                            at: event.time.0,
                            function: place.2.to_owned(),
                            place: (place.0.to_owned(), place.1),
                            kind: start.plan,
                            versions: vec![(*id, name)],
                            entry_lines: start.entry_line.into_iter().collect(),
                            expected: expected(candidates.unwrap_or_default(), start.plan),
                            measured: None,
                            time: time_in(run, *id),
                            compilations: [start.compilation].into(),
                        };
                        found.push((cause, decision));
                    }
                }
            }
            _ => {}
        }
    }
    let mut found: Vec<AuditedDecision> = found.into_iter().map(|(_, decision)| decision).collect();
    measured(run, &mut found);
    found
}

fn time_in(run: &Run, version: u32) -> f64 {
    run.figures.iter().find(|row| row.version == version).map_or(0.0, |row| row.time_us)
}

/// The difference of what the next best choice would take and what this one takes, both with their costs.
fn expected(candidates: &[Candidate], kind: Kind) -> Option<f64> {
    let choice = match kind {
        Kind::Baseline => return None,
        Kind::Profiled => Choice::Profile,
        Kind::Optimized => Choice::Optimize,
        Kind::Specialized => Choice::Specialize,
    };
    let (own, others): (Vec<&Candidate>, Vec<_>) = candidates.iter().partition(|of| of.choice == choice);
    let least = others.into_iter().map(Candidate::total).min_by(f64::total_cmp);
    Some(least? - own.first()?.total())
}

/// Adds the gains that turns in the run measured: of the time without a version, it leaves out that part.
fn measured(run: &Run, decisions: &mut [AuditedDecision]) {
    for (subject, episode) in episodes(&run.events) {
        let Some(gain) = episode.gain.as_ref().and_then(|gain| gain.measured) else { continue };
        let after = episode.began.0;
        let of = decisions.iter_mut().find(|decision| {
            decision.kind == Kind::Specialized
                && subject.place() == decision.subject()
                && decision.at >= after
                && decision.measured.is_none()
        });
        if let Some(decision) = of.filter(|_| gain < 1.0) {
            decision.measured = Some(decision.time * gain / (1.0 - gain));
        }
    }
}

/// The CPU time of all threads in a run, in microseconds, as far as it is known.
pub fn cpu_of_run(run: &Run) -> f64 {
    let all = run.events.iter().rev().find_map(|event| match &event.what {
        What::RunEnd(end) => Some(end.cpu.as_f64()),
        _ => None,
    });
    all.unwrap_or_else(|| run.cpu())
}

/// Times of replays of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Audit {
    /// The program.
    pub program: String,
    /// CPU time of the run itself, in microseconds.
    pub run: f64,
    /// The clock that it was decided by.
    pub clock: Clock,
    /// Replays as the run was, in microseconds of CPU time.
    pub replay: Spread,
    /// Decisions, each with the replays without it.
    pub decisions: Vec<(AuditedDecision, Spread)>,
    /// Further decisions, in whose code the run was for less time.
    pub left_out: usize,
}

/// The time that a decision saved, and whether it is more than runs of one kind differ by.
fn saved(replay: &Spread, without: &Spread) -> (f64, bool) {
    let is_sure = without.least > replay.most || without.most < replay.least;
    (without.median - replay.median, is_sure)
}

fn sign(micros: f64) -> &'static str {
    if micros >= 0.0 { "+" } else { "-" }
}

/// The names of versions in short: `walk/optimized-1, -2`.
fn names(versions: &[(u32, String)]) -> String {
    let mut told = String::new();
    let mut before = "";
    for (_, name) in versions {
        let stem = name.rsplit_once('-').map_or(name.as_str(), |(stem, _)| stem);
        match told.is_empty() {
            true => told.push_str(name),
            false if stem == before => told.push_str(&format!(", {}", &name[stem.len()..])),
            false => told.push_str(&format!(", {name}")),
        }
        before = stem;
    }
    one_line(&told)
}

impl Audit {
    /// True iff replays take about as long as the run did.
    fn is_like_the_run(&self) -> bool {
        let ratio = self.replay.median / self.run.max(f64::MIN_POSITIVE);
        (1.0 / MOST_APART..MOST_APART).contains(&ratio)
    }

    /// As a table.
    pub fn text(&self) -> String {
        let shown = |micros: f64| Clock::Real.brief(micros);
        let signed = |micros: f64| format!("{}{}", sign(micros), shown(micros.abs()));
        let Audit { replay, .. } = self;
        let mut text = format!(
            "{}: the run took {} of CPU time, its {} {}, {} at least; as many without each decision, in turns\n",
            one_line(&self.program),
            shown(self.run),
            plural(replay.runs, "replay"),
            shown(replay.median),
            shown(replay.least)
        );
        if !self.is_like_the_run() {
            text.push_str(
                "These replays are not like the run: its decisions fall on other iterations there, as its ticks are of time. With --sync-compile a run \
                 counts iterations, and replays repeat it.\n",
            );
        }
        text.push('\n');
        let mut table = Table::new(["decision", "expected", "in the run", "by replay", "of it", "at least", ""]);
        for (decision, without) in &self.decisions {
            let (micros, is_sure) = saved(replay, without);
            let of_clock = |micros: f64| format!("{}{}", sign(micros), self.clock.brief(micros.abs()));
            table.row([
                names(&decision.versions),
                decision.expected.map_or_else(|| NOTHING.to_owned(), of_clock),
                decision.measured.map_or_else(|| NOTHING.to_owned(), signed),
                signed(micros),
                format!("{:+.1}%", 100.0 * micros / without.median.max(f64::MIN_POSITIVE)),
                signed(without.least - replay.least),
                if is_sure { String::new() } else { "?".to_owned() },
            ]);
        }
        text.push_str(&table.render());
        if self.decisions.is_empty() {
            text.push_str("nothing was compiled by decision\n");
        }
        if self.left_out > 0 {
            text.push_str(&format!(
                "and {} with less time in {} code; --without VERSION tries any\n",
                plural(self.left_out, "decision"),
                if self.left_out == 1 { "its" } else { "their" }
            ));
        }
        text + "\nTimes are saved where they are positive: median of the replays without a decision, less that of those with it, compilation \
                included; `at least` compares the fastest of both. Where runs of one kind differ as much, ? stands: that may be noise.\n"
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let row = |(decision, without): &(AuditedDecision, Spread)| {
            let (micros, is_sure) = saved(&self.replay, without);
            let mut row = json!(decision);
            row["versions"] = decision.versions.iter().map(|(id, name)| json!({ "id": id, "name": name })).collect();
            row["without_us"] = json!(without);
            row["saved_us"] = json!(micros);
            row["saved"] = json!(micros / without.median.max(f64::MIN_POSITIVE));
            row["is_sure"] = json!(is_sure);
            row
        };
        let rows: Vec<Value> = self.decisions.iter().map(row).collect();
        json!({ "program": self.program, "run_us": self.run, "clock": self.clock, "is_like_the_run": self.is_like_the_run(), "replay_us": self.replay, "decisions": rows, "left_out": self.left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::Micros;
    use holloway_aos::Reason;
    use holloway_aos::event::{
        CompileStart, Considered, Episode, Gain, Installed, Subject, Thread, Transition, Trigger, examples,
    };

    fn event(time: u64, version: Option<u32>, what: What) -> Event {
        let subject = Subject {
            function: Some("walk".to_owned()),
            file: Some("a.hw".to_owned()),
            line: Some(1),
            version,
            ..Subject::default()
        };
        Event { time: Micros(time), thread: Thread::Program, subject, what }
    }

    fn run() -> Run {
        let candidate = |choice, cost, future| Candidate { choice, cost, future };
        let considered = What::Considered(Considered {
            trigger: Trigger::Tick,
            ticks: 2,
            expected: 900.0,
            candidates: vec![candidate(Choice::Stay, 0.0, 900.0), candidate(Choice::Optimize, 100.0, 300.0)],
            choice: Choice::Optimize,
            reason: Reason::Advice,
        });
        let start = |compilation, entry_line| {
            What::CompileStart(CompileStart {
                compilation: CompilationId(compilation),
                plan: Kind::Optimized,
                entry_line,
                why: Reason::Advice,
                ir_size: 9,
                estimate: 0.0,
            })
        };
        let installed = |compilation| {
            let compilation = Some(CompilationId(compilation));
            What::Installed(Installed { compilation, entry_line: None, waited: Micros(0) })
        };
        let events = vec![
            event(1000, None, considered),
            event(1000, None, start(0, None)),
            event(1000, None, start(1, Some(3))),
            event(1000, None, start(2, Some(5))),
            event(1500, Some(7), installed(0)),
            event(1500, Some(8), installed(1)),
        ];
        Run { events, ..Run::default() }
    }

    #[test]
    fn a_decision_is_what_was_compiled_because_of_one_choice() {
        let found = decisions(&run());
        assert_eq!(found.len(), 1, "{found:?}");
        let decision = &found[0];
        assert_eq!(decision.versions, [(7, "7".to_owned()), (8, "8".to_owned())], "what was not installed is none");
        assert_eq!((decision.expected, decision.entry_lines.as_slice()), (Some(500.0), &[3][..]));
        assert!(decision.has("8") && !decision.has("9"));
        let known = compilations(&run());
        let only = decision.only("8", |id| known.get(&id).copied());
        assert_eq!((only.versions.len(), only.compilations), (1, [CompilationId(1)].into()));
    }

    /// Two functions of one name, in two files, of which the second one's episode was measured.
    #[test]
    fn gains_are_those_of_the_function_at_the_episodes_place() {
        let gain =
            Gain { estimated: None, measured: Some(0.25), interval: None, specialized: 3.0, general: 4.0, pairs: 9 };
        let episode = Episode { began: Micros(900), loop_line: 3, gain: Some(gain), ..Episode::default() };
        let examples = examples();
        let transition = examples.iter().find_map(|event| match &event.what {
            What::Transition(transition) => {
                Some(Transition { loops: vec![episode.clone()], candidates: Vec::new(), ..transition.clone() })
            }
            _ => None,
        });
        let start = CompileStart {
            compilation: CompilationId(0),
            plan: Kind::Specialized,
            entry_line: None,
            why: Reason::Advice,
            ir_size: 9,
            estimate: 0.0,
        };
        let compiled = |compilation, file: &str| {
            let id = CompilationId(compilation);
            let installed = Installed { compilation: Some(id), entry_line: None, waited: Micros(0) };
            let start = What::CompileStart(CompileStart { compilation: id, ..start.clone() });
            let version = Some(compilation);
            [event(1000, None, start), event(1500, version, What::Installed(installed))].map(|mut event| {
                event.subject.file = Some(file.to_owned());
                event
            })
        };
        let mut told = event(2000, None, What::Transition(transition.expect("an example is one")));
        told.subject.file = Some("b.hw".to_owned());
        let events = [compiled(1, "a.hw"), compiled(2, "b.hw")].into_iter().flatten().chain([told]).collect();
        let run = Run { events, ..Run::default() };
        let mut found = decisions(&run);
        found.iter_mut().for_each(|decision| (decision.time, decision.measured) = (300.0, None));
        measured(&run, &mut found);
        let found: Vec<Option<f64>> = found.iter().map(|decision| decision.measured).collect();
        assert_eq!(found, [None, Some(100.0)]);
    }

    #[test]
    fn what_a_decision_saves_is_told_with_its_doubt() {
        let spread = |times: [f64; 3]| Spread::of(times.into_iter());
        let decisions: Vec<AuditedDecision> = decisions(&run());
        let rows = vec![
            (decisions[0].clone(), spread([12_000.0, 13_000.0, 14_000.0])),
            (decisions[0].clone(), spread([9_000.0, 10_500.0, 14_000.0])),
        ];
        let replay = spread([10_000.0, 10_000.0, 11_000.0]);
        let audit = Audit {
            program: "a.hw".to_owned(),
            run: 14_000.0,
            clock: Clock::Real,
            replay,
            decisions: rows,
            left_out: 2,
        };
        insta::assert_snapshot!(audit.text());
        let json = audit.json();
        assert_eq!(
            (&json["decisions"][0]["saved_us"], &json["decisions"][0]["is_sure"]),
            (&json!(3000.0), &json!(true))
        );
        assert_eq!(json["decisions"][1]["is_sure"], false);
        assert_eq!(json["decisions"][0]["versions"][0]["id"], 7);
    }
}
