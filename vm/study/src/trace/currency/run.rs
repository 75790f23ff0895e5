//! Currency of a variable over a whole run.
//!
//! In: a program with an execution of it, and a [`CurrencyQuestion`]. Out: [`CurrencyAnswers`], one for each
//! execution of the line.
//!
//! A local is decided activation by activation. A global is always current: no pass moves or deletes a store to one.

use super::events::PathPoint;
use super::motion::{Answer, AssignedAt, KnownValue, VariableMotions};
use crate::trace::execution::{ExecutionOrder, ProgramExecution};
use crate::trace::facts::names::Variable;
use crate::trace::facts::place::{PlaceError, SourceLine, SourceProgram, executions_of, function_of};
use crate::trace::slice::variable_of_statement;
use holloway_jit::graph_of::{block_of, node_of};
use holloway_lang::ir::{Block, FuncRef, Global, Inst, Local};
use holloway_lang::source::Span;
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use holloway_profiler::wpp::slice::{ActivationId, Point, StatementId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// A question for the currency of a variable.
#[derive(Clone, Copy, Debug)]
pub struct CurrencyQuestion<'a> {
    /// The line.
    pub at: SourceLine,
    /// The variable, by its name on that line.
    pub variable: &'a str,
}

/// The answers at the executions of a line, in order: alike ones are kept once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrencyAnswers {
    answers: Vec<CurrencyOccurrence>,
    /// Of each execution, the position of its answer.
    of: Vec<u32>,
}

impl CurrencyAnswers {
    /// Number of executions.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// True iff the line was never executed.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The answer at each execution.
    pub fn iter(&self) -> impl Iterator<Item = &CurrencyOccurrence> {
        self.of.iter().map(|at| &self.answers[*at as usize])
    }

    /// Stretches of executions with one answer, in order: the answer, the first execution, from 1, and the last.
    pub fn stretches(&self) -> impl Iterator<Item = (&CurrencyOccurrence, u64, u64)> {
        let mut next = 1;
        self.of.chunk_by(|a, b| a == b).map(move |stretch| {
            let first = next;
            next += stretch.len() as u64;
            (&self.answers[stretch[0] as usize], first, next - 1)
        })
    }

    /// The different answers, in no order.
    pub fn different(&self) -> &[CurrencyOccurrence] {
        &self.answers
    }

    fn position(&mut self, answer: CurrencyOccurrence) -> u32 {
        let known = self.answers.iter().position(|known| *known == answer);
        let at = known.unwrap_or_else(|| {
            self.answers.push(answer);
            self.answers.len() - 1
        });
        at as u32
    }

    fn set(&mut self, nth: u32, answer: CurrencyOccurrence) {
        self.of[nth as usize] = self.position(answer);
    }
}

impl FromIterator<CurrencyOccurrence> for CurrencyAnswers {
    fn from_iter<I: IntoIterator<Item = CurrencyOccurrence>>(answers: I) -> CurrencyAnswers {
        let mut all = CurrencyAnswers::default();
        for answer in answers {
            let at = all.position(answer);
            all.of.push(at);
        }
        all
    }
}

/// The answer at an execution of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrencyOccurrence {
    /// The debugger shows the value that the source program would have.
    pub is_current: bool,
    /// It shows that value in some copies of the line's code, if not in all.
    pub may_be_current: bool,
    /// False if the answer depends on which copy of a block was executed, which the path does not tell.
    pub is_certain: bool,
    /// The line of the assignment whose value the debugger shows, in those copies where it is not the right one if there are some; `None` before there
    /// is one.
    pub value_of: Option<SourceLine>,
    /// The same in the other copies.
    pub value_otherwise: Option<SourceLine>,
    /// The line of the assignment whose value is right; `None` before there is one.
    pub right: Option<SourceLine>,
    /// The right value, if the variable does not have it and the optimizer knew it.
    pub known: Option<RightValue>,
}

/// A right value that the home of the variable does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightValue {
    /// A constant.
    Constant(String),
    /// The value that the assignment on this line computed.
    OfLine(SourceLine),
}

/// Decides the currency of a variable at each execution of a line.
pub fn currency(
    program: SourceProgram<'_>,
    run: &ProgramExecution,
    question: CurrencyQuestion<'_>,
) -> Result<CurrencyAnswers, PlaceError> {
    let executions = executions_of(program, run, question.at)?;
    let mut found = CurrencyAnswers { answers: Vec::new(), of: vec![0; executions.len()] };
    // Executions by activation, each by its number.
    let mut numbers: Vec<u32> = (0..executions.len() as u32).collect();
    let activation_of = |nth: &u32| executions[*nth as usize].activation;
    numbers.sort_by_key(activation_of);
    let mut variables: HashMap<StatementId, Variable> = HashMap::new();
    let mut locals: HashMap<(FuncRef, Local), VariableMotions> = HashMap::new();
    let mut stores: HashMap<Global, GlobalStores> = HashMap::new();
    let order = ExecutionOrder::new(&run.execution);
    for numbers in numbers.chunk_by(|a, b| activation_of(a) == activation_of(b)) {
        let activation = activation_of(&numbers[0]);
        let func = function_of(run.execution.activations[activation].procedure);
        // A line may be in several scopes with a variable of that name.
        let mut of_variable: BTreeMap<Variable, Vec<(u32, Point)>> = BTreeMap::new();
        for nth in numbers {
            let point = executions[*nth as usize].point();
            let statement = statement_at(run, activation, point);
            let variable = match variables.get(&statement) {
                Some(variable) => *variable,
                None => variable_of_statement(program, statement, question.variable)?,
            };
            variables.insert(statement, variable);
            of_variable.entry(variable).or_default().push((*nth, point));
        }
        for (variable, points) in of_variable {
            match variable {
                Variable::Local(local) => {
                    let new = || VariableMotions::new(program.module, func, local);
                    let motions = locals.entry((func, local)).or_insert_with(new);
                    let answers = along(run, activation, motions, &points);
                    for ((nth, _), answer) in points.iter().zip(answers) {
                        found.set(*nth, occurrence(program, func, &answer));
                    }
                }
                Variable::Memory(_) => {
                    return Err(PlaceError::InMemory { name: question.variable.to_owned() });
                }
                Variable::Global(global) => {
                    let stores =
                        stores.entry(global).or_insert_with(|| GlobalStores::new(program, run, &order, global));
                    for (nth, point) in points {
                        let line = stores.before(&order, activation, point);
                        found.set(nth, current(line));
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The statement at a point.
fn statement_at(run: &ProgramExecution, activation: ActivationId, point: Point) -> StatementId {
    let procedure = run.execution.activations[activation].procedure;
    let block = run.execution.trace_of(activation).block_at(point.time, 0).expect("the point was executed");
    StatementId { procedure, block, index: point.statement }
}

/// The answers at points of an activation.
fn along(
    run: &ProgramExecution,
    activation: ActivationId,
    motions: &VariableMotions,
    points: &[(u32, Point)],
) -> Vec<Answer> {
    let path: Vec<Block> = blocks(run.execution.trace_of(activation)).collect();
    let at = |point: &Point| PathPoint { step: point.time as usize - 1, index: point.statement as usize };
    let failures: Vec<PathPoint> = run.execution.activations[activation].failures.iter().map(at).collect();
    let points: Vec<PathPoint> = points.iter().map(|(_, point)| at(point)).collect();
    motions.answers(&path, &failures, &points)
}

/// The blocks of a path trace whose timestamps count blocks.
fn blocks(trace: &DynamicGraph) -> impl Iterator<Item = Block> + '_ {
    (1..=trace.len()).map_while(|time| trace.block_at(time, 0).map(block_of))
}

fn occurrence(program: SourceProgram<'_>, func: FuncRef, answer: &Answer) -> CurrencyOccurrence {
    let body = program.module.function(func);
    let line = |at: AssignedAt| {
        let span: Span = match at {
            AssignedAt::Entry => body.span,
            AssignedAt::Inst(block, index) => body.blocks[block].spans[index],
        };
        program.line_of(span)
    };
    let known = answer.known.clone().filter(|_| !answer.is_current).map(|known| match known {
        KnownValue::Constant(constant) => RightValue::Constant(constant),
        KnownValue::SameAs(at) => RightValue::OfLine(line(at)),
    });
    CurrencyOccurrence {
        is_current: answer.is_current,
        may_be_current: answer.may_be_current,
        is_certain: answer.is_certain,
        value_of: answer.held.map(line),
        value_otherwise: answer.held_otherwise.map(line),
        right: answer.expected.map(line),
        known,
    }
}

fn current(line: Option<SourceLine>) -> CurrencyOccurrence {
    CurrencyOccurrence {
        is_current: true,
        may_be_current: true,
        is_certain: true,
        value_of: line,
        value_otherwise: line,
        right: line,
        known: None,
    }
}

/// The stores to a global, in order of execution.
struct GlobalStores(Vec<(Moment, SourceLine)>);

/// A moment of [`ExecutionOrder`].
type Moment = (usize, Reverse<ActivationId>, Point);

impl GlobalStores {
    fn new(program: SourceProgram<'_>, run: &ProgramExecution, order: &ExecutionOrder, global: Global) -> GlobalStores {
        let mut stores = Vec::new();
        for (id, activation) in &run.execution.activations {
            let body = program.module.function(function_of(activation.procedure));
            let trace = run.execution.trace_of(id);
            for (block, data) in body.blocks.iter() {
                let Some((node, _)) = trace.home(node_of(block)) else { continue };
                for (index, inst) in data.insts.iter().enumerate() {
                    if !matches!(inst, Inst::GlobalSet { global: to, .. } if *to == global) {
                        continue;
                    }
                    let line = program.line_of(data.spans[index]);
                    let points = trace.times(node).iter().map(|time| Point::at(time, index as u32));
                    let fails = |point: &Point| {
                        let is_before = |failure: &Point| failure.time == point.time && *failure <= *point;
                        activation.failures.iter().any(is_before)
                    };
                    stores.extend(points.filter(|point| !fails(point)).map(|point| (order.moment(id, point), line)));
                }
            }
        }
        stores.sort_unstable();
        GlobalStores(stores)
    }

    /// The line of the last store before a point.
    fn before(&self, order: &ExecutionOrder, activation: ActivationId, point: Point) -> Option<SourceLine> {
        let moment = order.moment(activation, point);
        let before = self.0.partition_point(|(at, _)| *at < moment);
        Some(self.0[before.checked_sub(1)?].1)
    }
}
