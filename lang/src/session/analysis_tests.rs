//! Tests of analyses: what names mean in programs that are right, and in others.

use super::super::{Input, Loader, NoFiles, Resolved, Session};
use super::Analysis;
use crate::index::SymbolKind;

fn analyse(text: &str) -> Analysis {
    Session::analyse(Input { name: "a", key: None, bytes: text.as_bytes() }, &mut NoFiles, None)
}

/// The head of what the name at `|` means, and the number of its uses.
fn meaning(text: &str) -> String {
    let at = text.find('|').expect("a place is marked");
    let found = analyse(&text.replacen('|', "", 1));
    let Some((_, symbol)) = found.index.at(found.root.unwrap(), at as u32) else { return "nothing".to_owned() };
    format!("{}, {}", symbol.head, found.index.uses_of(symbol.span).count())
}

#[test]
fn locals_mean_their_innermost_declaration() {
    assert_eq!(
        meaning("fn f(a: int) -> int {\n let b = a\n { let b = 2.5; print(|b) }\n return b }"),
        "let b: float, 1"
    );
    assert_eq!(meaning("fn f(a: int) -> int {\n let b = a\n { let b = 2.5; print(b) }\n return |b }"), "let b: int, 1");
    assert_eq!(meaning("fn f(|a: int) -> int { return a + a }"), "a: int, 2");
    assert_eq!(meaning("for i in 0..3 { print(|i) }"), "for i: int, 1");
    assert_eq!(meaning("try { fail \"x\" } catch e { print(|e) }"), "catch e: str, 1");
    assert_eq!(meaning("let f = fn(x: int) => |x + 1"), "x: int, 1");
    assert_eq!(meaning("var n = 0\nlet f = fn() => |n"), "var n: int, 1");
    assert_eq!(meaning("fn f() { const K = 2; print(K, |K) }"), "const K, 2");
}

#[test]
fn definitions_have_their_heads() {
    assert_eq!(meaning("/// Doc.\nfn g(a: int) -> int { return a }\nprint(|g(1), g(2))"), "fn g(a: int) -> int, 2");
    assert_eq!(meaning("const N = 2 * 3\nprint(|N)"), "const N: int = 6, 1");
    assert_eq!(meaning("let t = 1.5\nfn f() { print(|t) }"), "let t: float, 1");
    assert_eq!(meaning("struct P { x: int }\nfn f(p: |P) -> int { return p.x }"), "struct P { x: int }, 1");
    assert_eq!(meaning("fn id[T](x: |T) -> T { return x }\nprint(id(1))"), "type T, 2");
    assert_eq!(meaning("fn f() { f() }\nprint(l|en(\"a\"))"), "nothing");
}

#[test]
fn fields_and_variants_are_found_by_types() {
    let point = "struct P { x: int, y: float }\nstruct Q { x: str }\nlet p = P(x: 1, y: 2.0)\nlet q = Q(x: \"\")\n";
    assert_eq!(meaning(&format!("{point}print(p.|x, q.x)")), "P.x: int, 2");
    assert_eq!(meaning(&format!("{point}print(q.|x)")), "Q.x: str, 2");
    assert_eq!(meaning(&format!("{point}p.|x = 3")), "P.x: int, 2");
    let shape = "enum S { Dot, Ring(float) }\nlet s = S.Ring(1.0)\n";
    assert_eq!(meaning(&format!("{shape}match s {{ Dot => print(1), |Ring(r) => print(r) }}")), "S.Ring(float), 2");
    assert_eq!(meaning(&format!("{shape}match s {{ |Dot => print(1), _ => print(2) }}")), "S.Dot, 1");
    assert_eq!(meaning(&format!("{shape}if let Ring(r) = s {{ print(|r) }}")), "let r: float, 1");
    assert_eq!(meaning("struct B[T] { v: T }\nlet b = B(v: 1)\nprint(b.|v)"), "B.v: T, 2");
    assert_eq!(meaning("struct B { run: fn(int) }\nfn f(b: B) { b.|run(1) }"), "B.run: fn(int), 1");
    assert_eq!(meaning("fn run(x: int) { x.|run() }"), "fn run(x: int), 1");
}

#[test]
fn names_that_no_type_decides_stay_open() {
    let found = analyse("struct P { x: int }\nfn f[T](t: T) { print(t.x) }\nlet p = P(x: 1)");
    let texts: Vec<&str> = found.index.open().iter().map(|span| found.sources().snippet(*span)).collect();
    assert_eq!(texts, ["x"]);
}

#[test]
fn broken_programs_keep_what_was_understood() {
    assert_eq!(meaning("fn f(a: int) -> int {\n let 1 = 2\n let b = a + 1\n return |b\n}"), "let b: int, 1");
    assert_eq!(meaning("fn f(a: int) {\n if a > 1 {\n  print(|a)\n  1 = 2\n }\n"), "a: int, 2");
    for text in ["fn f() { {\n 1 = 2\n", "let f = fn() { (1 + \n 2 = 3; (a, 1) = 4\n", "x = (\n1 = 2\n1 = 2 = 3"] {
        assert!(!analyse(text).diagnostics.is_empty(), "{text}");
    }
    let found = analyse("let x = \nlet y: str = 1");
    assert_eq!(found.diagnostics.len(), 1, "{:?}", found.diagnostics);
    let found = analyse("let y: str = 1\nprint(z)");
    assert_eq!(found.diagnostics.len(), 2, "{:?}", found.diagnostics);
}

#[test]
fn a_place_has_its_scope_and_receiver() {
    let scope = |text: &str| {
        let at = text.find('|').expect("a place is marked");
        let text = text.replacen('|', "", 1);
        let input = Input { name: "a", key: None, bytes: text.as_bytes() };
        let scope = Session::analyse(input, &mut NoFiles, Some(at as u32)).scope;
        let locals: Vec<String> = scope.locals.into_iter().map(|symbol| symbol.head).collect();
        let receiver = scope.receiver.map(|receiver| {
            let fields: Vec<&str> = receiver.fields.iter().map(|(name, _)| name.as_str()).collect();
            format!("{}: {}", receiver.ty, fields.join(" "))
        });
        (locals.join(", "), receiver.unwrap_or_default())
    };
    let own = |text: &str| (text.to_owned(), String::new());
    assert_eq!(scope("fn f(a: int) { let b = 1; |x\n let c = 2 }"), own("a: int, let b: int"));
    assert_eq!(scope("fn f(a: int) { for i in 0..a { let a = \"\"; print(|x) } }"), own("for i: int, let a: str"));
    let fields = "struct P { x: int, y: int }\n";
    let text = format!("{fields}fn f(ps: list[P]) {{ for p in ps {{ p.|q }} }}");
    assert_eq!(scope(&text).1, "P: x y");
    assert_eq!(scope(&format!("{fields}let p = list(P(x: 1, y: 2))\nlet n = p[0].|q()")).1, "P: x y");
    assert_eq!(scope("\"a\".|q").1, "str: ");
}

struct OneFile;

impl Loader for OneFile {
    fn resolve(&mut self, _: Option<&str>, path: &str) -> Result<Resolved, String> {
        Ok(Resolved { key: path.to_owned(), name: path.to_owned() })
    }

    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Ok(b"/// The area.\nfn area(a: int) -> int { return a }\nstruct Size { w: int }".to_vec())
    }
}

#[test]
fn imported_names_lead_to_their_file() {
    let text = "import \"g.hw\" as geo\nlet s = geo.Size(w: geo.area(2))\nprint(s.w)";
    let found = Session::analyse(Input { name: "a", key: None, bytes: text.as_bytes() }, &mut OneFile, None);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    let at = |part: &str| {
        let (_, symbol) = found.index.at(found.root.unwrap(), text.find(part).unwrap() as u32).expect("it is known");
        (symbol.head.clone(), found.sources().file(symbol.span.file).name.clone(), symbol.doc.clone())
    };
    let doc = Some("The area.".to_owned());
    assert_eq!(at("area"), ("fn area(a: int) -> int".to_owned(), "g.hw".to_owned(), doc));
    assert_eq!(at("Size"), ("struct Size { w: int }".to_owned(), "g.hw".to_owned(), None));
    assert_eq!([at("w)").0, at("w: geo").0], ["Size.w: int"; 2]);
    assert_eq!(at("geo.area").0, "import geo");
    let kinds: Vec<SymbolKind> = found.index.symbols().iter().map(|symbol| symbol.kind).collect();
    assert!(kinds.contains(&SymbolKind::Import) && kinds.contains(&SymbolKind::Field));
}

/// Texts that somebody could have on the way to a program: cut off anywhere, or with a token missing.
#[test]
fn no_broken_program_is_too_broken() {
    let text = "import \"g.hw\" as geo\nstruct P[T] { x: T, y: int }\nenum E { A, B(int, str), C((int, int)) }
        const N = 2 + 3\nlet (a, b) = (1, geo.area(N))\nvar ps = list(P(x: 1.5, y: b))
        fn f[T](x: T, g: fn(T) -> int) -> int { return g(x) }
        fn main(args: [str]) -> int { var d = dict(\"k\": 1)\n d[\"k\"] += a\n (a2, d[\"j\"]) = (1, 2)
          outer: for (k, v) in d { if v > 1 && k != \"\" { break outer } else if let n = d.get(k) { print(f\"{n:>4} {ps[0].x}\") } }
          match E.B(1, \"\") { A => {}, B(n, _) if n > 2 => print(n), C((p, q)) | C((p, q)) => return 1, _ => fail \"no\" }
          try { ps.push(P(x: 2.0, y: 1)) } catch e { print(e) }
          let h = fn(z: int) => z + N\n while let s = input() { print(s[1..]!, -9223372036854775808) }
          return f(3, h) + f(\"\", fn(s) { return len(s) }) }";
    let check = |text: &str, probe: usize| {
        let input = Input { name: "a", key: None, bytes: text.as_bytes() };
        let found = Session::analyse(input, &mut OneFile, Some(probe as u32));
        let whole = text.len() as u32;
        let own = found.index.symbols().iter().filter(|symbol| Some(symbol.span.file) == found.root);
        assert!(own.clone().all(|symbol| symbol.span.end <= whole));
        found.diagnostics.len()
    };
    let tokens = crate::token::lex(crate::source::FileId::from_u32(0), text).tokens;
    let mut broken = 0;
    for token in tokens.iter().step_by(2) {
        let (start, end) = (token.start as usize, token.end as usize);
        broken += usize::from(check(&text[..end], start) > 0);
        broken += usize::from(check(&format!("{}{}", &text[..start], &text[end..]), start) > 0);
        check(&format!("{}{} {}", &text[..end], &text[start..end], &text[end..]), start);
    }
    assert!(broken > tokens.len() / 2, "{broken} of {} are refused", tokens.len());
}
