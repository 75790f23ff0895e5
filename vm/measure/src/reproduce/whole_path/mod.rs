//! The whole path of a program, compacted, beside its rivals: the raw trace, Sequitur and zstd [ZG01 section 3].
//!
//! In: a [`Job`]. Out: [`WholePathFigures`]. Data flow: the program runs and is recorded -> its stages and graphs -> `ids` -> the
//! files of the `rivals` -> `extraction` of every called function from each.
//! Invariant: every file is in a temporary folder and was just written, so that all are read from the machine's memory.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::job::{Job, checked_output, engine, load};
use extraction::Sources;
use holloway::Engine;
use holloway_lang::ir::cfg::Cfg;
use holloway_profiler::wpp::dynamic_graph::{DynamicGraph, DynamicSize};
use holloway_profiler::wpp::{Dictionary, StageSizes, TimestampedTrace, TwppFile, WholePath, stages};
use holloway_study::trace::{End, State, record};
use ids::Ids;
use rivals::{Files, write_raw, write_rivals};

mod extraction;
mod ids;
mod rivals;

/// Most ids of a run whose raw trace is written.
pub const MOST_RAW: u64 = 1 << 29;

/// Most ids of a run that Sequitur and zstd get.
pub const MOST_IDS: u64 = 1 << 26;

/// Figures of one program's whole path. Sizes are in bytes, times in seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WholePathFigures {
    /// The blocks that were entered, 4 bytes each.
    pub blocks: u64,
    /// The activations, 4 bytes each.
    pub calls: u64,
    /// Unique path traces.
    pub unique: u64,
    /// Unique traces of dynamic basic blocks.
    pub compacted: u64,
    /// Unique dictionaries.
    pub dictionaries: u64,
    /// The compacted traces as series of timestamps.
    pub series: u64,
    /// The call graph with equal subtrees as one, after LZW.
    pub calls_lzw: u64,
    /// The recording's file, with the program's text.
    pub file: u64,
    /// The bytes of it that store the program.
    pub program: u64,
    /// Nodes and edges of the control-flow graphs of all functions.
    pub static_size: (u64, u64),
    /// Nodes, edges, timestamps and numbers of series of the dynamic graphs of all unique traces.
    pub dynamic_size: [u64; 4],
    /// The functions that were called.
    pub functions: Vec<CalledFunction>,
    /// Sequitur and zstd; none if the run has more than [`MOST_IDS`].
    pub rivals: Option<RivalFigures>,
}

/// Figures of one function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CalledFunction {
    /// Its activations.
    pub calls: u64,
    /// Its unique path traces.
    pub unique_traces: u32,
    /// Time of its extraction by index, compacted as questions need it.
    pub compacted: f64,
    /// The same with every block.
    pub expanded: f64,
    /// Time of its extraction from the raw trace.
    pub raw: Option<f64>,
    /// The same from the raw trace after zstd.
    pub zstd: Option<f64>,
    /// Time that its subgrammar took, after the grammar was read.
    pub sequitur: Option<f64>,
}

/// Figures of the rivals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RivalFigures {
    /// The raw trace after zstd.
    pub zstd: u64,
    /// The grammar that Sequitur infers.
    pub sequitur: u64,
    /// Time of reading it.
    pub sequitur_read: f64,
}

/// Records the program and measures. The error describes what went wrong.
pub fn carry_out(job: &Job) -> Result<WholePathFigures, String> {
    let cannot = |error: io::Error| format!("its files cannot be written or read: {error}");
    let unreadable = |error| format!("its recording is unreadable: {error}");
    let folder = tempfile::tempdir().map_err(cannot)?;
    let files = Files { folder: folder.path() };
    let mut engine = engine(job)?;
    load(&mut engine, job)?;
    run_recorded(&mut engine, job, &files.recording())?;
    let file = File::open(files.recording()).map_err(cannot)?;
    let mut recording = TwppFile::open(BufReader::new(file)).map_err(unreadable)?;
    let path = recording.whole().map_err(unreadable)?;
    let (sizes, called) = stages(&path);
    let mut figures = figures(&engine, &path, &sizes)?;
    figures.file = recording.len();
    figures.program = recording.program_len();
    let (ids, count) = (Ids::of(&path.program), (sizes.raw + sizes.calls_raw) / 4);
    if count <= MOST_RAW {
        write_raw(&path, &ids, &files).map_err(cannot)?;
    }
    let rivals = (count <= MOST_IDS).then(|| write_rivals(&path, &ids, &files));
    let (rivals, grammar) = rivals.transpose().map_err(cannot)?.unzip();
    figures.rivals = rivals;
    let sources = Sources { files: &files, with_raw: count <= MOST_RAW, grammar };
    for function in called {
        figures.functions.push(sources.extract(&function, ids.range(function.function))?);
    }
    Ok(figures)
}

fn run_recorded(engine: &mut Engine, job: &Job, file: &Path) -> Result<(), String> {
    let cannot = |error| format!("its recording cannot be written: {error}");
    let listening = record(engine, &[], file, None).map_err(cannot)?;
    let result = engine.run();
    engine.executor_mut().settle();
    let ended = listening.get().finish(End::ByItself);
    checked_output(engine, job, result)?;
    match ended {
        State::Recording => Ok(()),
        State::Full => Err("its recording is full".to_owned()),
        State::Failed(error) => Err(cannot(error)),
    }
}

/// The figures of the path itself; those of the file and of extractions are still missing.
fn figures(engine: &Engine, path: &WholePath, sizes: &StageSizes) -> Result<WholePathFigures, String> {
    let mut static_size = (0, 0);
    for (_, function) in engine.module().funcs.iter() {
        let body = &function.body;
        let graph = Cfg::compute(body);
        static_size.0 += body.blocks.len() as u64;
        static_size.1 += body.blocks.keys().map(|block| graph.succs(block).len() as u64).sum::<u64>();
    }
    let DynamicSize { nodes, edges, timestamps, numbers } = dynamic_size(path)?;
    Ok(WholePathFigures {
        blocks: sizes.raw,
        calls: sizes.calls_raw,
        unique: sizes.unique,
        compacted: sizes.compacted,
        dictionaries: sizes.dictionaries,
        series: sizes.series,
        calls_lzw: sizes.calls_lzw,
        file: 0,
        program: 0,
        static_size,
        dynamic_size: [nodes, edges, timestamps, numbers],
        functions: Vec::new(),
        rivals: None,
    })
}

/// The size of the dynamic graphs of all unique traces.
fn dynamic_size(path: &WholePath) -> Result<DynamicSize, String> {
    let mut size = DynamicSize::default();
    for (_, traces) in path.functions() {
        for trace in 0..traces.len() {
            let dictionary = Dictionary::of(traces.blocks(trace));
            let timestamped = TimestampedTrace::of(dictionary.compact(traces.blocks(trace)));
            let graph = DynamicGraph::of_timestamped(&timestamped, &dictionary).map_err(|error| error.to_string())?;
            size += graph.size();
        }
    }
    Ok(size)
}
