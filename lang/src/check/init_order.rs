//! No global is read before it is initialised: a top-level statement must not be able to reach, through the functions
//! that it may call, a global whose `let` or `var` comes at or after it.
//!
//! In: the functions that each top-level statement mentions, and the environment's mentions of functions and globals by
//! functions. Out: an error for each statement that breaks the rule, with the chain. Invariants: mentioning a function
//! counts as calling it, so a function value taken early cannot slip through; one that an earlier input took may be of a
//! function that this input replaces, so a call of any value counts as a call of each function taken then. Time is linear in the call graph: the
//! globals are visited from the last to the first, and each marks, backwards along the calls, only functions that no
//! later one has marked.

use crate::settings::check::STEPS_SHOWN;
use std::collections::VecDeque;

use cranelift_entity::SecondaryMap;
use hashbrown::HashMap;

use super::Checker;
use super::early_use::EarlyUse;
use super::error::CheckError;
use crate::diagnostic::Diagnostic;
use crate::ir::{FuncRef, Global};
use crate::source::Span;

/// The path by which a function reaches the last global that it reaches at all.
#[derive(Clone, Copy)]
struct Reach {
    global: Global,
    /// The span at which it mentions the next function on the path, or the global itself.
    span: Span,
    next: Option<FuncRef>,
}

impl Checker<'_> {
    /// Reports every top-level statement of the input that may reach a global too early.
    pub(super) fn check_initialisation(&mut self) {
        let (reach, taken) = self.latest_globals();
        let mut reported = None;
        let mut uses = std::mem::take(&mut self.uses);
        let value_calls = std::mem::take(&mut self.value_calls);
        uses.extend(
            taken
                .iter()
                .flat_map(|&func| value_calls.iter().map(move |&(span, position)| EarlyUse { func, span, position })),
        );
        uses.sort_by_key(|at| at.position);
        for at in uses {
            let Some(last) = reach[at.func] else { continue };
            // One error for a statement is enough.
            if self.positions[&last.global] >= at.position && reported != Some(at.position) {
                reported = Some(at.position);
                self.report_early_use(at, &reach);
            }
        }
    }

    /// For each function the last global that it may reach, among those that this input defines; and the function that
    /// reaches the last of these among those of which an earlier input took a value.
    fn latest_globals(&self) -> (SecondaryMap<FuncRef, Option<Reach>>, Option<FuncRef>) {
        let mut readers: HashMap<Global, Vec<(FuncRef, Span)>> = HashMap::new();
        let mut callers: SecondaryMap<FuncRef, Vec<(FuncRef, Span)>> = SecondaryMap::new();
        for (func, info) in &self.env.funcs {
            for &(global, span) in &info.mentions.globals {
                readers.entry(global).or_default().push((func, span));
            }
            for &(callee, span) in &info.mentions.funcs {
                callers[callee].push((func, span));
            }
        }
        let mut globals: Vec<_> = self.positions.iter().map(|(&global, &position)| (position, global)).collect();
        globals.sort_unstable_by(|a, b| b.cmp(a));
        let mut reach: SecondaryMap<FuncRef, Option<Reach>> = SecondaryMap::new();
        let mut taken = None;
        for (_, global) in globals {
            let direct = readers.get(&global).into_iter().flatten();
            let mut pending: VecDeque<_> = direct.map(|&(func, span)| (func, span, None)).collect();
            while let Some((func, span, next)) = pending.pop_front() {
                if reach[func].is_none() {
                    reach[func] = Some(Reach { global, span, next });
                    pending.extend(callers[func].iter().map(|&(caller, span)| (caller, span, Some(func))));
                    if taken.is_none() && self.taken_before.contains(&func) {
                        taken = Some(func);
                        let value_callers = self.env.funcs.iter();
                        pending.extend(value_callers.filter_map(|(caller, info)| {
                            info.mentions.value_call.map(|span| (caller, span, Some(func)))
                        }));
                    }
                }
            }
        }
        (reach, taken)
    }

    fn report_early_use(&mut self, at: EarlyUse, reach: &SecondaryMap<FuncRef, Option<Reach>>) {
        let mut chain = Vec::new();
        let mut labels = Vec::new();
        let mut next = Some(at.func);
        let mut global = None;
        while let Some(func) = next {
            let step = reach[func].expect("every function on the way reaches the global");
            let name = self.env.funcs[func].name.to_string();
            let used = step.next.map_or(&self.env.globals[step.global].name, |next| &self.env.funcs[next].name);
            labels.push((step.span, format!("`{name}` uses `{used}` here")));
            chain.push(name);
            next = step.next;
            global = Some(step.global);
        }
        if chain.len() > STEPS_SHOWN {
            chain.splice(STEPS_SHOWN - 1..chain.len() - 1, ["...".to_owned()]);
            labels.drain(STEPS_SHOWN - 1..labels.len() - 1);
        }
        let info = &self.env.globals[global.expect("a chain ends at a global")];
        let error = CheckError::UsedBefore { global: info.name.to_string(), chain };
        let mut error = Diagnostic::error(error, at.span);
        error.labels = labels;
        let help = format!("move this statement below the definition of `{}`", info.name);
        let error = error.with_label(info.span, "it is initialised here").with_help(help);
        self.report(error);
    }
}
