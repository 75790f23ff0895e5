//! The cells by which compiled code takes bursts of paths, and the samples that they fill.
//!
//! In: a path for which the batch has no room, or all iterations of a loop with one path, by runtime calls. Out: the next burst or gap; and
//! when the profile is read, the sample of each function. The layout of cells is that of `holloway_jit::burst_cell`.
//!
//! A batch is recorded when it is full and when its burst ends. Bursts and gaps end when the next path does, so paths are recorded iff a
//! collector that sees every path would record them. Bursts on request begin with the next path after it, and end early if they are told to.
//! Invariant: cells and batches stay where they are as long as code may run.

use super::reentry::Reentry;
use super::settings::BATCH;
use super::words::{AtOffset, Words, address, words};
use crate::collector::Iterations;
use cranelift_entity::{PrimaryMap, entity_impl};
use hashbrown::HashMap;
use holloway_ir::FuncRef;
use holloway_jit::burst_cell::{
    BurstCell, ENTRY_WORDS, FIRST, LEFT, LENGTHS, LENGTHS_ADDRESS, MARK, NEXT, ROOM, TAG, TAG_STEP,
};
use holloway_profiler::forest::bursts::{RecordedRun, RepeatedId};
use holloway_profiler::forest::sample::SampledForest;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CellId(u32);
entity_impl!(CellId, "cell");

/// The cells of functions.
#[derive(Debug, Default)]
pub struct BurstCells {
    cells: PrimaryMap<CellId, Cell>,
    by_address: HashMap<usize, CellId>,
}

#[derive(Debug)]
struct Cell {
    func: FuncRef,
    words: Words,
    batch: Words,
    sample: Sample,
}

/// The sample of one function, and the runs of its present burst.
#[derive(Clone, Debug)]
struct Sample {
    forest: SampledForest,
    /// The runs of the present burst that may go on, in the order of their tags.
    runs: Vec<RecordedRun>,
    /// The tag of the first.
    first: u64,
    reentry: Reentry,
}

/// An entry of a batch.
#[derive(Clone, Copy)]
struct Entry {
    tag: u64,
    began_in_burst: bool,
    repeated: RepeatedId,
}

impl BurstCells {
    /// A cell for sequences of up to `k` paths of a function, in place of any it has.
    pub fn add(&mut self, (func, reentry): (FuncRef, Reentry), k: u32, forest: SampledForest) -> BurstCell {
        let words = words(LENGTHS as usize / size_of::<u64>() + k as usize);
        let batch = super::words::words(ENTRY_WORDS * BATCH);
        let mut cell = Cell { func, words, batch, sample: Sample { forest, runs: Vec::new(), first: 0, reentry } };
        cell.set(TAG, TAG_STEP);
        cell.begin_burst();
        cell.set(LEFT, if cell.sample.forest.is_in_burst() { 0 } else { cell.sample.forest.left() });
        let of = BurstCell { address: address(&cell.words), k };
        cell.set(LENGTHS_ADDRESS, of.lengths() as u64);
        let id = self.cells.push(cell);
        self.by_address.insert(of.address, id);
        of
    }

    /// The sample of a function as recorded so far.
    pub fn sample(&self, func: FuncRef) -> Option<SampledForest> {
        let cell = self.cells.values().rfind(|cell| cell.func == func)?;
        let mut sample = cell.sample.clone();
        sample.record(&cell.batch());
        let mut forest = sample.forest;
        if !forest.is_in_burst() {
            forest.skip(forest.left() - cell.get(LEFT));
        }
        let lengths: Vec<u64> =
            cell.words[LENGTHS as usize / size_of::<u64>()..].iter().map(|word| word.load(Ordering::Relaxed)).collect();
        forest.finish(&lengths);
        Some(forest)
    }

    /// Asks for a burst of a function's paths.
    pub fn request(&mut self, func: FuncRef) {
        if let Some(cell) = self.of(func) {
            cell.sample.forest.request_burst();
            cell.set(LEFT, 0);
        }
    }

    /// Ends the burst of a function's paths, if it is not over.
    pub fn end(&mut self, func: FuncRef) {
        if let Some(cell) = self.of(func)
            && !cell.sample.forest.waits_for_request()
        {
            cell.record_batch();
            cell.sample.forest.end_burst();
            cell.set(ROOM, 0);
            cell.set(LEFT, cell.sample.forest.left());
        }
    }

    /// Returns true if no burst of a function's paths is under way or asked for.
    pub fn waits(&mut self, func: FuncRef) -> bool {
        self.of(func).is_none_or(|cell| cell.sample.forest.waits_for_request())
    }

    /// Returns true if a burst that was asked for is over, of the cell at this address.
    pub fn is_over(&self, cell: usize) -> bool {
        self.by_address.get(&cell).is_some_and(|id| self.cells[*id].sample.forest.waits_for_request())
    }

    fn of(&mut self, func: FuncRef) -> Option<&mut Cell> {
        self.cells.values_mut().rfind(|cell| cell.func == func)
    }

    /// A path, or iterations of a loop that has one path, which code has subtracted from what is left of the gap; gives the tag of the
    /// activation.
    pub fn run(&mut self, cell: usize, tag: u64, iterations: Iterations) -> u64 {
        self.cell(cell).run(tag, iterations)
    }

    /// Such iterations and the paths of an activation that a failure ended, or was caught in.
    pub fn cut(&mut self, cell: usize, tag: u64, (paths, iterations): (u64, Option<Iterations>)) {
        let cell = self.cell(cell);
        if let Some(iterations) = iterations {
            cell.set(LEFT, cell.get(LEFT).wrapping_sub(iterations.times));
            cell.run(tag, iterations);
        }
        let paths = paths + iterations.map_or(0, |iterations| iterations.times);
        if paths > 0 {
            let first = LENGTHS as usize / size_of::<u64>();
            let length = (paths as usize).min(cell.words.len() - first);
            cell.words[first + length - 1].fetch_add(1, Ordering::Relaxed);
        }
    }

    fn cell(&mut self, address: usize) -> &mut Cell {
        &mut self.cells[self.by_address[&address]]
    }
}

impl Cell {
    fn path(&mut self, tag: u64, id: u64) -> u64 {
        self.record_batch();
        let forest = &mut self.sample.forest;
        if !forest.is_in_burst() {
            forest.skip(forest.left());
        }
        if forest.left() == 0 {
            forest.begin_next_phase();
            match forest.is_in_burst() {
                true => self.begin_burst(),
                false => {
                    self.begin_gap();
                    return tag;
                }
            }
        }
        self.set(ROOM, self.sample.forest.left().min(BATCH as u64));
        self.append(tag, RepeatedId { id, times: 1 })
    }

    fn run(&mut self, mut tag: u64, Iterations { first, id, times }: Iterations) -> u64 {
        let mut done = 0;
        if !self.sample.forest.is_in_burst() {
            let before = self.get(LEFT).wrapping_add(times);
            self.set(LEFT, before);
            done = self.pass(times);
        }
        while done < times {
            let next = if done == 0 { first } else { id };
            let room = self.get(ROOM);
            if room == 0 {
                tag = self.path(tag, next);
                done += 1;
            } else {
                let times = if done == 0 { 1 } else { room.min(times - done) };
                tag = self.append(tag, RepeatedId { id: next, times });
                done += times;
            }
            if !self.sample.forest.is_in_burst() {
                done += self.pass(times - done);
            }
        }
        tag
    }

    /// So many paths or fewer, as many as are left in the gap, go by; returns their number.
    fn pass(&mut self, paths: u64) -> u64 {
        let left = self.get(LEFT);
        let passed = left.min(paths);
        self.set(LEFT, left - passed);
        passed
    }

    /// Appends paths to the batch, which has room for them; gives the tag of the activation.
    fn append(&mut self, tag: u64, RepeatedId { id, times }: RepeatedId) -> u64 {
        let began_in_burst = tag == self.get(MARK);
        let tag = match began_in_burst || tag < self.get(FIRST) {
            true => self.new_tag(),
            false => tag,
        };
        let at = (self.get(NEXT) as usize - address(&self.batch)) / size_of::<u64>();
        let entry = [tag + u64::from(began_in_burst), id, times];
        self.batch[at..].iter().zip(entry).for_each(|(word, to)| word.store(to, Ordering::Relaxed));
        self.set(NEXT, self.get(NEXT) + (ENTRY_WORDS * size_of::<u64>()) as u64);
        self.set(ROOM, self.get(ROOM) - times);
        tag
    }

    fn begin_burst(&mut self) {
        let first = self.new_tag();
        self.sample.runs.clear();
        self.sample.first = first + TAG_STEP;
        self.set(FIRST, first);
        self.set(MARK, first + 1);
        self.set(NEXT, address(&self.batch) as u64);
        self.set(ROOM, 0);
    }

    /// The first path of the gap is over.
    fn begin_gap(&mut self) {
        self.set(ROOM, 0);
        self.set(LEFT, self.sample.forest.left() - 1);
    }

    fn record_batch(&mut self) {
        let entries = self.batch();
        self.sample.record(&entries);
        self.set(NEXT, address(&self.batch) as u64);
    }

    /// The entries of the batch.
    fn batch(&self) -> Vec<Entry> {
        let used = (self.get(NEXT) as usize - address(&self.batch)) / size_of::<u64>();
        let entry = |words: &[AtomicU64]| {
            let [tag, id, times] = std::array::from_fn(|nth| words[nth].load(Ordering::Relaxed));
            let flag = tag % TAG_STEP;
            Entry { tag: tag - flag, began_in_burst: flag != 0, repeated: RepeatedId { id, times } }
        };
        self.batch[..used].chunks_exact(ENTRY_WORDS).map(entry).collect()
    }

    fn new_tag(&mut self) -> u64 {
        let tag = self.get(TAG);
        self.set(TAG, tag + TAG_STEP);
        tag
    }

    fn get(&self, offset: i32) -> u64 {
        self.words.load_at(offset)
    }

    fn set(&self, offset: i32, to: u64) {
        self.words.store_at(offset, to);
    }
}

impl Sample {
    /// Records the entries of a batch.
    fn record(&mut self, batch: &[Entry]) {
        let mut ids: Vec<RepeatedId> = Vec::with_capacity(batch.len());
        for together in batch.chunk_by(|a, b| a.tag == b.tag) {
            let Entry { tag, began_in_burst, .. } = together[0];
            let mut nth = ((tag - self.first) / TAG_STEP) as usize;
            if nth == self.runs.len() {
                if self.reentry == Reentry::Never {
                    // The activations before are over: a burst may have any number of them.
                    self.runs.clear();
                    (self.first, nth) = (tag, 0);
                }
                self.runs.push(self.forest.begin_run(began_in_burst));
            }
            ids.clear();
            ids.extend(together.iter().map(|entry| entry.repeated));
            self.forest.record(&mut self.runs[nth], &ids);
        }
    }
}

#[cfg(test)]
#[path = "burst_cells_tests.rs"]
mod tests;
