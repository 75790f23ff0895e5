//! The generator's promises about every program, and that together the programs cover the language.

use std::collections::HashSet;

use holloway_generator::{Size, endless, program, program_pieces};

const SEEDS: u64 = 2000;

#[test]
fn a_seed_and_a_size_fix_the_program() {
    for seed in 0..50 {
        for size in [Size::Small, Size::Medium, Size::Large] {
            assert_eq!(program(seed, size), program(seed, size));
            assert_eq!(program_pieces(seed, size).concat(), program(seed, size));
        }
    }
}

#[test]
fn a_seed_fixes_endless_loops_and_hardly_two_give_the_same() {
    let all: HashSet<_> = (0..SEEDS).map(endless).collect();
    // The shortest ones are a few choices, and some come twice.
    assert!(all.len() as u64 > SEEDS * 99 / 100, "{} of {SEEDS}", all.len());
    assert!(all.iter().all(|text| text.contains("print(big)")));
    assert_eq!(endless(7), endless(7));
}

#[test]
fn no_two_seeds_give_the_same_program() {
    let body = |seed| program(seed, Size::default()).split_once('\n').map(|(_, rest)| rest.to_owned());
    let programs: HashSet<_> = (0..SEEDS).map(body).collect();
    assert_eq!(programs.len() as u64, SEEDS);
}

#[test]
fn programs_keep_to_their_size() {
    let mean = |size: Size| (0..200).map(|seed| program(seed, size).len()).sum::<usize>() / 200;
    let (small, medium, large) = (mean(Size::Small), mean(Size::Medium), mean(Size::Large));
    assert!(small < medium && medium < large, "{small} {medium} {large}");
    for seed in 0..SEEDS {
        let text = program(seed, Size::default());
        assert!((200..200_000).contains(&text.len()), "seed {seed} has {} bytes", text.len());
    }
}

#[test]
fn brackets_balance() {
    for seed in 0..500 {
        let text = program(seed, Size::default());
        let mut open = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' | '\'' => {
                    while let Some(inner) = chars.next().filter(|inner| *inner != c) {
                        if inner == '\\' {
                            chars.next();
                        }
                    }
                }
                // Only the first line and documentation are comments, and the language has no operator `//`.
                '/' if chars.as_str().starts_with('/') => {
                    chars.by_ref().find(|c| *c == '\n');
                }
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                ')' | ']' | '}' => assert_eq!(open.pop(), Some(c), "seed {seed}"),
                _ => {}
            }
        }
        assert!(open.is_empty(), "seed {seed}");
    }
}

/// Texts each of which some program must contain.
const CHECKLIST: &[&str] = &[
    // Numbers.
    "-9223372036854775808",
    "9223372036854775807",
    "0xffffffffffffffff",
    "0b1010_1010",
    "1_000_000",
    " << ",
    " >> ",
    " >>> ",
    " / -1",
    " % -1",
    " | 1",
    " ^ ",
    "~",
    "-0.0",
    "1.0 / 0.0",
    "0.0 / 0.0",
    "5e-324",
    "1e300",
    "int(",
    "float(",
    "popcount(",
    "clz(",
    "ctz(",
    "abs(",
    "min(",
    "max(",
    "sqrt(",
    "sin(",
    "atan2(",
    "pow(",
    "floor(",
    "ceil(",
    "round(",
    "trunc(",
    "exp(",
    "log(",
    "random()",
    "random_seed(",
    "parse_int(",
    "parse_float(",
    " & true",
    " && ",
    " || ",
    "!(",
    // Strings.
    "\\n",
    "\\xff",
    "\\u{1F600}",
    "\\0",
    "\\\"",
    "'a'",
    "str(",
    "chr(",
    "bytes(",
    "text(",
    "[1..3]",
    "[..=2]",
    "[2..]",
    "for c in text",
    " + \"",
    // Arrays.
    "[byte]",
    "[bool]",
    "[float]",
    "[str]",
    "[[int]]",
    "[[float]]",
    "[[byte]]",
    "[str?]",
    "; 4]",
    "[..4]",
    "copy(",
    "fill(",
    "sort(",
    ": [int] = []",
    "len(",
    // Structs, optionals, functions.
    "struct ",
    "link: none",
    "?",
    "if let ",
    "while let ",
    "!= none",
    "== none",
    ": fn(",
    ")?",
    "[fn(",
    "let _ = ",
    // Statements.
    "const ",
    "let ",
    "var ",
    "if ",
    "} else if ",
    "} else {",
    "while ",
    "loop {",
    "outer",
    ": for ",
    ": while ",
    ": loop {",
    "break ",
    "continue ",
    "break\n",
    "break }",
    "continue }",
    "..=",
    " step -",
    " step 1 - 1",
    " step 3",
    "match ",
    "true =>",
    "_ =>",
    " | 2 =>",
    "..=9 =>",
    "'a'..",
    "\"alpha\" =>",
    "return\n",
    "return }",
    "return ",
    "try {",
    "} catch ",
    "catch _ {",
    "fail ",
    "assert(",
    "exit(",
    "print()",
    "write(",
    "for _ in ",
    "+= ",
    "-= ",
    "*= ",
    "/= ",
    "%= ",
    "&= ",
    "|= ",
    "^= ",
    "<<= ",
    ">>= ",
    ">>>= ",
    // Programs.
    "fn main() {",
    "fn main() -> int {",
    "fn main(args: [str]) {",
    "fn max(",
    "fn abs(",
    "/// ",
];

#[test]
fn every_construct_appears() {
    let programs: Vec<_> = (0..SEEDS).map(|seed| program(seed, Size::default())).collect();
    let missing: Vec<_> = CHECKLIST.iter().filter(|part| !programs.iter().any(|text| text.contains(**part))).collect();
    assert!(missing.is_empty(), "no program has {missing:?}");
}

#[test]
fn functions_of_many_parameters_of_every_type_appear() {
    let heads = (0..SEEDS).flat_map(|seed| program_pieces(seed, Size::default())).filter_map(|piece| {
        let head = piece.lines().find(|line| line.starts_with("fn "))?;
        Some(head.rsplit_once(") -> int {")?.0.split_once('(')?.1.to_owned())
    });
    let heads: Vec<String> = heads.collect();
    let most = heads.iter().map(|params| params.matches(": ").count()).max();
    assert_eq!(most, Some(20), "the most parameters of a function");
    let wide = heads.iter().filter(|params| params.matches(": ").count() > 6);
    let types: HashSet<&str> = wide.flat_map(|params| params.split(": ").skip(1)).collect();
    for part in ["int,", "float,", "bool,", "str,", "[", "fn(", "?,"] {
        assert!(types.iter().any(|ty| ty.contains(part)), "{part} is no type of many parameters");
    }
}
