//! Bookkeeping over K executions of a region, and the five persistent flow properties.
//!
//! In: the register at the end of each execution. Out: [`Findings`] when a window ends: 1. the persistent path
//! (`[NGF03]` 3.2), 2. places never taken (3.4), 3. segments always taken (3.3), 4. a flag for each monitored edge that
//! was taken (3.5), 5. the least and greatest persistence of any path (section 3, list).
//!
//! Notation: `and` and `or` are the paper's `bblock1` and `bblock2`, -1 and 0 at the start of a window.
//!
//! Invariant: findings hold for every execution of the window, and give the number of executions.

use crate::graph::EdgeId;
use crate::hash::KeyMap;
use crate::plan::BitRegister;

use super::region::{EdgeEnds, Region, RegionPlace, Regions};
use super::runs::Runs;

/// Condition that ends a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// After K executions.
    Fixed,
    /// After K executions, or earlier if the last K took one path; some of those may be in the previous window.
    Early,
}

/// The current window of one region, and a summary of the ended ones.
#[derive(Clone, Debug)]
pub struct Window {
    register: BitRegister,
    k: u64,
    ending: Ending,
    and: Vec<u64>,
    or: Vec<u64>,
    executions: u64,
    previous: Vec<u64>,
    /// Consecutive executions of this window whose bits equal those of the last.
    run: u64,
    /// Consecutive executions whose bits equal those of the last, across windows.
    consecutive: u64,
    least: Option<u64>,
    greatest: u64,
    monitors: Vec<Monitor>,
    /// The monitors of each pair of ends.
    monitored: KeyMap<EdgeEnds, Vec<usize>>,
    summary: Summary,
    /// `and` and `or` over the ended windows.
    always: Vec<u64>,
    ever: Vec<u64>,
}

/// Retention of each window's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All findings, one for each window.
    Findings,
    /// The findings of the last window of each region, in constant space.
    Last,
    /// The summary only, in constant space.
    Summary,
}

#[derive(Clone, Debug)]
struct Monitor {
    edge: EdgeId,
    taken: bool,
    /// Taken in any window.
    ever: bool,
}

/// Flow properties of one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// The region.
    pub register: BitRegister,
    /// The requested persistence.
    pub k: u64,
    /// Executions in the window.
    pub executions: u64,
    /// Consecutive executions that took the last path, including those of previous windows.
    pub consecutive: u64,
    /// The bits that every execution set (intersection).
    pub and: Vec<u64>,
    /// The bits that any execution set (union).
    pub or: Vec<u64>,
    /// The path of every execution, head first; `None` if there were several paths, or no execution.
    pub path: Option<Vec<RegionPlace>>,
    /// Places that no execution passed, in topological order.
    pub untaken: Vec<RegionPlace>,
    /// Maximal segments of at least two places that every execution passed consecutively.
    pub segments: Vec<Vec<RegionPlace>>,
    /// Monitored edges, each with a flag that is set if any execution took it.
    pub edges: Vec<(EdgeId, bool)>,
    /// The least number of consecutive executions along one path.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
}

/// Summary of the windows of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Windows that ended.
    pub windows: u64,
    /// Executions in them.
    pub executions: u64,
    /// Windows that had a persistent path.
    pub persistent_windows: u64,
    /// Places never taken, summed over windows.
    pub untaken: u64,
    paths: KeyMap<Vec<u64>, u64>,
    least: Option<u64>,
    greatest: u64,
    /// Consecutive executions whose bits equal those of the last, across windows.
    row: u64,
}

/// Flow properties of all executions so far, those of the current window included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overall {
    /// Executions.
    pub executions: u64,
    /// Places that no execution passed, in topological order.
    pub untaken: Vec<RegionPlace>,
    /// Maximal segments of at least two places that every execution passed consecutively.
    pub segments: Vec<Vec<RegionPlace>>,
    /// Monitored edges, each with a flag that is set if any execution took it.
    pub edges: Vec<(EdgeId, bool)>,
    /// The least number of consecutive executions along one path; 0 without executions.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
}

impl Summary {
    /// The persistent paths, as bits, with the number of executions in their windows.
    pub fn persistent_paths(&self) -> Vec<(Vec<u64>, u64)> {
        let mut paths: Vec<_> = self.paths.iter().map(|(bits, &n)| (bits.clone(), n)).collect();
        paths.sort_unstable();
        paths
    }

    /// Number of executions in windows that had a persistent path.
    pub fn persistent_executions(&self) -> u64 {
        self.paths.values().sum()
    }
}

impl Findings {
    /// Returns whether K consecutive executions took `path`.
    pub fn is_persistent(&self) -> bool {
        self.path.is_some() && self.consecutive >= self.k
    }
}

/// The bits that are set, in order.
fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(number, &word)| {
        let rest =
            std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1))).take_while(|word| *word != 0);
        rest.map(move |word| 64 * number + word.trailing_zeros() as usize)
    })
}

impl Window {
    pub(super) fn new(register: BitRegister, words: u32, k: u64, ending: Ending) -> Window {
        assert!(k >= 1, "a window has at least one execution");
        let zeros = vec![0; words as usize];
        Window {
            register,
            k,
            ending,
            and: vec![u64::MAX; words as usize],
            or: zeros.clone(),
            executions: 0,
            previous: zeros,
            run: 0,
            consecutive: 0,
            least: None,
            greatest: 0,
            monitors: Vec::new(),
            monitored: KeyMap::default(),
            summary: Summary::default(),
            always: vec![u64::MAX; words as usize],
            ever: vec![0; words as usize],
        }
    }

    pub(super) fn monitor(&mut self, edge: EdgeId, ends: EdgeEnds) {
        self.monitored.entry(ends).or_default().push(self.monitors.len());
        self.monitors.push(Monitor { edge, taken: false, ever: false });
    }

    /// Calls `each` with the monitors of the edges that an execution with these bits took (3.5): those between one
    /// set bit and the next.
    fn taken(&mut self, bits: &[u64], each: impl Fn(&mut Monitor)) {
        if self.monitors.is_empty() {
            return;
        }
        let mut from = None;
        for to in set_bits(bits).map(Some).chain([None]) {
            for at in self.monitored.get(&(from, to)).into_iter().flatten() {
                each(&mut self.monitors[*at]);
            }
            from = to;
        }
    }

    /// The bits that every execution of the window set; all bits before the first execution.
    pub fn and(&self) -> &[u64] {
        &self.and
    }

    /// The bits that any execution of the window set.
    pub fn or(&self) -> &[u64] {
        &self.or
    }

    /// Executions in the window so far.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// Executions in all windows.
    pub(super) fn all_executions(&self) -> u64 {
        self.summary.executions + self.executions
    }

    /// Summary of the ended windows.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Records `count` executions with equal bits; findings of windows that they end go to `finished`, if they are
    /// kept.
    pub(super) fn folds(
        &mut self,
        bits: &[u64],
        mut count: u64,
        regions: &Regions,
        mut finished: Option<&mut Vec<Findings>>,
    ) {
        while count > 0 {
            let booked = self.book(bits, count);
            count -= booked;
            if !self.is_full() {
                continue;
            }
            let whole = booked == self.k;
            match &mut finished {
                Some(finished) => {
                    let findings = self.findings(regions);
                    self.end(regions);
                    finished.push(findings);
                }
                None => {
                    self.end(regions);
                    if whole {
                        count -= self.repeat_last(bits, count / self.k, regions) * self.k;
                    }
                }
            }
        }
    }

    /// Takes over what code folded, in place of no executions.
    pub(super) fn resume(&mut self, runs: &Runs, regions: &Regions) {
        assert!(self.all_executions() == 0 && self.ending == Ending::Fixed, "only fixed windows are folded by code");
        let places = regions.get(self.register).places.len();
        let summary = &mut self.summary;
        summary.executions = runs.ended() - runs.executions;
        summary.windows = summary.executions / self.k;
        for path in &runs.paths {
            let (bits, summary) = ([path.bits], &mut self.summary);
            if path.persistent > 0 {
                let windows = path.persistent / self.k;
                summary.persistent_windows += windows;
                summary.untaken += windows * untaken(&bits, places);
                summary.paths.insert(bits.to_vec(), path.persistent);
            }
            self.always[0] &= path.bits;
            self.ever[0] |= path.bits;
            self.taken(&bits, |monitor| monitor.ever = true);
        }
        let summary = &mut self.summary;
        summary.untaken += (summary.windows - summary.persistent_windows) * places as u64 - runs.taken;
        if let Some((least, greatest)) = runs.bounds {
            (summary.least, summary.greatest) = (Some(least), greatest);
        }
        // No more than what every execution passed, so that two paths never look like one.
        if runs.executions > 0 {
            self.and[0] = self.always[0];
        }
        (self.or[0], self.executions) = (runs.or, runs.executions);
    }

    /// Executions were left out: none of those to come is consecutive to one before.
    pub(super) fn interrupt(&mut self) {
        self.end_run();
        self.end_row();
        self.consecutive = 0;
        self.run = 0;
    }

    fn is_full(&self) -> bool {
        self.executions == self.k
            || match self.ending {
                Ending::Fixed => false,
                Ending::Early => self.executions > 0 && self.consecutive >= self.k,
            }
    }

    /// Records up to `count` executions, as many as the window has room for; returns their number.
    fn book(&mut self, bits: &[u64], count: u64) -> u64 {
        // In the first execution all counts are 0, and the value of `previous` makes no difference.
        let same = self.previous == bits;
        if !same {
            self.end_run();
            self.end_row();
            self.consecutive = 0;
            self.run = 0;
            self.previous.copy_from_slice(bits);
        }
        if !same || self.run == 0 {
            for (index, &r) in bits.iter().enumerate() {
                self.and[index] &= r;
                self.or[index] |= r;
            }
            self.taken(bits, |monitor| monitor.taken = true);
        }
        let left = match self.ending {
            Ending::Fixed => self.k - self.executions,
            Ending::Early => (self.k - self.executions).min(self.k.saturating_sub(self.consecutive).max(1)),
        };
        let booked = count.min(left);
        self.consecutive += booked;
        self.run += booked;
        self.executions += booked;
        self.summary.row += booked;
        booked
    }

    /// Records `windows` more windows like the last one, all of whose executions had these bits; returns their number.
    fn repeat_last(&mut self, bits: &[u64], windows: u64, regions: &Regions) -> u64 {
        let executions = windows * self.k;
        self.summary.windows += windows;
        self.summary.executions += executions;
        self.summary.row += executions;
        self.summary.persistent_windows += windows;
        self.summary.untaken += windows * untaken(bits, regions.get(self.register).places.len());
        if windows > 0 {
            *self.summary.paths.entry(bits.to_vec()).or_insert(0) += executions;
        }
        match self.ending {
            Ending::Fixed => self.consecutive += executions,
            Ending::Early => {}
        }
        windows
    }

    /// Findings over the executions so far.
    pub(super) fn findings(&self, regions: &Regions) -> Findings {
        let region = regions.get(self.register);
        let one_path = self.executions > 0 && self.and == self.or;
        let never = region.places.iter().enumerate().filter(|&(bit, _)| self.or[bit / 64] >> (bit % 64) & 1 == 0);
        Findings {
            register: self.register,
            k: self.k,
            executions: self.executions,
            consecutive: self.consecutive,
            and: self.and.clone(),
            or: self.or.clone(),
            path: one_path.then(|| region.path(&self.or)),
            untaken: never.map(|(_, &place)| place).collect(),
            segments: if self.executions == 0 { Vec::new() } else { segments(&self.and, &self.or, region) },
            edges: self.monitors.iter().map(|m| (m.edge, m.taken)).collect(),
            least: self.least.map_or(self.run, |least| least.min(self.run)),
            greatest: self.greatest.max(self.run),
        }
    }

    /// Properties of all executions.
    pub(super) fn overall(&self, regions: &Regions) -> Overall {
        let region = regions.get(self.register);
        let executions = self.all_executions();
        let and: Vec<u64> = self.always.iter().zip(&self.and).map(|(a, b)| a & b).collect();
        let or: Vec<u64> = self.ever.iter().zip(&self.or).map(|(a, b)| a | b).collect();
        let never = region.places.iter().enumerate().filter(|&(bit, _)| or[bit / 64] >> (bit % 64) & 1 == 0);
        Overall {
            executions,
            untaken: never.map(|(_, &place)| place).collect(),
            segments: if executions == 0 { Vec::new() } else { segments(&and, &or, region) },
            edges: self.monitors.iter().map(|m| (m.edge, m.taken || m.ever)).collect(),
            least: self.summary.least.map_or(self.summary.row, |least| least.min(self.summary.row)),
            greatest: self.summary.greatest.max(self.summary.row),
        }
    }

    fn end_run(&mut self) {
        if self.run > 0 {
            self.least = Some(self.least.map_or(self.run, |least| least.min(self.run)));
            self.greatest = self.greatest.max(self.run);
        }
    }

    fn end_row(&mut self) {
        let summary = &mut self.summary;
        if summary.row > 0 {
            summary.least = Some(summary.least.map_or(summary.row, |least| least.min(summary.row)));
            summary.greatest = summary.greatest.max(summary.row);
            summary.row = 0;
        }
    }

    fn end(&mut self, regions: &Regions) {
        self.summary.windows += 1;
        self.summary.executions += self.executions;
        self.summary.untaken += untaken(&self.or, regions.get(self.register).places.len());
        if self.and == self.or && self.consecutive >= self.k {
            self.summary.persistent_windows += 1;
            *self.summary.paths.entry(self.or.clone()).or_insert(0) += self.executions;
            if self.ending == Ending::Early {
                // Otherwise every later execution would end a window.
                self.consecutive = 0;
            }
        }
        for (index, (and, or)) in self.and.iter().zip(&self.or).enumerate() {
            self.always[index] &= and;
            self.ever[index] |= or;
        }
        self.and.fill(u64::MAX);
        self.or.fill(0);
        self.executions = 0;
        self.run = 0;
        self.least = None;
        self.greatest = 0;
        for monitor in &mut self.monitors {
            monitor.ever |= monitor.taken;
            monitor.taken = false;
        }
    }
}

/// Number of places whose bit is not set.
fn untaken(or: &[u64], places: usize) -> u64 {
    places as u64 - or.iter().map(|word| u64::from(word.count_ones())).sum::<u64>()
}

/// Section 3.3: neighbouring 1s of `and`, with no 1 of `or` between them.
fn segments(and: &[u64], or: &[u64], region: &Region) -> Vec<Vec<RegionPlace>> {
    let mut segments = Vec::new();
    let mut segment = vec![region.head];
    for (bit, &place) in region.places.iter().enumerate() {
        let (always, ever) = (and[bit / 64] >> (bit % 64) & 1, or[bit / 64] >> (bit % 64) & 1);
        if always == 1 {
            segment.push(place);
        } else if ever == 1 {
            segments.push(std::mem::take(&mut segment));
        }
    }
    segments.push(segment);
    segments.retain(|segment| segment.len() > 1);
    segments
}
