//! `:profile`: the edges that were taken most often.
//!
//! In: the edge counts of the engine, which baseline code always keeps and the interpreter on demand. Out: tables.

use std::num::NonZeroUsize;
use std::sync::Arc;

use holloway_lang::ir::Module;

use super::command::Wish;
use super::evaluate::Ended;
use super::workspace::Workspace;
use crate::engine::{Executor, FunctionEdges};
use crate::report::edges::{Hottest, hottest};
use crate::report::text::grouped;

/// Edges that are shown unless one function is asked for.
const MOST_EDGES: NonZeroUsize = NonZeroUsize::new(8).expect("not zero");

/// When profiles are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Showing {
    WhenAsked,
    AfterEachInput,
}

/// The counts before an input, and the bodies they are of.
pub(super) struct Counted {
    module: Arc<Module>,
    profile: Vec<FunctionEdges>,
}

impl Workspace {
    /// `:profile [on|off|FN]`
    pub(super) fn profile(&mut self, wish: Wish<'_>) -> Ended {
        if let Some(reason) = self.uncounted(wish) {
            return self.refuse(reason);
        }
        match wish {
            Wish::Hottest => self.show(&self.engine.edge_profile(), Some(MOST_EDGES)),
            Wish::On => {
                self.showing = Showing::AfterEachInput;
                self.engine.executor_mut().count_edges();
                self.say("the hottest edges are shown after each input\n")
            }
            Wish::Off => {
                self.showing = Showing::WhenAsked;
                self.say("profiles are shown when asked for\n")
            }
            Wish::Function(name) => match self.function(name) {
                Ok(func) => {
                    let mut profile = self.engine.edge_profile();
                    profile.retain(|edges| edges.func == func);
                    let calls: u64 = profile.iter().map(|edges| edges.calls).sum();
                    self.say(&format!("{name} was called {}\n", times(calls)));
                    if calls == 0 { Ended::Well } else { self.show(&profile, None) }
                }
                Err(reason) => self.refuse(&reason),
            },
        }
    }

    /// Why there are no counts, if there are none.
    fn uncounted(&self, wish: Wish<'_>) -> Option<&'static str> {
        let counting = match self.engine.executor() {
            Executor::Interpreted(interpreted) => interpreted.counts_edges() || wish == Wish::On,
            Executor::Compiled(machine) if machine.first_tier == holloway_jit::Tier::Optimized => {
                return Some("optimized code does not count edges; that is for --tier auto, baseline or interp");
            }
            Executor::Compiled(_) => true,
        };
        (!counting).then_some("nothing is counted yet; ':profile on' makes the interpreter count")
    }

    /// The counts now, if they will be compared.
    pub(super) fn counted(&self) -> Option<Counted> {
        let wanted = self.showing == Showing::AfterEachInput;
        wanted.then(|| Counted { module: Arc::clone(self.engine.module()), profile: self.engine.edge_profile() })
    }

    /// Shows what an input took, if that is wanted.
    pub(super) fn show_counted_since(&self, before: &Option<Counted>) {
        let Some(before) = before else { return };
        let mut profile = self.engine.edge_profile();
        for (now, earlier) in profile.iter_mut().zip(&before.profile) {
            // A function with a new body was counted from nothing.
            if Arc::ptr_eq(self.engine.module().function(now.func), before.module.function(now.func)) {
                subtract(now, earlier);
            }
        }
        if profile.iter().any(|edges| edges.edges.iter().any(|(_, _, count)| *count > 0)) {
            self.show(&profile, Some(MOST_EDGES));
        }
    }

    fn show(&self, profile: &[FunctionEdges], top: Option<NonZeroUsize>) -> Ended {
        let Hottest { table, left_out, taken } = hottest(&self.engine, profile, top);
        if taken == 0 {
            return self.say("no edge was taken\n");
        }
        let more = match left_out {
            0 => String::new(),
            _ => format!("and {left_out} more; ':profile FN' shows all of a function\n"),
        };
        self.say(&format!("{table}{more}"))
    }
}

fn subtract(now: &mut FunctionEdges, earlier: &FunctionEdges) {
    now.calls -= earlier.calls;
    for ((_, _, count), (_, _, before)) in now.edges.iter_mut().zip(&earlier.edges) {
        *count -= before;
    }
}

fn times(number: u64) -> String {
    if number == 1 { "once".to_owned() } else { format!("{} times", grouped(number as usize)) }
}
