//! Facts about runs of whole programs.
//!
//! In: random programs, and small ones with one behaviour each. Out: answers, compared with a walk over the whole execution.

use super::availability_walk::{AvailabilityWalk, Watched};
use super::programs::{ARRAYS, TestProgram};
use crate::common::programs::{FAILURES, seeds};
use cranelift_entity::EntityRef;
use holloway_generator::{Size, program};
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::Module;
use holloway_profiler::wpp::slice::{ProcedureId, StatementId};
use holloway_study::trace::AnswerError;
use holloway_study::trace::facts::expressions::Expression;
use holloway_study::trace::facts::place::PlaceError;
use holloway_study::trace::query::{
    Fact, FactAnswer, FactQuestion, HotFact, Optimized, availability, hottest, loads_in_hand, query, query_forward,
};

/// Number of statements asked about in one program.
const STATEMENTS: usize = 40;

fn ask(program: &TestProgram, fact: Fact, line: u32, variable: Option<&str>) -> Result<FactAnswer, PlaceError> {
    query(program.sourced(), &program.execution(""), FactQuestion { fact, at: program.line(line), variable })
}

fn counts(answer: &Result<FactAnswer, PlaceError>) -> (u64, u64) {
    let answer = answer.as_ref().expect("it is a question");
    (answer.executions, answer.holds)
}

#[test]
fn the_load_of_figure_9_is_always_redundant() {
    let program = TestProgram::new(
        "var g = 1
fn main() {
    var s = 0
    for i in 0..100 {
        s = s + g
        if i < 60 {
            s = s + g
        } else {
            g = i
        }
    }
    print(s)
}
",
    );
    let answer = ask(&program, Fact::Load, 7, None).expect("it is a load");
    assert_eq!((answer.executions, answer.holds), (60, 60));
    assert!(answer.queries <= 6, "{} queries", answer.queries);
    assert_eq!(answer.sources, [(program.line(5), 60)]);
    // The first load of an iteration is redundant unless there was a store before it.
    assert_eq!(counts(&ask(&program, Fact::Load, 5, None)), (100, 60));
}

/// The loads of a line that had their value in hand, all loads of it, and the lines that gave the values.
fn in_hand(program: &TestProgram, line: u32) -> (u64, u64, Vec<(u32, u64)>) {
    let question = FactQuestion { fact: Fact::Load, at: program.line(line), variable: None };
    let answer = loads_in_hand(program.sourced(), (&mut program.runtime(""), None), question).expect("it has loads");
    (answer.holds, answer.executions, answer.sources.iter().map(|(at, times)| (at.line, *times)).collect())
}

#[test]
fn a_store_of_the_iteration_before_gives_a_value() {
    let program = TestProgram::new(
        "fn run(a: [int], n: int) -> int {
    var s = 0
    for i in 1..n - 1 {
        s += a[i - 1] + a[i + 1]
        a[i] = s
    }
    return s
}
print(run([1; 1000], 1000))
",
    );
    assert_eq!(in_hand(&program, 4), (997, 1996, vec![(5, 997)]));
    let expressions = ask(&program, Fact::Load, 4, None);
    assert_eq!(counts(&expressions), (1996, 0), "no expression of the activation computed it");
}

#[test]
fn values_are_in_hand_across_calls() {
    let program = TestProgram::new(
        "struct C { v: int }
var g = 0
fn get(c: C) -> int { return c.v }
fn f(c: C, n: int) -> int {
    var s = 0
    for i in 0..n {
        s += get(c)
        if i % 4 == 0 { c.v = i }
        g += 1
    }
    return s
}
print(f(C(v: 3), 100))
",
    );
    assert_eq!(in_hand(&program, 3), (99, 100, vec![(3, 74), (8, 25)]), "an object that is made was not accessed");
    assert_eq!(in_hand(&program, 9), (100, 100, vec![(2, 1), (9, 99)]));
    let nothing = FactQuestion { fact: Fact::Load, at: program.line(5), variable: None };
    let answer = loads_in_hand(program.sourced(), (&mut program.runtime(""), None), nothing);
    assert_eq!(answer, Err(AnswerError::Place(PlaceError::NothingToAsk)));
}

/// Random programs, beside the accesses of the whole execution.
#[test]
fn values_in_hand_are_those_of_addresses_that_were_accessed() {
    let mut loads = 0;
    for source in seeds(8).map(|seed| program(seed, Size::Small)) {
        let program = TestProgram::new(&source);
        let run = program.execution("");
        for line in 1..=source.lines().count() as u32 {
            let question = FactQuestion { fact: Fact::Load, at: program.line(line), variable: None };
            let Ok(answer) = loads_in_hand(program.sourced(), (&mut program.runtime(""), None), question) else {
                continue;
            };
            loads += answer.executions;
            let (mut holds, mut executions) = (0, 0);
            for part in &answer.parts {
                holds += part.holds;
                executions += part.executions;
            }
            assert_eq!((holds, executions), (answer.holds, answer.executions));
            assert_eq!(answer.sources.iter().map(|(_, times)| times).sum::<u64>(), answer.holds);
            // By expression it is known no more often than by address, but for strings.
            let known = query(program.sourced(), &run, question).expect("it is a question");
            assert!(!answer.is_exact || known.holds <= answer.holds, "{source}\n{line}: {known:?} {answer:?}");
            assert!(known.executions == answer.executions, "{source}\n{line}: {known:?} {answer:?}");
        }
    }
    assert!(loads > 100, "{loads}");
}

#[test]
fn stores_kill_by_address() {
    let program = TestProgram::new(
        "fn main() {
    let a = [1; 4]
    let b = [2; 4]
    var s = 0
    for i in 0..10 {
        s = s + a[1]
        b[1] = s
        a[2] = s
        s = s + a[1]
        if i == 5 { a[1] = 3 }
        s = s * 2
        s = s + a[1]
    }
    print(s)
}
",
    );
    let answer = ask(&program, Fact::Load, 12, None);
    assert_eq!(counts(&answer), (10, 9));
    assert!(answer.expect("it is a load").is_exact);
    assert_eq!(counts(&ask(&program, Fact::Load, 9, None)), (10, 10));
    assert_eq!(counts(&ask(&program, Fact::Load, 6, None)), (10, 9));
}

#[test]
fn calls_have_the_effects_of_their_traces() {
    let program = TestProgram::new(
        "var g = 1
fn touch(n: int) {
    if n % 4 == 0 { g = n }
}
fn main() {
    var s = 0
    for i in 0..8 {
        s = s + g
        touch(i)
        s = s + g
    }
    print(s)
}
",
    );
    assert_eq!(counts(&ask(&program, Fact::Load, 10, None)), (8, 6));
}

#[test]
fn expressions_and_definitions() {
    let program = TestProgram::new(
        "fn f(a: int, b: int) -> int {
    var x = a * b
    if a > 2 {
        x = 7
    }
    let y = a * b
    return x + y
}
fn main() {
    for i in 0..5 { print(f(i, 3)) }
}
",
    );
    assert_eq!(counts(&ask(&program, Fact::Expression, 6, None)), (5, 5));
    assert_eq!(counts(&ask(&program, Fact::Expression, 2, None)), (5, 0));
    let answer = ask(&program, Fact::Definition, 7, Some("x")).expect("it is a variable");
    assert_eq!((answer.executions, answer.holds), (5, 5));
    assert_eq!(answer.sources, [(program.line(2), 3), (program.line(4), 2)]);
    assert_eq!(ask(&program, Fact::Definition, 7, None), Err(PlaceError::VariableMissing));
    assert_eq!(ask(&program, Fact::Load, 6, None), Err(PlaceError::NothingToAsk));
}

#[test]
fn a_line_has_the_loads_that_lists_have() {
    let program = TestProgram::new(
        "var s = 0
let a = [1, 2, 3, 4]
for i in 0..4 {
    a[3 - i] = i
    s += a[i]
}
print(s)
",
    );
    let answer = ask(&program, Fact::Load, 5, None).expect("it has loads");
    let listed =
        hottest(program.sourced(), (&mut program.runtime(""), None), Fact::Load).expect("nothing was recorded");
    let mut of_line =
        answer.parts.iter().filter(|part| part.holds > 0).map(|part| (part.span, part.executions, part.holds));
    let expected = listed.iter().filter(|fact| fact.at == program.line(5));
    assert!(expected.map(|fact| (fact.span, fact.executions, fact.holds)).eq(&mut of_line));
    // The array is known from the line before; its element and the sum are not.
    let parts: Vec<(u64, u64)> = answer.parts.iter().map(|part| (part.executions, part.holds)).collect();
    assert_eq!((answer.executions, answer.holds, parts), (12, 4, vec![(4, 0), (4, 4), (4, 0)]));
}

#[test]
fn definitions_come_from_callers_and_earlier_statements() {
    let program = TestProgram::new(
        "var g = 1
fn show(n: int) {
    print(g + n)
}
fn main() {
    show(1)
    g = 2
    show(2)
    show(3)
}
",
    );
    let of = |variable| ask(&program, Fact::Definition, 3, Some(variable)).expect("it is a variable");
    let line = |number, count| (program.line(number), count);
    assert_eq!(of("g").sources, [line(1, 1), line(7, 2)]);
    assert_eq!(of("n").sources, [line(6, 1), line(8, 1), line(9, 1)]);
    assert_eq!((of("n").executions, of("n").holds, of("g").holds), (3, 3, 3));
}

/// The hottest loads of a program: line, executions, redundant ones, and what becomes of them in optimized code.
fn hottest_loads(source: &str) -> Vec<(u32, u64, u64, Optimized)> {
    let program = TestProgram::new(source);
    let all = hottest(program.sourced(), (&mut program.runtime(""), None), Fact::Load).expect("nothing was recorded");
    all.iter().map(|it| (it.at.line, it.executions, it.holds, it.optimized)).collect()
}

#[test]
fn the_hottest_loads_come_first_with_their_fate() {
    let loads = hottest_loads(
        "fn step(a: [int], b: [int], i: int) -> int {
    let x = a[i]
    let y = a[i]
    b[i] = x + y
    return x + a[i]
}
fn main() {
    let a = filled(1)
    let b = filled(2)
    var s = 0
    for i in 0..50 {
        s = s + step(a, b, i % 8) + step(a, b, i % 8)
    }
    print(s)
}
fn filled(with: int) -> [int] { return [with; 8] }
",
    );
    // Nothing is between the first two loads; the third one follows a store that might be to the same array, and never is.
    assert_eq!(loads, [(3, 100, 100, Optimized::Removed), (5, 100, 100, Optimized::Kept)]);
}

#[test]
fn a_load_that_leaves_its_loop_is_hoisted() {
    let loads = hottest_loads(
        "fn sum(a: [int], n: int) -> int {
    var s = 0
    for i in 0..n {
        s = s ^ a[0] + i
    }
    return s
}
fn main() {
    print(sum([5; 3], 10) + sum([6; 3], 30))
}
",
    );
    assert_eq!(loads, [(4, 40, 38, Optimized::Hoisted)]);
}

#[test]
fn answers_equal_a_walk_over_random_programs() {
    for seed in seeds(20) {
        let source = program(seed, if seed % 4 == 0 { Size::Medium } else { Size::Small });
        check(&format!("seed {seed}"), &source);
    }
    check("failures", FAILURES);
}

fn check(name: &str, source: &str) {
    check_program(name, source, &TestProgram::new(source));
}

/// Compares answers about some statements of a program. Returns how often facts held.
pub(super) fn check_program(name: &str, source: &str, program: &TestProgram) -> u64 {
    let run = program.execution("");
    let walk = program.watch(AvailabilityWalk::new(program.module(), statements_of(program.module())));
    for watched in &walk.watched {
        let (procedure, block) = (ProcedureId::new(watched.func.index()), node_of(watched.block));
        let statement = StatementId { procedure, block, index: watched.index as u32 };
        let answer = availability(program.sourced(), &run, statement).expect("it computes something");
        assert_eq!(answer.executions, watched.executions, "{name}, {statement:?}\n{source}");
        if watched.expression.is_in_memory() && watched.expression.reads().locals.is_empty() {
            // A callee may load and store it: then the answer is a lower bound.
            assert!(answer.holds <= watched.holds, "{name}, {statement:?}\n{source}");
        } else {
            assert_eq!(answer.holds, watched.holds, "{name}, {statement:?} {:?}\n{source}", watched.expression);
        }
    }
    check_forward(name, source, program, &walk.watched);
    walk.watched.iter().map(|watched| watched.holds).sum()
}

/// Compares what executing the run again tells of all statements.
fn check_forward(name: &str, source: &str, program: &TestProgram, watched: &[Watched]) {
    let all = [Fact::Load, Fact::Expression]
        .map(|fact| hottest(program.sourced(), (&mut program.runtime(""), None), fact).expect("nothing was recorded"));
    for watched in watched {
        let is_that = |fact: &&HotFact| {
            (fact.func, fact.block, fact.instruction as usize) == (watched.func, watched.block, watched.index)
        };
        let found = all.iter().flatten().find(is_that);
        let is_listed = watched.expression.is_load() || watched.expression.is_operation();
        let expected = (watched.holds > 0 && is_listed).then_some((watched.executions, watched.holds));
        let found = found.map(|fact| (fact.executions, fact.holds));
        assert_eq!(found, expected, "{name}, {:?} {:?}\n{source}", watched.func, watched.expression);
    }
}

/// Random programs asked both ways: along the path of an execution that is kept, and while the run is executed again.
#[test]
fn runs_that_are_not_kept_answer_alike() {
    let (mut operations, mut definitions) = (0, 0);
    for source in seeds(8).map(|seed| program(seed, Size::Small)).chain([ARRAYS.to_owned(), FAILURES.to_owned()]) {
        let program = TestProgram::new(&source);
        let run = program.execution("");
        for (line, text) in (1..).zip(source.lines()) {
            let both = |fact, variable| {
                let question = FactQuestion { fact, at: program.line(line), variable };
                let kept = query(program.sourced(), &run, question).ok().filter(|kept| kept.executions > 0)?;
                let forward = query_forward(program.sourced(), (&mut program.runtime(""), None), question);
                Some((kept, forward.unwrap_or_else(|error| panic!("{error}: line {line}\n{source}"))))
            };
            let figures = |answer: &FactAnswer| (answer.executions, answer.holds, answer.parts.clone());
            if let Some((kept, forward)) = both(Fact::Expression, None) {
                assert_eq!(figures(&kept), figures(&forward), "line {line}\n{source}");
                assert_eq!(kept.is_exact, forward.is_exact);
                operations += kept.holds;
            }
            let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            for name in words.filter(|word| word.starts_with(char::is_alphabetic)).take(6) {
                let Some((kept, forward)) = both(Fact::Definition, Some(name)) else { continue };
                assert_eq!(figures(&kept), figures(&forward), "{name} at line {line}\n{source}");
                // Queries that meet share their answer, but not its sources.
                let times = |at| forward.sources.iter().find(|(known, _)| *known == at).map_or(0, |(_, times)| *times);
                assert!(kept.sources.iter().all(|(at, known)| *known <= times(*at)), "{kept:?} {forward:?}\n{source}");
                assert_eq!(forward.sources.iter().map(|(_, times)| times).sum::<u64>(), forward.holds);
                definitions += kept.holds;
            }
        }
    }
    assert!(operations > 100 && definitions > 1000, "{operations} {definitions}");
}

/// Some loads and operations of a module.
fn statements_of(module: &Module) -> Vec<Watched> {
    let mut all = Vec::new();
    for (func, decl) in &module.funcs {
        for (block, data) in decl.body.blocks.iter() {
            for index in 0..data.insts.len() {
                let expression = Expression::of(module, func, block, index);
                all.extend(expression.map(|expression| Watched {
                    func,
                    block,
                    index,
                    expression,
                    executions: 0,
                    holds: 0,
                }));
            }
        }
    }
    let distance = (all.len() / STATEMENTS).max(1);
    all.into_iter().step_by(distance).take(STATEMENTS).collect()
}
