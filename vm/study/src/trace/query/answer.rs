//! Answers in source terms.
//!
//! In: a question about a line. Out: the facts that it means, asked one by one and summed.
//!
//! A line means all its loads or operations, as a list of the hottest ones does: of `a[p.x] + b` the loads of `p.x`,
//! `a[p.x]` and `b`, and the addition. A variable in the question restricts them to those that read it. The answer
//! tells of each what it tells of the line.

use super::definitions::{Missed, reaching_global, with_arguments};
use super::effects::{FactOf, FactRules};
use super::problem::FactProblem;
use super::{Fact, FactAnswer, FactPart, FactQuestion};
use crate::trace::execution::{ExecutionOrder, ProgramExecution};
use crate::trace::facts::expressions::Expression;
use crate::trace::facts::names::Variable;
use crate::trace::facts::place::{LineStart, PlaceError, SourceLine, SourceProgram, executions_of, function_of};
use crate::trace::slice::variable_of_statement;
use holloway_jit::graph_of::block_of;
use holloway_lang::source::Span;
use holloway_profiler::wpp::Series;
use holloway_profiler::wpp::query::Answer;
use holloway_profiler::wpp::slice::{ActivationId, Point, StatementId};
use std::collections::BTreeMap;

/// A fact that a question means, at a statement.
struct Asked {
    statement: StatementId,
    fact: FactOf,
}

/// Answers a question about a fact. It holds at an execution of the line if it was generated in the same activation, or below it, and not
/// killed since.
pub fn query(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    question: FactQuestion<'_>,
) -> Result<FactAnswer, PlaceError> {
    let executions = executions_of(program, run, question.at)?;
    match question.fact {
        Fact::Definition => definitions(program, run, &executions, question),
        Fact::Load | Fact::Expression => {
            let asked = |(statement, it)| Asked { statement, fact: FactOf::Expression(it) };
            let asked = expressions(program, question)?.into_iter().map(asked).collect();
            Ok(ask_all(program, run, asked, None).0)
        }
    }
}

/// Answers how often the value that a statement computes was available.
pub fn availability(program: SourceProgram<'_>, run: &ProgramExecution, statement: StatementId) -> Option<FactAnswer> {
    let func = function_of(statement.procedure);
    let expression = Expression::of(program.module, func, block_of(statement.block), statement.index as usize)?;
    Some(ask_all(program, run, vec![Asked { statement, fact: FactOf::Expression(expression) }], None).0)
}

fn ask_all(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    asked: Vec<Asked>,
    only: Option<&[(ActivationId, Point)]>,
) -> (FactAnswer, Missed) {
    let order = ExecutionOrder::new(&run.execution);
    let mut missed = Missed::new();
    let mut answer = FactAnswer { is_exact: true, ..FactAnswer::default() };
    let mut sources = BTreeMap::new();
    let mut parts: BTreeMap<Span, FactPart> = BTreeMap::new();
    for Asked { statement, fact } in asked {
        let rules = FactRules::new(fact);
        answer.is_exact &= rules.is_exact();
        let problem = FactProblem::new(program.module, run, &order, rules);
        let before = (answer.executions, answer.holds);
        AskedFact { program, run, problem, statement, only, missed: &mut missed }.ask(&mut answer, &mut sources);
        let body = program.module.function(function_of(statement.procedure));
        // A line may begin with the end of a block, at which a definition reaches it.
        let spans = &body.blocks[block_of(statement.block)].spans;
        let Some(&span) = spans.get(statement.index as usize) else { continue };
        let part = parts.entry(span).or_insert(FactPart { span, executions: 0, holds: 0 });
        part.executions += answer.executions - before.0;
        part.holds += answer.holds - before.1;
    }
    answer.parts = parts.into_values().collect();
    answer.sources = sources.into_iter().collect();
    (answer, missed)
}

/// The definitions of a variable that reach a line.
fn definitions(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    executions: &[LineStart],
    question: FactQuestion<'_>,
) -> Result<FactAnswer, PlaceError> {
    let name = question.variable.ok_or(PlaceError::VariableMissing)?;
    // Executions of a line that begin at different statements are asked apart.
    let mut by_statement: BTreeMap<StatementId, Vec<(ActivationId, Point)>> = BTreeMap::new();
    for start in executions {
        let (activation, point) = (start.activation, start.point());
        let instance = run.execution.instance(activation, point).expect("the point was executed");
        by_statement.entry(run.execution.statement_of(instance)).or_default().push((activation, point));
    }
    let mut sum = FactAnswer { is_exact: true, ..FactAnswer::default() };
    let mut sources: BTreeMap<SourceLine, u64> = BTreeMap::new();
    for (statement, points) in by_statement {
        let part = match meant_definition(program, statement, name)? {
            Variable::Memory(_) => unreachable!("it has no definitions"),
            Variable::Global(global) => reaching_global(program, run, global, &points),
            Variable::Local(local) => {
                let asked = vec![Asked { statement, fact: FactOf::Local(local) }];
                let (answer, missed) = ask_all(program, run, asked, Some(&points));
                with_arguments(program, run, (statement, local), answer, &missed)
            }
        };
        sum.executions += part.executions;
        sum.holds += part.holds;
        sum.queries += part.queries;
        part.sources.into_iter().for_each(|(line, count)| *sources.entry(line).or_default() += count);
    }
    sum.sources = sources.into_iter().collect();
    Ok(sum)
}

/// The variable of a name before a statement, if it has definitions: what is in memory has none.
pub(super) fn meant_definition(
    program: SourceProgram<'_>,
    statement: StatementId,
    name: &str,
) -> Result<Variable, PlaceError> {
    match variable_of_statement(program, statement, name)? {
        Variable::Memory(_) => Err(PlaceError::InMemory { name: name.to_owned() }),
        variable => Ok(variable),
    }
}

/// The statements of a line that load, and read the variable of the question if it has one.
pub(super) fn loads_of_line(
    program: SourceProgram<'_>,
    question: FactQuestion<'_>,
) -> Result<Vec<StatementId>, PlaceError> {
    if program.statements_at(question.at).is_empty() {
        return Err(PlaceError::NoStatement);
    }
    let asked = expressions(program, FactQuestion { fact: Fact::Load, ..question })?;
    Ok(asked.into_iter().map(|(statement, _)| statement).collect())
}

/// The loads or operations of a line.
pub(super) fn expressions(
    program: SourceProgram<'_>,
    question: FactQuestion<'_>,
) -> Result<Vec<(StatementId, Expression)>, PlaceError> {
    let mut found: Vec<(StatementId, Expression)> = Vec::new();
    for statement in program.statements_at(question.at) {
        let func = function_of(statement.procedure);
        let of_line = Expression::of(program.module, func, block_of(statement.block), statement.index as usize);
        let Some(expression) = of_line.filter(|expression| question.fact.is_of(expression)) else { continue };
        if let Some(name) = question.variable
            && !reads(program, statement, &expression, name)?
        {
            continue;
        }
        found.push((statement, expression));
    }
    if found.is_empty() {
        return Err(PlaceError::NothingToAsk);
    }
    Ok(found)
}

fn reads(
    program: SourceProgram<'_>,
    statement: StatementId,
    expression: &Expression,
    name: &str,
) -> Result<bool, PlaceError> {
    let reads = expression.reads();
    Ok(match variable_of_statement(program, statement, name)? {
        Variable::Local(local) => reads.locals.contains(&local),
        Variable::Global(global) => reads.globals.contains(&global),
        Variable::Memory(_) => return Err(PlaceError::InMemory { name: name.to_owned() }),
    })
}

/// One fact at one statement, asked along every path trace.
struct AskedFact<'a> {
    program: SourceProgram<'a>,
    run: &'a ProgramExecution,
    problem: FactProblem<'a>,
    statement: StatementId,
    /// The executions that count; all of the statement if left out.
    only: Option<&'a [(ActivationId, Point)]>,
    missed: &'a mut Missed,
}

impl AskedFact<'_> {
    fn ask(mut self, answer: &mut FactAnswer, sources: &mut BTreeMap<SourceLine, u64>) {
        let run = self.run;
        // For each trace whose activations are all alike, the first of them answers.
        let mut shared: BTreeMap<_, (u64, Answer)> = BTreeMap::new();
        for (id, activation) in &run.execution.activations {
            if activation.procedure != self.statement.procedure {
                continue;
            }
            if self.only.is_none() && !self.problem.depends_on_activation(id) {
                if let Some((count, _)) = shared.get_mut(&activation.trace) {
                    *count += 1;
                } else if let Some(found) = self.ask_activation(id) {
                    shared.insert(activation.trace, (1, found));
                }
            } else if let Some(found) = self.ask_activation(id) {
                let missed = found.fails.len() + found.unresolved.len();
                if missed > 0 {
                    *self.missed.entry(id).or_default() += missed;
                }
                self.add(&found, 1, id, answer, sources);
            }
        }
        for (trace, (count, found)) in shared {
            let mut activations = run.execution.activations.iter();
            let first = activations.find(|(_, it)| it.trace == trace).expect("one followed it").0;
            self.add(&found, count, first, answer, sources);
        }
    }

    fn ask_activation(&mut self, activation: ActivationId) -> Option<Answer> {
        let graph = self.run.execution.trace_of(activation);
        let data = &self.run.execution.activations[activation];
        let (node, _) = graph.home(self.statement.block)?;
        let mut times = Series::default();
        let is_cut = |time: u64| {
            data.failures.iter().any(|failure| failure.time == time && failure.statement < self.statement.index)
        };
        match self.only {
            Some(points) => {
                let own = points.iter().filter(|(id, point)| {
                    *id == activation && graph.block_at(point.time, 0) == Some(self.statement.block)
                });
                own.for_each(|(_, point)| times.push(point.time));
            }
            None => graph.times(node).iter().filter(|time| !is_cut(*time)).for_each(|time| times.push(time)),
        }
        (!times.is_empty()).then(|| self.problem.ask(activation, node, &times, self.statement.index))
    }

    fn add(
        &mut self,
        found: &Answer,
        count: u64,
        activation: ActivationId,
        answer: &mut FactAnswer,
        sources: &mut BTreeMap<SourceLine, u64>,
    ) {
        answer.executions += count * (found.holds.len() + found.fails.len() + found.unresolved.len());
        answer.holds += count * found.holds.len();
        answer.queries += found.queries.len() as u64;
        let procedure = self.statement.procedure;
        for resolution in &found.resolutions {
            let block = self.run.execution.trace_of(activation).blocks(resolution.node)[0];
            let last = self.problem.generators(procedure, block).last().copied();
            let line = last.and_then(|index| self.program.line_of_statement(StatementId { procedure, block, index }));
            if let Some(line) = line {
                *sources.entry(line).or_default() += count * resolution.generated.len();
            }
        }
    }
}
