//! Specialized bodies: from proposals to one body of a function, and one of each that is inlined into it. Invariant: a
//! body that was formed to be weighed is not formed again, unless `--stress` gives it another shape.

use crate::event::TraceFormed;
use crate::{Chance, Estimate, LoopKey, Proposal, Settings};
use holloway_ir::{FuncRef, Function, Inst, Module};
use holloway_jit::Request;
use holloway_jit::trace::chance::{self, Random};
use holloway_jit::trace::{TraceSpec, Traces, form_all};
use std::sync::Arc;

/// Adds bodies for proposals to a request, or for random traces; gives what could be formed.
pub(super) fn specialize(
    request: &mut Request,
    module: &Module,
    proposals: &[Arc<Proposal>],
    chance: Option<Chance>,
    settings: &Settings,
) -> Vec<(LoopKey, TraceFormed)> {
    let mut random = chance.map(|chance| Random(chance.seed));
    let mut all = Vec::new();
    let mut callees = specialized_callees(&request.body, proposals, chance);
    if let Some(random) = random.as_mut().filter(|_| proposals.is_empty()) {
        callees.retain(|_| random.below(2) == 0);
    }
    let near = chance.and_then(|chance| chance.near);
    for callee in std::iter::once(None).chain(callees.into_iter().map(Some)) {
        let body = match callee {
            None => request.whole(),
            Some(callee) => request.expanded.of(callee).map_or(module.function(callee), |expanded| &expanded.body),
        };
        let of_body = proposals.iter().filter(|proposal| proposal.callee == callee);
        let wanted: Vec<Arc<Proposal>> = match &mut random {
            None => of_body.cloned().collect(),
            Some(random) if proposals.is_empty() => {
                let specs = chance::specs(body, near.filter(|_| callee.is_none()), random);
                specs.into_iter().map(|spec| by_chance(callee, spec)).collect()
            }
            Some(random) => {
                let shaped = of_body.map(|one| TraceSpec { shape: chance::shape(random), ..one.spec.clone() });
                shaped.map(|spec| by_chance(callee, spec)).collect()
            }
        };
        let known = wanted.iter().map(|one| (&one.spec, one.formed_of(body)));
        let Some((formed, done)) = form_all(body, known) else { continue };
        let guards = formed.guards.values().filter(|guard| guard.at.is_some()).count() as u32;
        let summary = |at: &usize| (wanted[*at].at(), TraceFormed::of(&wanted[*at], guards, settings));
        all.extend(done.iter().map(summary));
        let traces = Arc::new(Traces::new(formed));
        match callee {
            None => request.traces = Some(traces),
            Some(callee) => request.inlined_traces.add(callee, traces),
        }
    }
    all
}

/// A proposal that nothing speaks for.
fn by_chance(callee: Option<FuncRef>, spec: TraceSpec) -> Arc<Proposal> {
    let estimate = Estimate { coverage: spec.coverage, cost: 1.0, general_cost: 1.0 };
    Arc::new(Proposal { callee, spec, formed: None, estimate, lines: Vec::new() })
}

/// The functions whose loops may be specialized where they are inlined: those of proposals, or by chance any that the body calls.
pub(super) fn specialized_callees(
    body: &Function,
    proposals: &[Arc<Proposal>],
    chance: Option<Chance>,
) -> Vec<FuncRef> {
    if proposals.is_empty() && chance.is_some() {
        return called(body);
    }
    let mut callees: Vec<FuncRef> = proposals.iter().filter_map(|proposal| proposal.callee).collect();
    callees.sort_unstable();
    callees.dedup();
    callees
}

/// Functions that a body calls by name.
pub(super) fn called(body: &Function) -> Vec<FuncRef> {
    let insts = body.blocks.values().flat_map(|block| &block.insts);
    let callee = |inst: &Inst| match inst {
        Inst::Call { func, .. } => Some(*func),
        _ => None,
    };
    let mut called: Vec<FuncRef> = insts.filter_map(callee).collect();
    called.sort_unstable();
    called.dedup();
    called
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gain::Estimate;
    use crate::test_bodies::module_of;
    use crate::test_proposal::of_paths;
    use holloway_ir::Block;
    use holloway_jit::Tier;
    use holloway_jit::trace::form;

    const LOOP: &str = "block0:
    jump block1
block1:
    v0 = isub v0, 1
    v1 = ieq v0, 7
    branch v1, block2, block3
block2:
    v0 = isub v0, 2
    jump block3
block3:
    v1 = igt v0, 0
    branch v1, block1, block4
block4:
    return v0
";

    #[test]
    fn what_was_weighed_is_compiled_if_it_is_of_that_very_body() {
        let module = module_of(LOOP);
        let func = FuncRef::from_u32(0);
        let body = &module.funcs[func].body;
        let estimate = Estimate { coverage: 1.0, cost: 1.0, general_cost: 2.0 };
        let bare = of_paths(vec![[1, 3].map(Block::from_u32).to_vec()], estimate);
        let made = Arc::new(form(body, &bare.spec).expect("it can be formed"));
        let formed: *const holloway_jit::trace::Formed = &*made;
        let proposal = Proposal { formed: Some((Arc::clone(body), made)), ..bare.clone() };
        assert_eq!(proposal, bare);
        let is_weighed = |body: &Arc<Function>, proposal: &Proposal| {
            let mut request = Request::new(func, Arc::clone(body), Tier::Optimized);
            let found =
                specialize(&mut request, &module, &[Arc::new(proposal.clone())], None, &Settings::synchronous());
            assert_eq!((found.len(), found[0].0), (1, Block::from_u32(1).into()));
            std::ptr::eq(formed, request.traces.expect("its own loop is specialized").formed())
        };
        assert!(is_weighed(body, &proposal));
        assert!(!is_weighed(body, &bare), "advice has no formed body");
        assert!(!is_weighed(&Arc::new(Function::clone(body)), &proposal), "its function has a new body");
    }
}
