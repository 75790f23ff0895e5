//! Facts about modules of WebAssembly.
//!
//! In: text modules, by hand and by chance. Out: answers, compared with a walk over the whole execution.

use super::programs::TestProgram;
use super::queries;
use super::random_module::random_module;
use crate::common::programs::seeds;
use holloway_study::trace::query::{Fact, FactAnswer, FactQuestion, query};

fn ask(program: &TestProgram, fact: Fact, line: u32, variable: Option<&str>) -> FactAnswer {
    let question = FactQuestion { fact, at: program.line(line), variable };
    query(program.sourced(), &program.execution(""), question).expect("it is a question")
}

#[test]
fn stores_kill_loads_of_the_bytes_that_they_write() {
    let program = TestProgram::of_module(
        "(module
(memory 1)
(func (export \"_start\") (local $i i32) (local $s i32)
(loop $more
(local.set $s (i32.load offset=4 (i32.const 0)))
(i32.store8 (local.get $i) (i32.const 1))
(local.set $s (i32.load offset=4 (i32.const 0)))
(local.set $i (i32.add (local.get $i) (i32.const 1)))
(br_if $more (i32.lt_u (local.get $i) (i32.const 10))))))
",
    );
    let at = |line| {
        let answer = ask(&program, Fact::Load, line, None);
        (answer.executions, answer.holds, answer.is_exact)
    };
    // Bytes 4 to 7 are stored in four of the ten iterations.
    assert_eq!(at(7), (10, 6, true));
    assert_eq!(at(5), (10, 9, true));
}

/// The operand waits on the stack, while the local that it was computed from changes.
#[test]
fn an_operand_that_is_old_is_no_expression_of_what_is_new() {
    let program = TestProgram::of_module(
        "(module
(func (export \"_start\") (local $x i32) (local $y i32)
(local.get $x) (i32.const 1) (i32.add)
(local.set $x (i32.const 5))
(i32.const 3) (i32.mul) (local.set $y)
(local.set $y (i32.mul (i32.add (local.get $x) (i32.const 1)) (i32.const 3)))))
",
    );
    let answer = ask(&program, Fact::Expression, 6, None);
    assert_eq!((answer.executions, answer.holds), (2, 0));
}

#[test]
fn parameters_that_are_set_have_definitions_from_callers_and_their_own() {
    let program = TestProgram::of_module(
        "(module
(func $f (param $n i32) (result i32)
(if (i32.gt_s (local.get $n) (i32.const 2)) (then
(local.set $n (i32.const 2))))
(local.get $n) (i32.const 1)
(i32.add))
(func (export \"_start\")
(drop (call $f (i32.const 1)))
(drop (call $f (i32.const 5)))
(drop (call $f (i32.const 2)))))
",
    );
    let answer = ask(&program, Fact::Definition, 6, Some("n"));
    assert_eq!((answer.executions, answer.holds), (3, 3));
    assert_eq!(answer.sources, [(program.line(4), 1), (program.line(8), 1), (program.line(10), 1)]);
}

#[test]
fn answers_equal_a_walk_over_random_modules() {
    let of = |seed| {
        let text = random_module(seed);
        queries::check_program(&format!("seed {seed}"), &text, &TestProgram::of_module(&text))
    };
    let holds: u64 = seeds(20).map(of).sum();
    assert!(holds > 50, "{holds}");
}
