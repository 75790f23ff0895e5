//! The intermediate representation: a control-flow graph of basic blocks over typed locals, not SSA.
//!
//! In: a program that a front end lowers, with a [`FunctionBuilder`]. Out: the code that the interpreter walks and `jit` compiles, and the graph whose
//! blocks every profile and trace names.
//! Invariant: a function that passed [`verify`] has well-typed operands, targets that exist, and no
//! use of a local that is not assigned on every path to it.
//!
//! Locals stay variables (Cranelift's frontend builds SSA) because on-stack replacement, cloning of
//! paths, GEN/KILL data flow and the interpreter are all simplest on them.
#![forbid(unsafe_code)]

pub mod access;
pub mod builder;
pub mod builtin;
pub mod cfg;
pub mod dominators;
pub mod entity;
pub mod field;
pub mod format_spec;
pub mod function;
pub mod host;
pub mod inst;
mod intern;
pub mod linear;
pub mod liveness;
pub mod loops;
pub mod module;
pub mod op;
pub mod parse;
pub mod print;
pub mod scan;
mod settings;
mod shape;
mod span;
mod sparse_set;
pub mod stale;
pub mod types;
pub mod verify;

pub use access::Access;
pub use builder::FunctionBuilder;
pub use builtin::Builtin;
pub use cfg::{Cfg, EdgeKind, FlowGraph};
pub use dominators::Dominators;
pub use entity::{Block, FuncRef, Global, HostRef, Local, LoopId, RecordRef, SigRef, StrRef, TypeRef};
pub use format_spec::{FormatError, FormatSpec, FormattedType};
pub use function::{BlockData, Function, FunctionKind, LocalDecl};
pub use host::{HostCall, MOST_HOST_OPERANDS};
pub use inst::{FailKind, Inst, Operand, Terminator};
pub use linear::{Linear, MemoryDecl, TableDecl};
pub use liveness::Liveness;
pub use loops::Loops;
pub use module::{EntryPoint, FieldDecl, FuncDecl, GlobalDecl, Module, Record, Shape, Signature, Variant};
pub use op::{BinaryOp, UnaryOp};
pub use span::{FileId, Span};
pub use stale::Stale;
pub use types::{Elem, Scalar, Type};
