//! Refuses advice that no run makes: whoever follows what passes asks for no version that is gone. A version is in use
//! from its compilation or reinstatement until it is retired, dropped, or replaced at its entry; replaced, it may be
//! freed at the next tick. The version of a first call may be any of several, and is not followed here.

use std::collections::BTreeMap;

use cranelift_entity::EntityRef;
use holloway_ir::Block;

use crate::advice::{AdviceError, Change, CompiledVersion, Step};
use crate::{Advice, CodePlan, CompilationId, Window};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VersionState {
    InUse,
    /// Another came into use at its entry, in that tick.
    Replaced(u64),
    Retired,
    Dropped,
}

struct Version<'a> {
    function: &'a str,
    header: Option<Block>,
    state: VersionState,
}

#[derive(Default)]
struct Versions<'a> {
    compiled: BTreeMap<CompilationId, Version<'a>>,
    /// By function and entry, the version that came into use there last.
    latest: BTreeMap<(&'a str, Option<Block>), CompilationId>,
}

impl Advice {
    /// Refuses steps that no run makes.
    pub(crate) fn check(&self) -> Result<(), AdviceError> {
        let mut versions = Versions::default();
        let mut before = 0;
        for (at, step) in self.steps.iter().enumerate() {
            let damaged = |reason: &str| AdviceError::Damaged(format!("step {}: {reason}", at + 1));
            if step.tick < before {
                return Err(damaged("it is earlier than the step before it"));
            }
            before = step.tick;
            versions.take(step.tick, &step.function, &step.change).map_err(damaged)?;
        }
        Ok(())
    }
}

/// Refuses numbers of functions that a program of so many does not have.
pub(crate) fn check_functions(steps: &[Step], functions: usize) -> Result<(), AdviceError> {
    for (at, step) in steps.iter().enumerate() {
        let Change::Compile(compile) = &step.change else { continue };
        if let Some(unknown) = compile.plan.callees().find(|function| function.index() >= functions) {
            let number = unknown.index();
            let reason = format!("step {}: the program has no function with the number {number}", at + 1);
            return Err(AdviceError::Damaged(reason));
        }
    }
    Ok(())
}

impl<'a> Versions<'a> {
    /// Takes a step; the error is why no run makes it.
    fn take(&mut self, tick: u64, function: &'a str, change: &Change) -> Result<(), &'static str> {
        use VersionState::{Dropped, InUse, Replaced, Retired};
        let (compilation, to) = match change {
            Change::Compile(compile) => {
                if self.compiled.contains_key(&compile.compilation) {
                    return Err("its compilation id was used before");
                }
                compile.check()?;
                let version = Version { function, header: compile.header, state: InUse };
                self.compiled.insert(compile.compilation, version);
                self.replace(tick, compile.compilation);
                return Ok(());
            }
            Change::Enter(_) => return Ok(()),
            Change::Drop(compilation) => (compilation, Dropped),
            Change::Retire(compilation) => (compilation, Retired),
            Change::Reinstall(compilation) => (compilation, InUse),
        };
        let Some(compilation) = *compilation else { return Ok(()) };
        let version = self.compiled.get_mut(&compilation).ok_or("the version it is about was not compiled")?;
        if version.function != function {
            return Err("the version it is about is one of another function");
        }
        match (version.state, to) {
            (Dropped, _) => return Err("the version it is about was dropped before"),
            (Replaced(at), Retired) if at < tick => return Err("the version it is about was replaced before"),
            (Retired, Retired) => return Err("the version it is about was retired before"),
            (InUse | Replaced(_), InUse) => return Err("the version it is about was not retired"),
            (InUse | Replaced(_) | Retired, _) => version.state = to,
        }
        if to == InUse {
            self.replace(tick, compilation);
        }
        Ok(())
    }

    /// A version came into use: the one at the same entry is replaced.
    fn replace(&mut self, tick: u64, by: CompilationId) {
        let Version { function, header, .. } = self.compiled[&by];
        let before = self.latest.insert((function, header), by).filter(|before| *before != by);
        let before = before.and_then(|before| self.compiled.get_mut(&before));
        if let Some(before) = before.filter(|before| before.state == VersionState::InUse) {
            before.state = VersionState::Replaced(tick);
        }
    }
}

impl CompiledVersion {
    /// Refuses code that no run asks for.
    fn check(&self) -> Result<(), &'static str> {
        match &self.plan {
            CodePlan::Profiled(Window { k: 0, .. } | Window { executions: 0, .. }) => {
                Err("its window has no executions")
            }
            CodePlan::Optimized | CodePlan::Profiled(_) => Ok(()),
            CodePlan::Specialized(loops) if loops.is_empty() => Err("it specializes no loop"),
            CodePlan::Specialized(loops) => loops.iter().find_map(|one| one.fault()).map_or(Ok(()), Err),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The refusal of some steps of one function, each a tick, an action and its content.
    fn refusal(steps: &[(u64, &str, &str)]) -> String {
        let step = |(tick, action, what): &(u64, &str, &str)| {
            format!(r#"{{"tick":{tick},"function":"f","hash":"8c2e72820bdf92f2","do":"{action}","what":{what}}}"#)
        };
        let steps: Vec<String> = steps.iter().map(step).collect();
        let text = format!(r#"{{"format":6,"steps":[{}]}}"#, steps.join(","));
        let read = Advice::parse(&text).and_then(|advice| check_functions(&advice.steps, 2));
        read.err().map(|error| error.to_string().replace("this is no advice: ", "")).unwrap_or_default()
    }

    const AT_CALLS: &str = r#"{"compilation":0,"header":null,"plan":{"kind":"optimized"}}"#;
    const AT_CALLS_AGAIN: &str = r#"{"compilation":1,"header":null,"plan":{"kind":"optimized"}}"#;
    const AT_A_LOOP: &str = r#"{"compilation":1,"header":1,"plan":{"kind":"optimized"}}"#;

    #[test]
    fn steps_of_runs_are_taken() {
        let compiled = (1, "compile", AT_CALLS);
        let replaced = [compiled, (2, "compile", AT_CALLS_AGAIN)];
        for steps in [
            &[compiled, (1, "drop", "null"), (3, "drop", "null")][..],
            &[compiled, (2, "retire", "0"), (3, "reinstall", "0"), (4, "retire", "0"), (5, "drop", "0")],
            &[compiled, (2, "compile", AT_A_LOOP), (3, "retire", "0"), (3, "retire", "1")],
            &[replaced[0], replaced[1], (2, "retire", "0"), (9, "reinstall", "0"), (9, "drop", "1")],
            &[replaced[0], replaced[1], (7, "drop", "0")],
        ] {
            assert_eq!(refusal(steps), "", "{steps:?}");
        }
    }

    #[test]
    fn steps_that_no_run_makes_are_refused() {
        let compiled = (1, "compile", AT_CALLS);
        let replaced = (2, "compile", AT_CALLS_AGAIN);
        let of = |steps: &[(u64, &str, &str)]| refusal(&[&[compiled], steps].concat());
        assert_eq!(of(&[(0, "drop", "0")]), "step 2: it is earlier than the step before it");
        assert_eq!(of(&[compiled]), "step 2: its compilation id was used before");
        assert_eq!(of(&[(1, "drop", "7")]), "step 2: the version it is about was not compiled");
        let twice = [(2, "drop", "0"), (3, "drop", "0")];
        assert_eq!(of(&twice), "step 3: the version it is about was dropped before");
        assert_eq!(of(&[twice[0], (2, "retire", "0")]), "step 3: the version it is about was dropped before");
        assert_eq!(of(&[twice[0], (2, "reinstall", "0")]), "step 3: the version it is about was dropped before");
        assert_eq!(of(&[(2, "reinstall", "0")]), "step 2: the version it is about was not retired");
        let retired = (2, "retire", "0");
        assert_eq!(of(&[retired, retired]), "step 3: the version it is about was retired before");
        assert_eq!(of(&[replaced, (3, "retire", "0")]), "step 3: the version it is about was replaced before");
        assert_eq!(of(&[replaced, (3, "reinstall", "0")]), "step 3: the version it is about was not retired");
        // A reinstated version replaces another, too.
        let turns = [replaced, retired, (3, "reinstall", "0"), (4, "retire", "1")];
        assert_eq!(of(&turns), "step 5: the version it is about was replaced before");
        let other = r#"{"format":6,"steps":[
            {"tick":1,"function":"f","hash":"8c2e72820bdf92f2","do":"compile","what":{"compilation":0,"header":null,"plan":{"kind":"optimized"}}},
            {"tick":2,"function":"g","hash":"8c2e72820bdf92f2","do":"drop","what":0}]}"#;
        let refused = Advice::parse(other).unwrap_err().to_string();
        assert_eq!(refused, "this is no advice: step 2: the version it is about is one of another function");
    }

    #[test]
    fn code_that_no_run_asks_for_is_refused() {
        let of = |content: &str| refusal(&[(1, "compile", &format!(r#"{{"compilation":0,"header":null,{content}}}"#))]);
        let window = |k: u64, executions: u64, callee: u32| {
            format!(r#""plan":{{"kind":"profiled","of":{{"k":{k},"executions":{executions},"callees":[{callee}]}}}}"#)
        };
        assert_eq!(of(&window(8, 1, 1)), "");
        assert_eq!(of(&window(8, 0, 1)), "step 1: its window has no executions");
        assert_eq!(of(&window(0, 1, 1)), "step 1: its window has no executions");
        assert_eq!(of(&window(8, 1, 77)), "step 1: the program has no function with the number 77");
    }
}
