//! Loops whose counters come near the ends of the integers, or with unusual bounds: every tier agrees with the
//! interpreter.

use super::common::{captured, loaded, patient};
use holloway::{Config, TierChoice};

/// The output of a program and its end.
fn run(tier: TierChoice, source: &str) -> (String, String) {
    let mut engine = loaded(Config { limits: patient(), ..captured(tier, &[]) }, source);
    let ended = format!("{:?}", engine.run());
    (String::from_utf8(engine.take_output()).expect("numbers are text"), ended)
}

/// Calls `f` with each pair of bounds and checks that all tiers agree. The bounds come from an array, so that no
/// compiler knows them; `fuse` ends long loops with a failure, as another exit would become the loop's test.
fn agree(f: &str) {
    for (from, to) in BOUNDS {
        let source = format!(
            "const MAX = 9223372036854775807
             const MIN = -MAX - 1
             let fuse = [1; 40]
             let bounds = [{from}, {to}]
             {f}
             print(f(bounds[0], bounds[1]))"
        );
        let expected = run(TierChoice::Interp, &source);
        for tier in [TierChoice::Baseline, TierChoice::Optimized] {
            assert_eq!(run(tier, &source), expected, "{tier:?} of\n{source}");
        }
    }
}

const BOUNDS: &[(&str, &str)] = &[
    ("0", "0"),
    ("0", "1"),
    ("0", "3"),
    ("0", "4"),
    ("0", "5"),
    ("0", "18"),
    ("5", "3"),
    ("MAX - 9", "MAX"),
    ("MAX - 2", "MAX"),
    ("MIN", "MIN"),
    ("MIN", "MIN + 2"),
    ("MIN", "MIN + 7"),
    ("MIN", "9"),
    ("MAX", "MIN"),
    ("MIN", "MAX"),
    ("MAX", "MAX"),
    ("MAX", "-2"),
];

#[test]
fn counting_up_and_down() {
    for (test, step) in [
        ("i < to", "+= 1"),
        ("i <= to", "+= 1"),
        ("i < to", "+= 3"),
        ("i <= to", "+= 7"),
        ("i > to", "-= 1"),
        ("i >= to", "-= 1"),
        ("i > to", "-= 3"),
        ("i >= to", "-= 5"),
    ] {
        let f = format!(
            "fn f(from: int, to: int) -> int {{
                 var s = 0
                 var n = 0
                 var i = from
                 while {test} {{
                     s = s * 31 + i + fuse[n]
                     n += 1
                     i {step}
                 }}
                 return s ^ n
             }}"
        );
        agree(&f);
    }
}

#[test]
fn testing_what_the_counter_was() {
    let f = "fn f(from: int, to: int) -> int {
        var s = 0
        var n = 0
        var i = from
        loop {
            s = s * 31 + i + fuse[n]
            n += 1
            let was = i
            i += 1
            if was >= to { break }
        }
        return s ^ n
    }";
    agree(f);
}

#[test]
fn indices_that_wrap_fail_where_they_do() {
    for index in ["i", "i + 2", "i - 3", "20 - i", "i - from", "to - i", "i * 2", "i + i", "i + to", "i + (from + 5)"] {
        let f = format!(
            "let a = [7; 20]
                 fn f(from: int, to: int) -> int {{
                     var s = 0
                     var n = 0
                     var i = from
                     while i < to {{
                         s = s * 31 + a[{index}] + fuse[n]
                         n += 1
                         a[{index}] = s & 255
                         i += 1
                     }}
                     return s
                 }}"
        );
        agree(&f);
    }
}
