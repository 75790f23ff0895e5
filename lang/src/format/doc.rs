//! A document: text with the places where it may break, and the choice among them.
//!
//! In: commands pushed in order. Out: lines. The algorithm is that of Oppen ("Prettyprinting", TOPLAS 1980) in the form
//! that Wadler's and Prettier's printers gave it: a group is laid out flat if it fits on the rest of the line,
//! otherwise all its own lines break. Invariants: commands are a flat list, nothing here recurses; a group that holds a
//! hard line is broken, and so are all around it; rendering takes time linear in commands times width.

use std::borrow::Cow;

/// A piece of a document.
enum Command<'a> {
    Text(Cow<'a, str>),
    /// A comment up to the end of its line, which takes no width: code is not broken for its sake.
    Remark(&'a str),
    Line(Line),
    /// Text only where the innermost group is broken.
    IfBroken(&'static str),
    /// Text only where the innermost group is flat.
    IfFlat(&'static str),
    Indent,
    Dedent,
    /// The group is broken whatever its width.
    Open {
        broken: bool,
    },
    Close,
}

/// A place where a line may end, by the text that stands there in a flat group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// Nothing.
    Soft,
    /// A blank.
    Space,
    /// `; `
    Semi,
    /// A blank; in a broken group too, where what follows fits on the line.
    Fill,
    /// Always a new line.
    Hard,
    /// Always a new line after an empty one.
    Blank,
}

/// A document being built.
#[derive(Default)]
pub(super) struct Doc<'a> {
    commands: Vec<Command<'a>>,
    /// The indices of the groups that are open.
    open: Vec<usize>,
}

const INDENT: usize = 4;

impl Command<'_> {
    /// Returns true if it stands for something in the text, rather than for its structure.
    fn shows(&self) -> bool {
        match self {
            Self::Text(_) | Self::Remark(_) | Self::Line(_) => true,
            Self::IfBroken(_) | Self::IfFlat(_) | Self::Indent | Self::Dedent | Self::Open { .. } | Self::Close => {
                false
            }
        }
    }
}

impl<'a> Doc<'a> {
    pub(super) fn text(&mut self, text: impl Into<Cow<'a, str>>) {
        self.commands.push(Command::Text(text.into()));
    }

    /// A line comment: the next thing pushed must be a hard line.
    pub(super) fn remark(&mut self, text: &'a str) {
        self.commands.push(Command::Remark(text));
    }

    pub(super) fn line(&mut self, line: Line) {
        if matches!(line, Line::Hard | Line::Blank) {
            self.break_open_groups();
        }
        self.commands.push(Command::Line(line));
    }

    pub(super) fn if_broken(&mut self, text: &'static str) {
        self.commands.push(Command::IfBroken(text));
    }

    pub(super) fn if_flat(&mut self, text: &'static str) {
        self.commands.push(Command::IfFlat(text));
    }

    pub(super) fn indent(&mut self) {
        self.commands.push(Command::Indent);
    }

    pub(super) fn dedent(&mut self) {
        self.commands.push(Command::Dedent);
    }

    pub(super) fn open(&mut self) {
        self.open.push(self.commands.len());
        self.commands.push(Command::Open { broken: false });
    }

    pub(super) fn close(&mut self) {
        self.open.pop();
        self.commands.push(Command::Close);
    }

    /// Makes the last thing pushed a hard line: turns a line into one, or adds one.
    pub(super) fn harden(&mut self) {
        match self.commands.iter_mut().rev().find(|command| command.shows()) {
            None | Some(Command::Line(Line::Hard | Line::Blank)) => {}
            Some(Command::Line(line)) => {
                *line = Line::Hard;
                self.break_open_groups();
            }
            Some(_) => self.line(Line::Hard),
        }
    }

    /// Returns true if a blank must be added before a word can follow.
    pub(super) fn wants_space(&self) -> bool {
        match self.last_shown() {
            Some(Command::Text(text)) => !text.ends_with([' ', '(', '[']),
            Some(Command::Line(_)) | None => false,
            Some(_) => true,
        }
    }

    /// Returns true if a remark can follow without a blank.
    pub(super) fn ends_blank(&self) -> bool {
        match self.last_shown() {
            Some(Command::Text(text)) => text.ends_with(' '),
            Some(Command::Line(line)) => *line != Line::Soft,
            None => true,
            Some(_) => false,
        }
    }

    /// Returns true if the last thing pushed is a hard line, or nothing was.
    pub(super) fn ends_line(&self) -> bool {
        matches!(self.last_shown(), None | Some(Command::Line(Line::Hard | Line::Blank)))
    }

    /// Returns true if the last thing pushed is a line that may break.
    pub(super) fn ends_opening(&self) -> bool {
        matches!(self.last_shown(), Some(Command::Line(_)))
    }

    fn last_shown(&self) -> Option<&Command<'a>> {
        self.commands.iter().rev().find(|command| command.shows())
    }

    fn break_open_groups(&mut self) {
        for &index in self.open.iter().rev() {
            match &mut self.commands[index] {
                // Whatever is around a broken group is broken already.
                Command::Open { broken: true } => break,
                Command::Open { broken } => *broken = true,
                _ => unreachable!("only groups are open"),
            }
        }
    }

    /// The document as text with lines of at most `width` columns where possible, ending in a newline unless empty.
    pub(super) fn render(&self, width: usize) -> String {
        let mut out = Output { text: String::new(), column: 0, indent: 0 };
        let mut flat = Vec::new();
        for (i, command) in self.commands.iter().enumerate() {
            let is_flat = flat.last() == Some(&true);
            match command {
                Command::Text(text) => out.push(text),
                Command::Remark(text) => out.push(text),
                Command::IfBroken(text) if !is_flat => out.push(text),
                Command::IfFlat(text) if is_flat => out.push(text),
                Command::IfBroken(_) | Command::IfFlat(_) => {}
                Command::Line(Line::Blank) => {
                    out.newline();
                    out.newline();
                }
                Command::Line(Line::Soft) if is_flat => {}
                Command::Line(Line::Space | Line::Fill) if is_flat => out.push(" "),
                Command::Line(Line::Fill) if self.next_fits(i, width, out.at() + 1) => out.push(" "),
                Command::Line(Line::Semi) if is_flat => out.push("; "),
                Command::Line(_) => out.newline(),
                Command::Indent => out.indent += INDENT,
                Command::Dedent => out.indent -= INDENT,
                Command::Open { broken } => flat.push(is_flat || (!broken && self.fits(i, width, out.at()))),
                Command::Close => _ = flat.pop(),
            }
        }
        out.finish()
    }

    /// Returns true if what follows the line at `start`, up to the next one, fits between `column` and `width`.
    fn next_fits(&self, start: usize, width: usize, column: usize) -> bool {
        let mut end = column;
        for command in &self.commands[start + 1..] {
            match command {
                Command::Line(_) => break,
                Command::Text(text) => end += text.chars().count(),
                Command::IfBroken(text) => end += text.len(),
                Command::Remark(_) | Command::IfFlat(_) | Command::Indent | Command::Dedent => {}
                Command::Open { .. } | Command::Close => {}
            }
        }
        end <= width
    }

    /// Returns true if the group opened at `start` fits flat between `column` and `width`, with what follows it up to
    /// the next place where a line may end.
    fn fits(&self, start: usize, width: usize, column: usize) -> bool {
        let Some(mut room) = width.checked_sub(column) else { return false };
        let (mut depth, mut is_first) = (0usize, true);
        for command in &self.commands[start..] {
            let text: &str = match command {
                Command::Open { .. } => {
                    depth += usize::from(depth > 0 || std::mem::take(&mut is_first));
                    continue;
                }
                // From here on `depth` is 0 and stays: whatever follows the group may break.
                Command::Close if depth <= 1 => {
                    depth = 0;
                    continue;
                }
                Command::Close => {
                    depth -= 1;
                    continue;
                }
                Command::Line(_) if depth == 0 => return true,
                Command::Line(Line::Soft) | Command::Remark(_) | Command::Indent | Command::Dedent => continue,
                Command::Line(Line::Hard | Line::Blank) => return true,
                Command::Line(Line::Space | Line::Fill) => " ",
                Command::Line(Line::Semi) => "; ",
                Command::Text(text) => text,
                Command::IfFlat(text) if depth > 0 => text,
                Command::IfFlat(_) | Command::IfBroken(_) => continue,
            };
            let first_line = text.split('\n').next().unwrap_or("");
            match room.checked_sub(first_line.chars().count()) {
                Some(rest) => room = rest,
                None => return false,
            }
        }
        true
    }
}

/// The text rendered so far.
struct Output {
    text: String,
    column: usize,
    indent: usize,
}

impl Output {
    /// The column at which the next text starts.
    fn at(&self) -> usize {
        if self.column == 0 { self.indent } else { self.column }
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() || (self.column == 0 && text == " ") {
            return;
        }
        if self.column == 0 {
            self.text.extend(std::iter::repeat_n(' ', self.indent));
            self.column = self.indent;
        }
        self.text.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    fn newline(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
        self.column = 0;
    }

    fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }
}
