//! Pairs of consecutive slabs: counts from which the k-slab forest is made.
//!
//! In: words of ids of activations ([`super::slab`]), which may take turns; equal ids together. Out: a [`SlabForest`] with each id counted at its
//! node.
//!
//! ```text
//!   6 2 0 | 0 2 2 | 0 0        k = 4: slabs get codes, 1 for 620, 2 for 022, and what the end leaves gets one, too: 3 for 00
//!   (0, 1)  (1, 2)  (2, 3)     each is counted with the one before; 0 is none
//! ```
//!
//! A slab has k-1 ids or a multiple of that, as those of `[DD13]`: where it begins, the slab before is all that the forest needs to know. So
//! codes do not depend on each other, and counting a slab is a look-up of its code and one addition, however long k is. A slab that fits no
//! word has several pieces: its code is that of the last one, found by the code of those before it.
//!
//! In a forest places recur after k-1 equal ids, so from two such [periods](period) on each further one counts the same nodes.
//! Invariant: each id is in one slab, and each slab is counted in one pair. Slabs for which there is no memory are lost: the number of their ids is
//! kept, and the activation starts anew.

mod codes;
mod counts;

use super::slab::{Packing, low};
use super::{Place, SlabForest};
use codes::{Code, Codes};
use counts::Counts;
use std::collections::HashMap;

/// Counts of pairs of slabs.
#[derive(Clone, Debug)]
pub struct SlabPairs {
    k: u32,
    num_paths: u64,
    packing: Packing,
    codes: Codes,
    counts: Counts,
    /// The activation of the last word, and those that are interrupted.
    latest: Option<(u64, Walk)>,
    /// The name of the latest, if a slab begins where its next word does, and the slab before; [`NOBODY`] otherwise.
    midway: (u64, Code),
    others: HashMap<u64, Walk>,
    lost: u64,
    limit: usize,
}

/// The name of no activation.
const NOBODY: u64 = u64::MAX;

/// An activation on its way through its ids.
#[derive(Clone, Copy, Debug, Default)]
struct Walk {
    /// The slab before.
    before: Code,
    /// The pieces of this slab that are complete.
    pieces: Code,
    /// Ids of this slab so far.
    ids: u32,
    /// The last of them, which are no piece yet, and their number.
    packed: u64,
    len: u32,
}

/// The period in which places recur where sequences of up to `k` equal ids are counted.
pub fn period(k: u32) -> u64 {
    u64::from(k.saturating_sub(1)).max(1)
}

/// Splits a number of equal ids into whole periods that are counted apart, and the rest.
pub fn split(times: u64, period: u64) -> (u64, u64) {
    let periods = times.saturating_sub(2 * period) / period;
    (periods, times - periods * period)
}

impl SlabPairs {
    /// No pair yet, for sequences of up to `k` ids below `num_paths`; `limit` bounds the bytes.
    pub fn new(k: u32, num_paths: u64, limit: usize) -> SlabPairs {
        SlabPairs {
            k,
            num_paths,
            packing: Packing::new(k, num_paths),
            codes: Codes::default(),
            counts: Counts::default(),
            latest: None,
            midway: (NOBODY, Code::NONE),
            others: HashMap::new(),
            lost: 0,
            limit,
        }
    }

    /// The layout of words.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// The next word of an activation, if that is in the middle of its work: then a slab begins where the word does, and nothing of what was
    /// before matters but for the last slab. Returns false otherwise, for [`SlabPairs::word`].
    #[inline]
    pub fn later_word(&mut self, activation: u64, word: u64) -> bool {
        let Packing { bits, slab, .. } = self.packing;
        let (name, mut before) = self.midway;
        let mut left = self.packing.width();
        if activation != name || word >> left != Packing::LATER {
            return false;
        }
        let width = bits * slab;
        while left > 0 {
            left -= width;
            let piece = 1 << width | word >> left & low(width);
            let code = self.codes.first(piece).or_else(|| self.code(Code::NONE, piece));
            match code.filter(|code| self.add(before, *code)) {
                Some(code) => before = self.place(code),
                None => {
                    self.lost += u64::from(slab);
                    before = Code::NONE;
                }
            }
        }
        self.midway.1 = before;
        true
    }

    /// The next word of an activation, which has a name of its own as long as it is not over.
    pub fn word(&mut self, activation: u64, word: u64, is_last: bool) {
        self.end_midway();
        let mut walk = match self.packing.is_first(word) {
            true => self.start(activation),
            false => self.resume(activation),
        };
        self.feed(&mut walk, self.packing.packed(word), self.packing.len(word));
        match is_last {
            true => self.end(walk),
            false => self.interrupt(activation, walk),
        }
    }

    /// An id so many times, in an activation that had a word before.
    pub fn repeated(&mut self, activation: u64, id: u64, times: u64) {
        self.end_midway();
        let mut walk = self.resume(activation);
        let most = self.packing.ids;
        let packed = self.packing.repeated(id, most);
        for _ in 0..times / u64::from(most) {
            self.feed(&mut walk, packed, most);
        }
        let rest = (times % u64::from(most)) as u32;
        self.feed(&mut walk, packed & low(self.packing.bits * rest), rest);
        self.interrupt(activation, walk);
    }

    /// The forest of all ids so far, and the number of additions that counted them.
    pub fn forest(&self) -> (SlabForest, u64) {
        let mut all = self.clone();
        all.end_midway();
        let walks =
            all.latest.take().map(|(_, walk)| walk).into_iter().chain(std::mem::take(&mut all.others).into_values());
        walks.collect::<Vec<_>>().into_iter().for_each(|walk| all.end(walk));
        let mut forest = SlabForest::new(self.k, self.num_paths);
        forest.lose(all.lost);
        let mut operations = 0;
        let mut from = (Code::NONE, Place::default());
        for (before, slab, count) in all.counts.sorted() {
            if from.0 != before {
                from = (before, all.ids(before).into_iter().fold(Place::default(), |at, id| forest.follow(at, id)));
            }
            let mut at = from.1;
            for id in all.ids(slab) {
                at = forest.follow(at, id);
                forest.add_at(at, count);
            }
            operations += count;
        }
        (forest, operations)
    }

    /// An activation goes on with its next word.
    fn interrupt(&mut self, activation: u64, walk: Walk) {
        self.latest = Some((activation, walk));
        if walk.ids == 0 && self.packing.ids.is_multiple_of(self.packing.slab) {
            self.midway = (activation, walk.before);
        }
    }

    fn end_midway(&mut self) {
        let (name, before) = std::mem::replace(&mut self.midway, (NOBODY, Code::NONE));
        if name != NOBODY {
            self.latest = Some((name, Walk { before, ..Walk::default() }));
        }
    }

    /// A new activation. Should one of this name not have ended, it does so here.
    #[inline]
    fn start(&mut self, activation: u64) -> Walk {
        if let Some((name, walk)) = self.latest.take() {
            if name == activation {
                self.end(walk);
            } else {
                self.others.insert(name, walk);
            }
        }
        if !self.others.is_empty()
            && let Some(walk) = self.others.remove(&activation)
        {
            self.end(walk);
        }
        Walk::default()
    }

    #[inline]
    fn resume(&mut self, activation: u64) -> Walk {
        match self.latest.take() {
            Some((name, walk)) if name == activation => walk,
            latest => {
                self.others.extend(latest);
                self.others.remove(&activation).unwrap_or_default()
            }
        }
    }

    /// So many packed ids.
    #[inline]
    fn feed(&mut self, walk: &mut Walk, mut packed: u64, mut len: u32) {
        let Packing { bits, ids: most, slab } = self.packing;
        // In registers: a walk that is copied right after parts of it were written waits for these.
        let Walk { mut before, mut pieces, mut ids, packed: mut piece, len: mut in_piece } = *walk;
        while len > 0 {
            let room = (most - in_piece).min(slab - ids);
            let taken = room.min(len);
            len -= taken;
            piece = piece << (bits * taken) | packed >> (bits * len);
            packed &= low(bits * len);
            (in_piece, ids) = (in_piece + taken, ids + taken);
            if taken < room {
                break;
            }
            let whole = 1 << (bits * in_piece) | piece;
            let code = self.codes.find(pieces, whole).or_else(|| self.new_code(pieces, whole));
            (piece, in_piece) = (0, 0);
            match code {
                Some(code) if ids < slab => pieces = code,
                Some(code) if self.add(before, code) => (before, pieces, ids) = (self.place(code), Code::NONE, 0),
                _ => {
                    self.lost += u64::from(ids);
                    (before, pieces, ids) = (Code::NONE, Code::NONE, 0);
                }
            }
        }
        *walk = Walk { before, pieces, ids, packed: piece, len: in_piece };
    }

    /// An activation is over.
    fn end(&mut self, walk: Walk) {
        let piece = 1 << (self.packing.bits * walk.len) | walk.packed;
        let code = if walk.len > 0 { self.code(walk.pieces, piece) } else { Some(walk.pieces) };
        let is_counted = code.is_some_and(|code| walk.ids == 0 || self.add(walk.before, code));
        if !is_counted {
            self.lost += u64::from(walk.ids);
        }
    }

    #[inline]
    fn code(&mut self, pieces: Code, piece: u64) -> Option<Code> {
        self.codes.find(pieces, piece).or_else(|| self.new_code(pieces, piece))
    }

    #[cold]
    fn new_code(&mut self, pieces: Code, piece: u64) -> Option<Code> {
        (self.bytes() < self.limit).then(|| self.codes.add(pieces, piece))
    }

    /// What the next slab is counted behind: where only single ids are counted, nothing.
    #[inline]
    fn place(&self, slab: Code) -> Code {
        if self.k == 1 { Code::NONE } else { slab }
    }

    #[inline]
    fn add(&mut self, before: Code, slab: Code) -> bool {
        self.counts.add(before, slab) || self.counts.add_new(before, slab, self.codes.bytes(), self.limit)
    }

    /// The ids of a slab.
    fn ids(&self, slab: Code) -> Vec<u64> {
        let mut pieces = Vec::new();
        let mut code = slab;
        while let Some((before, piece)) = self.codes.piece(code) {
            pieces.push(piece);
            code = before;
        }
        let ids = |piece: u64| {
            let len = piece.ilog2() / self.packing.bits;
            self.packing.unpacked(piece, len)
        };
        pieces.into_iter().rev().flat_map(ids).collect()
    }

    fn bytes(&self) -> usize {
        self.codes.bytes() + self.counts.bytes()
    }
}

#[cfg(test)]
mod tests;
