//! Trees of enums, generics, tuples, patterns, closures, dicts and formatted strings.

use super::common;
use holloway_lang::ast_print::{Spans, print};
use holloway_lang::parse::{is_incomplete, parse};
use holloway_lang::source::SourceMap;
use holloway_lang::token_print;

fn tree(text: &str, spans: Spans) -> String {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    let (program, errors) = parse(&map, file);
    assert!(errors.is_empty(), "{text}\n{}", common::diagnose(text));
    print(&map, &program, spans)
}

#[test]
fn items() {
    let text = "enum Token { Num(int), Op(str), End }\nenum Tree[T] {\n    Leaf\n    Node(Tree[T], T)\n}\n\
        /// A pair.\nstruct Pair[A, B] { a: A, b: list[(B, geo.Point?)] }\nimport \"g.hw\" as geo\n\
        fn f[T, U,](x: dict[T, geo.Pair[U]]) -> (fn(T) -> (T, U))? { }";
    insta::assert_snapshot!(tree(text, Spans::Shown), @r#"
    (enum @1:1-38 Token (variant @1:14-22 Num int) (variant @1:24-31 Op str) (variant @1:33-36 End))
    (enum @2:1-5:2
      Tree
      (types T)
      (variant @3:5-9 Leaf)
      (variant @4:5-21 Node (apply @4:10-17 Tree T) T))
    (struct @7:1-53
      Pair
      (doc "A pair.")
      (types A B)
      (field @7:21-25 a A)
      (field @7:27-51
        b
        (apply @7:30-51 list (tuple @7:35-50 B (? @7:39-49 (apply @7:39-48 (in geo) Point))))))
    (import @8:1-14 "g.hw" (as geo))
    (fn @9:1-63
      f
      (types T U)
      (params (param @9:13-36 x (apply @9:16-36 dict T (apply @9:24-35 (in geo) Pair U))))
      (result (? @9:41-59 (paren @9:41-58 (fn @9:42-57 (params T) (result (tuple @9:51-57 T U))))))
      (block @9:60-63))
    "#);
}

#[test]
fn tuples_and_patterns() {
    let text = "let (a, (b, _)): (int, (int, int)) = (1, t.0.1)\n(a, b[0], (c.d, _)) = (b, a,)\n\
        for (k, v) in d { }\nif let Num(n) = t { } else if let (a, 1 | 2) = u { }\nwhile let Node(l, _) = t { }\n\
        match t { none | End => 1, Num(1 | 2, _) if x > 1 => 2, (-1..5, (a, none)) => { }\nx => 4 }";
    insta::assert_snapshot!(tree(text, Spans::Shown), @r#"
    (let @1:1-48
      (tuple @1:5-16 a (tuple @1:9-15 b _))
      (tuple @1:18-35 int (tuple @1:24-34 int int))
      (tuple @1:38-48 (int @1:39-40 1) (. @1:42-47 (. @1:42-45 (name @1:42-43 t) 0) 1)))
    (= @2:1-30
      (tuple @2:1-20
        (name @2:2-3 a)
        (index @2:5-9 (name @2:5-6 b) (int @2:7-8 0))
        (tuple @2:11-19 (. @2:12-15 (name @2:12-13 c) d) (name @2:17-18 _)))
      (tuple @2:23-30 (name @2:24-25 b) (name @2:27-28 a)))
    (for @3:1-20 (tuple @3:5-11 k v) (name @3:15-16 d) (block @3:17-20))
    (do @4:1-53
      (if @4:1-53
        (branch @4:1-22 (let (variant @4:8-14 Num n) (name @4:17-18 t)) (block @4:19-22))
        (branch @4:28-53 (let (tuple @4:35-45 a (| @4:39-44 1 2)) (name @4:48-49 u)) (block @4:50-53))))
    (while @5:1-29 (let (variant @5:11-21 Node l _) (name @5:24-25 t)) (block @5:26-29))
    (do @6:1-7:9
      (match @6:1-7:9
        (name @6:7-8 t)
        (arm @6:11-26 none End (bare (do @6:25-26 (int @6:25-26 1))))
        (arm @6:28-55
          (variant @6:28-41 Num (| @6:32-37 1 2) _)
          (if (> @6:45-50 (name @6:45-46 x) (int @6:49-50 1)))
          (bare (do @6:54-55 (int @6:54-55 2))))
        (arm @6:57-82 (tuple @6:57-75 (.. @6:58-63 -1 5) (tuple @6:65-74 a none)) (block @6:79-82))
        (arm @7:1-7 x (bare (do @7:6-7 (int @7:6-7 4))))))
    "#);
}

#[test]
fn closures_and_dicts() {
    let text = "let f = fn(x: int, _) -> int { return x }\nlet g = fn() => fn(y) -> str => y\n\
        xs.map(fn(p) => p.0 * 2, 1)\nlet d = dict(\"a\": 1, k: v, -1: none)\nlet e = dict(a: 1)\n\
        let p = geo.Point(x: 1)";
    insta::assert_snapshot!(tree(text, Spans::Shown), @r#"
    (let @1:1-42
      f
      (closure @1:9-42
        (params (param @1:12-18 x int) (param @1:20-21 _))
        (result int)
        (block @1:30-42 (return @1:32-40 (name @1:39-40 x)))))
    (let @2:1-34
      g
      (closure @2:9-34
        (params)
        (closure @2:17-34 (params (param @2:20-21 y)) (result str) (name @2:33-34 y))))
    (do @3:1-28
      (call @3:1-28
        (. @3:1-7 (name @3:1-3 xs) map)
        (closure @3:8-24
          (params (param @3:11-12 p))
          (* @3:17-24 (. @3:17-20 (name @3:17-18 p) 0) (int @3:23-24 2)))
        (int @3:26-27 1)))
    (let @4:1-37
      d
      (pairs @4:9-37
        dict
        (pair (str @4:14-17 "a") (int @4:19-20 1))
        (pair (name @4:22-23 k) (name @4:25-26 v))
        (pair (- @4:28-30 (int @4:29-30 1)) (none @4:32-36))))
    (let @5:1-19 e (construct @5:9-19 dict (field @5:14-18 a (int @5:17-18 1))))
    (let @6:1-24 p (construct @6:9-24 (in geo) Point (field @6:19-23 x (int @6:22-23 1))))
    "#);
}

#[test]
fn formatted_strings() {
    let text = "let s = f\"a{{b}}\\n{x + 1:>5}{f(y: 1)}{d[\"a:}\"]:}{f\"{z}\"}{fn(x: int) { x }}\" + f\"\"";
    insta::assert_snapshot!(tree(text, Spans::Shown), @r#"
    (let @1:1-82
      s
      (+ @1:9-82
        (format @1:9-76
          "a{b}\n"
          (value (+ @1:20-25 (name @1:20-21 x) (int @1:24-25 1)) (spec @1:26-28 ">5"))
          (construct @1:30-37 f (field @1:32-36 y (int @1:35-36 1)))
          (value (index @1:39-47 (name @1:39-40 d) (str @1:41-46 "a:}")) (spec @1:48-48 ""))
          (format @1:50-56 (name @1:53-54 z))
          (closure @1:58-74
            (params (param @1:61-67 x int))
            (block @1:69-74 (do @1:71-72 (name @1:71-72 x)))))
        (format @1:79-82)))
    "#);
}

#[test]
fn tokens_of_formatted_strings() {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", "f\"é{a.0.1:>5}\" // end\nenum E { }\nimport \"a\" as b");
    insta::assert_snapshot!(token_print::print(&map, file), @r#"
    1:1 format f\"
    1:3 format é
    1:4 symbol {
    1:5 name a
    1:6 symbol .
    1:7 int 0
    1:8 symbol .
    1:9 int 1
    1:10 format :>5
    1:13 symbol }
    1:14 format \"
    1:15 newline
    1:16 comment // end
    2:1 keyword enum
    2:6 name E
    2:8 symbol {
    2:10 symbol }
    2:11 newline
    3:1 keyword import
    3:8 string \"a\"
    3:12 keyword as
    3:15 name b
    "#);
}

/// Texts with one tree, but for parentheses.
#[test]
fn precedence() {
    let same = [
        ("fn(x) => x + 1 == y || z", "fn(x) => (x + 1 == y || z)"),
        ("f(fn(x) => x, 1)", "f((fn(x) => x), 1)"),
        ("fn(x) => fn(y) => x", "fn(x) => (fn(y) => x)"),
        ("-t.0.1!", "-((t.0.1)!)"),
        ("t.0.x.1(a)", "((((t.0).x).1)(a))"),
        ("fn(x) { x }(1)", "(fn(x) { x })(1)"),
        ("t . 0 . 1", "(t.0).1"),
        ("f\"{a + b}\" + c", "(f\"{a + b}\") + c"),
    ];
    for (plain, explicit) in same {
        let explicit = tree(explicit, Spans::Hidden).replace("(paren ", "").replace(')', "");
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(tree(plain, Spans::Hidden).replace(')', "")), words(explicit), "{plain}");
    }
}

/// Texts that mean the same by the layout rule.
#[test]
fn layout() {
    let same = [
        ("enum E {\nA\nB(int)\n}", "enum E { A, B(int), }"),
        ("{ a }\nenum E { A } enum F { B }", "{ a }; enum E { A }; enum F { B }"),
        ("a\nf\"x\"", "a; f\"x\""),
        ("if a { } f\"x\"", "if a { }; f\"x\""),
        ("t\n.0", "t.0"),
        ("t.0\n(a, b) = c", "t.0; (a, b) = c"),
        ("f(fn(x) {\na\nb\n})", "f(fn(x) { a; b })"),
        ("let f = fn(x) =>\nx", "let f = fn(x) => x"),
        ("match a { V(x,\ny) => 1\n(p,\nq) => 2 }", "match a { V(x, y) => 1, (p, q) => 2 }"),
        ("import \"a\" as\nb", "import \"a\" as b"),
        ("for i in t.0..t.1 step t.0 { }", "for i in (t.0)..(t.1) step (t.0) { }"),
    ];
    for (one, other) in same {
        let other = tree(other, Spans::Hidden).replace("(paren (. (name t) 0))", "(. (name t) 0)");
        assert_eq!(tree(one, Spans::Hidden), other.replace("(paren (. (name t) 1))", "(. (name t) 1)"), "{one}");
    }
}

/// `enum`, `as` and `f` stay names where nothing else can stand.
#[test]
fn words_are_names_elsewhere() {
    for text in [
        "let enum = 1\nenum\nx = enum",
        "enum\nas",
        "let as = enum + as",
        "import \"a\"\nas = 2",
        "for enum in as { }",
        "struct enum { as: int, enum: as }",
        "enum enum { as, enum(enum) }",
        "import \"as\" as as",
        "f(enum, as, f)",
        "enum: loop { break enum }",
        "match enum { enum => as, as => enum }",
        "fn as(f: int) { }",
        "a.enum.as = x.f",
        "let f = 1",
    ] {
        tree(text, Spans::Hidden);
    }
}

#[test]
fn incomplete_input_wants_more_lines() {
    for text in ["enum E {", "f(fn(x) {", "let f = fn(x) =>", "let (a,", "t.", "f(f\"{a}\",", "match a { V(x) if"] {
        assert!(is_incomplete(text), "{text}");
    }
    for text in ["f\"{a}\"", "f\"{a", "f\"", "enum E { A }", "t.0", "fn(x) => x", "import \"a\" as b"] {
        assert!(!is_incomplete(text), "{text}");
    }
}
