//! Programs of twice the size take about twice the steps, in every tier: whatever a program has many of.
//!
//! In: programs of a thousand and of two thousand of each construct. Out: a failed test that names the construct, the
//! tier, and the count that grew faster.
//! Invariant: nothing depends on time. Steps are looks at edges and sets of the analyses, bytes that the thread
//! allocated, and bytes of the program's heap.

use super::allocations;
use super::common::{captured, counted, loaded, seen};
use holloway::{Adaptive, Config, Limits, TierChoice};
use holloway_aos::Parts;
use std::fmt::Write;
use std::time::Duration;

const TIERS: [TierChoice; 4] = [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto];

/// Counts of one run.
#[derive(Clone, Copy, Debug)]
struct Counts {
    /// Looks of analyses at graphs, of the IR and of the profiler.
    looks: u64,
    /// Bytes that the thread allocated.
    allocated: u64,
    /// Bytes that the program allocated.
    heap: u64,
}

impl Counts {
    fn of(tier: TierChoice, source: &str) -> Counts {
        let looks = holloway_flow::steps::taken;
        let (looks_before, allocated) = (looks(), allocations::bytes());
        let adaptive = (tier == TierChoice::Auto).then(|| Adaptive(counted(Parts::NONE)));
        let mut engine = loaded(
            Config {
                adaptive,
                limits: Limits { fuel: None, time: Some(Duration::from_secs(60)) },
                ..captured(tier, &[])
            },
            source,
        );
        let (output, ended) = seen(&mut engine);
        assert_eq!(ended, "status 0", "{output}");
        Counts {
            looks: looks() - looks_before,
            allocated: allocations::bytes() - allocated,
            heap: engine.executor().runtime().heap().stats().allocated,
        }
    }

    fn named(self) -> [(&'static str, u64); 3] {
        [("looks", self.looks), ("allocated", self.allocated), ("heap", self.heap)]
    }
}

/// Counts that are mostly those of an empty program.
const LEAST: u64 = 100_000;

fn check(name: &str, program: impl Fn(usize) -> String) {
    let (small, large) = (program(1_000), program(2_000));
    for tier in TIERS {
        let (small, large) = (Counts::of(tier, &small), Counts::of(tier, &large));
        for ((count, small), (_, large)) in small.named().into_iter().zip(large.named()) {
            // A logarithm more is allowed, and lists that double.
            assert!(large <= small * 5 / 2 + LEAST, "{count} of {name} in {tier:?}: {small}, then {large}");
        }
    }
}

/// The text for each number, one behind the other.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

/// A function of such a body, called once.
fn function(body: &str) -> String {
    format!("fn f(x: int) -> int {{\nvar y = 0\n{body}return y\n}}\nprint(f(7))\n")
}

#[test]
fn loops() {
    check("empty loops", |n| each(n, |_| "for i in 0..0 { }\n".into()) + "print(1)\n");
    // The adaptive system comes to know the function at either size.
    let known = |body: &str| function(body).replace("f(7)", "f(20)");
    check("loops of a function", |n| known(&each(n, |_| "for i in 0..x { y += i }\n".into())));
    check("loops in a loop", |n| {
        known(&format!("while y < 3 {{\ny += 1\n{}}}\n", each(n, |_| "for i in 0..x { y += i }\n".into())))
    });
}

#[test]
fn branches() {
    check("else-if arms", |n| {
        function(&format!(
            "if x == 0 {{ y = 3 }}\n{}",
            each(n, |at| format!("else if x == {} {{ y = {at} }}\n", at + 9))
        ))
    });
    check("else-if arms that return", |n| {
        function(&format!(
            "if x == 0 {{ y = 3 }}\n{}",
            each(n, |at| format!("else if x == {} {{ return 1 }}\n", at + 9))
        ))
    });
    check("match arms", |n| {
        function(&format!("match x {{\n{}_ => {{ y = 1 }} }}\n", each(n, |at| format!("{at} => {{ y = {at} }}\n"))))
    });
    check("arms of strings", |n| {
        let arms = each(n, |at| format!("\"k{at}\" => {{ y = {at} }}\n"));
        function(&format!("match str(x) {{\n{arms}_ => {{ y = 1 }} }}\n"))
    });
    check("returns", |n| function(&each(n, |at| format!("if x == {} {{ return {at} }}\n", at + 9))));
    for exit in ["break", "continue"] {
        let exits = |n| each(n, |at| format!("if x == {} {{ {exit} }}\n", at + 9));
        check(exit, |n| function(&format!("while y < 3 {{\ny += 1\n{}}}\n", exits(n))));
    }
    check("failures that are caught", |n| {
        let checks = each(n, |at| format!("assert(x != {})\n", at + 9));
        function(&format!("try {{\n{checks}}} catch e {{ y = len(e) }}\n"))
    });
    check("handlers", |n| function(&each(n, |at| format!("try {{ assert(x != {at}) }} catch e {{ y += 1 }}\n"))));
}

#[test]
fn statements() {
    check("nested blocks", |n| function(&each(n, |_| "if true { let a = y\ny = a + 1 }\n".into())));
    check("locals", |n| {
        let sum = each(n, |at| format!("y += v{at}\n"));
        function(&(each(n, |at| format!("let v{at} = x + {at}\n")) + &sum))
    });
    check("locals around a loop", |n| {
        let counts = each(n, |at| format!("v{at} += 1\n"));
        function(&format!("{}while v0 < 20 {{\n{counts}}}\n", each(n, |at| format!("var v{at} = x + {at}\n"))))
    });
    check("calls", |n| format!("fn g(x: int) -> int {{ return x }}\n{}", function(&each(n, |_| "y += g(x)\n".into()))));
    check("strings", |n| each(n, |at| format!("print(\"s{at}\")\n")));
    check("elements", |n| format!("let a = [{}]\nprint(len(a))\n", each(n, |at| format!("{at}, "))));
    check("names of nothing", |n| each(n, |at| format!("let s{at} = \"a\"\n")) + "print(s0 + s1)\n");
}

#[test]
fn definitions() {
    check("functions", |n| each(n, |at| format!("fn f{at}(x: int) -> int {{ return x + {at} }}\n")) + "print(f0(1))\n");
    check("functions that are called", |n| {
        let defined = each(n, |at| format!("fn f{at}(x: int) -> int {{ return x + {at} }}\n"));
        format!("{defined}var s = 0\n{}print(s)\n", each(n, |at| format!("s += f{at}(s)\n")))
    });
    check("a chain of calls", |n| {
        let links = each(n, |at| format!("fn f{at}(x: int) -> int {{ return f{}(x) + {at} }}\n", at + 1));
        format!("{links}fn f{n}(x: int) -> int {{ return x }}\nprint(f0(1))\n")
    });
    check("globals", |n| each(n, |at| format!("var g{at} = {at}\n")) + "fn f() -> int { return g0 }\nprint(f())\n");
    check("structs", |n| each(n, |at| format!("struct S{at} {{ a: int, b: int }}\n")) + "print(S0(a: 1, b: 2).a)\n");
}

#[test]
fn strings_that_grow() {
    for (name, step) in [
        ("appending", "s += x"),
        ("adding behind", "s = s + x"),
        ("adding before", "s = x + s"),
        ("both ends", "s = x + s + x"),
        ("either end", "if i % 2 == 0 { s = x + s } else { s += x }"),
        ("looking at the end", "s += x\nif s[len(s) - 1] != 'w' { print(\"?\") }"),
        ("numbers", "s += str(i)\ns += \",\""),
        ("an element", "a[0] += x"),
        ("a field", "b.text += x"),
        ("in turn", "let t = s\ns = x + t\nif len(t) > len(s) { print(\"?\") }"),
    ] {
        check(name, |n| {
            let rounds = 10 * n;
            format!(
                "struct B {{ text: str }}\nvar s = \"\"\nlet x = \"xyzw\"\nlet a = [\"\"]\nlet b = B(text: \"\")
                for i in 0..{rounds} {{ {step} }}\nprint(len(s) + len(a[0]) + len(b.text))\n"
            )
        });
    }
}

#[test]
fn a_long_script_of_mixed_statements() {
    check("mixed statements", |n| {
        let mut text = String::from("var s = 0\nvar t = \"\"\n");
        for at in 0..n / 4 {
            let _ = writeln!(text, "for i in 0..2 {{ if i == s {{ s += {at} }} }}\nt += str(s)\nlet v{at} = [s, {at}]");
        }
        text + "print(len(t))\n"
    });
}
