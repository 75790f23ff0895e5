//! The IR: its text reads back, its verifier finds what its header lists, and its analyses agree with their
//! definitions.

use super::common;
use cranelift_entity::EntityRef;
use holloway_generator::{Size, program};
use holloway_lang::ir::parse;
use holloway_lang::ir::print::{self, Spans};
use holloway_lang::ir::verify::verify;
use holloway_lang::ir::{
    Block, BlockData, Cfg, Dominators, Function, FunctionBuilder, FunctionKind, Inst, Local, Loops, Module, Operand,
    Scalar, Terminator,
};
use holloway_lang::session::{Input, NoFiles, Session, SessionKind};
use holloway_lang::source::{FileId, Span};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

fn compiled(name: &str, source: &str) -> Arc<Module> {
    let mut session = Session::new(SessionKind::Program);
    let input = Input { name, key: None, bytes: source.as_bytes() };
    if let Err(errors) = session.add(input, &mut NoFiles) {
        let shown: String = errors.iter().map(|error| common::render(session.sources(), error)).collect();
        panic!("{name}\n{shown}");
    }
    Arc::clone(session.module())
}

/// Asserts that two modules print alike; the tables by which a module finds ids again are no part of its text.
fn assert_reads_back(name: &str, module: &Module) {
    let text = print::module(module, Spans::Shown);
    let read = parse::module(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(read.types, module.types, "{name}");
    assert_eq!(read.sigs, module.sigs, "{name}");
    assert_eq!(read.records, module.records, "{name}");
    assert_eq!(read.strings, module.strings, "{name}");
    assert_eq!(read.globals, module.globals, "{name}");
    assert_eq!((&read.top_level, read.main), (&module.top_level, module.main), "{name}");
    assert_eq!(read.funcs.len(), module.funcs.len(), "{name}");
    for (func, decl) in module.funcs.iter() {
        assert_eq!(read.funcs[func], *decl, "{name}: {}", decl.body.name);
    }
    assert_eq!(print::module(&read, Spans::Shown), text, "{name}");
    // Without spans the text is shorter and reads as the same code.
    let bare = print::module(module, Spans::Hidden);
    let read = parse::module(&bare).unwrap_or_else(|error| panic!("{name}: {error}\n{bare}"));
    assert_eq!(print::module(&read, Spans::Hidden), bare, "{name}");
}

#[test]
fn text_of_benchmark_programs_reads_back() {
    let programs: Vec<_> = common::programs().into_iter().filter(|(name, _)| name.contains("bench-programs")).collect();
    assert!(programs.len() >= 76, "only {} programs", programs.len());
    for (name, source) in programs {
        assert_reads_back(&name, &compiled(&name, &source));
    }
}

#[test]
fn text_of_random_programs_reads_back() {
    for seed in 0..100 {
        let name = format!("seed {seed}");
        assert_reads_back(&name, &compiled(&name, &program(seed, Size::Medium)));
    }
}

#[test]
fn odd_names_and_constants_read_back() {
    let source = "struct Größe { länge: float }\nlet s = \"\\0\\n\\\"\\\\é\\xff\u{1F600}\"\n\
        fn ƒ(größe: Größe?) -> (fn(int) -> str)? { return none }\n\
        print(s, 1e300, -0.0, 1e-300 * 0.0 / 0.0, -9223372036854775808, ƒ(none) == none, Größe(länge: 0.1))";
    let module = compiled("odd.hw", source);
    assert_reads_back("odd.hw", &module);
    let mut body = (**module.function(module.top_level[0])).clone();
    let nans = [f64::NAN.to_bits(), f64::NAN.to_bits() | 1, (-f64::NAN).to_bits(), f64::INFINITY.to_bits()];
    for (at, bits) in nans.into_iter().enumerate() {
        let dst = body.locals.push(holloway_lang::ir::LocalDecl { scalar: Scalar::Float, name: None });
        let block = &mut body.blocks[Block::new(0)];
        block.insts.insert(at, Inst::Copy { dst, src: Operand::Float(bits) });
        block.spans.insert(at, block.term_span);
    }
    let mut module = (*module).clone();
    let func = module.top_level[0];
    module.funcs[func].body = Arc::new(body);
    assert_reads_back("nans", &module);
}

const SMALL: &str = r#"type t0 = int
type t1 = str
type t2 = array t0
record r0 "P" { "x": t0, "s": t1 }
type t3 = record r0
string s0 = "text"
global g0 "total": t0
sig0 = (t0) -> t0
sig1 = ()
type t4 = func sig0
function f0 "f" sig0(v0: int "n") -> int {
    local v1: int
    local v2: bool
    local v3: ref
    local v4: float
    local v5: func
block0:
    v1 = copy 1
    v2 = ilt v0, v1
    v3 = copy s0
    v4 = copy 0.5f
    v5 = copy f0
    branch v2, block1, block2
block1 catch block3:
    v1 = idiv 10, v0
    jump block2
block2:
    switch v1 [1: block4, 2: block4], block5
block3:
    v3 = catch_message
    jump block2
block4:
    global_set g0, v1
    return v1
block5:
    v1 = call f0(v1)
    fail user v3
}
"#;

/// The text with one piece replaced by another.
fn broken(from: &str, to: &str) -> String {
    assert_eq!(SMALL.matches(from).count(), 1, "{from}");
    SMALL.replace(from, to)
}

#[test]
fn errors_name_their_line() {
    let cases = [
        ("type t0 = int", "type t0 = number"),
        ("type t1 = str", "type t7 = str"),
        ("\"P\" {", "\"\\P\" {"),
        ("\"text\"", "text"),
        ("\"text\"", "\"text"),
        ("v1: int\n", "v1: number\n"),
        ("v1 = copy 1\n", "v1 = kopie 1\n"),
        ("copy 0.5f", "copy 0.5"),
        ("v1 = idiv 10, v0", "v1 = idiv 10"),
        ("v1 = idiv 10, v0\n    jump block2", "v1 = idiv 10, v0\n    jump 2"),
        ("[1: block4,", "[1 block4,"),
        ("fail user v3", "fail loud v3"),
        ("block5:\n    v1", "block6:\n    v1"),
        ("v3\n}", "v3\n}}"),
        ("v3\n}", "v3\n"),
    ];
    let line_of = |at: usize| SMALL[..at].matches('\n').count() + 1;
    let mut said = String::new();
    for (from, to) in cases {
        let text = broken(from, to);
        let error = parse::module(&text).expect_err(&text);
        said += &format!("{:>2}  {error}\n", line_of(SMALL.find(from).expect("it is there")));
    }
    insta::assert_snapshot!(said, @r"
     1  line 1: expected a type
     2  line 2: ids must be declared in order
     4  line 4: unknown escape
     6  line 6: expected quoted text
     6  line 7: expected a declaration
    12  line 12: expected int, float, bool, ref or func
    18  line 18: expected an instruction
    21  line 21: expected an instruction
    25  line 26: expected `,`
    25  line 26: expected an id `blockN`
    28  line 28: expected `:`
    37  line 37: expected user, assert, step_is_zero, unreachable, integer_overflow or invalid_conversion
    35  line 35: ids must be declared in order
    37  line 38: expected a declaration
    37  line 39: expected an id `blockN`
    ");
}

/// Returns the verifier's error about a text that parses.
fn refusal(text: &str) -> Option<String> {
    let module = parse::module(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    module.funcs.values().find_map(|decl| verify(&module, &decl.body).err()).map(|error| error.to_string())
}

fn assert_refused(text: &str, why: &str) {
    let said = refusal(text).unwrap_or_else(|| panic!("accepted, though {why}:\n{text}"));
    assert!(said.contains(why), "{said}\nis not: {why}");
}

#[test]
fn the_verifier_accepts_what_is_well_formed() {
    assert_eq!(refusal(SMALL), None);
}

#[test]
fn verifier_1_no_edge_leads_to_the_entry() {
    assert_refused(&broken("return v1\n", "jump block0\n"), "an edge leads to the entry");
    let text = "sig0 = ()\nfunction f0 \"f\" sig0() {\n}\n";
    assert_refused(text, "no entry block");
}

#[test]
fn verifier_2_everything_named_exists() {
    for (from, to, what) in [
        ("branch v2, block1, block2", "branch v2, block1, block9", "block9"),
        ("block1 catch block3", "block1 catch block9", "block9"),
        ("v1 = copy 1\n", "v9 = copy 1\n", "v9"),
        ("v2 = ilt v0, v1", "v2 = ilt v9, v1", "v9"),
        ("v1 = call f0(v1)", "v1 = call f9(v1)", "f9"),
        ("v5 = copy f0", "v5 = copy f9", "f9"),
        ("global_set g0, v1", "global_set g9, v1", "g9"),
        ("v1 = copy 1\n", "v1 = global_get g9\n", "g9"),
        ("v3 = copy s0", "v3 = copy s9", "s9"),
        ("v3 = copy s0", "v3 = new_record r9(1)", "r9"),
        ("v3 = copy s0", "v3 = copy s0\nv1 = field_get r9 0, v3", "r9"),
        ("v1 = call f0(v1)", "v1 = call_indirect sig9 v5(v1)", "sig9"),
        ("v1 = call f0(v1)", "builtin write t9(v1)", "t9"),
    ] {
        assert_refused(&broken(from, to), &format!("{what} does not exist"));
    }
    assert_refused(&broken("v3 = copy s0", "v3 = copy s0\nv1 = field_get r0 2, v3"), "r0 has no field 2");
}

#[test]
fn verifier_3_operands_and_results_have_their_types() {
    for (from, to) in [
        ("v1 = copy 1\n", "v1 = copy 1.0f\n"),
        ("v1 = copy 1\n", "v1 = copy v0\nv4 = ineg v1\n"),
        ("v2 = ilt v0, v1", "v2 = flt v0, v1"),
        ("v2 = ilt v0, v1", "v1 = ilt v0, v1"),
        ("branch v2,", "branch v1,"),
        ("switch v1", "switch v2"),
        ("return v1\n", "return v2\n"),
        ("return v1\n", "return\n"),
        ("global_set g0, v1", "global_set g0, v3"),
        ("v1 = call f0(v1)", "v1 = call f0(v3)"),
        ("v1 = call f0(v1)", "v1 = call f0()"),
        ("v1 = call f0(v1)", "v2 = call f0(v1)"),
        ("v1 = call f0(v1)", "v1 = call_indirect sig0 v3(v1)"),
        ("v1 = call f0(v1)", "v1 = call_indirect sig1 v5()"),
        ("fail user v3", "fail user v1"),
        ("fail user v3", "fail user none"),
        ("fail user v3", "exit v3"),
        ("v3 = copy s0", "v3 = new_record r0(1)"),
        ("v3 = copy s0", "v3 = new_record r0(s0, s0)"),
        ("v3 = copy s0", "v3 = new_array float 1, 1"),
        ("v3 = copy s0", "v3 = new_array int 1.0f, 1"),
        ("v3 = copy s0", "v3 = array_of int(1, s0)"),
        ("v3 = copy s0", "v3 = copy s0\nv1 = elem_get float v3, 0"),
        ("v3 = copy s0", "v3 = copy s0\nelem_set int v3, 0, 1.0f"),
        ("v3 = copy s0", "v3 = copy s0\nfield_set r0 0, v3, s0"),
        ("v3 = copy s0", "v3 = copy s0\nv1 = unwrap v1"),
        ("v3 = copy s0", "v3 = copy s0\nv4 = len v3"),
        ("v3 = copy s0", "v3 = copy s0\nv1 = builtin sin(1.0f)"),
        ("v3 = copy s0", "v3 = copy s0\nv4 = builtin sin(1)"),
        ("v3 = copy s0", "v3 = copy s0\nbuiltin write t1(v1)"),
        ("v3 = catch_message", "v1 = catch_message"),
    ] {
        let text = broken(from, to);
        assert!(refusal(&text).is_some(), "{to} was accepted");
    }
}

#[test]
fn verifier_4_handlers_catch_and_nothing_else_does() {
    assert_refused(&broken("v3 = catch_message", "v3 = copy s0"), "catches, or is a handler");
    assert_refused(&broken("block1 catch block3:", "block1:"), "catches, or is a handler");
    assert_refused(&broken("branch v2, block1, block2", "branch v2, block1, block3"), "is no failure edge");
    assert_refused(
        &broken("v3 = catch_message\n", "v1 = copy 1\nv3 = catch_message\n"),
        "catch_message is not the first instruction",
    );
    // A handler that no failure reaches is still a handler.
    assert_eq!(refusal(&broken("v1 = idiv 10, v0", "v1 = idiv 10, 2")), None);
}

#[test]
fn verifier_5_locals_are_assigned_on_every_way_to_their_uses() {
    let used = "is used before it is assigned";
    assert_refused(&broken("v1 = copy 1\n", "v2 = copy true\n"), used);
    assert_refused(&broken("v3 = copy s0\n", ""), used);
    // Assigned in the block that fails, which may be before the assignment.
    let late = broken("v3 = copy s0\n    v4", "v4");
    let late = late.replace("v1 = idiv 10, v0", "v1 = idiv 10, v0\nv3 = copy s0");
    let late = late.replace("v3 = catch_message", "v4 = copy 0.0f\n").replace("block1 catch block3", "block1");
    assert_refused(&late, used);
    // One path assigns it, the other does not.
    let one_way = broken("v1 = copy 1\n", "").replace("v2 = ilt v0, v1", "v2 = ilt v0, 1");
    assert_refused(&one_way, used);
    // Every path assigns it.
    let both = one_way.replace("v3 = catch_message", "v3 = catch_message\nv1 = copy 2");
    let both = both.replace("branch v2, block1, block2", "branch v2, block1, block6");
    let both = both.replace("    fail user v3\n", "    fail user v3\nblock6:\n    v1 = copy 3\n    jump block2\n");
    assert_eq!(refusal(&both), None, "{both}");
}

#[test]
fn verifier_6_switch_cases_are_distinct() {
    assert_refused(&broken("[1: block4, 2: block4]", "[1: block4, 1: block5]"), "a switch case repeats");
}

#[test]
fn the_verifier_wants_a_span_for_each_instruction() {
    let mut module = parse::module(SMALL).expect("it parses");
    let func = module.funcs.keys().next().expect("a function");
    let mut body = (**module.function(func)).clone();
    body.blocks[Block::new(0)].spans.pop();
    module.funcs[func].body = Arc::new(body.clone());
    assert!(verify(&module, &body).unwrap_err().to_string().contains("spans and instructions differ in number"));
}

fn nowhere() -> Span {
    Span { file: FileId::from_u32(0), start: 0, end: 0 }
}

/// A function whose block `i` ends with edges to `targets[i]`: none, one, two, or more. Blocks that the entry does not
/// reach stay. The entry, block 0, is only a jump.
fn function_of(targets: &[Vec<usize>]) -> Function {
    let mut builder = FunctionBuilder::new("f".into(), FunctionKind::Declared, nowhere(), None);
    builder.param(Scalar::Int, None);
    builder.terminate(Terminator::Return(None));
    let mut function = builder.finish();
    function.blocks.clear();
    for to in targets {
        let block = |at: &usize| Block::new(*at);
        let value = Operand::Local(Local::new(0));
        let term = match to.as_slice() {
            [] => Terminator::Return(None),
            [one] => Terminator::Jump(block(one)),
            [rest @ .., last] => {
                let cases = rest.iter().enumerate().map(|(case, to)| (case as i64, block(to))).collect();
                Terminator::Switch { value, cases, default: block(last) }
            }
        };
        let (insts, spans) = (Vec::new(), Vec::new());
        function.blocks.push(BlockData { insts, spans, term, term_span: nowhere(), handler: None });
    }
    function
}

/// Graphs of up to 12 blocks in which nothing leads to block 0; a few blocks have very many targets.
fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (2_usize..12).prop_flat_map(|count| {
        let few = proptest::collection::vec(1..count, 0..4);
        let many = proptest::collection::vec(1..count, 9..30);
        proptest::collection::vec(prop_oneof![12 => few, 1 => many], count)
    })
}

/// The blocks reached from the entry without passing `without`.
fn reached(targets: &[Vec<usize>], without: Option<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut pending = vec![0];
    while let Some(at) = pending.pop() {
        if Some(at) != without && found.insert(at) {
            pending.extend(&targets[at]);
        }
    }
    found
}

/// Returns true if `a` dominates `b`: without `a`, `b` is not reached.
fn dominates(targets: &[Vec<usize>], a: usize, b: usize) -> bool {
    reached(targets, None).contains(&b) && !reached(targets, Some(a)).contains(&b)
}

/// The natural loop of a header: the header, and the blocks that reach one of its latches without passing it.
fn natural_loop(targets: &[Vec<usize>], header: usize, latches: &BTreeSet<usize>) -> BTreeSet<usize> {
    let live = reached(targets, None);
    let mut members = BTreeSet::from([header]);
    let mut pending: Vec<usize> = latches.iter().copied().collect();
    while let Some(at) = pending.pop() {
        if members.insert(at) {
            pending.extend(live.iter().filter(|from| targets[**from].contains(&at)));
        }
    }
    members
}

proptest! {
    #[test]
    fn edges_and_order_are_those_of_the_graph(targets in graphs()) {
        let cfg = Cfg::compute(&function_of(&targets));
        let index = |block: &Block| block.index();
        for (from, to) in targets.iter().enumerate() {
            let mut distinct: Vec<usize> = Vec::new();
            to.iter().for_each(|at| if !distinct.contains(at) { distinct.push(*at) });
            let found: Vec<usize> = cfg.succs(Block::new(from)).iter().map(|(to, _)| to.index()).collect();
            prop_assert_eq!(&found, &distinct);
            let sources: Vec<usize> = (0..targets.len()).filter(|at| targets[*at].contains(&from)).collect();
            prop_assert_eq!(cfg.preds(Block::new(from)).iter().map(index).collect::<Vec<_>>(), sources);
        }
        let order: Vec<usize> = cfg.reverse_postorder().map(|block| block.index()).collect();
        prop_assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), reached(&targets, None));
        prop_assert_eq!(order.len(), reached(&targets, None).len());
        let mut postorder: Vec<usize> = cfg.postorder().iter().map(index).collect();
        postorder.reverse();
        prop_assert_eq!(&postorder, &order);
        // In a reverse postorder an edge leads back only to a block from which its source is reached again.
        let place = |block: usize| order.iter().position(|at| *at == block).expect("it is reached");
        for from in &order {
            for to in &targets[*from] {
                let mut back = targets.clone();
                back[0] = vec![*to];
                prop_assert!(place(*from) < place(*to) || reached(&back, None).contains(from), "{} -> {}", from, to);
            }
        }
        // Every block but the entry stands behind one that leads to it.
        for at in &order[1..] {
            prop_assert!(order[..place(*at)].iter().any(|from| targets[*from].contains(at)));
        }
    }

    #[test]
    fn dominators_are_what_no_way_avoids(targets in graphs()) {
        let cfg = Cfg::compute(&function_of(&targets));
        let dominators = Dominators::compute(&cfg);
        let live = reached(&targets, None);
        for a in &live {
            for b in &live {
                let found = dominators.dominates(Block::new(*a), Block::new(*b));
                prop_assert_eq!(found, dominates(&targets, *a, *b), "{} over {}", a, b);
            }
            // The immediate dominator is the one that all others dominate.
            let strict: Vec<usize> = live.iter().copied().filter(|d| d != a && dominates(&targets, *d, *a)).collect();
            let nearest = strict.iter().copied().find(|d| strict.iter().all(|other| dominates(&targets, *other, *d)));
            prop_assert_eq!(dominators.idom(Block::new(*a)).map(|block| block.index()), nearest);
        }
    }

    #[test]
    fn loops_are_natural_loops(targets in graphs()) {
        let cfg = Cfg::compute(&function_of(&targets));
        let loops = Loops::of(&cfg);
        let live = reached(&targets, None);
        let is_back = |from: usize, to: usize| targets[from].contains(&to) && dominates(&targets, to, from);
        let mut expected = Vec::new();
        for header in &live {
            let latches: BTreeSet<usize> = live.iter().copied().filter(|from| is_back(*from, *header)).collect();
            if !latches.is_empty() {
                expected.push((*header, natural_loop(&targets, *header, &latches), latches));
            }
        }
        prop_assert_eq!(loops.len(), expected.len());
        prop_assert_eq!(loops.is_empty(), expected.is_empty());
        for (id, found) in loops.iter() {
            let at = found.header.index();
            let (_, members, latches) = expected.iter().find(|(header, ..)| *header == at).expect("a header");
            prop_assert_eq!(&found.blocks.iter().map(|block| block.index()).collect::<BTreeSet<_>>(), members);
            prop_assert_eq!(found.blocks.len(), members.len());
            prop_assert_eq!(found.blocks[0], found.header);
            prop_assert_eq!(&found.latches.iter().map(|block| block.index()).collect::<BTreeSet<_>>(), latches);
            prop_assert_eq!(loops.headed_by(found.header), Some(id));
            let around = expected.iter().filter(|(header, others, _)| *header != at && others.contains(&at));
            prop_assert_eq!(found.depth as usize, around.clone().count() + 1);
            let parent = around.min_by_key(|(_, others, _)| others.len()).map(|(header, ..)| *header);
            prop_assert_eq!(found.parent.map(|parent| loops.get(parent).header.index()), parent);
            prop_assert!(found.parent.is_none_or(|parent| parent < id));
        }
        for block in &live {
            let around = expected.iter().filter(|(_, members, _)| members.contains(block));
            prop_assert_eq!(loops.depth(Block::new(*block)) as usize, around.clone().count());
            let innermost = around.min_by_key(|(_, members, _)| members.len()).map(|(header, ..)| *header);
            let found = loops.innermost(Block::new(*block)).map(|id| loops.get(id).header.index());
            prop_assert_eq!(found, innermost);
            for to in &live {
                let found = loops.is_back_edge(Block::new(*block), Block::new(*to));
                prop_assert_eq!(found && targets[*block].contains(to), is_back(*block, *to));
            }
            for (id, one) in loops.iter() {
                prop_assert_eq!(loops.contains(id, Block::new(*block)), one.blocks.contains(&Block::new(*block)));
            }
        }
    }
}
