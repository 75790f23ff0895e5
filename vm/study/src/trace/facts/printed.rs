//! Locations that a value of a type is printed from: the elements, lengths and fields that it leads to.
//!
//! In: a type. Out: a location for each class of cells that printing a value of it may read. Invariant: which of them it does read is told by the
//! accesses of the execution; see [`holloway_interp::Operands::printed`].

use super::locations::{READ, elements, field_of, lengths};
use holloway_lang::ir::{Module, Shape, Type, TypeRef};
use holloway_profiler::wpp::slice::Location;
use std::collections::HashSet;

/// The locations of all that printing a value of the type may read.
pub(super) fn printed_locations(module: &Module, ty: TypeRef) -> Vec<Location> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([ty]);
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        let inner = match &module.types[ty] {
            Type::Int | Type::Float | Type::Bool | Type::Byte | Type::Str | Type::Code(_) => Vec::new(),
            Type::Func(_) => {
                let closures = module.records.iter().filter(|(_, record)| record.shape == Shape::Closure);
                found.extend(closures.flat_map(|(id, _)| [0, 1].map(|field| field_of(module, id, field, READ))));
                Vec::new()
            }
            Type::Array(of) => {
                found.extend([elements(module.elem(*of), READ), lengths(READ)]);
                vec![*of]
            }
            Type::Optional(of) => {
                found.extend(module.box_of(*of).map(|record| field_of(module, record, 0, READ)));
                vec![*of]
            }
            Type::Record(record) => {
                let fields = &module.records[*record].fields;
                found.extend((0..fields.len() as u32).map(|field| field_of(module, *record, field, READ)));
                fields.iter().map(|field| field.ty).collect()
            }
        };
        pending.extend(inner.into_iter().filter(|ty| seen.insert(*ty)));
    }
    found.sort_unstable();
    found.dedup();
    found
}
