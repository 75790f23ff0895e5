//! The ids of the IR: newtypes over `u32`, owned by the map that declares each kind.

use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};

macro_rules! entity {
    ($(#[doc = $doc:literal] $name:ident = $prefix:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    )*};
}

entity! {
    /// A basic block of one function.
    Block = "block";
    /// A typed local (virtual register) of one function; parameters come first.
    Local = "v";
    /// A function of the module.
    FuncRef = "f";
    /// A global variable of the module.
    Global = "g";
    /// A function of the host.
    HostRef = "host";
    /// A record layout (`struct`) of the module.
    RecordRef = "r";
    /// A function signature, the type of function values.
    SigRef = "sig";
    /// A string constant of the module.
    StrRef = "s";
    /// A source-level type of the module, kept for printing values and for storage.
    TypeRef = "t";
    /// A natural loop of one function.
    LoopId = "loop";
}
