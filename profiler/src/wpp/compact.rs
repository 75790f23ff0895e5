//! The stages of compaction and their sizes [ZG01 section 3, Tables 1 to 3].
//!
//! In: a [`WholePath`]. Out: the bytes that it takes after each stage, and the figures of each function.
//!
//! Notation: a block id, a dynamic basic block, a timestamp, and a word of a series take 4 bytes each, as in the paper; a
//! chain of a dictionary takes one id more than it has blocks, its length; a pair of a trace and a dictionary takes 8.
//! Invariant: the sizes depend on the run alone, not on the pieces in which it was recorded. Stages are measured as they would be made, and
//! never stored.

use super::dictionary::Dictionary;
use super::file::sections;
use super::function_traces::FunctionTraces;
use super::rolling::RollingHash;
use super::series::Series;
use super::whole_path::WholePath;
use crate::event::FunctionId;
use crate::graph::Node;

/// Bytes of an id.
const ID: u64 = 4;

/// Sizes of the whole path after each stage, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSizes {
    /// The block events of the run.
    pub raw: u64,
    /// Unique path traces.
    pub unique: u64,
    /// Unique compacted traces.
    pub compacted: u64,
    /// Unique dictionaries.
    pub dictionaries: u64,
    /// The compacted traces as lists of timestamps.
    pub timestamps: u64,
    /// The compacted traces as series.
    pub series: u64,
    /// The dynamic call graph, an id for each activation.
    pub calls_raw: u64,
    /// The dynamic call graph with equal subtrees as one.
    pub calls_shared: u64,
    /// The same after LZW.
    pub calls_lzw: u64,
}

/// Figures of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionSizes {
    /// The function.
    pub function: FunctionId,
    /// Its activations.
    pub calls: u64,
    /// Its unique path traces.
    pub unique_traces: u32,
    /// The blocks of these traces.
    pub blocks: u64,
    /// Its unique dictionaries.
    pub dictionaries: u64,
}

impl StageSizes {
    /// The stages by name, in order.
    pub fn named(&self) -> [(&'static str, u64); 9] {
        [
            ("raw", self.raw),
            ("unique", self.unique),
            ("compacted", self.compacted),
            ("dictionaries", self.dictionaries),
            ("timestamps", self.timestamps),
            ("series", self.series),
            ("dcg_raw", self.calls_raw),
            ("dcg_shared", self.calls_shared),
            ("dcg_lzw", self.calls_lzw),
        ]
    }
}

/// The sizes of all stages, and the figures of the called functions, most called first.
pub fn stages(path: &WholePath) -> (StageSizes, Vec<FunctionSizes>) {
    let counts = path.calls();
    let shared = sections::plain(|to| sections::write_call_graph(path.call_graph(), to));
    let mut sizes = StageSizes {
        raw: ID.saturating_mul(path.events()),
        calls_raw: 0,
        calls_shared: shared.len() as u64,
        calls_lzw: sections::lzw(&shared).len() as u64,
        ..StageSizes::default()
    };
    let mut functions = Vec::new();
    for (function, traces) in path.functions().filter(|(_, traces)| !traces.is_empty()) {
        let calls = counts.function(function);
        let (blocks, dictionaries) = add_function(traces, &mut sizes);
        sizes.calls_raw = sizes.calls_raw.saturating_add(ID.saturating_mul(calls));
        functions.push(FunctionSizes { function, calls, unique_traces: traces.len(), blocks, dictionaries });
    }
    functions.sort_by_key(|sizes| (std::cmp::Reverse(sizes.calls), sizes.function));
    (sizes, functions)
}

/// Adds the sizes of a function; returns the blocks of its traces and its number of dictionaries.
fn add_function(traces: &FunctionTraces, sizes: &mut StageSizes) -> (u64, u64) {
    let mut blocks = 0;
    let mut dictionaries = hashbrown::HashSet::new();
    let mut compacted = crate::hash::KeyMap::<(u64, u64), ()>::default();
    for trace in 0..traces.len() {
        blocks += traces.block_count(trace);
        let dictionary = Dictionary::of(traces.blocks(trace));
        let mut hash = RollingHash::default();
        let mut len = 0;
        for id in dictionary.compact(traces.blocks(trace)) {
            hash.extend(&[id.as_u32()]);
            len += ID;
        }
        if compacted.insert(hash.key(), ()).is_none() {
            let timestamps = TimestampSizes::of(dictionary.compact(traces.blocks(trace)));
            sizes.compacted += len;
            sizes.timestamps += len + ID * timestamps.blocks;
            sizes.series += ID * timestamps.blocks + timestamps.words;
        }
        if !dictionaries.contains(&dictionary) {
            sizes.dictionaries += dictionary.chains().iter().map(|chain| ID * (chain.len() as u64 + 1)).sum::<u64>();
            dictionaries.insert(dictionary);
        }
        sizes.compacted += 2 * ID;
        sizes.timestamps += 2 * ID;
        sizes.series += 2 * ID;
    }
    sizes.unique += ID * blocks;
    (blocks, dictionaries.len() as u64)
}

/// The sizes of a timestamped trace, which itself may be far larger than its recording.
struct TimestampSizes {
    /// Number of dynamic basic blocks.
    blocks: u64,
    /// The bytes of the words of their series.
    words: u64,
}

impl TimestampSizes {
    fn of(compacted: impl Iterator<Item = Node>) -> TimestampSizes {
        let mut by_block: Vec<Series> = Vec::new();
        let mut words = 0;
        for (time, id) in (1..).zip(compacted) {
            let index = id.as_u32() as usize;
            if index >= by_block.len() {
                by_block.resize_with(index + 1, Series::default);
            }
            by_block[index].push(time);
            if let Some(settled) = by_block[index].pop_settled() {
                words += settled.words().map(word_bytes).sum::<u64>();
            }
        }
        words += by_block.iter().flat_map(Series::words).map(word_bytes).sum::<u64>();
        TimestampSizes { blocks: by_block.iter().filter(|series| !series.is_empty()).count() as u64, words }
    }
}

/// A word that does not fit 32 bits is wider, as the paper proposes.
fn word_bytes(word: i64) -> u64 {
    if i32::try_from(word).is_ok() { ID } else { 2 * ID }
}

#[cfg(test)]
mod tests {
    use super::super::dictionary::TimestampedTrace;
    use super::*;

    #[test]
    fn timestamps_are_measured_as_they_would_be_made() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for run in 1..60 {
            let blocks: Vec<Node> = (0..run * 7).map(|_| Node::from_u32(below(1 + run % 9) as u32)).collect();
            let made = TimestampedTrace::of(blocks.iter().copied());
            let words = made.series().iter().flat_map(|(_, series)| series.words()).map(word_bytes).sum::<u64>();
            let measured = TimestampSizes::of(blocks.into_iter());
            assert_eq!((measured.blocks, measured.words), (made.series().len() as u64, words), "{run}");
        }
    }
}
