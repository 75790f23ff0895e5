//! The bound on nesting.
//!
//! In: tokens with matching brackets and statement ends. Out: the first place that is nested too deeply, if any.
//! Invariant: where none is reported, the syntax tree built from the tokens is at most [`MAX_DEPTH`] operators and
//! brackets high, a small number of tree nodes for each, so that every later stage may walk it by recursion.
//!
//! The bound is computed on tokens, in one pass: the parser's tables do not recurse and would build a tree whose mere
//! destruction overflows the stack. Each bracket opens a frame with the height of the expression read so far: the
//! greatest height among its operands plus the number of its operators, which bounds the height of the tree however
//! they associate. Statement ends, commas and the `else` of an `if` start a new expression. So does the block behind
//! a condition: it stands beside it, not below its operators.

use crate::diagnostic::{Diagnostic, SyntaxError};
pub use crate::settings::depth::{MAX_DEPTH, MAX_NESTING};
use crate::source::{FileId, Span};
use crate::token::{Token, TokenKind};

/// The part of an expression read so far at one level of brackets.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The height of the highest bracket, or of an expression that is over.
    height: usize,
    /// Operators of the expression being read.
    operators: usize,
    /// Operators that were read before the last `if`.
    before_if: usize,
    /// Behind `if`, `while`, `for` or `match`, until their block: the operators that this is below.
    above_block: Option<usize>,
    /// True from the `fn` of a closure or a type to the `=>` or the block of a closure.
    in_closure: bool,
    /// The height of the highest expression that is over.
    peak: usize,
}

impl Frame {
    fn now(self) -> usize {
        self.height + self.operators
    }

    fn end_expression(&mut self) {
        *self = Self { peak: self.peak.max(self.now()), ..Self::default() };
    }

    /// A block is about to be read that may be that of a condition.
    fn start_block(&mut self, is_behind_expression: bool) {
        self.in_closure = false;
        if let Some(above) = self.above_block.take_if(|_| is_behind_expression) {
            self.peak = self.peak.max(self.now());
            self.operators = above;
        }
    }

    /// Handles `else`: the next branch stands beside the last, not below it.
    fn end_branch(&mut self) {
        self.peak = self.peak.max(self.now());
        self.operators = self.before_if;
    }
}

/// The first token, if any, at which a limit is passed.
pub fn check_depth(file: FileId, tokens: &[Token]) -> Option<Diagnostic> {
    use TokenKind as K;
    let mut frames = vec![Frame::default()];
    let mut last = K::Newline;
    for token in tokens {
        let frame = frames.last_mut().expect("the outermost frame is never closed");
        match token.kind {
            K::Fn => frame.in_closure = true,
            // The value of a closure stands below the closure, the body of an arm beside its pattern.
            K::FatArrow if frame.in_closure => {
                frame.in_closure = false;
                frame.operators += 1;
            }
            K::Newline | K::Semi | K::Comma | K::FatArrow => frame.end_expression(),
            // An `if` or `match` can stand in the condition of another.
            K::If => {
                if last != K::Else {
                    frame.before_if = frame.operators;
                }
                frame.operators += 1;
                frame.above_block = Some(frame.operators);
            }
            K::Match => {
                frame.operators += 1;
                frame.above_block = Some(frame.operators);
            }
            K::While | K::For => frame.above_block = Some(frame.operators),
            K::Else => frame.end_branch(),
            kind if kind.is_open() => {
                if kind == K::OpenBrace {
                    frame.start_block(last.ends_expression());
                }
                if frames.len() > MAX_NESTING {
                    return Some(too_deep(file, *token, MAX_NESTING));
                }
                frames.push(Frame::default());
            }
            kind if kind.is_close() => {
                let inner = frame.peak.max(frame.now()) + 1;
                frames.pop();
                let outer = frames.last_mut().expect("brackets match");
                outer.height = outer.height.max(inner);
                // A call or an index is one level above what it is applied to.
                outer.operators += usize::from(!matches!(kind, K::CloseBrace | K::FormatClose));
            }
            kind => frame.operators += usize::from(is_operator(kind)),
        }
        if frames.last().is_some_and(|frame| frame.now() > MAX_DEPTH) {
            return Some(too_deep(file, *token, MAX_DEPTH));
        }
        last = token.kind;
    }
    None
}

fn too_deep(file: FileId, token: Token, limit: usize) -> Diagnostic {
    Diagnostic::error(SyntaxError::TooDeep { limit }, Span::new(file, token.start, token.end))
        .with_help("name parts of it with `let`, or move them to a function")
}

/// Returns true if the token adds a level to the tree of an expression or a type.
fn is_operator(kind: TokenKind) -> bool {
    use TokenKind as K;
    let is_comparison = matches!(kind, K::EqEq | K::Ne | K::Lt | K::Le | K::Gt | K::Ge);
    let is_logical = matches!(kind, K::OrOr | K::AndAnd | K::Or | K::Caret | K::And | K::Bang | K::Tilde);
    let is_arithmetic =
        matches!(kind, K::Shl | K::Shr | K::Ushr | K::Plus | K::Minus | K::Star | K::Slash | K::Percent);
    is_comparison || is_logical || is_arithmetic || matches!(kind, K::Dot | K::Question | K::Arrow)
}
