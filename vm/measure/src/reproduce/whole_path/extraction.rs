//! Times of the extraction of one function: from the recording by its index, and from the rivals.
//!
//! In: the files of a run. Out: the elapsed time of each extraction, in seconds.
//! Invariant: a time counts only if the traces are those of the recording, with the same numbers of activations.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use holloway_profiler::graph::Node;
use holloway_profiler::wpp::sequitur::Grammar;
use holloway_profiler::wpp::{FileError, FunctionSizes, TwppFile};

use super::figures::CalledFunction;
use super::ids::traces_in;
use super::rivals::{Files, WINDOW_LOG};
use crate::bench::statistics::median;

/// Extractions by index whose median is taken; they are short.
const REPETITIONS: usize = 5;

/// The path traces of a function, with the number of activations of each.
type Traces = BTreeMap<Vec<u32>, u64>;

/// All that a function is extracted from.
pub(super) struct Sources<'a> {
    /// The files: the recording, and those of rivals that were written.
    pub(super) files: &'a Files<'a>,
    /// Set if the raw trace was written.
    pub(super) with_raw: bool,
    /// The grammar, if it and the file of zstd were written.
    pub(super) grammar: Option<Grammar>,
}

impl Sources<'_> {
    /// Extracts a function, whose ids are given, from every source. An error if their traces differ.
    pub(super) fn extract(&self, function: &FunctionSizes, ids: Range<u32>) -> Result<CalledFunction, String> {
        let unreadable = |error: io::Error| format!("a rival's file is unreadable: {error}");
        let (traces, compacted, expanded) =
            self.by_index(function).map_err(|error| format!("its recording is unreadable: {error}"))?;
        let same = |(found, time): (Traces, Duration), whence: &str| match found == traces {
            true => Ok(Some(time.as_secs_f64())),
            false => Err(format!("the traces of {} from {whence} are others", function.function)),
        };
        let mut times = CalledFunction {
            calls: function.calls,
            unique_traces: function.unique_traces,
            compacted: compacted.as_secs_f64(),
            expanded: expanded.as_secs_f64(),
            raw: None,
            zstd: None,
            sequitur: None,
        };
        if self.with_raw {
            times.raw = same(from_raw(&self.files.raw(), ids.clone()).map_err(unreadable)?, "the raw trace")?;
        }
        if let Some(grammar) = &self.grammar {
            times.zstd = same(from_zstd(&self.files.zstd(), ids.clone()).map_err(unreadable)?, "zstd")?;
            times.sequitur = same(from_grammar(grammar, ids), "the grammar")?;
        }
        Ok(times)
    }

    /// The path traces by index, and the times: until they are ready for questions, and until each block is in memory.
    fn by_index(&self, function: &FunctionSizes) -> Result<(Traces, Duration, Duration), FileError> {
        let open = || TwppFile::open(BufReader::new(File::open(self.files.recording())?));
        let (mut compacted, mut expanded, mut traces) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..REPETITIONS {
            let start = Instant::now();
            let read = open()?.function(function.function)?;
            compacted.push(start.elapsed());
            drop(read);
            let start = Instant::now();
            traces = open()?.extract(function.function)?;
            expanded.push(start.elapsed());
        }
        let indices = |blocks: &[Node]| blocks.iter().map(|block| block.as_u32()).collect();
        let traces = traces.iter().map(|trace| (indices(&trace.blocks), trace.calls)).collect();
        let middle = |times: Vec<Duration>| median(times).expect("there are repetitions");
        Ok((traces, middle(compacted), middle(expanded)))
    }
}

fn from_raw(file: &Path, ids: Range<u32>) -> io::Result<(Traces, Duration)> {
    let start = Instant::now();
    let traces = traces_in(ids_in(File::open(file)?), ids);
    Ok((traces, start.elapsed()))
}

fn from_zstd(file: &Path, ids: Range<u32>) -> io::Result<(Traces, Duration)> {
    let start = Instant::now();
    let mut decoder = zstd::stream::Decoder::new(File::open(file)?)?;
    decoder.window_log_max(WINDOW_LOG)?;
    let traces = traces_in(ids_in(decoder), ids);
    Ok((traces, start.elapsed()))
}

/// The path traces that the grammar derives, and the time until the function's subgrammar is there.
fn from_grammar(grammar: &Grammar, ids: Range<u32>) -> (Traces, Duration) {
    let start = Instant::now();
    let restricted = grammar.restricted(|id| ids.contains(&id));
    let time = start.elapsed();
    (traces_in(restricted.expand(), ids), time)
}

/// The ids in a file; a damaged one ends early, and its traces differ.
fn ids_in(file: impl Read) -> impl Iterator<Item = u32> {
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut id = [0; 4];
    std::iter::from_fn(move || file.read_exact(&mut id).is_ok().then_some(u32::from_le_bytes(id)))
}
