//! The demonstration program: it compiles, it is formatted, and every tier runs it alike.

use holloway_lang::source::SourceMap;

use holloway::{Config, Engine, TierChoice};
use holloway_aos::{DEMO, FunctionInfo};
use holloway_runtime::Sink;

fn engine(tier: TierChoice, passes: u32) -> Engine {
    let args = vec![passes.to_string().into_bytes()];
    let config = Config { tier, output: Sink::Captured(Vec::new()), args, ..Config::default() };
    let mut engine = Engine::new(config).unwrap();
    engine.load("demo.hw", DEMO).unwrap();
    engine
}

#[test]
fn every_tier_runs_it_alike() {
    let printed = |tier| {
        let mut engine = engine(tier, 8);
        assert_eq!(engine.run().ok(), Some(0));
        String::from_utf8(engine.take_output()).unwrap()
    };
    assert_eq!(printed(TierChoice::Optimized), printed(TierChoice::Baseline));
    assert_eq!(printed(TierChoice::Optimized), printed(TierChoice::Interp));
}

#[test]
fn its_loop_is_one_that_is_worth_a_profile() {
    let engine = engine(TierChoice::Baseline, 1);
    let info =
        |sources: &SourceMap| FunctionInfo::of(engine.module(), sources, engine.function_named("calculate").unwrap());
    let info = info(engine.sources());
    assert_eq!((info.name.as_str(), info.file.as_str()), ("calculate", "demo.hw"));
    let [passes, rows] = info.loops.as_slice() else { panic!("{:?}", info.loops) };
    assert_eq!((passes.parent, rows.parent), (None, Some(passes.header)));
    assert!(DEMO.lines().nth(rows.line as usize - 1).unwrap().contains("while row < ROWS"), "{info:?}");
    assert!(rows.choices >= 8, "{info:?}");
}

#[test]
fn a_body_is_told_from_another() {
    let hash = |code: &str| {
        let mut engine = Engine::new(Config::default()).unwrap();
        engine.load("a.hw", code).unwrap();
        FunctionInfo::of(engine.module(), engine.sources(), engine.function_named("f").unwrap()).hash
    };
    assert_eq!(hash("fn f() -> int { return 1 }"), hash("\n// moved\nfn f() -> int { return 1 }"));
    assert_ne!(hash("fn f() -> int { return 1 }"), hash("fn f() -> int { return 2 }"));
}
