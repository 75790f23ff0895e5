//! The optimizer's passes from outside: a function after one of them, and programs without one.

use holloway_jit::opt::pipeline::{ARRAYS, INLINE, INLINE_OBSERVED, PASSES};
use std::fmt::Write as _;
use std::process::{Command, Output};

fn holloway(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holloway")).args(args).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("all text is UTF-8")
}

/// A function of a program after a pass.
fn after(pass: &str, function: &str, program: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.hw");
    std::fs::write(&file, program).expect("the folder is ours");
    let file = file.to_str().expect("a name in UTF-8");
    let output = holloway(&["dump", "--stage", "ir", "--after", pass, "--fn", function, file]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{program}");
    text(&output.stdout).to_owned()
}

/// A function of a program in a later stage.
fn staged(stage: &str, function: &str, program: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.hw");
    std::fs::write(&file, program).expect("the folder is ours");
    let file = file.to_str().expect("a name in UTF-8");
    let output = holloway(&["dump", "--stage", stage, "--fn", function, file]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{program}");
    text(&output.stdout).to_owned()
}

/// A match in a loop, on values that nothing is known of; one arm more is printed for each value of a list.
fn matched(values: &[i64]) -> String {
    let arms: String = values.iter().map(|value| format!("{value} => {{ sum = sum * 3 + {value} & 255 }}\n")).collect();
    format!(
        "fn hot(xs: [int]) -> int {{\nvar sum = 0\nfor x in xs {{\nmatch x {{\n{arms}_ => {{}}\n}}\n}}\nreturn sum\n}}\nprint(hot([1, 2]))\n"
    )
}

#[test]
fn a_table_is_looked_up_without_a_clamp() {
    for values in [&[0, 1, 2, 3, 4, 5][..], &[-3, -2, 0, 1, 2, 30]] {
        let code = staged("asm", "hot", &matched(values));
        assert!(code.contains(".long"), "{code}");
        assert!(!code.contains("cmovb"), "{code}");
    }
    let far = [0, 1, 2, 3, 4, 1000];
    assert!(staged("asm", "hot", &matched(&far)).contains("cmovb"), "what is searched for keeps it");
}

fn count(text: &str, word: &str) -> usize {
    text.split_whitespace().filter(|found| *found == word).count()
}

#[test]
fn unknown_passes_are_refused_with_the_known_ones() {
    for args in [
        &["dump", "--stage", "ir", "--after", "magic", "a.hw"][..],
        &["dump", "--stage", "asm", "--disable-pass", "magic", "a.hw"],
        &["run", "--disable-pass", "magic", "a.hw"],
        &["bench", "--disable-pass", "magic", "fib"],
    ] {
        let output = holloway(args);
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(64), 1), "{args:?}: {said}");
        assert!(said.contains("magic") && said.contains("simplify, sweep"), "{args:?}: {said}");
    }
}

/// Also those whose paths run across calls, for which the whole program is numbered before.
#[test]
fn probes_of_every_scheme_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.hw");
    let program = "fn f(n: int) -> int {\n    for i in 0..n { if i % 3 == 1 { print(i) } }\n    return n\n}\nprint(f(3) + f(4))\n";
    std::fs::write(&file, program).expect("the folder is ours");
    let file = file.to_str().expect("a name in UTF-8");
    for scheme in ["bl", "k-iter", "context", "ip-context", "ip-piecewise", "ip-hybrid", "cct", "wpp"] {
        for stage in [&["ir", "--after", "build"][..], &["asm"]] {
            let output = holloway(&[&["dump", "--scheme", scheme, "--fn", "f", file, "--stage"], stage].concat());
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{scheme}");
            let passes = text(&output.stdout).contains("pass path");
            assert_eq!(passes, scheme.starts_with("ip-") && stage[0] == "ir", "{scheme}: {}", text(&output.stdout));
        }
    }
}

/// Around the call of an inlined function no word is in memory, and a loop with one path counts at its exits.
#[test]
fn paths_across_calls_cost_nothing_where_the_code_knows_better() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.hw");
    let program = "fn g(n: int) -> int { return n + 1 }\nfn f(n: int) -> int {\n    var s = 0\n    for i in 0..n { s += g(i) }\n    \
                   for i in 0..n { s ^= i }\n    return s\n}\nprint(f(3) + f(4))\n";
    std::fs::write(&file, program).expect("the folder is ours");
    let file = file.to_str().expect("a name in UTF-8");
    for scheme in ["ip-context", "ip-piecewise"] {
        let args = ["dump", "--scheme", scheme, "--fn", "f", "--stage", "ir", "--after", "build", file];
        let shown = text(&holloway(&args).stdout).to_owned();
        // The function's own: at its entry and at its return.
        let found = ["receive path", "receive completions", "pass path", "pass completions", "paths repeated"];
        assert_eq!(found.map(|word| shown.matches(word).count()), [1, 1, 1, 0, 1], "{scheme}: {shown}");
    }
}

#[test]
fn a_float_constant_has_a_register_in_a_loop_where_an_operation_needs_one() {
    let body = |operation: &str| {
        format!(
            "fn f(n: int, x: float) -> float {{\n    var sum = x\n    for i in 0..n {{ sum = {operation} }}\n    return sum\n}}\nprint(f(3, 0.5))\n"
        )
    };
    for (operation, registers) in [
        ("1.5 / sum", true),
        ("sum / 1.5", false),
        ("1.5 * sum", false),
        ("if sum < 1.5 { sum + x } else { sum / x }", true),
        ("if sum > 1.5 { sum + x } else { sum / x }", false),
        ("if 1.5 > sum { sum + x } else { sum / x }", true),
        ("0.0 / sum", false),
    ] {
        let clif = staged("clif", "f", &body(operation));
        assert_eq!(clif.contains("vconst.f64x2"), registers, "{operation}: {clif}");
    }
    let once = staged("clif", "f", "fn f(x: float) -> float { return 1.5 / x }\nprint(f(0.5))\n");
    assert!(!once.contains("vconst"), "{once}");
}

#[test]
fn what_is_executed_once_calls_all_but_small_functions() {
    let steps = "    x = x * 3 ^ n\n".repeat(20);
    let mixed = format!("fn mixed(n: int) -> int {{\n    var x = n\n{steps}    return x\n}}\n");
    let calls = |main: &str| {
        let program = format!("{mixed}fn main() {{\n{main}\n}}\n");
        after("build", "main", &program).matches("call ").count()
    };
    assert_eq!(calls("    print(mixed(3))"), 1);
    assert_eq!(calls("    for i in 0..2 { print(mixed(i)) }"), 0);
    assert_eq!(calls("    print(mixed(3))\n    for i in 0..2 { print(mixed(i)) }"), 1);
}

#[test]
fn calls_of_one_kind_have_one_signature() {
    let program = "fn f(a: [int], n: int) -> int {\n    for i in 0..n { a[i] += a[n - i] / a[0] }\n    return a[n]\n}\nprint(f([1, 2], 1))\n";
    let clif = staged("clif", "f", program);
    let kinds: Vec<&str> = clif.lines().filter_map(|line| line.trim_start().strip_prefix("sig")).collect();
    let kinds: Vec<&str> = kinds.into_iter().filter_map(|line| line.split_once(" = ")).map(|(_, kind)| kind).collect();
    let distinct: std::collections::HashSet<&str> = kinds.iter().copied().collect();
    assert!(distinct.len() > 1, "it checks, divides and polls: {clif}");
    assert_eq!(distinct.len(), kinds.len(), "{clif}");
}

#[test]
fn every_pass_is_described() {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/passes.md")).expect("it is there");
    let rows = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let described: Vec<&str> = rows.collect();
    // A further run of a pass has a name that starts with that of the pass.
    let is_described = |name: &str| {
        described
            .iter()
            .any(|pass| name.strip_prefix(pass).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
    };
    let missing: Vec<&str> = PASSES.iter().map(|pass| pass.name).filter(|name| !is_described(name)).collect();
    assert_eq!(missing, [""; 0]);
    let is_pass = |name: &&&str| {
        [INLINE, INLINE_OBSERVED, ARRAYS].contains(*name) || PASSES.iter().any(|pass| pass.name == **name)
    };
    assert_eq!(described.iter().filter(|name| !is_pass(name)).count(), 0, "{described:?}");
}

#[test]
fn after_goes_with_the_ir_only() {
    let output = holloway(&["dump", "--stage", "asm", "--after", "gvn", "a.hw"]);
    assert_eq!(output.status.code(), Some(64));
    assert!(text(&output.stderr).contains("--after goes with --stage ir"));
}

#[test]
fn a_disabled_pass_does_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.hw");
    std::fs::write(&file, "fn f(x: int) -> int {\n    return x * (2 + 3)\n}\nprint(f(2))\n")
        .expect("the folder is ours");
    let file = file.to_str().expect("a name in UTF-8");
    let dump = |more: &[&str]| {
        let args = [&["dump", "--stage", "ir", "--after", "simplify", "--fn", "f", file], more].concat();
        text(&holloway(&args).stdout).to_owned()
    };
    assert_eq!(count(&dump(&[]), "iadd"), 0);
    assert_eq!(count(&dump(&["--disable-pass", "simplify", "--disable-pass", "gvn"]), "iadd"), 1);
    let run = holloway(&["--tier", "optimized", "--disable-pass", "simplify", file]);
    assert_eq!(text(&run.stdout), "10\n");
}

const FIB: &str = "
fn fib(n: int) -> int {
    if n < 2 { return n }
    return fib(n - 1) + fib(n - 2)
}
print(fib(20))
";

#[test]
fn a_function_is_inlined_into_itself_level_by_level() {
    let fib = after("build", "fib", FIB);
    // Three levels of two calls each, and an early return before each of the innermost ones.
    assert_eq!((count(&fib, "call"), count(&fib, "branch")), (16, 1 + 2 + 4 + 8 + 16), "{fib}");
}

#[test]
fn a_function_with_a_loop_is_not_inlined_into_itself() {
    let program = "
        fn tree(n: int) -> int {
            var sum = 1
            for i in 0..n { sum += tree(i) }
            return sum
        }
        print(tree(5))";
    assert_eq!(count(&after("build", "tree", program), "call"), 1);
}

#[test]
fn an_early_return_comes_before_the_call() {
    let mut long = String::new();
    for at in 0..40 {
        write!(long, "s = s * 31 + {at}\n s ^= s >> 3\n g += s\n").expect("strings take all text");
    }
    let program = format!(
        "var g = 0
         fn work(n: int) -> int {{
             if n == 0 {{ return 7 }}
             var s = n
             {long}
             return s
         }}
         fn f(n: int) -> int {{ return work(n) }}
         print(f(0), f(1))"
    );
    let f = after("sweep", "f", &program);
    assert_eq!((count(&f, "ieq"), count(&f, "branch"), count(&f, "call")), (1, 1, 1), "{f}");
}

#[test]
fn calls_of_known_function_values_are_calls() {
    let program = "
        fn twice(f: fn(int) -> int, x: int) -> int { return f(f(x)) }
        fn inc(x: int) -> int { return x + 1 }
        fn f(n: int) -> int { return twice(inc, n) }
        print(f(3))";
    let f = after("simplify", "f", program);
    assert_eq!((count(&f, "call"), f.matches("call_indirect").count(), count(&f, "iadd")), (0, 0, 2), "{f}");
    assert_eq!(after("simplify", "twice", program).matches("call_indirect").count(), 2);
}

/// Number of allocations left in a function after scalar replacement.
fn allocations(body: &str) -> usize {
    let program = format!(
        "struct P {{ x: int, y: int }}
         struct Q {{ p: P, b: byte }}
         var g = P(x: 0, y: 0)
         fn f(n: int) -> int {{
             {body}
         }}
         print(f(3))"
    );
    let text = after("scalar-replace", "f", &program);
    ["new_record", "new_array", "array_of"].iter().map(|word| text.matches(word).count()).sum()
}

#[test]
fn objects_that_nothing_else_sees_become_values() {
    for body in [
        "let p = P(x: n, y: 2)\n return p.x + p.y",
        // A field is written, also in a branch and in a loop.
        "let p = P(x: n, y: 2)\n if n > 2 { p.x = 5 }\n return p.x",
        "let p = P(x: n, y: 2)\n for i in 0..n { p.x += i\n p.y -= p.x }\n return p.x * p.y",
        // A new object in each iteration, made from the previous one.
        "var p = P(x: n, y: 2)\n for i in 0..n { p = P(x: p.y, y: p.x + i) }\n return p.x",
        // One of two objects.
        "let p = if n > 2 { P(x: n, y: 2) } else { P(x: 1, y: n) }\n return p.x - p.y",
        // An object in a field of another.
        "let q = Q(p: P(x: n, y: 2), b: n)\n return q.p.y + q.b",
        // Short arrays.
        "let a = [n, 2, 3]\n a[1] = a[0] + len(a)\n return a[1] + a[2]",
        "let a = [n; 3]\n a[0] += 1\n return a[0] + a[2]",
    ] {
        assert_eq!(allocations(body), 0, "{body}");
    }
}

#[test]
fn objects_that_are_seen_stay() {
    for body in [
        "let p = P(x: n, y: 2)\n g = p\n return p.x",
        "var p = P(x: n, y: 2)\n let before = p\n if n > 2 { p = P(x: 1, y: 1) }\n p.x = 7\n return before.x",
        "var p = g\n if n > 2 { p = P(x: 1, y: 1) }\n return p.x",
        "let p = P(x: n, y: 2)\n print(p)\n return p.x",
        "let a = [n, 2, 3]\n return a[n & 1]",
    ] {
        assert!(allocations(body) > 0, "{body}");
    }
}
