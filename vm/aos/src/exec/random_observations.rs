//! Random edge counts and call targets for code under `--stress`, which need not fit together: whatever the optimizer
//! is told, programs do the same.

use hashbrown::HashMap;
use holloway_ir::{FuncRef, Function, Inst, Module, cfg};
use holloway_jit::observed::{Counts, Observed, TargetCell, indirect_calls};

/// Executions of what is said to run often: well past the 64 that the optimizer asks for.
const OFTEN: u64 = 1000;

/// Returns random observations; `chance` gives a number below its operand.
pub(super) fn random_observations(module: &Module, mut chance: impl FnMut(u64) -> u64) -> Observed {
    let counts = |(func, body): (FuncRef, &Function)| {
        let edges =
            body.blocks.keys().flat_map(|from| cfg::edges(body, from).into_iter().map(move |(to, _)| (from, to)));
        let edges: HashMap<_, _> = edges.map(|edge| (edge, OFTEN * chance(2))).collect();
        let cells: Vec<_> = indirect_calls(body)
            .filter_map(|(block, at)| {
                let Inst::CallIndirect { sig, .. } = &body.blocks[block].insts[at] else { return None };
                let fitting: Vec<FuncRef> =
                    module.funcs.keys().filter(|func| module.funcs[*func].sig == *sig).collect();
                let func = *fitting.get(chance(fitting.len().max(1) as u64) as usize)?;
                Some(((block, at), TargetCell { func: Some(func), same: OFTEN, other: chance(OFTEN / 2) }))
            })
            .collect();
        (func, Counts::new(body, OFTEN, edges, cells))
    };
    let bodies: Vec<(FuncRef, &Function)> = module.funcs.iter().map(|(func, decl)| (func, &*decl.body)).collect();
    Observed::new(bodies.into_iter().map(counts).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_ir::parse;

    #[test]
    fn every_function_and_indirect_call_is_told_of() {
        let text = r#"
            type t0 = int
            type t1 = func sig0
            sig0 = (t0) -> t0
            sig1 = (t1) -> t0
            function f0 "twice" sig0(v0: int) -> int {
            block0:
                return v0
            }
            function f1 "f" sig1(v0: func) -> int {
                local v1: int
            block0:
                v1 = call_indirect sig0 v0(1)
                return v1
            }"#;
        let module = parse::module(text).unwrap_or_else(|error| panic!("{error}"));
        let observed = random_observations(&module, |_| 0);
        let twice = FuncRef::from_u32(0);
        let counts = observed.of(FuncRef::from_u32(1)).expect("it is told of");
        assert_eq!(counts.target(module.function(FuncRef::from_u32(1)).entry(), 0), Some((twice, 1.0)));
        assert!(observed.of(twice).is_some());
    }
}
