//! Loops split by the state they are in.

use super::{IntFunction, Paths, blocks, func, local, module, text};
use crate::trace::choose::from_paths;
use crate::trace::split::{Split, split};
use crate::trace::{Declined, State};
use holloway_lang::ir::FuncRef;
use holloway_profiler::path_id::PathEnd;

/// A machine of two states, and a third that nothing enters.
const MACHINE: IntFunction = IntFunction {
    params: 2,
    locals: &["int", "int", "bool"],
    blocks: "
    block0:
        v2 = copy 0
        v3 = copy 0
        jump block1
    block1:
        v3 = iadd v3, 1
        v4 = ieq v2, 1
        branch v4, block2, block3
    block2:
        v4 = ilt v3, v1
        branch v4, block6, block4
    block3:
        v4 = ilt v3, v1
        branch v4, block5, block6
    block4:
        v2 = copy 0
        jump block6
    block5:
        v2 = copy 1
        jump block6
    block6:
        v4 = ilt v3, v0
        branch v4, block1, block7
    block7:
        return v3",
};

#[test]
fn a_local_that_is_a_state_is_assigned_constants_only() {
    let module = module(MACHINE);
    let header = blocks(&[1])[0];
    let refused = |number: u32| {
        let wanted = Split { header, state: State::Local(local(number)), values: vec![0, 1], rare: Vec::new() };
        split(func(&module), &wanted).err()
    };
    assert_eq!(refused(2), None);
    assert_eq!(refused(3), Some(Declined::NotTestable));
    assert_eq!(refused(0), Some(Declined::NotTestable), "whoever calls assigns a parameter");
}

#[test]
fn each_state_has_a_loop_and_the_first_leads_to_the_others() {
    let module = module(MACHINE);
    let wanted = Split { header: blocks(&[1])[0], state: State::Local(local(2)), values: vec![0, 1], rare: Vec::new() };
    let formed = split(func(&module), &wanted).expect("it can be split");
    insta::assert_snapshot!(text(&module, &formed.body), @r#"
    function f0 "f" sig0(v0: int, v1: int) -> int {
        local v2: int
        local v3: int
        local v4: bool
        local v5: bool
        local v6: bool
    block0:
        v2 = copy 0
        v3 = copy 0
        jump block1
    block1:
        v5 = ieq v2, 0
        branch v5, block2, block3
    block2:
        v2 = copy 0
        v3 = iadd v3, 1
        v4 = ieq v2, 1
        jump block4
    block3:
        v6 = ieq v2, 1
        branch v6, block5, block6
    block4:
        v4 = ilt v3, v1
        branch v4, block7, block8
    block5:
        v2 = copy 1
        v3 = iadd v3, 1
        v4 = ieq v2, 1
        jump block9
    block6:
        v3 = iadd v3, 1
        v4 = ieq v2, 1
        branch v4, block10, block11
    block7:
        v2 = copy 1
        jump block12
    block8:
        v4 = ilt v3, v0
        branch v4, block2, block13
    block9:
        v4 = ilt v3, v1
        branch v4, block14, block15
    block10:
        v4 = ilt v3, v1
        branch v4, block16, block17
    block11:
        v4 = ilt v3, v1
        branch v4, block18, block16
    block12:
        v4 = ilt v3, v0
        branch v4, block5, block13
    block13:
        return v3
    block14:
        v4 = ilt v3, v0
        branch v4, block5, block13
    block15:
        v2 = copy 0
        jump block16
    block16:
        v4 = ilt v3, v0
        branch v4, block1, block13
    block17:
        v2 = copy 0
        jump block16
    block18:
        v2 = copy 1
        jump block16
    }
    "#);
}

#[test]
fn states_are_split_if_they_last() {
    let module = module(MACHINE);
    let body = &module.funcs[FuncRef::from_u32(0)].body;
    let chosen = |streams: &[(&[u32], u64)]| {
        let paths = Paths::of(body);
        let ids = |(along, times): &(&[u32], u64)| vec![paths.id(along, PathEnd::Cut); *times as usize];
        let ids: Vec<u64> = streams.iter().flat_map(ids).collect();
        from_paths(body, &paths.graph, &paths.numbering, &paths.forest(4, &ids))
    };
    let (idle, start, busy, end) = ([1, 3, 6], [1, 3, 5, 6], [1, 2, 6], [1, 2, 4, 6]);
    let lasting = chosen(&[(&idle, 50), (&start, 5), (&busy, 100), (&end, 5)]);
    let [(found, _)] = lasting.as_slice() else { panic!("one loop is a machine: {lasting:?}") };
    assert_eq!(found.split.state, State::Local(local(2)));
    assert_eq!((found.executions, found.coverage), (160, 1.0));
    assert!(found.split_weight < found.general);
    assert!(chosen(&[(&idle, 2), (&start, 40), (&end, 40)]).is_empty(), "it changes each time");
}
