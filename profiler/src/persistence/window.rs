//! Bookkeeping over K executions of a region, and the five persistent flow properties.
//!
//! In: the register at the end of each execution. Out: [`Findings`] when a window ends: 1. the persistent path (`[NGF03]` 3.2),
//! 2. places never taken (3.4), 3. segments always taken (3.3), 4. whether monitored edges were taken (3.5), 5. the least and greatest
//! persistence of any path (section 3, list).
//!
//! Notation: `and` and `or` are the paper's `bblock1` and `bblock2`, -1 and 0 at the start of a window.
//!
//! Invariant: findings hold for every execution of the window, and their number stands beside them.

use crate::graph::EdgeId;
use crate::hash::KeyMap;
use crate::plan::BitRegister;

use super::region::{Place, Regions};

/// When a window ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// After K executions.
    Fixed,
    /// After K executions, or earlier if the last K took one path, some of them in the window before.
    Early,
}

/// The window under way of one region, and a summary of those before.
#[derive(Clone, Debug)]
pub struct Window {
    register: BitRegister,
    k: u64,
    ending: Ending,
    and: Vec<u64>,
    or: Vec<u64>,
    executions: u64,
    previous: Vec<u64>,
    /// Executions in a row, in this window, with the bits of the last.
    run: u64,
    /// The same, over windows.
    consecutive: u64,
    least: Option<u64>,
    greatest: u64,
    monitors: Vec<Monitor>,
    summary: Summary,
}

#[derive(Clone, Debug)]
struct Monitor {
    edge: EdgeId,
    /// `r1`: the bits from one end to the other.
    between: Vec<u64>,
    /// `r2`: the ends only.
    ends: Vec<u64>,
    taken: bool,
}

/// What held in a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// The region.
    pub register: BitRegister,
    /// The persistence that is asked for.
    pub k: u64,
    /// Executions in the window.
    pub executions: u64,
    /// Executions in a row that took the last path, those of windows before included.
    pub consecutive: u64,
    /// The bits that every execution set.
    pub and: Vec<u64>,
    /// The bits that any execution set.
    pub or: Vec<u64>,
    /// The path of every execution, head first; `None` if there were two, or no execution.
    pub path: Option<Vec<Place>>,
    /// Places that no execution passed, in topological order.
    pub untaken: Vec<Place>,
    /// Maximal segments of at least two places that every execution passed one right after the other.
    pub segments: Vec<Vec<Place>>,
    /// Monitored edges, and whether any execution took them.
    pub edges: Vec<(EdgeId, bool)>,
    /// The shortest row of executions along one path.
    pub least: u64,
    /// The longest.
    pub greatest: u64,
}

/// What the windows of a region found together.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Windows that ended.
    pub windows: u64,
    /// Executions in them.
    pub executions: u64,
    /// Places never taken, summed over windows.
    pub untaken: u64,
    paths: KeyMap<Vec<u64>, u64>,
}

impl Summary {
    /// The persistent paths, as bits, with the executions in their windows.
    pub fn persistent_paths(&self) -> Vec<(Vec<u64>, u64)> {
        let mut paths: Vec<_> = self.paths.iter().map(|(bits, &n)| (bits.clone(), n)).collect();
        paths.sort_unstable();
        paths
    }

    /// Executions in windows that had a persistent path.
    pub fn persistent_executions(&self) -> u64 {
        self.paths.values().sum()
    }
}

impl Findings {
    /// Whether K executions in a row took `path`.
    pub fn is_persistent(&self) -> bool {
        self.path.is_some() && self.consecutive >= self.k
    }
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
            summary: Summary::default(),
        }
    }

    pub(super) fn monitor(&mut self, edge: EdgeId, between: Vec<u64>, ends: Vec<u64>) {
        self.monitors.push(Monitor { edge, between, ends, taken: false });
    }

    /// The bits that every execution of the window set; all, as long as there was none.
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

    /// What the windows before found together.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Books one execution; findings if the window ends with it.
    pub(super) fn fold(&mut self, bits: &[u64], regions: &Regions) -> Option<Findings> {
        for (index, &r) in bits.iter().enumerate() {
            self.and[index] &= r;
            self.or[index] |= r;
        }
        for monitor in &mut self.monitors {
            let masked = bits.iter().zip(&monitor.between).map(|(r, r1)| r & r1);
            monitor.taken |= masked.eq(monitor.ends.iter().copied());
        }
        // At the start, with both counts 0, it makes no difference what `previous` is.
        if self.previous == bits {
            self.consecutive += 1;
            self.run += 1;
        } else {
            self.end_run();
            self.consecutive = 1;
            self.run = 1;
            self.previous.copy_from_slice(bits);
        }
        self.executions += 1;
        let ends = self.executions == self.k
            || match self.ending {
                Ending::Fixed => false,
                Ending::Early => self.consecutive >= self.k,
            };
        ends.then(|| self.end(regions))
    }

    /// What holds over the executions so far.
    pub(super) fn findings(&self, regions: &Regions) -> Findings {
        let region = regions.get(self.register);
        let has = |words: &[u64], bit: usize| words[bit / 64] >> (bit % 64) & 1 == 1;
        let taken = |words: &[u64]| {
            let places = region.places.iter().enumerate().filter(|&(bit, _)| has(words, bit));
            std::iter::once(region.head).chain(places.map(|(_, &place)| place)).collect::<Vec<Place>>()
        };
        let one_path = self.executions > 0 && self.and == self.or;
        let never = region.places.iter().enumerate().filter(|&(bit, _)| !has(&self.or, bit));
        Findings {
            register: self.register,
            k: self.k,
            executions: self.executions,
            consecutive: self.consecutive,
            and: self.and.clone(),
            or: self.or.clone(),
            path: one_path.then(|| taken(&self.or)),
            untaken: never.map(|(_, &place)| place).collect(),
            segments: self.segments(regions),
            edges: self.monitors.iter().map(|m| (m.edge, m.taken)).collect(),
            least: self.least.map_or(self.run, |least| least.min(self.run)),
            greatest: self.greatest.max(self.run),
        }
    }

    /// Section 3.3: neighbouring 1s of `and`, with no 1 of `or` between them.
    fn segments(&self, regions: &Regions) -> Vec<Vec<Place>> {
        let region = regions.get(self.register);
        if self.executions == 0 {
            return Vec::new();
        }
        let mut segments = Vec::new();
        let mut segment = vec![region.head];
        for (bit, &place) in region.places.iter().enumerate() {
            let (always, ever) = (self.and[bit / 64] >> (bit % 64) & 1, self.or[bit / 64] >> (bit % 64) & 1);
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

    fn end_run(&mut self) {
        if self.run > 0 {
            self.least = Some(self.least.map_or(self.run, |least| least.min(self.run)));
            self.greatest = self.greatest.max(self.run);
        }
    }

    fn end(&mut self, regions: &Regions) -> Findings {
        let findings = self.findings(regions);
        self.summary.windows += 1;
        self.summary.executions += self.executions;
        self.summary.untaken += findings.untaken.len() as u64;
        if findings.is_persistent() {
            *self.summary.paths.entry(self.or.clone()).or_insert(0) += self.executions;
            if self.ending == Ending::Early {
                // Or every execution from here on would end a window.
                self.consecutive = 0;
            }
        }
        self.and.fill(u64::MAX);
        self.or.fill(0);
        self.executions = 0;
        self.run = 0;
        self.least = None;
        self.greatest = 0;
        for monitor in &mut self.monitors {
            monitor.taken = false;
        }
        findings
    }
}
