//! Validation, by `wasmparser`.
//!
//! In: bytes. Out: nothing, or the first fault. Invariant: what passes uses WebAssembly 2.0 without SIMD, so that lowering has no
//! case for anything else.

use crate::error::WasmError;
use wasmparser::{BinaryReaderError, Validator, WasmFeatures};

/// WebAssembly 2.0 without SIMD.
const TAKEN: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::GC_TYPES);

/// Proposals that are not taken, by the names that users look for.
const PROPOSALS: &[(&str, WasmFeatures)] = &[
    ("SIMD", WasmFeatures::SIMD),
    ("relaxed SIMD", WasmFeatures::SIMD.union(WasmFeatures::RELAXED_SIMD)),
    ("threads", WasmFeatures::THREADS),
    ("tail calls", WasmFeatures::TAIL_CALL),
    ("exception handling", WasmFeatures::EXCEPTIONS),
    ("legacy exception handling", WasmFeatures::LEGACY_EXCEPTIONS),
    ("memory64", WasmFeatures::MEMORY64),
    ("multiple memories", WasmFeatures::MULTI_MEMORY),
    ("extended constant expressions", WasmFeatures::EXTENDED_CONST),
    ("function references", WasmFeatures::FUNCTION_REFERENCES),
    ("garbage collection", WasmFeatures::FUNCTION_REFERENCES.union(WasmFeatures::GC)),
    ("wide arithmetic", WasmFeatures::WIDE_ARITHMETIC),
    ("custom page sizes", WasmFeatures::CUSTOM_PAGE_SIZES),
    ("stack switching", WasmFeatures::FUNCTION_REFERENCES.union(WasmFeatures::STACK_SWITCHING)),
];

/// The header of a component, which is no module.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// Validates a module.
pub(crate) fn validate(bytes: &[u8]) -> Result<(), WasmError> {
    if bytes.starts_with(COMPONENT) {
        return Err(WasmError::Unsupported { proposal: "component model", offset: 4 });
    }
    let Err(error) = fault(bytes, TAKEN) else { return Ok(()) };
    let offset = error.offset();
    // With the right proposal the validator gets further.
    let is_it = |features: WasmFeatures| match fault(bytes, TAKEN.union(features)) {
        Ok(()) => true,
        Err(other) => other.offset() > offset,
    };
    match PROPOSALS.iter().find(|(_, features)| is_it(*features)) {
        Some((proposal, _)) => Err(WasmError::Unsupported { proposal, offset }),
        None => Err(WasmError::Invalid { message: error.message().to_owned(), offset }),
    }
}

fn fault(bytes: &[u8], features: WasmFeatures) -> Result<(), BinaryReaderError> {
    Validator::new_with_features(features).validate_all(bytes).map(|_| ())
}
