//! Facts of the body about the values that an OSR entry gets.
//!
//! In: the body that is entered at a loop header. Out: for a local that one instruction alone assigns, on every way to the
//! header, what that instruction makes of it: a constant, or an object that was allocated there. Code entered by calls
//! sees the allocation itself; without this, code entered at a header would know neither lengths nor that objects differ.
//!
//! Of two locals with one assignment each, the second being made of the first and before the header on every way, the
//! first is not assigned anew without the second; so a length in a local is still the one that was allocated.
//! Invariant: what is said holds whenever control is at the header.

use crate::settings::known::MAX_DEPTH;
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{Block, Cfg, Dominators, Function, Inst, Local, Operand};

/// A fact about a local at a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// It is that.
    Constant(i64),
    /// An object that no other such local refers to, with its length if it is an array.
    Object(Option<Length>),
}

/// The length of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Constant(i64),
    Local(Local),
}

/// The assignments to a local.
#[derive(Clone, Copy, Default)]
enum Assigned<'b> {
    #[default]
    Never,
    Once(Block, &'b Inst),
    Often,
}

/// The assignments of a body, seen from one header.
pub(super) struct Known<'b> {
    body: &'b Function,
    header: Block,
    dominators: Dominators,
    assigned: SecondaryMap<Local, Assigned<'b>>,
}

impl<'b> Known<'b> {
    pub(super) fn new(body: &'b Function, header: Block) -> Known<'b> {
        let mut assigned: SecondaryMap<Local, Assigned<'b>> = SecondaryMap::new();
        let params = body.params.iter();
        params.for_each(|param| assigned[*param] = Assigned::Often);
        for (block, data) in body.blocks.iter() {
            for inst in &data.insts {
                let Some(dst) = inst.dst() else { continue };
                assigned[dst] = match assigned[dst] {
                    Assigned::Never => Assigned::Once(block, inst),
                    Assigned::Once(..) | Assigned::Often => Assigned::Often,
                };
            }
        }
        Known { body, header, dominators: Dominators::compute(&Cfg::compute(body)), assigned }
    }

    /// Returns the fact about a local.
    pub(super) fn fact(&self, local: Local) -> Option<Fact> {
        if let Some(constant) = self.constant(Operand::Local(local), 0) {
            return Some(Fact::Constant(constant));
        }
        let Assigned::Once(block, inst) = self.assigned[local] else { return None };
        if !self.dominators.dominates(block, self.header) {
            return None;
        }
        match inst {
            Inst::NewArray { len, .. } => Some(Fact::Object(self.length(*len))),
            Inst::ArrayOf { items, .. } => Some(Fact::Object(Some(Length::Constant(items.len() as i64)))),
            Inst::NewRecord { .. } => Some(Fact::Object(None)),
            _ => None,
        }
    }

    fn length(&self, len: Operand) -> Option<Length> {
        if let Some(constant) = self.constant(len, 0) {
            return Some(Length::Constant(constant));
        }
        match len {
            Operand::Local(local) if self.is_kept(local) => Some(Length::Local(local)),
            _ => None,
        }
    }

    /// Returns whether a local that was read on every way to the header still has the value it had then.
    fn is_kept(&self, local: Local) -> bool {
        match self.assigned[local] {
            Assigned::Once(..) => true,
            // A parameter that nothing assigns.
            Assigned::Often => {
                let assigns = |inst: &Inst| inst.dst() == Some(local);
                !self.body.blocks.values().flat_map(|data| &data.insts).any(assigns)
            }
            Assigned::Never => false,
        }
    }

    /// The integer that an operand is, whenever it is read.
    fn constant(&self, operand: Operand, depth: u32) -> Option<i64> {
        let local = match operand {
            Operand::Int(value) => return Some(value),
            Operand::Local(local) if depth < MAX_DEPTH => local,
            _ => return None,
        };
        let Assigned::Once(_, inst) = self.assigned[local] else { return None };
        match inst {
            Inst::Copy { src, .. } => self.constant(*src, depth + 1),
            Inst::Binary { op, lhs, rhs, .. } => {
                let (lhs, rhs) = (self.constant(*lhs, depth + 1)?, self.constant(*rhs, depth + 1)?);
                match crate::opt::simplify::fold_ints(*op, lhs, rhs)? {
                    Operand::Int(value) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
