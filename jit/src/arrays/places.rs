//! The places of a program that hold values: numbers for all of them.
//!
//! In: a module. Out: a number for each local of each function, for what each function returns, for globals and for the
//! fields of records.
//! Invariant: no two places have the same number, and all numbers are below [`Places::count`].

use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_lang::ir::{FuncRef, Global, Local, Module, RecordRef};

/// The numbers.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// That of each function's first local.
    first_local: SecondaryMap<FuncRef, usize>,
    first_result: usize,
    first_global: usize,
    first_field: SecondaryMap<RecordRef, usize>,
    count: usize,
}

impl Places {
    /// Those of a module.
    pub(super) fn of(module: &Module) -> Places {
        let mut places = Places::default();
        let mut count = 0;
        let mut take = |more: usize| {
            count += more;
            count - more
        };
        for (func, decl) in module.funcs.iter() {
            places.first_local[func] = take(decl.body.locals.len());
        }
        places.first_result = take(module.funcs.len());
        places.first_global = take(module.globals.len());
        for (record, layout) in module.records.iter() {
            places.first_field[record] = take(layout.fields.len());
        }
        places.count = count;
        places
    }

    /// The number of places.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// A local of a function.
    pub(super) fn local(&self, func: FuncRef, local: Local) -> usize {
        self.first_local[func] + local.index()
    }

    /// The results of a function.
    pub(super) fn result(&self, func: FuncRef) -> usize {
        self.first_result + func.index()
    }

    /// A global.
    pub(super) fn global(&self, global: Global) -> usize {
        self.first_global + global.index()
    }

    /// A field of all records of a type.
    pub(super) fn field(&self, record: RecordRef, field: u32) -> usize {
        self.first_field[record] + field as usize
    }
}
