//! Trivial functions of programs that are recompiled start in optimized code, with their callees in it.
//!
//! In: a program with chains of calls. Out: the tier of each function's code, if it has some. Invariant: nothing here depends on time.

use super::common::{captured, counted, loaded, seen};
use holloway::internals::Executor;
use holloway::{Adaptive, Config, TierChoice};
use holloway_aos::Parts;
use holloway_jit::Tier;

/// `straight` calls a chain of two functions, `twice` has two calls, and below `branches` is one.
const PROGRAM: &str = "
fn leaf(x: int) -> int { return x + 1 }
fn middle(x: int) -> int { return leaf(x) * 2 }
fn straight(x: int) -> int { return middle(x) - 3 }
fn twice(x: int) -> int { return x + other(x) + other(x) }
fn other(x: int) -> int { return x * 3 }
fn branches(x: int) -> int { return choice(x) + 1 }
fn choice(x: int) -> int {
    if x > 3 { return x }
    return 0
}
print(straight(1) + twice(2) + branches(3))
";

/// The tiers of the functions of a program that have code, with their names.
fn tiers(tier: TierChoice, program: &str, prints: &str) -> Vec<(String, Tier)> {
    let session = (tier == TierChoice::Auto).then(|| Adaptive(counted(Parts::NONE)));
    let mut engine = loaded(Config { adaptive: session, ..captured(tier, &[]) }, program);
    assert_eq!(seen(&mut engine).0, prints);
    let Executor::Compiled(machine) = engine.executor() else { unreachable!("{tier:?} compiles") };
    let tier = |func| machine.code.version(func).map(|version| version.tier);
    let named = |(func, decl): (_, &holloway_lang::ir::module::FuncDecl)| Some((decl.body.name.clone(), tier(func)?));
    let mut tiers: Vec<_> = engine.module().funcs.iter().filter_map(named).collect();
    tiers.sort();
    tiers
}

#[test]
fn a_trivial_function_is_optimized_with_its_callees_at_its_first_call() {
    let of = |tier: Tier| {
        let compiled = tiers(TierChoice::Auto, PROGRAM, "16\n").into_iter().filter(|(_, compiled)| *compiled == tier);
        compiled.map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(of(Tier::Optimized), ["straight"], "its callees need no code");
    assert_eq!(of(Tier::Baseline), ["branches", "choice", "other", "program.hw", "twice"]);
}

#[test]
fn a_tier_that_is_chosen_is_that_of_all_functions() {
    assert!(tiers(TierChoice::Baseline, PROGRAM, "16\n").iter().all(|(_, tier)| *tier == Tier::Baseline));
}

/// A chain of functions that branch, of which the last returns what it is passed, and a call of the first.
fn chain(many: usize) -> String {
    let link = |at: usize| {
        format!("fn f{at}(x: int) -> int {{\n    if x % 3 == 0 {{ return x }}\n    return f{}(x * 3 + 1)\n}}\n", at + 1)
    };
    let links: String = (0..many).map(link).collect();
    format!("{links}fn f{many}(x: int) -> int {{ return x }}\nprint(f0(1))\n")
}

#[test]
fn a_long_chain_of_short_functions_is_optimized_at_its_first_call() {
    let tier_of_first = |many: usize| {
        let value = (0..many).fold(1_i64, |x, _| x * 3 + 1);
        let tiers = tiers(TierChoice::Auto, &chain(many), &format!("{value}\n"));
        tiers.into_iter().find(|(name, _)| name == "f0").expect("it was called").1
    };
    assert_eq!(tier_of_first(30), Tier::Optimized);
    assert_eq!(tier_of_first(5), Tier::Baseline);
}
