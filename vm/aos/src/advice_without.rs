//! Advice with some compilations left out: what would have been, had something else been decided. Without a version the
//! one before it stays until the next of its function comes; a profile whose outcome is left out found nothing.
//! Invariant: no step is about a compilation that is not there, and steps keep their order.

use crate::CompilationId;
use crate::advice::{Advice, Change, Step};
use crate::event::{DropReason, Kind};
use crate::input::BodyHash;
use std::collections::{BTreeMap, BTreeSet};

impl Advice {
    /// The compilations that came into use, in order.
    pub fn compilations(&self) -> impl Iterator<Item = CompilationId> {
        self.steps.iter().filter_map(|step| match &step.change {
            Change::Compile(compiled) => Some(compiled.compilation),
            Change::Drop(_) | Change::Retire(_) | Change::Reinstall(_) | Change::Enter(_) => None,
        })
    }

    /// The same without some compilations.
    pub fn without(&self, left_out: &BTreeSet<CompilationId>) -> Advice {
        let mut functions: BTreeMap<(&str, BodyHash), Counterfactual> = BTreeMap::new();
        let mut steps = Vec::new();
        for step in &self.steps {
            let function = functions.entry((step.function.as_str(), step.hash)).or_default();
            function.follow(step, left_out, &mut steps);
        }
        Advice { steps, ..self.clone() }
    }
}

/// A version: that of a compilation, or without one that of the first call.
type Version = Option<CompilationId>;

/// The versions of one function, as they are without those that are left out.
#[derive(Default)]
struct Counterfactual {
    /// Ends of versions that stay in use for the time being; `None` if the latest version is one of the run.
    staying: Option<Vec<Change>>,
    profiled: Vec<CompilationId>,
    retired: Vec<Version>,
    /// Versions that end sooner than in the run.
    ended: BTreeSet<CompilationId>,
}

impl Counterfactual {
    fn follow(&mut self, step: &Step, left_out: &BTreeSet<CompilationId>, steps: &mut Vec<Step>) {
        let is_gone = |version: &Version| version.is_some_and(|of| left_out.contains(&of));
        let same = |change: Change| Step { change, reason: None, ..step.clone() };
        match &step.change {
            Change::Compile(compiled) if left_out.contains(&compiled.compilation) => {
                let staying = self.staying.get_or_insert_default();
                for profiled in self.profiled.drain(..) {
                    self.ended.insert(profiled);
                    let dropped = same(Change::Drop(Some(profiled)));
                    steps.push(Step { reason: Some(DropReason::ProfileDone), ..dropped });
                }
                for version in self.retired.drain(..) {
                    steps.push(same(Change::Reinstall(version)));
                    staying.push(Change::Retire(version));
                }
            }
            Change::Compile(compiled) => {
                if Kind::of(&compiled.plan) == Kind::Profiled {
                    self.profiled.push(compiled.compilation);
                }
                steps.push(step.clone());
                steps.extend(self.end_staying(None).into_iter().map(same));
            }
            Change::Drop(Some(of)) | Change::Retire(Some(of)) | Change::Reinstall(Some(of)) if is_gone(&Some(*of)) => {}
            Change::Drop(Some(of)) if self.ended.contains(of) => {}
            Change::Drop(_) | Change::Retire(_) if self.staying.is_some() => {
                let staying = self.staying.get_or_insert_default();
                // A version that was to be retired anyhow, and is dropped by now, is only dropped.
                if let Change::Drop(version) = &step.change {
                    staying.retain(|end| *end != Change::Retire(*version));
                }
                staying.push(step.change.clone());
            }
            Change::Drop(version) => {
                self.profiled.retain(|profiled| Some(*profiled) != *version);
                steps.push(step.clone());
            }
            Change::Retire(version) => {
                if !self.profiled.is_empty() {
                    self.retired.push(*version);
                }
                steps.push(step.clone());
            }
            Change::Reinstall(version) => {
                // A version that stayed need not be reinstated.
                let stayed = self.staying.iter().flatten().any(|end| *end == Change::Retire(*version));
                if !stayed {
                    steps.push(step.clone());
                }
                steps.extend(self.end_staying(Some(*version)).into_iter().map(same));
            }
            Change::Enter(_) => steps.push(step.clone()),
        }
        if self.profiled.is_empty() {
            self.retired.clear();
        }
    }

    /// The ends that were put off until the next version, but for that of the version which is wanted.
    fn end_staying(&mut self, wanted: Option<Version>) -> Vec<Change> {
        let mut ends = self.staying.take().unwrap_or_default();
        ends.retain(|end| wanted.is_none_or(|version| *end != Change::Retire(version)));
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::CompiledVersion;
    use crate::{CodePlan, Entry, FunctionInfo, Window};

    fn step(tick: u64, name: &str, change: Change) -> Step {
        let (name, file) = (name.to_owned(), "walk.hw".to_owned());
        let info =
            FunctionInfo { name, file, line: 3, size: 70, loops: Vec::new(), is_optimized: false, hash: BodyHash(7) };
        Step::new(tick, &info, change)
    }

    fn compile(id: u32) -> Change {
        Change::Compile(CompiledVersion::new(CompilationId(id), Entry::Call, &CodePlan::Optimized))
    }

    fn profile(id: u32) -> Change {
        let window = CodePlan::Profiled(Window { k: 1_024, executions: 8_192, callees: Vec::new() });
        Change::Compile(CompiledVersion::new(CompilationId(id), Entry::Call, &window))
    }

    fn some(id: u32) -> Option<CompilationId> {
        Some(CompilationId(id))
    }

    /// The steps in short.
    fn told(advice: &Advice) -> Vec<String> {
        let short = |step: &Step| {
            let of = |of: &Option<CompilationId>| of.map_or("first".to_owned(), |of| of.0.to_string());
            let what = match &step.change {
                Change::Compile(compiled) => format!("compile {}", compiled.compilation.0),
                Change::Drop(version) => format!("drop {}", of(version)),
                Change::Retire(version) => format!("retire {}", of(version)),
                Change::Reinstall(version) => format!("reinstall {}", of(version)),
                Change::Enter(_) => "enter".to_owned(),
            };
            format!("{} {} {what}", step.tick, step.function)
        };
        advice.steps.iter().map(short).collect()
    }

    fn advice() -> Advice {
        Advice::new(vec![
            step(1, "walk", compile(0)),
            step(1, "walk", Change::Drop(None)),
            step(3, "walk", compile(1)),
            step(3, "walk", Change::Retire(some(0))),
            step(4, "run", compile(2)),
            step(4, "run", Change::Drop(None)),
            step(6, "walk", Change::Drop(some(1))),
            step(6, "walk", Change::Reinstall(some(0))),
        ])
    }

    fn without(ids: &[u32]) -> Vec<String> {
        told(&advice().without(&ids.iter().copied().map(CompilationId).collect()))
    }

    #[test]
    fn what_a_version_would_have_replaced_stays() {
        assert_eq!(without(&[]), told(&advice()));
        assert_eq!(without(&[1]), ["1 walk compile 0", "1 walk drop first", "4 run compile 2", "4 run drop first"]);
        assert_eq!(without(&[0, 1]), ["4 run compile 2", "4 run drop first"]);
    }

    #[test]
    fn what_stays_ends_with_the_next_version() {
        assert_eq!(
            without(&[0]),
            ["3 walk compile 1", "3 walk drop first", "4 run compile 2", "4 run drop first", "6 walk drop 1"]
        );
        assert_eq!(advice().compilations().map(|id| id.0).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn a_profile_whose_outcome_is_left_out_found_nothing() {
        let advice = Advice::new(vec![
            step(1, "walk", compile(0)),
            step(1, "walk", Change::Drop(None)),
            step(2, "walk", profile(1)),
            step(2, "walk", Change::Retire(some(0))),
            step(3, "walk", compile(2)),
            step(3, "walk", Change::Drop(some(1))),
            step(4, "walk", profile(3)),
            step(4, "walk", Change::Drop(some(2))),
            step(5, "walk", Change::Reinstall(some(0))),
            step(5, "walk", Change::Drop(some(3))),
        ]);
        let without = |id: u32| told(&advice.without(&[CompilationId(id)].into()));
        let before = ["1 walk compile 0", "1 walk drop first"];
        let behind = ["5 walk reinstall 0", "5 walk drop 3"];
        assert_eq!(
            without(2),
            [
                &before[..],
                &["2 walk compile 1", "2 walk retire 0", "3 walk drop 1", "3 walk reinstall 0"],
                &["4 walk compile 3", "4 walk retire 0"],
                &behind
            ]
            .concat()
        );
        assert_eq!(
            without(1),
            [&before[..], &["3 walk compile 2", "3 walk retire 0", "4 walk compile 3", "4 walk drop 2"], &behind]
                .concat()
        );
        assert_eq!(
            without(3),
            [
                &before[..],
                &["2 walk compile 1", "2 walk retire 0", "3 walk compile 2", "3 walk drop 1"],
                &["5 walk reinstall 0", "5 walk drop 2"]
            ]
            .concat()
        );
    }
}
