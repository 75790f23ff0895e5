//! Arguments and expected results of the suite's assertions.
//!
//! In: their syntax. Out: values of the engine, and whether a result is one that is expected.

use holloway::wasm::WasmValue;
use wast::core::{AbstractHeapType, HeapType, NanPattern, WastArgCore, WastRetCore};
use wast::{WastArg, WastRet};

/// The value of an argument.
pub(crate) fn argument(arg: &WastArg<'_>) -> WasmValue {
    let WastArg::Core(arg) = arg else { panic!("an argument of a component") };
    match arg {
        WastArgCore::I32(value) => WasmValue::I32(*value),
        WastArgCore::I64(value) => WasmValue::I64(*value),
        WastArgCore::F32(value) => WasmValue::F32(f32::from_bits(value.bits)),
        WastArgCore::F64(value) => WasmValue::F64(f64::from_bits(value.bits)),
        WastArgCore::RefNull(HeapType::Abstract { ty: AbstractHeapType::Extern, .. }) => WasmValue::ExternRef(None),
        WastArgCore::RefNull(_) => WasmValue::FuncRef(None),
        WastArgCore::RefExtern(value) => WasmValue::ExternRef(Some(*value)),
        other => panic!("{other:?} is not of version 2.0"),
    }
}

/// Returns whether a result is the expected one.
pub(crate) fn fits(expected: &WastRet<'_>, found: WasmValue) -> bool {
    let WastRet::Core(expected) = expected else { panic!("a result of a component") };
    fits_core(expected, found)
}

fn fits_core(expected: &WastRetCore<'_>, found: WasmValue) -> bool {
    match (expected, found) {
        (WastRetCore::I32(expected), WasmValue::I32(found)) => *expected == found,
        (WastRetCore::I64(expected), WasmValue::I64(found)) => *expected == found,
        (WastRetCore::F32(expected), WasmValue::F32(found)) => match expected {
            NanPattern::CanonicalNan => found.to_bits() & 0x7fff_ffff == 0x7fc0_0000,
            NanPattern::ArithmeticNan => found.to_bits() & 0x7fc0_0000 == 0x7fc0_0000,
            NanPattern::Value(expected) => expected.bits == found.to_bits(),
        },
        (WastRetCore::F64(expected), WasmValue::F64(found)) => match expected {
            NanPattern::CanonicalNan => found.to_bits() & (u64::MAX >> 1) == 0x7ff8 << 48,
            NanPattern::ArithmeticNan => found.to_bits() & (0x7ff8 << 48) == 0x7ff8 << 48,
            NanPattern::Value(expected) => expected.bits == found.to_bits(),
        },
        (WastRetCore::RefNull(_), WasmValue::FuncRef(None) | WasmValue::ExternRef(None)) => true,
        (WastRetCore::RefExtern(None), WasmValue::ExternRef(Some(_))) => true,
        (WastRetCore::RefExtern(expected), WasmValue::ExternRef(found)) => *expected == found,
        (WastRetCore::RefFunc(_), WasmValue::FuncRef(Some(_))) => true,
        (WastRetCore::Either(all), found) => all.iter().any(|expected| fits_core(expected, found)),
        _ => false,
    }
}
