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
    let mut reader = Reader { nest, around, known: HashMap::new(), passed: HashMap::new(), iteration: None };
    let mut read = Vec::new();
    for stream in streams {
        let mut symbols = Vec::new();
        for id in stream {
            match paths.get(id).map(|(blocks, _)| reader.path(blocks)) {
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

struct Reader<'a> {
    nest: &'a Nest,
    around: LoopId,
    known: HashMap<Vec<Block>, u64>,
    /// For each header of an inner loop how often the loop was passed, and the header executed.
    passed: HashMap<Block, (u64, u64)>,
    /// Blocks of the iteration that has begun.
    iteration: Option<Vec<Block>>,
}

impl Reader<'_> {
    fn path(&mut self, blocks: &[Block]) -> Ended {
        let nest = self.nest;
        let (loops, around) = (&nest.loops, self.around);
        let header = loops.get(around).header;
        if blocks[0] == header {
            self.iteration = Some(Vec::new());
        }
        let is_inside = blocks.iter().all(|block| loops.contains(around, *block));
        let Some(iteration) = self.iteration.as_mut().filter(|_| is_inside) else { return Ended::Outside };
        for block in blocks {
            let inner = inner(nest, around, *block);
            if let Some(inner) = inner {
                let (passes, visits) = self.passed.entry(inner).or_default();
                *passes += u64::from(iteration.last() != Some(&inner));
                *visits += u64::from(inner == *block);
            }
            if inner.is_none() || iteration.last() != inner.as_ref() {
                iteration.push(inner.unwrap_or(*block));
            }
        }
        if loops.get(around).latches.contains(&blocks[blocks.len() - 1]) {
            let new = self.known.len() as u64;
            let iteration = self.iteration.take().expect("it has begun");
            return Ended::Iteration(*self.known.entry(iteration).or_insert(new));
        }
        Ended::InnerIteration
    }
}

/// The header of the outermost inner loop that a block is in.
pub(super) fn inner(nest: &Nest, around: LoopId, block: Block) -> Option<Block> {
    let outer = |inner: &LoopId| nest.loops.get(*inner).parent;
    let mut inside = std::iter::successors(nest.loops.innermost(block), outer).take_while(|inner| *inner != around);
    let first = inside.next()?;
    Some(nest.loops.get(inside.last().unwrap_or(first)).header)
}
