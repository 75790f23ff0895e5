//! The function that instantiates a module.
//!
//! In: the sections. Out: a body that sets globals, fills tables and memory from active segments, and calls the start function, in this order. Invariant:
//! a segment that does not fit fails there, after those before it were written.

use crate::environment::Environment;
use crate::places::Places;
use crate::sections::{Constant, Sections, Segment};
use holloway_ir::{Builtin, Function, FunctionBuilder, FunctionKind, Inst, Operand, Terminator};
use std::sync::Arc;
use wasmparser::{DataKind, ElementKind};

/// The body.
pub(crate) fn body(env: &Environment, sections: &Sections<'_>, places: &Places) -> Function {
    let span = places.of_module();
    let mut builder = FunctionBuilder::new("instantiate".to_owned(), FunctionKind::TopLevel, span, None);
    let imported = sections.imported_globals.len();
    for (constant, (global, _)) in sections.initial.iter().zip(&env.globals[imported..]) {
        let src = value(&mut builder, env, *constant);
        builder.push(Inst::GlobalSet { global: *global, src });
    }
    for (index, segment) in sections.elements.iter().enumerate() {
        fill_table(&mut builder, env, index as i64, segment);
    }
    for (index, segment) in sections.data.iter().enumerate() {
        if let DataKind::Active { offset_expr, .. } = &segment.kind {
            let to = value(&mut builder, env, Constant::of(offset_expr));
            let index = Operand::Int(index as i64);
            let args = vec![index, to, Operand::Int(0), Operand::Int(segment.data.len() as i64)];
            builder.push(Inst::Builtin { dst: None, builtin: Builtin::MemoryInit, args });
            builder.push(Inst::Builtin { dst: None, builtin: Builtin::DataDrop, args: vec![index] });
        }
    }
    if let Some(start) = sections.start {
        builder.push(Inst::Call { dst: None, func: Environment::function(start), args: Vec::new() });
    }
    builder.terminate(Terminator::Return(None));
    builder.finish()
}

/// The references of a segment; 0 stands for the value of a global.
pub(crate) fn references(segment: &Segment<'_>) -> Arc<[u64]> {
    let word = |constant| match constant {
        Constant::Function(index) => Environment::reference(index) as u64,
        Constant::Word(_) | Constant::Float(_) | Constant::Global(_) => 0,
    };
    match segment.kind {
        // It only says which functions may become references.
        ElementKind::Declared => Arc::default(),
        ElementKind::Passive | ElementKind::Active { .. } => segment.constants.iter().copied().map(word).collect(),
    }
}

/// Returns whether references of a segment are known only when the module is instantiated, and are then needed at any time.
pub(crate) fn is_open(segment: &Segment<'_>) -> bool {
    matches!(segment.kind, ElementKind::Passive)
        && segment.constants.iter().any(|constant| matches!(constant, Constant::Global(_)))
}

/// The value of a constant expression.
fn value(builder: &mut FunctionBuilder, env: &Environment, constant: Constant) -> Operand {
    match constant {
        Constant::Word(word) => Operand::Int(word),
        Constant::Float(bits) => Operand::Float(bits),
        Constant::Function(index) => Operand::Int(Environment::reference(index)),
        Constant::Global(index) => {
            let (global, variable) = env.globals[index as usize];
            let dst = builder.local(variable.ty.scalar(), None);
            builder.push(Inst::GlobalGet { dst, global });
            Operand::Local(dst)
        }
    }
}

fn fill_table(builder: &mut FunctionBuilder, env: &Environment, segment_index: i64, segment: &Segment<'_>) {
    let ElementKind::Active { table_index, offset_expr } = &segment.kind else { return };
    let to = value(builder, env, Constant::of(offset_expr));
    let table = Operand::Int(i64::from(table_index.unwrap_or(0)));
    let index = Operand::Int(segment_index);
    let args = vec![table, index, to, Operand::Int(0), Operand::Int(segment.constants.len() as i64)];
    builder.push(Inst::Builtin { dst: None, builtin: Builtin::TableInit, args });
    builder.push(Inst::Builtin { dst: None, builtin: Builtin::ElemDrop, args: vec![index] });
    for (at, constant) in segment.constants.iter().copied().enumerate() {
        if let Constant::Global(_) = constant {
            let src = value(builder, env, constant);
            let entry = builder.local(holloway_ir::Scalar::Int, None);
            let (op, rhs) = (holloway_ir::BinaryOp::WordAdd, Operand::Int(at as i64));
            builder.push(Inst::Binary { op, dst: entry, lhs: to, rhs });
            let args = vec![table, Operand::Local(entry), src];
            builder.push(Inst::Builtin { dst: None, builtin: Builtin::TableSet, args });
        }
    }
}
