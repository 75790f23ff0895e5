//! Interprocedural paths in the lab.
//!
//! In: a base, the call sites to cut, a program and its executions. Out: an [`AcrossResult`], and the functions of each
//! procedure in its [`FunctionResult`].
//!
//! Phases: 1. the supergraph, of a whole program without the procedures that have too many paths of their own (`joined`); 2. what the traces
//! tell ahead: how often calls were executed, and behind which of them failures were caught; 3. the cuts; 4. numbers along the traces; 5. results in
//! names (`across`).
//! Invariant: every call of the traces between procedures with paths is given to the encoder.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use super::across::Report;
use super::error::{Crossed, LabError};
use super::executions::{Execution, Executions};
use super::joined::{Joined, paths_alone};
use super::procedure::Program;
use super::result::{AcrossResult, FunctionResult};
use super::scheme::CutSites;
use super::trace::Step;
use crate::graph::EdgeId;
use crate::number::interprocedural::encode::{Encoder, InterCounts};
use crate::number::interprocedural::hybrid::cut_coldest;
use crate::number::interprocedural::{AtCut, Base, InterNumbering, TooManyPaths};
use crate::supergraph::{ProcedureId, SiteId, Supergraph};

/// Counts the paths of the traces, and adds the functions of the procedures to the results.
pub(super) fn evaluate(
    (base, at_cut): (Base, AtCut),
    cut: &CutSites,
    program: &Program,
    executions: &Executions,
    results: &mut [FunctionResult],
) -> Result<AcrossResult, LabError> {
    let bits = bits_of(cut);
    let refused = match executions.are_of_a_program() {
        true => Joined::refused(program, base, bits),
        false => BTreeSet::new(),
    };
    let mut joined = Joined::new(program, &refused)?;
    let needs_counts = matches!(cut, CutSites::Coldest { .. });
    let mut ahead = Ahead::default();
    if needs_counts || executions.are_of_a_program() {
        ahead = look_ahead(&joined, executions)?;
        ahead.resumed.iter().for_each(|&(procedure, edge)| joined.supergraph.resume(procedure, edge));
    }
    let supergraph = &joined.supergraph;
    let numbered = |cut: &[SiteId]| InterNumbering::new(supergraph, base, at_cut, cut);
    let numbering = match cut {
        CutSites::Recursive => numbered(&[]),
        CutSites::Listed(blocks) => numbered(&joined.sites(program, blocks)?),
        CutSites::Coldest { bits } => cut_coldest(supergraph, (base, at_cut), &[], &ahead.calls, *bits),
    };
    let numbering = numbering.map_err(|TooManyPaths { bits }| past(program, base, bits, cut))?;
    let mut counts = InterCounts::default();
    for execution in executions.each() {
        encode(&joined, &numbering, &execution, &mut counts)?;
    }
    let report = Report { program, supergraph, numbering: &numbering };
    for (procedure, result) in supergraph.procedures().zip(results) {
        match refused.contains(&procedure) {
            true => result.refused = Some(LabError::PastNumbers { of: result.name.clone(), bits }),
            false => result.linear = Some(report.functions(procedure)),
        }
    }
    Ok(report.across(&counts, executions.path_list_max()))
}

fn bits_of(cut: &CutSites) -> u32 {
    match cut {
        CutSites::Recursive | CutSites::Listed(_) => u128::BITS,
        CutSites::Coldest { bits } => *bits,
    }
}

/// The reason for which there are no numbers: the first procedure with too many paths of its own, or all of them together.
fn past(program: &Program, base: Base, bits: u32, cut: &CutSites) -> LabError {
    let fits = |paths: u128| bits >= u128::BITS || paths <= 1 << bits;
    let large = program.procedures.values().find(|named| !paths_alone(&named.graph, base).is_some_and(fits));
    let crossed = match cut {
        CutSites::Recursive => Crossed::All,
        CutSites::Listed(_) => Crossed::Unlisted,
        CutSites::Coldest { .. } => Crossed::Nothing,
    };
    match large {
        Some(named) => LabError::PastNumbers { of: named.name.clone(), bits },
        None => LabError::ProgramPastNumbers { bits, crossed },
    }
}

/// Facts about the traces that the numbering needs.
#[derive(Default)]
struct Ahead {
    /// The calls of each call site.
    calls: SecondaryMap<SiteId, u64>,
    /// The edges behind calls that failures passed.
    resumed: BTreeSet<(ProcedureId, EdgeId)>,
}

fn look_ahead(joined: &Joined, executions: &Executions) -> Result<Ahead, LabError> {
    let mut ahead = Ahead::default();
    for execution in executions.each() {
        follow_calls(joined, &execution, |event| match event {
            Event::Call(site) => ahead.calls[site] += 1,
            Event::Resume(procedure, edge) => _ = ahead.resumed.insert((procedure, edge)),
            Event::Enter(_) | Event::Take(_) | Event::Return | Event::Fail => {}
        })?;
    }
    Ok(ahead)
}

fn encode(
    joined: &Joined,
    numbering: &InterNumbering,
    execution: &Execution,
    counts: &mut InterCounts,
) -> Result<(), LabError> {
    let mut encoder = Encoder::idle(&joined.supergraph, numbering, counts);
    follow_calls(joined, execution, |event| match event {
        Event::Enter(procedure) => encoder.enter_from_outside(procedure),
        Event::Call(site) => encoder.call(site),
        Event::Take(edge) => encoder.take(edge),
        Event::Return => encoder.leave(),
        Event::Fail => encoder.fail(),
        Event::Resume(_, edge) => encoder.resume(edge),
    })
}

/// A step of a procedure with paths.
enum Event {
    /// It is entered by nobody, or by a procedure without paths.
    Enter(ProcedureId),
    Call(SiteId),
    Take(EdgeId),
    Return,
    Fail,
    /// It goes on behind a call that failed.
    Resume(ProcedureId, EdgeId),
}

/// Gives the steps of an execution to `each`, but for those of procedures without paths.
fn follow_calls(joined: &Joined, execution: &Execution, mut each: impl FnMut(Event)) -> Result<(), LabError> {
    let supergraph: &Supergraph = &joined.supergraph;
    let mut stack = Vec::new();
    let mut has_failed = false;
    execution.steps(&mut |step| {
        let failed = std::mem::replace(&mut has_failed, matches!(step, Step::Abort(_)));
        let event = match (step, stack.last_mut()) {
            (Step::Enter(callee), caller) => {
                let caller = caller.filter(|(procedure, _)| joined.has_paths(*procedure));
                let site = caller.and_then(|(procedure, block)| supergraph.site_at(*procedure, *block));
                let event = site.map_or(Event::Enter(callee), Event::Call);
                let event = joined.has_paths(callee).then_some(event);
                stack.push((callee, supergraph.graph(callee).entry()));
                event
            }
            (Step::Take(edge), Some((procedure, block))) => {
                *block = supergraph.graph(*procedure).edge(edge).to;
                let event = if failed { Event::Resume(*procedure, edge) } else { Event::Take(edge) };
                joined.has_paths(*procedure).then_some(event)
            }
            (Step::Return | Step::Abort(_), Some(_)) => {
                let (procedure, _) = stack.pop().expect("there is one");
                let event = if step == Step::Return { Event::Return } else { Event::Fail };
                joined.has_paths(procedure).then_some(event)
            }
            (Step::Take(_) | Step::Return | Step::Abort(_), None) => panic!("a step belongs to an activation"),
        };
        event.into_iter().for_each(&mut each);
    })
}
