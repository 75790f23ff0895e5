//! Tokens to syntax tree: the front door of the front half.
//!
//! In: a file of a [`SourceMap`]. Out: its [`Program`] and all diagnostics about it, in source order.
//! Invariants: no text makes this panic, recurse without bound or take more than linear time; if a diagnostic is an
//! error, the tree holds the parts that were understood and is fit for printing only.
//!
//! The road: [`lex`] -> [`expand`] formatted strings -> [`balance`] brackets -> [`lay_out`] statement ends ->
//! [`check_depth`] -> the LALRPOP tables of `grammar.lalrpop`, whose actions build the tree through
//! [`context::Context`].

use crate::ast::Program;
use crate::brackets::{Balanced, balance};
use crate::depth::check_depth;
use crate::diagnostic::{Diagnostic, DiagnosticKind, LexError, MAX_DIAGNOSTICS, SyntaxError, limit};
use crate::expand::expand;
use crate::layout::{check_min_literals, lay_out};
use crate::settings::parse::LONGEST_SKIP;
use crate::source::{FileId, SourceFile, SourceMap, Span};
use crate::token::{Comment, Lexed, Token, TokenKind, lex};

mod call;
pub(crate) mod context;
mod expected;
mod hint;
mod incomplete;
mod place;
mod slip;
mod unexpected;

pub use incomplete::is_incomplete;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::wildcard_imports, missing_docs, unreachable_pub, unused)]
    grammar
);

/// Everything known about a file before its tokens are given a meaning.
struct Prepared {
    /// With statement ends, brackets balanced.
    tokens: Vec<Token>,
    comments: Vec<Comment>,
    /// About characters, literals and comments.
    lexical: Vec<Diagnostic>,
    /// About brackets.
    brackets: Vec<Diagnostic>,
}

/// Parses `file`. Returns the tree and the diagnostics.
pub fn parse(map: &SourceMap, file: FileId) -> (Program, Vec<Diagnostic>) {
    let (program, errors, _) = parse_broken(map, file);
    (program, errors)
}

/// Parses `file` as [`parse`] does. Returns the places of all errors, too: those that are not told follow from others, but
/// the tree is as unfit for checking there.
pub(crate) fn parse_broken(map: &SourceMap, file: FileId) -> (Program, Vec<Diagnostic>, Vec<Span>) {
    let source = map.file(file);
    let prepared = prepare(file, &source.text);
    if let Some(too_deep) = check_depth(file, &prepared.tokens) {
        let mut errors = prepared.lexical;
        errors.push(too_deep);
        return (Program { file, body: Vec::new(), has_closures: false }, limit(errors), Vec::new());
    }
    let (program, syntax) = run_tables(file, &source.text, &prepared);
    let all = prepared.lexical.iter().chain(&prepared.brackets).chain(&syntax);
    let places = all.map(|error| error.span).collect();
    let errors = select(source, prepared.lexical, prepared.brackets, syntax);
    (program, limit(errors), places)
}

/// The tokens of `file` as the parser sees them, with statement ends.
pub fn tokens(map: &SourceMap, file: FileId) -> (Vec<Token>, Vec<Diagnostic>) {
    let prepared = prepare(file, &map.file(file).text);
    let mut errors = prepared.lexical;
    errors.extend(prepared.brackets);
    (prepared.tokens, limit(errors))
}

fn prepare(file: FileId, text: &str) -> Prepared {
    let Lexed { tokens, comments, errors: mut lexical } = lex(file, text);
    let tokens = expand(file, text, tokens, &mut lexical);
    let Balanced { tokens, errors: brackets } = balance(file, text, &tokens);
    let tokens = lay_out(text, &tokens);
    lexical.extend(check_min_literals(file, text, &tokens));
    Prepared { tokens, comments, lexical, brackets }
}

/// Runs the tables of the grammar over the tokens.
fn run_tables(file: FileId, text: &str, prepared: &Prepared) -> (Program, Vec<Diagnostic>) {
    let cx = context::Context::new(file, text, &prepared.tokens, &prepared.comments);
    let result = grammar::ProgramParser::new().parse(&cx, feed(&cx, &prepared.tokens));
    let body = result.unwrap_or_else(|error| {
        cx.report(error);
        Vec::new()
    });
    let has_closures = cx.has_closures.get();
    (Program { file, body, has_closures }, cx.into_errors())
}

/// The tokens at the locations of their indices. The stream ends early once nothing new can be learned: after the
/// greatest number of errors that is shown, or when recovery has skipped very many tokens, each of which costs it
/// time in proportion to the nesting.
fn feed<'c>(
    cx: &'c context::Context<'_>,
    tokens: &'c [Token],
) -> impl Iterator<Item = Result<(u32, TokenKind, u32), std::convert::Infallible>> + 'c {
    (0..).zip(tokens).map_while(move |(index, token): (u32, &Token)| {
        if matches!(token.kind, TokenKind::Newline | TokenKind::Semi) {
            cx.progress.set(index);
        }
        if cx.error_count() > MAX_DIAGNOSTICS || index.saturating_sub(cx.progress.get()) > LONGEST_SKIP {
            cx.stopped.set(true);
            return None;
        }
        Some(Ok((index, token.kind, index + 1)))
    })
}

/// Keeps the errors that are likely to be mistakes of their own, in source order: one a line, and none of the
/// grammar's after a bracket that had to be repaired.
fn select(
    source: &SourceFile,
    lexical: Vec<Diagnostic>,
    brackets: Vec<Diagnostic>,
    mut syntax: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    syntax.sort_by_key(|error| error.span.start);
    let mut lines: hashbrown::HashSet<u32> = lexical.iter().map(|error| source.line(error.span.start)).collect();
    let mut kept = lexical;
    // A comment or string that swallowed brackets explains them.
    let swallowed = kept.iter().any(swallows_brackets);
    let mut trusted = u32::MAX;
    for error in brackets {
        // A stray bracket was left out, which disturbs nothing else.
        if !matches!(error.kind, DiagnosticKind::Syntax(SyntaxError::StrayBracket(_))) {
            let places = error.labels.iter().map(|(span, _)| span.start).chain([error.span.start]);
            trusted = places.fold(trusted, u32::min);
        }
        if !swallowed && lines.insert(source.line(error.span.start)) {
            kept.push(error);
        }
    }
    for error in syntax {
        if error.span.start < trusted && lines.insert(source.line(error.span.start)) {
            kept.push(error);
        }
    }
    kept.sort_by_key(|error| (error.span.start, error.span.end));
    kept
}

fn swallows_brackets(error: &Diagnostic) -> bool {
    use LexError::{UnclosedHole, UnterminatedComment, UnterminatedString};
    matches!(error.kind, DiagnosticKind::Lex(UnterminatedComment | UnterminatedString | UnclosedHole))
}
