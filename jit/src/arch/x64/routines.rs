//! Routines that stand for instructions which machines without SSE 4.1 do not have.
//!
//! In: an operation that Cranelift makes a call of. Out: the address of a C function that carries it out.

use cranelift_codegen::ir::LibCall;

/// The address of the routine for an operation.
pub fn library_routine(call: LibCall) -> usize {
    extern "C" fn ceil(x: f64) -> f64 {
        x.ceil()
    }
    extern "C" fn floor(x: f64) -> f64 {
        x.floor()
    }
    extern "C" fn trunc(x: f64) -> f64 {
        x.trunc()
    }
    match call {
        LibCall::CeilF64 => ceil as *const () as usize,
        LibCall::FloorF64 => floor as *const () as usize,
        LibCall::TruncF64 => trunc as *const () as usize,
        other => unreachable!("no instruction of ours becomes a call of {other}"),
    }
}
