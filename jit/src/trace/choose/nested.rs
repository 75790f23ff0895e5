//! Loops around loops: their iterations as symbols, in which an inner loop is one place, however often it comes round.
//!
//! In: the paths of a body, the ids themselves. Out: for each loop around others the symbols of its iterations, in streams that [`super::forest`]
//! searches for cycles as it does paths.
//!
//! ```text
//!      paths     A I I X  Z  A X  Z  A I X  Z       A enters the inner loop, I stays, X leaves it and ends the iteration
//!      symbols   a        z  a    z  a      z       a has a period, A has none: inner trips vary
//! ```
//!
//! A symbol is the blocks of an iteration that are in no inner loop, with each inner loop's header where it is passed: what `[NGF03]` calls the places of a
//! region. Invariant: a path that enters or leaves the loop ends a stream.

use super::super::nest::Nest;
use super::super::spec::Collapsed;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, LoopId};
use holloway_profiler::hash::IdMap;

/// The iterations of a loop around others.
pub(super) struct Iterations {
    /// For each symbol its blocks, and how often it occurs.
    pub(super) symbols: HashMap<u64, (Vec<Block>, u64)>,
    /// Symbols in order.
    pub(super) streams: Vec<Vec<u64>>,
    /// The inner loops that are passed.
    pub(super) inner: Vec<Collapsed>,
}

/// Reads the iterations of a loop; `None` if it is around no other.
pub(super) fn iterations(
    nest: &Nest,
    around: LoopId,
    paths: &HashMap<u64, (Vec<Block>, u64)>,
    streams: &[Vec<u64>],
) -> Option<Iterations> {
    nest.loops.iter().find(|(_, inner)| inner.parent == Some(around))?;
    let parts = paths.iter().filter_map(|(id, (blocks, _))| Some((*id, Part::of(nest, around, blocks)?)));
    let parts: IdMap<Part> = parts.collect();
    let mut reader = Reader { known: HashMap::new(), passed: HashMap::new(), iteration: None };
    let mut read = Vec::new();
    for stream in streams {
        let mut symbols = Vec::new();
        for id in stream {
            match parts.get(id).map(|part| reader.path(part)) {
                Some(Ended::Iteration(symbol)) => symbols.push(symbol),
                Some(Ended::InnerIteration) => {}
                Some(Ended::Outside) | None => {
                    reader.iteration = None;
                    read.push(std::mem::take(&mut symbols));
                }
            }
        }
        reader.iteration = None;
        read.push(symbols);
    }
    let mut inner: Vec<Collapsed> = reader
        .passed
        .iter()
        .map(|(header, (passes, visits))| Collapsed { header: *header, visits: *visits as f64 / *passes as f64 })
        .collect();
    inner.sort_by_key(|one| one.header);
    let mut counts: HashMap<u64, u64> = HashMap::new();
    read.iter().flatten().for_each(|symbol| *counts.entry(*symbol).or_default() += 1);
    let count = |symbol: u64| counts.get(&symbol).copied().unwrap_or(0);
    let symbols = reader.known.into_iter().map(|(blocks, symbol)| (symbol, (blocks, count(symbol)))).collect();
    Some(Iterations { symbols, streams: read, inner })
}

/// The end of a path.
enum Ended {
    /// An iteration ended, which has that symbol.
    Iteration(u64),
    /// An iteration of an inner loop ended.
    InnerIteration,
    /// The path is not of the loop, or follows none of it.
    Outside,
}

/// The part of an iteration that a path in the loop adds to it.
struct Part {
    /// True iff an iteration begins with it.
    begins: bool,
    /// True iff it ends the iteration.
    ends: bool,
    /// Its places: blocks, and in place of those in inner loops the headers of these, once in a row, with the executions of each such header.
    places: Vec<(Block, Option<u64>)>,
}

impl Part {
    /// That of a path; `None` if it leaves the loop.
    fn of(nest: &Nest, around: LoopId, blocks: &[Block]) -> Option<Part> {
        let data = nest.loops.get(around);
        let mut places: Vec<(Block, Option<u64>)> = Vec::new();
        for block in blocks {
            if !nest.loops.contains(around, *block) {
                return None;
            }
            match inner(nest, around, *block) {
                None => places.push((*block, None)),
                Some(header) => {
                    let visits = u64::from(header == *block);
                    match places.last_mut() {
                        Some((last, Some(known))) if *last == header => *known += visits,
                        _ => places.push((header, Some(visits))),
                    }
                }
            }
        }
        Some(Part { begins: blocks[0] == data.header, ends: data.latches.contains(&blocks[blocks.len() - 1]), places })
    }
}

struct Reader {
    known: HashMap<Vec<Block>, u64>,
    /// For each header of an inner loop how often the loop was passed, and the header executed.
    passed: HashMap<Block, (u64, u64)>,
    /// Places of the iteration that has begun.
    iteration: Option<Vec<Block>>,
}

impl Reader {
    fn path(&mut self, part: &Part) -> Ended {
        if part.begins {
            self.iteration = Some(Vec::new());
        }
        let Some(iteration) = &mut self.iteration else { return Ended::Outside };
        for (place, visits) in &part.places {
            let goes_on = visits.is_some() && iteration.last() == Some(place);
            if let Some(visits) = visits {
                let (passes, all) = self.passed.entry(*place).or_default();
                *passes += u64::from(!goes_on);
                *all += visits;
            }
            if !goes_on {
                iteration.push(*place);
            }
        }
        if !part.ends {
            return Ended::InnerIteration;
        }
        let new = self.known.len() as u64;
        let symbol = *self.known.entry_ref(iteration.as_slice()).or_insert(new);
        self.iteration = None;
        Ended::Iteration(symbol)
    }
}

/// The header of the outermost inner loop that a block is in.
pub(super) fn inner(nest: &Nest, around: LoopId, block: Block) -> Option<Block> {
    let outer = |inner: &LoopId| nest.loops.get(*inner).parent;
    let mut inside = std::iter::successors(nest.loops.innermost(block), outer).take_while(|inner| *inner != around);
    let first = inside.next()?;
    Some(nest.loops.get(inside.last().unwrap_or(first)).header)
}
