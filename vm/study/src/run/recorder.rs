//! The recorder: watches a program from its first call to its end.
//!
//! In: an engine with a program, before anything of it was compiled. Out: a [`Run`], and its file as the run goes on.
//! The events come from the adaptive system, the versions from the code store, the samples from the sampler's thread.
//! Invariant: a record is written before those that refer to it, whichever thread it comes from.
#![expect(unsafe_code, reason = "samples the thread that it begins on")]

use super::Run;
use super::code;
use super::file::RunFile;
use super::killed::{by_samples, unknown};
use super::places::Places;
use super::record::{Call, End, FORMAT, Head, Inlining, MachineCode, Record, Sample, Source};
use super::time::Time;
use crate::report::story::VersionRow;
use holloway::Engine;
use holloway::internals::Executor;
use holloway_aos::event::SCHEMA_VERSION;
use holloway_aos::session::EventSink;
use holloway_aos::{Calibration, Clock, Event, Micros, Session};
use holloway_jit::{NotInlined, Version, VersionId};
use holloway_machine::sampler::{Sampler, Taken};
use holloway_runtime::cpu_time;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// Samples that are told in one record: a tenth of a second of them, which is lost if the process is killed.
const SAMPLES: usize = 25;

/// The parts of a run that are recorded, and the file.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    /// The program's name.
    pub program: &'a str,
    /// Its arguments.
    pub args: &'a [String],
    /// The version of this program.
    pub holloway: &'a str,
    /// The file that it is written to.
    pub file: Option<&'a Path>,
    /// Samples a second, if any are wanted.
    pub hz: Option<u32>,
}

/// Records a run.
pub struct Recorder {
    shared: Shared,
    sampler: Option<Sampler>,
    /// CPU time of the thread at the beginning.
    begun: Duration,
    /// The sums of the samples; those of none, if none were to be taken.
    taken: Option<Taken>,
}

#[derive(Clone)]
struct Shared(Arc<Mutex<State>>);

struct State {
    places: Places,
    run: Run,
    file: Option<RunFile>,
    /// Samples that are not told yet.
    samples: Vec<Sample>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, record: Record) {
        if let Some(file) = &mut self.file {
            file.write(&record);
        }
        self.run.add(record);
    }

    /// Tells what has become known of places.
    fn push_new(&mut self) {
        self.places.take_new().into_iter().for_each(|record| self.push(record));
    }

    fn push_samples(&mut self) {
        if !self.samples.is_empty() {
            let samples = std::mem::take(&mut self.samples);
            self.push(Record::Samples { samples });
        }
    }
}

impl EventSink for Shared {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.lock().push(Record::Event { event: Box::new(event.clone()) });
        Ok(())
    }

    fn finish(self: Box<Self>, _: Micros) -> io::Result<()> {
        Ok(())
    }
}

impl Recorder {
    /// Begins, on the thread that runs the program.
    ///
    /// # Safety
    /// Until the recorder has stopped or is dropped, the engine lives, stays what it is, and runs its program on this thread alone.
    pub unsafe fn begin(engine: &mut Engine, recorded: Recorded<'_>) -> io::Result<Recorder> {
        let file = recorded.file.map(RunFile::create).transpose()?;
        let places = Places::of(Arc::clone(engine.module()), engine.sources().clone());
        let sources: Vec<Source> = engine
            .sources()
            .files()
            .map(|(_, file)| Source { file: file.name.clone(), text: file.text.to_string() })
            .collect();
        let shared = Shared(Arc::new(Mutex::new(State { places, run: Run::default(), file, samples: Vec::new() })));
        let Executor::Compiled(machine) = engine.executor_mut() else {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "only compiled code can be sampled"));
        };
        machine.code.keep_origins();
        let listener = shared.clone();
        machine
            .code
            .listeners
            .push(Box::new(move |version, code, _| push_version(&mut listener.lock(), version, code)));
        let names =
            machine.code.env().named_addresses().into_iter().map(|(address, name)| (address as u64, name)).collect();
        let taker = shared.clone();
        let take = move |taken| {
            let mut state = taker.lock();
            let sample = state.places.sample(taken);
            state.push_new();
            state.samples.push(sample);
            if state.samples.len() >= SAMPLES {
                state.push_samples();
            }
        };
        let session = engine.executor_mut().adaptive_mut();
        let head = head(&recorded, session.as_deref());
        shared.lock().push(Record::Run(head));
        sources.into_iter().for_each(|source| shared.lock().push(Record::Source(source)));
        shared.lock().push(Record::Addresses { names });
        shared.lock().file.iter_mut().for_each(RunFile::flush);
        if let Some(session) = session {
            session.write_to(Box::new(shared.clone()));
        }
        let Executor::Compiled(machine) = engine.executor_mut() else { unreachable!("it was one above") };
        // SAFETY: the caller vouches for the engine, whose machine it is.
        let sampler = recorded.hz.map(|hz| unsafe { Sampler::begin(machine, hz, take) }).transpose()?;
        Ok(Recorder { shared, sampler, begun: cpu_time::of_thread(), taken: None })
    }

    /// Stops taking samples and time: the program has ended.
    pub fn stop(&mut self) {
        if self.taken.is_none() {
            self.taken = Some(match self.sampler.take() {
                Some(sampler) => sampler.end(),
                None => Taken { cpu: cpu_time::of_thread().saturating_sub(self.begun), ..Taken::default() },
            });
        }
    }

    /// Ends, once the run's events are told; gives the run, and why records are missing from its file.
    pub fn end(mut self, engine: &Engine, status: u8) -> (Run, io::Result<()>) {
        self.stop();
        let mut state = self.shared.lock();
        state.push_samples();
        let session = engine.executor().adaptive();
        for row in figures(&state, session) {
            state.push(Record::Figures(row));
        }
        let micros = |time: Duration| time.as_nanos() as f64 / 1e3;
        let taken = self.taken.unwrap_or_default();
        let end = End { cpu: micros(taken.cpu), sampled: micros(taken.sampled), lost: taken.lost, status };
        state.push(Record::End(end));
        let ended = state.file.take().map_or(Ok(()), RunFile::finish);
        (std::mem::take(&mut state.run), ended)
    }
}

fn head(recorded: &Recorded<'_>, session: Option<&Session>) -> Head {
    let controller = session.and_then(Session::controller);
    let date = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Head {
        format: FORMAT,
        schema: SCHEMA_VERSION,
        holloway: recorded.holloway.to_owned(),
        program: recorded.program.to_owned(),
        args: recorded.args.to_vec(),
        host: holloway_jit::arch::host().to_string(),
        date,
        clock: if session.is_some_and(Session::counts_polls) { Clock::Polls } else { Clock::Real },
        policy: session.map_or("none", Session::policy_name).to_owned(),
        hz: recorded.hz,
        settings: controller.map_or(Value::Null, |controller| json!(controller.settings())),
        calibration: controller.map_or(Value::Null, |_| json!(Calibration::embedded())),
    }
}

/// The figures of each version: the controller's records, with the time that samples tell where there are any; without a controller what events and
/// samples tell.
fn figures(state: &State, session: Option<&Session>) -> Vec<VersionRow> {
    let Some(controller) = session.and_then(Session::controller) else { return by_samples(&state.run) };
    let time = (!state.run.samples.is_empty()).then(|| Time::of(&state.run));
    let mut rows: Vec<VersionRow> =
        controller.records().map(|(_, info, record)| VersionRow::of(info, record)).collect();
    if let Some(time) = time {
        for row in &mut rows {
            row.time_us = state.places.index_of(row.version).map_or(0.0, |version| time.in_version(version));
        }
        let all = time.versions.iter().map(|found| (found, &state.run.versions[found.version as usize]));
        let unseen = all.filter(|(found, version)| {
            found.spent.own > 0.0 && controller.records().all(|(.., record)| record.id != VersionId(version.id))
        });
        let more = unseen
            .map(|(found, version)| unknown(version, &state.run.functions[version.function as usize], found.spent.own));
        rows.extend(more.collect::<Vec<_>>());
    }
    rows
}

/// Tells a version that is in its place, with its code.
fn push_version(state: &mut State, version: &Arc<Version>, code: &[u8]) {
    state.places.add(version);
    let index = state.places.index_of(version.id.0).expect("it was added");
    let mut lines: Vec<(u32, u32, u32, u32)> = Vec::new();
    for origin in &version.origins {
        let site = &version.sites[origin.site as usize];
        let (function, line) = (state.places.function(site.func), state.places.line(site.span));
        match lines.last_mut() {
            Some(last) if (last.1, last.2, last.3) == (origin.range.start, function, line) => last.1 = origin.range.end,
            _ => lines.push((origin.range.start, origin.range.end, function, line)),
        }
    }
    let inlining = inlining(state, index, version);
    state.push_new();
    state.push(Record::Code(MachineCode { version: index, bytes: code::digits(code), lines }));
    if !inlining.calls.is_empty() {
        state.push(Record::Inlining(inlining));
    }
}

/// The decisions about the calls in a version.
fn inlining(state: &mut State, index: u32, version: &Version) -> Inlining {
    let decisions = &version.inlining;
    let by_site: HashMap<u32, u32> = (0..).zip(decisions).map(|(nth, decision)| (decision.site, nth)).collect();
    let calls = decisions.iter().map(|decision| {
        let site = &version.sites[decision.site as usize];
        Call {
            at: (state.places.function(site.func), state.places.line(site.span)),
            callee: state.places.function(decision.callee),
            size: decision.size,
            budget: decision.budget,
            within: site.inlined_at.and_then(|site| by_site.get(&site).copied()),
            declined: decision.declined.map(|reason| declined(reason, decision.size)),
        }
    });
    Inlining { version: index, calls: calls.collect() }
}

fn declined(reason: NotInlined, size: usize) -> String {
    match reason {
        NotInlined::Cold => "it is off the usual way".to_owned(),
        NotInlined::OwnCode => "its own code has traces".to_owned(),
        NotInlined::NoBudget => "no more may be inlined here".to_owned(),
        NotInlined::HasLoop => "it has a loop, at which frames are to leave for another version".to_owned(),
        NotInlined::Recursive => "it is recursive".to_owned(),
        NotInlined::TooLarge { most } => format!("it has {size} instructions; calls made as often may bring {most}"),
        NotInlined::Catches => "it handles failures".to_owned(),
        NotInlined::CallsHost => "it calls the host".to_owned(),
        NotInlined::ExecutedOnce => "the call is executed once in a run".to_owned(),
        NotInlined::TooDeep => "it stands behind too many inlined calls".to_owned(),
    }
}
