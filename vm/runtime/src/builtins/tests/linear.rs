//! Builtins on linear memory and tables.

use super::{Bench, Builtin};
use holloway_ir::Module;
use holloway_ir::linear::{Linear, MemoryDecl, PAGE, TableDecl};
use std::sync::Arc;

pub(super) fn check(outer: &mut Bench) {
    let linear = Linear {
        memory: Some(MemoryDecl { least: 1, most: 2 }),
        tables: vec![TableDecl { least: 2, most: 3 }; 2],
        data: vec![Arc::from(*b"abc")],
        elements: vec![Arc::from([5, 6])],
        ..Linear::default()
    };
    let mut module = Module::default();
    module.linear = Some(Arc::new(linear));
    let b = &mut Bench::new(module);
    b.rt.instantiate().expect("there is room");
    memory(b);
    tables(b);
    outer.used.extend(&b.used);
}

fn memory(b: &mut Bench) {
    let out = "out of bounds memory access";
    assert_eq!(b.ok(Builtin::MemorySize, &[]), 1);
    assert_eq!([b.ok(Builtin::MemoryGrow, &[1]), b.ok(Builtin::MemoryGrow, &[1])], [1, u64::from(u32::MAX)]);
    b.ok(Builtin::MemoryInit, &[0, 4, 1, 2]);
    b.ok(Builtin::MemoryCopy, &[5, 4, 2]);
    b.ok(Builtin::MemoryFill, &[8, 0x1ff, 1]);
    assert_eq!(b.rt.linear_mut().memory.bytes()[3..10], *b"\0bbc\0\xff\0");
    assert_eq!(b.fails(Builtin::MemoryInit, &[0, 0, 2, 2]), out);
    b.ok(Builtin::DataDrop, &[0]);
    assert_eq!(b.fails(Builtin::MemoryInit, &[0, 0, 0, 1]), out);
    assert_eq!(b.fails(Builtin::MemoryCopy, &[0, 2 * PAGE - 1, 2]), out);
    assert_eq!(b.fails(Builtin::MemoryFill, &[2 * PAGE, 0, 1]), out);
}

fn tables(b: &mut Bench) {
    let out = "out of bounds table access";
    assert_eq!([b.ok(Builtin::TableSize, &[1]), b.ok(Builtin::TableGrow, &[1, 7, 1])], [2, 2]);
    assert_eq!(b.ok(Builtin::TableGrow, &[1, 7, 1]), u64::from(u32::MAX));
    assert_eq!(b.ok(Builtin::TableGet, &[1, 2]), 7);
    b.ok(Builtin::TableSet, &[0, 1, 4]);
    b.ok(Builtin::TableCopy, &[1, 0, 0, 0, 2]);
    assert_eq!(b.ok(Builtin::TableGet, &[1, 1]), 4);
    b.ok(Builtin::TableInit, &[0, 0, 0, 0, 2]);
    b.ok(Builtin::TableFill, &[0, 1, 9, 1]);
    assert_eq!([b.ok(Builtin::TableGet, &[0, 0]), b.ok(Builtin::TableGet, &[0, 1])], [5, 9]);
    assert_eq!(b.fails(Builtin::TableGet, &[0, 2]), out);
    assert_eq!(b.fails(Builtin::TableSet, &[0, 2, 0]), out);
    b.ok(Builtin::ElemDrop, &[0]);
    assert_eq!(b.fails(Builtin::TableInit, &[0, 0, 0, 0, 1]), out);
    assert_eq!(b.fails(Builtin::TableCopy, &[0, 1, 0, 0, 3]), out);
    assert_eq!(b.fails(Builtin::TableFill, &[0, 2, 0, 1]), out);
    b.ok(Builtin::TableSet, &[0, 0, 0]);
    assert_eq!(b.fails(Builtin::TableCallee, &[0, 0, 0]), "uninitialized element");
    assert_eq!(b.fails(Builtin::TableCallee, &[0, 9, 0]), "undefined element");
}
