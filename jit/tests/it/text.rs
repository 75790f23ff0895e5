//! The SSA form as text: what is printed parses back, for random functions after each pass.
//!
//! `HOLLOWAY_PROGRAMS=2000 cargo test --release -p holloway-jit --test text` tries more programs.

use super::common::{Program, linear, seeds};
use holloway_generator::Size;
use holloway_jit::opt::cfg::Graph;
use holloway_jit::opt::pipeline::PASSES;
use holloway_jit::opt::print::{Sites, function};
use holloway_jit::opt::ssa::{Def, Func, Target, Term, Value};
use holloway_jit::opt::{parse, verify};
use holloway_jit::osr::Entry;
use holloway_lang::ir::Module;

/// Asserts that two functions have in common what makes them the same: everything that can be reached.
fn assert_same(a: &Func, b: &Func) {
    let value = |func: &Func, value: Value| match func.values[value].def {
        Def::Const(constant) => (None, Some(constant), func.values[value].scalar),
        Def::Inst(_) | Def::Param(..) => (Some(value), None, func.values[value].scalar),
    };
    let values = |func: &Func, all: &[Value]| all.iter().map(|one| value(func, *one)).collect::<Vec<_>>();
    let targets = |func: &Func, term: &Term| {
        let target = |to: &Target| (to.block, values(func, &to.args));
        term.targets().map(target).collect::<Vec<_>>()
    };
    let term = |func: &Func, term: &Term| {
        let cases = match term {
            Term::Switch { cases, .. } => cases.iter().map(|(case, _)| *case).collect(),
            _ => Vec::new(),
        };
        let fail = if let Term::Fail(kind, _) = term { Some(*kind) } else { None };
        (std::mem::discriminant(term), term.operand().map(|one| value(func, one)), cases, fail, targets(func, term))
    };
    let (of_a, of_b) = (Graph::of(a), Graph::of(b));
    assert_eq!(of_a.rpo, of_b.rpo);
    for block in of_a.rpo.iter().copied() {
        let (x, y) = (&a.blocks[block], &b.blocks[block]);
        let head = |func: &Func, data: &holloway_jit::opt::ssa::BlockData| {
            (values(func, &data.params), data.term_site, data.origin, data.handler, data.cold, data.seen)
        };
        assert_eq!(head(a, x), head(b, y));
        assert_eq!(term(a, &x.term), term(b, &y.term));
        assert_eq!(a.mostly_then.contains(block), b.mostly_then.contains(block));
        assert_eq!(a.goes_either_way(block), b.goes_either_way(block));
        assert_eq!(x.insts.len(), y.insts.len());
        for (i, j) in x.insts.iter().zip(&y.insts) {
            let inst = |func: &Func, inst| {
                let data = &func.insts[inst];
                (data.op, values(func, &data.args), data.result.map(|one| value(func, one)), data.site)
            };
            assert_eq!(inst(a, *i), inst(b, *j));
        }
    }
    assert_eq!((&a.sites, &a.slots, &a.pending), (&b.sites, &b.slots, &b.pending));
    assert_eq!((a.entry, a.entry_site, a.result), (b.entry, b.entry_site, b.result));
    let inlined = |func: &Func| (func.inlined.calls, func.inlined.guarded);
    assert_eq!((a.osr_entry, a.has_osr_points, inlined(a)), (b.osr_entry, b.has_osr_points, inlined(b)));
}

fn read_back(module: &Module, func: &Func, sites: Sites) -> Func {
    let text = function(module, func, sites);
    let parsed = parse::function(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(function(module, &parsed, sites), text);
    parsed
}

#[test]
fn what_is_printed_is_read_back_after_every_pass() {
    let of_seed = |seed| [Program::random(seed, Size::Small), Program::of_ir(linear::program(seed), seed)];
    for program in seeds(12).flat_map(of_seed) {
        for id in program.module.funcs.keys() {
            let mut func = program.build(id, Entry::Call);
            for pass in PASSES {
                read_back(&program.module, &func, Sites::Hidden);
                let parsed = read_back(&program.module, &func, Sites::Shown);
                assert_same(&func, &parsed);
                verify::verify(&program.module, &parsed).unwrap_or_else(|problem| panic!("{problem}"));
                pass.run(&mut func);
            }
            assert_same(&func, &read_back(&program.module, &func, Sites::Shown));
        }
    }
}

/// Every operation, as it is printed.
const EVERYTHING: &str = "ssa -> int {
    osr_entry
    osr_points
    inlined 3 guarded 1
    slot 0: int
    slot 1: ref
    pending 1
    pending 0 in @1
    site 0 = f0 block0 !0:0..0
    site 1 = f1 block2 !3:4..15
    site 2 = f2 block0 !0:1..2 in @1
    entry @1
b0() from block0:
    %3: int = load state 0 @2
    %4: ref = load state 1 @2
    %5: ref = allocated(%4) @2
    %6: ref = allocated(%4, %3) @2
    %7: bool = below %3, -7 @2
    %8: int = select %7, %3, 9223372036854775807 @2
    check_zero %8 @2
    %9: int = idiv %3, %8 @2
    %10: float = itof %9 @2
    %11: float = fadd %10, nan:0x7ff8000000000001 @2
    %12: float = fmul %11, -inff @2
    check_some %5 @2
    %13: int = load field r0.2 %5 @2
    store field r0.2 %5, %13 @2
    %14: int = load len %6 @2
    check_index 2, %14 @2
    %15: int = load elem byte %6, 2 @2
    store elem byte %6, 2, %15 @2
    %16: ref = load global g1 @2
    store global g1 none @2
    %17: ref = load slot 1 @2
    store slot 1 s0 @2
    %18: int = call f1(%3, true) @2
    call_indirect sig0 f2(%3) @2
    call_indirect sig0 nofunc() @2
    builtin write t3(%3) @2
    %19: float = builtin sin(1.5f) @2
    %20: ref = new_record r0(%3, none) @2
    %21: ref = new_array int %3, 0 @2
    %22: ref = array_of float() @2
    osr_point(%3, %4) @2
    probe pending 3(%3, %4) @2
    probe count 4096 %3 @2
    probe paths repeated 1 array 4096 %3, 1, %9 @2
    probe paths one table 4096 %3 @2
    probe paths last steps 4096 64 4 15 2 %3, 1 @2
    %23: int = probe paths one steps 4096 64 4 9000 0 %3, %9 @2
    %24: int = probe paths one words 4 15 3 %23, 1 @2
    %25: int = probe paths repeated 0 steps 4096 64 4 15 2 %24, 1, 2, %9 @2
    probe begin_sample 4096 2 @2
    probe paths repeated 0 bursts 4096 2 %3, 1, %9 @2
    probe emit(%3) @2
    probe emit if 8192(%3, %9) @2
    probe fold 4096 12() @2
    probe fold 4096 12 if 8192(%3) @2
    branch %7, b1(%25), b4() either_way @0
b1(%26: int) from block2 catch b7 cold rare mostly_then weight 12.5f:
    check_zero %26 @2
    switch %26 [-1: b4(), 5: b1(7)], b5() @2
b5() from block0:
    return %3 @2
b7() from block3:
    %27: ref = catch_message @2
    exit %3 @2
b4() from block1:
    fail assert none @2
}
";

#[test]
fn every_operation_is_read_back() {
    let func = parse::function(EVERYTHING).unwrap_or_else(|error| panic!("{error}"));
    let printed = function(&Module::default(), &func, Sites::Shown);
    let lines =
        |text: &str| text.lines().map(|line| line.split(" ;").next().unwrap_or(line).to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&printed), lines(EVERYTHING));
}

#[test]
fn wrong_text_is_refused_with_the_line() {
    let refused = |text: &str| parse::function(text).expect_err("it is wrong").to_string();
    for (text, why) in [
        ("function {", "line 1: expected `ssa`"),
        ("ssa {\n}", "line 2: expected a word"),
        ("ssa {\nb0():\n    return %4\n}", "%4 is not defined"),
        ("ssa {\nb0():\n    jump b1()\n}", "b1 is not defined"),
        ("ssa {\nb0():\n    return @5\n}", "site 5 is not defined"),
        ("ssa {\nb0():\n    return\nb0():\n    return\n}", "line 4: the block is there already"),
        ("ssa {\nb0(%0: int):\n    %0: int = iadd 1, 2\n    return\n}", "line 3: the value is defined already"),
        ("ssa {\nb0():\n    %0: int = add 1, 2\n    return\n}", "line 3: expected an operation"),
        ("ssa {\nb0():\n    %0: int = iadd 1\n    return\n}", "line 4: expected `,`"),
        ("ssa {\nb0():\n    %0: num = iadd 1, 2\n    return\n}", "line 3: expected int, float, bool, ref or func"),
        ("ssa {\nb9999999():\n    return\n}", "the number is too great"),
        ("ssa {\nb0():\n    return\n} more", "line 4: expected the end of the text"),
    ] {
        assert!(refused(text).contains(why), "{text}: {}", refused(text));
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let func = parse::function("ssa {\nb3(%7: int):\n    check_zero %7\n    jump b1()\nb1():\n    return\n}")
        .unwrap_or_else(|error| panic!("{error}"));
    verify::verify(&Module::default(), &func).expect("it is well formed");
    assert_eq!((func.sites.len(), func.entry.to_string()), (3, "b3".to_owned()));
}
