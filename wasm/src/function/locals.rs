//! The locals of the program.
//!
//! In: parameters, groups of declared locals, and the indices that code names. Out: a local of the IR for each of these. Invariant: a declared local that
//! nothing names takes no room: a few bytes declare tens of thousands.

use crate::sections::VALID;
use crate::types::{FuncType, ValType};
use cranelift_entity::{EntityRef, EntitySet};
use hashbrown::HashMap;
use holloway_ir::{Local, Scalar};
use wasmparser::FunctionBody;

/// The locals by their index in the program.
pub(super) struct Locals {
    params: u32,
    /// Declared locals: the index behind the last one of each group, and their scalar.
    groups: Vec<(u32, Scalar)>,
    /// The declared ones that code has named.
    made: HashMap<u32, Local>,
    /// All locals of the IR that are of the program.
    of_program: EntitySet<Local>,
}

impl Locals {
    /// Those of a function, whose parameters are the first locals of the IR.
    pub(super) fn new(ty: &FuncType, code: &FunctionBody<'_>) -> Locals {
        let params = ty.params.len() as u32;
        let (mut groups, mut end) = (Vec::new(), params);
        for group in code.get_locals_reader().expect(VALID) {
            let (count, ty) = group.expect(VALID);
            end += count;
            groups.push((end, ValType::of(ty).scalar()));
        }
        let mut of_program = EntitySet::new();
        of_program.extend((0..params).map(|at| Local::new(at as usize)));
        Locals { params, groups, made: HashMap::new(), of_program }
    }

    /// The local of an index, if there is one yet.
    pub(super) fn get(&self, index: u32) -> Option<Local> {
        match index < self.params {
            true => Some(Local::new(index as usize)),
            false => self.made.get(&index).copied(),
        }
    }

    /// The scalar of a declared local.
    pub(super) fn declared(&self, index: u32) -> Scalar {
        let group = self.groups.partition_point(|(end, _)| *end <= index);
        self.groups[group].1
    }

    /// Names the local of the IR for a declared one.
    pub(super) fn add(&mut self, index: u32, local: Local) {
        self.made.insert(index, local);
        self.of_program.insert(local);
    }

    /// Returns whether a local of the IR is one of the program.
    pub(super) fn contains(&self, local: Local) -> bool {
        self.of_program.contains(local)
    }
}
