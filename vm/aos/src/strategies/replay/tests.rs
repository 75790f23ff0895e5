//! Advice that is followed, step by step.

use super::*;
use crate::action::{CodePlan, Entry, Window};
use crate::advice::CompiledVersion;
use crate::gain::Estimate;
use crate::test_proposal::of_paths;
use holloway_ir::{Block, Local};
use std::sync::Arc;

fn info(name: &str, hash: u64) -> FunctionInfo {
    let (name, file) = (name.to_owned(), "walk.hw".to_owned());
    FunctionInfo { name, file, line: 3, size: 70, loops: Vec::new(), is_optimized: false, hash: BodyHash(hash) }
}

fn trace() -> CodePlan {
    let paths = vec![[2, 4, 5].map(Block::from_u32).to_vec(), [2, 3, 5].map(Block::from_u32).to_vec()];
    let mut proposal = of_paths(paths, Estimate { coverage: 0.9, cost: 1.5, general_cost: 2.25 });
    proposal.spec.constants = vec![(Local::from_u32(1), -7)];
    proposal.callee = Some(FuncRef::from_u32(3));
    CodePlan::Specialized(vec![Arc::new(proposal)])
}

fn advice() -> Advice {
    let walk = info("walk", 0xabc);
    let step = |tick, change| Step::new(tick, &walk, change);
    let compile = |id, entry, plan: &CodePlan| Change::Compile(CompiledVersion::new(CompilationId(id), entry, plan));
    let window = CodePlan::Profiled(Window { k: 1_024, executions: 8_192, callees: Vec::new() });
    let at = Entry::Header(Block::from_u32(2));
    Advice::new(vec![
        step(1, compile(0, Entry::Call, &CodePlan::Optimized)),
        step(1, Change::Drop(None)),
        step(3, compile(1, at, &window)),
        step(3, Change::Retire(Some(CompilationId(0)))),
        step(4, compile(2, at, &trace())),
        step(6, Change::Drop(Some(CompilationId(2)))),
        step(6, Change::Reinstall(Some(CompilationId(0)))),
    ])
}

/// Runs advice; gives each action with the tick at which it came.
fn replay(advice: Advice) -> Vec<String> {
    let mut replay = ReplayController::new(advice);
    let func = FuncRef::from_u32(0);
    replay.declare(func, info("walk", 0xabc));
    let mut log = Vec::new();
    for number in 1..=8 {
        let (version, tier) = (VersionId(100), Tier::Baseline);
        let tick = Tick { func, version, tier, loop_header: None, inlined: None, caller: None, counted: None };
        let mut pending = replay.observe(Micros(number), Observation::Tick(tick));
        while !pending.is_empty() {
            let action = pending.remove(0);
            log.push(format!("{number} {action:?}"));
            match action {
                Action::Compile(request) => {
                    let outcome = CompileOutcome::default();
                    pending.extend(
                        replay.observe(Micros(number), Observation::Compiled(request.compilation, Ok(outcome))),
                    );
                }
                Action::Install(compilation) => {
                    pending.extend(
                        replay.observe(
                            Micros(number),
                            Observation::Installed(compilation, VersionId(200 + compilation.0)),
                        ),
                    );
                }
                _ => {}
            }
        }
    }
    assert_eq!(replay.steps_left(), 0);
    log
}

#[test]
fn the_steps_come_at_their_ticks() {
    let log = replay(advice());
    let short: Vec<&str> = log.iter().map(|line| line.split(" {").next().unwrap()).collect();
    assert_eq!(
        short,
        [
            "1 Compile(CompilationRequest",
            "1 Install(CompilationId(0))",
            "1 Drop(VersionId(100))",
            "3 Compile(CompilationRequest",
            "3 Install(CompilationId(1))",
            "3 Retire(VersionId(200))",
            "4 Compile(CompilationRequest",
            "4 Install(CompilationId(2))",
            "6 Drop(VersionId(202))",
            "6 Reinstall(VersionId(200))",
        ]
    );
}

#[test]
fn advice_reads_back_as_it_is_written() {
    let text = advice().to_json();
    assert_eq!(Advice::parse(&text), Ok(advice()));
    assert_eq!(text.lines().count(), advice().steps.len() + 2);
    assert_eq!(replay(Advice::parse(&text).unwrap()), replay(advice()));
    let nameless = Advice { host: None, ..advice() };
    assert!(!nameless.to_json().contains("host"));
    assert_eq!(Advice::parse(&nameless.to_json()), Ok(nameless));
    assert_eq!(Advice::parse(&Advice::new(Vec::new()).to_json()), Ok(Advice::new(Vec::new())));
}

#[test]
fn damaged_advice_is_refused_in_words() {
    let text = advice().to_json();
    let refusal = |text: &str| Advice::parse(text).unwrap_err().to_string();
    insta::assert_snapshot!(
        [
            refusal("{"),
            refusal(&text.replace("\"format\":6", "\"format\":1")),
            refusal(&text.replace("\"hash\":\"0000000000000abc\"", "\"hash\":\"xyz\"")),
            refusal(&text.replace("\"paths\":[[2,4,5],[2,3,5]]", "\"paths\":[]")),
            refusal(&text.replace("\"unroll\":1", "\"unroll\":100000")),
            refusal(&text.replace("\"tick\":4", "\"tick\":2")),
            refusal(
                &text.replace("{\"do\":\"retire\"", "{\"do\":\"eat\"").replace("\"do\":\"retire\"", "\"do\":\"eat\"")
            ),
        ]
        .join("\n")
    );
}

#[test]
fn advice_about_another_body_is_refused() {
    let mut replay = ReplayController::new(advice());
    let [walk, other] = [0, 1].map(FuncRef::from_u32);
    let refusals = |replay: &ReplayController| replay.unfit().iter().map(ToString::to_string).collect::<Vec<_>>();
    let is_other =
        "the advice is about another version of `walk`, so 7 of its steps are left out; record it again with --advice";
    for _ in 0..3 {
        replay.observe(Micros(1), Observation::Declared(walk, info("walk", 0xabd)));
        assert!(replay.knows(walk), "it is declared once");
        assert_eq!(refusals(&replay), [is_other]);
    }
    replay.observe(Micros(1), Observation::Declared(other, info("other", 1)));
    assert_eq!(refusals(&replay), [is_other]);
    let tick = Tick {
        func: walk,
        version: VersionId(100),
        tier: Tier::Baseline,
        loop_header: None,
        inlined: None,
        caller: None,
        counted: None,
    };
    (0..9).for_each(|now| assert_eq!(replay.observe(Micros(now), Observation::Tick(tick)), []));
    assert_eq!(replay.steps_left(), 0, "what cannot be followed holds up nothing");
    replay.observe(Micros(1), Observation::Declared(walk, info("walk", 0xabc)));
    assert_eq!(refusals(&replay), Vec::<String>::new(), "it has that body again");
}

#[test]
fn advice_about_functions_that_are_not_there_is_left_out() {
    let mut replay = ReplayController::new(advice());
    let refused = replay.take_program(&["other".to_owned()]).unwrap_err().to_string();
    assert_eq!(refused, "this is no advice: step 5: the program has no function with the number 3");
    let names = ["a", "b", "c", "d"].map(str::to_owned);
    assert_eq!(replay.take_program(&names), Ok(()));
    let missing = "the advice is about `walk`, which the program does not have, so 7 of its steps are left out";
    assert_eq!(replay.unfit().iter().map(ToString::to_string).collect::<Vec<_>>(), [missing]);
}
