//! The syntax tree: what was written, as plain data with a span on every node.
//!
//! In: built by the parser. Out: read by the checker, the formatter and `dump --stage ast`. Invariants: names are not
//! resolved and types not known; parentheses stay as [`ExprKind::Paren`]; comments are not in the tree (they are kept
//! beside it); the height of any expression, type or block is at most `parse::MAX_DEPTH`, so that walking
//! the tree by recursion is safe.

use std::sync::Arc;

use crate::source::{FileId, Span};

/// One file.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The file it was read from.
    pub file: FileId,
    /// Items and statements in the order in which they were written.
    pub body: Vec<TopLevel>,
}

/// An element of the top level of a file.
#[derive(Clone, PartialEq, Debug)]
pub enum TopLevel {
    /// A definition or an import.
    Item(Item),
    /// A statement, run in order.
    Stmt(Stmt),
}

/// A definition, visible regardless of order, or an import.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// `fn name(params) -> result { body }`
    Fn(Fn),
    /// `struct Name { fields }`
    Struct(Struct),
    /// `const NAME = value`
    Const(Const),
    /// `import "path.hw"`
    Import(Import),
}

/// A name as written: at its definition or at a use. `_` appears only where a name is bound, and binds nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    /// The text.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// `fn name(params) -> result { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct Fn {
    /// The text of the `///` lines before it, joined by newlines.
    pub doc: Option<String>,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type after `->`.
    pub result: Option<TypeExpr>,
    /// Its body.
    pub body: Block,
    /// From `fn` to `}`.
    pub span: Span,
}

/// `name: type` in a function's parameter list.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// The whole parameter.
    pub span: Span,
}

/// `struct Name { fields }`
#[derive(Clone, PartialEq, Debug)]
pub struct Struct {
    /// The text of the `///` lines before it, joined by newlines.
    pub doc: Option<String>,
    /// Its name.
    pub name: Name,
    /// Its fields in declaration order.
    pub fields: Vec<FieldDecl>,
    /// From `struct` to `}`.
    pub span: Span,
}

/// `name: type` in a struct.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldDecl {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// The whole field.
    pub span: Span,
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

/// `import "path.hw"`
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// The path, escapes resolved.
    pub path: String,
    /// The string literal.
    pub path_span: Span,
    /// From `import` to the end of the path.
    pub span: Span,
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
    /// What it is.
    pub kind: StmtKind,
    /// All of it, without the `;`.
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
    /// An expression whose value is dropped, or is the value of the block it ends.
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

/// Whether a variable may be assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutability {
    /// `let`
    Fixed,
    /// `var`
    Variable,
}

/// `let name: ty = value` or `var name: ty = value`
#[derive(Clone, PartialEq, Debug)]
pub struct Let {
    /// `let` or `var`.
    pub mutability: Mutability,
    /// The name it binds; `_` binds nothing.
    pub name: Name,
    /// Its type, where written.
    pub ty: Option<TypeExpr>,
    /// Its first value.
    pub value: Expr,
}

/// `target = value` or, with `op`, `target op= value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Assign {
    /// A name, index or field expression, possibly in parentheses; the parser has refused anything else.
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
    /// The loop variable, fixed in the body; `_` binds nothing.
    pub name: Name,
    /// What it runs over.
    pub source: ForSource,
    /// Its body.
    pub body: Block,
}

/// What a `for` runs over.
#[derive(Clone, PartialEq, Debug)]
pub enum ForSource {
    /// `start..end step step`
    Range {
        /// The first value.
        start: Expr,
        /// The bound.
        end: Expr,
        /// Whether the bound itself is reached.
        bound: Bound,
        /// The step; 1 where not written.
        step: Option<Expr>,
    },
    /// The elements of an array or the bytes of a string.
    Each(Expr),
}

/// How a range ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// `..`
    Exclusive,
    /// `..=`
    Inclusive,
}

/// `try { body } catch name { handler }`
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    /// The part whose failures are caught.
    pub body: Block,
    /// Bound to the message, a `str`; `_` binds nothing.
    pub name: Name,
    /// What runs after a failure.
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
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `42`, `0xff`, `0b101`. The literal 9223372036854775808, legal only under a unary minus, is `i64::MIN` here, so
    /// that wrapping negation gives what was meant.
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
        /// Where the operator stands.
        op_span: Span,
        /// The left operand.
        lhs: Box<Expr>,
        /// The right operand.
        rhs: Box<Expr>,
    },
    /// `callee(args)` with unnamed arguments. `S()` of a struct without fields is also a call here.
    Call {
        /// What is called: a name, or any expression that gives a function.
        callee: Box<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `Name(field: value, ...)` with at least one named argument.
    Construct {
        /// The struct.
        name: Name,
        /// The fields as written.
        fields: Vec<FieldInit>,
    },
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
        /// Whether the bound itself is included.
        bound: Bound,
    },
    /// `base.name`
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
    /// What runs where it holds.
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

/// `pattern | pattern => body`
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// The alternatives, at least one.
    pub patterns: Vec<Pattern>,
    /// The body. `p => e` has a block of the one statement `e`.
    pub body: Block,
    /// How the body was written; only the formatter asks.
    pub style: ArmStyle,
    /// From the first pattern to the end of the body.
    pub span: Span,
}

/// How the body of an arm was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArmStyle {
    /// `p => e`, or another simple statement.
    Bare,
    /// `p => { }`
    Braced,
}

/// A pattern of a match arm.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// One value.
    Value(PatternValue),
    /// `low..high`, `low..=high`
    Range {
        /// The least value.
        low: PatternValue,
        /// The bound.
        high: PatternValue,
        /// Whether the bound itself is matched.
        bound: Bound,
    },
}

/// A value in a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternValue {
    /// What it is.
    pub kind: PatternValueKind,
    /// All of it, with the minus of a negative number.
    pub span: Span,
}

/// The kinds of value in a pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternValueKind {
    /// `42`, `-42`, `'a'`; the sign is already applied.
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `"text"`
    Str(Vec<u8>),
    /// The name of a constant.
    Const(Name),
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `int`, `Point`, ...: built-in types are names like any other.
    Name(Name),
    /// `[T]`
    Array(Box<TypeExpr>),
    /// `T?`
    Optional(Box<TypeExpr>),
    /// `fn(A, B) -> R`
    Fn {
        /// The types of the parameters.
        params: Vec<TypeExpr>,
        /// The type of the result.
        result: Option<Box<TypeExpr>>,
    },
    /// `(T)`
    Paren(Box<TypeExpr>),
}

/// Operators before their operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
}

/// Operators between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `||`
    Or,
    /// `&&`
    And,
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
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `<<`
    Shl,
    /// `>>`, arithmetic
    Shr,
    /// `>>>`, logical
    Ushr,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

impl UnaryOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Neg => "-",
            Self::Not => "!",
            Self::BitNot => "~",
        }
    }
}

impl BinaryOp {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::BitAnd => "&",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Ushr => ">>>",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
        }
    }

    /// Whether it is one of `== != < <= > >=`.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }
}

impl Bound {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Exclusive => "..",
            Self::Inclusive => "..=",
        }
    }
}

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether this is `_`, which binds nothing.
    pub fn is_wildcard(&self) -> bool {
        &*self.text == "_"
    }
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

impl Item {
    /// All of the item.
    pub fn span(&self) -> Span {
        match self {
            Self::Fn(item) => item.span,
            Self::Struct(item) => item.span,
            Self::Const(item) => item.span,
            Self::Import(item) => item.span,
        }
    }
}

impl TopLevel {
    /// All of the item or statement.
    pub fn span(&self) -> Span {
        match self {
            Self::Item(item) => item.span(),
            Self::Stmt(stmt) => stmt.span,
        }
    }
}
