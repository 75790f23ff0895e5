//! Logs to which code appends words of path ids, and the pairs of slabs that are counted from them.
//!
//! In: entries of logs as code writes them, and what failures cut short. Out: when the profile is read, the forest of all ids. The
//! layout of logs is that of `holloway_jit::slab_log`.
//! Invariant: entries are read in the order in which they were appended; a header and its log stay where they are.

use super::settings::MOST_BYTES;
use super::words::{Words, address, words};
use crate::machine::{Iterations, Uncounted};
use hashbrown::HashMap;
use holloway_jit::slab_log::{ENTRY, LAST, LOG_BYTES, NEXT, PERIODS, Run, SlabLog};
use holloway_lang::ir::FuncRef;
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::pairs::{SlabPairs, period, split};
use holloway_profiler::forest::slab::Packing;
use std::sync::atomic::Ordering;

/// Bytes of a word.
const BYTES: usize = size_of::<u64>();
/// Words of an entry: the activation and the word.
const WORDS: usize = ENTRY as usize / BYTES;
/// Words of a header before the counters of whole periods.
const FIRST_PERIODS: usize = PERIODS as usize / BYTES;

/// The logs of functions.
#[derive(Debug, Default)]
pub struct SlabLogs {
    /// By the address of the header.
    logs: HashMap<usize, Log>,
    of: HashMap<FuncRef, usize>,
}

/// The log of one function.
#[derive(Debug)]
struct Log {
    k: u32,
    header: Words,
    memory: Words,
    /// Words of the memory before the first entry.
    skipped: usize,
    pairs: SlabPairs,
    /// The ids of loops with one path.
    repeated: Vec<u64>,
}

/// The slabs of a function, read back.
#[derive(Debug)]
pub struct Slabs {
    /// The forest of their ids.
    pub forest: SlabForest,
    /// Number of additions that counted them.
    pub operations: u64,
}

impl SlabLogs {
    /// A log for sequences of up to `k` paths of a function, in place of any it has. `repeated` are the ids of loops with one path.
    pub fn add(&mut self, func: FuncRef, k: u32, num_paths: u64, repeated: Vec<u64>) -> SlabLog {
        let memory = words(2 * LOG_BYTES / BYTES);
        let skipped = (LOG_BYTES - address(&memory) % LOG_BYTES) % LOG_BYTES / BYTES;
        let pairs = SlabPairs::new(k, num_paths, MOST_BYTES);
        let log = Log { k, header: words(FIRST_PERIODS + repeated.len()), memory, skipped, pairs, repeated };
        log.go_on_at(log.first());
        let (header, packing) = (address(&log.header), log.pairs.packing());
        self.logs.insert(header, log);
        self.of.insert(func, header);
        SlabLog { header, packing }
    }

    /// Reads a log, which is empty then.
    pub fn read(&mut self, header: usize) {
        self.log(header).read();
    }

    /// Ends an activation with what a failure cut short.
    pub fn cut(&mut self, header: usize, uncounted: Uncounted) {
        let log = self.log(header);
        log.read();
        log.cut(uncounted);
    }

    /// The slabs of a function as counted so far, in a forest.
    pub fn slabs(&mut self, func: FuncRef) -> Option<Slabs> {
        let header = *self.of.get(&func)?;
        let log = self.log(header);
        log.read();
        let (mut forest, operations) = log.pairs.forest();
        for (id, periods) in log.repeated.iter().zip(&log.header[FIRST_PERIODS..]) {
            forest.count_periods(*id, periods.load(Ordering::Relaxed));
        }
        Some(Slabs { forest, operations })
    }

    fn log(&mut self, header: usize) -> &mut Log {
        self.logs.get_mut(&header).expect("code has the address of a header")
    }
}

impl Log {
    fn first(&self) -> usize {
        address(&self.memory[self.skipped..])
    }

    fn go_on_at(&self, entry: usize) {
        self.header[NEXT as usize / BYTES].store(entry as u64, Ordering::Relaxed);
    }

    fn read(&mut self) {
        let next = self.header[NEXT as usize / BYTES].load(Ordering::Relaxed) as usize;
        let used = (next - self.first()) / BYTES;
        let entries = self.memory[self.skipped..][..used].chunks_exact(WORDS);
        for entry in entries {
            let (activation, word) = (entry[0].load(Ordering::Relaxed), entry[1].load(Ordering::Relaxed));
            if self.pairs.later_word(activation, word) {
                continue;
            }
            match Run::of(word) {
                None => self.pairs.word(activation & !LAST, word, activation & LAST != 0),
                Some(Run { nth, times }) => {
                    self.pairs.repeated(activation, self.repeated[nth as usize], u64::from(times));
                }
            }
        }
        self.go_on_at(self.first());
    }

    /// As code does where a loop is left, and where an activation ends.
    fn cut(&mut self, Uncounted { activation, word, iterations }: Uncounted) {
        let Some(Iterations { first, id, times }) = iterations else {
            return self.pairs.word(activation, word, true);
        };
        self.pairs.word(activation, self.pairs.packing().push(word, first), false);
        let nth = self.repeated.iter().position(|known| *known == id).expect("the loop is one of those");
        let (periods, rest) = split(times - 1, period(self.k));
        self.header[FIRST_PERIODS + nth].fetch_add(periods, Ordering::Relaxed);
        self.pairs.repeated(activation, id, rest);
        self.pairs.word(activation, Packing::LATER, true);
    }
}
