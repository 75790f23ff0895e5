//! Validation, by `wasmparser`.
//!
//! In: bytes. Out: nothing, or the first fault. Invariants: what passes uses WebAssembly 2.0 without SIMD, so that lowering has no
//! case for anything else. A few bytes that stand for many values are refused before these are made.

use crate::error::WasmError;
use holloway_ir::module::MOST_PARAMS;
use wasmparser::{
    BinaryReaderError, FuncValidator, FuncValidatorAllocations, FunctionBody, Parser, Payload, TypeSectionReader,
    ValidPayload, Validator, ValidatorResources, WasmFeatures,
};

/// The most results of a function or a block.
const MOST_RESULTS: usize = MOST_PARAMS;
/// The most values on the operand stack: compilers need some hundreds, and calls push as many as a function has results.
const MOST_STACK: usize = 1 << 16;

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
    let error = match fault(bytes, TAKEN) {
        Ok(()) => return Ok(()),
        Err(Fault::TooMany(error)) => return Err(error),
        Err(Fault::Invalid(error)) => error,
    };
    let offset = error.offset();
    // With the right proposal the validator gets further.
    let is_it = |features: WasmFeatures| match fault(bytes, TAKEN.union(features)) {
        Ok(()) | Err(Fault::TooMany(_)) => true,
        Err(Fault::Invalid(other)) => other.offset() > offset,
    };
    match PROPOSALS.iter().find(|(_, features)| is_it(*features)) {
        Some((proposal, _)) => Err(WasmError::Unsupported { proposal, offset }),
        None => Err(WasmError::Invalid { message: error.message().to_owned(), offset }),
    }
}

/// The first fault.
enum Fault {
    Invalid(BinaryReaderError),
    TooMany(WasmError),
}

impl From<BinaryReaderError> for Fault {
    fn from(error: BinaryReaderError) -> Fault {
        Fault::Invalid(error)
    }
}

fn fault(bytes: &[u8], features: WasmFeatures) -> Result<(), Fault> {
    let mut validator = Validator::new_with_features(features);
    let mut parser = Parser::new(0);
    parser.set_features(features);
    let mut bodies = Vec::new();
    for payload in parser.parse_all(bytes) {
        let payload = payload?;
        match validator.payload(&payload)? {
            ValidPayload::Func(function, body) => bodies.push((function, body)),
            ValidPayload::Ok | ValidPayload::Parser(_) | ValidPayload::End(_) => {}
        }
        if let Payload::TypeSection(types) = payload {
            lists(types)?;
        }
    }
    let mut allocations = FuncValidatorAllocations::default();
    for (function, body) in bodies {
        let mut validator = function.into_validator(allocations);
        operators(&mut validator, &body)?;
        allocations = validator.into_allocations();
    }
    Ok(())
}

/// Refuses types with too many parameters or results.
fn lists(types: TypeSectionReader<'_>) -> Result<(), Fault> {
    for group in types.into_iter_with_offsets() {
        let (offset, group) = group?;
        for ty in group.types() {
            let wasmparser::CompositeInnerType::Func(ty) = &ty.composite_type.inner else { continue };
            let lists = [
                ("parameters of a function", ty.params().len(), MOST_PARAMS),
                ("results of a function", ty.results().len(), MOST_RESULTS),
            ];
            if let Some((what, _, limit)) = lists.into_iter().find(|(_, count, limit)| count > limit) {
                return Err(Fault::TooMany(WasmError::TooMany { what, limit, offset }));
            }
        }
    }
    Ok(())
}

/// Validates the code of a function.
fn operators(validator: &mut FuncValidator<ValidatorResources>, body: &FunctionBody<'_>) -> Result<(), Fault> {
    let mut reader = body.get_binary_reader();
    validator.read_locals(&mut reader)?;
    let mut reader = wasmparser::OperatorsReader::new(reader);
    while !reader.eof() {
        let offset = reader.original_position();
        reader.visit_operator(&mut validator.visitor(offset))??;
        if validator.operand_stack_height() as usize > MOST_STACK {
            let what = "values on the stack of a function";
            return Err(Fault::TooMany(WasmError::TooMany { what, limit: MOST_STACK, offset }));
        }
    }
    Ok(reader.finish()?)
}
