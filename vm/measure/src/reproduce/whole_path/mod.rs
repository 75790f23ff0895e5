//! The whole path of a program, compacted, beside its rivals: the raw trace, Sequitur and zstd [ZG01 section 3].
//!
//! In: a [`Job`]. Out: [`WholePathFigures`]. Data flow: the program runs and is recorded -> its stages and graphs -> `ids` -> the
//! files of the `rivals` -> `extraction` of every called function from each.
//! Invariant: every file is in a temporary folder and was just written, so that all are read from the machine's memory.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

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
mod figures;
mod ids;
mod rivals;

pub use figures::{CalledFunction, MOST_IDS, MOST_RAW, RivalFigures, WholePathFigures};

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
    let listening = record(engine, (&[], None), file, None).map_err(cannot)?;
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
