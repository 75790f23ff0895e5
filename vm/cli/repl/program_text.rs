//! The text of a program that does what inputs did.
//!
//! In: inputs, parsed anew. Out: their [`Piece`]s, and one text of them. The phases: take each definition that is valid
//! now, each import once and each statement; give names to the answers that later ones read; leave out what does not
//! compile, one piece after another. Invariant: a piece is whole, or a comment.

use std::path::{Path, PathBuf};

use cranelift_entity::EntityRef;
use hashbrown::HashSet;
use holloway_lang::ast::{Item, Name, Stmt, StmtKind, TopLevel};
use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::format::format;
use holloway_lang::parse::parse;
use holloway_lang::session::{Input, Session, SessionKind};
use holloway_lang::source::{FileId, SourceMap, Span};

use super::definition_text::with_comment;
use holloway::Engine;
use holloway::internals::Files;

/// An input that ran.
pub(super) struct Logged {
    pub(super) file: FileId,
    /// The folder that its imports are relative to.
    pub(super) folder: PathBuf,
    /// The offset of the statement in which it failed, if it did.
    pub(super) until: Option<u32>,
    /// True if its last expression was shown.
    pub(super) is_shown: bool,
}

/// The kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sort {
    Import,
    Definition,
    Statement,
}

/// A part of the program.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) sort: Sort,
    text: String,
    /// Its value is shown.
    is_shown: bool,
    /// The name of its value, if later pieces read it.
    name: Option<String>,
    /// The reason for which it is a comment.
    pub(super) refused: Option<String>,
}

impl Piece {
    fn new(sort: Sort, text: String) -> Self {
        Self { sort, text, is_shown: false, name: None, refused: None }
    }
}

/// The pieces of inputs, in their order. Their imports shall be relative to the folder `to`.
pub(super) fn pieces(engine: &Engine, log: &[Logged], to: &Path) -> Vec<Piece> {
    let mut names = AnswerNames::without(words(engine, log));
    let mut found: Vec<Piece> = Vec::new();
    let mut answer: Option<usize> = None;
    for logged in log {
        let (program, _) = parse(engine.sources(), logged.file);
        let reads = engine.session().answers_read_in(logged.file);
        let last = program.body.len().saturating_sub(1);
        for (at, part) in program.body.iter().enumerate() {
            let span = part.span();
            let Some(Taken { sort, mut changes, refused }) = taken(engine, logged, part, to) else { continue };
            let read = reads.iter().filter(|read| span.start <= read.start && read.end <= span.end);
            if let Some(answer) = answer {
                let mut name = |piece: &mut Piece| piece.name.get_or_insert_with(|| names.next()).clone();
                changes.extend(read.map(|read| (*read, name(&mut found[answer]))));
            }
            let is_shown = logged.is_shown && at == last && is_expression(part);
            let text = changed(engine.sources(), span, changes);
            found.push(Piece { is_shown, refused, ..Piece::new(sort, text) });
            if is_shown {
                answer = Some(found.len() - 1);
            }
        }
    }
    found
}

/// A part of an input that belongs in the program, with other texts for some spans in it.
struct Taken {
    sort: Sort,
    changes: Vec<(Span, String)>,
    refused: Option<String>,
}

fn taken(engine: &Engine, logged: &Logged, part: &TopLevel, to: &Path) -> Option<Taken> {
    let (sort, changes, refused) = match part {
        TopLevel::Item(Item::Import(import)) => {
            let path = format!("{:?}", moved(&import.path, &logged.folder, to));
            (Sort::Import, vec![(import.path_span, path)], None)
        }
        TopLevel::Item(item) => {
            name_of(item).filter(|name| is_present(engine, name))?;
            (Sort::Definition, Vec::new(), None)
        }
        TopLevel::Stmt(_) if logged.until.is_some_and(|until| part.span().end > until) => return None,
        TopLevel::Stmt(stmt) => {
            let (lost, kept) = replaced(engine, stmt);
            match lost.is_empty() || kept {
                true => (Sort::Statement, lost.into_iter().map(|span| (span, "_".to_owned())).collect(), None),
                false => (Sort::Statement, Vec::new(), Some("a later definition replaces it".to_owned())),
            }
        }
    };
    Some(Taken { sort, changes, refused })
}

fn is_expression(part: &TopLevel) -> bool {
    matches!(part, TopLevel::Stmt(stmt) if matches!(stmt.kind, StmtKind::Expr(_)))
}

/// The text of a part with its comment, and with other texts for some spans in it.
fn changed(sources: &SourceMap, span: Span, mut changes: Vec<(Span, String)>) -> String {
    let whole = &*sources.file(span.file).text;
    if changes.is_empty() {
        return with_comment(whole, span.start as usize..span.end as usize);
    }
    let mut text = whole.to_owned();
    let behind = text.len() - span.end as usize;
    changes.sort_by_key(|(span, _)| span.start);
    for (span, new) in changes.iter().rev() {
        text.replace_range(span.start as usize..span.end as usize, new);
    }
    with_comment(&text, span.start as usize..text.len() - behind)
}

/// Names for answers: `ans1`, `ans2` and so on, but for those that are words of the program.
struct AnswerNames {
    taken: HashSet<String>,
    last: usize,
}

impl AnswerNames {
    fn without(taken: HashSet<String>) -> Self {
        Self { taken, last: 0 }
    }

    fn next(&mut self) -> String {
        loop {
            self.last += 1;
            let name = format!("ans{}", self.last);
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}

/// Every word of the inputs, and every name that they brought in.
fn words(engine: &Engine, log: &[Logged]) -> HashSet<String> {
    let texts = log.iter().map(|logged| &engine.sources().file(logged.file).text);
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.chain(engine.names()).map(str::to_owned).collect()
}

fn name_of(item: &Item) -> Option<&Name> {
    match item {
        Item::Fn(item) => Some(&item.name),
        Item::Struct(item) => Some(&item.name),
        Item::Enum(item) => Some(&item.name),
        Item::Const(item) => Some(&item.name),
        Item::Import(_) => None,
    }
}

fn is_present(engine: &Engine, name: &Name) -> bool {
    engine.definition(name.as_str()).is_some_and(|found| found.span == name.span)
}

/// The names of the variables that a statement defines and that mean something else by now; and if others do not.
fn replaced(engine: &Engine, stmt: &Stmt) -> (Vec<Span>, bool) {
    let StmtKind::Let(item) = &stmt.kind else { return (Vec::new(), false) };
    let names = item.binder.names();
    let (kept, lost): (Vec<_>, Vec<_>) =
        names.into_iter().filter(|name| !name.is_wildcard()).partition(|name| is_present(engine, name));
    (lost.iter().map(|name| name.span).collect(), !kept.is_empty())
}

/// A path of an import, from another folder.
fn moved(path: &str, from: &Path, to: &Path) -> String {
    let meant = from.join(path);
    let whole = Files::key(&meant).map_or(meant, PathBuf::from);
    whole.strip_prefix(to).unwrap_or(&whole).to_string_lossy().into_owned()
}

/// The text of a program that will be the file `key`. What does not compile is marked in `pieces`.
pub(super) fn assemble(pieces: &mut Vec<Piece>, key: &str) -> String {
    let mut imports = HashSet::new();
    pieces.retain(|piece| piece.sort != Sort::Import || imports.insert(piece.text.clone()));
    pieces.sort_by_key(|piece| piece.sort);
    for _ in 0..=pieces.len() {
        let (text, starts) = joined(pieces);
        let Some(error) = first_error(&text, key) else { break };
        let Some(at) = culprit(pieces, &starts, &error, key) else { break };
        pieces[at].refused = Some(error.message);
    }
    let (text, _) = joined(pieces);
    let mut sources = SourceMap::new();
    let file = sources.add("session", &text);
    format(&sources, file).unwrap_or(text)
}

/// An error in a program.
struct Wrong {
    message: String,
    /// The offset at which it is; none if it is in a file that the program imports.
    at: Option<usize>,
}

fn first_error(text: &str, key: &str) -> Option<Wrong> {
    let mut session = Session::new(SessionKind::Program);
    let input = Input { name: "session", key: Some(key), bytes: text.as_bytes() };
    let found = session.diagnose(input, &mut Files);
    let error = found.iter().find(|found| found.is_error())?;
    // The input's own text is the first one.
    let is_own = error.span.file.index() == 0;
    let message = match is_own {
        true => message(error),
        false => format!("{}: {}", session.sources().file(error.span.file).name, message(error)),
    };
    Some(Wrong { message, at: is_own.then_some(error.span.start as usize) })
}

/// The piece that an error is about.
fn culprit(pieces: &[Piece], starts: &[usize], error: &Wrong, key: &str) -> Option<usize> {
    let is_left = |at: &usize| pieces[*at].refused.is_none();
    if let Some(offset) = error.at {
        return starts.iter().rposition(|start| *start <= offset).filter(is_left);
    }
    let imports = || (0..pieces.len()).filter(|at| pieces[*at].sort == Sort::Import).filter(is_left);
    // Two files that are right may be wrong together.
    imports().find(|at| first_error(&pieces[*at].text, key).is_some()).or_else(|| imports().next_back())
}

fn message(error: &Diagnostic) -> String {
    error.message().replace('\n', " ")
}

/// The text, and the offset of each piece in it.
fn joined(pieces: &[Piece]) -> (String, Vec<usize>) {
    let (mut text, mut starts, mut before) = (String::new(), Vec::new(), None);
    for piece in pieces {
        // Definitions of several lines stand apart.
        let apart = before.is_some_and(|sort| sort != piece.sort || sort == Sort::Definition);
        text.push_str(if apart { "\n" } else { "" });
        before = Some(piece.sort);
        starts.push(text.len());
        match &piece.refused {
            Some(reason) => {
                text.push_str(&format!("// left out: {reason}\n"));
                piece.text.lines().for_each(|line| text.push_str(&format!("// {line}\n")));
            }
            None => text.push_str(&match &piece.name {
                Some(name) => format!("let {name} = {}\nprint({name})\n", piece.text),
                None if piece.is_shown => format!("print({})\n", piece.text),
                None => format!("{}\n", piece.text),
            }),
        }
    }
    (text, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway::Config;

    /// The program of inputs that ran in one session.
    fn saved(inputs: &[&str]) -> (String, usize) {
        let mut engine = Engine::interactive(Config::default()).unwrap();
        let mut log = Vec::new();
        for text in inputs {
            let file = FileId::new(engine.sources().files().count());
            let shown = engine.add_keeping(Input { name: "a", key: None, bytes: text.as_bytes() }).unwrap();
            engine.run_statements().unwrap();
            log.push(Logged { file, folder: PathBuf::from("/"), until: None, is_shown: shown.is_some() });
        }
        let mut pieces = pieces(&engine, &log, Path::new("/"));
        let text = assemble(&mut pieces, "/session.hw");
        (text, pieces.iter().filter(|piece| piece.refused.is_some()).count())
    }

    #[test]
    fn answers_that_are_read_have_names() {
        let inputs = ["1 + 2", "let (_, b) = (1, ans)", "_ * b", "\"x\"", "let l = [_, ans].len()"];
        let (text, _) = saved(&inputs);
        let expected = "let ans1 = 1 + 2\nprint(ans1)\nlet (_, b) = (1, ans1)\nprint(ans1 * b)\nlet ans2 = \"x\"\nprint(ans2)\nlet l = [ans2, ans2].len()\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn only_what_reads_an_answer_is_changed() {
        let inputs = [
            "struct P { ans: int }",
            "7",
            "/// Adds.\nfn f(ans: int) -> int { return ans + _ }",
            "let p = P(ans: ans)",
            "let g = f\"{ans}: {p.ans:>3} ans\"",
            "match p.ans { 7 => ans, _ => 0 }",
            "let h = [1].map(fn(_) => _)",
        ];
        let (text, refused) = saved(&inputs);
        assert_eq!(refused, 0, "{text}");
        for part in [
            "/// Adds.\nfn f(ans: int) -> int { return ans + ans1 }",
            "let p = P(ans: ans1)",
            "let g = f\"{ans1}: {p.ans:>3} ans\"",
            "let ans2 = match p.ans { 7 => ans1, _ => 0 }",
            "let h = [1].map(fn(_) => ans2)",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn names_of_the_program_are_no_names_of_answers() {
        let (text, _) = saved(&["let ans1 = 1", "2", "let f = fn(ans2: int) => ans2 + ans"]);
        assert_eq!(text, "let ans1 = 1\nlet ans3 = 2\nprint(ans3)\nlet f = fn(ans2: int) => ans2 + ans3\n",);
    }

    #[test]
    fn variables_that_were_replaced_are_not_defined_twice() {
        let (text, refused) = saved(&["let (_, b) = (1, 2)", "let b = 3", "print(b)"]);
        assert!(text.ends_with("let b = 3\nprint(b)\n"), "{text}");
        assert_eq!(refused, 1, "{text}");
        let (text, refused) = saved(&["var (a, b) = (1, 2)", "let b = 3", "print(a, b)"]);
        assert_eq!((text.as_str(), refused), ("var (a, _) = (1, 2)\nlet b = 3\nprint(a, b)\n", 0));
    }

    #[test]
    fn what_does_not_compile_is_a_comment() {
        let statement = |text: &str| Piece::new(Sort::Statement, text.to_owned());
        let mut pieces = vec![statement("print(gone)"), statement("let x = 1"), statement("print(x)")];
        let text = assemble(&mut pieces, "/session.hw");
        assert_eq!(text, "// left out: unknown name `gone`\n// print(gone)\nlet x = 1\nprint(x)\n");
        assert_eq!(pieces.iter().filter(|piece| piece.refused.is_some()).count(), 1);
    }

    #[test]
    fn an_import_is_left_out_for_what_is_wrong_in_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().canonicalize().unwrap().join("session.hw");
        std::fs::write(folder.path().join("good.hw"), "let good = 1\n").unwrap();
        std::fs::write(folder.path().join("bad.hw"), format!("{}let bad: int = true\n", "\n".repeat(90))).unwrap();
        std::fs::write(&key, "").unwrap();
        let import = |name: &str| Piece::new(Sort::Import, format!("import \"{name}.hw\""));
        let mut pieces = vec![import("bad"), import("session"), import("good")];
        pieces.push(Piece::new(Sort::Statement, "print(good)".to_owned()));
        let text = assemble(&mut pieces, key.to_str().unwrap());
        let refused: Vec<bool> = pieces.iter().map(|piece| piece.refused.is_some()).collect();
        assert_eq!(refused, [true, true, false, false], "{text}");
        let reason = pieces[0].refused.as_deref().unwrap();
        assert!(reason.ends_with("bad.hw: expected `int`, found `bool`"), "{reason}");
    }
}
