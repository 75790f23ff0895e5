//! Runtime calls that allocate.
#![expect(unsafe_code, reason = "stubs are naked functions, and words stand for references")]

use super::super::caller::run;
use crate::builtins::arrays;
use crate::heap::Obj;
use crate::heap::class::Class;
use cranelift_entity::EntityRef;
use holloway_jit::abi::Context;
use holloway_jit::arch::runtime_call_stub;
use holloway_lang::ir::{Elem, RecordRef};

runtime_call_stub!(refill_stub => refill);
runtime_call_stub!(new_record_stub => new_record);
runtime_call_stub!(new_array_stub => new_array);

extern "C" fn refill(context: *mut Context, class: i64) {
    run(context, |rt| rt.refill(Class::small(class as usize)));
}

extern "C" fn new_record(context: *mut Context, record: i64) -> u64 {
    run(context, |rt| Ok(rt.alloc_record(RecordRef::new(record as usize), &[])?.word()))
}

extern "C" fn new_array(context: *mut Context, elem: i64, len: i64, fill: u64) -> u64 {
    let elem = Elem::ALL[elem as usize];
    let keep = match elem {
        // SAFETY: the fill of an array of references is one.
        Elem::Ref => unsafe { Obj::from_word(fill) },
        Elem::Int | Elem::Float | Elem::Bool | Elem::Byte | Elem::Func | Elem::Char => None,
    };
    run(context, |rt| Ok(arrays::new_array(rt, elem, len, fill, keep)?.word()))
}
