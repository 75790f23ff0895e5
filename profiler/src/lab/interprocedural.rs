//! Interprocedural paths in the lab.
//!
//! In: a base, the call sites to cut, a program and its executions. Out: an [`AcrossResult`], and the functions of each
//! procedure in its [`FunctionResult`].
//!
//! Phases: 1. the supergraph; 2. the cuts, for which the calls of the traces are counted if the coldest are cut; 3. numbers
//! along the traces; 4. results in names (`across`).
//! Invariant: every call of the traces is given to the encoder.

use cranelift_entity::SecondaryMap;

use super::across::Report;
use super::error::{LabError, Remedy};
use super::executions::{Execution, Executions};
use super::procedure::{Named, Program};
use super::result::{AcrossResult, FunctionResult};
use super::scheme::CutSites;
use super::trace::Step;
use crate::number::interprocedural::encode::{Encoder, InterCounts};
use crate::number::interprocedural::hybrid::cut_coldest;
use crate::number::interprocedural::{AtCut, Base, InterNumbering, TooManyPaths};
use crate::supergraph::{SiteId, Supergraph};

/// Counts the paths of the traces, and adds the functions of the procedures to the results.
pub(super) fn evaluate(
    (base, at_cut): (Base, AtCut),
    cut: &CutSites,
    program: &Program,
    executions: &Executions,
    results: &mut [FunctionResult],
) -> Result<AcrossResult, LabError> {
    let supergraph = supergraph(program)?;
    let numbered = |cut: &[SiteId]| InterNumbering::new(&supergraph, base, at_cut, cut);
    let numbering = match cut {
        CutSites::Recursive => numbered(&[]),
        CutSites::Listed(blocks) => {
            let sites: Vec<SiteId> =
                blocks.iter().map(|block| site(program, &supergraph, block)).collect::<Result<_, _>>()?;
            numbered(&sites)
        }
        CutSites::Coldest { bits } => {
            cut_coldest(&supergraph, (base, at_cut), &[], &call_counts(&supergraph, executions)?, *bits)
        }
    };
    let numbering = numbering.map_err(|TooManyPaths { bits }| {
        let remedy = remedy(&supergraph, (base, at_cut), cut);
        LabError::PastNumbers { of: None, bits, remedy }
    })?;
    let mut counts = InterCounts::default();
    for execution in executions.each() {
        encode(&supergraph, &numbering, &execution, &mut counts)?;
    }
    let report = Report { program, supergraph: &supergraph, numbering: &numbering };
    for (procedure, result) in supergraph.procedures().zip(results) {
        result.linear = Some(report.functions(procedure));
    }
    Ok(report.across(&counts, executions.path_list_max()))
}

/// A change by which paths get numbers that had none, if there is one: numbers have at most 128 bits, and no more can
/// be cut than every call site.
fn remedy(supergraph: &Supergraph, scheme: (Base, AtCut), cut: &CutSites) -> Option<Remedy> {
    let fit = cut_coldest(supergraph, scheme, &[], &SecondaryMap::new(), u128::BITS).is_ok();
    fit.then_some(match cut {
        CutSites::Recursive => Remedy::Hybrid,
        CutSites::Listed(_) => Remedy::CutMore,
        CutSites::Coldest { .. } => Remedy::MoreBits(u128::BITS),
    })
}

fn supergraph(program: &Program) -> Result<Supergraph, LabError> {
    let body = |named: &Named| {
        let calls = named.calls.iter().map(|(&block, &(callee, _))| (block, callee));
        (named.graph.clone(), calls.collect())
    };
    let supergraph = Supergraph::new(program.procedures.values().map(body), program.main);
    supergraph.map_err(|branches| LabError::CallBranches(program.qualified(branches.procedure, branches.block)))
}

fn site(program: &Program, supergraph: &Supergraph, name: &str) -> Result<SiteId, LabError> {
    let (procedure, block) = program.block(name)?;
    supergraph.site_at(procedure, block).ok_or_else(|| LabError::NoCall(name.to_string()))
}

/// Counts the calls of each call site.
fn call_counts(supergraph: &Supergraph, executions: &Executions) -> Result<SecondaryMap<SiteId, u64>, LabError> {
    let mut counts = SecondaryMap::new();
    for execution in executions.each() {
        follow_calls(supergraph, &execution, |event| {
            if let Event::Call(site) = event {
                counts[site] += 1;
            }
        })?;
    }
    Ok(counts)
}

fn encode(
    supergraph: &Supergraph,
    numbering: &InterNumbering,
    execution: &Execution,
    counts: &mut InterCounts,
) -> Result<(), LabError> {
    let mut encoder = Some(Encoder::new(supergraph, numbering, counts));
    follow_calls(supergraph, execution, |event| {
        // The first failure ends all activations; those of the callers follow from it.
        let Some(running) = &mut encoder else { return };
        match event {
            Event::Call(site) => running.call(site),
            Event::Step(Step::Take(edge)) => running.take(edge),
            Event::Step(Step::Return) => running.leave(),
            Event::Step(Step::Abort(_)) => {
                encoder.take().expect("it is running").abort();
            }
            Event::Step(Step::Enter(_)) => panic!("a call is no plain step"),
        }
    })
}

enum Event {
    Call(SiteId),
    /// Any step but an entry.
    Step(Step),
}

/// Gives the steps of an execution to `each`, with call sites in place of entries; the entry of main is left out.
fn follow_calls(supergraph: &Supergraph, execution: &Execution, mut each: impl FnMut(Event)) -> Result<(), LabError> {
    let mut stack = Vec::new();
    execution.steps(&mut |step| match (step, stack.last_mut()) {
        (Step::Enter(callee), caller) => {
            if let Some(&mut (procedure, block)) = caller {
                each(Event::Call(supergraph.site_at(procedure, block).expect("only call blocks call")));
            }
            stack.push((callee, supergraph.graph(callee).entry()));
        }
        (Step::Take(edge), Some((procedure, block))) => {
            *block = supergraph.graph(*procedure).edge(edge).to;
            each(Event::Step(step));
        }
        (Step::Return | Step::Abort(_), Some(_)) => {
            stack.pop();
            each(Event::Step(step));
        }
        (Step::Take(_) | Step::Return | Step::Abort(_), None) => panic!("a step belongs to an activation"),
    })
}
