//! The record of assignments: what the passes make of each, on small programs and by execution.
//!
//! In: programs, some of the generator. Out: a failed test that shows the fates, or the first point of a run at which the
//! record names another assignment as the last than optimized code executed.

mod executed;

use super::common::Program;
use holloway_jit::opt::assignments::{Assignment, ExecutedAt, Fate, Known, Position, When};
use holloway_jit::opt::construct::Inlining;
use holloway_jit::opt::pipeline::Options;
use holloway_lang::ir::{FuncRef, Module};
use std::fmt::Write as _;

/// The fates of the assignments of function `f`: a line for each.
fn fates_after(source: &str, disabled: &[&str]) -> String {
    let program = Program::of_source(source.to_owned(), 0).expect("the program is correct");
    let (func, _) = program.module.funcs.iter().find(|(_, decl)| decl.body.name == "f").expect("there is an `f`");
    let options = Options { disabled: disabled.iter().map(|name| (*name).to_owned()).collect(), ..Options::default() };
    let (_, assignments) = program.recorded(func, Inlining::Observed, &options);
    told(&program.module, func, &assignments)
}

fn fates(source: &str) -> String {
    fates_after(source, &[])
}

fn told(module: &Module, func: FuncRef, assignments: &[Assignment]) -> String {
    let body = module.function(func);
    let mut out = String::new();
    for (at, assignment) in assignments.iter().enumerate() {
        let inst = &body.blocks[assignment.block].insts[assignment.index];
        let name = body.locals[assignment.local].name.as_deref().expect("it is a named local");
        let fate = match &assignment.fate {
            _ if assignment.is_in_place() => "in place".to_owned(),
            Fate::Executed(places) => places.iter().map(place).collect::<Vec<_>>().join(", "),
            Fate::Deleted { pass, known } => format!("deleted by {pass}{}", known.map_or(String::new(), self::known)),
        };
        writeln!(out, "{at}: {}.{} {name} `{inst}`: {fate}", assignment.block, assignment.index).unwrap();
    }
    out
}

fn place(at: &ExecutedAt) -> String {
    let Position { block, index, order } = at.position;
    let ahead = if order == Position::ITSELF { "" } else { "ahead of " };
    match &at.when {
        When::Always => format!("{ahead}{block}.{index}"),
        When::Entering(_) => format!("entering {block}"),
        When::Sometimes => format!("sometimes {ahead}{block}.{index}"),
    }
}

fn known(known: Known) -> String {
    match known {
        Known::Constant(constant) => format!(", {constant}"),
        Known::SameAs(other) => format!(", as {other}"),
    }
}

#[test]
fn an_invariant_assignment_is_in_the_preheader() {
    let told = fates(
        "fn f(n: int, a: int) -> int {
            var s = 0
            var x = 1
            for i in 0..n {
                s += x
                x = a * a
                s ^= x
            }
            return s
        }",
    );
    insta::assert_snapshot!(told);
}

#[test]
fn dead_equal_and_constant_assignments_are_deleted() {
    let told = fates(
        "fn f(a: int, b: int) -> int {
            var dead = a * b
            dead = a
            let copied = a
            let x = a * b + 1
            let same = a * b + 1
            let six = 6
            let folded = six * 7
            return dead + x * same - folded
        }",
    );
    insta::assert_snapshot!(told);
}

#[test]
fn a_select_decides_about_an_assignment() {
    let told = fates(
        "fn f(a: int, b: int) -> int {
            var x = a
            if a < b { x = b - a }
            return x
        }",
    );
    insta::assert_snapshot!(told);
}

#[test]
fn an_assignment_is_executed_on_speculation() {
    let told = fates(
        "fn f(a: int, b: int) -> int {
            var x = a
            var y = b
            if a < b {
                x = b - a
                y = x ^ 1
            }
            return y
        }",
    );
    insta::assert_snapshot!(told);
}

#[test]
fn copies_of_a_block_execute_its_assignments() {
    let told = fates(
        "fn f(a: [int], n: int) -> int {
            var s = 0
            var i = 0
            while i < n {
                s = s * 3 ^ i
                i += 1
            }
            return s
        }",
    );
    insta::assert_snapshot!(told);
}

#[test]
fn the_result_of_an_inlined_call_is_assigned_where_the_call_was() {
    let told = fates(
        "fn half(a: int) -> int { return a / 2 }
        fn f(a: int) -> int {
            var x = a
            x = half(x) + 1
            let y = half(x)
            return x ^ y
        }",
    );
    insta::assert_snapshot!(told);
}

#[test]
fn locals_of_handlers_are_stored() {
    let told = fates(
        "fn f(a: [int]) -> int {
            var x = 1
            try {
                x = a[0] + 1
                x = a[1] + 1
            } catch e {
                return x
            }
            return x
        }",
    );
    insta::assert_snapshot!(told);
}

#[test]
fn without_passes_assignments_are_in_place() {
    let all: Vec<&str> = holloway_jit::opt::pipeline::PASSES.iter().map(|pass| pass.name).collect();
    let source = "fn f(n: int, a: int) -> int {
        var x = 1
        for i in 0..n { x = a * a }
        return x
    }";
    assert!(fates_after(source, &all).lines().all(|line| line.ends_with("in place")));
}
