//! Reduction of a program that shows a fault to one that a person can read.
//!
//! In: source text and a predicate that says if a text still shows the fault. Out: a shorter text that does.
//! Invariants: every text tried has balanced braces wherever the given one had; the result satisfies the predicate (or
//! is the given text); the number of tries is bounded.
//!
//! Phases, repeated until none gains: 1. remove regions, which are lines or `{`...`}` blocks of lines, large ones
//! first; 2. replace a block by its contents; 3. simplify within lines: arguments in parentheses, literals, operands.
//! The predicate is expected to refuse texts that no longer compile.

/// Greatest number of texts that are tried.
const TRIES: usize = 20_000;

/// Returns a reduced form of `source` for which `still_fails` holds.
pub fn minimize(source: &str, still_fails: impl Fn(&str) -> bool) -> String {
    let mut reducer =
        Reducer { lines: source.lines().map(str::to_owned).collect(), still_fails: &still_fails, tries: TRIES };
    loop {
        let before = reducer.size();
        reducer.remove_regions();
        reducer.unwrap_blocks();
        reducer.simplify_lines();
        if reducer.size() >= before || reducer.tries == 0 {
            return reducer.text();
        }
    }
}

struct Reducer<'a> {
    lines: Vec<String>,
    still_fails: &'a dyn Fn(&str) -> bool,
    tries: usize,
}

impl Reducer<'_> {
    fn text(&self) -> String {
        join(&self.lines)
    }

    fn size(&self) -> usize {
        self.lines.iter().map(|line| line.len() + 1).sum()
    }

    /// Accepts `lines` if the fault is still there.
    fn attempt(&mut self, lines: Vec<String>) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let passes = (self.still_fails)(&join(&lines));
        if passes {
            self.lines = lines;
        }
        passes
    }

    /// Removes runs of regions: at first half of all at once, then fewer, as delta debugging does.
    fn remove_regions(&mut self) {
        let mut run = (self.lines.len() / 2).max(1);
        loop {
            let mut start = 0;
            while start < self.lines.len() {
                match self.run_end(start, run) {
                    Some(end) if self.attempt(self.without(start, end)) => {}
                    _ => start += 1,
                }
            }
            if run == 1 {
                return;
            }
            run /= 2;
        }
    }

    fn without(&self, start: usize, end: usize) -> Vec<String> {
        [&self.lines[..start], &self.lines[end..]].concat()
    }

    /// The end of the shortest balanced run of at least `count` lines from `start`.
    fn run_end(&self, start: usize, count: usize) -> Option<usize> {
        let mut depth = 0;
        for (at, line) in self.lines.iter().enumerate().skip(start) {
            let (lowest, change) = balance(line);
            if depth + lowest < 0 {
                return None;
            }
            depth += change;
            if depth == 0 && at + 1 >= start + count {
                return Some(at + 1);
            }
        }
        None
    }

    /// Replaces `head {` ... `}` by its contents, and `head {` ... `} else {` ... `}` by either half.
    fn unwrap_blocks(&mut self) {
        let mut start = 0;
        while start < self.lines.len() {
            let seams = self.seams(start);
            let unwrapped = seams.windows(2).any(|pair| {
                let (first, last) = (seams[0], seams[seams.len() - 1]);
                let inner: Vec<_> = self.lines[pair[0] + 1..pair[1]].iter().map(|line| outdent(line)).collect();
                self.attempt([&self.lines[..first], &inner, &self.lines[last + 1..]].concat())
            });
            if !unwrapped {
                start += 1;
            }
        }
    }

    /// The lines at which the block that `start` opens begins, changes to a next part, and ends.
    fn seams(&self, start: usize) -> Vec<usize> {
        let mut seams = Vec::new();
        let mut depth = 0;
        for (at, line) in self.lines.iter().enumerate().skip(start) {
            let (lowest, change) = balance(line);
            if at == start && change != 1 {
                return Vec::new();
            }
            if at == start || depth + lowest <= 0 {
                seams.push(at);
            }
            depth += change;
            if depth <= 0 {
                return seams;
            }
        }
        Vec::new()
    }

    /// Tries shorter forms of every line.
    fn simplify_lines(&mut self) {
        for at in 0..self.lines.len() {
            loop {
                let line = self.lines[at].clone();
                let shorter = shorter_forms(&line).into_iter().any(|form| {
                    let mut lines = self.lines.clone();
                    lines[at] = form;
                    self.attempt(lines)
                });
                if !shorter {
                    break;
                }
            }
        }
    }
}

fn outdent(line: &str) -> String {
    line.strip_prefix("    ").unwrap_or(line).to_owned()
}

fn join(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// The lowest depth of braces in the line, and the depth at its end, from 0 at its start. Strings, characters and
/// line comments do not count.
fn balance(line: &str) -> (i32, i32) {
    let (mut depth, mut lowest) = (0, 0);
    for (_, byte) in code_bytes(line) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        lowest = lowest.min(depth);
    }
    (lowest, depth)
}

/// The bytes of a line outside of strings, characters and comments, with their offsets.
fn code_bytes(line: &str) -> Vec<(usize, u8)> {
    let bytes = line.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            byte => out.push((at, byte)),
        }
        at += 1;
    }
    out
}

/// Forms of `line` that are strictly shorter, the most promising first.
fn shorter_forms(line: &str) -> Vec<String> {
    let code = code_bytes(line);
    let mut forms = Vec::new();
    for &(open, byte) in &code {
        if matches!(byte, b'(' | b'[') {
            forms.extend(bracket_forms(line, &code, open));
        }
    }
    let indent = line.len() - line.trim_start().len();
    if let Some(at) = line.find(" = ").map(|at| at + 3) {
        for value in ["0", "\"\"", "none", "true", "0.0"] {
            forms.push(format!("{}{value}", &line[..at]));
        }
    }
    for (at, op) in operators(line, &code) {
        forms.push(line[..at].to_owned());
        forms.push(format!("{}{}", &line[..indent], &line[at + op..]));
    }
    forms.retain(|form| form.len() < line.len());
    forms
}

/// Reduced forms of one bracket: removed with its contents, only its contents, or without one of its elements.
fn bracket_forms(line: &str, code: &[(usize, u8)], open: usize) -> Vec<String> {
    let mut depth = 0;
    let mut commas = vec![open];
    for &(at, byte) in code.iter().filter(|&&(at, _)| at >= open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 1 => commas.push(at),
            _ => {}
        }
        if depth == 0 {
            commas.push(at);
            break;
        }
    }
    let close = commas[commas.len() - 1];
    if commas.len() < 2 || depth != 0 {
        return Vec::new();
    }
    let (before, inside, after) = (&line[..open], &line[open + 1..close], &line[close + 1..]);
    let mut forms = Vec::new();
    let name = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    for value in [inside, "0", "true", "\"\"", "0.0"] {
        forms.push(format!("{name}{value}{after}"));
    }
    forms.extend([format!("{before}(0){after}"), format!("{before}{after}")]);
    for pair in commas.windows(2) {
        let (from, to) = if pair[1] == close { (pair[0], close) } else { (pair[0] + 1, pair[1] + 1) };
        if from > open || to < close {
            forms.push(format!("{}{}", &line[..from.max(open + 1)], line[to..].trim_start()));
        }
    }
    forms
}

/// Offsets and lengths of binary operators with spaces around them.
fn operators(line: &str, code: &[(usize, u8)]) -> Vec<(usize, usize)> {
    const OPERATORS: &[&str] = &[" + ", " - ", " * ", " / ", " % ", " & ", " | ", " ^ ", " && ", " || ", " == ", " < "];
    code.iter()
        .filter(|&&(_, byte)| byte == b' ')
        .filter_map(|&(at, _)| OPERATORS.iter().find(|op| line[at..].starts_with(**op)).map(|op| (at, op.len())))
        .collect()
}
