//! The data of a page about a run, written as JSON.
//!
//! In: a run, and another to compare it with. Out: a [`PageData`]. `docs/report-page.md` describes every field for other readers.
//! Invariant: functions, versions and parts are named by their place in the lists of the page; what did not fit is told in `left_out`.

use super::code::{self, CodeOf};
use super::compare::Comparison;
use super::compilations::Compilations;
use super::decisions::{self, Card};
use super::episodes::{self, GainPoint, LoopEpisode};
use super::failures::Failures;
use super::inlining::{self, InlinedCalls};
use super::kept::Kept;
use super::limits::{MOST_LINES, first_by};
use super::marks::{self, Mark};
use super::river::{self, River};
use super::stacks::{self, Node};
use super::text::{self, rounded};
use crate::report::story::{Finding, VersionRow, findings};
use crate::report::text::plural;
use crate::run::record::{Doing, Source};
use crate::run::{Run, Spent, Time};
use holloway_aos::event::What;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// The form of the data; rises when a field changes its meaning or goes.
pub const FORM: u32 = 1;

/// All that a page shows.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageData {
    /// The form.
    pub form: u32,
    /// The program and its run.
    pub run: RunFacts,
    /// Functions, the hottest first.
    pub functions: Vec<FunctionRow>,
    /// Versions, the hottest first.
    pub versions: Vec<VersionFacts>,
    /// The program's files.
    pub sources: Vec<Source>,
    /// Time by line.
    pub lines: Vec<LineRow>,
    /// Time by column.
    pub river: River,
    /// Events as marks.
    pub marks: Vec<Mark>,
    /// Profiles of loops.
    pub episodes: Vec<LoopEpisode>,
    /// Decisions.
    pub decisions: Vec<Card>,
    /// Gains.
    pub gains: Vec<GainPoint>,
    /// Failing guards.
    pub guards: Failures,
    /// Compilations.
    pub compilations: Compilations,
    /// Decisions about calls.
    pub inlining: Vec<InlinedCalls>,
    /// The tree of stacks.
    pub stacks: Vec<Node>,
    /// Machine code.
    pub code: Vec<CodeOf>,
    /// Possible gains.
    pub findings: Vec<Finding>,
    /// Another run.
    pub compare: Option<Comparison>,
    /// Parts that did not fit, in words, by panel.
    pub left_out: Vec<(&'static str, String)>,
}

/// The run: fields without a comment are those of the file's records `run` and `end`, which `docs/runs.md` describes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunFacts {
    pub program: String,
    pub args: Vec<String>,
    pub host: String,
    pub date: u64,
    pub holloway: String,
    pub policy: String,
    pub clock: String,
    pub hz: Option<u32>,
    pub settings: Value,
    pub calibration: Value,
    /// CPU time of the program's thread; that of the samples if the run was killed.
    pub cpu: f64,
    /// The time that samples stand for.
    pub sampled: f64,
    /// The part of that outside of the program's code.
    pub outside: f64,
    /// Samples.
    pub samples: u64,
    /// The end of what is shown.
    pub end: f64,
    /// Compilations by decision, profiles of loops, and versions that were invalidated: of the whole run.
    pub counts: Counts,
    pub lost: u64,
    /// Absent if the run was killed.
    pub status: Option<u8>,
}

/// Counts of the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Compilations.
    pub compilations: usize,
    /// Profiles of loops.
    pub profiles: usize,
    /// Versions that were invalidated.
    pub dropped: usize,
}

/// Times in microseconds of CPU time of the program's thread.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Times {
    /// In it alone.
    pub own: f64,
    /// The part of that in the runtime.
    pub runtime: f64,
    /// With what it called.
    pub inclusive: f64,
    /// Samples in it alone.
    pub samples: u64,
}

/// A function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FunctionRow {
    /// Its name.
    pub name: String,
    /// Its name, told apart from others.
    pub label: String,
    /// Its file.
    pub file: String,
    /// Its first line.
    pub line: u32,
    /// The last line that code is known to come from.
    pub last_line: u32,
    /// Its time, as it stands in the source: inlined or not.
    #[serde(flatten)]
    pub times: Times,
    /// Own time of its code, with what is inlined into it.
    pub in_code: f64,
}

/// A version.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VersionFacts {
    /// Its id in events.
    pub id: u32,
    /// Its name, which is the same in the next run of the same decisions.
    pub name: String,
    /// Its function, if the page has it.
    pub function: Option<u32>,
    /// Its kind.
    pub tier: String,
    /// The line of the loop that it is entered at.
    pub entry_line: Option<u32>,
    /// Bytes of code.
    pub bytes: u64,
    /// Its time.
    #[serde(flatten)]
    pub times: Times,
    /// CPU time of its compilation.
    pub compile_us: Option<u64>,
    /// Iterations begun on its traces.
    pub iterations: u64,
    /// Those that failed a guard.
    pub failures: u64,
    /// Its state at the end: a reason, or `in use`.
    pub left: &'static str,
}

/// The time of a line in one version: an array of function, line, version, own time, the part of that in the runtime, samples.
type LineRow = (u32, u32, Option<u32>, f64, f64, u64);

impl PageData {
    /// The page of a run, with another beside it.
    pub fn of(run: &Run, other: Option<&Run>) -> PageData {
        let time = Time::of(run);
        let kept = Kept::of(run, &time);
        let mut left = LeftOut::default();
        left.count("functions", run.functions.len() - kept.functions.len(), "cold function");
        left.count("versions", run.versions.len() - kept.versions.len(), "cold version");
        let lines = left.cut("code", lines(run, &kept), "cold line");
        let marks = left.cut("river", marks::of(run, &kept), "mark");
        let episodes = left.cut("paths", episodes::of(run, &kept), "earlier profile");
        let decisions = left.cut("decisions", decisions::cards(run, &kept), "earlier decision");
        let guards = left.cut("guards", Failures::of(run, &kept), "quiet span");
        let compilations = left.cut("compilation", Compilations::of(run, &kept), "short compilation");
        let inlining = left.cut("compilation", inlining::of(run, &kept), "version with calls");
        let stacks = left.cut("stacks", stacks::of(run, &kept), "cold call");
        let code = left.cut("code", code::of(run, &kept), "cold listing");
        let sources = left.cut("code", code::sources(run, &kept), "file");
        PageData {
            form: FORM,
            run: facts(run, &time),
            functions: functions(run, &time, &kept),
            versions: versions(run, &time, &kept),
            sources,
            lines,
            river: River::of(run, &kept),
            marks,
            episodes,
            decisions,
            gains: episodes::gains(run, &kept),
            guards,
            compilations,
            inlining,
            stacks,
            code,
            findings: findings(run, &time).into_iter().take(MOST_FINDINGS).collect(),
            compare: other.map(|other| Comparison::of([run, other], &kept)),
            left_out: left.0,
        }
    }
}

/// Findings, the largest.
const MOST_FINDINGS: usize = 12;

/// Parts that did not fit.
#[derive(Default)]
struct LeftOut(Vec<(&'static str, String)>);

impl LeftOut {
    fn count(&mut self, panel: &'static str, number: usize, what: &str) {
        if number > 0 {
            self.0.push((panel, plural(number, what)));
        }
    }

    /// The part that is shown, after its remainder was counted.
    fn cut<T>(&mut self, panel: &'static str, (shown, more): (T, usize), what: &str) -> T {
        self.count(panel, more, what);
        shown
    }
}

fn facts(run: &Run, time: &Time) -> RunFacts {
    let head = run.head.clone();
    RunFacts {
        program: head.program,
        args: head.args,
        host: head.host,
        date: head.date,
        holloway: head.holloway,
        policy: head.policy,
        clock: text::name_of(&head.clock),
        hz: head.hz,
        settings: head.settings,
        calibration: head.calibration,
        cpu: rounded(run.cpu()),
        sampled: rounded(time.total),
        outside: rounded(time.outside),
        samples: time.samples,
        end: rounded(river::end(run)),
        counts: Counts {
            compilations: count(run, |what| matches!(what, What::CompileEnd(_))),
            profiles: holloway_aos::event::episodes(&run.events).len(),
            dropped: count(run, |what| matches!(what, What::Dropped(_))),
        },
        lost: run.end.as_ref().map_or(0, |end| end.lost),
        status: run.end.as_ref().map(|end| end.status),
    }
}

fn count(run: &Run, is: impl Fn(&What) -> bool) -> usize {
    run.events.iter().filter(|event| is(&event.what)).count()
}

fn times(spent: Option<&Spent>) -> Times {
    let Spent { own, runtime, inclusive, samples } = spent.copied().unwrap_or_default();
    Times { own: rounded(own), runtime: rounded(runtime), inclusive: rounded(inclusive), samples }
}

fn functions(run: &Run, time: &Time, kept: &Kept) -> Vec<FunctionRow> {
    let spent: HashMap<u32, Spent> = time.functions.iter().map(|found| (found.function, found.spent)).collect();
    let mut in_code: HashMap<u32, f64> = HashMap::new();
    for found in &time.versions {
        *in_code.entry(run.versions[found.version as usize].function).or_default() += found.spent.own;
    }
    let mut last: HashMap<u32, u32> = HashMap::new();
    let sampled = run.frames.iter().map(|frame| (frame.function, frame.line));
    let compiled = run.code.iter().flat_map(|code| code.instructions.iter().filter_map(|instruction| instruction.at));
    sampled.chain(compiled).for_each(|(function, line)| {
        let known = last.entry(function).or_default();
        *known = line.max(*known);
    });
    let of = |at: u32| &run.functions[at as usize];
    let names = run.function_names();
    let row = |at: &u32| FunctionRow {
        name: of(*at).name.clone(),
        label: names[*at as usize].clone(),
        file: of(*at).file.clone(),
        line: of(*at).line,
        last_line: of(*at).last_line.max(last.get(at).copied().unwrap_or_default()),
        times: times(spent.get(at)),
        in_code: rounded(in_code.get(at).copied().unwrap_or_default()),
    };
    kept.functions.iter().map(row).collect()
}

fn versions(run: &Run, time: &Time, kept: &Kept) -> Vec<VersionFacts> {
    let spent: HashMap<u32, Spent> = time.versions.iter().map(|found| (found.version, found.spent)).collect();
    let figures: HashMap<u32, &VersionRow> = run.figures.iter().map(|row| (row.version, row)).collect();
    let facts = |at: &u32| {
        let version = &run.versions[*at as usize];
        let row = figures.get(&version.id);
        VersionFacts {
            id: version.id,
            name: version.name.clone(),
            function: kept.function(version.function),
            tier: version.tier.clone(),
            entry_line: version.entry_line,
            bytes: version.bytes,
            times: times(spent.get(at)),
            compile_us: row.and_then(|row| row.compile_us),
            iterations: row.map_or(0, |row| row.iterations),
            failures: row.map_or(0, |row| row.failures),
            left: row.map_or("in use", |row| row.left.words()),
        }
    };
    kept.versions.iter().map(facts).collect()
}

/// The time of each line in each version, the hottest, and how many more there are.
fn lines(run: &Run, kept: &Kept) -> (Vec<LineRow>, usize) {
    /// Function, line and version.
    type Place = (u32, u32, Option<u32>);
    /// Own time, that in the runtime, samples.
    type Fell = (f64, f64, u64);
    let mut sums: BTreeMap<Place, Fell> = BTreeMap::new();
    for sample in &run.samples {
        let stack = &run.stacks[sample.stack as usize];
        let Some(frame) = stack.frames.first().map(|frame| run.frames[*frame as usize]) else { continue };
        let Some(function) = kept.function(frame.function) else { continue };
        let (own, runtime, samples) = sums.entry((function, frame.line, kept.version(frame.version))).or_default();
        *own += sample.weight;
        *runtime += if stack.doing == Doing::Runtime { sample.weight } else { 0.0 };
        *samples += 1;
    }
    let mut rows: Vec<LineRow> = sums
        .into_iter()
        .map(|((function, line, version), (own, runtime, samples))| {
            (function, line, version, rounded(own), rounded(runtime), samples)
        })
        .collect();
    rows.sort_by(|a, b| b.3.total_cmp(&a.3));
    first_by(rows, MOST_LINES, |_| ())
}
