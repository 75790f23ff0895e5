//! `:profile`: the hottest edges.
//!
//! In: the edge counts of the engine, which baseline code always keeps and the interpreter on demand; and those of
//! inputs that ran apart since `:profile on`. Out: tables. Invariant: while profiles are shown after each input they
//! are exact in every tier.

use super::command::Wish;
use super::settings::MOST_EDGES;
use super::workspace::{Ended, Showing, Workspace};
use holloway_aos::event::Kind;
use holloway_profiler::scheme::Scheme;

use holloway::Counted;
use holloway::internals::Executor;
use holloway_study::report::text::grouped;

/// The way to see all edges.
const SHOWS_ALL: &str = "':profile FN' shows all of a function";

impl Workspace {
    /// `:profile [on|off|FN]`
    pub(super) fn profile(&mut self, wish: Wish<'_>) -> Ended {
        if let Some(reason) = self.uncounted(wish) {
            return self.refuse(reason);
        }
        match wish {
            Wish::Hottest => {
                self.show_edges(&self.tally.with_own(&self.engine), Some(MOST_EDGES), SHOWS_ALL);
                self.say(self.left_out())
            }
            Wish::On => {
                self.showing = Showing::AfterEachInput;
                self.count_in_interpreter();
                self.say("the hottest edges are shown after each input\n")
            }
            Wish::Off => {
                self.showing = Showing::WhenAsked;
                self.say("profiles are shown when asked for\n")
            }
            Wish::Function(name) => match self.function(name) {
                Ok(func) => {
                    let mut profile = self.tally.with_own(&self.engine);
                    profile.retain(|edges| edges.func == func);
                    let calls: u64 = profile.iter().map(|edges| edges.calls).sum();
                    self.say(&format!("{name} was called {}\n", times(calls)));
                    if calls > 0 {
                        self.show_edges(&profile, None, SHOWS_ALL);
                    }
                    self.say(self.left_out())
                }
                Err(reason) => self.refuse(&reason),
            },
        }
    }

    /// Makes the interpreter count from now on, if it is the executor.
    pub(super) fn count_in_interpreter(&mut self) {
        if let Executor::Interpreted(_) = self.engine.executor() {
            self.engine.executor_mut().profile(edges());
        }
    }

    /// The reason for which there are no counts, if there are none.
    fn uncounted(&self, wish: Wish<'_>) -> Option<&'static str> {
        let switches = matches!(wish, Wish::On | Wish::Off);
        if switches || !self.tally.is_empty() {
            return None;
        }
        match self.engine.executor() {
            Executor::Interpreted(interpreted) if interpreted.counts_edges() => None,
            Executor::Interpreted(_) => Some("nothing is counted yet; ':profile on' makes the interpreter count"),
            Executor::Compiled(machine) if machine.first_tier == holloway_jit::Tier::Optimized => {
                Some("optimized code does not count edges; after ':profile on' inputs run in code that does")
            }
            Executor::Compiled(_) => None,
        }
    }

    /// A note on executions that the counts do not cover, if there are any.
    fn left_out(&self) -> &'static str {
        let controller = self.engine.executor().adaptive().and_then(|session| session.controller());
        let better = controller.is_some_and(|controller| {
            controller.records().any(|(_, _, record)| record.kind != Kind::Baseline && record.ticks > 0)
        });
        match better {
            true => "not counted: what ran in optimized code; after ':profile on' all of an input is\n",
            false => "",
        }
    }

    /// The scheme that each input is counted by.
    pub(super) fn counted_by(&self) -> Option<Scheme> {
        (self.showing == Showing::AfterEachInput).then(edges)
    }

    /// Shows the counts of an input.
    pub(super) fn show_counted(&mut self, ended: Ended, counted: Option<Counted>) -> Ended {
        let Some(Counted::Edges(profile)) = counted else { return ended };
        let any = profile.iter().any(|edges| edges.edges.iter().any(|(_, _, count)| *count > 0));
        if any && !matches!(ended, Ended::Exit(_)) {
            self.show_edges(&profile, Some(MOST_EDGES), SHOWS_ALL);
        }
        self.tally.add(&self.engine, profile);
        ended
    }
}

fn times(number: u64) -> String {
    if number == 1 { "once".to_owned() } else { format!("{} times", grouped(number as usize)) }
}

/// The scheme that counts edges.
fn edges() -> Scheme {
    Scheme::named("edge").expect("the registry has it")
}
