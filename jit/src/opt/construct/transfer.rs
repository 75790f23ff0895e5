//! Transfers: the state of a frame, read where a version can be left and written where one is entered.

use super::known::{Fact, Known, Length};
use super::{Builder, Frame};
use crate::body::osr::Leaving;
use crate::opt::ssa::{Block, Func, Mem, Op, Value};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{self, Local};

impl Builder<'_> {
    /// Takes the OSR points out, of code that has no loop in which it relies on a profile.
    pub(super) fn drop_osr_points(&mut self) {
        let Func { blocks, insts, .. } = &mut self.func;
        blocks.values_mut().for_each(|data| data.insts.retain(|inst| insts[*inst].op != Op::OsrPoint));
        self.func.has_osr_points = false;
    }

    /// Takes the state over that was left at a header.
    pub(super) fn load_state(&mut self, frame: &Frame<'_>, entry: Block, (body, header): (&ir::Function, ir::Block)) {
        self.func.osr_entry = true;
        let state = self.headers.state(header).expect("only headers with a state are entered").to_vec();
        let known = Known::new(body, header);
        let site = self.func.blocks[entry].term_site;
        let mut loaded: Vec<(Local, Value)> = Vec::new();
        for (word, local) in state.into_iter().enumerate() {
            let scalar = frame.body.scalar(local);
            let value = self.func.push(entry, Op::Load(Mem::State(word as u32)), Vec::new(), Some(scalar), site);
            loaded.push((local, value.expect("a load has a result")));
        }
        for (local, value) in &loaded {
            let value = match known.fact(*local) {
                None => *value,
                Some(Fact::Constant(constant)) => self.func.int(constant),
                Some(Fact::Object(length)) => {
                    let length = length.and_then(|length| match length {
                        Length::Constant(constant) => Some(self.func.int(constant)),
                        Length::Local(len) => loaded.iter().find(|(local, _)| *local == len).map(|(_, value)| *value),
                    });
                    let args = std::iter::once(*value).chain(length);
                    let object = self.func.push(entry, Op::Allocated, args, Some(ir::Scalar::Ref), site);
                    object.expect("an object is a value")
                }
            };
            self.assign(frame, entry, *local, value);
        }
    }

    /// Returns whether the version can be left on an edge: a back edge of the function itself.
    pub(super) fn leaves(&self, frame: &Frame<'_>, from: ir::Block, to: ir::Block) -> bool {
        let is_among = match self.leaving {
            Leaving::Never => false,
            Leaving::AtEveryLoop | Leaving::AtHeaders => true,
            Leaving::AtOutermost | Leaving::IfOutdated => {
                frame.loops.depth(to) == 1 || self.func.blocks[frame.blocks[from.index()]].cold
            }
        };
        is_among
            && frame.inlined.is_none()
            && frame.loops.is_back_edge(from, to)
            && self.headers.state(frame.origin(to)).is_some()
    }

    /// Returns whether there is a poll on an edge, where the version cannot be left.
    pub(super) fn polls(&self, frame: &Frame<'_>, from: ir::Block, to: ir::Block) -> bool {
        self.func.has_polls && frame.loops.is_back_edge(from, to)
    }

    /// Lets the version be left at the end of an edge block.
    pub(super) fn transfer(&mut self, frame: &Frame<'_>, edge: Block, header: ir::Block) {
        let state = self.headers.state(frame.origin(header)).expect("the edge can be left at").to_vec();
        let args: Vec<Value> = state.into_iter().map(|local| self.read(edge, frame.variable(local))).collect();
        let site = frame.sites[header.index()];
        self.func.push(edge, Op::OsrPoint, args, None, site);
    }
}
