//! A function as the adaptive system is told of it: its loops, and the branches in which iterations may differ.

use holloway::{Config, Engine};
use holloway_aos::{FunctionInfo, differs_by_trips, input::LoopInfo};

/// Loops of a function, outer ones first.
fn loops(body: &str) -> Vec<LoopInfo> {
    let source = format!(
        "fn f(a: [int], n: int) -> int {{ var s = 0\n for i in 0..n {{ {body} }}\n return s }} print(f([1, 2], 2))"
    );
    let mut engine = Engine::new(Config::default()).expect("an engine");
    engine.load("f.hw", &source).unwrap_or_else(|error| panic!("{source}: {error:?}"));
    let func = engine.function_named("f").expect("it is there");
    FunctionInfo::of(engine.module(), engine.sources(), func).loops
}

#[test]
fn choices_are_the_values_that_one_local_is_compared_with() {
    let choices = |body: &str| loops(body).iter().map(|found| found.choices).collect::<Vec<u32>>();
    assert_eq!(choices("match a[i] { 0 => { s += 1 } 1 => { s += 2 } 5 => { s += 3 } _ => { s += 4 } }"), [3]);
    let chain = "let op = a[i]; if op == 0 { s += 1 } else if op == 1 { s += 2 } else if op == 5 { s += 3 }";
    assert_eq!(choices(chain), [3]);
    assert_eq!(choices(&format!("for j in 0..2 {{ {chain} }}")), [0, 3], "inner loops have their own");
    assert_eq!(choices("if a[i] == 1 { s += 1 }; if s == 2 { s += 2 }"), [1], "of one local");
    assert_eq!(choices("if s == i { s += 1 } else if s < 3 { s += 2 }"), [0]);
}

#[test]
fn trips_vary_unless_a_counter_goes_to_what_stays() {
    let varies = |inner: &str| {
        let loops = loops(inner);
        let outer = loops.iter().find(|found| found.parent.is_none()).expect("there is one");
        differs_by_trips(&loops, outer)
    };
    assert!(!varies("for j in 0..8 { s += j }"));
    assert!(!varies("for j in 0..n { s += a[j] }"));
    assert!(varies("for j in 0..a[i] { s += j }"));
    assert!(varies("var k = a[i]; while s % 7 < k { s += 1 }"));
    assert!(!varies("if i == 3 { s += 1 }; for j in 0..a[i] { s += j }"), "it differs by itself");
    assert!(!varies("s += i"));
}

#[test]
fn branches_of_small_callees_are_the_loops() {
    let source = "fn g(x: int) -> int { if x > 3 { return 1 }\n return x }
        fn f(n: int) -> int { var s = 0\n for i in 0..n { s += g(i) }\n return s } print(f(2))";
    let mut engine = Engine::new(Config::default()).expect("an engine");
    engine.load("f.hw", source).unwrap_or_else(|error| panic!("{source}: {error:?}"));
    let func = engine.function_named("f").expect("it is there");
    let (module, sources) = (engine.module(), engine.sources());
    let expanded = holloway_jit::expand::expand(module, func).expect("its call is expanded");
    let [plain, whole] =
        [module.function(func), &expanded.body].map(|body| FunctionInfo::expanded(module, sources, func, body));
    assert_eq!((plain.loops[0].branches, whole.loops[0].branches), (0, 1));
    assert_eq!((plain.loops[0].header, plain.size), (whole.loops[0].header, whole.size));
    assert_ne!(plain.hash, whole.hash, "advice is about the callee's body, too");
}
