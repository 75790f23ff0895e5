//! `:tiers` and `:decisions`: the versions of code, and the reasons for them.
//!
//! In: the adaptive system of the session, which keeps its events here, and the installed code. Out: a table, and the
//! report that `holloway explain` gives, so far. Invariant: asking changes nothing.

use super::workspace::{Ended, Workspace};
use holloway::TierChoice;
use holloway::internals::Executor;
use holloway_aos::event::Event;
use holloway_aos::{Controller, Session};
use holloway_study::report::story::Story;
use holloway_study::report::tiers;

impl Workspace {
    /// `:tiers`
    pub(super) fn tiers(&self) -> Ended {
        let Executor::Compiled(machine) = self.engine.executor() else {
            return self.refuse("the interpreter runs this session; code is there with any other --tier");
        };
        let text = tiers::text(&self.engine, machine, self.decided().map(|(_, controller)| controller));
        if text.is_empty() {
            return self.say("no function ran yet\n");
        }
        self.say(&text);
        if self.decided().is_none() {
            return self.say(&format!("{}\n", self.undecided()));
        }
        Ended::Well
    }

    /// `:decisions [FN]`
    pub(super) fn decisions(&self, name: Option<&str>) -> Ended {
        let Some((session, controller)) = self.decided() else { return self.refuse(&self.undecided()) };
        let is_about = |event: &&Event| match (&event.subject.function, name) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(function), Some(name)) => function == name,
        };
        let events: Vec<Event> = session.events().iter().filter(is_about).cloned().collect();
        if events.is_empty() {
            return match name.map(|name| self.function(name)) {
                None => self.say("nothing was decided yet: nothing ran for long enough to be sampled\n"),
                Some(Ok(_)) => self.say("nothing was decided about it yet: it did not run long enough to be sampled\n"),
                Some(Err(reason)) => self.refuse(&reason),
            };
        }
        let mut story = Story::of(&events, controller, self.engine.sources());
        story.versions.retain(|row| name.is_none_or(|name| row.function == name));
        self.say(&story.text(self.messages().style))
    }

    /// The adaptive system, if the cost-benefit model decides.
    fn decided(&self) -> Option<(&Session, &Controller)> {
        let session = self.engine.executor().adaptive()?;
        Some((session, session.controller()?))
    }

    /// The reason for which nothing is decided.
    fn undecided(&self) -> String {
        let execution = &self.config.execution;
        match execution.tier {
            TierChoice::Auto if execution.limits.fuel.is_some() => {
                "nothing is decided: code that counts fuel is not compiled again".to_owned()
            }
            TierChoice::Auto => "nothing is decided by costs and benefits in this session".to_owned(),
            tier => format!("nothing is decided: --tier {} runs everything in one tier", tier.name()),
        }
    }
}
