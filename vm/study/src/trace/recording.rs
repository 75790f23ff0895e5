//! A whole path as it is recorded, and written as it goes.
//!
//! In: the program, and the events of its run. Out: a file that holds the path so far whenever the process ends, and all of it when the
//! run has ended. Each time the whole compacted path so far is written beside the file, and renamed over it.
//! Invariants: the file is whole at every moment; with a limit it never has more bytes, and says that it is not complete.

use super::program::program_of;
use super::settings::{EVENTS_BETWEEN_LOOKS, LEAST_GROWTH, LEAST_PAUSE, LOOKS, PAUSE_PER_COST};
use holloway::Engine;
use holloway::internals::destination;
use holloway::internals::is_same_file;
use holloway_lang::ir::FuncRef;
use holloway_machine::profile::consumer::function_id;
use holloway_machine::profile::{Listening, PathListener};
use holloway_profiler::event::{BadWord, Event, EventSink};
use holloway_profiler::graph::{Graph, Node};
use holloway_profiler::path_id::prefix_of;
use holloway_profiler::scheme::{Decoder, FunctionPlan};
use holloway_profiler::wpp::{CompactedFile, Effort, PathBlocks, Program, RecordedModule, Recorder, WholePath};
use holloway_runtime::Tape;
use holloway_runtime::tape::{Answers, kept};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use std::{fs, io, mem, process};

/// Records a run into a file.
pub struct Recording {
    recorder: Recorder,
    file: PathBuf,
    /// Blocks of the path that the file holds.
    written: u64,
    /// Bytes that the file may have.
    limit: u64,
    /// The time of the next write.
    due: Instant,
    /// Memory of the recorder at which the size is looked at next, where there is a limit.
    look_at: u64,
    /// Events of the interpreter since the last look.
    unseen: u32,
    /// The answers of the world outside so far.
    answers: Arc<Mutex<Answers>>,
    state: State,
}

/// The end of the run that is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It ended, or failed.
    ByItself,
    /// It was interrupted.
    Interrupted,
}

/// The course of a recording.
#[derive(Debug)]
pub enum State {
    /// It goes on.
    Recording,
    /// The file has as many bytes as it may.
    Full,
    /// It cannot be written any more.
    Failed(io::Error),
}

/// Records the run of an engine into a file, from now on, with the arguments, and the module that the program is if it is one. Fails if the file cannot be
/// written.
pub fn record(
    engine: &mut Engine,
    (arguments, module): (&[Vec<u8>], Option<RecordedModule>),
    file: &Path,
    limit: Option<u64>,
) -> io::Result<Listening<Recording>> {
    let recording = Recording::new(program_of(engine, arguments, module), file, limit)?;
    engine.executor_mut().runtime_mut().tape = Tape::Recording(Arc::clone(&recording.answers));
    let listening = Listening::new(recording);
    engine.executor_mut().listen(&listening.shared());
    Ok(listening)
}

impl Recording {
    /// Records a program into a file, which may have so many bytes; `None` sets no limit. Fails if it cannot be written.
    fn new(program: Program, file: &Path, limit: Option<u64>) -> io::Result<Recording> {
        let file = replaceable(file, &program)?;
        let limit = limit.unwrap_or(u64::MAX);
        let mut recording = Recording {
            recorder: Recorder::new(program),
            file,
            written: 0,
            limit,
            due: Instant::now(),
            look_at: LEAST_GROWTH.min(limit / 4),
            unseen: 0,
            answers: Arc::default(),
            state: State::Recording,
        };
        recording.write_so_far()?;
        match recording.state {
            State::Full => Err(io::Error::other("the program alone takes more than --limit allows")),
            State::Recording | State::Failed(_) => Ok(recording),
        }
    }

    /// Number of blocks of the path that the file holds.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Writes the file for the last time. Returns how the recording ended.
    pub fn finish(&mut self, end: End) -> State {
        let state = mem::replace(&mut self.state, State::Full);
        if !matches!(state, State::Recording) {
            return state;
        }
        self.keep_answers();
        let mut path = mem::take(&mut self.recorder).finish();
        path.complete &= end == End::ByItself;
        match self.replace_by(&path, Effort::Best) {
            Ok(true) => State::Recording,
            Ok(false) => State::Full,
            Err(error) => State::Failed(error),
        }
    }

    fn write_so_far(&mut self) -> io::Result<()> {
        let begun = Instant::now();
        self.keep_answers();
        let mut compacted = self.recorder.snapshot(|path| CompactedFile::of(path, Effort::Fast))?;
        if compacted.size() > self.limit {
            compacted = self.recorder.snapshot(|path| CompactedFile::of(path, Effort::Best))?;
        }
        if compacted.size() > self.limit {
            self.state = State::Full;
            return Ok(());
        }
        replace(&self.file, &compacted)?;
        self.written = compacted.events();
        let now = Instant::now();
        self.due = now + (PAUSE_PER_COST * (now - begun)).max(LEAST_PAUSE);
        Ok(())
    }

    fn keep_answers(&mut self) {
        let answers = serde_json::to_vec(&*kept(&self.answers)).expect("lines and times are JSON");
        self.recorder.program_mut().inputs = answers;
    }

    /// Replaces the file by the path; false if it does not fit.
    fn replace_by(&mut self, path: &WholePath, effort: Effort) -> io::Result<bool> {
        let compacted = CompactedFile::of(path, effort)?;
        let fits = compacted.size() <= self.limit;
        if fits {
            replace(&self.file, &compacted)?;
            self.written = compacted.events();
        }
        Ok(fits)
    }

    /// Writes if it is time, or if the limit may be near.
    fn write_if_due(&mut self) {
        let is_near_limit = self.limit < u64::MAX && self.recorder.bytes() >= self.look_at;
        if !is_near_limit && Instant::now() < self.due {
            return;
        }
        let memory = self.recorder.bytes();
        self.look_at = memory + (memory / LOOKS).max(LEAST_GROWTH.min(self.limit / 4));
        if let Err(error) = self.write_so_far() {
            self.state = State::Failed(error);
        }
    }
}

impl PathListener for Recording {
    fn declare(&mut self, func: FuncRef, plan: &FunctionPlan) {
        let packing = plan.stream.packing();
        let function = function_id(func);
        let shape = self.recorder.program_mut().functions.get(function.as_u32() as usize).cloned();
        let paths = PlannedPaths { graph: plan.graph.clone(), decoder: Arc::clone(&plan.decoder) };
        self.recorder.declare(function, shape.unwrap_or_default(), packing, Box::new(paths));
    }

    fn words(&mut self, words: &[u64]) -> Result<(), BadWord> {
        if let State::Recording = self.state {
            self.recorder.read(words)?;
            self.write_if_due();
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) {
        if let State::Recording = self.state {
            let heard = self.recorder.event(event);
            assert!(heard.is_ok(), "the interpreter tells of functions that were declared");
            self.unseen += 1;
            if self.unseen == EVENTS_BETWEEN_LOOKS {
                self.unseen = 0;
                self.write_if_due();
            }
        }
    }
}

/// Reads the ids of a plan.
struct PlannedPaths {
    graph: Graph,
    decoder: Arc<dyn Decoder>,
}

impl PathBlocks for PlannedPaths {
    fn path(&self, id: u64) -> Option<Vec<Node>> {
        self.decoder.path(&self.graph, id).map(|path| path.blocks)
    }

    fn prefix(&self, block: Node, id: u64) -> Option<Vec<Node>> {
        prefix_of(&self.graph, self.decoder.acyclic()?, block, id).map(|path| path.blocks)
    }
}

/// The path of a file that may be replaced: links are followed, and neither what is no file nor a source of the program is lost.
fn replaceable(file: &Path, program: &Program) -> io::Result<PathBuf> {
    let there = destination(file);
    // A pipe behind a link, such as `/dev/stdout`, has no path of its own.
    let Ok(found) = fs::metadata(file) else { return Ok(there) };
    if !found.is_file() {
        return Err(io::Error::other("it is there already, and no file"));
    }
    if program.sources.iter().any(|source| is_same_file(Path::new(&source.name), &there)) {
        return Err(io::Error::other("it is a source of the program"));
    }
    Ok(there)
}

/// Replaces a file as a whole.
fn replace(file: &Path, by: &CompactedFile) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(format!(".{}.new", process::id()));
    let written = fs::File::create(&beside).and_then(|mut to| by.write(&mut to));
    let replaced = written.and_then(|()| fs::rename(&beside, file));
    if replaced.is_err() {
        // It may not even be there.
        let _ = fs::remove_file(&beside);
    }
    replaced
}
