//! The context of the grammar's actions: from token indices to spans, names and values.
//!
//! In: token indices and subtrees from `grammar.lalrpop`. Out: tree nodes, and the errors that only an action can see.
//! Invariant: a location of the grammar is an index into `tokens`; a range `l..r` of indices is never empty where a
//! span is made from it.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::sync::Arc;

use hashbrown::HashMap;
use lalrpop_util::{ErrorRecovery, ParseError};

use super::place::ErrorPlace;
use super::unexpected::unexpected;
use crate::ast::{
    Arm, ArmStyle, Assign, BinaryOp, Block, Bound, Closure, ClosureBody, ClosureParam, Expr, ExprKind, Import, Name,
    Pattern, PatternKind, PatternValue, PatternValueKind, Piece, Stmt, StmtKind, TypeExpr, TypeKind,
};
use crate::diagnostic::{Diagnostic, DiagnosticKind, SyntaxError};
use crate::literal;
use crate::source::{FileId, Span};
use crate::token::{Comment, CommentKind, Token, TokenKind};

/// The state of one run of the grammar.
pub(crate) struct Context<'a> {
    file: FileId,
    text: &'a str,
    tokens: &'a [Token],
    comments: &'a [Comment],
    names: RefCell<HashMap<&'a str, Arc<str>>>,
    errors: RefCell<Vec<Diagnostic>>,
    /// The index of the last token that surely was understood.
    pub(super) progress: Cell<u32>,
    /// True if the tokens ended before the file did.
    pub(super) stopped: Cell<bool>,
    /// True if a closure was read.
    pub(super) has_closures: Cell<bool>,
}

/// An argument of a call, with or without a key.
pub(crate) enum Argument {
    /// `value`
    Plain(Expr),
    /// `key: value`
    Keyed {
        /// A name, or another expression.
        key: Expr,
        /// The value.
        value: Expr,
        /// The whole.
        span: Span,
    },
}

/// The parameters of a closure and the type of its result.
pub(crate) type ClosureHead = (Vec<ClosureParam>, Option<TypeExpr>);

/// `start`, `..` or `..=`, and `end` of a slice.
pub(crate) type SliceEnds = (Option<Expr>, Bound, Option<Expr>);

/// The elements of a list that were understood.
pub(crate) fn good<T>(elements: Vec<Option<T>>) -> Vec<T> {
    elements.into_iter().flatten().collect()
}

impl<'a> Context<'a> {
    pub(super) fn new(file: FileId, text: &'a str, tokens: &'a [Token], comments: &'a [Comment]) -> Self {
        Self {
            file,
            text,
            tokens,
            comments,
            names: RefCell::default(),
            errors: RefCell::default(),
            progress: Cell::new(0),
            stopped: Cell::new(false),
            has_closures: Cell::new(false),
        }
    }

    pub(super) fn error_count(&self) -> usize {
        self.errors.borrow().len()
    }

    pub(super) fn into_errors(self) -> Vec<Diagnostic> {
        self.errors.into_inner()
    }

    pub(super) fn push(&self, error: Diagnostic) {
        self.errors.borrow_mut().push(error);
    }

    // Places and texts

    /// The span of the tokens `l..r`.
    pub(crate) fn span(&self, l: u32, r: u32) -> Span {
        self.progress.set(r);
        let (first, last) = (self.tokens[l as usize], self.tokens[r as usize - 1]);
        Span::new(self.file, first.start, last.end.max(first.end))
    }

    fn at(&self, index: u32) -> Span {
        self.span(index, index + 1)
    }

    fn text_at(&self, index: u32) -> &'a str {
        let token = self.tokens[index as usize];
        &self.text[token.start as usize..token.end as usize]
    }

    pub(crate) fn name(&self, at: u32) -> Name {
        let text = self.text_at(at);
        let text = self.names.borrow_mut().entry(text).or_insert_with(|| Arc::from(text)).clone();
        Name { text, span: self.at(at) }
    }

    /// The doc comments right before the token at `index`; an empty statement between does not count.
    pub(crate) fn doc(&self, index: u32) -> Option<String> {
        let mut start = self.tokens[index as usize].start as usize;
        let before = self.comments.partition_point(|comment| (comment.start as usize) < start);
        let mut lines = Vec::new();
        for comment in self.comments[..before].iter().rev() {
            let gap = &self.text[comment.end as usize..start];
            if comment.kind != CommentKind::Doc || gap.contains(|c: char| !c.is_whitespace() && c != ';') {
                break;
            }
            let line = self.text[comment.start as usize..comment.end as usize].trim_start_matches('/');
            lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
            start = comment.start as usize;
        }
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    // Literals; those that are wrong have been reported by the lexer

    pub(crate) fn int(&self, at: u32) -> i64 {
        literal::int(self.text_at(at)).map_or(0, u64::cast_signed)
    }

    pub(crate) fn float(&self, at: u32) -> f64 {
        literal::float(self.text_at(at)).unwrap_or(0.0)
    }

    pub(crate) fn bytes(&self, at: u32) -> Vec<u8> {
        literal::string(self.text_at(at)).0
    }

    pub(crate) fn byte(&self, at: u32) -> u8 {
        self.bytes(at).first().copied().unwrap_or(0)
    }

    // Nodes

    pub(crate) fn stmt(&self, kind: StmtKind, l: u32, r: u32) -> Stmt {
        Stmt { kind, span: self.span(l, r) }
    }

    pub(crate) fn expr(&self, kind: ExprKind, l: u32, r: u32) -> Expr {
        Expr { kind, span: self.span(l, r) }
    }

    pub(crate) fn ty(&self, kind: TypeKind, l: u32, r: u32) -> TypeExpr {
        TypeExpr { kind, span: self.span(l, r) }
    }

    pub(crate) fn binary(&self, l: u32, lhs: Expr, op: BinaryOp, at: u32, rhs: Expr, r: u32) -> Expr {
        let kind = ExprKind::Binary { op, op_span: self.at(at), lhs: Box::new(lhs), rhs: Box::new(rhs) };
        self.expr(kind, l, r)
    }

    pub(crate) fn comparison(&self, l: u32, lhs: Expr, op: BinaryOp, at: u32, rhs: Expr, r: u32) -> Expr {
        if let ExprKind::Binary { op: first, op_span, rhs: middle, .. } = &lhs.kind
            && first.is_comparison()
        {
            let error = Diagnostic::error(SyntaxError::ChainedComparison, self.at(at));
            let middle = &self.text[middle.span.start as usize..middle.span.end as usize];
            let help = match middle.len() <= 30 && !middle.contains('\n') {
                true => format!("write `... {} {middle} && {middle} {} ...`", first.symbol(), op.symbol()),
                false => "join two comparisons with `&&`".to_owned(),
            };
            self.push(error.with_label(*op_span, "the first comparison").with_help(help));
        }
        self.binary(l, lhs, op, at, rhs, r)
    }

    pub(crate) fn slice(&self, l: u32, base: Expr, (start, bound, end): SliceEnds, r: u32) -> Expr {
        let (start, end) = (start.map(Box::new), end.map(Box::new));
        self.expr(ExprKind::Slice { base: Box::new(base), start, end, bound }, l, r)
    }

    pub(crate) fn use_of(&self, name: Name) -> ExprKind {
        if name.is_wildcard() {
            self.push(Diagnostic::error(SyntaxError::WildcardAsValue, name.span));
        }
        ExprKind::Name(name)
    }

    pub(crate) fn closure_kind(&self, (params, result): ClosureHead, body: ClosureBody) -> ExprKind {
        self.has_closures.set(true);
        ExprKind::Closure(Box::new(Closure { params, result, body }))
    }

    pub(crate) fn closure(&self, l: u32, head: ClosureHead, body: ClosureBody, r: u32) -> Expr {
        self.expr(self.closure_kind(head, body), l, r)
    }

    pub(crate) fn text_piece(&self, at: u32) -> Piece {
        Piece::Text(literal::format_text(self.text_at(at)).0)
    }

    /// The format behind a `:`, without it.
    pub(crate) fn spec(&self, at: u32) -> (String, Span) {
        let span = self.at(at);
        (self.text_at(at)[1..].to_owned(), Span::new(self.file, span.start + 1, span.end))
    }

    // Tuples

    /// The parts in parentheses, which must be two at least.
    pub(crate) fn parts<T>(&self, parts: Vec<T>, l: u32, r: u32) -> Vec<T> {
        if parts.len() < 2 {
            self.short_tuple(l, r);
        }
        parts
    }

    fn short_tuple(&self, l: u32, r: u32) {
        let error = Diagnostic::error(SyntaxError::ShortTuple, self.span(l, r));
        self.push(error.with_help("leave out the parentheses and the comma"));
    }

    pub(crate) fn tuple(&self, first: Option<Expr>, rest: Vec<Option<Expr>>, l: u32, r: u32) -> ExprKind {
        if first.is_some() && rest.is_empty() {
            self.short_tuple(l, r);
        }
        ExprKind::Tuple(first.into_iter().chain(good(rest)).collect())
    }

    pub(crate) fn tuple_type(&self, first: TypeExpr, rest: Vec<TypeExpr>, l: u32, r: u32) -> TypeKind {
        TypeKind::Tuple(self.parts(std::iter::once(first).chain(rest).collect(), l, r))
    }

    pub(crate) fn part(&self, l: u32, base: Expr, at: u32, r: u32) -> Expr {
        let (part_span, text) = (self.at(at), self.text_at(at));
        if matches!(base.kind, ExprKind::Int(_)) {
            let error = Diagnostic::error(SyntaxError::PartOfNumber, self.span(l, r));
            self.push(error.with_help("a float is written without a blank: `1.0`"));
        }
        // Nothing but the digits that count: `t.0x1` and `t.01` are no indices.
        let part = text.parse::<u32>().ok().filter(|part| part.to_string() == text).unwrap_or_else(|| {
            self.push(Diagnostic::error(SyntaxError::BadPart(text.to_owned()), part_span));
            0
        });
        self.expr(ExprKind::Part { base: Box::new(base), part, part_span }, l, r)
    }

    pub(crate) fn assign(&self, target: Expr, op: Option<BinaryOp>, at: u32, value: Expr) -> StmtKind {
        let op_span = self.at(at);
        match (&target.unparenthesized().kind, op) {
            (ExprKind::Tuple(_), Some(op)) => {
                let error = Diagnostic::error(SyntaxError::CompoundTuple(op), op_span);
                self.push(error.with_help("assign the parts one by one, or write `=`"));
            }
            _ => self.check_target(&target, op),
        }
        StmtKind::Assign(Assign { target, op, op_span, value })
    }

    /// Takes back the error about a part `_` of a target, which drops what would be assigned.
    fn allow_wildcard(&self, part: &Expr) {
        if matches!(&part.kind, ExprKind::Name(name) if name.is_wildcard()) {
            let kind = DiagnosticKind::Syntax(SyntaxError::WildcardAsValue);
            self.errors.borrow_mut().retain(|error| error.span != part.span || error.kind != kind);
        }
    }

    /// Reports what in a target cannot be assigned to.
    fn check_target(&self, target: &Expr, op: Option<BinaryOp>) {
        match &target.unparenthesized().kind {
            ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Field { .. } => {}
            ExprKind::Tuple(parts) => parts.iter().for_each(|part| {
                self.allow_wildcard(part);
                self.check_target(part, op);
            }),
            other => {
                let error = Diagnostic::error(SyntaxError::NotAssignable, target.span);
                self.push(match other {
                    ExprKind::Part { .. } => error.with_help("a tuple does not change: assign a new one"),
                    ExprKind::Closure(_) => error.with_help("a closure that assigns is written `fn(x) { y = x }`"),
                    _ if op.is_none() => error.with_help("to compare, write `==`"),
                    _ => error,
                });
            }
        }
    }

    pub(crate) fn arm(&self, patterns: Vec<Pattern>, guard: Option<Expr>, body: Stmt, l: u32, r: u32) -> Arm {
        let span = self.span(l, r);
        let (body, style) = match body {
            Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Block(block), .. }), .. } => (block, ArmStyle::Braced),
            stmt => (Block { span: stmt.span, stmts: vec![stmt] }, ArmStyle::Bare),
        };
        Arm { patterns, guard, body, style, span }
    }

    /// The alternatives of a part of a pattern.
    pub(crate) fn alternatives(&self, mut patterns: Vec<Pattern>, l: u32, r: u32) -> Pattern {
        match patterns.pop() {
            Some(only) if patterns.is_empty() => only,
            last => {
                patterns.extend(last);
                Pattern { kind: PatternKind::Or(patterns), span: self.span(l, r) }
            }
        }
    }

    pub(crate) fn empty_payload(&self, name: Name, l: u32, r: u32) -> PatternKind {
        let error = Diagnostic::error(SyntaxError::EmptyPayload, self.span(l, r));
        self.push(error.with_help(format!("a variant without payload is written `{}`", name.as_str())));
        let value = PatternValue { span: name.span, kind: PatternValueKind::Name(name) };
        PatternKind::Value(value)
    }

    pub(crate) fn value_pattern(&self, value: PatternValue) -> PatternKind {
        match &value.kind {
            PatternValueKind::Name(name) if name.is_wildcard() => PatternKind::Wildcard,
            _ => PatternKind::Value(value),
        }
    }

    pub(crate) fn import(&self, l: u32, path: u32, r: u32, alias: Option<Name>) -> Import {
        let path_span = self.at(path);
        let path = String::from_utf8(self.bytes(path)).unwrap_or_else(|error| {
            self.push(Diagnostic::error(SyntaxError::BadImportPath, path_span));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        Import { path, path_span, alias, span: self.span(l, r) }
    }

    // Errors

    pub(crate) fn nested_item(&self, what: &'static str, at: u32) {
        let error = Diagnostic::error(SyntaxError::NestedItem(what), self.at(at));
        self.push(error.with_help("move it out of the block"));
    }

    pub(crate) fn assignment_as_condition(&self, at: u32) {
        let error = Diagnostic::error(SyntaxError::AssignmentAsCondition, self.at(at));
        self.push(error.with_help("to compare, write `==`; to unwrap an optional, `if let n = e`"));
    }

    pub(crate) fn recovered(&self, recovery: ErrorRecovery<u32, TokenKind, Infallible>) {
        self.report(recovery.error);
    }

    /// Reports an error of the tables.
    pub(super) fn report(&self, error: ParseError<u32, TokenKind, Infallible>) {
        let (index, expected) = match error {
            ParseError::UnrecognizedToken { token: (index, ..), expected } => (index as usize, expected),
            ParseError::ExtraToken { token: (index, ..) } => (index as usize, Vec::new()),
            ParseError::InvalidToken { location } => (location as usize, Vec::new()),
            // If the tokens were cut short, their end means nothing.
            ParseError::UnrecognizedEof { .. } if self.stopped.get() && self.error_count() > 0 => return,
            ParseError::UnrecognizedEof { expected, .. } => (self.tokens.len(), expected),
            ParseError::User { error } => match error {},
        };
        let place = ErrorPlace { file: self.file, text: self.text, tokens: self.tokens, index };
        self.push(unexpected(&place, &expected));
    }
}
