//! Content of a function's section: its unique path traces, with the number of activations of each.
//!
//! In: [`FunctionTraces`]. Out: bytes in one of two layouts, and back.
//!
//! *Timestamps* is the paper's form [ZG01 section 2]: unique dictionaries, unique compacted traces as sign-terminated series of each
//! dynamic basic block, and a pair of them for each trace. *Pieces* lists acyclic paths, and each trace as their numbers:
//! shorter where many short traces differ, since each would list its blocks once more.
//! Invariant: both give the same blocks for each trace.

use std::io::{self, Write};
use std::sync::Arc;

use hashbrown::hash_map::Entry;

use super::error::FileError;
use super::numbers::{NumberWriter, Numbers, put, put_signed};
use crate::event::encode;
use crate::graph::Node;
use crate::hash::KeyMap;
use crate::settings::wpp::{LONGEST_SHORT, MOST_TIMESTAMPED};
use crate::wpp::dictionary::{Dictionary, TimestampedTrace};
use crate::wpp::function_traces::FunctionTraces;
use crate::wpp::rolling::RollingHash;
use crate::wpp::sequence::{PIECE, Sequence, SequenceView};
use crate::wpp::sequence_piece::{PlainNumbers, SequencePiece};
use crate::wpp::series::Series;

/// Bytes of a trace in the tables of a function, its pieces aside.
const BYTES_OF_TRACE: usize = 24;

/// No piece has this number.
const UNSEEN: u32 = u32::MAX;

/// Layout of a function's section, as the format numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Pieces,
    Timestamps,
}

/// The traces of a function and the activations of each.
pub(super) struct CountedTraces<'a> {
    pub(super) traces: &'a FunctionTraces,
    pub(super) calls: Vec<u64>,
}

impl CountedTraces<'_> {
    pub(super) fn write(&self, layout: Layout, to: &mut dyn Write) -> io::Result<()> {
        put(to, layout as u64)?;
        self.calls.iter().try_for_each(|&calls| put(to, calls))?;
        match layout {
            Layout::Pieces => write_pieces(self.traces, to),
            Layout::Timestamps => write_timestamps(self.traces, to),
        }
    }
}

/// Pieces with their blocks; numbers of pieces of all traces; the pieces of all traces, most frequent first.
fn write_pieces(traces: &FunctionTraces, to: &mut dyn Write) -> io::Result<()> {
    let order = traces.by_use();
    let mut rank = vec![0_u64; traces.piece_count() as usize];
    order.iter().enumerate().for_each(|(at, &piece)| rank[piece as usize] = at as u64);
    put(to, order.len() as u64)?;
    order.iter().try_for_each(|&piece| put(to, traces.piece(piece).len() as u64))?;
    for &piece in &order {
        let mut before = 0;
        for &block in traces.piece(piece) {
            put_signed(to, i64::from(block) - before)?;
            before = i64::from(block);
        }
    }
    (0..traces.len()).try_for_each(|trace| put(to, traces.trace(trace).len()))?;
    let mut numbers = NumberWriter::new(to);
    let mut known = KeyMap::default();
    for trace in 0..traces.len() {
        match traces.trace(trace) {
            SequenceView::Short(pieces) => write_ranks(pieces, &rank, &mut numbers)?,
            SequenceView::Long(pieces) => write_long(pieces, &rank, &mut known, &mut numbers)?,
        }
    }
    numbers.finish()
}

fn write_ranks(pieces: &[u32], rank: &[u64], to: &mut NumberWriter<'_>) -> io::Result<()> {
    pieces.iter().try_for_each(|&piece| to.put(rank[piece as usize]))
}

/// Writes each full stretch as its number among those of the section that were written before, plus 1, or as 0 and its pieces.
fn write_long(
    pieces: &Sequence,
    rank: &[u64],
    known: &mut KeyMap<(u64, u64), u64>,
    to: &mut NumberWriter<'_>,
) -> io::Result<()> {
    let (stretches, tail) = pieces.parts();
    for stretch in stretches {
        if stretch.len() == PIECE {
            let next = known.len() as u64;
            match known.entry(stretch.key()) {
                Entry::Occupied(number) => {
                    to.put(*number.get() + 1)?;
                    continue;
                }
                Entry::Vacant(place) => *place.insert(next),
            };
            to.put(0)?;
        }
        write_ranks(&stretch.numbers(), rank, to)?;
    }
    write_ranks(tail, rank, to)
}

/// Dictionaries; compacted traces as series; the pair of each trace.
fn write_timestamps(traces: &FunctionTraces, to: &mut dyn Write) -> io::Result<()> {
    let (mut dictionaries, mut known) = (Vec::new(), hashbrown::HashMap::new());
    let (mut compacted, mut by_hash) = (Vec::new(), KeyMap::<(u64, u64), usize>::default());
    let mut pairs = Vec::new();
    for trace in 0..traces.len() {
        let dictionary = Dictionary::of(traces.blocks(trace));
        let mut hash = RollingHash::default();
        dictionary.compact(traces.blocks(trace)).for_each(|id| hash.extend(&[id.as_u32()]));
        let number = *by_hash.entry(hash.key()).or_insert_with(|| {
            compacted.push(TimestampedTrace::of(dictionary.compact(traces.blocks(trace))));
            compacted.len() - 1
        });
        let dictionary = *known.entry(dictionary).or_insert_with_key(|dictionary| {
            dictionaries.push(dictionary.clone());
            dictionaries.len() - 1
        });
        pairs.push((number, dictionary));
    }
    put(to, dictionaries.len() as u64)?;
    for dictionary in &dictionaries {
        put(to, dictionary.chains().len() as u64)?;
        for chain in dictionary.chains() {
            put(to, chain.len() as u64)?;
            chain.iter().try_for_each(|block| put(to, u64::from(block.as_u32())))?;
        }
    }
    put(to, compacted.len() as u64)?;
    for trace in &compacted {
        put(to, trace.series().len() as u64)?;
        for (id, series) in trace.series() {
            put(to, u64::from(id.as_u32()))?;
            put(to, series.entries().len() as u64)?;
            series.words().try_for_each(|word| put_signed(to, word))?;
        }
    }
    pairs.iter().try_for_each(|pair| put(to, pair.0 as u64).and_then(|()| put(to, pair.1 as u64)))
}

/// The `count` traces and the activations of each. `most` bounds the blocks of all, and their ids.
pub(super) fn read(mut from: Numbers, count: u32, most: u64) -> Result<(FunctionTraces, Vec<u64>), FileError> {
    let layout = from.number()?;
    let calls = from.items(count.into(), Numbers::number)?;
    // A greater block than a program of this size has would make tables by block too long.
    let bound = u32::try_from(most).unwrap_or(u32::MAX).min(encode::MOST_BLOCKS as u32);
    let traces = match layout {
        0 => read_pieces(&mut from, count, bound)?,
        1 => read_timestamps(&mut from, count, (bound, most.min(MOST_TIMESTAMPED)))?,
        _ => return Err(from.invalid()),
    };
    from.end()?;
    Ok((traces, calls))
}

fn read_pieces(from: &mut Numbers, count: u32, bound: u32) -> Result<FunctionTraces, FileError> {
    let mut traces = FunctionTraces::default();
    let lengths = from.list(Numbers::number)?;
    for length in lengths {
        if length == 0 {
            return Err(from.invalid());
        }
        traces.pieces.push_filled(|blocks| read_blocks(from, length, bound, blocks))?;
    }
    let lengths = from.items(count.into(), Numbers::number)?;
    let mut stretches = Vec::new();
    for length in lengths {
        from.charge(BYTES_OF_TRACE)?;
        read_trace(from, length, &mut stretches, &mut traces)?;
    }
    Ok(traces)
}

/// Appends the blocks of a piece.
fn read_blocks(from: &mut Numbers, length: u64, bound: u32, blocks: &mut Vec<u32>) -> Result<(), FileError> {
    let mut before = 0_i64;
    for _ in 0..length {
        let block = before.checked_add(from.signed()?).and_then(|block| u32::try_from(block).ok());
        let block = block.filter(|&block| block < bound).ok_or(from.invalid())?;
        from.charge(size_of::<u32>())?;
        blocks.push(block);
        before = i64::from(block);
    }
    Ok(())
}

/// Adds a trace; `stretches` are the full ones of long traces so far. Sums and hashes are left for those who ask for them: a question
/// about one place of a trace needs none.
fn read_trace(
    from: &mut Numbers,
    length: u64,
    stretches: &mut Vec<Arc<SequencePiece>>,
    traces: &mut FunctionTraces,
) -> Result<(), FileError> {
    let bound = traces.piece_count();
    let rest = (length % PIECE as u64) as usize;
    if length <= LONGEST_SHORT as u64 {
        from.charge(rest * size_of::<u32>())?;
        return traces.push_read_short(rest, |pieces| from.fill(bound, pieces));
    }
    let mut parts = Vec::new();
    for _ in 0..length / PIECE as u64 {
        from.charge(size_of::<Arc<SequencePiece>>())?;
        let number = match from.number()?.checked_sub(1) {
            Some(number) => number as usize,
            None => {
                stretches.push(Arc::new(read_stretch(from, bound, PIECE)?));
                stretches.len() - 1
            }
        };
        parts.push(Arc::clone(stretches.get(number).ok_or(from.invalid())?));
    }
    if rest > 0 {
        parts.push(Arc::new(read_stretch(from, bound, rest)?));
    }
    traces.push_read(Sequence::of_pieces(parts));
    Ok(())
}

/// Reads pieces, and keeps them as they are while there is memory, since compressing takes longer than all other reading.
fn read_stretch(from: &mut Numbers, bound: u32, count: usize) -> Result<SequencePiece, FileError> {
    let numbers = match bound {
        0..=0x100 => PlainNumbers::Bytes(from.narrow(bound, count)?),
        0x101..=0x1_0000 => PlainNumbers::Halves(from.narrow(bound, count)?),
        _ => PlainNumbers::Words(from.narrow(bound, count)?),
    };
    match from.can_afford(numbers.bytes()) {
        true => Ok(SequencePiece::plain(numbers)),
        false => Ok(SequencePiece::packed(&numbers)),
    }
}

fn blocks_of(pieces: &[u32], traces: &FunctionTraces) -> u64 {
    pieces.iter().map(|&piece| traces.piece(piece).len() as u64).fold(0, u64::saturating_add)
}

fn read_timestamps(from: &mut Numbers, count: u32, (bound, most): (u32, u64)) -> Result<FunctionTraces, FileError> {
    let dictionaries = from.list(|from| {
        let chains = from.list(|from| from.list(|from| from.below(bound).map(Node::from_u32)))?;
        let is_sorted =
            chains.iter().all(|chain| chain.len() > 1) && chains.windows(2).all(|two| two[0][0] < two[1][0]);
        if is_sorted { Ok(Dictionary::from_chains(chains)) } else { Err(from.invalid()) }
    })?;
    let compacted = from.list(|from| from.list(|from| read_series(from, bound)))?;
    let mut traces = FunctionTraces::default();
    let mut pieces: KeyMap<(u64, u64), u32> = KeyMap::default();
    let mut left = most;
    for _ in 0..count {
        from.charge(BYTES_OF_TRACE)?;
        let series = compacted.get(from.number()? as usize).ok_or(from.invalid())?;
        let dictionary = dictionaries.get(from.number()? as usize).ok_or(from.invalid())?;
        let ids = TimestampedTrace::sequence(series, left).ok_or(from.invalid())?;
        left -= ids.len() as u64;
        let mut trace = Vec::with_capacity(ids.len());
        let mut of_id: Vec<u32> = Vec::new();
        for id in ids {
            let index = id.as_u32() as usize;
            if index >= of_id.len() {
                from.charge((index + 1 - of_id.len()) * size_of::<u32>())?;
                of_id.resize(index + 1, UNSEEN);
            }
            if of_id[index] == UNSEEN {
                let blocks: Vec<u32> =
                    dictionary.chain(id).unwrap_or(&[id]).iter().map(|block| block.as_u32()).collect();
                let mut hash = RollingHash::default();
                hash.extend(&blocks);
                of_id[index] = *pieces.entry(hash.key()).or_insert_with(|| traces.pieces.push(&blocks));
            }
            trace.push(of_id[index]);
        }
        let blocks = blocks_of(&trace, &traces);
        traces.push(None, &trace, blocks);
    }
    Ok(traces)
}

fn read_series(from: &mut Numbers, bound: u32) -> Result<(Node, Series), FileError> {
    let id = Node::from_u32(from.below(bound)?);
    let entries = from.number()?;
    let mut words = Vec::new();
    for _ in 0..entries {
        loop {
            from.charge(size_of::<i64>())?;
            let word = from.signed()?;
            words.push(word);
            if word <= 0 {
                break;
            }
        }
    }
    Series::from_words(words).map(|series| (id, series)).map_err(|_| from.invalid())
}
