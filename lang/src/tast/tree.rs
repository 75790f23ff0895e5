//! Typed statements and blocks. Contract and invariants are those of the [module](super).

use super::{Bound, Call, Expr, LoopRef, VarId};
use crate::ir::{BinaryOp, Elem, Global, RecordRef, StrRef};
use crate::source::Span;

/// Statements in a scope of their own, with a value where one is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The statements in order; what follows one that leaves is unreachable and may be skipped.
    pub stmts: Vec<Stmt>,
    /// The value after them. Absent in statement position, and where a block that should have one leaves instead.
    pub value: Option<Box<Expr>>,
    /// Says if control reaches the end of `stmts`.
    pub completion: Completion,
    /// From `{` to `}`; of a match arm without braces, the span of its statement.
    pub span: Span,
}

/// Says if control reaches the end of a construct, by the rules of the language: the conditions of `while` and `if` are
/// not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Completion {
    /// It may.
    Falls,
    /// It never does: every path ends in `return`, `fail`, `exit`, `break`, `continue` or a `loop` without `break`.
    Leaves,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// The whole statement: the span of a failure that no expression in it causes.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `let` or `var`, of a local or of a global.
    Let {
        /// The variable that is given its first value.
        binding: Binding,
        /// The value.
        value: Expr,
    },
    /// `place = value`: the operands of the place, then the value; the bounds are checked at the store, after both.
    Assign {
        /// The target.
        place: Place,
        /// The value.
        value: Expr,
    },
    /// `place op= value`: the operands of the place once, then the value, then read, operation and store; an element's
    /// bounds are checked at the read, after the value. So `x += e` evaluates `e` before it reads `x`.
    Update {
        /// The target.
        place: Place,
        /// The operation, read value on the left; a division fails at the span of the statement.
        op: Update,
        /// The right operand.
        value: Expr,
    },
    /// A call whose result, if it has one, is discarded.
    Call(Call),
    /// An expression whose value is discarded.
    Drop(Expr),
    /// `print(a, b)`: all arguments are evaluated, then written with `Builtin::Write` of their types, a space between
    /// two and a newline after the last.
    Print(Vec<Expr>),
    /// `write(a, b)`: all arguments are evaluated, then written, nothing between them.
    Write(Vec<Expr>),
    /// The bare expression that ends a REPL input: its value is written with `Builtin::Show` of its type, nothing
    /// after it (the REPL adds the type and the newline).
    Show(Expr),
    /// `assert(c)`, `assert(c, message)`: the message is evaluated only where `c` is false.
    Assert {
        /// The condition that must hold.
        cond: Expr,
        /// The text, a `str`.
        message: Option<Expr>,
    },
    /// `exit(status)`
    Exit(Expr),
    /// An `if` without a value.
    If(If),
    /// A `match` without a value.
    Match(Match),
    /// A bare block.
    Block(Block),
    /// `while`
    While(While),
    /// `loop`
    Loop(Loop),
    /// `for`
    For(For),
    /// Leaves a loop.
    Break(LoopRef),
    /// Continues with the next iteration of a loop.
    Continue(LoopRef),
    /// `return`, with a value exactly where the function has a result.
    Return(Option<Expr>),
    /// `fail message`
    Fail(Expr),
    /// `try`
    Try(Try),
}

/// The variable that a `let` or `var` declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binding {
    /// A local of the function.
    Var(VarId),
    /// A global: a `let` or `var` directly at top level.
    Global(Global),
}

/// The target of an assignment.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The kind of target.
    pub kind: PlaceKind,
    /// The target as written: the span of an `index out of range`.
    pub span: Span,
}

/// The kinds of assignment target.
#[derive(Clone, PartialEq, Debug)]
pub enum PlaceKind {
    /// A local.
    Var(VarId),
    /// A global.
    Global(Global),
    /// `array[index]`
    Index {
        /// The array.
        array: Box<Expr>,
        /// Storage of its elements.
        elem: Elem,
        /// The index, an `int`.
        index: Box<Expr>,
    },
    /// `object.field`
    Field {
        /// The struct.
        object: Box<Expr>,
        /// Its type.
        record: RecordRef,
        /// The index of the field in the declaration.
        field: u32,
    },
}

/// The operation of a compound assignment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// An operation of the machine.
    Binary(BinaryOp),
    /// `+=` on strings.
    Concat,
}

/// `if`, all `else if`s, and `else`.
#[derive(Clone, PartialEq, Debug)]
pub struct If {
    /// Conditions and blocks, tried in order; at least one.
    pub branches: Vec<Branch>,
    /// The block of the final `else`.
    pub otherwise: Option<Block>,
}

/// One condition of an `if` and the block that runs if it holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// The condition.
    pub cond: Cond,
    /// The block, in whose scope the condition's binding is.
    pub body: Block,
}

/// The condition of an `if` or `while`.
#[derive(Clone, PartialEq, Debug)]
pub enum Cond {
    /// A `bool`.
    Expr(Expr),
    /// `let name = value`: holds where the optional is not `none`; `var` then is its content.
    Let {
        /// The variable of the content's type; absent for `_`.
        var: Option<VarId>,
        /// The optional.
        value: Expr,
    },
}

/// `match`
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// An `int`, `bool` or `str`, evaluated once.
    pub subject: Expr,
    /// The arms in order.
    pub arms: Vec<Arm>,
    /// The arm taken where no test of another arm holds: the one with `_`, or the last one where the tests cover every
    /// value. Absent only in statement position: then the match does nothing.
    pub default: Option<usize>,
}

/// One arm of a `match`.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// It is taken if one of these holds. Disjoint over all arms of the match, so that their order does not matter; an
    /// arm that earlier ones leave nothing has none. The tests of the default arm need not be made.
    pub tests: Vec<Test>,
    /// The body.
    pub body: Block,
    /// From the first pattern to the end of the body.
    pub span: Span,
}

/// A test of a match's subject.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// `low <= subject && subject <= high`; `low <= high`, often equal.
    Int {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// `subject == value`
    Bool(bool),
    /// `subject == value`, by bytes.
    Str(StrRef),
}

/// `while`
#[derive(Clone, PartialEq, Debug)]
pub struct While {
    /// The id of the loop.
    pub id: LoopRef,
    /// The condition; its binding is in the scope of the body.
    pub cond: Cond,
    /// The body.
    pub body: Block,
}

/// `loop`
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// The id of the loop.
    pub id: LoopRef,
    /// The body.
    pub body: Block,
}

/// `for`
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    /// The id of the loop.
    pub id: LoopRef,
    /// The loop variable, assigned at the start of each iteration; absent for `_`.
    pub var: Option<VarId>,
    /// The source that it iterates over.
    pub source: ForSource,
    /// The body.
    pub body: Block,
}

/// The source that a `for` iterates over. Its expressions are evaluated once, in order, before the first iteration.
#[derive(Clone, PartialEq, Debug)]
pub enum ForSource {
    /// Integers. An inclusive range ends after its bound even where that is the largest or smallest `int`; so does a
    /// step that would pass them.
    Range {
        /// The first value.
        start: Expr,
        /// The bound.
        end: Expr,
        /// Says if the bound itself is reached.
        bound: Bound,
        /// The step: positive or negative, fails on 0 at its own span; 1 where absent.
        step: Option<Expr>,
    },
    /// The elements of an array.
    Array {
        /// The array.
        array: Expr,
        /// Storage of its elements.
        elem: Elem,
    },
    /// The bytes of a string, as `int`.
    Str(Expr),
}

/// `try { body } catch name { handler }`
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    /// The part whose failures are caught.
    pub body: Block,
    /// The variable that holds the message, a `str`; absent for `_`.
    pub var: Option<VarId>,
    /// The block that runs after a failure.
    pub handler: Block,
}
