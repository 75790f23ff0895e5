//! Typed expressions, statements and blocks, which contain each other. Contract and invariants are those of the
//! [module](super).

use super::leaf::{Binding, Comparison, Completion, LoopRef, Sliceable, Test, Update, VarId};
use crate::ast::Bound;
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
    /// A `T` as a `T?`: no code at run time. What is boxed is a [`ExprKind::Construct`] instead, read by a `Field`.
    Some(Box<Expr>),
    /// An operator, a conversion (`float(i)`, `int(f)`) or a built-in (`abs`, `sqrt`, `clz`, ...) of one operand.
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
    /// A comparison of two strings by bytes. For `Eq` and `Ne` both may be `str?`; for the others both are `str`.
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
    /// `[value; count]`: the count, refused if negative, then the value for each element; see [`Expr::is_repeatable`].
    Repeat {
        /// Storage of the elements.
        elem: Elem,
        /// The length, an `int`.
        count: Box<Expr>,
        /// The element.
        value: Box<Expr>,
    },
    /// The closure that code and captured variables make: a value of a function type in a program with closures.
    Closure {
        /// Its code, a function whose first parameter is what it captures.
        func: FuncRef,
        /// The record of what it captures, if that is anything.
        captures: Option<RecordRef>,
        /// The variables that it captures, of the function that this expression is in, one a field.
        vars: Vec<VarId>,
    },
    /// A value that is made once, when it is needed first: a variant without payload.
    Once {
        /// The global that keeps it, `none` before.
        global: Global,
        /// The value.
        value: Box<Expr>,
    },
    /// An element of a list.
    ListIndex {
        /// The list.
        list: Box<Expr>,
        /// Its record, of shape `List`.
        record: RecordRef,
        /// Storage of the elements.
        elem: Elem,
        /// The index, an `int`.
        index: Box<Expr>,
    },
    /// A `match` that tests more than one value, with a value: every arm has a value or leaves.
    Select(Box<Select>),
    /// An `if` with a value: `otherwise` is present, and every block has a value or leaves.
    If(Box<If>),
    /// A `match` with a value: `default` is present, and the body of every arm has a value or leaves.
    Match(Box<Match>),
    /// A block with a value.
    Block(Box<Block>),
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
    /// An operation of the runtime, overloads chosen. The arguments are those of [`Builtin::params`], in order.
    Builtin(Builtin),
}

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
    /// `print(a, b)`: all arguments are evaluated, then written, a space between two and a newline after the last.
    Print(Vec<Expr>),
    /// `write(a, b)`: all arguments are evaluated, then written, nothing between them.
    Write(Vec<Expr>),
    /// The bare expression that ends a REPL input: its value is written with `Builtin::Show` of its type.
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
    /// A `match` that tests more than one value, without a value.
    Select(Select),
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
    /// `list[index]`
    ListIndex {
        /// The list.
        list: Box<Expr>,
        /// Its record, of shape `List`.
        record: RecordRef,
        /// Storage of the elements.
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
        /// The record that boxes the content, where it is no reference.
        boxed: Option<RecordRef>,
    },
    /// `let pattern = value`: holds where the tree comes to arm 0.
    Decide(Decision),
}

/// `match`
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// An `int`, `bool` or `str`, evaluated once.
    pub subject: Expr,
    /// The arms in order.
    pub arms: Vec<Arm>,
    /// The arm taken where no test of another arm holds. Absent only in statement position: nothing happens then.
    pub default: Option<usize>,
}

/// One arm of a `match`.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// It is taken if one of these holds. Disjoint over all arms; those of the default arm need not be made.
    pub tests: Vec<Test>,
    /// The body.
    pub body: Block,
    /// From the first pattern to the end of the body.
    pub span: Span,
}

/// A `match` on values with parts: a tree of tests whose leaves are arms.
#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    /// The root of the tree.
    pub decision: Decision,
    /// The arms' bodies; several leaves may lead to one.
    pub arms: Vec<Block>,
}

/// A node of the tree of a [`Select`].
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// The arm at the index.
    Arm(usize),
    /// No arm fits: only in statement position.
    Nothing,
    /// Gives a variable its value first.
    #[allow(missing_docs, reason = "the line above names the fields")]
    Let { var: VarId, value: Expr, next: Box<Decision> },
    /// Branches: the first test that holds says where to go on.
    Chain {
        /// `bool`s and the nodes where they hold.
        tests: Vec<(Expr, Decision)>,
        /// The node if none holds.
        otherwise: Box<Decision>,
    },
    /// A switch over an `int`.
    Switch {
        /// The value.
        value: Expr,
        /// The nodes by value, each value once.
        cases: Vec<(i64, Decision)>,
        /// The node of every other value.
        default: Box<Decision>,
    },
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
