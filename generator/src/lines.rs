//! Indented lines of source text.
//!
//! In: lines and blocks in order. Out: text in which every `{` that ends a line is closed by a `}` that starts one.

/// Text under construction.
#[derive(Default)]
pub(crate) struct Lines {
    text: String,
    indent: usize,
}

impl Lines {
    /// Adds a line, or several, at the present indentation.
    pub(crate) fn line(&mut self, text: &str) {
        for line in text.lines() {
            if !line.is_empty() {
                self.text.extend(std::iter::repeat_n("    ", self.indent));
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
    }

    /// Adds a line that opens a block.
    pub(crate) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    /// Closes a block and opens its successor: `} else {`.
    pub(crate) fn next(&mut self, text: &str) {
        self.indent -= 1;
        self.open(text);
    }

    /// Closes a block.
    pub(crate) fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// Takes the text written so far.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Sets the indentation and gives the one before.
    pub(crate) fn set_indent(&mut self, indent: usize) -> usize {
        std::mem::replace(&mut self.indent, indent)
    }

    /// Puts taken text back, to continue after it.
    pub(crate) fn put_back(&mut self, text: String) {
        self.text = text;
    }
}
