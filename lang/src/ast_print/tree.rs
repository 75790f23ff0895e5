//! From syntax tree to printed tree: the name of each node and the children that it shows.

use super::node::Node;
use super::pattern::{binder, pattern};
use super::types::ty;
use crate::ast::{
    Arm, ArmStyle, Assign, Block, Bound, Closure, ClosureBody, ClosureParam, Cond, Const, Expr, ExprKind, For,
    ForSource, If, Item, Let, Mutability, Name, Piece, Stmt, StmtKind, TopLevel, Variant,
};
use crate::source::Span;

pub(super) fn top_level(element: &TopLevel) -> Node {
    match element {
        TopLevel::Item(Item::Fn(item)) => Node::list("fn", item.span)
            .with(name(&item.name))
            .with_all(item.doc.as_deref().map(doc))
            .with_all(type_params(&item.type_params))
            .with(
                Node::group("params").with_all(
                    item.params
                        .iter()
                        .map(|param| Node::list("param", param.span).with(name(&param.name)).with(ty(&param.ty))),
                ),
            )
            .with_all(item.result.as_ref().map(|result| Node::group("result").with(ty(result))))
            .with(block(&item.body)),
        TopLevel::Item(Item::Struct(item)) => Node::list("struct", item.span)
            .with(name(&item.name))
            .with_all(item.doc.as_deref().map(doc))
            .with_all(type_params(&item.type_params))
            .with_all(
                item.fields
                    .iter()
                    .map(|field| Node::list("field", field.span).with(name(&field.name)).with(ty(&field.ty))),
            ),
        TopLevel::Item(Item::Enum(item)) => Node::list("enum", item.span)
            .with(name(&item.name))
            .with_all(item.doc.as_deref().map(doc))
            .with_all(type_params(&item.type_params))
            .with_all(item.variants.iter().map(variant)),
        TopLevel::Item(Item::Const(item)) => constant(item),
        TopLevel::Item(Item::Import(item)) => {
            let alias = item.alias.as_ref().map(|alias| Node::group("as").with(name(alias)));
            Node::list("import", item.span).with(Node::word(format!("{:?}", item.path))).with_all(alias)
        }
        TopLevel::Stmt(statement) => stmt(statement),
    }
}

fn doc(text: &str) -> Node {
    Node::group("doc").with(Node::word(format!("{text:?}")))
}

fn type_params(params: &[Name]) -> Option<Node> {
    (!params.is_empty()).then(|| Node::group("types").with_all(params.iter().map(name)))
}

fn variant(variant: &Variant) -> Node {
    Node::list("variant", variant.span).with(name(&variant.name)).with_all(variant.payloads.iter().map(ty))
}

pub(super) fn name(name: &Name) -> Node {
    Node::word(name.as_str())
}

fn constant(item: &Const) -> Node {
    Node::list("const", item.span)
        .with(name(&item.name))
        .with_all(item.doc.as_deref().map(doc))
        .with_all(item.ty.as_ref().map(ty))
        .with(expr(&item.value))
}

fn block(block: &Block) -> Node {
    Node::list("block", block.span).with_all(block.stmts.iter().map(stmt))
}

fn stmt(stmt: &Stmt) -> Node {
    let span = stmt.span;
    match &stmt.kind {
        StmtKind::Let(item) => binding(item, span),
        StmtKind::Const(item) => constant(item),
        StmtKind::Assign(item) => assignment(item, span),
        StmtKind::Expr(value) => Node::list("do", span).with(expr(value)),
        StmtKind::While(item) => {
            labeled("while", item.label.as_ref(), span).with(cond(&item.cond)).with(block(&item.body))
        }
        StmtKind::Loop(item) => labeled("loop", item.label.as_ref(), span).with(block(&item.body)),
        StmtKind::For(item) => for_loop(item, span),
        StmtKind::Break(label) => Node::list("break", span).with_all(label.as_ref().map(name)),
        StmtKind::Continue(label) => Node::list("continue", span).with_all(label.as_ref().map(name)),
        StmtKind::Return(value) => Node::list("return", span).with_all(value.as_ref().map(expr)),
        StmtKind::Fail(value) => Node::list("fail", span).with(expr(value)),
        StmtKind::Try(item) => {
            let handler = Node::group("catch").with(name(&item.name)).with(block(&item.handler));
            Node::list("try", span).with(block(&item.body)).with(handler)
        }
    }
}

fn binding(item: &Let, span: Span) -> Node {
    let word = match item.mutability {
        Mutability::Fixed => "let",
        Mutability::Variable => "var",
    };
    Node::list(word, span).with(binder(&item.binder)).with_all(item.ty.as_ref().map(ty)).with(expr(&item.value))
}

fn assignment(item: &Assign, span: Span) -> Node {
    let op = item.op.map_or("", |op| op.symbol());
    Node::list(format!("{op}="), span).with(expr(&item.target)).with(expr(&item.value))
}

fn labeled(word: &str, label: Option<&Name>, span: Span) -> Node {
    Node::list(word, span).with_all(label.map(|label| Node::group("label").with(name(label))))
}

fn for_loop(item: &For, span: Span) -> Node {
    let source = match &item.source {
        ForSource::Range { start, end, bound, step } => Node::group(bound.symbol())
            .with(expr(start))
            .with(expr(end))
            .with_all(step.as_ref().map(|step| Node::group("step").with(expr(step)))),
        ForSource::Each(value) => expr(value),
    };
    labeled("for", item.label.as_ref(), span).with(binder(&item.binder)).with(source).with(block(&item.body))
}

fn cond(cond: &Cond) -> Node {
    match cond {
        Cond::Expr(value) => expr(value),
        Cond::Let { name: bound, value } => Node::group("let").with(name(bound)).with(expr(value)),
        Cond::Match { pattern: fits, value } => Node::group("let").with(pattern(fits)).with(expr(value)),
    }
}

fn expr(value: &Expr) -> Node {
    let list = |head: &str| Node::list(head, value.span);
    match &value.kind {
        ExprKind::Int(int) => list("int").with(Node::word(int.to_string())),
        ExprKind::Float(float) => list("float").with(Node::word(format!("{float:?}"))),
        ExprKind::Bool(bool) => list("bool").with(Node::word(bool.to_string())),
        ExprKind::Byte(byte) => list("byte").with(Node::word(byte.to_string())),
        ExprKind::Str(bytes) => list("str").with(text(bytes)),
        ExprKind::None => list("none"),
        ExprKind::Name(used) => list("name").with(name(used)),
        ExprKind::Unary { op, operand } => list(op.symbol()).with(expr(operand)),
        ExprKind::Binary { op, lhs, rhs, .. } => list(op.symbol()).with(expr(lhs)).with(expr(rhs)),
        ExprKind::Call { callee, args } => list("call").with(expr(callee)).with_all(args.iter().map(expr)),
        ExprKind::Construct { module, name: made, fields } => list("construct")
            .with_all(module.as_ref().map(|module| Node::group("in").with(name(module))))
            .with(name(made))
            .with_all(
                fields
                    .iter()
                    .map(|field| Node::list("field", field.span).with(name(&field.name)).with(expr(&field.value))),
            ),
        ExprKind::Pairs { name: made, pairs } => list("pairs")
            .with(name(made))
            .with_all(pairs.iter().map(|(key, value)| Node::group("pair").with(expr(key)).with(expr(value)))),
        ExprKind::Tuple(parts) => list("tuple").with_all(parts.iter().map(expr)),
        ExprKind::Part { base, part, .. } => list(".").with(expr(base)).with(Node::word(part.to_string())),
        ExprKind::Format(format) => list("format").with_all(format.pieces.iter().map(piece)),
        ExprKind::Closure(item) => closure(item, value.span),
        ExprKind::Index { base, index } => list("index").with(expr(base)).with(expr(index)),
        ExprKind::Slice { base, start, end, bound } => {
            list("slice").with(expr(base)).with(range(*bound, start.as_deref(), end.as_deref()))
        }
        ExprKind::Field { base, name: field } => list(".").with(expr(base)).with(name(field)),
        ExprKind::Unwrap(operand) => list("unwrap").with(expr(operand)),
        ExprKind::Array(elements) => list("array").with_all(elements.iter().map(expr)),
        ExprKind::Repeat { value: element, count } => list("repeat").with(expr(element)).with(expr(count)),
        ExprKind::If(item) => choice(item, value.span),
        ExprKind::Match(item) => list("match").with(expr(&item.subject)).with_all(item.arms.iter().map(arm)),
        ExprKind::Block(body) => block(body),
        ExprKind::Paren(inner) => list("paren").with(expr(inner)),
    }
}

fn piece(piece: &Piece) -> Node {
    match piece {
        Piece::Text(bytes) => text(bytes),
        Piece::Value { value, spec: None } => expr(value),
        Piece::Value { value, spec: Some((spec, span)) } => {
            Node::group("value").with(expr(value)).with(Node::list("spec", *span).with(Node::word(format!("{spec:?}"))))
        }
    }
}

fn closure(item: &Closure, span: Span) -> Node {
    let param = |param: &ClosureParam| {
        Node::list("param", param.span).with(name(&param.name)).with_all(param.ty.as_ref().map(ty))
    };
    Node::list("closure", span)
        .with(Node::group("params").with_all(item.params.iter().map(param)))
        .with_all(item.result.as_ref().map(|result| Node::group("result").with(ty(result))))
        .with(match &item.body {
            ClosureBody::Value(value) => expr(value),
            ClosureBody::Block(body) => block(body),
        })
}

fn range(bound: Bound, start: Option<&Expr>, end: Option<&Expr>) -> Node {
    let side = |side: Option<&Expr>| side.map_or_else(|| Node::word("_"), expr);
    Node::group(bound.symbol()).with(side(start)).with(side(end))
}

fn choice(item: &If, span: Span) -> Node {
    let branches = item
        .branches
        .iter()
        .map(|branch| Node::list("branch", branch.span).with(cond(&branch.cond)).with(block(&branch.body)));
    Node::list("if", span)
        .with_all(branches)
        .with_all(item.otherwise.as_ref().map(|body| Node::group("else").with(block(body))))
}

fn arm(arm: &Arm) -> Node {
    let body = match arm.style {
        ArmStyle::Braced => block(&arm.body),
        ArmStyle::Bare => Node::group("bare").with_all(arm.body.stmts.iter().map(stmt)),
    };
    Node::list("arm", arm.span)
        .with_all(arm.patterns.iter().map(pattern))
        .with_all(arm.guard.as_ref().map(|guard| Node::group("if").with(expr(guard))))
        .with(body)
}

/// Bytes in quotes, those that are not printable ASCII escaped.
pub(super) fn text(bytes: &[u8]) -> Node {
    Node::word(format!("\"{}\"", bytes.escape_ascii()))
}
