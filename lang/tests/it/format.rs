//! The formatter: its effect on programs, its idempotence, and that it keeps the tree.

use super::common;
use super::common::{diagnose, half_of, mutants, programs};
use holloway_lang::ast_print::{Spans, print};
use holloway_lang::format::format;
use holloway_lang::parse::parse;
use holloway_lang::source::SourceMap;

/// The formatted text and the tree, if `text` is a program.
fn formatted(text: &str) -> Option<(String, String)> {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    let formatted = format(&map, file).ok()?;
    Some((formatted, print(&map, &parse(&map, file).0, Spans::Hidden)))
}

/// Checks that formatting keeps the tree and is idempotent. Returns true if `text` is a program at all.
fn check(text: &str) -> bool {
    let Some((once, tree)) = formatted(text) else { return false };
    let Some((twice, tree_again)) = formatted(&once) else {
        panic!("no program any more:\n{text}\n=>\n{once}\n{}", diagnose(&once));
    };
    assert!(tree == tree_again, "the tree changed:\n{text}\n=>\n{once}");
    assert!(once == twice, "not idempotent:\n{text}\n=>\n{once}\n=>\n{twice}");
    true
}

#[test]
fn programs_keep_their_trees() {
    for (name, text) in programs() {
        assert!(check(&text), "{name} is no program:\n{}", diagnose(&text));
    }
}

#[test]
fn benchmark_programs_are_formatted() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench-programs");
    let files = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it is read").path());
    let programs: Vec<_> = files.filter(|path| path.extension().is_some_and(|found| found == "hw")).collect();
    assert!(!programs.is_empty());
    for path in programs {
        let text = std::fs::read_to_string(&path).expect("it is text");
        assert!(formatted(&text).is_some_and(|(formatted, _)| formatted == text), "{}", path.display());
    }
}

#[test]
fn snippets_keep_their_trees() {
    for text in common::SNIPPETS {
        assert!(check(text), "{text}\nis no program:\n{}", diagnose(text));
    }
}

/// Comments and line breaks anywhere between two tokens.
#[test]
fn comments_anywhere_are_kept() {
    let mut good = 0;
    for (_, text) in programs() {
        for seed in 0..half_of(60) {
            good += usize::from(check(&mutants::with_remarks(&text, seed)));
        }
    }
    assert!(good > 50, "only {good} of the changed programs were programs");
}

#[test]
fn long_lines_are_broken() {
    for (_, text) in programs() {
        let (once, _) = formatted(&text).expect("a program");
        // A text stays in one line, however long it is.
        let may_be_broken = |line: &&str| !line.contains("//") && !line.contains('"');
        let longest = once.lines().filter(may_be_broken).map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "a line of {longest:?} columns");
    }
}

/// Closures stand at the end of a call, everything else with parentheses is broken as a call is.
#[test]
fn what_has_parentheses_is_broken_as_calls_are() {
    let text = "xs.map(fn(x){
let y=x*2
return y+1
}).filter(fn(x)=>x%2==0).fold(0,fn(a,b){
return a+b
})
xs.fold(a_long_name, another_long_name + a_third_long_name, fn(accumulated, element) => accumulated + element)
xs.fold(0,   // start
 fn(a,b){
 return a
})
let d=dict(\"a long key so that it breaks\":\"a long value so that it breaks\",   key:value, 1:(2,3))
let (first_long_name,(second_long_name,third_long_name))=(first_long_value(),(second_long_value(),3))
match x{Num(a_rather_long_name,another_rather_long_name)|Other(a_rather_long_name,another_rather_long_name) if c=>1}
enum E[A,B]{Short,Long(A,list[B]),
Third}
print(f\"{ a:>3}{b+1}\",t.0 .1)
";
    insta::assert_snapshot!(formatted(text).expect("a program").0, @r#"
    xs.map(fn(x) {
        let y = x * 2
        return y + 1
    }).filter(fn(x) => x % 2 == 0).fold(0, fn(a, b) {
        return a + b
    })
    xs.fold(
        a_long_name,
        another_long_name + a_third_long_name,
        fn(accumulated, element) => accumulated + element,
    )
    xs.fold(
        0, // start
        fn(a, b) {
            return a
        },
    )
    let d = dict(
        "a long key so that it breaks": "a long value so that it breaks",
        key: value,
        1: (2, 3),
    )
    let (first_long_name, (second_long_name, third_long_name)) = (
        first_long_value(),
        (second_long_value(), 3),
    )
    match x {
        Num(a_rather_long_name, another_rather_long_name) |
            Other(a_rather_long_name, another_rather_long_name) if c => 1,
    }
    enum E[A, B] {
        Short,
        Long(A, list[B]),
        Third,
    }
    print(f"{ a:>3}{b+1}", t.0.1)
    "#);
}

#[test]
fn errors_are_refused() {
    assert_eq!(formatted("let x = "), None);
}
