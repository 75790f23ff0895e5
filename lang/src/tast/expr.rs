//! Typed expressions. Contract and invariants are those of the [module](super).

use super::{Block, Bound, If, Match, VarId};
use crate::ir::{BinaryOp, Builtin, Elem, FuncRef, Global, RecordRef, SigRef, StrRef, TypeRef, UnaryOp};
use crate::source::Span;

/// An expression with a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its type, never `byte`.
    pub ty: TypeRef,
    /// The whole expression, without parentheses around it: the span of a failure while it is evaluated.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(i64),
    /// A float; `nan` and infinities come out of folded constants.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A string constant.
    Str(StrRef),
    /// `none` of the optional type `ty`: `NoneFunc` where its scalar is `Func`, else `NoneRef`.
    None,
    /// A function of the program as a value.
    Func(FuncRef),
    /// The value of a parameter or local.
    Var(VarId),
    /// The value of a global.
    Global(Global),
    /// A `T` as a `T?`: no code at run time.
    Some(Box<Expr>),
    /// An operator, a conversion (`float(i)`, `int(f)`, `int(b)`) or a built-in (`abs`, `sqrt`, `clz`, ...) of one
    /// operand.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// An operator or a built-in (`min`, `max`) of two operands; identity of arrays, structs and functions too.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// The left operand, evaluated first.
        lhs: Box<Expr>,
        /// The right operand.
        rhs: Box<Expr>,
    },
    /// `lhs && rhs`, short-circuit.
    And(Box<Expr>, Box<Expr>),
    /// `lhs || rhs`, short-circuit.
    Or(Box<Expr>, Box<Expr>),
    /// A comparison of two strings by bytes. For `Eq` and `Ne` both may be `str?` (`Builtin::StrEq` takes `none`); for
    /// the others both are `str` (`Builtin::StrCmp` against 0).
    StrCompare {
        /// The comparison.
        op: Comparison,
        /// The left operand, evaluated first.
        lhs: Box<Expr>,
        /// The right operand.
        rhs: Box<Expr>,
    },
    /// A call with a result.
    Call(Call),
    /// `Name(field: value, ...)`: the values are evaluated in the written order, which is this vector's, and each is
    /// stored in the field at its index in the record; every field stands here once.
    Construct {
        /// The struct.
        record: RecordRef,
        /// Index of the field in the declaration, and its value.
        fields: Vec<(u32, Expr)>,
    },
    /// An element of an array, or a byte of a string (`elem` is then `Byte`).
    Index {
        /// The array or string.
        base: Box<Expr>,
        /// Storage of the element.
        elem: Elem,
        /// The index, an `int`.
        index: Box<Expr>,
    },
    /// `base[start..end]`: base, start and end are evaluated in this order; then the copy is made.
    Slice {
        /// The array or string.
        base: Box<Expr>,
        /// Selects array or string.
        of: Sliceable,
        /// The first index; 0 where absent.
        start: Option<Box<Expr>>,
        /// The bound; the length of `base` where absent.
        end: Option<Box<Expr>>,
        /// Says if the bound itself is included (then the exclusive end is `end + 1`).
        bound: Bound,
    },
    /// A field of a struct.
    Field {
        /// The struct.
        object: Box<Expr>,
        /// Its type.
        record: RecordRef,
        /// The index of the field in the declaration.
        field: u32,
    },
    /// `operand!`: fails on `none`.
    Unwrap(Box<Expr>),
    /// The length of an array or string.
    Len(Box<Expr>),
    /// `[a, b, c]`
    Array {
        /// Storage of the elements.
        elem: Elem,
        /// The elements in order.
        items: Vec<Expr>,
    },
    /// `[value; count]`: the count is evaluated first and refused if negative, then the value once for each element, in
    /// order. See [`Expr::is_repeatable`].
    Repeat {
        /// Storage of the elements.
        elem: Elem,
        /// The length, an `int`.
        count: Box<Expr>,
        /// The element.
        value: Box<Expr>,
    },
    /// An `if` with a value: `otherwise` is present, and every block has a value or leaves.
    If(Box<If>),
    /// A `match` with a value: `default` is present, and the body of every arm has a value or leaves.
    Match(Box<Match>),
    /// A block with a value.
    Block(Box<Block>),
}

/// A comparison of strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// The source that a slice copies from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sliceable {
    /// A string: `Builtin::StrSlice`.
    Str,
    /// An array: `Builtin::ArraySlice`.
    Array,
}

/// A call, with or without a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The callee. One that is a value is evaluated before the arguments.
    pub callee: Callee,
    /// The arguments, of exactly the types of the parameters.
    pub args: Vec<Expr>,
}

/// The callee of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A function of the program.
    Func(FuncRef),
    /// A function value, not optional.
    Value {
        /// The function value.
        value: Box<Expr>,
        /// Its signature.
        sig: SigRef,
    },
    /// An operation of the runtime, overloads chosen: string concatenation and `str(x)` stand here too. The arguments
    /// are those of [`Builtin::params`], in order.
    Builtin(Builtin),
}

impl Expr {
    /// Returns true if evaluating it has no effect, cannot fail and gives the same value however often it is done
    /// within one expression: then `[value; n]` may be one fill. Literals and variables only; anything more is a loop.
    pub fn is_repeatable(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::None
            | ExprKind::Func(_)
            | ExprKind::Var(_)
            | ExprKind::Global(_) => true,
            ExprKind::Some(inner) => inner.is_repeatable(),
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::StrCompare { .. }
            | ExprKind::Call(_)
            | ExprKind::Construct { .. }
            | ExprKind::Index { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Field { .. }
            | ExprKind::Unwrap(_)
            | ExprKind::Len(_)
            | ExprKind::Array { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::If(_)
            | ExprKind::Match(_)
            | ExprKind::Block(_) => false,
        }
    }
}
