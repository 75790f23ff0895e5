//! The loads and operations of the source that optimized code still has.
//!
//! In: a function after all passes. Out: each remaining instruction by the place where it was written, with the loops that were around
//! it there and those that are around it now.
//! Invariant: an instruction that a pass copied is listed once for each copy; one that a pass moved out of a loop has fewer loops now.

use super::cfg::Graph;
use super::ssa::{Func, Mem, Op};
use crate::body::site::Site;
use holloway_lang::ir::{Block, Cfg, FuncRef, Loops, Module};
use holloway_lang::source::Span;
use std::collections::HashMap;

/// An instruction that optimized code has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// The function that it was written in: another than the compiled one, if it was inlined.
    pub func: FuncRef,
    /// The block of that function.
    pub block: Block,
    /// Its source.
    pub span: Span,
    /// Set if it reads memory, a global among it.
    pub is_load: bool,
    /// Loops around it as it was written, those around the inlined calls among them.
    pub loops_before: u32,
    /// Loops around it in optimized code.
    pub loops: u32,
}

/// The instructions that remain of the source.
pub fn remaining(module: &Module, func: &Func) -> Vec<Remaining> {
    let graph = Graph::of(func);
    let mut source = SourceLoopDepths { module, func, loops: HashMap::new() };
    let mut found = Vec::new();
    for &block in &graph.rpo {
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            let is_load = match data.op {
                Op::Load(Mem::Elem(_) | Mem::Field(..) | Mem::Global(_)) | Op::LinearLoad(..) => true,
                Op::Unary(_) | Op::Binary(_) => false,
                _ => continue,
            };
            let Site { func: of, block: origin, span, .. } = func.sites[data.site as usize];
            let (loops_before, loops) = (source.depth(data.site), graph.loops.depth(block));
            found.push(Remaining { func: of, block: origin, span, is_load, loops_before, loops });
        }
    }
    found
}

/// The loops of the functions as they are written.
struct SourceLoopDepths<'a> {
    module: &'a Module,
    func: &'a Func,
    loops: HashMap<FuncRef, Loops>,
}

impl SourceLoopDepths<'_> {
    /// The loops around a place of the source, and around the calls that were inlined on the way there.
    fn depth(&mut self, site: u32) -> u32 {
        let mut depth = 0;
        let mut at = Some(site);
        while let Some(site) = at {
            let Site { func, block, inlined_at, .. } = self.func.sites[site as usize];
            let body = self.module.function(func);
            depth += self.loops.entry(func).or_insert_with(|| Loops::of(&Cfg::compute(body))).depth(block);
            at = inlined_at;
        }
        depth
    }
}
