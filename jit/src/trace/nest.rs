//! A body's edges, dominators and loops, which choosing and forming ask for.

use holloway_lang::ir::{Cfg, Dominators, Function, Loops};

/// A function's loops with what they were found in.
pub(super) struct Nest {
    pub(super) cfg: Cfg,
    pub(super) dominators: Dominators,
    pub(super) loops: Loops,
}

impl Nest {
    pub(super) fn of(body: &Function) -> Nest {
        let cfg = Cfg::compute(body);
        let dominators = Dominators::compute(&cfg);
        let loops = Loops::compute(&cfg, &dominators);
        Nest { cfg, dominators, loops }
    }
}
