//! Tokens and comments in source order, handed to a document.
//!
//! In: requests to emit the next token, from the walk over the tree. Out: commands of a [`Doc`], comments included.
//! Invariants: tokens are emitted in source order, each once; separators (`,` and `;`) are emitted by the walk's own
//! decision and skipped in the source; no comment is lost.
//!
//! A comment is *trailing* where it stands on the line of the token before it and nothing follows it there: it stays on
//! that line. Any other comment *leads* the token after it: inline where that token follows on its line,
//! otherwise on lines of its own.

use super::doc::{Doc, Line};
use crate::token::{Comment, CommentKind, Lexed, Token, TokenKind};

/// A position among the tokens and comments of a file, and the document made of those before it.
pub(super) struct Cursor<'a> {
    text: &'a str,
    tokens: &'a [Token],
    comments: &'a [Comment],
    /// The end of the last token, separator or comment that was passed.
    end: u32,
    /// True if a line comment was emitted, so that the line must end.
    must_break: bool,
    pub(super) doc: Doc<'a>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, lexed: &'a Lexed) -> Self {
        let first = lexed.tokens.first().map_or(u32::MAX, |token| token.start);
        let first = lexed.comments.first().map_or(first, |comment| comment.start.min(first));
        let end = if first == u32::MAX { 0 } else { first };
        Self { text, tokens: &lexed.tokens, comments: &lexed.comments, end, must_break: false, doc: Doc::default() }
    }

    pub(super) fn into_doc(self) -> Doc<'a> {
        self.doc
    }

    /// The next token that is no separator the walk has to decide on.
    pub(super) fn peek(&self) -> Option<Token> {
        self.tokens.iter().copied().find(|token| token.kind != TokenKind::Semi)
    }

    /// Emits the next token, which must be of `kind`, with the comments before it.
    pub(super) fn token(&mut self, kind: TokenKind) {
        while let Some((token, rest)) = self.tokens.split_first() {
            let is_it = token.kind == kind;
            if is_it {
                self.lead(token.start);
                self.doc.text(&self.text[token.start as usize..token.end as usize]);
            }
            self.tokens = rest;
            self.end = self.end.max(token.end);
            if is_it {
                return;
            }
            let skipped = matches!(token.kind, TokenKind::Semi | TokenKind::Comma);
            assert!(skipped, "the formatter expects {kind:?} and meets {:?}", token.kind);
        }
        unreachable!("the formatter expects {kind:?} and meets the end of the file");
    }

    /// Emits the next token, whatever it is.
    pub(super) fn any_token(&mut self) {
        if let Some(token) = self.peek() {
            self.token(token.kind);
        }
    }

    /// Emits a token with a blank before it.
    pub(super) fn spaced(&mut self, kind: TokenKind) {
        self.space();
        self.token(kind);
    }

    pub(super) fn space(&mut self) {
        self.doc.text(" ");
    }

    /// Passes a comma of the source, if one stands here, without emitting it: the walk decides on commas. Block comments
    /// before it come out now, line comments after it.
    pub(super) fn skip_comma(&mut self) {
        if let Some((token, rest)) = self.tokens.split_first()
            && token.kind == TokenKind::Comma
        {
            while let Some(comment) = self.comments.first()
                && comment.kind == CommentKind::Block
                && comment.start < token.start
                && self.on_one_line(self.end, comment.start)
            {
                self.space();
                self.emit_comment();
            }
            self.tokens = rest;
            self.end = self.end.max(token.end);
        }
    }

    /// Emits a place where the line may end, trailing comments before it.
    pub(super) fn line(&mut self, line: Line) {
        let comments = self.comments.len();
        self.trail(Trailing::BeforeLine);
        let has_trailed = self.comments.len() < comments;
        self.doc.line(match line {
            _ if std::mem::take(&mut self.must_break) => Line::Hard,
            Line::Soft if has_trailed => Line::Space,
            other => other,
        });
    }

    /// Emits the end of a line between statements, with an empty one if the source has any there.
    pub(super) fn separate(&mut self) {
        self.trail(Trailing::BeforeLine);
        self.must_break = false;
        let next = self.next_start();
        self.doc.line(if self.has_blank_line(next) { Line::Blank } else { Line::Hard });
    }

    /// Emits all comments before the closing bracket that comes next, inside the brackets.
    pub(super) fn finish_list(&mut self) {
        self.trail(Trailing::BeforeCloser);
        while self.comment_before_token().is_some() {
            if self.emit_beside() {
                continue;
            }
            self.must_break = false;
            if !self.doc.ends_line() {
                let blank = self.has_blank_line(self.next_start()) && !self.doc.ends_opening();
                self.doc.harden();
                if blank {
                    self.doc.line(Line::Hard);
                }
            }
            self.emit_comment();
        }
    }

    /// Emits the next comment on the line of the last thing emitted, if it stands there in the source.
    fn emit_beside(&mut self) -> bool {
        let Some(comment) = self.comments.first() else { return false };
        let is_beside = comment.start >= self.end && self.on_one_line(self.end, comment.start);
        if !is_beside || self.must_break || self.doc.ends_line() {
            return false;
        }
        if self.doc.wants_space() {
            self.space();
        }
        self.emit_comment();
        true
    }

    /// Ends the line where a comment has to end with it.
    pub(super) fn end_line_if_needed(&mut self) {
        if std::mem::take(&mut self.must_break) {
            self.doc.harden();
        }
    }

    /// Emits the place where the line may end before a `}`.
    pub(super) fn before_closing_brace(&mut self, one_line: bool) {
        if !self.doc.ends_line() {
            self.line(if one_line { Line::Space } else { Line::Hard });
        }
        self.must_break = false;
    }

    /// Returns true if a comment stands before an offset of the source.
    pub(super) fn has_comment_before(&self, offset: u32) -> bool {
        self.comments.first().is_some_and(|comment| comment.start < offset)
    }

    /// Returns true if a comment stands before the next token.
    pub(super) fn has_comment(&self) -> bool {
        self.comment_before_token().is_some()
    }

    /// Emits the comments after the last token of the file.
    pub(super) fn finish_file(&mut self) {
        self.trail(Trailing::BeforeLine);
        while !self.comments.is_empty() {
            if self.emit_beside() {
                continue;
            }
            let blank = self.has_blank_line(self.next_start());
            self.doc.line(if blank { Line::Blank } else { Line::Hard });
            self.emit_comment();
        }
    }

    /// Returns true if the source between two offsets is on one line.
    pub(super) fn on_one_line(&self, start: u32, end: u32) -> bool {
        !self.text[start as usize..end as usize].contains('\n')
    }

    /// Emits the comments that lead the token at `start`.
    fn lead(&mut self, start: u32) {
        while let Some(comment) = self.comments.first().copied().filter(|comment| comment.start < start) {
            let next = self.comments.get(1).map_or(start, |next| next.start.min(start));
            let is_inline = comment.kind == CommentKind::Block && self.on_one_line(comment.end, next);
            if is_inline {
                if self.doc.wants_space() {
                    self.space();
                }
                self.emit_comment();
                self.space();
                continue;
            }
            if self.starts_line(comment) {
                self.doc.harden();
            }
            // Otherwise the line of the token before it ends with it, though the walk has no line break there.
            self.emit_comment();
            self.must_break = false;
            let blank = self.has_blank_line(next);
            self.doc.line(if blank { Line::Blank } else { Line::Hard });
        }
    }

    /// Emits the comments that trail the last token.
    fn trail(&mut self, place: Trailing) {
        while let Some(comment) = self.comment_before_token() {
            let starts_line = comment.start > self.end && !self.on_one_line(self.end, comment.start);
            let leads = place == Trailing::BeforeLine && self.is_before_word();
            if starts_line || leads || self.must_break {
                break;
            }
            if comment.kind == CommentKind::Block && self.doc.wants_space() {
                self.space();
            }
            self.emit_comment();
        }
    }

    /// The next comment, if it stands before the next token; a separator does not hold it back.
    fn comment_before_token(&self) -> Option<Comment> {
        let comment = self.comments.first()?;
        self.next_word().is_none_or(|token| comment.start < token.start).then_some(*comment)
    }

    fn next_word(&self) -> Option<Token> {
        let is_separator = |token: &Token| matches!(token.kind, TokenKind::Semi | TokenKind::Comma);
        self.tokens.iter().copied().find(|token| !is_separator(token))
    }

    /// Returns true if the next comment is followed on its line by a token, perhaps after more comments.
    fn is_before_word(&self) -> bool {
        let Some(word) = self.next_word() else { return false };
        let before: Vec<_> = self.comments.iter().take_while(|comment| comment.start < word.start).collect();
        let starts = before.iter().skip(1).map(|comment| comment.start).chain([word.start]);
        // The first break among the things that follow decides.
        before
            .iter()
            .zip(starts)
            .all(|(comment, next)| comment.kind == CommentKind::Block && self.on_one_line(comment.end, next))
    }

    /// The offset at which the next comment or token starts.
    fn next_start(&self) -> u32 {
        let word = self.next_word().map_or(self.text.len() as u32, |token| token.start);
        self.comments.first().map_or(word, |comment| comment.start.min(word))
    }

    fn has_blank_line(&self, next: u32) -> bool {
        let from = self.end.min(next) as usize;
        self.text[from..next as usize].bytes().filter(|&byte| byte == b'\n').count() > 1
    }

    fn starts_line(&self, comment: Comment) -> bool {
        let before = &self.text[..comment.start as usize];
        before[before.rfind('\n').map_or(0, |at| at + 1)..].trim().is_empty()
    }

    fn emit_comment(&mut self) {
        let Some((comment, rest)) = self.comments.split_first() else { return };
        let text = self.text[comment.start as usize..comment.end as usize].trim_end();
        match comment.kind {
            CommentKind::Block => self.doc.text(text),
            CommentKind::Line | CommentKind::Doc => {
                if !self.doc.ends_blank() {
                    self.space();
                }
                self.doc.remark(text);
                self.must_break = true;
            }
        }
        self.end = self.end.max(comment.end);
        self.comments = rest;
    }
}

/// The thing that comes after trailing comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trailing {
    /// A place where the line may end.
    BeforeLine,
    /// A closing bracket, which nothing can lead.
    BeforeCloser,
}
