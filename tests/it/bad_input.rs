//! Invalid programs and exceeded limits: a message that names error and position, the right status, an end.
//!
//! In: the binary, given invalid input. Invariant, which [`command`] checks: nothing panics, dies of a signal or hangs.

use super::command::{holloway, run};
use std::fs;
use tempfile::TempDir;

/// The first stage that refuses a text.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Stage {
    Text,
    Syntax,
    Types,
}

/// Every command that reads a program, with the last stage that it needs.
const COMMANDS: &[(&[&str], Stage)] = &[
    (&["run"], Stage::Types),
    (&["check"], Stage::Types),
    (&["fmt"], Stage::Syntax),
    (&["fmt", "--check"], Stage::Syntax),
    (&["dump", "--stage", "ast"], Stage::Syntax),
    (&["dump", "--stage", "ir"], Stage::Types),
    (&["dump", "--stage", "asm"], Stage::Types),
    (&["profile", "--scheme", "edge"], Stage::Types),
];

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("the file is written");
    }
    folder
}

/// Every command that reaches the stage refuses the program with this message, briefly, and changes nothing.
fn refused(program: impl AsRef<[u8]>, stage: Stage, place: &str, message: &str) {
    let program = program.as_ref();
    let folder = folder(&[("a.hw", program)]);
    let expected = format!("a.hw:{place}: error: {message}");
    for (command, _) in COMMANDS.iter().filter(|(_, needed)| stage <= *needed) {
        let args = command.iter().chain(&["--message-format", "short", "a.hw"]);
        let done = run(holloway(folder.path(), args));
        assert_eq!((done.status, done.out.as_str()), (65, ""), "{command:?}: {}", done.complaint());
        assert!(done.complaint().starts_with(&expected), "{command:?} should say {expected}: {}", done.complaint());
        assert!(done.err.len() < 100_000, "{command:?} writes {} bytes", done.err.len());
    }
    // Tokens are printed up to here; only the end and its status matter.
    let done = run(holloway(folder.path(), ["dump", "--stage", "tokens", "a.hw"]));
    assert!([0, 65].contains(&done.status), "{}", done.complaint());
    // The diagnostic for people shows the position.
    let done = run(holloway(folder.path(), ["check", "a.hw"]));
    assert!(done.err.contains(&format!("a.hw:{place}\n")), "{}", done.complaint());
    assert_eq!(fs::read(folder.path().join("a.hw")).expect("it is still there"), program);
}

const TIERS: [&str; 3] = ["interp", "baseline", "optimized"];

#[test]
fn what_is_no_text() {
    refused(b"\x7fELF\x02\x01\xf3\0", Stage::Text, "1:7", "the file is not UTF-8: byte 0xF3 at offset 6");
    refused(b"print(1)\nprint(\"caf\xe9\")\n", Stage::Text, "2:11", "the file is not UTF-8: byte 0xE9 at offset 19");
    refused(b"\xff\xfep\0r\0", Stage::Text, "1:1", "the file is not UTF-8: byte 0xFF at offset 0");
    let noise: Vec<u8> = (0..100_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    refused(noise, Stage::Text, "1:2", "the file is not UTF-8: byte 0x9E at offset 1");
    refused("print(1)\0\n", Stage::Text, "1:9", "unexpected character `\\0`");
    refused("#".repeat(1 << 20), Stage::Text, "1:1", "unexpected characters `##########");
}

#[test]
fn what_is_never_closed() {
    for (text, place, message) in [
        ("print(\"abc", "1:7", "the string is not closed on its line"),
        ("print(\"abc\\", "1:7", "the string is not closed on its line"),
        ("print(\"abc\\\"", "1:7", "the string is not closed on its line"),
        ("print(\"\\x4", "1:7", "the string is not closed on its line"),
        ("print(\"\\u{1F6", "1:7", "the string is not closed on its line"),
        ("print('", "1:7", "the character literal is not closed"),
        ("print('a", "1:7", "the character literal is not closed"),
        ("print('\\", "1:7", "the character literal is not closed"),
        ("/* a /* b */", "1:1", "the comment is not closed"),
        ("print(1) /*", "1:10", "the comment is not closed"),
    ] {
        refused(text, Stage::Text, place, message);
    }
    for (text, place, message) in [
        ("print(", "1:6", "`(` is never closed"),
        ("let a = [1,", "1:9", "`[` is never closed"),
        ("let a = [1, (2", "1:9", "`[` is never closed"),
        ("fn f() {\n    print(1)\n", "1:8", "`{` is never closed"),
        ("match 1 {", "1:9", "`{` is never closed"),
        ("if true", "1:8", "expected `{`"),
        ("let a = 1 +", "1:12", "expected an expression, found the end of the file"),
        ("fn", "1:3", "expected a name, found the end of the file"),
        ("import", "1:7", "expected a string, found the end of the file"),
        ("print(1)) }", "1:9", "`)` closes nothing"),
    ] {
        refused(text, Stage::Syntax, place, message);
    }
}

#[test]
fn people_are_told_what_to_do() {
    let folder = folder(&[("a.hw", b"let s = \"abc\nprint('ab'); /* /* */")]);
    let done = run(holloway(folder.path(), ["a.hw"]));
    assert_eq!(done.status, 65);
    for help in ["close it with `\"`", "close it with `*/`; comments nest", "1 | let s = \"abc", "^"] {
        assert!(done.err.contains(help), "{help} is missing: {}", done.err);
    }
}

#[test]
fn what_is_nested_twenty_thousand_deep() {
    const DEEP: usize = 20_000;
    let open_and_closed =
        |open: &str, inner: &str, close: &str| [&open.repeat(DEEP), inner, &close.repeat(DEEP)].concat();
    for (text, place, levels) in [
        ("(".repeat(DEEP), "1:201", 200),
        ("[".repeat(DEEP), "1:201", 200),
        ("{".repeat(DEEP), "1:201", 200),
        (open_and_closed("(", "1", ")"), "1:201", 200),
        (open_and_closed("[", "1", "]"), "1:201", 200),
        (open_and_closed("{", "", "}"), "1:201", 200),
        (open_and_closed("if true {", "", "}"), "1:1809", 200),
        ("fn f() {".repeat(DEEP), "1:1605", 200),
        ("match 1 { 1 => ".repeat(DEEP), "1:3009", 200),
        (format!("let a: {}", open_and_closed("[", "int", "]")), "1:208", 200),
        (format!("let a: {}", open_and_closed("fn(", "", ")")), "1:610", 200),
        ("-".repeat(DEEP), "1:501", 500),
        (format!("print({}1)", "-".repeat(DEEP)), "1:507", 500),
        (format!("print({}true)", "!".repeat(DEEP)), "1:507", 500),
        (format!("print({}1)", "~".repeat(DEEP)), "1:507", 500),
        (format!("f{}", "()".repeat(DEEP)), "1:1001", 500),
        (format!("a{}", "[0]".repeat(DEEP)), "1:1501", 500),
        (format!("a{}", ".b".repeat(DEEP)), "1:1002", 500),
        (format!("a{}", "!".repeat(DEEP)), "1:502", 500),
        (format!("print(1{})", " + 1".repeat(DEEP)), "1:2009", 500),
        (format!("print(true{})", " && true".repeat(DEEP)), "1:4012", 500),
        (format!("let s: str{} = none", "?".repeat(DEEP)), "1:511", 500),
    ] {
        refused(text, Stage::Syntax, place, &format!("nested too deeply: more than {levels} levels"));
    }
}

#[test]
fn what_may_be_long() {
    let comment = [&"/*".repeat(100_000), "", &"*/".repeat(100_000)].concat();
    let chain = "let n = 1\n".to_owned() + &"if n == 0 { print(1) } else ".repeat(20_000) + "{ print(2) }\n";
    let long = format!("print(len(\"{}\"))", "é".repeat(5 << 20));
    for (text, shown) in [
        (String::new(), ""),
        ("\n".repeat(1 << 20), ""),
        (";".repeat(1 << 20), ""),
        ("\u{feff}print(1)".to_owned(), "1\n"),
        ("print(1)\r\nprint(2)\r\n".to_owned(), "1\n2\n"),
        (comment, ""),
        (chain, "2\n"),
        (long, "10485760\n"),
    ] {
        let folder = folder(&[("a.hw", text.as_bytes())]);
        for tier in TIERS {
            let done = run(holloway(folder.path(), ["--tier", tier, "a.hw"]));
            let start: String = text.chars().take(40).collect();
            assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, shown, ""), "{start} in {tier}");
        }
        assert_eq!(run(holloway(folder.path(), ["check", "a.hw"])).status, 0);
    }
}

#[test]
fn three_megabytes_on_one_line() {
    const LONG: usize = 3 << 20;
    refused("x".repeat(LONG), Stage::Types, "1:1", "unknown name `xxxxx");
    refused("é".repeat(LONG / 2), Stage::Types, "1:1", "unknown name `ééééé");
    refused(format!("print({}1)", "1+".repeat(LONG / 2)), Stage::Syntax, "1:1008", "nested too deeply");
    refused(format!("print({})", "1".repeat(LONG)), Stage::Text, "1:7", "the integer does not fit in 64 bits");
    refused(format!("print(\"{}", "a".repeat(LONG)), Stage::Text, "1:7", "the string is not closed on its line");
    refused(format!("/*{}", "a".repeat(LONG)), Stage::Text, "1:1", "the comment is not closed");
}

#[test]
fn a_function_beyond_the_compiler_fails_at_its_call() {
    let body = "print(1);".repeat(1_100_000);
    let folder = folder(&[("a.hw", format!("fn f() {{ {body} }}\nf()\n").as_bytes())]);
    let done = run(holloway(folder.path(), ["--tier", "baseline", "--message-format", "short", "a.hw"]));
    assert_eq!((done.status, done.out.as_str()), (1, ""));
    assert_eq!(done.complaint(), "a.hw:2:1: error: function too large to compile");
}

#[test]
fn what_cannot_be_read() {
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("sub.hw")).expect("a folder");
    for (file, reason) in [
        ("no.hw", "there is no such file"),
        ("sub.hw", "it is a folder"),
        ("no/such/folder.hw", "there is no such file"),
    ] {
        for (command, _) in COMMANDS {
            let done = run(holloway(folder.path(), command.iter().chain(&[file])));
            let said = format!("holloway: cannot read {file}: {reason}\n");
            assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (66, "", said.as_str()), "{command:?}");
        }
    }
    // The status is that of the worst file, and each error is reported.
    fs::write(folder.path().join("good.hw"), "print(1)\n").expect("the file is written");
    let done = run(holloway(folder.path(), ["check", "no.hw", "good.hw", "sub.hw"]));
    assert_eq!((done.status, done.err.lines().count()), (66, 2), "{}", done.err);
    let done = run(holloway(folder.path(), ["profile", "--scheme", "edge", "good.hw", "-o", "no/such/out"]));
    assert_eq!(done.status, 1);
    assert!(done.err.starts_with("holloway: cannot write no/such/out: "), "{}", done.err);
}

#[test]
fn imports_that_do_not_work() {
    let folder = folder(&[
        ("missing.hw", b"print(1)\nimport \"no.hw\"\n"),
        ("self.hw", b"import \"self.hw\"\n"),
        ("one.hw", b"import \"two.hw\"\n"),
        ("two.hw", b"import \"three.hw\"\n"),
        ("three.hw", b"import \"./one.hw\"\n"),
        ("bytes.hw", b"import \"latin1.hw\"\n"),
        ("latin1.hw", b"// caf\xe9\n"),
        ("open.hw", b"import \"unclosed.hw\"\n"),
        ("unclosed.hw", b"fn f() {\n"),
        ("empty.hw", b"import \"\"\n"),
        ("nul.hw", b"import \"a\\0b\"\n"),
        ("folder.hw", b"import \".\"\n"),
    ]);
    for (file, said) in [
        ("missing.hw", "missing.hw:2:8: error: cannot import `no.hw`: no such file"),
        ("self.hw", "self.hw:1:8: error: importing `self.hw` here closes a cycle"),
        ("one.hw", "three.hw:1:8: error: importing `./one.hw` here closes a cycle"),
        ("bytes.hw", "latin1.hw:1:7: error: the file is not UTF-8: byte 0xE9 at offset 6"),
        ("open.hw", "unclosed.hw:1:8: error: `{` is never closed"),
        ("empty.hw", "empty.hw:1:8: error: cannot import"),
        ("nul.hw", "nul.hw:1:8: error: cannot import"),
        ("folder.hw", "folder.hw:1:8: error: cannot import"),
    ] {
        for command in ["run", "check"] {
            let done = run(holloway(folder.path(), [command, "--message-format", "short", file]));
            assert_eq!((done.status, done.out.as_str()), (65, ""), "{file}: {}", done.err);
            assert!(done.complaint().starts_with(said), "{file} should say {said}: {}", done.err);
        }
    }
}

#[test]
fn a_long_chain_of_imports() {
    let files: Vec<(String, String)> =
        (0..2000).map(|at| (format!("f{at}.hw"), format!("import \"f{}.hw\"\nlet g{at} = {at}\n", at + 1))).collect();
    let mut all: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    all.push(("f2000.hw", b"print(\"innermost\")\n"));
    let folder = folder(&all);
    let done = run(holloway(folder.path(), ["f0.hw"]));
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "innermost\n", ""));
}
