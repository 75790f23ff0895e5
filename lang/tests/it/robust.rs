//! No text makes the language crate panic, recurse without bound or run away.

use super::common;
use super::common::{half_of, is_asked_for_more, mutants, mutants::Random, programs};
use holloway_lang::ast_print::{Spans, print};
use holloway_lang::diagnostic::{Diagnostic, MAX_DIAGNOSTICS};
use holloway_lang::format::format;
use holloway_lang::parse::{is_incomplete, parse};
use holloway_lang::session::{Input, NoFiles, Session, SessionKind};
use holloway_lang::source::SourceMap;
use holloway_lang::token_print;
use proptest::prelude::{any, proptest};

/// Runs every stage on a text. Returns the diagnostics.
fn exercise(text: &str) -> Vec<Diagnostic> {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    let (program, diagnostics) = parse(&map, file);
    assert!(diagnostics.len() <= MAX_DIAGNOSTICS);
    for diagnostic in &diagnostics {
        common::render(&map, diagnostic);
    }
    is_incomplete(text);
    match format(&map, file) {
        Ok(formatted) => {
            let again = map.add("again.hw", formatted);
            let tree_again = print(&map, &parse(&map, again).0, Spans::Hidden);
            assert!(print(&map, &program, Spans::Hidden) == tree_again, "formatting changed the tree of\n{text}");
        }
        Err(errors) => assert_eq!(errors, diagnostics),
    }
    diagnostics
}

/// Does the same as [`exercise`] for small texts, and prints the stages.
fn exercise_small(text: &str) {
    exercise(text);
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    token_print::print(&map, file);
    print(&map, &parse(&map, file).0, Spans::Shown);
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        exercise_small(&text);
    }

    #[test]
    fn any_bytes(bytes in any::<Vec<u8>>()) {
        let mut map = SourceMap::new();
        match map.add_bytes("test.hw", &bytes) {
            Ok(file) => _ = parse(&map, file),
            Err(error) => _ = common::render(&map, &error),
        }
    }
}

#[test]
fn any_tokens() {
    let words: Vec<&str> =
        "fn struct const import let var if else while loop for in match try catch break continue return fail true \
        false none enum as f\"\" f\"a{a}\" f\"{a b:>3}\" f\"{a .0 .1 ( ) [ ] { } ( ) { } , ; : . .. ..= -> => ? || && == \
        != < <= > >= | ^ & << >> >>> + - * / % ! ~ = += >>>= a b step _ 1 2.5 'c' \"s\" \n // /*c*/ ///d\n \n \n"
            .split(' ')
            .collect();
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let text: Vec<&str> = (0..random.below(40)).map(|_| words[random.below(words.len())]).collect();
        exercise_small(&text.join(" "));
    }
}

/// Formatted strings of pieces that open and close each other.
#[test]
fn any_formatted_string() {
    let pieces: Vec<&str> = "{ } { } f\" \" ' \\ : a ( ) [ ] {{ }} é /* \n".split(' ').chain([" "]).collect();
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let text: String = (0..random.below(24)).map(|_| pieces[random.below(pieces.len())]).collect();
        exercise_small(&format!("let x = f\"{text}\" + {{ f\"{{{text}}}\" }}"));
    }
}

#[test]
fn damaged_programs() {
    for (_, text) in programs() {
        for seed in 0..half_of(40) {
            exercise_small(&mutants::with_damage(&text, seed));
        }
    }
}

/// Matches of thousands of arms need no deeper stack, and those whose tests grow out of bounds are refused.
#[test]
fn large_matches() {
    let arms = |arm: fn(usize) -> String, last: &str, count: usize| {
        let arms: String = (0..count).map(arm).collect();
        format!("fn f(n: int, s: str, t: (int, str)) -> int {{ return match {last} }} }}").replace("ARMS", &arms)
    };
    let good = [
        arms(|at| format!("\"k{at}\" => {at}\n"), "s { ARMS x if x == \"q\" => 1\n _ => 2", 5000),
        arms(|at| format!("{}..{} => {at}\n", at * 10, at * 10 + 5), "n { ARMS x if x < 0 => 1\n _ => 2", 5000),
        arms(|at| format!("({at}, \"a{}\") => {at}\n", at % 7), "t { ARMS _ => 2", 5000),
        arms(|at| format!("x if x == {at} => {at}\n"), "n { ARMS _ => 2", 300),
    ];
    for text in &good {
        assert_eq!(messages(text), Vec::<String>::new());
    }
    let bad = arms(|at| format!("x if x == {at} => {at}\n"), "n { ARMS _ => 2", 5000);
    assert_eq!(messages(&bad), ["this match needs too many tests"]);
}

/// Arguments and targets are checked once, however deep they stand: a check that doubled with each level would not end here.
#[test]
fn nested_arguments_and_targets() {
    let zips = "zip(a, ".repeat(30) + "a" + &")".repeat(30);
    let target =
        (0..30).fold("a".to_string(), |base, at| format!("id(fn() -> [int] {{\n {base}[{at}] = 1\n return a }})()"));
    let programs = [
        format!("let a = list(1)\nlet b = {zips}\nprint(len(b))\n"),
        format!("fn id(f: fn() -> [int]) -> fn() -> [int] {{ return f }}\nlet a = [1]\n{target}[0] = 1\n"),
    ];
    for program in &programs {
        assert_eq!(messages(program), Vec::<String>::new());
    }
}

fn messages(text: &str) -> Vec<String> {
    let mut session = Session::new(SessionKind::Program);
    let added = session.add(Input { name: "test.hw", key: None, bytes: text.as_bytes() }, &mut NoFiles);
    added.err().into_iter().flatten().map(|diagnostic| diagnostic.message()).collect()
}

/// Programs that mix up their words pass the checker or cause errors, and what passes is lowered to sound IR.
/// `HOLLOWAY_MUTANTS=1000` tries so many of each program.
#[test]
fn programs_with_other_words() {
    let count = std::env::var("HOLLOWAY_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    for text in language_programs() {
        for seed in 0..count {
            let mutant = mutants::with_other_words(&text, seed);
            let mut session = Session::new(SessionKind::Program);
            let input = Input { name: "test.hw", key: None, bytes: mutant.as_bytes() };
            let added =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| session.add(input, &mut NoFiles).is_ok()));
            assert!(added.is_ok(), "seed {seed} of\n{text}\nthe mutant\n{mutant}");
        }
    }
}

/// The programs that define the language, one by one.
fn language_programs() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/programs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).unwrap());
    texts.flat_map(|text| text.split("//---").map(|case| format!("//{case}")).collect::<Vec<_>>()).collect()
}

#[test]
fn truncated_programs() {
    let step = if is_asked_for_more() { 41 } else { 83 };
    for (_, text) in programs() {
        for (end, _) in text.char_indices().step_by(step) {
            exercise_small(&text[..end]);
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    const N: usize = 100_000;
    let deep = [
        "(".repeat(N),
        "[".repeat(N),
        "{".repeat(N),
        "-".repeat(N) + "1",
        format!("let x = {}1", "1+".repeat(N)),
        format!("let x = {}1{}", "(".repeat(N), ")".repeat(N)),
        format!("let x = {}1{}", "[".repeat(N), "]".repeat(N)),
        format!("{}{}", "{".repeat(N), "}".repeat(N)),
        format!("{}{}", "if a { ".repeat(N), "}".repeat(N)),
        format!("{}{}", "if a { } else { ".repeat(N), "}".repeat(N)),
        format!("let x: {}int{} = 1", "[".repeat(N), "]".repeat(N)),
        format!("let x: {}int = 1", "fn() -> ".repeat(N)),
        format!("let x: int{} = 1", "?".repeat(N)),
        format!("f{}", "()".repeat(N)),
        format!("f{}", "[0]".repeat(N)),
        format!("f{}", ".a".repeat(N)),
        format!("f{}", "!".repeat(N)),
        format!("x = {} {{ }} {{ }}", "if".to_owned() + &" if".repeat(N)),
        format!("x = {}a{}", "match ".repeat(N), " { }".repeat(N)),
        format!("f({}x", "a < b && (".repeat(N)),
        format!("let x = {}1", "fn() => ".repeat(N)),
        format!("let x = {}1{}", "fn() { ".repeat(N), "}".repeat(N)),
        format!("let x = {}1{}", "(1, ".repeat(N), ")".repeat(N)),
        format!("let {}a{} = 1", "(a, ".repeat(N), ")".repeat(N)),
        format!("let x: {}int{} = 1", "list[".repeat(N), "]".repeat(N)),
        format!("match x {{ {}a{} => 1 }}", "V(".repeat(N), ")".repeat(N)),
        format!("let x = t{}", ".0".repeat(N)),
        format!("let x = {}1{}", "f\"{".repeat(N), "}\"".repeat(N)),
        format!("let x = f\"{{{}1{}}}\"", "(".repeat(N), ")".repeat(N)),
        format!("let x = f\"{{{}1}}\"", "-".repeat(N)),
    ];
    for text in &deep {
        let messages: Vec<_> = exercise(text).iter().map(Diagnostic::message).collect();
        assert!(messages.len() == 1 && messages[0].starts_with("nested too deeply"), "{messages:?} for {:.40}", text);
    }
}

#[test]
fn what_is_within_the_limits_is_handled() {
    let good = [
        format!("let x = {}1{}", "(".repeat(200), ")".repeat(200)),
        format!("let x = {}1", "1+".repeat(500)),
        format!("let x = {}1", "-".repeat(500)),
        format!("{}{}", "if a { ".repeat(200), "}".repeat(200)),
        format!("{}{}", "if a > b && c[0] != f(d) { ".repeat(200), "}".repeat(200)),
        format!("{}{}", "while a > b && c { ".repeat(200), "}".repeat(200)),
        format!("{}{}", "for i in a + b..c * d { ".repeat(200), "} ".repeat(200)),
        format!("fn f(x: int) {{ {}{} }}", "if x > 0 { } else if x < 0 { ".repeat(199), "} else { }".repeat(199)),
        format!("if a {{ }}{}", " else if a + b * c == d { }".repeat(20_000)),
        format!("let x = [{}]", "1, ".repeat(50_000)),
        format!("match x {{ {} }}", "1 => a + b, ".repeat(20_000)),
        format!("let x = {}1", "fn() => ".repeat(240)),
        format!("let x = {}1{}", "fn() { ".repeat(190), "}".repeat(190)),
        format!("let x = {}1{}", "f\"{".repeat(16), "}\"".repeat(16)),
        format!("let x = f\"{}\"", "{a + b:>8}, ".repeat(20_000)),
        format!("let x = dict({})", "\"a\": (1, 2), ".repeat(20_000)),
        format!("match x {{ {} }}", "V(a, (1 | 2, _)) if a > b => fn(x) => x + a, ".repeat(10_000)),
    ];
    for text in &good {
        let messages: Vec<_> = exercise(text).iter().map(Diagnostic::message).collect();
        assert!(messages.is_empty(), "{messages:?} for {:.40}", text);
    }
}

/// Programs of the greatest depth pass all stages on the small stack of a test's thread.
#[test]
fn later_stages_follow_what_is_within_the_limits() {
    let deep = [
        format!("let x = {}1{}", "(".repeat(200), ")".repeat(200)),
        format!("let x = {}1", "1+".repeat(500)),
        format!("let x = {}1", "-".repeat(500)),
        format!("let x = {}true", "!".repeat(500)),
        format!("let x = \"a\"{}", "[0..]".repeat(160)),
        format!("{}{}", "if true { ".repeat(200), "}".repeat(200)),
        format!("{}{}", "while true { ".repeat(200), "}".repeat(200)),
        format!("var x = 1\n{}{}", "if x > 0 && x < 9 { ".repeat(200), "}".repeat(200)),
        format!("let x = {}1{}", "if 1 + 2 + 3 < 4 { ".repeat(160), " } else { 2 } + 3 + 4".repeat(160)),
        format!("{}{}", "{".repeat(200), "}".repeat(200)),
        format!("let x = {}1{}", "if true { ".repeat(160), " } else { 2 }".repeat(160)),
        format!("let x = {}1{}", "match 1 { _ => ".repeat(160), " }".repeat(160)),
        format!("let x: {}int{} = []", "[".repeat(200), "]".repeat(200)),
        format!("let x = {}1{}", "[".repeat(200), "]".repeat(200)),
        format!("if true {{ }}{}", " else if false { }".repeat(5_000)),
        format!("let x = {}true", "true && ".repeat(500)),
        format!("let x = {}1", "fn() => ".repeat(240)),
        format!("let x = {}1{}", "fn() { return ".repeat(190), "}".repeat(190)),
        format!("let x = {}1{}", "f\"{".repeat(16), "}\"".repeat(16)),
        format!("let x = {}1{}", "(1, ".repeat(199), ", 2)".repeat(199)),
        format!("let x: {}int{} = 1", "list[".repeat(199), "]".repeat(199)),
        format!("match 1 {{ {}a{} => 1 }}", "V(".repeat(198), ")".repeat(198)),
        format!("let {}a{} = 1", "(a, ".repeat(199), ")".repeat(199)),
    ];
    for text in &deep {
        let mut session = Session::new(SessionKind::Program);
        // Some have type errors; none may overflow the stack.
        let input = Input { name: "test.hw", key: None, bytes: text.as_bytes() };
        let _ = session.add(input, &mut NoFiles);
    }
}

#[test]
fn long_lines_and_large_programs() {
    const MEGABYTE: usize = 1 << 20;
    let statements = "x = y + 1;".repeat(MEGABYTE / 10);
    assert!(exercise(&statements).is_empty());
    let programs = programs();
    let (_, program) = programs.iter().find(|(name, _)| name.ends_with("control.hw")).expect("the program");
    let lines = program.lines().count();
    let copies = program.repeat(50_000 / lines);
    assert!(exercise(&copies).is_empty());
}

/// One long line for each kind of error; thirteen megabytes in all.
#[test]
fn long_lines_of_errors() {
    let pieces = [
        "a b ",
        "@ ",
        "'\\",
        "\"",
        "'",
        "/*",
        "*/",
        ")",
        "}",
        "fn ",
        "1.",
        "0x",
        "=> ",
        "else ",
        ", ",
        "; ) ",
        "\u{201c}",
        "if { } ",
        ":",
        "\\",
        "a.",
        "x := ",
        "struct S { ",
        "f\"",
        "f\"{",
        "f\"{a:",
        "f\"{ } ",
        "f\"{a b}\" ",
        "enum E { ",
        "fn(x) => ",
        "t.0x ",
        "(a, ",
    ];
    for piece in pieces {
        let text = piece.repeat(200_000 / piece.len());
        assert!(!exercise(&text).is_empty(), "{piece} is no error");
        exercise(&format!("{}{text}{}", "{".repeat(150), "}".repeat(150)));
        exercise(&format!("{}{text}{}", "(".repeat(150), ")".repeat(150)));
    }
}

#[test]
fn unterminated_things() {
    for text in [
        "\"", "'", "/*", "\"\\", "'\\", "\"\\x", "\"\\u{", "'\\u{1", "\"\\x4", "#!", "#!/bin", "\u{feff}", "///", "//",
        "0x", "1e", "f\"", "f\"{", "f\"{a", "f\"{a:", "f\"{\"", "f\"{'", "f\"\\", "f\"{f\"", "t.0.", "enum E",
    ] {
        exercise_small(text);
        exercise_small(&format!("let x = {text}"));
        exercise_small(&format!("fn f() {{ g({text}) }}\n"));
    }
}
