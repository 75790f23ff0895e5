//! Small programs reach the passes over loops in a form that these take. What each pass does is in `jit/filetests/`.

use super::cfg::Graph;
use super::construct::{Inlining, Input};
use super::pipeline::{Options, optimize};
use super::ssa::{Func, Mem, Op, Term};
use crate::body::osr::{Entry, Leaving, Shape};
use crate::observed::{Counts, Observed};
use crate::probes::Paths;
use holloway_lang::ir::cfg::edges;
use holloway_lang::ir::{BinaryOp, Block, Cfg, Loops};
use holloway_lang::session::{self, NoFiles, Session, SessionKind};

/// The function `f` of a program after a pass, or after all of them.
fn f_after(source: &str, until: Option<&str>) -> Func {
    optimized(source, until, |_| Observed::default())
}

/// The same with something that was observed of the program.
pub(super) fn optimized(source: &str, until: Option<&str>, observe: impl Fn(&Session) -> Observed) -> Func {
    entered(source, until, Entry::Call, observe)
}

/// Every branch of `f` goes either way.
fn either_way(session: &Session) -> Observed {
    let func = session.function("f").expect("there is a function `f`");
    let body = session.module().function(func);
    let edges = body.blocks.keys().flat_map(|from| edges(body, from).into_iter().map(move |(to, _)| ((from, to), 500)));
    Observed::new([(func, Counts::new(body, 500, edges.collect(), []))])
}

/// The same, entered somewhere.
fn entered(source: &str, until: Option<&str>, entry: Entry, observe: impl Fn(&Session) -> Observed) -> Func {
    let mut session = Session::new(SessionKind::Program);
    let input = session::Input { name: "test.hw", key: None, bytes: source.as_bytes() };
    assert!(session.add(input, &mut NoFiles).is_ok(), "the program is correct");
    let func = session.function("f").expect("there is a function `f`");
    let module = session.module();
    let body = &module.function(func);
    let plain = Shape::plain(body);
    let shape = match entry {
        Entry::Call => plain,
        Entry::Header(header) => crate::body::osr::peel(plain, header),
    };
    let input = Input {
        module,
        arrays: None,
        func,
        body,
        shape: &shape,
        entry,
        leaving: Leaving::Never,
        paths: &Paths::default(),
        traces: None,
        expanded: &crate::body::expand::ExpandedBodies::default(),
        inlined_traces: &crate::trace::InlinedTraces::default(),
        not_inlined: &[],
        progress: None,
        observed: &observe(&session),
        inlining: Inlining::Observed,
    };
    optimize(&input, &Options { disabled: Vec::new(), until: until.map(str::to_owned), ..Options::default() })
}

fn f(source: &str) -> Func {
    f_after(source, None)
}

/// Counts the instructions of some kind, in loops or anywhere.
pub(super) fn count(func: &Func, least_depth: u32, is: impl Fn(Op) -> bool) -> usize {
    let graph = Graph::of(func);
    let blocks =
        graph.rpo.iter().filter(|block| graph.loop_depth(**block) >= least_depth && !func.blocks[**block].cold);
    blocks.flat_map(|block| &func.blocks[*block].insts).filter(|inst| is(func.insts[**inst].op)).count()
}

fn is_binary(wanted: BinaryOp) -> impl Fn(Op) -> bool {
    move |op| op == Op::Binary(wanted)
}

fn loops(func: &Func) -> usize {
    let graph = Graph::of(func);
    graph.loops.values().filter(|l| !func.blocks[l.header].cold).count()
}

const COUNTING: &str = "var g = 1
fn f(n: int) -> int {
    var i = 0
    while i < n {
        g = g * 3 + i
        i += 1
    }
    return g
}";

#[test]
fn what_a_loop_writes_is_not_loaded_in_it() {
    let func = f_after(COUNTING, Some("store-to-load-forwarding"));
    assert_eq!(count(&func, 1, |op| matches!(op, Op::Load(Mem::Global(_)))), 0);
    assert_eq!(count(&func, 1, |op| matches!(op, Op::Store(Mem::Global(_)))), 1);
}

#[test]
fn cheap_choices_are_selects_and_floats_are_not() {
    let least = f_after(
        "fn f(a: [int]) -> int {
             var d = 100
             for x in a { if x < d { d = x } }
             return d
         }",
        Some("if-conversion"),
    );
    assert_eq!(count(&least, 1, |op| op == Op::Select), 1);
    let least = f("fn f(a: [float]) -> float {
             var d = 100.0
             for x in a { if x < d { d = x } }
             return d
         }");
    assert_eq!(count(&least, 0, |op| op == Op::Select), 0);
}

/// Two ways that cost more than a branch that is foreseen.
const COLLATZ: &str = "fn f(n: int) -> int {
    var x = n
    while x != 1 {
        if x % 8 < 4 { x = x / 2 } else { x = 3 * x + 1 }
    }
    return x
}";

#[test]
fn dearer_choices_are_selects_where_a_profile_saw_both_ways() {
    let selects = |func: &Func| count(func, 1, |op| op == Op::Select);
    assert_eq!((selects(&f(COLLATZ)), selects(&optimized(COLLATZ, None, either_way))), (0, 1));
}

/// Branches of a function that are not cold.
fn branches(func: &Func) -> usize {
    let graph = Graph::of(func);
    let warm = graph.rpo.iter().map(|block| &func.blocks[*block]).filter(|data| !data.cold);
    warm.filter(|data| matches!(data.term, Term::Branch { .. })).count()
}

#[test]
fn conditions_in_a_row_are_joined_where_a_profile_saw_both_ways_of_each() {
    let source = "fn f(a: [bool], b: [bool], c: [bool], n: int) -> int {
             if !a[n] && !b[n + 1] && !c[n + 2] { return 7 }
             return n * n
         }";
    assert_eq!(branches(&f_after(source, Some("if-combine"))), 3);
    let func = optimized(source, Some("if-combine"), either_way);
    assert_eq!(branches(&func), 2, "are all in range, and is any true");
    assert_eq!(count(&func, 0, |op| op == Op::Below), 2);
    assert_eq!(count(&func, 0, |op| op == Op::CheckIndex), 1, "the first is checked as it was");
}

#[test]
fn what_a_transfer_brings_is_as_known_as_what_was_allocated() {
    let source = "fn f(n: int) -> int {
             let a = [0; 40 * 2]
             let b = [0; 80]
             let c = [0; n]
             var i = 0
             while i < 80 {
                 a[3] = i
                 b[i] += a[3]
                 if i < n { c[i] = 1 }
                 i += 1
             }
             return a[3] + b[5] + len(c)
         }";
    let entered_at = |source: &str, entry| entered(source, Some("gvn-known"), entry, |_| Observed::default());
    let header = header_of_f(source);
    let func = entered_at(source, Entry::Header(header));
    assert_eq!(count(&func, 0, |op| op == Op::Allocated), 3);
    assert_eq!(count(&func, 0, |op| op == Op::Load(Mem::Len)), 0, "lengths are known");
    let loads = |func: &Func| count(func, 1, |op| matches!(op, Op::Load(Mem::Elem(_))));
    assert_eq!(loads(&func), loads(&entered_at(source, Entry::Call)), "and that arrays differ");
    let other = source.replace("var i = 0", "var i = 0\n var a = a\n if n > 5 { a = b }");
    let func = entered_at(&other, Entry::Header(header_of_f(&other)));
    assert_eq!(count(&func, 0, |op| op == Op::Allocated), 2, "a local that is assigned twice may be either");
}

/// The header of the outermost loop of `f`.
fn header_of_f(source: &str) -> Block {
    let mut session = Session::new(SessionKind::Program);
    let input = session::Input { name: "test.hw", key: None, bytes: source.as_bytes() };
    assert!(session.add(input, &mut NoFiles).is_ok(), "the program is correct");
    let func = session.function("f").expect("there is a function `f`");
    let cfg = Cfg::compute(session.module().function(func));
    let loops = Loops::of(&cfg);
    loops.iter().next().expect("there is a loop").1.header
}

const SUM: &str = "fn f(a: [int]) -> int {
    var s = 0
    for i in 0..ROUNDS { s += a[i] * a[i + 1] }
    return s
}";

#[test]
fn a_loop_of_few_rounds_is_none() {
    let func = f(&SUM.replace("ROUNDS", "6"));
    assert_eq!((loops(&func), count(&func, 0, is_binary(BinaryOp::IntMul))), (0, 6));
}

#[test]
fn copies_divide_the_rounds_if_they_can() {
    let func = f(&SUM.replace("ROUNDS", "35"));
    assert_eq!((loops(&func), count(&func, 0, is_binary(BinaryOp::IntMul))), (1, 5));
}

#[test]
fn a_loop_of_unknown_length_keeps_its_rest() {
    let func = f(&SUM.replace("ROUNDS", "len(a) - 1"));
    assert_eq!((loops(&func), count(&func, 1, is_binary(BinaryOp::IntMul))), (2, 5));
}

#[test]
fn an_index_that_is_the_counter_is_tested_at_both_ends_only() {
    let func = f_after("fn f(a: [int], n: int) { for i in 0..n { a[i] = 1 } }", Some("sweep-versions"));
    assert_eq!(count(&func, 0, |op| op == Op::CheckIndex), 0);
    assert_eq!(count(&func, 0, |op| op == Op::Below), 2);
}

#[test]
fn variables_that_run_side_by_side_become_one() {
    let source = "fn f(a: [int], n: int) -> int {
        var x = 0
        var y = 7
        for i in 0..n { y += 1
            x += a[i] * y }
        return x + y
    }";
    let params = |func: &Func| {
        let graph = Graph::of(func);
        let header = graph.loops.values().next().expect("there is a loop").header;
        func.blocks[header].params.len()
    };
    let before = f_after(source, Some("store-to-load-forwarding"));
    let after = f_after(source, Some("sweep-versions"));
    assert_eq!(params(&before), params(&after) + 1);
}

#[test]
fn what_is_known_behind_a_loop_is_written_down() {
    let source = "fn f() -> int {
        var y = 7
        for i in 0..1000 { print(i)
            y += 3 }
        return y
    }";
    let func = f_after(source, Some("sweep-versions"));
    let returned = func.blocks.values().find_map(|block| match block.term {
        super::ssa::Term::Return(Some(value)) => func.as_int(value),
        _ => None,
    });
    assert_eq!(returned, Some(3007));
}
