//! The whole path of a program, compacted, beside its rivals: the raw trace, Sequitur and zstd [ZG01 section 3].
//!
//! In: a [`Job`]. Out: [`WholePathFigures`]. Data flow: the program runs and is recorded -> its stages and graphs -> `ids` -> the
//! files of the rivals -> `extraction` of every called function from each.
//! Invariant: every file is in a temporary folder and was just written, so that all are read from the machine's memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::job::{Job, checked_output, engine, load};
use crate::Engine;
use crate::profile::Listening;
use crate::runtime::Tape;
use crate::trace::{End, Recording, State, program_of};
use extraction::{by_index, from_grammar, from_raw, from_zstd, read_grammar};
use holloway_lang::ir::cfg::Cfg;
use holloway_profiler::wpp::dynamic_graph::{DynamicGraph, DynamicSize};
use holloway_profiler::wpp::sequitur::Sequitur;
use holloway_profiler::wpp::{Dictionary, StageSizes, TimestampedTrace, TwppFile, WholePath, stages};
use ids::Ids;

mod extraction;
mod ids;

/// Most ids of a run whose raw trace is written.
pub const MOST_RAW: u64 = 1 << 29;

/// Most ids of a run that Sequitur and zstd get.
pub const MOST_IDS: u64 = 1 << 26;

/// The level of zstd, and the logarithm of its window's length in bytes.
const ZSTD: (i32, u32) = (19, 27);

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
    let folder = tempfile::tempdir().map_err(cannot)?;
    let file = folder.path().join("run.twpp");
    let mut engine = engine(job)?;
    load(&mut engine, job)?;
    record(&mut engine, job, &file)?;
    let unreadable = |error| format!("its recording is unreadable: {error}");
    let mut recording = TwppFile::open(BufReader::new(File::open(&file).map_err(cannot)?)).map_err(unreadable)?;
    let path = recording.whole().map_err(unreadable)?;
    let (sizes, called) = stages(&path);
    let mut figures = figures(&engine, &path, sizes, recording.len());
    let ids = Ids::of(&path.program);
    let count = (figures.blocks + figures.calls) / 4;
    if count <= MOST_RAW {
        write_raw(&path, &ids, folder.path()).map_err(cannot)?;
    }
    if count <= MOST_IDS {
        figures.rivals = Some(write_rivals(&path, &ids, folder.path()).map_err(cannot)?);
    }
    let grammar = match figures.rivals.is_some() {
        true => Some(read_grammar(&folder.path().join("run.grammar")).map_err(cannot)?),
        false => None,
    };
    for function in called {
        let (traces, compacted, expanded) = by_index(&file, function.function)?;
        let mut times = CalledFunction {
            calls: function.calls,
            unique_traces: function.unique_traces,
            compacted,
            expanded,
            raw: None,
            zstd: None,
            sequitur: None,
        };
        let range = ids.range(function.function);
        let same = |(found, seconds): (extraction::Traces, f64), whence: &str| match found == traces {
            true => Ok(Some(seconds)),
            false => Err(format!("the traces of {} from {whence} are others", function.function)),
        };
        if count <= MOST_RAW {
            let raw = from_raw(&folder.path().join("run.raw"), range.clone()).map_err(cannot)?;
            times.raw = same(raw, "the raw trace")?;
        }
        if let Some((grammar, _)) = &grammar {
            let zstd = from_zstd(&folder.path().join("run.zst"), ZSTD.1, range.clone()).map_err(cannot)?;
            times.zstd = same(zstd, "zstd")?;
            times.sequitur = same(from_grammar(grammar, range), "the grammar")?;
        }
        figures.functions.push(times);
    }
    if let (Some(rivals), Some((_, seconds))) = (&mut figures.rivals, grammar) {
        rivals.sequitur_read = seconds;
    }
    Ok(figures)
}

fn record(engine: &mut Engine, job: &Job, file: &Path) -> Result<(), String> {
    let recording = Recording::new(program_of(engine, &[]), file, None).map_err(|error| error.to_string())?;
    engine.executor_mut().runtime_mut().tape = Tape::Recording(recording.answers());
    let listening = Listening::new(recording);
    engine.executor_mut().listen(&listening.shared());
    let result = engine.run();
    engine.executor_mut().settle();
    let ended = listening.get().finish(End::ByItself);
    checked_output(engine, job, result)?;
    match ended {
        State::Recording => Ok(()),
        State::Full => Err("its recording is full".to_owned()),
        State::Failed(error) => Err(format!("its recording cannot be written: {error}")),
    }
}

/// The figures of the path itself.
fn figures(engine: &Engine, path: &WholePath, sizes: StageSizes, file: u64) -> WholePathFigures {
    let StageSizes { raw, unique, compacted, dictionaries, series, calls_raw, calls_lzw, .. } = sizes;
    let mut static_size = (0, 0);
    for (_, function) in engine.module().funcs.iter() {
        let body = &function.body;
        let graph = Cfg::compute(body);
        static_size.0 += body.blocks.len() as u64;
        static_size.1 += body.blocks.keys().map(|block| graph.succs(block).len() as u64).sum::<u64>();
    }
    let mut dynamic = DynamicSize::default();
    for (_, traces) in path.functions() {
        for trace in 0..traces.len() {
            let dictionary = Dictionary::of(traces.blocks(trace));
            let timestamped = TimestampedTrace::of(dictionary.compact(traces.blocks(trace)));
            if let Ok(graph) = DynamicGraph::of_timestamped(&timestamped, &dictionary) {
                dynamic += graph.size();
            }
        }
    }
    WholePathFigures {
        blocks: raw,
        calls: calls_raw,
        unique,
        compacted,
        dictionaries,
        series,
        calls_lzw,
        file,
        static_size,
        dynamic_size: [dynamic.nodes, dynamic.edges, dynamic.timestamps, dynamic.numbers],
        functions: Vec::new(),
        rivals: None,
    }
}

/// Writes the raw trace.
fn write_raw(path: &WholePath, ids: &Ids, folder: &Path) -> io::Result<()> {
    let mut raw = BufWriter::new(File::create(folder.join("run.raw"))?);
    ids.of_run(path, |id| raw.write_all(&id.to_le_bytes()))?;
    raw.flush()
}

/// Writes the ids after zstd, and Sequitur's grammar of them.
fn write_rivals(path: &WholePath, ids: &Ids, folder: &Path) -> io::Result<RivalFigures> {
    let mut zstd = zstd::stream::Encoder::new(BufWriter::new(File::create(folder.join("run.zst"))?), ZSTD.0)?;
    zstd.window_log(ZSTD.1)?;
    zstd.long_distance_matching(true)?;
    let mut sequitur = Sequitur::default();
    ids.of_run(path, |id| {
        sequitur.push(id);
        zstd.write_all(&id.to_le_bytes())
    })?;
    zstd.finish()?.flush()?;
    let grammar = sequitur.grammar().to_bytes();
    std::fs::write(folder.join("run.grammar"), &grammar)?;
    let zstd = std::fs::metadata(folder.join("run.zst"))?.len();
    Ok(RivalFigures { zstd, sequitur: grammar.len() as u64, sequitur_read: 0.0 })
}
