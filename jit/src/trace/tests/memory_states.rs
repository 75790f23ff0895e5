//! Loops split by a state in memory: a global, a field, an element.

use super::{Paths, blocks, func, local, text};
use crate::trace::choose::from_paths;
use crate::trace::split::{Split, split};
use crate::trace::{Declined, Holder, State};
use holloway_lang::ir::{Elem, FuncRef, Global, Module, Operand, RecordRef, parse, verify};
use holloway_profiler::path_id::PathEnd;

/// A loop with a header and further blocks, from `block4` on: `block2` is its latch. It has a record `v0`, another `v1`, an array `v2` and a number
/// `v3` that is not assigned.
fn machine(header: &str, others: &str) -> Module {
    let text = format!(
        "type t0 = int\ntype t1 = record r0\ntype t2 = array t0\nsig0 = (t1, t1, t2, t0) -> t0\nsig1 = ()\n\
         record r0 \"M\" {{ \"state\": t0, \"n\": t0 }}\nglobal g0 \"mode\": t0\nglobal g1 \"machine\": t1\n\
         function f0 \"f\" sig0(v0: ref \"m\", v1: ref \"o\", v2: ref \"a\", v3: int \"n\") -> int {{\n    \
         local v4: int\n    local v5: int\n    local v6: bool\n    local v7: ref\nblock0:\n    v4 = copy 0\n    jump block1\n\
         block1:\n    {header}\nblock2:\n    v4 = iadd v4, 1\n    v6 = ilt v4, v3\n    branch v6, block1, block3\nblock3:\n    return v4\n\
         {others}\n}}\n\
         function f1 \"g\" sig1() {{\nblock0:\n    return\n}}\n"
    );
    let module = parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    module.funcs.values().for_each(|decl| verify::verify(&module, &decl.body).unwrap_or_else(|e| panic!("{e}")));
    module
}

fn field_of(of: Holder) -> State {
    State::Field { of, record: RecordRef::from_u32(0), field: 0 }
}

fn element(index: Operand) -> State {
    State::Element { of: Holder::Local(local(2)), elem: Elem::Int, index }
}

fn wanted(state: State) -> Split {
    Split { header: blocks(&[1])[0], state, values: vec![0, 1], rare: Vec::new() }
}

fn split_text(module: &Module, state: State) -> String {
    text(module, &split(func(module), &wanted(state)).expect("it can be split").body)
}

/// Number of tests of the state behind some instructions, in the loops of two values.
fn tests_behind(insts: &str, state: State) -> usize {
    let reads = match state {
        State::Local(_) => unreachable!("a local is not in memory"),
        State::Global(global) => format!("v5 = global_get {global}"),
        State::Field { of: Holder::Local(of), .. } => format!("v5 = field_get r0 0, {of}"),
        State::Field { of: Holder::Global(of), .. } => format!("v7 = global_get {of}\n    v5 = field_get r0 0, v7"),
        State::Element { index, .. } => format!("v5 = elem_get int v2, {index}"),
    };
    let header = format!("{reads}\n    {insts}\n    jump block4");
    let module =
        machine(&header, "block4:\n    v6 = ieq v5, 1\n    branch v6, block5, block2\nblock5:\n    jump block2");
    let tests = split_text(&module, state).lines().filter(|line| line.contains("ieq")).count();
    // Two tests lead into the loops, one is the loop's own in each of the three.
    tests - 5
}

#[test]
fn loads_become_the_value_and_stores_stay() {
    let module = machine(
        "v5 = field_get r0 0, v0
            switch v5 [0: block4, 1: block5], block2",
        "block4:
            field_set r0 0, v0, 1
            jump block2
        block5:
            v6 = ieq v4, 9
            branch v6, block6, block2
        block6:
            field_set r0 0, v0, v4
            jump block2",
    );
    insta::assert_snapshot!(split_text(&module, field_of(Holder::Local(local(0)))), @r#"
    function f0 "f" sig0(v0: ref "m", v1: ref "o", v2: ref "a", v3: int "n") -> int {
        local v4: int
        local v5: int
        local v6: bool
        local v7: ref
        local v8: bool
        local v9: int
        local v10: bool
        local v11: int
        local v12: bool
        local v13: int
        local v14: bool
    block0:
        v4 = copy 0
        jump block1
    block1:
        v8 = rne v0, none
        branch v8, block2, block3
    block2:
        v9 = field_get r0 0, v0
        v10 = ieq v9, 0
        branch v10, block4, block5
    block3:
        v5 = field_get r0 0, v0
        switch v5 [0: block6, 1: block7], block8
    block4:
        v5 = copy 0
        jump block9
    block5:
        v11 = field_get r0 0, v0
        v12 = ieq v11, 1
        branch v12, block10, block3
    block6:
        field_set r0 0, v0, 1
        jump block8
    block7:
        v6 = ieq v4, 9
        branch v6, block11, block8
    block8:
        v4 = iadd v4, 1
        v6 = ilt v4, v3
        branch v6, block1, block12
    block9:
        field_set r0 0, v0, 1
        jump block13
    block10:
        v5 = copy 1
        jump block14
    block11:
        field_set r0 0, v0, v4
        jump block8
    block12:
        return v4
    block13:
        v4 = iadd v4, 1
        v6 = ilt v4, v3
        branch v6, block10, block12
    block14:
        v6 = ieq v4, 9
        branch v6, block15, block16
    block15:
        field_set r0 0, v0, v4
        jump block17
    block16:
        v4 = iadd v4, 1
        v6 = ilt v4, v3
        branch v6, block10, block12
    block17:
        v13 = field_get r0 0, v0
        v14 = ieq v13, 1
        branch v14, block16, block8
    }
    "#);
}

#[test]
fn what_may_change_the_state_leads_to_a_test_of_it() {
    let field = field_of(Holder::Local(local(0)));
    for (insts, tests) in [
        ("field_set r0 1, v0, v4", 0),
        ("field_set r0 0, v1, v4", 2),
        ("field_set r0 0, v1, 7", 2),
        ("field_set r0 0, v0, 300", 2),
        ("global_set g0, v4", 0),
        ("elem_set int v2, 0, v4", 0),
        ("call f1()", 2),
        ("builtin fill_int(v2, 0)", 0),
    ] {
        assert_eq!(tests_behind(insts, field), tests, "{insts}");
    }
    // What is stored elsewhere is the value of one loop, and changes nothing in that.
    assert_eq!(tests_behind("field_set r0 0, v1, 1", field), 1);
    let first = element(Operand::Int(0));
    for (insts, tests) in [
        ("elem_set int v2, 1, v4", 0),
        ("elem_set int v2, v3, v4", 2),
        ("elem_set byte v2, 0, v4", 0),
        ("builtin fill_int(v2, 0)", 2),
        ("call f1()", 2),
    ] {
        assert_eq!(tests_behind(insts, first), tests, "{insts}");
    }
    assert_eq!(tests_behind("elem_set int v2, 1, v4", element(Operand::Local(local(3)))), 2);
    let global = State::Global(Global::from_u32(0));
    assert_eq!(tests_behind("global_set g0, v4", global), 2);
    assert_eq!(tests_behind("call f1()", global), 2);
    assert_eq!(tests_behind("field_set r0 0, v1, v4", global), 0);
    let held = field_of(Holder::Global(Global::from_u32(1)));
    assert_eq!(tests_behind("global_set g1, v1", held), 2);
}

#[test]
fn an_object_that_the_loop_replaces_holds_no_state() {
    let module = machine(
        "v5 = field_get r0 0, v0
            v6 = ieq v5, 1
            v0 = copy v1
            branch v6, block4, block2",
        "block4:
            jump block2",
    );
    let refused = split(func(&module), &wanted(field_of(Holder::Local(local(0))))).err();
    assert_eq!(refused, Some(Declined::NotTestable));
    let refused = split(func(&module), &wanted(element(Operand::Int(0)))).err();
    assert_eq!(refused, Some(Declined::NotTestable), "the loop does not read it");
}

#[test]
fn an_element_is_tested_to_be_there() {
    let index = Operand::Local(local(3));
    let module = machine(
        "v5 = elem_get int v2, v3\n    v6 = ieq v5, 1\n    branch v6, block4, block2",
        "block4:\n    jump block2",
    );
    let text = split_text(&module, element(index));
    let first: Vec<&str> = text.lines().map(str::trim).skip_while(|line| *line != "block1:").take(9).collect();
    assert_eq!(
        first,
        [
            "block1:",
            "v8 = rne v2, none",
            "branch v8, block2, block3",
            "block2:",
            "v9 = len v2",
            "v10 = ilt v3, v9",
            "v11 = ige v3, 0",
            "v12 = band v11, v10",
            "branch v12, block4, block3",
        ]
    );
}

/// A path of the loop with how often it is taken.
type Taken<'a> = (&'a [u32], u64);

#[test]
fn states_in_memory_are_chosen_if_they_last() {
    let module = machine(
        "v7 = global_get g1
            v5 = field_get r0 0, v7
            switch v5 [0: block4, 1: block5], block6",
        "block4:
            v6 = ieq v4, 9
            branch v6, block7, block2
        block5:
            v6 = ieq v4, 9
            branch v6, block8, block2
        block6:
            jump block2
        block7:
            field_set r0 0, v7, 1
            jump block2
        block8:
            field_set r0 0, v7, 0
            jump block2",
    );
    let body = &module.funcs[FuncRef::from_u32(0)].body;
    let chosen = |streams: &[Taken<'_>]| {
        let paths = Paths::of(body);
        let ids = |(along, times): &Taken<'_>| vec![paths.id(along, PathEnd::Cut); *times as usize];
        let ids: Vec<u64> = streams.iter().flat_map(ids).collect();
        from_paths(body, &paths.graph, &paths.numbering, &paths.forest(4, &ids))
    };
    let (idle, start, busy, end) = ([1, 4, 2], [1, 4, 7, 2], [1, 5, 2], [1, 5, 8, 2]);
    let lasting = chosen(&[(&idle, 50), (&start, 5), (&busy, 100), (&end, 5)]);
    let [(found, _)] = lasting.as_slice() else { panic!("one loop is a machine: {lasting:?}") };
    assert_eq!(found.split.state, field_of(Holder::Global(Global::from_u32(1))));
    assert_eq!((found.executions, found.coverage), (160, 1.0));
    assert_eq!(found.split.state.name(body, &module), "machine.state");
    assert!(chosen(&[(&idle, 2), (&start, 40), (&end, 40)]).is_empty(), "it changes each time");
    assert!(chosen(&[(&[1, 6, 2], 100), (&idle, 5)]).is_empty(), "most values are unknown");
}
