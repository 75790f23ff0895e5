//! Shared parts of the language tests: a plain-text renderer and the programs under test.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::fmt::Write;

use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::parse::parse;
use holloway_lang::session::{Input, NoFiles, Session, SessionKind};
use holloway_lang::source::{SourceMap, Span};

/// The diagnostics for `text`, each as `LINE:COL: message`, with the line, carets, labels, help and notes.
pub(crate) fn diagnose(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    let (_, diagnostics) = parse(&map, file);
    diagnostics.iter().map(|diagnostic| render(&map, diagnostic)).collect()
}

/// One diagnostic as text.
pub(crate) fn render(map: &SourceMap, diagnostic: &Diagnostic) -> String {
    let mut out = String::new();
    let (line, col) = map.line_col(diagnostic.span);
    writeln!(out, "{line}:{col}: {}", diagnostic.message()).unwrap();
    point(map, diagnostic.span, "", &mut out);
    for (span, text) in &diagnostic.labels {
        point(map, *span, text, &mut out);
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  help: {help}").unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(out, "  note: {note}").unwrap();
    }
    out
}

fn point(map: &SourceMap, span: Span, text: &str, out: &mut String) {
    const SHOWN: usize = 200;
    let (line, col) = map.line_col(span);
    let shown: String = map.line_text(span).chars().take(SHOWN).collect();
    let col = col.min(SHOWN as u32);
    let width = map.snippet(span).lines().next().map_or(1, |line| line.chars().count().max(1));
    writeln!(out, "{line:>4} | {shown}").unwrap();
    writeln!(out, "     | {}{} {text}", " ".repeat(col as usize - 1), "^".repeat(width)).unwrap();
    while out.ends_with(" \n") {
        out.truncate(out.len() - 2);
        out.push('\n');
    }
}

pub(crate) mod mutants;

/// Returns true if `HOLLOWAY_PROGRAMS` asks for a longer run.
pub(crate) fn is_asked_for_more() -> bool {
    std::env::var_os("HOLLOWAY_PROGRAMS").is_some()
}

/// A number of random changes: half as many as in a longer run.
pub(crate) fn half_of(longer: u64) -> u64 {
    if is_asked_for_more() { longer } else { longer / 2 }
}

/// The example programs and the benchmark programs, by name.
pub(crate) fn programs() -> Vec<(String, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"));
    let mut programs = Vec::new();
    for folder in ["tests/programs", "../bench-programs"] {
        let entries = std::fs::read_dir(format!("{root}/{folder}")).expect("a folder of programs");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        programs.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "hw")));
    }
    programs.sort();
    assert!(programs.len() > 10, "programs are missing");
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).expect("a program");
    programs.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// The pieces of code in the definition of the language.
pub(crate) const SNIPPETS: &[&str] = &[
    "struct Point { x: float, y: float }

/// Euclid's algorithm.
fn gcd(a: int, b: int) -> int {
    var x = a
    var y = b
    while y != 0 {
        let t = x % y
        x = y
        y = t
    }
    return x
}

const N = 1_000
var total = 0
for i in 1..=N { if gcd(i, 12) == 1 { total += i } }
print(\"total\", total)
",
    "fn main(args: [str]) { }\nfn f() -> int { return 1 }",
    "let a = [e; n]\nlet b = [1, 2, 3]\nlet c: [int] = []\nlet d = a[x..y]\na[i] = 1",
    "let t = s[a..b] + s[a..] + s[..b] + s[a..=b]",
    "let p = S(x: 1.0, y: 2.0)\np.x = 3.0",
    "if let n = e { } else { }\nwhile let n = e { }\nlet v = e!",
    "let f: fn(A, B) -> R = g\nlet h: fn(A) = g\nlet o: (fn(A) -> R)? = none\nlet q: fn(A) -> R? = g\nop.run(x)",
    "let n = -9223372036854775808\nlet h = 0xff + 0b101 + 1_000\nlet c = 'a'\nlet t = \"text\\n\\r\\t\\\\\\\"\\0\\x41\\u{1F600}\"",
    "let x = if c { 1 } else if d { 2 } else { 3 }\nloop { }\nfor i in a..b { }\nfor i in a..=b { }\nfor i in a..b step s { }\nfor x in xs { }",
    "outer: while true { break outer }\nouter: for i in 0..1 { continue outer }",
    "match e { 0 => a, 1 | 2 => b, -5..=9 => c, 'a'..'k' => d, LIMIT => e, _ => f }",
    "try { } catch e { }\nfail e",
    "let x = a || b && c == d | e ^ f & g << h + i * -j.k[0](l)!",
    "{ }\n{ let x = 1 }",
    "x = 1; y = 2;",
    "enum Token { Num(int), Op(str), End }\nenum Tree[T] {\n  Leaf\n  Node(Tree[T], T,)\n}\nimport \"g.hw\" as geo",
    "fn f[T](x: list[T], y: geo.Pair[T, (int, str)]?) -> (T, T) { }\nstruct Pair[A, B] { a: A, b: B }",
    "let (a, (b, _)): (int, (int, int)) = t\nvar (x, y) = (1, t.0 .1,)\n(a[0], b.c, (_, d)) = (b, a)\nfor (k, v) in d { }",
    "match t { none | End => 1, Num(1 | 2, _) if x > 1 => 2, (-1..5, (a, none),) => { }\n_ => { 3 } }",
    "if let Num(n) = t { } else if let (a, 1 | 2) = u { }\nwhile let Node(l, _) = t { }",
    "let f = fn(x: int, _) -> int { return x }\nlet g = fn() => fn(y,) -> str => y\nf(fn(x) { x })(1)\nf(1, fn() {\n})",
    "let d = dict(\"a\": 1, k: v, -1: none,)\nlet e = dict(a: 1)\nlet p = geo.Point(x: 1)",
    "let s = f\"a{{b}}\\n{ x + 1 :>5}{f(y:1)}{d[\"a:}\"]:}{f\"{z}\"}{fn(x: int) { x }}\" + f\"\"",
];

/// The messages of a program: each with its labels and its help.
pub(crate) fn found(text: &str) -> Vec<Diagnostic> {
    let mut session = Session::new(SessionKind::Program);
    session.diagnose(Input { name: "test.hw", key: None, bytes: text.as_bytes() }, &mut NoFiles)
}

/// Returns the first message as one text.
pub(crate) fn first(text: &str) -> String {
    let all = found(text);
    let first = all.first().unwrap_or_else(|| panic!("{text:?} gives no message"));
    let labels = first.labels.iter().map(|(_, label)| format!(" ({label})")).collect::<String>();
    format!("{}{labels} [{}]", first.message(), first.help.as_deref().unwrap_or_default())
}

/// Sees that the first message of each input has a text in it.
pub(crate) fn says(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(text, wanted)| !first(text).contains(wanted))
        .map(|(text, wanted)| format!("{text:?}\n  wanted {wanted:?}\n   found {:?}", first(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
