//! The builtins on linear memory and tables, which only modules of WebAssembly have.
//!
//! In: operands as words. Out: a word, 0 if there is no result, or the failure.

use crate::Runtime;
use crate::failure::FailureKind;
use crate::linear::Instance;
use holloway_ir::Builtin;

/// Runs one of these builtins.
pub(super) fn call(rt: &mut Runtime, builtin: Builtin, operands: &[u64]) -> Result<u64, FailureKind> {
    let result = on_instance(rt.linear_mut(), builtin, operands);
    if builtin == Builtin::MemoryGrow {
        rt.note_memory_size();
    }
    result
}

fn on_instance(instance: &mut Instance, builtin: Builtin, operands: &[u64]) -> Result<u64, FailureKind> {
    let Instance { memory, tables, .. } = instance;
    match (builtin, operands) {
        (Builtin::MemorySize, []) => return Ok(u64::from(memory.pages())),
        (Builtin::MemoryGrow, [pages]) => return Ok(u64::from(instance.grow_memory(*pages))),
        (Builtin::MemoryFill, [to, byte, count]) => memory.fill(*to, *byte as u8, *count)?,
        (Builtin::MemoryCopy, [to, from, count]) => memory.copy(*to, *from, *count)?,
        (Builtin::MemoryInit, [segment, to, from, count]) => instance.memory_init(*segment, *to, *from, *count)?,
        (Builtin::DataDrop, [segment]) => instance.data_drop(*segment),
        (Builtin::TableGet, [table, index]) => {
            return tables[*table as usize].entry(*index).ok_or(FailureKind::TableOutOfBounds);
        }
        (Builtin::TableSet, [table, index, reference]) => tables[*table as usize].write(*index, &[*reference])?,
        (Builtin::TableSize, [table]) => return Ok(tables[*table as usize].len() as u64),
        (Builtin::TableGrow, [table, reference, count]) => {
            return Ok(u64::from(instance.grow_table(*table, *reference, *count)));
        }
        (Builtin::TableFill, [table, to, reference, count]) => tables[*table as usize].fill(*to, *reference, *count)?,
        (Builtin::TableCopy, [to_table, from_table, to, from, count]) => {
            instance.table_copy(*to_table, *from_table, *to, *from, *count)?;
        }
        (Builtin::TableInit, [table, segment, to, from, count]) => {
            instance.table_init(*table, *segment, *to, *from, *count)?;
        }
        (Builtin::ElemDrop, [segment]) => instance.elem_drop(*segment),
        (Builtin::TableCallee, [table, index, ty]) => return instance.callee(*table, *index, *ty),
        (other, _) => unreachable!("{other:?} is on something else"),
    }
    Ok(0)
}
