//! The record and what is in the blocks of a function: as construction made them, and as they are copied.
//!
//! In: the blocks. Out: their segments, and the homes of their instructions.
//! Invariant: a copy has the segments of the block that it is of, in their order.

use super::Position;
use super::record::{Home, Record, Segment};
use crate::opt::ssa::{Block, BlockData, Func, Value};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use hashbrown::HashMap;
use holloway_lang::ir::{Cfg, Function, Loops};

impl Record {
    /// Starts with the blocks and instructions that construction made of a body.
    pub(crate) fn built(&mut self, func: &Func, body: &Function) {
        let mut first = SecondaryMap::new();
        let mut sites = 0;
        for (block, data) in body.blocks.iter() {
            first[block] = sites;
            self.lengths[block] = data.insts.len();
            sites += data.insts.len() + 1;
        }
        for (at, site) in func.sites.iter().enumerate() {
            let place = match site.inlined_at {
                Some(call) => self.places[call as usize],
                // The site of the poll at the entry follows those of the body.
                None => (site.block, at.saturating_sub(first[site.block]).min(self.lengths[site.block])),
            };
            self.places.push(place);
        }
        let loops = Loops::of(&Cfg::compute(body));
        self.loops = loops.values().map(|each| each.blocks.iter().copied().collect()).collect();
        // The block before the first one stands for none.
        for (block, data) in func.blocks.iter().filter(|(block, _)| *block != func.entry) {
            let segment = self.origin.push(block);
            self.segments[block].push(segment);
            self.block_of[block] = self.places[data.term_site as usize].0.into();
            for inst in &data.insts {
                let (_, index) = self.places[func.insts[*inst].site as usize];
                self.home[*inst] = Some(Home { segment, index, order: Position::ITSELF });
            }
        }
    }

    /// Blocks were copied, with all their instructions: the copy of each block, and of each value defined in them.
    pub(crate) fn copied(
        &mut self,
        data: &PrimaryMap<Block, BlockData>,
        blocks: &HashMap<Block, Block>,
        values: &HashMap<Value, Value>,
    ) {
        let mut blocks: Vec<(Block, Block)> = blocks.iter().map(|(old, new)| (*old, *new)).collect();
        blocks.sort_unstable();
        for (old, new) in blocks {
            let segments: Vec<(Segment, Segment)> = self.segments[old]
                .clone()
                .into_iter()
                .map(|segment| (segment, self.origin.push(self.origin[segment])))
                .collect();
            for (segment, copy) in &segments {
                if self.tails.contains(*segment) {
                    self.tails.insert(*copy);
                }
            }
            self.segments[new] = segments.iter().map(|(_, copy)| *copy).collect();
            if let Some(entered) = self.entered.get(&old).cloned() {
                self.entered.insert(new, entered);
            }
            for (inst, copy) in data[old].insts.iter().zip(&data[new].insts) {
                self.of_inst[*copy] = self.of_inst[*inst];
                let home = self.home[*inst];
                self.home[*copy] = home.and_then(|home| {
                    let (_, segment) = segments.iter().find(|(segment, _)| *segment == home.segment)?;
                    Some(Home { segment: *segment, ..home })
                });
            }
        }
        for (old, new) in values {
            self.selected(*new, *old);
        }
    }
}
