//! Every pass preserves what programs do: random programs are run in SSA form before the passes and after each of them.
//!
//! In: programs of the generator, with a made-up profile, some with OSR points that are taken. Out: a failed test that names
//! the pass, with the smallest program that still shows it. Compared are the output, what was written to globals, and the end:
//! a failure by its kind, and by the function and place of each activation.
//!
//! `HOLLOWAY_PROGRAMS=2000 cargo test --release -p holloway-jit --test it passes` runs that many programs;
//! `HOLLOWAY_FIRST_SEED` sets where they start.

use super::common::{Program, linear, loops, seeds};
use super::interp::{End, Functions, Kind, Limits, Run, run};
use holloway_generator::{Size, minimize};
use holloway_jit::opt::Changed;
use holloway_jit::opt::pipeline::PASSES;
use holloway_jit::opt::ssa::{Func, Op};
use holloway_jit::opt::{parse, verify};
use holloway_jit::osr::Entry;
use holloway_lang::ir::{self, BinaryOp, FuncRef};

/// Programs that take longer are not compared.
const MOST_STEPS: u64 = 2_000_000;

/// Run of a program before the passes, if that is soon over.
fn first_run(program: &Program, functions: &Functions, seed: u64) -> Option<Run> {
    let limits = Limits { steps: MOST_STEPS, osr_every: osr_every(seed) };
    let first = run(&program.module, functions, limits);
    assert!(!matches!(first.end, End::Broken(_)), "seed {seed}: before any pass {:?}\n{}", first.end, program.source);
    (first.end != End::GivenUp).then_some(first)
}

/// Of programs with OSR points some never take one.
fn osr_every(seed: u64) -> u64 {
    [0, 1, 0, 7][(seed / 2 % 4) as usize]
}

/// A pass, or what stands for one.
type Transform<'a> = (&'a str, &'a dyn Fn(&mut Func) -> Changed);

/// The first of some passes, one after the other, that changes what a program does, and how.
fn difference(program: &Program, seed: u64, passes: &[Transform<'_>]) -> Option<String> {
    let mut functions = program.functions();
    let mut before = first_run(program, &functions, seed)?;
    for (name, pass) in passes {
        let mut changed = Changed::No;
        for ((id, _), func) in &mut functions {
            changed = changed.or(pass(func));
            if let Err(problem) = verify::verify(&program.module, func) {
                return Some(format!("{name} on {id}: {problem}"));
            }
        }
        if changed == Changed::No {
            continue;
        }
        // Fewer activations, fewer objects and a loop that is taken to another version may need more or fewer steps.
        let limits = Limits { steps: 4 * MOST_STEPS, osr_every: osr_every(seed) };
        let after = run(&program.module, &functions, limits);
        if after != before {
            return Some(format!("{name} changes\n{}\nto\n{}", told(&before), told(&after)));
        }
        before = after;
    }
    None
}

fn told(run: &Run) -> String {
    let from = run.output.len().saturating_sub(200);
    let output = String::from_utf8_lossy(&run.output.as_bytes()[from..]);
    format!(
        "{:?} after {} bytes of output, the last ones {output:?}; globals {:?}",
        run.end,
        run.output.len(),
        run.globals
    )
}

fn check(program: &Program, seed: u64, passes: &[Transform<'_>]) {
    let Some(why) = difference(program, seed, passes) else { return };
    if program.module.linear.is_some() {
        panic!("seed {seed}: {why}\n{}", program.source);
    }
    let differs = |source: &str| {
        Program::of_source(source.to_owned(), seed).is_some_and(|program| difference(&program, seed, passes).is_some())
    };
    let small = minimize(&program.source, differs);
    let why_small = Program::of_source(small.clone(), seed).and_then(|program| difference(&program, seed, passes));
    panic!("seed {seed}: {why}\nsmallest program:\n{small}\n{}", why_small.unwrap_or_default());
}

/// Checks every pass on programs with their seeds.
fn check_all(programs: impl Iterator<Item = (u64, Program)>) {
    let runs: Vec<_> = PASSES.iter().map(|pass| move |func: &mut Func| pass.run(func)).collect();
    let passes: Vec<Transform<'_>> = PASSES.iter().zip(&runs).map(|(pass, run)| (pass.name, run as _)).collect();
    programs.for_each(|(seed, program)| check(&program, seed, &passes));
}

#[test]
fn passes_preserve_what_programs_do() {
    let size = |seed: u64| if seed % 8 == 7 { Size::Medium } else { Size::Small };
    check_all(seeds(60).map(|seed| (seed, Program::random(seed, size(seed)))));
}

/// Seeds with which loads were found to move ahead of their own checks.
const FOUND: [u64; 2] = [614, 4459];

#[test]
fn passes_preserve_what_loops_do() {
    check_all(FOUND.into_iter().chain(seeds(200)).map(|seed| {
        let source = loops::program(seed);
        let program = Program::of_source(source.clone(), seed);
        (seed, program.unwrap_or_else(|| panic!("the program is correct:\n{source}")))
    }));
}

#[test]
fn passes_preserve_what_is_read_again() {
    check_all(seeds(100).map(|seed| {
        let source = loops::rereading(seed);
        let program = Program::of_source(source.clone(), seed);
        (seed, program.unwrap_or_else(|| panic!("the program is correct:\n{source}")))
    }));
}

#[test]
fn passes_preserve_what_fields_keep() {
    check_all(seeds(200).map(|seed| {
        let source = loops::keeping(seed);
        let program = Program::of_source(source.clone(), seed);
        (seed, program.unwrap_or_else(|| panic!("the program is correct:\n{source}")))
    }));
}

#[test]
fn passes_preserve_what_programs_do_with_memory_and_tables() {
    let program = |seed: u64| Program::of_ir(linear::program(seed), seed);
    check_all(seeds(200).map(|seed| (seed, program(seed))));
    let is_done = |seed: &u64| {
        let program = program(*seed);
        first_run(&program, &program.functions(), *seed).expect("it is soon over").end == End::Done
    };
    let done = (0..20).filter(is_done).count();
    assert!((1..20).contains(&done), "some fail and some do not: {done} of 20 do not");
}

/// If-conversion left instructions in the blocks that it had emptied, so that what was to be replaced behind the loop was
/// replaced in it.
const LEFT_BEHIND: &str = "
print(mix(122))
fn mix(n: int) -> int {
    var acc = 0
    for i in 0..n {
        acc = acc * 3 - if acc >= 4294967296 { i ^ acc } else { ~11 }
    }
    return acc
}";

#[test]
fn passes_preserve_what_was_once_changed() {
    check_all((0..4).map(|seed| (seed, Program::of_source(LEFT_BEHIND.to_owned(), seed).expect("it is correct"))));
}

/// Number of programs, out of some, that a wrong pass is found with.
fn found_with(programs: u64, pass: &dyn Fn(&mut Func) -> Changed) -> usize {
    let differs = |seed: &u64| difference(&Program::random(*seed, Size::Small), *seed, &[("wrong", pass)]).is_some();
    (0..programs).filter(differs).count()
}

/// Drops or keeps instructions of a function.
fn retain(func: &mut Func, keeps: impl Fn(Op) -> bool) -> Changed {
    let Func { blocks, insts, .. } = func;
    blocks.values_mut().for_each(|data| data.insts.retain(|inst| keeps(insts[*inst].op)));
    Changed::Yes
}

#[test]
fn wrong_passes_are_found() {
    let without_checks = |func: &mut Func| retain(func, |op| op != Op::CheckIndex);
    let without_stores = |func: &mut Func| retain(func, |op| !matches!(op, Op::Store(_)));
    let bounds_are_less = |func: &mut Func| {
        let data = func.insts.values_mut().filter(|data| data.op == Op::Binary(BinaryOp::IntLe));
        data.for_each(|data| data.op = Op::Binary(BinaryOp::IntLt));
        Changed::Yes
    };
    let fails_elsewhere = |func: &mut Func| {
        let entry = func.entry_site;
        func.insts.values_mut().filter(|data| data.op.can_fail()).for_each(|data| data.site = entry);
        Changed::Yes
    };
    let found = [
        found_with(60, &without_checks),
        found_with(60, &without_stores),
        found_with(60, &bounds_are_less),
        found_with(60, &fails_elsewhere),
    ];
    assert!(found.iter().all(|programs| *programs > 0), "{found:?}");
}

/// Runs a function of no operands that is the only statement of a program.
fn run_alone(body: &str) -> Run {
    let module = "type t0 = int\nsig0 = ()\nsig1 = (t0) -> t0\nglobal g0 \"g\": t0\ntop_level f0\n
        function f0 \"f\" sig0() {\nblock0:\n    return\n}\n
        function f1 \"g\" sig1(v0: int) -> int {\nblock0:\n    return v0\n}";
    let module = ir::parse::module(module).unwrap_or_else(|error| panic!("{error}"));
    let parts = body.split("---");
    let functions = parts.enumerate().map(|(at, text)| {
        let func = parse::function(text).unwrap_or_else(|error| panic!("{error}"));
        verify::verify(&module, &func).unwrap_or_else(|problem| panic!("{problem}"));
        ((FuncRef::from_u32(at as u32), Entry::Call), func)
    });
    run(&module, &functions.collect(), Limits { steps: 1000, osr_every: 0 })
}

#[test]
fn the_interpreter_does_what_the_text_says() {
    let sum = run_alone(
        "ssa {
        b0():
            jump b1(0, 0)
        b1(%0: int, %1: int):
            %2: int = iadd %0, 1
            %3: int = iadd %1, %2
            %4: bool = ilt %2, 10
            branch %4, b1(%2, %3), b2()
        b2():
            store global g0 %3
            builtin write t0(%3)
            return
        }",
    );
    assert_eq!((sum.output.as_str(), sum.globals.0.as_slice(), sum.end), ("55", &["55".to_owned()][..], End::Done));
    let caught = run_alone(
        "ssa {
            slot 0: int
        b0():
            jump b1()
        b1() catch b2:
            store slot 0 3
            %0: int = call f1(0)
            store slot 0 4
            return
        b2():
            %1: ref = catch_message
            %2: int = load slot 0
            exit %2
        }
        ---
        ssa -> int {
        b0(%0: int):
            check_zero %0
            return %0
        }",
    );
    assert_eq!(caught.end, End::Exit(3));
    let fails = run_alone("ssa {\nb0():\n    check_index 7, 3\n    return\n}").end;
    let End::Failure(failure) = fails else { panic!("{fails:?}") };
    assert_eq!((failure.kind, failure.stack.len()), (Kind::IndexOutOfRange(7, 3), 1));
    let endless = run_alone("ssa {\nb0():\n    jump b1()\nb1():\n    jump b1()\n}").end;
    assert_eq!(endless, End::GivenUp);
}

#[test]
fn what_is_undefined_breaks_the_machine() {
    for inst in [
        "%0: int = idiv 1, 0",
        "%0: int = load len none",
        "%0: int = load elem int none, 0",
        "%1: ref = new_array int 3, 0\n    %0: int = load elem int %1, 3",
        "%1: ref = new_array int 3, 0\n    store elem int %1, -1, 7",
        "%1: ref = new_array int 3, 0\n    %0: float = load elem float %1, 0",
        "%0: int = call_indirect sig1 nofunc(1)",
    ] {
        let end = run_alone(&format!("ssa {{\nb0():\n    {inst}\n    return\n}}")).end;
        assert!(matches!(end, End::Broken(_)), "{inst}: {end:?}");
    }
}
