//! Expressions, statements and blocks, which contain each other. Contract and invariants are those of the
//! [module](super).

use super::name::Name;
use super::op::{BinaryOp, UnaryOp};
use super::pattern::{Binder, Bound, Pattern};
use super::types::TypeExpr;
use crate::source::Span;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The whole expression.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `42`, `0xff`, `0b101`. The literal 9223372036854775808, legal only under a unary minus, is `i64::MIN` here, so
    /// that wrapping negation gives the right value.
    Int(i64),
    /// `1.5`, `1e-9`; always finite.
    Float(f64),
    /// `true`, `false`
    Bool(bool),
    /// `'a'`, an `int` from 0 to 255.
    Byte(u8),
    /// `"text"`, escapes resolved; `\xNN` may make it something other than UTF-8.
    Str(Vec<u8>),
    /// `none`
    None,
    /// A use of a name.
    Name(Name),
    /// `op operand`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `lhs op rhs`, also `&&` and `||`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The operator's span.
        op_span: Span,
        /// The left operand.
        lhs: Box<Expr>,
        /// The right operand.
        rhs: Box<Expr>,
    },
    /// `callee(args)` with unnamed arguments. `S()` of a struct without fields is also a call here.
    Call {
        /// The callee: a name, or any expression that gives a function.
        callee: Box<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `Name(field: value, ...)` with at least one named argument.
    Construct {
        /// The name of an import, before a dot.
        module: Option<Name>,
        /// The struct; or `dict`, whose keys are then the names as expressions.
        name: Name,
        /// The fields as written.
        fields: Vec<FieldInit>,
    },
    /// `dict(key: value, ...)` with at least one key that is no name.
    Pairs {
        /// `dict`.
        name: Name,
        /// Keys and values as written.
        pairs: Vec<(Expr, Expr)>,
    },
    /// `(a, b)`, two parts at least.
    Tuple(Vec<Expr>),
    /// `base.0`
    Part {
        /// A tuple.
        base: Box<Expr>,
        /// The index of the part.
        part: u32,
        /// The span of the index.
        part_span: Span,
    },
    /// `f"text {value:spec}"`
    Format(Format),
    /// `fn(x: int) -> int { body }`, `fn(x, y) => value`
    Closure(Box<Closure>),
    /// `base[index]`
    Index {
        /// An array or a string.
        base: Box<Expr>,
        /// The index.
        index: Box<Expr>,
    },
    /// `base[start..end]`, each end optional.
    Slice {
        /// An array or a string.
        base: Box<Expr>,
        /// The first index; 0 where not written.
        start: Option<Box<Expr>>,
        /// The bound; the length where not written (then `bound` is exclusive).
        end: Option<Box<Expr>>,
        /// Says if the bound itself is included.
        bound: Bound,
    },
    /// `base.name`; also `Enum.Variant` and `module.name`, which the checker tells apart.
    Field {
        /// A struct.
        base: Box<Expr>,
        /// The field.
        name: Name,
    },
    /// `operand!`
    Unwrap(Box<Expr>),
    /// `[a, b, c]`
    Array(Vec<Expr>),
    /// `[value; count]`, `value` evaluated once for each element.
    Repeat {
        /// The element.
        value: Box<Expr>,
        /// The length.
        count: Box<Expr>,
    },
    /// `if c { } else if d { } else { }`
    If(If),
    /// `match subject { arms }`
    Match(Match),
    /// `{ statements }`
    Block(Block),
    /// `(inner)`
    Paren(Box<Expr>),
}

/// `f"text {value:spec}"`
#[derive(Clone, PartialEq, Debug)]
pub struct Format {
    /// Texts and values in order.
    pub pieces: Vec<Piece>,
}

/// A piece of a formatted string.
#[derive(Clone, PartialEq, Debug)]
pub enum Piece {
    /// Text, with escapes and doubled braces resolved.
    Text(Vec<u8>),
    /// `{value}` or `{value:spec}`
    Value {
        /// The value.
        value: Expr,
        /// The text after the `:` as it is written, and its span.
        spec: Option<(String, Span)>,
    },
}

/// `fn(x: int) -> int { body }`, `fn(x, y) => value`
#[derive(Clone, PartialEq, Debug)]
pub struct Closure {
    /// Its parameters.
    pub params: Vec<ClosureParam>,
    /// The type after `->`.
    pub result: Option<TypeExpr>,
    /// Its body.
    pub body: ClosureBody,
}

/// A parameter of a closure.
#[derive(Clone, PartialEq, Debug)]
pub struct ClosureParam {
    /// Its name.
    pub name: Name,
    /// Its type, where written.
    pub ty: Option<TypeExpr>,
    /// The whole parameter.
    pub span: Span,
}

/// The body of a closure.
#[derive(Clone, PartialEq, Debug)]
pub enum ClosureBody {
    /// `=> value`
    Value(Expr),
    /// `{ statements }`
    Block(Block),
}

/// `name: value` in a construction.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldInit {
    /// The field.
    pub name: Name,
    /// Its value.
    pub value: Expr,
    /// From the name to the end of the value.
    pub span: Span,
}

/// An `if` with all its `else if`s, which are kept flat: a chain of any length is not deep.
#[derive(Clone, PartialEq, Debug)]
pub struct If {
    /// The `if` and the `else if`s, at least one.
    pub branches: Vec<Branch>,
    /// The block of the final `else`.
    pub otherwise: Option<Block>,
}

/// `if cond { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// The condition, which may bind a name for the body.
    pub cond: Cond,
    /// The block that runs if the condition holds.
    pub body: Block,
    /// From `if` to `}`.
    pub span: Span,
}

/// `match subject { arms }`
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// An `int`, `bool` or `str`.
    pub subject: Box<Expr>,
    /// The arms in order.
    pub arms: Vec<Arm>,
}

/// `pattern | pattern if guard => body`
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// The alternatives, at least one.
    pub patterns: Vec<Pattern>,
    /// The condition after `if`.
    pub guard: Option<Expr>,
    /// The body. `p => e` has a block of the one statement `e`.
    pub body: Block,
    /// The form in which the body was written; only the formatter reads it.
    pub style: ArmStyle,
    /// From the first pattern to the end of the body.
    pub span: Span,
}

/// Form in which the body of an arm was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArmStyle {
    /// `p => e`, or another simple statement.
    Bare,
    /// `p => { }`
    Braced,
}

/// `{ statements }`. A block's value, where one is asked for, is that of its last statement if that is
/// [`StmtKind::Expr`]; a `;` after it changes nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The statements in order.
    pub stmts: Vec<Stmt>,
    /// From `{` to `}`; of a match arm without braces, the span of its statement.
    pub span: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// The whole statement, without the `;`.
    pub span: Span,
}

/// The kinds of statement. An `if`, a `match` and a bare block are expressions and stand here as
/// [`StmtKind::Expr`]; as statements they need no value, no `else` and no exhaustive arms.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `let x: T = e`, `var x: T = e`
    Let(Let),
    /// `const N = e` inside a function or block.
    Const(Const),
    /// `target = value`, `target op= value`
    Assign(Assign),
    /// An expression whose value is discarded, or is the value of the block that it ends.
    Expr(Expr),
    /// `label: while cond { body }`
    While(While),
    /// `label: loop { body }`
    Loop(Loop),
    /// `label: for name in source { body }`
    For(For),
    /// `break`, `break label`
    Break(Option<Name>),
    /// `continue`, `continue label`
    Continue(Option<Name>),
    /// `return`, `return value`
    Return(Option<Expr>),
    /// `fail message`
    Fail(Expr),
    /// `try { body } catch name { handler }`
    Try(Try),
}

/// Mutability of a variable: `let` fixes its value, `var` allows assignments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutability {
    /// `let`
    Fixed,
    /// `var`
    Variable,
}

/// `let name: ty = value` or `var (a, b) = value`
#[derive(Clone, PartialEq, Debug)]
pub struct Let {
    /// `let` or `var`.
    pub mutability: Mutability,
    /// The names it binds.
    pub binder: Binder,
    /// Its type, where written.
    pub ty: Option<TypeExpr>,
    /// Its first value.
    pub value: Expr,
}

/// `const NAME: type = value`, at top level or in a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Const {
    /// The text of the `///` lines before it, joined by newlines (at top level only).
    pub doc: Option<String>,
    /// Its name.
    pub name: Name,
    /// Its type, where written.
    pub ty: Option<TypeExpr>,
    /// Its value, a constant expression.
    pub value: Expr,
    /// From `const` to the end of the value.
    pub span: Span,
}

/// `target = value` or, with `op`, `target op= value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Assign {
    /// A name, index or field expression, possibly in parentheses, or a tuple of such and of the name `_`, which drops
    /// its part (then without `op`); the parser has refused anything else.
    pub target: Expr,
    /// The operator of a compound assignment: an arithmetic, bit or shift operator.
    pub op: Option<BinaryOp>,
    /// The `=` or compound operator.
    pub op_span: Span,
    /// The right side.
    pub value: Expr,
}

/// `label: while cond { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct While {
    /// The label before it.
    pub label: Option<Name>,
    /// Its condition, which may bind a name.
    pub cond: Cond,
    /// Its body.
    pub body: Block,
}

/// `label: loop { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// The label before it.
    pub label: Option<Name>,
    /// Its body.
    pub body: Block,
}

/// `label: for name in source { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    /// The label before it.
    pub label: Option<Name>,
    /// The loop variables, fixed in the body.
    pub binder: Binder,
    /// The range, array, string or collection that it iterates over.
    pub source: ForSource,
    /// Its body.
    pub body: Block,
}

/// The source that a `for` iterates over.
#[derive(Clone, PartialEq, Debug)]
pub enum ForSource {
    /// `start..end step step`
    Range {
        /// The first value.
        start: Expr,
        /// The bound.
        end: Expr,
        /// Says if the bound itself is reached.
        bound: Bound,
        /// The step; 1 where not written.
        step: Option<Expr>,
    },
    /// The elements of an array, list or set, the entries of a dict or the bytes of a string.
    Each(Expr),
}

/// `try { body } catch name { handler }`
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    /// The part whose failures are caught.
    pub body: Block,
    /// Bound to the message, a `str`; `_` binds nothing.
    pub name: Name,
    /// The block that runs after a failure.
    pub handler: Block,
}

/// The condition of an `if` or `while`.
#[derive(Clone, PartialEq, Debug)]
pub enum Cond {
    /// A `bool`.
    Expr(Expr),
    /// `let name = value`: true, and binds `name`, where the optional `value` is not `none`.
    Let {
        /// The name it binds.
        name: Name,
        /// The optional.
        value: Expr,
    },
    /// `let pattern = value` with a variant or a tuple: true, and binds its names, where `value` fits.
    Match {
        /// A variant or tuple pattern.
        pattern: Pattern,
        /// The value.
        value: Expr,
    },
}

impl Expr {
    /// The expression inside any parentheses around it.
    pub fn unparenthesized(&self) -> &Self {
        let mut expr = self;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}
