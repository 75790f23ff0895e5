//! Times of the extraction of one function: from the recording by its index, and from the rivals.
//!
//! In: the recording's file, and the files of the rivals. Out: seconds, of traces that are the same from everywhere.
//! Invariant: a time counts only if the traces are those of the recording, with the same numbers of activations.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use holloway_profiler::event::FunctionId;
use holloway_profiler::wpp::TwppFile;
use holloway_profiler::wpp::sequitur::Grammar;

use super::ids::traces_in;
use crate::measure::bench::statistics::median;

/// Extractions by index whose median is taken; they are short.
const REPETITIONS: usize = 5;

/// The path traces of a function, with the number of activations of each.
pub(super) type Traces = BTreeMap<Vec<u32>, u64>;

/// The function's path traces by index, and the seconds: until they are ready for questions, and until each block is in memory.
pub(super) fn by_index(file: &Path, function: FunctionId) -> Result<(Traces, f64, f64), String> {
    let told = |error: &dyn std::fmt::Display| format!("its recording is unreadable: {error}");
    let open = || TwppFile::open(BufReader::new(File::open(file).map_err(|error| told(&error))?)).map_err(|e| told(&e));
    let (mut compacted, mut expanded, mut traces) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..REPETITIONS {
        let start = Instant::now();
        let read = open()?.function(function).map_err(|error| told(&error))?;
        compacted.push(start.elapsed());
        drop(read);
        let start = Instant::now();
        traces = open()?.extract(function).map_err(|error| told(&error))?;
        expanded.push(start.elapsed());
    }
    let plain = |blocks: &[holloway_profiler::graph::Node]| blocks.iter().map(|block| block.as_u32()).collect();
    let traces = traces.iter().map(|trace| (plain(&trace.blocks), trace.calls)).collect();
    let middle = |times: Vec<Duration>| median(times).unwrap_or_default().as_secs_f64();
    Ok((traces, middle(compacted), middle(expanded)))
}

/// The function's path traces from the file of all ids, and the seconds.
pub(super) fn from_raw(file: &Path, ids: Range<u32>) -> io::Result<(Traces, f64)> {
    let start = Instant::now();
    let traces = traces_in(ids_in(File::open(file)?), ids);
    Ok((traces, start.elapsed().as_secs_f64()))
}

/// The same from that file compressed by zstd.
pub(super) fn from_zstd(file: &Path, window_log: u32, ids: Range<u32>) -> io::Result<(Traces, f64)> {
    let start = Instant::now();
    let mut decoder = zstd::stream::Decoder::new(File::open(file)?)?;
    decoder.window_log_max(window_log)?;
    let traces = traces_in(ids_in(decoder), ids);
    Ok((traces, start.elapsed().as_secs_f64()))
}

/// The grammar in a file, and the seconds that reading it took.
pub(super) fn read_grammar(file: &Path) -> io::Result<(Grammar, f64)> {
    let start = Instant::now();
    let grammar = Grammar::from_bytes(&std::fs::read(file)?).map_err(io::Error::other)?;
    Ok((grammar, start.elapsed().as_secs_f64()))
}

/// The function's path traces from the grammar, and the seconds until its subgrammar is there.
pub(super) fn from_grammar(grammar: &Grammar, ids: Range<u32>) -> (Traces, f64) {
    let start = Instant::now();
    let restricted = grammar.restricted(|id| ids.contains(&id));
    let seconds = start.elapsed().as_secs_f64();
    (traces_in(restricted.expand(), ids), seconds)
}

/// The ids in a file; a damaged one ends early, and its traces differ.
fn ids_in(file: impl Read) -> impl Iterator<Item = u32> {
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut id = [0; 4];
    std::iter::from_fn(move || file.read_exact(&mut id).is_ok().then_some(u32::from_le_bytes(id)))
}
