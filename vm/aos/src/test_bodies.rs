//! Bodies for tests: of one function of an integer, with a local of its own for conditions.

use holloway_ir::{FuncRef, Function, Module, parse};

/// A module whose only function has these blocks, which compute with `v0`, an integer, and `v1`, a boolean.
pub(crate) fn module_of(blocks: &str) -> Module {
    let head =
        "type t0 = int\ntype t1 = bool\nsig0 = (t0) -> t0\nfunction f0 \"f\" sig0(v0: int) -> int {\n local v1: bool\n";
    parse::module(&format!("{head}{blocks}}}")).unwrap_or_else(|error| panic!("{error}"))
}

/// That function's body.
pub(crate) fn body(module: &Module) -> &Function {
    module.function(FuncRef::from_u32(0))
}
