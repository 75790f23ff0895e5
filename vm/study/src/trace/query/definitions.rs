//! Definitions from outside of an activation: of globals, and of parameters.
//!
//! In: a variable, and points of an execution. Out: how often a definition reaches them, and from which lines.
//! Invariant: a global has one definition at a time, the latest store before the point, in whichever activation.

use super::FactAnswer;
use crate::trace::execution::{ExecutionOrder, ProgramExecution};
use crate::trace::facts::place::{SourceLine, SourceProgram, function_of};
use cranelift_entity::EntityRef;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{Global, Inst, Local};
use holloway_profiler::wpp::slice::{ActivationId, Point, ProcedureId, StatementId};
use std::collections::BTreeMap;

/// Executions at which a fact did not hold, of each activation that has some.
pub(super) type Missed = BTreeMap<ActivationId, u64>;

/// The definitions of a global that reach some points. Each point is one query.
pub(super) fn reaching_global(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    global: Global,
    points: &[(ActivationId, Point)],
) -> FactAnswer {
    let order = ExecutionOrder::new(&run.execution);
    let sites = stores_of(program, global);
    let mut stores = Vec::new();
    for (id, activation) in &run.execution.activations {
        let graph = run.execution.trace_of(id);
        for site in sites.iter().filter(|site| site.procedure == activation.procedure) {
            let Some((node, _)) = graph.home(site.block) else { continue };
            let is_cut = |time: u64| activation.failures.iter().any(|it| it.time == time && it.statement <= site.index);
            let times = graph.times(node).iter().filter(|time| !is_cut(*time));
            stores.extend(times.map(|time| (order.moment(id, Point::at(time, site.index)), *site)));
        }
    }
    stores.sort_unstable();
    let mut sources: BTreeMap<SourceLine, u64> = BTreeMap::new();
    let mut answer = FactAnswer { is_exact: true, ..FactAnswer::default() };
    for (activation, point) in points {
        let before = order.moment(*activation, *point);
        let latest = stores.partition_point(|(moment, _)| *moment < before).checked_sub(1);
        answer.executions += 1;
        answer.queries += 1;
        if let Some(latest) = latest {
            answer.holds += 1;
            let line = program.line_of_statement(stores[latest].1);
            line.into_iter().for_each(|line| *sources.entry(line).or_default() += 1);
        }
    }
    answer.sources = sources.into_iter().collect();
    answer
}

/// The statements that set a global.
fn stores_of(program: SourceProgram<'_>, global: Global) -> Vec<StatementId> {
    let mut found = Vec::new();
    for (func, decl) in &program.module.funcs {
        for (block, data) in decl.body.blocks.iter() {
            let sets = |inst: &Inst| matches!(inst, Inst::GlobalSet { global: set, .. } if *set == global);
            let all = data.insts.iter().enumerate().filter(|(_, inst)| sets(inst));
            let procedure = ProcedureId::new(func.index());
            found.extend(all.map(|(at, _)| StatementId { procedure, block: node_of(block), index: at as u32 }));
        }
    }
    found
}

/// An answer about a local, with the arguments that calls passed for it: a parameter is set by every call, and has that value where no definition of its own
/// was executed.
pub(super) fn with_arguments(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    (statement, local): (StatementId, Local),
    mut answer: FactAnswer,
    missed: &Missed,
) -> FactAnswer {
    let body = program.module.function(function_of(statement.procedure));
    if !body.params.contains(&local) {
        return answer;
    }
    let mut sources: BTreeMap<SourceLine, u64> = answer.sources.iter().copied().collect();
    for (activation, times) in missed {
        let Some((caller, point)) = run.execution.activations[*activation].caller else { continue };
        let call = run.execution.instance(caller, point).expect("the call was executed");
        let line = program.line_of_statement(run.execution.statement_of(call));
        answer.holds += times;
        line.into_iter().for_each(|line| *sources.entry(line).or_default() += times);
    }
    answer.sources = sources.into_iter().collect();
    answer
}
