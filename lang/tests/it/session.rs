//! Sessions: imports over several files, globals that were never initialised, programs that are deep, long or broken.

use std::collections::HashMap;

use holloway_lang::ir::verify::verify;
use holloway_lang::ir::{FunctionKind, Module};
use holloway_lang::session::{Added, Input, Loader, Resolved, Session, SessionKind};

/// Files in memory. Paths are relative to the folder of the importer.
#[derive(Default)]
struct Files(HashMap<&'static str, &'static str>);

impl Loader for Files {
    fn resolve(&mut self, importer: Option<&str>, path: &str) -> Result<Resolved, String> {
        let folder = importer.and_then(|name| name.rsplit_once('/')).map_or("", |(folder, _)| folder);
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let key = parts.join("/");
        match self.0.contains_key(&*key) {
            true => Ok(Resolved { name: key.clone(), key }),
            false => Err("no such file".to_owned()),
        }
    }

    fn read(&mut self, key: &str) -> Result<Vec<u8>, String> {
        Ok(self.0[key].as_bytes().to_vec())
    }
}

fn add(session: &mut Session, text: &str) -> Result<Added, String> {
    add_to(session, text, &mut Files::default())
}

fn add_to(session: &mut Session, text: &str, files: &mut Files) -> Result<Added, String> {
    let input = Input { name: "main.hw", key: Some("main.hw"), bytes: text.as_bytes() };
    session.add(input, files).map_err(|diagnostics| {
        let lines = diagnostics.iter().map(|it| format!("{}: {}\n", session.sources().place(it.span), it.message()));
        lines.collect()
    })
}

/// A program of several files, the first of which is added.
fn program(files: &[(&'static str, &'static str)]) -> (Session, Result<Added, String>) {
    let mut session = Session::new(SessionKind::Program);
    let mut rest = Files(files.iter().copied().collect());
    let result = add_to(&mut session, files[0].1, &mut rest);
    (session, result)
}

fn names(module: &Module) -> Vec<&str> {
    module.top_level.iter().map(|&func| &*module.function(func).name).collect()
}

fn verify_all(session: &Session) {
    for decl in session.module().funcs.values() {
        verify(session.module(), &decl.body).unwrap();
    }
}

#[test]
fn imports_run_first_depth_first_and_once() {
    let (session, result) = program(&[
        ("main.hw", "import \"lib/a.hw\"\nimport \"b.hw\"\nprint(a(), b, A)\nfn main() -> int { return 1 }"),
        ("lib/a.hw", "import \"../c.hw\"\nimport \"d.hw\"\nprint(1)\nconst A = C\nfn a() -> int { return c }"),
        ("b.hw", "import \"c.hw\"\nlet b = c\nfn main() { print(2); main() }"),
        ("c.hw", "let c = 1\nconst C = 2"),
        ("lib/d.hw", "struct OnlyDefinitions { x: int }"),
    ]);
    let added = result.unwrap();
    let module = session.module();
    assert_eq!(names(module), ["c.hw", "a.hw", "b.hw", "main.hw"]);
    assert_eq!(added.top_level, module.top_level);
    assert!(module.top_level.iter().all(|&func| module.function(func).kind == FunctionKind::TopLevel));
    let main = module.main.unwrap();
    assert!(main.returns_status && !main.takes_args);
    // The `main` of `b.hw` calls itself, not that of the program.
    let mains = module.funcs.iter().filter(|(_, decl)| decl.body.name == "main").count();
    assert_eq!(mains, 2);
    verify_all(&session);
}

#[test]
fn import_errors_stand_at_the_import() {
    let (_, result) = program(&[
        ("main.hw", "import \"a.hw\"\nimport \"nothing.hw\"\nimport \"main.hw\""),
        ("a.hw", "import \"b.hw\""),
        ("b.hw", "\nimport \"a.hw\""),
    ]);
    assert_eq!(
        result.unwrap_err(),
        "b.hw:2:8: importing `a.hw` here closes a cycle\n\
         main.hw:2:8: cannot import `nothing.hw`: no such file\n\
         main.hw:3:8: importing `main.hw` here closes a cycle\n"
    );
}

#[test]
fn errors_are_reported_for_every_file() {
    let (_, result) = program(&[("main.hw", "import \"a.hw\"\nfn f() { }\nprint(x)"), ("a.hw", "fn f() { print(y) }")]);
    assert_eq!(
        result.unwrap_err(),
        "main.hw:2:4: `f` is defined twice\nmain.hw:3:7: unknown name `x`\na.hw:1:16: unknown name `y`\n"
    );
    let (_, result) = program(&[("main.hw", "import \"a.hw\"\nlet x ="), ("a.hw", "let = 1")]);
    let errors = result.unwrap_err();
    assert!(errors.starts_with("main.hw:2:"), "{errors}");
}

#[test]
fn an_imported_statement_cannot_reach_what_comes_later() {
    let (_, result) =
        program(&[("main.hw", "import \"a.hw\"\nlet late = 1\nfn f() -> int { return late }"), ("a.hw", "print(f())")]);
    assert_eq!(result.unwrap_err(), "a.hw:1:7: `late` is used before it is initialised, by `f`\n");
}

/// A value that an earlier input took of a function calls the body that this input gives it.
#[test]
fn a_function_value_cannot_reach_what_comes_later() {
    let mut session = Session::new(SessionKind::Repl);
    let earlier = "fn g() -> int { return 1 }\nfn k() -> int { return 1 }\nvar f = g\nfn h() -> int { return f() }";
    add(&mut session, earlier).unwrap();
    for call in ["f()", "h()", "list(1).map(fn(x) => x)[0]"] {
        let text = format!("let first = {call}\nlet late = [5]\nfn g() -> int {{ return late[0] }}");
        let errors = add(&mut session, &text).unwrap_err();
        assert!(errors.contains("`late` is used before it is initialised"), "{call}: {errors}");
        // `k` is called by its name alone.
        let text = format!("let first = {call}\nlet late = [5]\nfn k() -> int {{ return late[0] }}");
        add(&mut session, &text).unwrap();
    }
    add(&mut session, "let late = [5]\nlet first = f()\nfn g() -> int { return late[0] }").unwrap();
}

#[test]
fn what_was_never_initialised_is_forgotten() {
    let mut session = Session::new(SessionKind::Repl);
    add(&mut session, "let x = 1\nfn f() -> int { return x }\nfn g() -> int { return f() }\nfn h() { }").unwrap();
    session.settle();
    let earlier = session.module().clone();
    let text =
        "let before = 2\nlet x = parse_int(input()!, 0)\nlet y = \"a\"\nfn h() -> str { return y }\nfn fine() { }";
    let added = add(&mut session, text).unwrap();
    let func = added.top_level[0];
    let at = added.globals[1].span;
    let lost = added.uninitialised(func, at.at_end());
    assert_eq!(lost.len(), 1, "at its end the second one is initialised");
    let lost = added.uninitialised(func, at.at_start());
    let lost_names: Vec<_> = lost.iter().map(|&global| &*session.module().globals[global].name).collect();
    assert_eq!(lost_names, ["x", "y"]);

    let replaced: Vec<_> = added.replaced.iter().map(|&func| session.module().function(func).name.clone()).collect();
    assert_eq!(replaced, ["f"]);
    assert_eq!(session.forget(&lost), added.replaced);
    for func in added.replaced {
        assert_eq!(session.module().function(func), earlier.function(func));
    }
    add(&mut session, "print(x + f() + g() + before)\nfine()\nh()").unwrap();
    assert_eq!(add(&mut session, "print(y)").unwrap_err(), "main.hw:1:7: unknown name `y`\n");
    verify_all(&session);
}

#[test]
fn types_are_told_without_adding_anything() {
    let mut session = Session::new(SessionKind::Repl);
    let input = |text: &'static str| Input { name: "repl", key: None, bytes: text.as_bytes() };
    let mut ask = |text| session.type_of(input(text), &mut Files::default()).unwrap();
    assert_eq!(ask("let a = [1]\n[a]").as_deref(), Some("[[int]]"));
    assert_eq!(ask("print(1)"), None);
    assert_eq!(session.names().count(), 0);
}

#[test]
fn the_benchmark_programs_are_accepted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench-programs");
    let mut count = 0;
    for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "hw") {
            let mut session = Session::new(SessionKind::Program);
            add(&mut session, &std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(session.module().main.unwrap().takes_args, "{}", path.display());
            verify_all(&session);
            count += 1;
        }
    }
    assert!(count >= 76, "only {count} programs in {}", folder.display());
}

/// The greatest height that the parser allows, on the stack of a test thread, a quarter of a main thread's.
#[test]
fn deep_programs_do_not_overflow_the_stack() {
    let nested = |open: &str, middle: &str, close: &str, times: usize| {
        format!("{}{middle}{}", open.repeat(times), close.repeat(times))
    };
    let programs = [
        nested("(", "1", ")", 190),
        nested("[", "1", "]", 190),
        nested("str(", "1", ")", 190),
        nested("if true { ", "", " }", 190),
        nested("{ ", "", " }", 190),
        nested("match 1 { _ => { ", "", " } }", 95),
        nested("while true { for i in 0..1 { ", "", " } }", 95),
        nested("try { loop { ", "", " } } catch e { }", 95),
        format!("let x = {}", nested("if true { ", "1", " } else { 2 }", 190)),
        format!("let x = {}", nested("match 1 { 1 => { ", "1", " }, _ => 2 }", 95)),
        format!("let x = {}", nested("{ let y = 1; ", "1", " }", 190)),
        format!("let x = {}1", "1 + ".repeat(480)),
        format!("let x = {}1", "-".repeat(480)),
        format!("let x = {}\"a\"", "\"a\" + ".repeat(480)),
        format!("const X = {}1", "-1 + ".repeat(240)),
        format!("let x: {}int{} = []", "[".repeat(190), "]".repeat(190)),
        format!("struct S {{ s: S? }}\nlet s = S(s: none)\nlet x = s{}", ".s!".repeat(160)),
        format!("let a = [0]\nlet x = {}0{}", "a[".repeat(190), "]".repeat(190)),
    ];
    for text in programs {
        let mut session = Session::new(SessionKind::Program);
        if let Err(errors) = add(&mut session, &text) {
            let start: String = text.chars().take(60).collect();
            let expected = ["the value is not used", "can end without", "does not apply"];
            assert!(expected.iter().any(|part| errors.contains(part)), "{start}\n{errors}");
        }
        verify_all(&session);
    }
}

#[test]
fn types_may_be_deeper_than_what_can_be_written() {
    let text: String = (0..50_000).map(|n| format!("let a{} = [a{n}]\n", n + 1)).collect();
    let mut session = Session::new(SessionKind::Program);
    let errors = add(&mut session, &format!("let a0 = 0\n{text}let x: int = a50000")).unwrap_err();
    assert!(errors.contains("expected `int`, found `[[[") && errors.len() < 2000, "{errors}");
}

/// Inputs that would take minutes if any stage were quadratic.
#[test]
fn long_programs_are_checked_in_linear_time() {
    const N: usize = 20_000;
    let lines = |line: &dyn Fn(usize) -> String| (0..N).map(line).collect::<String>();
    let programs = [
        lines(&|n| format!("const C{n} = C{} + 1\n", n + 1)) + &format!("const C{N} = 1\n"),
        lines(&|n| format!("fn f{n}() -> int {{ return f{}() }}\n", n + 1))
            + &format!("fn f{N}() -> int {{ return late }}\nlet late = 1\nprint(f0())"),
        lines(&|n| format!("let g{n} = [{n}]\n")),
        lines(&|n| format!("struct S{n} {{ s: S{n}?, t: [S{n}] }}\nlet s{n} = S{n}(s: none, t: [])\n")),
        lines(&|n| format!("print(\"{n}\", {n})\n")),
        format!("fn f() {{\n{} }}", lines(&|n| format!("let x{n} = {n}\n"))),
        format!("fn f(x: int) {{ match x {{ {} }} }}", lines(&|n| format!("{} => {{ }}\n", n * 7919 % N * 2))),
        format!("fn f(x: int) {{ if x == 0 {{ }} {} }}", lines(&|n| format!("else if x == {n} {{ }}"))),
        format!("let a = [{}]", lines(&|n| format!("{n}, "))),
    ];
    for text in programs {
        let mut session = Session::new(SessionKind::Program);
        add(&mut session, &text).unwrap();
    }
}

/// Broken programs: none causes a panic, and the accepted ones lower to functions that verify.
#[test]
fn broken_programs_are_refused_or_lowered() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let sources = [
        include_str!("../check/names.hw"),
        include_str!("../check/types.hw"),
        include_str!("../check/statements.hw"),
        include_str!("../check/program.hw"),
        include_str!("../programs/everything.hw"),
    ];
    let programs: Vec<&str> = sources.iter().flat_map(|text| text.split("//# ").skip(1).chain([*text])).collect();
    let words: Vec<&str> = sources.iter().flat_map(|text| pieces(text)).collect();
    let mut accepted = 0;
    for round in 0..6000 {
        let whole = round % 2 == 0;
        let text = if whole { sources[4] } else { programs[random(programs.len())] };
        let mut parts: Vec<&str> = pieces(text);
        for _ in 0..1 + random(3) {
            let (at, other) = (random(parts.len()), random(parts.len()));
            match random(4) {
                0 => drop(parts.remove(at)),
                1 => parts.swap(at, other),
                2 => parts[at] = words[random(words.len())],
                _ => parts.insert(at, words[random(words.len())]),
            }
        }
        let kind = if random(2) == 0 { SessionKind::Program } else { SessionKind::Repl };
        let mut session = Session::new(kind);
        let text = parts.concat();
        if add(&mut session, &text).is_ok() {
            accepted += 1;
            for decl in session.module().funcs.values() {
                verify(session.module(), &decl.body).unwrap_or_else(|error| panic!("{error}\n{text}"));
            }
        }
    }
    assert!(accepted > 300, "only {accepted} mutants were accepted, so lowering was hardly tried");
}

/// Words, numbers, single signs and blanks.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

#[test]
fn very_many_statements_are_several_functions() {
    let mut session = Session::new(SessionKind::Repl);
    let text = format!("var s = 0\n{}let last = s\ns + last", "s = s + 1\n".repeat(60_000));
    let added = add(&mut session, &text).expect("it compiles");
    let module = session.module();
    let sizes: Vec<usize> = added.top_level.iter().map(|func| module.function(*func).size()).collect();
    assert_eq!(sizes.len(), 3, "{sizes:?}");
    assert!(sizes.iter().all(|size| *size < 200_000), "{sizes:?}");
    assert!(added.shown.is_some(), "the last one shows the value");
    verify_all(&session);
    // Where the second stops, what the third initialises is not there.
    let (first, second) = (added.top_level[0], added.top_level[1]);
    let lost = added.uninitialised(second, module.function(second).span);
    assert_eq!(lost.len(), 1, "not what {first} has initialised");
    let few = add(&mut session, "let a = 1\nlet b = a").expect("it compiles");
    assert_eq!(few.top_level.len(), 1);
}
