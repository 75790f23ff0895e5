//! Routines that stand for instructions which machines without SSE 4.1 do not have.
//!
//! In: the name of the C function that Cranelift makes a call of. Out: the address of one that does the same.

/// The address of the routine of a name, if there is one.
pub fn library_routine(name: &str) -> Option<*const u8> {
    extern "C" fn ceil(x: f64) -> f64 {
        x.ceil()
    }
    extern "C" fn floor(x: f64) -> f64 {
        x.floor()
    }
    extern "C" fn trunc(x: f64) -> f64 {
        x.trunc()
    }
    let routine: extern "C" fn(f64) -> f64 = match name {
        "ceil" => ceil,
        "floor" => floor,
        "trunc" => trunc,
        _ => return None,
    };
    Some(routine as *const u8)
}
