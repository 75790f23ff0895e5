//! Completion of the word before the cursor.
//!
//! In: the text in the editor, the cursor, and a [`Scope`]. Out: words, in alphabetical order, or that a path is
//! wanted. Invariant: nothing is offered inside strings and comments, nor for a word without a letter, except after `.`
//! and `:`.

use cranelift_entity::EntityRef;
use holloway_lang::cursor::{Surroundings, named_arguments, surroundings, word_before};
use holloway_lang::session::Session;
use holloway_lang::source::FileId;
use holloway_lang::token::{TokenKind, lex};
use holloway_lang::words::KEYWORDS;

use super::after_dot::after_dot;
use super::command::{self, ANY_SCHEME, Argument};
use super::options::{Counter, code_behind, schemes};

/// The names that completion offers.
#[derive(Default)]
pub(super) struct Scope {
    /// Top-level names of the program.
    pub(super) names: Vec<String>,
    /// Those of functions.
    pub(super) functions: Vec<String>,
    /// Its definitions, each with its name.
    pub(super) heads: Vec<(String, String)>,
    /// A draft of the session, for types and members.
    pub(super) session: Option<Session>,
}

/// The candidates of a completion.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// One of these, in place of the text from `start` to the cursor.
    Words { start: usize, words: Vec<String> },
    /// A path.
    Path,
}

/// Completes the word before the cursor.
pub(super) fn complete(text: &str, at: usize, scope: &Scope) -> Completion {
    let before = &text[..at];
    if !command::is_command(text) {
        return in_code(text, before, 0, scope);
    }
    let Some(space) = before.find(char::is_whitespace) else {
        let commands = command::names().map(|name| format!(":{name}"));
        return words(0, before, commands);
    };
    let start = before.len() - before[space..].trim_start().len();
    let argument = &before[start..];
    match command::argument_of(&text[..space]) {
        Some(Argument::Code) => in_code(&text[start..], argument, start, scope),
        Some(Argument::Counted(counter)) => counted(text, before, start, counter, scope),
        Some(Argument::Wish) if argument.starts_with('-') => counted(text, before, start, ANY_SCHEME, scope),
        Some(Argument::File) => Completion::Path,
        Some(Argument::Definition) => words(start, argument, scope.names.iter().cloned()),
        Some(Argument::Function) => words(start, argument, scope.functions.iter().cloned()),
        Some(Argument::Wish) => {
            words(start, argument, ["on", "off"].map(str::to_owned).into_iter().chain(scope.functions.iter().cloned()))
        }
        Some(Argument::Name) => {
            let commands = command::names().map(|name| format!(":{name}"));
            let known = Session::builtins().iter().copied().chain(keywords()).map(str::to_owned);
            words(start, argument, commands.chain(known).chain(scope.names.iter().cloned()))
        }
        Some(Argument::None) | None => words(start, argument, std::iter::empty()),
    }
}

/// Completes in options that start at `start`, or in the code behind them.
fn counted(text: &str, before: &str, start: usize, counter: Counter, scope: &Scope) -> Completion {
    let words_before: Vec<&str> = before[start..].split_whitespace().collect();
    let is_new = before.ends_with(char::is_whitespace);
    let (word, earlier) = match words_before.split_last() {
        Some((last, earlier)) if !is_new => (*last, earlier),
        _ => ("", &words_before[..]),
    };
    let at = before.len() - word.len();
    let is_option = |word: &&str| word.starts_with("--") && !word.contains('=');
    match earlier.last() {
        Some(&"--scheme") => return words(at, word, schemes().map(str::to_owned)),
        Some(last) if is_option(last) => return words(at, word, std::iter::empty()),
        Some(_) | None => {}
    }
    let code = before.len() - code_behind(&before[start..]).len();
    if word.starts_with('-') && (code >= at || before[code..at].trim().is_empty()) {
        return words(at, word, counter.options().iter().map(|option| (*option).to_owned()));
    }
    in_code(&text[code..], &before[code..], code, scope)
}

/// Completes in code that starts at `offset` of the input.
fn in_code(code: &str, before: &str, offset: usize, scope: &Scope) -> Completion {
    // The file is of no consequence, as no span leaves this function.
    let lexed = lex(FileId::new(0), before);
    match surroundings(before, &lexed) {
        Surroundings::Code => {}
        Surroundings::ImportPath => return Completion::Path,
        Surroundings::Prose => return words(offset + before.len(), "", std::iter::empty()),
    }
    let tokens = &lexed.tokens;
    let (word, tokens) = word_before(before, tokens);
    let start = offset + before.len() - word.len();
    if tokens.last().is_some_and(|last| last.kind == TokenKind::Dot) {
        let session = scope.session.iter();
        let names = session.flat_map(|session| after_dot(session, &scope.heads, code, before, tokens));
        return words(start, word, names);
    }
    let session = scope.session.iter();
    let arguments: Vec<String> = session.flat_map(|session| named_arguments(before, tokens, session)).collect();
    // A struct takes no others.
    if word.is_empty() || !arguments.is_empty() {
        return words(start, word, arguments.into_iter());
    }
    let local = lex(FileId::new(0), code).tokens;
    let local = local.iter().filter(|token| token.kind == TokenKind::Name && token.end as usize != before.len());
    let local = local.map(|token| code[token.start as usize..token.end as usize].to_owned());
    let known = Session::builtins().iter().copied().chain(keywords()).map(str::to_owned);
    words(start, word, known.chain(scope.names.iter().cloned()).chain(local))
}

/// Words that are in no list of names.
fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(word, ..)| *word)
}

/// The candidates that `word` begins.
fn words(start: usize, word: &str, candidates: impl Iterator<Item = String>) -> Completion {
    let mut words: Vec<String> = candidates.filter(|candidate| candidate.starts_with(word)).collect();
    words.sort_unstable();
    words.dedup();
    Completion::Words { start, words }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway::{Config, Engine};

    fn scope() -> Scope {
        let mut engine = Engine::interactive(Config::default()).unwrap();
        let text = "struct P { xen: int\n yon: P? }\nstruct Q { of: P }\nlet point = P(xen: 1, yon: none)
            let queue = Q(of: point)\nfn gcd(a: int) { }\nfn gather() { }
            enum Side { Left, Right(int) }\nlet xs = list(point)\nfn norm(p: P) -> int { return 1 }";
        engine.load("a", text).unwrap();
        let names = engine.names().map(str::to_owned).collect();
        let functions = vec!["gather".to_owned(), "gcd".to_owned()];
        let heads = engine.definitions().into_iter().map(|found| (found.name, found.head)).collect();
        Scope { names, functions, heads, session: Some(engine.session().clone()) }
    }

    /// Returns the completions at the end of a text, or at `|`.
    fn offered(text: &str) -> String {
        let at = text.find('|').unwrap_or(text.len());
        match complete(&text.replace('|', ""), at, &scope()) {
            Completion::Words { start, words } => format!("{start}: {}", words.join(" ")),
            Completion::Path => "path".to_owned(),
        }
    }

    #[test]
    fn names_of_all_kinds() {
        assert_eq!(offered("ga"), "0: gather");
        assert_eq!(offered("1 + po"), "4: point pop popcount pow");
        assert_eq!(offered("an"), "0: any");
        assert_eq!(offered("whi"), "0: while");
        assert_eq!(offered("fn f(apple: int) { ap"), "19: append_file apple");
        assert_eq!(offered("ga| + 1"), "0: gather");
        assert_eq!(offered("x = "), "4: ");
    }

    #[test]
    fn fields_after_a_dot() {
        assert_eq!(offered("point.x"), "6: xen");
        assert_eq!(offered("queue.of.x"), "9: xen");
        assert_eq!(offered("queue.of.yon.y"), "13: yon");
        assert_eq!(offered("fn f(q: Q) { q.o"), "15: of");
        assert_eq!(offered("xs[0].y"), "6: yon");
        assert_eq!(offered("unknown.x"), "8: xen");
        assert_eq!(offered("[1, 2].x"), "7: ");
        assert_eq!(offered("0..po"), "3: point pop popcount pow");
    }

    #[test]
    fn functions_that_fit_follow_a_dot() {
        assert_eq!(offered("point.no"), "6: norm");
        assert_eq!(offered("\"a\".up"), "4: upper");
        assert_eq!(offered("[1, 2].sor"), "7: sort sort_by");
        assert_eq!(offered("dict(1: 2).val"), "11: values");
        assert_eq!(offered("xs.pus"), "3: push");
        assert_eq!(offered("[1].pus"), "4: ");
        assert_eq!(offered("fn f(ys: list[int]) { ys.pus"), "25: push");
        assert_eq!(offered("xs.map(fn(p) => p).las"), "19: last");
    }

    #[test]
    fn variants_follow_an_enum() {
        assert_eq!(offered("Side."), "5: Left Right");
        assert_eq!(offered("let s = Side.R"), "13: Right");
    }

    #[test]
    fn fields_name_the_arguments_of_a_struct() {
        assert_eq!(offered("P("), "2: xen:  yon: ");
        assert_eq!(offered("P(x"), "2: xen: ");
        assert_eq!(offered("P(xen: 1, "), "10: yon: ");
        assert_eq!(offered("P(xen: gcd(2), yo"), "15: yon: ");
        assert_eq!(offered("P(yon: P(xen: 1, yon: none), x"), "29: xen: ");
        assert_eq!(offered("P(yon: P(xen: 1, "), "17: yon: ");
        assert_eq!(offered("gcd("), "4: ");
    }

    #[test]
    fn nothing_in_strings_and_comments() {
        assert_eq!(offered("\"ga"), "3: ");
        assert_eq!(offered("1 // ga"), "7: ");
        assert_eq!(offered("1 /* ga"), "7: ");
        assert_eq!(offered("/* a */ ga"), "8: gather");
        assert_eq!(offered("import \"ga"), "path");
    }

    #[test]
    fn commands_and_their_arguments() {
        assert_eq!(offered(":t"), "0: :tiers :time :type");
        assert_eq!(offered(":load x"), "path");
        assert_eq!(offered(":save x"), "path");
        assert_eq!(offered(":edit po"), "6: point");
        assert_eq!(offered(":source ga"), "8: gather");
        assert_eq!(offered(":type ga"), "6: gather");
        assert_eq!(offered(":ir "), "4: gather gcd");
        assert_eq!(offered(":profile o"), "9: off on");
        assert_eq!(offered(":profile --s"), "9: --scheme");
        assert_eq!(offered(":profile --scheme b"), "18: bala bl");
        assert_eq!(offered(":profile --scheme bl ga"), "21: gather");
        assert_eq!(offered(":forest --"), "8: --k --top");
        assert_eq!(offered(":forest --k "), "12: ");
        assert_eq!(offered(":forest --k 3 --top=2 point.x"), "28: xen");
        assert_eq!(offered(":paths ga"), "7: gather");
        assert_eq!(offered(":decisions g"), "11: gather gcd");
        assert_eq!(offered(":help :l"), "6: :load");
        assert_eq!(offered(":quit x"), "6: ");
        assert_eq!(offered(":t ga"), "3: gather");
    }
}
