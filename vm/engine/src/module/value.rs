//! Values of WebAssembly, for hosts.
//!
//! In: words of the program, or text. Out: values, and their text. Invariant: a word is as the front end has it: an `i32` has no upper half, an
//! `f32` is bits, a reference is 0 for none and else a number plus one.

use holloway_ir::linear::NO_TYPE;
use holloway_ir::{FuncRef, Module};
use holloway_wasm::ValType;
use std::fmt;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WasmValue {
    /// An integer of 32 bits.
    I32(i32),
    /// An integer of 64 bits.
    I64(i64),
    /// A float of 32 bits.
    F32(f32),
    /// A float of 64 bits.
    F64(f64),
    /// A function by its index, or none.
    FuncRef(Option<u32>),
    /// A value of the host by its number, or none.
    ExternRef(Option<u32>),
}

impl WasmValue {
    /// Its type.
    pub fn ty(self) -> ValType {
        match self {
            WasmValue::I32(_) => ValType::I32,
            WasmValue::I64(_) => ValType::I64,
            WasmValue::F32(_) => ValType::F32,
            WasmValue::F64(_) => ValType::F64,
            WasmValue::FuncRef(_) => ValType::FuncRef,
            WasmValue::ExternRef(_) => ValType::ExternRef,
        }
    }

    /// Returns whether it is a value in that module: a function is one of its own.
    pub(super) fn is_of(self, module: &Module) -> bool {
        match self {
            WasmValue::FuncRef(Some(index)) => {
                // The greatest number is no function's, nor can it be looked up.
                let func = Some(index).filter(|index| (*index as usize) < module.funcs.len()).map(FuncRef::from_u32);
                let linear = module.linear.as_ref();
                func.zip(linear).is_some_and(|(func, linear)| linear.types[func] != NO_TYPE)
            }
            _ => true,
        }
    }

    pub(super) fn word(self) -> u64 {
        match self {
            WasmValue::I32(value) => u64::from(value as u32),
            WasmValue::I64(value) => value as u64,
            WasmValue::F32(value) => u64::from(value.to_bits()),
            WasmValue::F64(value) => value.to_bits(),
            WasmValue::FuncRef(value) | WasmValue::ExternRef(value) => value.map_or(0, |value| u64::from(value) + 1),
        }
    }

    pub(super) fn of_word(ty: ValType, word: u64) -> WasmValue {
        let reference = word.checked_sub(1).map(|value| value as u32);
        match ty {
            ValType::I32 => WasmValue::I32(word as i32),
            ValType::I64 => WasmValue::I64(word as i64),
            ValType::F32 => WasmValue::F32(f32::from_bits(word as u32)),
            ValType::F64 => WasmValue::F64(f64::from_bits(word)),
            ValType::FuncRef => WasmValue::FuncRef(reference),
            ValType::ExternRef => WasmValue::ExternRef(reference),
        }
    }

    /// A value of a type from a text, as a person writes it: an integer with or without sign, or hexadecimal; a float.
    pub fn parse(ty: ValType, text: &str) -> Option<WasmValue> {
        let integer = || {
            let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
            let magnitude = match digits.strip_prefix("0x") {
                Some(digits) => i128::from(u64::from_str_radix(digits, 16).ok()?),
                None => i128::from(digits.parse::<u64>().ok()?),
            };
            Some(sign * magnitude)
        };
        let within = |bits: u32| integer().filter(|value| (-(1_i128 << (bits - 1))..1 << bits).contains(value));
        match ty {
            ValType::I32 => within(32).map(|value| WasmValue::I32(value as i32)),
            ValType::I64 => within(64).map(|value| WasmValue::I64(value as i64)),
            ValType::F32 => text.parse().ok().map(WasmValue::F32),
            ValType::F64 => text.parse().ok().map(WasmValue::F64),
            ValType::FuncRef if text == "null" => Some(WasmValue::FuncRef(None)),
            ValType::FuncRef => None,
            ValType::ExternRef if text == "null" => Some(WasmValue::ExternRef(None)),
            ValType::ExternRef => text.parse().ok().map(|value| WasmValue::ExternRef(Some(value))),
        }
    }
}

impl fmt::Display for WasmValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WasmValue::I32(value) => value.fmt(f),
            WasmValue::I64(value) => value.fmt(f),
            WasmValue::F32(value) => value.fmt(f),
            WasmValue::F64(value) => value.fmt(f),
            WasmValue::FuncRef(None) | WasmValue::ExternRef(None) => f.write_str("null"),
            WasmValue::FuncRef(Some(value)) => write!(f, "func {value}"),
            WasmValue::ExternRef(Some(value)) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_written() {
        let read = |ty, text| WasmValue::parse(ty, text).map(|value| value.to_string());
        assert_eq!(read(ValType::I32, "-1").as_deref(), Some("-1"));
        assert_eq!(read(ValType::I32, "0xffffffff").as_deref(), Some("-1"));
        assert_eq!(read(ValType::I32, "4294967296"), None);
        assert_eq!(read(ValType::I32, "-2147483649"), None);
        assert_eq!(read(ValType::I64, "18446744073709551615").as_deref(), Some("-1"));
        assert_eq!(read(ValType::F32, "0.1").as_deref(), Some("0.1"));
        assert_eq!(read(ValType::F64, "-inf").as_deref(), Some("-inf"));
        assert_eq!(read(ValType::F64, "x"), None);
        assert_eq!(read(ValType::ExternRef, "7").as_deref(), Some("7"));
        assert_eq!(read(ValType::FuncRef, "null").as_deref(), Some("null"));
    }

    #[test]
    fn words_are_values() {
        for value in [WasmValue::I32(-3), WasmValue::I64(i64::MIN), WasmValue::F32(-0.0), WasmValue::FuncRef(Some(0))] {
            assert_eq!(WasmValue::of_word(value.ty(), value.word()), value);
        }
        assert_eq!(WasmValue::I32(-1).word(), 0xffff_ffff);
    }
}
