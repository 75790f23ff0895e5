//! The terminals that the parser's tables would take, as phrases.
//!
//! In: the terminals of `grammar.lalrpop`, in quotes, as LALRPOP lists them. Out: the kind of thing that could stand there,
//! and a list that a person can read.

/// The terminals that could stand at the place of an error.
pub(super) struct Expected<'e> {
    terminals: Vec<&'e str>,
}

impl<'e> Expected<'e> {
    pub(super) fn new(listed: &'e [String]) -> Self {
        Self { terminals: listed.iter().map(|terminal| terminal.trim_matches('"')).collect() }
    }

    pub(super) fn has(&self, terminal: &str) -> bool {
        self.terminals.contains(&terminal)
    }

    pub(super) fn statement(&self) -> bool {
        self.has("while")
    }

    pub(super) fn expression(&self) -> bool {
        self.has("float") && self.has("(")
    }

    pub(super) fn pattern(&self) -> bool {
        self.has("char") && !self.has("float")
    }

    pub(super) fn ty(&self) -> bool {
        self.has("fn") && self.has("name") && self.has("[") && !self.expression()
    }

    /// Returns true if the expression before the place is complete, so that an operator could follow.
    pub(super) fn after_expression(&self) -> bool {
        self.has("*")
    }

    pub(super) fn end_of_statement(&self) -> bool {
        self.has("newline") && self.has(";")
    }

    /// The list as phrases, most telling first.
    pub(super) fn phrases(&self) -> Vec<String> {
        let mut phrases = Vec::new();
        let mut covered: Vec<&str> = Vec::new();
        if self.statement() {
            phrases.push(if self.has("import") && !self.has("}") { "an item or a statement" } else { "a statement" });
            covered.extend(["newline", ";"]);
        } else if self.expression() {
            phrases.push("an expression");
        } else if self.ty() {
            phrases.push("a type");
        } else if self.pattern() {
            phrases.push("a pattern");
        } else if self.has("name") {
            phrases.push("a name");
            // After a dot, and where names are bound: parts and tuples are rarely what is missing.
            covered.push("int");
            if !self.after_expression() {
                covered.push("(");
            }
        } else if self.has("string") {
            phrases.push("a string");
        }
        if self.statement() || self.expression() || self.ty() || self.pattern() {
            covered.extend(PREFIXES);
        }
        if self.after_expression() {
            covered.extend(CONTINUATIONS);
        } else if self.has("?") && !self.ty() {
            covered.extend(["?", "[", "."]);
        } else if self.has("[") && (self.has("(") || self.has("{")) {
            // Parameters that stand for types are rarely what is missing.
            covered.push("[");
        } else if self.has("=>") {
            covered.extend(["if", "("]);
        }
        let end = self.end_of_statement() && !covered.contains(&";");
        covered.extend(["name", "string", "newline", "f-spec"]);
        if end {
            phrases.push("the end of the statement");
            covered.push(";");
        }
        let mut phrases: Vec<String> = phrases.into_iter().map(str::to_owned).collect();
        let rest = self.terminals.iter().filter(|terminal| !covered.contains(*terminal));
        phrases.extend(rest.map(|terminal| format!("`{}`", written(terminal))));
        if phrases.is_empty() && self.after_expression() {
            phrases.push("an operator".to_owned());
        }
        phrases
    }
}

/// A terminal as it is written in a program.
fn written(terminal: &str) -> &str {
    match terminal {
        "f-close" => "}",
        other => other,
    }
}

/// The tokens that an expression, statement, type or pattern can start with.
const PREFIXES: [&str; 35] = [
    "name", "int", "float", "string", "f-start", "char", "true", "false", "none", "(", "[", "{", "-", "!", "~", "if",
    "match", "fn", "struct", "enum", "const", "import", "let", "var", "while", "loop", "for", "try", "break",
    "continue", "return", "fail", "step", "in", "newline",
];

/// The tokens that can follow a complete expression and continue it, or assign to it.
const CONTINUATIONS: [&str; 39] = [
    "||", "&&", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "<<", ">>", ">>>", "+", "-", "*", "/", "%", "(", "[",
    ".", "!", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", ":", "else", "step", "?",
];
