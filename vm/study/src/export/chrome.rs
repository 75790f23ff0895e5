//! Trace events for Perfetto, `chrome://tracing` and speedscope.
//!
//! In: a [`Run`]. Out: the file that `run --events` writes, and more beside its threads: a track for each function with spans of the versions that ran,
//! by samples, and counters of code, of compile time and of failing guards. Invariant: it reads back as the events of the run; spans of one track do not
//! overlap, and the time that they tell of adds up to that of the samples in the program's code.

use crate::run::Run;
use crate::run::record::Doing;
use holloway_aos::Micros;
use holloway_aos::event::What;
use holloway_aos::event_file::{EventWriter, PROCESS};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;

use super::stacks::Names;

/// A version that was not sampled for so long, in microseconds, did not run meanwhile: its span ends.
const PAUSE: f64 = 20_000.0;
/// Tracks of functions have numbers from here on; below are those of threads.
const FIRST_TRACK: u32 = 100;

/// The events of a run.
pub(super) fn bytes(run: &Run) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut writer = EventWriter::of_host(&mut out, &run.head.program, &run.head.host)?;
    run.events.iter().try_for_each(|event| writer.write(event))?;
    let others = counters(run).into_iter().chain(tracks(run));
    others.into_iter().try_for_each(|line| writer.write_other(&line))?;
    writer.finish(Micros(run.end_of_time() as u64))?;
    Ok(out)
}

/// Code of a function that ran without a pause.
struct Span {
    version: u32,
    began: f64,
    ended: f64,
    time: f64,
    runtime: f64,
    samples: u64,
}

/// The tracks of functions, those first that took most time.
fn tracks(run: &Run) -> Vec<Value> {
    let names = Names::of(run);
    let mut tracks: Vec<(u32, Vec<Span>)> = spans(run).into_iter().collect();
    let time = |spans: &[Span]| spans.iter().map(|span| span.time).sum::<f64>();
    tracks.sort_by(|(_, a), (_, b)| time(b).total_cmp(&time(a)));
    let mut lines = Vec::new();
    for (nth, (function, spans)) in tracks.into_iter().enumerate() {
        let track = FIRST_TRACK + nth as u32;
        let about =
            |name: &str, args: Value| json!({ "name": name, "ph": "M", "pid": PROCESS, "tid": track, "args": args });
        lines.push(about("thread_name", json!({ "name": names.function(function) })));
        lines.push(about("thread_sort_index", json!({ "sort_index": track })));
        lines.extend(spans.iter().map(|span| {
            let version = &run.versions[span.version as usize];
            json!({
                "name": version.name, "cat": version.tier, "ph": "X", "ts": span.began, "dur": span.ended - span.began,
                "pid": PROCESS, "tid": track,
                "args": {
                    "version": version.id, "tier": version.tier, "bytes": version.bytes, "entry_line": version.entry_line,
                    "cpu_us": span.time, "runtime_us": span.runtime, "samples": span.samples,
                },
            })
        }));
    }
    lines
}

/// The spans of each function whose code ran, by the version that the innermost frames were of.
fn spans(run: &Run) -> BTreeMap<u32, Vec<Span>> {
    let mut tracks: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    for sample in &run.samples {
        let stack = &run.stacks[sample.stack as usize];
        let Some(frame) = stack.frames.first() else { continue };
        let version = run.frames[*frame as usize].version;
        let spans = tracks.entry(run.versions[version as usize].function).or_default();
        let began = (sample.at - sample.weight).max(spans.last().map_or(0.0, |span| span.ended));
        let goes_on = spans.last().is_some_and(|span| span.version == version && began - span.ended <= PAUSE);
        if !goes_on {
            spans.push(Span { version, began, ended: began, time: 0.0, runtime: 0.0, samples: 0 });
        }
        let span = spans.last_mut().expect("there is one now");
        span.ended = sample.at.max(span.ended);
        span.time += sample.weight;
        span.runtime += if stack.doing == Doing::Runtime { sample.weight } else { 0.0 };
        span.samples += 1;
    }
    tracks
}

/// Counters over time: code and compile time so far, and the rate of failing guards of each loop.
fn counters(run: &Run) -> Vec<Value> {
    let (mut bytes, mut compiling) = (0, 0);
    let mut lines = Vec::new();
    for event in &run.events {
        let counter = |name: &str, args: Value| json!({ "name": name, "ph": "C", "ts": event.time.0, "pid": PROCESS, "args": args });
        match &event.what {
            What::CompileEnd(end) => {
                bytes += end.figures.code_bytes;
                compiling += end.figures.micros.0;
                lines.push(counter("compiled code", json!({ "bytes": bytes })));
                lines.push(counter("compile time", json!({ "us": compiling })));
            }
            What::GuardReport(guards) => {
                let subject = &event.subject;
                let function = subject.function.as_deref().unwrap_or_default();
                let place = subject.loop_line.map_or(String::new(), |line| format!(":{line}"));
                let args = json!({ "failing": guards.rate, "break even": guards.break_even });
                lines.push(counter(&format!("guards of {function}{place}"), args));
            }
            _ => {}
        }
    }
    lines
}
