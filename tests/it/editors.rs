//! The grammar for editors (`editors/holloway.tmLanguage.json`) beside the lexer.
//!
//! In: the example programs, and programs with what these lack. Out: a failed test that shows a token which the two take
//! for different things. Invariant: the rules of TextMate grammars that the grammar uses are carried out as an editor
//! does: line by line, the first match wins, and of matches at one place the first rule.

use holloway_lang::source::FileId;
use holloway_lang::token::{TokenKind, lex};
use holloway_lang::words::KEYWORDS;
use regex::{Captures, Regex};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(root().join(path)).expect("it is there")).expect("it is JSON")
}

/// A grammar with its expressions made ready.
struct Grammar {
    whole: Value,
    expressions: HashMap<String, Regex>,
}

/// A rule with a beginning whose end is still to come.
struct Open<'g> {
    rule: &'g Value,
    name: Option<&'g str>,
}

impl Grammar {
    fn read() -> Self {
        let whole = read("editors/holloway.tmLanguage.json");
        let mut expressions = HashMap::new();
        collect(&whole, &mut expressions);
        Self { whole, expressions }
    }

    /// The rules in a list, with those that it includes.
    fn rules<'g>(&'g self, list: &'g Value, found: &mut Vec<&'g Value>) {
        for rule in list.as_array().into_iter().flatten() {
            match rule["include"].as_str() {
                Some(name) => {
                    let of = &self.whole["repository"][name.trim_start_matches('#')];
                    assert!(of.is_object(), "{name} is included and not there");
                    match of.get("match").or(of.get("begin")) {
                        Some(_) => found.push(of),
                        None => self.rules(&of["patterns"], found),
                    }
                }
                None => found.push(rule),
            }
        }
    }

    /// The innermost scope of every byte of a text.
    fn scopes<'g>(&'g self, text: &str) -> Vec<&'g str> {
        let mut scopes = vec![""; text.len()];
        let mut open: Vec<Open<'g>> = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            self.line(line, start, &mut open, &mut scopes);
            start += line.len() + 1;
        }
        scopes
    }

    fn line<'g>(&'g self, line: &str, start: usize, open: &mut Vec<Open<'g>>, scopes: &mut [&'g str]) {
        let mut at = 0;
        // Where an expression matches next in this line, if it does: most are far away, or nowhere.
        let mut known: HashMap<&str, Option<usize>> = HashMap::new();
        // At the end of a line rules may still end, but nothing begins twice at one place.
        for _ in 0..=2 * line.len() + 8 {
            let mut rules = Vec::new();
            let around = open.last();
            self.rules(around.map_or(&self.whole["patterns"], |open| &open.rule["patterns"]), &mut rules);
            let end =
                around.and_then(|open| self.find(&open.rule["end"], line, at, &mut known).map(|found| (found, None)));
            let begun = rules.iter().filter_map(|rule| {
                let expression = if rule["match"].is_string() { &rule["match"] } else { &rule["begin"] };
                self.find(expression, line, at, &mut known).map(|found| (found, Some(*rule)))
            });
            let place = |found: &Captures<'_>| found.get(0).expect("the whole").start();
            // Of several at one place, the end of what is open comes first.
            let next = end.into_iter().chain(begun).min_by_key(|(found, _)| place(found));
            let inside = open.last().and_then(|open| open.name).unwrap_or("");
            let Some((found, rule)) = next else { return fill(scopes, start + at, start + line.len(), inside) };
            let whole = found.get(0).expect("the whole");
            fill(scopes, start + at, start + whole.start(), inside);
            let name = rule.map_or(Some(inside), |rule| rule["name"].as_str()).unwrap_or(inside);
            fill(scopes, start + whole.start(), start + whole.end(), name);
            let captures = rule.map(|rule| &rule["captures"]).and_then(Value::as_object);
            for (number, capture) in captures.into_iter().flatten() {
                let part = found.get(number.parse().expect("a number"));
                let name = capture["name"].as_str().expect("a name");
                part.into_iter().for_each(|part| fill(scopes, start + part.start(), start + part.end(), name));
            }
            match rule {
                None => _ = open.pop(),
                Some(rule) if rule["begin"].is_string() => open.push(Open { rule, name: rule["name"].as_str() }),
                Some(_) => {}
            }
            at = whole.end();
        }
        panic!("the grammar goes round in {line:?}");
    }

    fn find<'t, 'g>(
        &'g self,
        expression: &'g Value,
        line: &'t str,
        at: usize,
        known: &mut HashMap<&'g str, Option<usize>>,
    ) -> Option<Captures<'t>> {
        let text = expression.as_str().expect("an expression");
        let expression = &self.expressions[text];
        let from = match known.get(text) {
            Some(None) => return None,
            Some(Some(next)) => at.max(*next),
            None => at,
        };
        let found = expression.captures_at(line, from);
        known.insert(text, found.as_ref().map(|found| found.get(0).expect("the whole").start()));
        found
    }
}

fn fill<'g>(scopes: &mut [&'g str], start: usize, end: usize, scope: &'g str) {
    scopes[start..end].fill(scope);
}

/// Makes every expression of a grammar ready.
fn collect(rule: &Value, found: &mut HashMap<String, Regex>) {
    for key in ["match", "begin", "end"] {
        if let Some(text) = rule[key].as_str() {
            let made = Regex::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            found.insert(text.to_owned(), made);
        }
    }
    let inner = rule.as_object().into_iter().flat_map(|rule| rule.values());
    inner.chain(rule.as_array().into_iter().flatten()).for_each(|inner| collect(inner, found));
}

/// Fails where the grammar and the lexer differ about a text.
fn compare(grammar: &Grammar, name: &str, text: &str) {
    let scopes = grammar.scopes(text);
    let file = FileId::from_u32(0);
    let lexed = lex(file, text);
    let check = |start: u32, end: u32, expected: &str| {
        let (start, end) = (start as usize, end as usize);
        let of = text[start..end].bytes().zip(&scopes[start..end]).filter(|(byte, _)| *byte != b'\n');
        let wrong = of.map(|(_, scope)| scope).find(|scope| !scope.starts_with(expected));
        let line = text[..start].matches('\n').count() + 1;
        assert!(wrong.is_none(), "{name}:{line}: {:?} is {wrong:?} and not {expected}", &text[start..end]);
    };
    for comment in &lexed.comments {
        check(comment.start, comment.end, "comment.");
    }
    for token in &lexed.tokens {
        let (start, end) = (token.start, token.end);
        match token.kind {
            TokenKind::Int | TokenKind::Float => check(start, end, "constant.numeric."),
            TokenKind::Char => check(start, end, "string.quoted.single."),
            TokenKind::True | TokenKind::False | TokenKind::None => check(start, end, "constant.language."),
            kind if kind.is_keyword() => check(start, end, "keyword."),
            TokenKind::Str | TokenKind::FormatStr => {
                check(start, start + 1, "string.quoted.double.");
                check(end - 1, end, "string.quoted.double.");
            }
            _ => {
                let scope = scopes[start as usize];
                let is_other = scope.starts_with("comment")
                    || scope.starts_with("string")
                    || scope.starts_with("constant.language");
                let line = text[..start as usize].matches('\n').count() + 1;
                assert!(!is_other, "{name}:{line}: {:?} is {scope}", &text[start as usize..end as usize]);
            }
        }
    }
}

#[test]
fn the_grammar_and_the_lexer_agree() {
    let grammar = Grammar::read();
    let folders = ["bench-programs", "examples/scripts"];
    let mut programs: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let files = fs::read_dir(root().join(folder)).expect("the folder is there");
        programs.extend(files.map(|file| file.expect("it can be listed").path()));
    }
    programs.retain(|path| path.extension().is_some_and(|end| end == "hw"));
    programs.sort();
    assert!(programs.len() > 70, "{} programs", programs.len());
    for path in programs {
        compare(&grammar, &path.display().to_string(), &fs::read_to_string(&path).expect("it is text"));
    }
    let rare = "#!/usr/bin/env holloway\n/* a /* b */ \"c */ let x = f\"{d[\"k\"]:>4} {{ {f\"{y}\"} \" + 'a' + '\\'' // \"\nlet z = 0xff + 0b1_0 + 1.5e-3 + t.0";
    compare(&grammar, "rare", rare);
}

#[test]
fn keywords_are_those_of_the_lexer() {
    let grammar = Grammar::read();
    let mut words: Vec<&str> = Vec::new();
    let mut rules = Vec::new();
    grammar.rules(&grammar.whole["repository"]["keywords"]["patterns"], &mut rules);
    for rule in rules {
        let text = rule["match"].as_str().expect("they are matches");
        let inner = text.strip_prefix("\\b(").and_then(|rest| rest.split(')').next()).expect("a list of words");
        words.extend(inner.split('|'));
    }
    // What is a keyword in front of a name alone is in the rules of definitions, and `byte` is a type.
    words.extend(["as", "byte", "enum"]);
    words.sort_unstable();
    let expected: Vec<&str> = KEYWORDS.iter().map(|(word, ..)| *word).collect();
    assert_eq!(words, expected);
    for word in expected {
        let kind = lex(FileId::from_u32(0), word).tokens[0].kind;
        assert!(kind.is_keyword() || ["as", "byte", "enum", "step"].contains(&word), "{word}");
    }
}

#[test]
fn the_extension_is_whole() {
    let package = read("editors/vscode/package.json");
    let main = package["main"].as_str().expect("a file");
    let text = fs::read_to_string(root().join("editors/vscode").join(main)).expect("it is there");
    assert!(text.contains("\"lsp\""), "the extension starts the server");
    let language = &package["contributes"]["languages"][0];
    assert_eq!(language["extensions"][0], ".hw");
    let configuration = language["configuration"].as_str().expect("a file").trim_start_matches("./");
    assert_eq!(read(&format!("editors/vscode/{configuration}"))["comments"]["lineComment"], "//");
    let grammar = &package["contributes"]["grammars"][0];
    assert_eq!(grammar["scopeName"], read("editors/holloway.tmLanguage.json")["scopeName"]);
    assert_eq!(grammar["language"], language["id"]);
}
