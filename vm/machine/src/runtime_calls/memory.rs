//! Runtime calls that allocate.
#![expect(unsafe_code, reason = "stubs are naked functions, and words stand for references")]

use super::super::caller::run;
use cranelift_entity::EntityRef;
use holloway_abi::Context;
use holloway_ir::{Elem, RecordRef};
use holloway_jit::arch::runtime_call_stub;
use holloway_runtime::builtins::arrays;
use holloway_runtime::heap::Obj;
use holloway_runtime::heap::class::Class;

runtime_call_stub!(refill_stub => refill);
runtime_call_stub!(new_record_stub => new_record);
runtime_call_stub!(new_array_stub => new_array);

unsafe extern "C" fn refill(context: *mut Context, class: i64) {
    // SAFETY: compiled code passed its context.
    unsafe { run(context, |rt| rt.refill(Class::small(class as usize))) };
}

unsafe extern "C" fn new_record(context: *mut Context, record: i64) -> u64 {
    // SAFETY: compiled code passed its context.
    unsafe { run(context, |rt| Ok(rt.alloc_record(RecordRef::new(record as usize), &[])?.word())) }
}

unsafe extern "C" fn new_array(context: *mut Context, elem: i64, len: i64, fill: u64) -> u64 {
    let elem = Elem::ALL[elem as usize];
    let keep = match elem {
        // SAFETY: the fill of an array of references is one.
        Elem::Ref => unsafe { Obj::from_word(fill) },
        Elem::Int | Elem::Float | Elem::Bool | Elem::Byte | Elem::Func | Elem::Char => None,
    };
    // SAFETY: compiled code passed its context, and a word of the elements' type.
    unsafe { run(context, |rt| Ok(arrays::new_array(rt, elem, len, fill, keep)?.word())) }
}
