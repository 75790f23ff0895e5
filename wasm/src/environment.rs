//! The part of a module that the lowering of each body reads.
//!
//! In: the sections. Out: the IR's ids of types, functions and globals. Invariants: the function of index `n` is the function `n`
//! of the IR. Values that no IR call can take, results but the first and operands of the host beyond the fourth, go through
//! globals that no program names: one for each position and scalar.

use crate::names::Names;
use crate::sections::{GlobalVariable, Sections};
use crate::types::FuncType;
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use holloway_ir::{FuncRef, Global, GlobalDecl, MOST_HOST_OPERANDS, Module, Scalar, SigRef, Signature, Type, TypeRef};

/// The ids of a module's parts.
pub(crate) struct Environment {
    /// By the index of a type.
    pub(crate) types: Vec<FuncType>,
    /// The signature of each type.
    pub(crate) sigs: Vec<SigRef>,
    /// The number of each type, the same for equal ones.
    pub(crate) numbers: Vec<u32>,
    /// The index of each function's type.
    pub(crate) functions: Vec<u32>,
    pub(crate) globals: Vec<(Global, GlobalVariable)>,
    hidden: HashMap<(usize, Scalar), Global>,
}

impl Environment {
    /// Declares types and globals in the module.
    pub(crate) fn new(module: &mut Module, sections: &Sections<'_>, names: &Names) -> Environment {
        let sigs = sections.types.iter().map(|ty| signature(module, ty)).collect();
        let mut known = HashMap::new();
        let number = |ty| {
            let next = known.len() as u32;
            *known.entry(ty).or_insert(next)
        };
        let numbers = sections.types.iter().map(number).collect();
        let mut globals = Vec::new();
        for (variable, name) in sections.globals.iter().zip(&names.globals) {
            let ty = type_of(module, variable.ty.scalar());
            globals.push((module.globals.push(GlobalDecl { name: name.clone(), ty }), *variable));
        }
        let hidden = hidden(module, sections);
        let (types, functions) = (sections.types.clone(), sections.functions.clone());
        Environment { types, sigs, numbers, functions, globals, hidden }
    }

    /// The type of a function.
    pub(crate) fn type_of(&self, function: u32) -> &FuncType {
        &self.types[self.functions[function as usize] as usize]
    }

    /// The function of that index in the IR.
    pub(crate) fn function(index: u32) -> FuncRef {
        FuncRef::new(index as usize)
    }

    /// The word of a reference to the function of that index.
    pub(crate) fn reference(index: u32) -> i64 {
        i64::from(index) + 1
    }

    /// The global of the value at that position.
    pub(crate) fn hidden(&self, position: usize, scalar: Scalar) -> Global {
        self.hidden[&(position, scalar)]
    }

    /// The globals of a type's results but the first.
    pub(crate) fn further_results(&self, ty: &FuncType) -> Vec<Global> {
        ty.results.iter().enumerate().skip(1).map(|(at, ty)| self.hidden(at, ty.scalar())).collect()
    }

    /// The globals of the operands that a call of the host does not take.
    pub(crate) fn further_operands(&self, ty: &FuncType) -> Vec<Global> {
        ty.params.iter().enumerate().skip(MOST_HOST_OPERANDS).map(|(at, ty)| self.hidden(at, ty.scalar())).collect()
    }
}

/// The type of the IR whose values are of that scalar.
fn type_of(module: &mut Module, scalar: Scalar) -> TypeRef {
    module.intern_type(if scalar == Scalar::Float { Type::Float } else { Type::Int })
}

fn signature(module: &mut Module, ty: &FuncType) -> SigRef {
    let params = ty.params.iter().map(|ty| type_of(module, ty.scalar())).collect();
    let result = ty.results.first().map(|ty| type_of(module, ty.scalar()));
    module.intern_sig(Signature { params, result })
}

fn hidden(module: &mut Module, sections: &Sections<'_>) -> HashMap<(usize, Scalar), Global> {
    let results = sections.types.iter().flat_map(|ty| ty.results.iter().enumerate().skip(1));
    let imported = sections.functions[..sections.imported_functions.len()].iter();
    let imported = imported.map(|ty| &sections.types[*ty as usize]);
    let operands = imported.flat_map(|ty| ty.params.iter().enumerate().skip(MOST_HOST_OPERANDS));
    let mut hidden = HashMap::new();
    for (position, ty) in results.chain(operands) {
        hidden.entry((position, ty.scalar())).or_insert_with(|| {
            let name = format!("value {position} ({})", ty.scalar().name());
            let ty = type_of(module, ty.scalar());
            module.globals.push(GlobalDecl { name, ty })
        });
    }
    hidden
}
