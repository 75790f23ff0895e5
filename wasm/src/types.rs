//! The types of WebAssembly, and what stands for their values in the IR.
//!
//! In: types as the binary form has them. Out: the scalar of each. Invariant: an `i32` is an `int` whose upper 32 bits are 0,
//! an `f32` an `int` with the bits of the binary32, a reference a word that is 0 for none.

use holloway_ir::Scalar;
use std::fmt;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValType {
    /// An integer of 32 bits.
    I32,
    /// An integer of 64 bits.
    I64,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
    /// A function, or none.
    FuncRef,
    /// A value of the host, or none.
    ExternRef,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FuncType {
    /// Its parameters.
    pub params: Vec<ValType>,
    /// Its results.
    pub results: Vec<ValType>,
}

impl ValType {
    /// The scalar of its values.
    pub fn scalar(self) -> Scalar {
        match self {
            ValType::F64 => Scalar::Float,
            ValType::I32 | ValType::I64 | ValType::F32 | ValType::FuncRef | ValType::ExternRef => Scalar::Int,
        }
    }

    /// The type as the binary form has it.
    pub(crate) fn of(ty: wasmparser::ValType) -> ValType {
        match ty {
            wasmparser::ValType::I32 => ValType::I32,
            wasmparser::ValType::I64 => ValType::I64,
            wasmparser::ValType::F32 => ValType::F32,
            wasmparser::ValType::F64 => ValType::F64,
            wasmparser::ValType::Ref(ty) if ty.is_extern_ref() => ValType::ExternRef,
            wasmparser::ValType::Ref(_) => ValType::FuncRef,
            wasmparser::ValType::V128 => unreachable!("the validator takes no SIMD"),
        }
    }
}

impl FuncType {
    /// The type as the binary form has it.
    pub(crate) fn of(ty: &wasmparser::FuncType) -> FuncType {
        let all = |types: &[wasmparser::ValType]| types.iter().map(|ty| ValType::of(*ty)).collect();
        FuncType { params: all(ty.params()), results: all(ty.results()) }
    }
}

impl fmt::Display for ValType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValType::I32 => "i32",
            ValType::I64 => "i64",
            ValType::F32 => "f32",
            ValType::F64 => "f64",
            ValType::FuncRef => "funcref",
            ValType::ExternRef => "externref",
        })
    }
}

impl fmt::Display for FuncType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |types: &[ValType]| types.iter().map(ValType::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "({}) -> ({})", list(&self.params), list(&self.results))
    }
}
