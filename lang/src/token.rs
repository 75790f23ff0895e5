//! Text to tokens.
//!
//! In: the text of one file. Out: [`Lexed`]: the tokens, the comments beside them, and the errors. Invariants: tokens
//! and comments are in order and do not overlap; every literal token either has a value that [`crate::literal`] can
//! read or has been reported; lexing takes linear time whatever the text.
//!
//! Literals carry no value here: the parser reads it from the text again, which keeps a token at twelve bytes.

use crate::settings::token::LONGEST_CHARACTER;
use logos::{Lexer, Logos};

use crate::diagnostic::{Diagnostic, LexError, push_limited};
use crate::interpolation;
use crate::literal;
use crate::source::{FileId, Span};

/// A token: its kind and the half-open range of bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
}

/// A comment, its text with its delimiters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its kind.
    pub kind: CommentKind,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset after its last byte; a line comment ends before the newline.
    pub end: u32,
}

/// The kinds of comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentKind {
    /// `// ...`
    Line,
    /// `/// ...`
    Doc,
    /// `/* ... */`
    Block,
}

/// The result of lexing.
#[derive(Clone, Default, Debug)]
pub struct Lexed {
    /// The tokens, as written (see [`crate::layout`] for statement ends).
    pub tokens: Vec<Token>,
    /// The comments.
    pub comments: Vec<Comment>,
    /// The lexical errors.
    pub errors: Vec<Diagnostic>,
}

/// Declares [`TokenKind`] with the fixed texts of its kinds.
macro_rules! token_kinds {
    ($($text:literal $kind:ident,)*) => {
        /// The kinds of token.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[logos(skip r"[ \t\r\n\x0C]+")]
        #[logos(extras = Vec<(LexError, u32, u32)>)]
        #[allow(missing_docs, reason = "the table below says each kind's text")]
        pub enum TokenKind {
            #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
            Name,
            #[regex(r"[0-9][0-9_]*", check_int)]
            #[regex(r"0x[0-9a-fA-F_]*[0-9a-fA-F][0-9a-fA-F_]*", check_int, priority = 30)]
            #[regex(r"0b[01_]*[01][01_]*", check_int, priority = 30)]
            #[regex(r"[0-9][0-9A-Za-z_]*", bad_number, priority = 1)]
            Int,
            #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*([eE][+-]?[0-9][0-9_]*)?", check_float, priority = 20)]
            #[regex(r"[0-9][0-9_]*[eE][+-]?[0-9][0-9_]*", check_float, priority = 20)]
            #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*[A-Za-z][0-9A-Za-z_]*", bad_number, priority = 10)]
            Float,
            #[token("\"", string)]
            Str,
            #[token("'", character)]
            Char,
            /// A whole formatted string; [`crate::expand`] divides it into the kinds below.
            #[token("f\"", format_string)]
            FormatStr,
            #[token("//", line_comment)]
            LineComment,
            #[token("/*", block_comment)]
            BlockComment,
            /// The end of a statement at a newline; made by the layout pass.
            Newline,
            /// The word `step` of a `for`; made by the layout pass.
            Step,
            /// The word `enum` of a definition; made by the layout pass.
            Enum,
            /// The word `as` of an import; made by the layout pass.
            As,
            /// The `f"` of a formatted string.
            FormatStart,
            /// A text in a formatted string.
            FormatText,
            /// The `{` of a hole of a formatted string.
            FormatOpen,
            /// The format in a hole, from its `:` on.
            FormatSpec,
            /// The `}` of a hole of a formatted string.
            FormatClose,
            /// The closing quote of a formatted string.
            FormatEnd,
            $(#[token($text)] $kind,)*
        }

        impl TokenKind {
            /// The text of a kind that has only one: keywords and punctuation.
            pub fn fixed_text(self) -> Option<&'static str> {
                match self {
                    $(Self::$kind => Some($text),)*
                    Self::Step => Some("step"),
                    Self::Enum => Some("enum"),
                    Self::As => Some("as"),
                    Self::FormatOpen => Some("{"),
                    Self::FormatClose => Some("}"),
                    Self::Name | Self::Int | Self::Float | Self::Str | Self::Char | Self::Newline => None,
                    Self::FormatStr | Self::FormatStart | Self::FormatText | Self::FormatSpec | Self::FormatEnd => None,
                    Self::LineComment | Self::BlockComment => None,
                }
            }
        }
    };
}

token_kinds! {
    "fn" Fn, "struct" Struct, "const" Const, "import" Import, "let" Let, "var" Var,
    "if" If, "else" Else, "while" While, "loop" Loop, "for" For, "in" In, "match" Match, "try" Try, "catch" Catch,
    "break" Break, "continue" Continue, "return" Return, "fail" Fail,
    "true" True, "false" False, "none" None,
    "(" OpenParen, ")" CloseParen, "[" OpenBracket, "]" CloseBracket, "{" OpenBrace, "}" CloseBrace,
    "," Comma, ";" Semi, ":" Colon, "." Dot, ".." DotDot, "..=" DotDotEq, "->" Arrow, "=>" FatArrow, "?" Question,
    "||" OrOr, "&&" AndAnd, "==" EqEq, "!=" Ne, "<" Lt, "<=" Le, ">" Gt, ">=" Ge,
    "|" Or, "^" Caret, "&" And, "<<" Shl, ">>" Shr, ">>>" Ushr,
    "+" Plus, "-" Minus, "*" Star, "/" Slash, "%" Percent, "!" Bang, "~" Tilde,
    "=" Eq, "+=" PlusEq, "-=" MinusEq, "*=" StarEq, "/=" SlashEq, "%=" PercentEq,
    "&=" AndEq, "|=" OrEq, "^=" CaretEq, "<<=" ShlEq, ">>=" ShrEq, ">>>=" UshrEq,
}

impl TokenKind {
    /// Returns true if it is a reserved word.
    pub fn is_keyword(self) -> bool {
        let is_word = self.fixed_text().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_lowercase()));
        is_word && !matches!(self, Self::Step | Self::Enum | Self::As)
    }

    /// Returns true if an expression can end with it.
    pub fn ends_expression(self) -> bool {
        use TokenKind as K;
        let is_literal = matches!(self, K::Int | K::Float | K::Str | K::Char | K::True | K::False | K::None);
        is_literal || matches!(self, K::Name | K::FormatStr | K::FormatEnd) || self.is_close()
    }

    /// The partner of an opening or closing bracket.
    pub fn partner(self) -> Option<Self> {
        match self {
            Self::OpenParen => Some(Self::CloseParen),
            Self::CloseParen => Some(Self::OpenParen),
            Self::OpenBracket => Some(Self::CloseBracket),
            Self::CloseBracket => Some(Self::OpenBracket),
            Self::OpenBrace => Some(Self::CloseBrace),
            Self::CloseBrace => Some(Self::OpenBrace),
            Self::FormatOpen => Some(Self::FormatClose),
            Self::FormatClose => Some(Self::FormatOpen),
            _ => None,
        }
    }

    /// Returns true if it is `(`, `[` or `{`, also that of a hole.
    pub fn is_open(self) -> bool {
        matches!(self, Self::OpenParen | Self::OpenBracket | Self::OpenBrace | Self::FormatOpen)
    }

    /// Returns true if it is `)`, `]` or `}`, also that of a hole.
    pub fn is_close(self) -> bool {
        matches!(self, Self::CloseParen | Self::CloseBracket | Self::CloseBrace | Self::FormatClose)
    }

    /// The name of the kind in `dump --stage tokens`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Int => "int",
            Self::Float => "float",
            Self::Str => "string",
            Self::Char => "char",
            Self::LineComment | Self::BlockComment => "comment",
            Self::Newline => "newline",
            Self::Step | Self::Enum | Self::As => "keyword",
            Self::FormatStr | Self::FormatStart | Self::FormatText | Self::FormatSpec | Self::FormatEnd => "format",
            kind if kind.is_keyword() => "keyword",
            _ => "symbol",
        }
    }
}

/// Returns true if a text is one word: a name, or a keyword, which stands where a name could.
pub fn is_word(text: &str) -> bool {
    is_one(text, |kind| matches!(kind.label(), "name" | "keyword"))
}

/// Returns true if a text is a name. So are words that are keywords in some places alone.
pub fn is_name(text: &str) -> bool {
    is_one(text, |kind| kind == TokenKind::Name)
}

/// Returns true if a text is one token of some kind, and not `_`.
fn is_one(text: &str, is_kind: impl Fn(TokenKind) -> bool) -> bool {
    let mut lexer = TokenKind::lexer(text);
    let is_it = lexer.next().is_some_and(|kind| kind.is_ok_and(is_kind));
    is_it && lexer.span() == (0..text.len()) && text != "_"
}

/// Divides the text of `file` into tokens and comments. A `#!` line at the start is skipped.
pub fn lex(file: FileId, text: &str) -> Lexed {
    let skipped = if text.starts_with("#!") { text.find('\n').unwrap_or(text.len()) } else { 0 };
    lex_part(file, text, skipped, text.len())
}

/// Divides a range of the text of `file` into tokens and comments.
pub(crate) fn lex_part(file: FileId, text: &str, skipped: usize, end: usize) -> Lexed {
    let mut out = Lexed::default();
    let mut stray: Option<(usize, usize)> = None;
    let mut lexer = TokenKind::lexer(&text[skipped..end]);
    while let Some(token) = lexer.next() {
        let (start, end) = (lexer.span().start + skipped, lexer.span().end + skipped);
        match (token, &mut stray) {
            (Err(()), Some(run)) if run.1 == start => run.1 = end,
            (Err(()), _) => {
                report_stray(file, text, stray.replace((start, end)), &mut out.errors);
            }
            (Ok(kind), _) => {
                report_stray(file, text, stray.take(), &mut out.errors);
                push(&mut out, text, Token { kind, start: start as u32, end: end as u32 });
            }
        }
        for (kind, start, end) in lexer.extras.drain(..) {
            let span = Span::new(file, start + skipped as u32, end + skipped as u32);
            push_limited(&mut out.errors, || explain(kind, span, text));
        }
    }
    report_stray(file, text, stray, &mut out.errors);
    out
}

/// Adds a token to the tokens or to the comments.
fn push(out: &mut Lexed, text: &str, token: Token) {
    let Token { kind, start, end } = token;
    let kind = match kind {
        TokenKind::BlockComment => CommentKind::Block,
        TokenKind::LineComment => {
            let comment = &text[start as usize..end as usize];
            let is_doc = comment.starts_with("///") && !comment.starts_with("////");
            if is_doc { CommentKind::Doc } else { CommentKind::Line }
        }
        // In `t.0.1` the two parts look like a float.
        TokenKind::Float if out.tokens.last().is_some_and(|last| last.kind == TokenKind::Dot) => {
            return push_parts(out, text, token);
        }
        _ => {
            out.tokens.push(token);
            return;
        }
    };
    out.comments.push(Comment { kind, start, end });
}

/// Adds a float behind a `.` as the indices of two parts, if it is nothing but digits and a point.
fn push_parts(out: &mut Lexed, text: &str, token: Token) {
    let written = &text[token.start as usize..token.end as usize];
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    match written.split_once('.') {
        Some((first, second)) if digits(first) && digits(second) => {
            let dot = token.start + first.len() as u32;
            out.tokens.push(Token { kind: TokenKind::Int, start: token.start, end: dot });
            out.tokens.push(Token { kind: TokenKind::Dot, start: dot, end: dot + 1 });
            out.tokens.push(Token { kind: TokenKind::Int, start: dot + 1, end: token.end });
        }
        _ => out.tokens.push(token),
    }
}

/// Reports a run of characters that start no token.
fn report_stray(file: FileId, text: &str, run: Option<(usize, usize)>, errors: &mut Vec<Diagnostic>) {
    let Some((start, end)) = run else { return };
    let span = Span::new(file, start as u32, end as u32);
    push_limited(errors, || stray(&text[start..end], span));
}

/// A diagnostic for characters that start no token, with the help that fits.
fn stray(characters: &str, span: Span) -> Diagnostic {
    let help = match characters.chars().next() {
        Some('“' | '”' | '„' | '«' | '»') => Some("strings are written in straight quotes: `\"text\"`"),
        Some('`') => Some("strings are written in double quotes: `\"text\"`"),
        Some('‘' | '’') => Some("character literals are written in straight quotes: `'a'`"),
        Some('#') => Some("a comment starts with `//`"),
        Some('\u{a0}' | '\u{200b}' | '\u{2028}' | '\u{feff}') => Some("only ASCII blanks separate tokens"),
        Some('\\') => Some("a statement goes on after an operator or inside parentheses, without a backslash"),
        _ => None,
    };
    let error = Diagnostic::error(LexError::StrayCharacters(characters.to_owned()), span);
    match help {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// A diagnostic for a token that is wrong inside, with the help that fits.
fn explain(kind: LexError, span: Span, text: &str) -> Diagnostic {
    let written = &text[span.start as usize..span.end as usize];
    let help = match &kind {
        LexError::LongChar { .. } if text[..span.start as usize].ends_with('f') => {
            Some("a formatted string stands in double quotes: `f\"{x}\"`".to_owned())
        }
        LexError::LongChar { .. } => {
            let inner = written.trim_matches('\'');
            Some(format!("a text is written in double quotes: {}", format_args!("`\"{}\"`", shorten(inner))))
        }
        LexError::UnterminatedString => Some("close it with `\"`; a newline inside is written `\\n`".to_owned()),
        LexError::UnclosedHole => Some("close it with `}`; a brace as text is written `{{`".to_owned()),
        LexError::StrayBrace => Some("a brace as text is written `}}`".to_owned()),
        LexError::BraceInFormat => Some("a format is fixed text, such as `>8` or `.2`".to_owned()),
        LexError::FormatTooDeep { .. } => Some("name parts of it with `let`".to_owned()),
        LexError::UnterminatedChar => Some("close it with `'`".to_owned()),
        LexError::UnterminatedComment => Some("close it with `*/`; comments nest".to_owned()),
        LexError::BadEscape(_) => Some("the escapes are \\n \\r \\t \\\\ \\\" \\' \\0 \\x41 \\u{1F600}".to_owned()),
        LexError::IntTooLarge => Some("the largest int is 9223372036854775807; 0x and 0b take 64 bits".to_owned()),
        LexError::BadNumber(number) if number.starts_with("0o") || number.starts_with("0O") => {
            Some("numbers are decimal, hexadecimal (0xff) or binary (0b101)".to_owned())
        }
        _ => None,
    };
    let error = Diagnostic::error(kind, span);
    match help {
        Some(help) => error.with_help(help),
        None => error,
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 20 { text.to_owned() } else { text.chars().take(20).chain("...".chars()).collect() }
}

/// Records an error about the bytes `from..to` of the current token.
fn note(lex: &mut Lexer<'_, TokenKind>, kind: LexError, from: usize, to: usize) {
    let start = lex.span().start;
    lex.extras.push((kind, (start + from) as u32, (start + to) as u32));
}

/// Integers: 2^63 passes here; the layout pass knows whether a unary minus stands before it.
fn check_int(lex: &mut Lexer<'_, TokenKind>) {
    if let Err(error) = literal::int(lex.slice()) {
        note(lex, error, 0, lex.slice().len());
    }
}

fn check_float(lex: &mut Lexer<'_, TokenKind>) {
    if let Err(error) = literal::float(lex.slice()) {
        note(lex, error, 0, lex.slice().len());
    }
}

fn bad_number(lex: &mut Lexer<'_, TokenKind>) {
    let text = lex.slice().to_owned();
    let len = text.len();
    note(lex, LexError::BadNumber(text), 0, len);
}

/// Consumes a string from after its opening quote.
fn string(lex: &mut Lexer<'_, TokenKind>) {
    let rest = lex.remainder();
    let mut bytes = rest.bytes().enumerate();
    let mut end = None;
    while let Some((i, byte)) = bytes.next() {
        match byte {
            b'"' => end = Some(i),
            b'\n' => {}
            b'\\' if rest.as_bytes().get(i + 1).is_some_and(|&next| next != b'\n') => {
                bytes.next();
                continue;
            }
            _ => continue,
        }
        break;
    }
    match end {
        Some(len) => {
            lex.bump(len + 1);
            check_escapes(lex);
        }
        None => {
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            // What ends the line is more likely code than text: leaving it outside keeps the brackets balanced.
            let len = line.trim_end_matches([')', ']', '}', ';', ',', ' ', '\t', '\r']).len();
            lex.bump(len);
            note(lex, LexError::UnterminatedString, 0, len + 1);
        }
    }
}

/// Consumes a formatted string from after its opening quote.
fn format_string(lex: &mut Lexer<'_, TokenKind>) {
    let found = interpolation::scan(&lex.source()[lex.span().start..]);
    lex.bump(found.len - lex.slice().len());
    for (error, from, to) in found.errors {
        note(lex, error, from, to);
    }
}

/// Consumes a character literal from after its opening quote.
fn character(lex: &mut Lexer<'_, TokenKind>) {
    let rest = lex.remainder();
    let mut chars = rest.char_indices().take_while(|&(i, c)| c != '\n' && i < LONGEST_CHARACTER);
    let mut end = None;
    while let Some((i, c)) = chars.next() {
        match c {
            '\'' => {
                end = Some(i);
                break;
            }
            '\\' => _ = chars.next(),
            _ => {}
        }
    }
    let Some(len) = end else {
        let mut chars = rest.chars().take_while(|&c| c != '\n');
        let len = match chars.next() {
            Some('\\') => 1 + chars.next().map_or(0, char::len_utf8),
            first => first.map_or(0, char::len_utf8),
        };
        lex.bump(len);
        note(lex, LexError::UnterminatedChar, 0, len + 1);
        return;
    };
    lex.bump(len + 1);
    let whole = len + 2;
    if !check_escapes(lex) {
        return;
    }
    match literal::string(lex.slice()).0.len() {
        0 => note(lex, LexError::EmptyChar, 0, whole),
        1 => {}
        bytes => note(lex, LexError::LongChar { bytes }, 0, whole),
    }
}

/// Records the bad escapes of a string or character literal. Returns true if there are none.
fn check_escapes(lex: &mut Lexer<'_, TokenKind>) -> bool {
    let errors = literal::string(lex.slice()).1;
    let is_good = errors.is_empty();
    for (error, from, to) in errors {
        note(lex, error, from, to);
    }
    is_good
}

fn line_comment(lex: &mut Lexer<'_, TokenKind>) {
    let rest = lex.remainder();
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    lex.bump(line.trim_end_matches('\r').len());
}

/// Consumes a block comment from after its opening `/*`; comments nest.
fn block_comment(lex: &mut Lexer<'_, TokenKind>) {
    let rest = lex.remainder().as_bytes();
    let (mut depth, mut i) = (1u32, 0);
    while depth > 0 && i < rest.len() {
        match rest[i..] {
            [b'/', b'*', ..] => {
                depth += 1;
                i += 2;
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                i += 2;
            }
            _ => i += 1,
        }
    }
    lex.bump(i);
    if depth > 0 {
        note(lex, LexError::UnterminatedComment, 0, 2);
    }
}
