//! `--replay`: the same versions at the same points, as advice says; no sampling, no deciding.
//!
//! In: [`Advice`], and what a [`Controller`](crate::Controller) is told of ticks and compilations. Out: the actions of the run
//! that the advice is of. A step is due when as many ticks were taken as when it was recorded, and its function has been declared; steps
//! keep their order, so one that has to wait holds up those after it. Steps about functions that have another body, or
//! that the program does not have, are left out.
//! Invariant: a compilation means the same compilation as in the advice.

use std::collections::{BTreeMap, BTreeSet};

use holloway_ir::{Block, FuncRef};
use holloway_jit::{Tier, VersionId};

use crate::action::{Action, CompilationId, CompilationRequest};
use crate::advice::{Advice, AdviceError, Change, Step};
use crate::advice_check::check_functions;
use crate::event::{CompileEnd, CompileStart, Event, Installed, Kind, Osr, Refused, Subject, Thread, What};
use crate::input::{BodyHash, CompileOutcome, FunctionInfo, Micros, Tick};
use crate::observation::{Observation, Policy};

/// Follows advice.
#[derive(Clone, Debug)]
pub struct ReplayController {
    steps: Vec<Step>,
    next: usize,
    ticks: u64,
    functions: BTreeMap<FuncRef, FunctionInfo>,
    by_body: BTreeMap<(String, BodyHash), FuncRef>,
    /// The versions of the advice, by their compilations.
    versions: BTreeMap<CompilationId, VersionId>,
    /// The version of its first call, of each function.
    first: BTreeMap<FuncRef, VersionId>,
    /// Compilations under way: nothing else is done before they are in use.
    waiting: Option<CompilationId>,
    /// Functions that the advice is about and that have another body in this program, by their names.
    unfit: BTreeMap<String, FuncRef>,
    /// Functions that the advice is about and that this program does not have.
    missing: BTreeSet<String>,
    /// Activations that came to each version by on-stack replacement.
    arrivals: BTreeMap<VersionId, u64>,
    events: Vec<Event>,
}

impl Policy for ReplayController {
    fn observe(&mut self, now: Micros, observation: Observation) -> Vec<Action> {
        match observation {
            Observation::Declared { func, info } => {
                self.declare(func, info);
                Vec::new()
            }
            Observation::Tick(tick) => self.tick(now, tick),
            Observation::Compiled { compilation, result } => self.on_compiled(now, compilation, result),
            Observation::Installed { compilation, version } => self.installed(now, compilation, version),
            Observation::Refused { compilation, reason } => self.refused(now, compilation, &reason),
            Observation::Osr { from, to, header } => {
                self.osr(now, from, to, header);
                Vec::new()
            }
            Observation::Reinstalled(_)
            | Observation::WindowFull(_)
            | Observation::Profile { .. }
            | Observation::Guards { .. }
            | Observation::Missed { .. }
            | Observation::Progress(_)
            | Observation::Freed(_) => Vec::new(),
        }
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }
}

impl ReplayController {
    /// Follows that advice.
    pub fn new(advice: Advice) -> Self {
        Self {
            steps: advice.steps,
            next: 0,
            ticks: 0,
            functions: BTreeMap::new(),
            by_body: BTreeMap::new(),
            versions: BTreeMap::new(),
            first: BTreeMap::new(),
            waiting: None,
            unfit: BTreeMap::new(),
            missing: BTreeSet::new(),
            arrivals: BTreeMap::new(),
            events: Vec::new(),
        }
    }

    /// Why steps could not be followed, a reason for each function: it has another body, or is none of those that the
    /// program has.
    pub fn unfit(&self) -> Vec<AdviceError> {
        let missing = self.missing.iter().map(|name| AdviceError::NoFunction(name.clone(), self.steps_about(name)));
        let others = self.unfit.keys().map(|name| AdviceError::OtherBody(name.clone(), self.steps_about(name)));
        others.chain(missing).collect()
    }

    fn steps_about(&self, name: &str) -> usize {
        self.steps.iter().filter(|step| step.function == name).count()
    }

    /// Takes the names of the program's functions. Refuses advice about numbers of functions that it does not have.
    pub fn take_program(&mut self, names: &[String]) -> Result<(), AdviceError> {
        let has: BTreeSet<&String> = names.iter().collect();
        self.missing =
            self.steps.iter().map(|step| &step.function).filter(|name| !has.contains(name)).cloned().collect();
        check_functions(&self.steps, names.len())
    }

    /// True iff a function was declared.
    pub fn knows(&self, func: FuncRef) -> bool {
        self.functions.contains_key(&func) || self.unfit.values().any(|unfit| *unfit == func)
    }

    /// A function, before its first tick. Advice about one of that name with another body is no advice for this program.
    fn declare(&mut self, func: FuncRef, info: FunctionInfo) {
        self.unfit.retain(|_, unfit| *unfit != func);
        let mut named = self.steps.iter().filter(|step| step.function == info.name).peekable();
        if named.peek().is_some() && !named.any(|step| step.hash == info.hash) {
            self.unfit.insert(info.name, func);
            return;
        }
        self.by_body.insert((info.name.clone(), info.hash), func);
        self.functions.insert(func, info);
    }

    /// The version that a function had at its first call.
    fn first_version(&mut self, func: FuncRef, version: VersionId) {
        self.first.entry(func).or_insert(version);
    }

    /// A tick was taken.
    fn tick(&mut self, now: Micros, tick: Tick) -> Vec<Action> {
        self.ticks += 1;
        if tick.tier == Tier::Baseline {
            self.first_version(tick.func, tick.version);
        }
        self.go_on(now)
    }

    /// A compilation ended.
    fn on_compiled(
        &mut self,
        now: Micros,
        compilation: CompilationId,
        result: Result<CompileOutcome, String>,
    ) -> Vec<Action> {
        let Some((func, plan, entry_line)) = self.subject_of(compilation) else {
            return vec![Action::Discard(compilation)];
        };
        match result {
            Ok(outcome) => {
                let end = CompileEnd {
                    compilation,
                    plan,
                    entry_line,
                    micros: outcome.micros,
                    estimate: outcome.micros.as_f64(),
                    ir_size: outcome.ir_size,
                    code_bytes: outcome.code_bytes,
                    inlined: outcome.inlined,
                    guarded: outcome.guarded,
                    parts: outcome.parts,
                };
                self.emit(now, func, None, None, What::CompileEnd(end));
                vec![Action::Install(compilation)]
            }
            Err(reason) => self.refused(now, compilation, &reason),
        }
    }

    /// A version is in use.
    fn installed(&mut self, now: Micros, compilation: CompilationId, version: VersionId) -> Vec<Action> {
        self.versions.insert(compilation, version);
        self.waiting = None;
        if let Some((func, plan, entry_line)) = self.subject_of(compilation) {
            let installed = Installed { compilation: Some(compilation), entry_line, waited: Micros(0) };
            self.emit(now, func, Some((version, plan)), None, What::Installed(installed));
        }
        self.go_on(now)
    }

    /// Takes note that what the advice says cannot be had. The rest is followed, but for what depends on it.
    fn refused(&mut self, now: Micros, compilation: CompilationId, reason: &str) -> Vec<Action> {
        self.waiting = None;
        if let Some((func, plan, _)) = self.subject_of(compilation) {
            self.emit(now, func, None, None, What::Refused(Refused { plan, reason: reason.to_owned() }));
        }
        self.go_on(now)
    }

    /// On-stack replacement of a running activation.
    fn osr(&mut self, now: Micros, from: VersionId, to: VersionId, header: Block) {
        let compilation_of = |version| self.versions.iter().find(|(_, known)| **known == version).map(|(id, _)| *id);
        let Some((func, kind, _)) = compilation_of(to).and_then(|compilation| self.subject_of(compilation)) else {
            return;
        };
        let from_tier = compilation_of(from).and_then(|compilation| self.subject_of(compilation));
        let from_tier = from_tier.map_or(Kind::Baseline, |(_, kind, _)| kind);
        let count = self.arrivals.entry(to).or_default();
        *count += 1;
        let count = *count;
        if count <= 4 || count.is_power_of_two() {
            let what = What::Osr(Osr { from: from.0, from_tier, count });
            self.emit(now, func, Some((to, kind)), Some(header), what);
        }
    }

    /// Number of steps of the advice that are still to be done.
    #[cfg(test)]
    pub fn steps_left(&self) -> usize {
        self.steps.len() - self.next
    }

    /// Does what is due.
    fn go_on(&mut self, now: Micros) -> Vec<Action> {
        let mut actions = Vec::new();
        while self.waiting.is_none()
            && let Some(step) = self.steps.get(self.next)
            && step.tick <= self.ticks
        {
            match self.by_body.get(&(step.function.clone(), step.hash)).copied() {
                Some(func) => {
                    let change = step.change.clone();
                    actions.extend(self.action(now, func, &change));
                }
                None if self.unfit.contains_key(&step.function) || self.missing.contains(&step.function) => {}
                None => break,
            }
            self.next += 1;
        }
        actions
    }

    fn action(&mut self, now: Micros, func: FuncRef, change: &Change) -> Option<Action> {
        let version = |compilation: &Option<CompilationId>| match compilation {
            Some(compilation) => self.versions.get(compilation).copied(),
            None => self.first.get(&func).copied(),
        };
        match change {
            Change::Drop(compilation) => version(compilation).map(Action::Drop),
            Change::Retire(compilation) => version(compilation).map(Action::Retire),
            Change::Reinstall(compilation) => version(compilation).map(Action::Reinstall),
            Change::Compile(compile) => {
                let compilation = compile.compilation;
                self.waiting = Some(compilation);
                let (entry, plan) = (compile.entry(), compile.plan.clone());
                let (progress, chance) = (None, None);
                let request = CompilationRequest { compilation, func, entry, plan, progress, chance };
                let (_, plan, entry_line) = self.subject_of(compilation).expect("it is in the advice");
                let ir_size = self.functions[&func].size;
                let why = "the advice says so".to_owned();
                let start = CompileStart { compilation, plan, entry_line, why, ir_size, estimate: 0.0 };
                self.emit(now, func, None, None, What::CompileStart(start));
                Some(Action::Compile(request))
            }
        }
    }

    /// The function of a compilation in the advice, the kind of its code, and the line of its entry.
    fn subject_of(&self, compilation: CompilationId) -> Option<(FuncRef, Kind, Option<u32>)> {
        self.steps.iter().find_map(|step| match &step.change {
            Change::Compile(compile) if compile.compilation == compilation => {
                let func = self.by_body.get(&(step.function.clone(), step.hash)).copied()?;
                let kind = Kind::of(&compile.plan);
                let info = &self.functions[&func];
                let line = info.loop_line(compile.header);
                Some((func, kind, line))
            }
            Change::Compile(_) | Change::Drop(_) | Change::Retire(_) | Change::Reinstall(_) => None,
        })
    }

    fn emit(&mut self, now: Micros, func: FuncRef, version: Option<(VersionId, Kind)>, at: Option<Block>, what: What) {
        let info = &self.functions[&func];
        let subject = Subject {
            function: Some(info.name.clone()),
            file: Some(info.file.clone()),
            line: Some(info.line),
            loop_line: info.loop_line(at),
            callee: None,
            version: version.map(|(version, _)| version.0),
            tier: version.map(|(_, kind)| kind),
        };
        self.events.push(Event { time: now, thread: Thread::Program, subject, what });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{CodePlan, Entry, Window};
    use crate::advice::CompiledVersion;
    use crate::gain::Estimate;
    use crate::test_proposal::of_paths;
    use holloway_ir::Local;
    use std::sync::Arc;

    fn info(name: &str, hash: u64) -> FunctionInfo {
        let (name, file) = (name.to_owned(), "walk.hw".to_owned());
        FunctionInfo { name, file, line: 3, size: 70, loops: Vec::new(), hash: BodyHash(hash) }
    }

    fn trace() -> CodePlan {
        let paths = vec![[2, 4, 5].map(Block::from_u32).to_vec(), [2, 3, 5].map(Block::from_u32).to_vec()];
        let mut proposal = of_paths(paths, Estimate { coverage: 0.9, cost: 1.5, general_cost: 2.25 });
        proposal.traces.spec.constants = vec![(Local::from_u32(1), -7)];
        proposal.callee = Some(FuncRef::from_u32(3));
        CodePlan::Specialized(vec![Arc::new(proposal)])
    }

    fn advice() -> Advice {
        let walk = info("walk", 0xabc);
        let step = |tick, change| Step::new(tick, &walk, change);
        let compile =
            |id, entry, plan: &CodePlan| Change::Compile(CompiledVersion::new(CompilationId(id), entry, plan));
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
            let mut pending = replay.tick(Micros(number), tick);
            while !pending.is_empty() {
                let action = pending.remove(0);
                log.push(format!("{number} {action:?}"));
                match action {
                    Action::Compile(request) => {
                        let outcome = CompileOutcome { micros: Micros(5), code_bytes: 9, ..CompileOutcome::default() };
                        pending.extend(replay.on_compiled(Micros(number), request.compilation, Ok(outcome)));
                    }
                    Action::Install(compilation) => {
                        pending.extend(replay.installed(Micros(number), compilation, VersionId(200 + compilation.0)));
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
                refusal(&text.replace("\"format\":5", "\"format\":1")),
                refusal(&text.replace("\"hash\":\"0000000000000abc\"", "\"hash\":\"xyz\"")),
                refusal(&text.replace("\"paths\":[[2,4,5],[2,3,5]]", "\"paths\":[]")),
                refusal(&text.replace("\"unroll\":1", "\"unroll\":100000")),
                refusal(&text.replace("\"tick\":4", "\"tick\":2")),
                refusal(
                    &text
                        .replace("{\"do\":\"retire\"", "{\"do\":\"eat\"")
                        .replace("\"do\":\"retire\"", "\"do\":\"eat\"")
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
        let is_other = "the advice is about another version of `walk`, so 7 of its steps are left out; record it again with --advice";
        for _ in 0..3 {
            replay.observe(Micros(1), Observation::Declared { func: walk, info: info("walk", 0xabd) });
            assert!(replay.knows(walk), "it is declared once");
            assert_eq!(refusals(&replay), [is_other]);
        }
        replay.observe(Micros(1), Observation::Declared { func: other, info: info("other", 1) });
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
        (0..9).for_each(|now| assert_eq!(replay.tick(Micros(now), tick), []));
        assert_eq!(replay.steps_left(), 0, "what cannot be followed holds up nothing");
        replay.observe(Micros(1), Observation::Declared { func: walk, info: info("walk", 0xabc) });
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
}
