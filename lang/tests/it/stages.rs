//! Output of `dump` for tokens and trees, the layout rule, and the REPL's test for incomplete input.

use super::common;
use holloway_lang::ast::{Item, TopLevel};
use holloway_lang::ast_print::{Spans, print};
use holloway_lang::parse::{is_incomplete, parse};
use holloway_lang::source::SourceMap;
use holloway_lang::token_print;

fn tokens(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    token_print::print(&map, file)
}

fn tree(text: &str, spans: Spans) -> String {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    let (program, errors) = parse(&map, file);
    assert!(errors.is_empty(), "{}", common::diagnose(text));
    print(&map, &program, spans)
}

#[test]
fn tokens_show_statement_ends() {
    let text = "#! skipped\nfor step in 0..9 step 2 { } // é\nx = a!\n\t&& b";
    insta::assert_snapshot!(tokens(text), @r#"
    2:1 keyword for
    2:5 name step
    2:10 keyword in
    2:13 int 0
    2:14 symbol ..
    2:16 int 9
    2:18 keyword step
    2:23 int 2
    2:25 symbol {
    2:27 symbol }
    2:28 newline
    2:29 comment // é
    3:1 name x
    3:3 symbol =
    3:5 name a
    3:6 symbol !
    4:2 symbol &&
    4:5 name b
    "#);
}

#[test]
fn the_tree_shows_its_spans() {
    let text = "/// Doc.\n/// More.\nfn f(a: [int?]) -> fn(int) -> str? {\n    return a[1..]\n}\n";
    insta::assert_snapshot!(tree(text, Spans::Shown), @r#"
    (fn @3:1-5:2
      f
      (doc "Doc.\nMore.")
      (params (param @3:6-15 a ([] @3:9-15 (? @3:10-14 int))))
      (result (fn @3:20-35 (params int) (result (? @3:31-35 str))))
      (block @3:36-5:2 (return @4:5-18 (slice @4:12-18 (name @4:12-13 a) (.. (int @4:14-15 1) _)))))
    "#);
}

#[test]
fn precedence() {
    let text = "a || b && c == d | e ^ f & g << h + i * -j!.k(l)[m]";
    insta::assert_snapshot!(tree(text, Spans::Hidden), @r#"
    (do
      (||
        (name a)
        (&&
          (name b)
          (==
            (name c)
            (|
              (name d)
              (^
                (name e)
                (&
                  (name f)
                  (<<
                    (name g)
                    (+
                      (name h)
                      (* (name i) (- (index (call (. (unwrap (name j)) k) (name l)) (name m)))))))))))))
    "#);
    let same = [
        ("a + b - c", "(a + b) - c"),
        ("a * b / c % d", "((a * b) / c) % d"),
        ("a << b >> c >>> d", "((a << b) >> c) >>> d"),
        ("!a == b", "(!a) == b"),
        ("-a[0]", "-(a[0])"),
        ("a == b && c != d || e", "((a == b) && (c != d)) || e"),
        ("a | b == c", "(a | b) == c"),
        ("~a & b", "(~a) & b"),
    ];
    for (plain, explicit) in same {
        let explicit = tree(explicit, Spans::Hidden).replace("(paren ", "").replace(')', "");
        assert_eq!(tree(plain, Spans::Hidden).replace(')', ""), explicit, "{plain}");
    }
}

/// Texts that mean the same by the layout rule.
#[test]
fn layout() {
    let same = [
        ("a\nb", "a; b"),
        ("a +\nb", "a + b"),
        ("a\n&& b\n|| c", "a && b || c"),
        ("a\n// remark\n.b", "a.b"),
        ("f(a\n+ b,\nc\n)", "f(a + b, c)"),
        ("f(if a {\nb\nc } else { d })", "f(if a { b; c } else { d })"),
        ("if a { }\nelse { }", "if a { } else { }"),
        ("try { }\n\ncatch e { }", "try { } catch e { }"),
        ("return\na", "return; a"),
        ("a!\n!b", "a!; !b"),
        ("a = !\nb", "a = !b"),
        ("let a: int? =\nnone\nb", "let a: int? = none; b"),
        ("a\n-b", "a; -b"),
        ("a\n(b)", "a; (b)"),
        ("a\n[b]", "a; [b]"),
        ("if a { } b", "if a { }; b"),
        ("match a { 1 => { } 2 => b }", "match a { 1 => { }, 2 => b }"),
        ("match a { 1 => c\n2 => b\n}", "match a { 1 => c, 2 => b, }"),
        ("struct S { a: int\nb: int }", "struct S { a: int, b: int, }"),
        ("a /* two\nlines */ b", "a; b"),
        (";;a;;b;", "a\nb"),
        ("{ a }\n{ b }", "{ a }; { b }"),
    ];
    for (one, other) in same {
        assert_eq!(tree(one, Spans::Hidden), tree(other, Spans::Hidden), "{one}");
    }
}

#[test]
fn doc_comments_belong_to_the_item_after_them() {
    let mut map = SourceMap::new();
    let file =
        map.add("test.hw", "/// not this\n\n// nor this\n/// one\n///\n///  two \nfn f() { }\n//// no\nconst A = 1");
    let (program, _) = parse(&map, file);
    let [TopLevel::Item(Item::Fn(function)), TopLevel::Item(Item::Const(constant))] = &program.body[..] else {
        panic!("a function and a constant")
    };
    assert_eq!(function.doc.as_deref(), Some("one\n\n two"));
    assert_eq!(constant.doc, None);
}

#[test]
fn incomplete_input_wants_more_lines() {
    for text in [
        "fn f() {",
        "f(1,",
        "[1, 2",
        "/* /* */",
        "a +",
        "let x =",
        "a ||",
        "if a { } else",
        "a.",
        "try { }",
        "fn f() ->",
        "/// Doc.",
        "{ ( }",
    ] {
        assert_eq!(is_incomplete(text), text != "{ ( }", "{text}");
    }
    for text in [
        "",
        "a",
        "f()",
        "f(]",
        ")",
        "a!",
        "return",
        "\"open",
        "f(\"open",
        "'",
        "{ }",
        "if a { }",
        "try { } catch e { }",
        "x;",
        "a // +",
    ] {
        assert!(!is_incomplete(text), "{text}");
    }
}
