//! `:paths`, `:forest`, `:persistence` and `:profile --scheme`: code run with a profile.
//!
//! In: options and code. Out: the code's output and value, then the profile of this one run, as source. Invariant:
//! earlier counts and the program's other code neither enter this profile nor change by it.

use std::num::NonZeroUsize;

use super::options::Count;
use super::workspace::{Ended, Workspace};
use holloway::{Counted, FunctionEdges};
use holloway_study::report::edges::{Hottest, hottest};
use holloway_study::report::{Shown, paths};

impl Workspace {
    /// `:paths CODE` and its like.
    pub(super) fn count(&mut self, count: Count<'_>) -> Ended {
        let (ended, counted) = self.evaluate_code(count.code, Some(count.scheme));
        if matches!(ended, Ended::Exit(_)) {
            return ended;
        }
        match counted {
            None => {}
            Some(Counted::Edges(profile)) => _ = self.show_edges(&profile, count.top, "--top 0 shows all"),
            Some(Counted::Paths(profile)) => {
                _ = self.say(&paths::text(
                    &self.engine,
                    &profile,
                    Shown::hottest(count.top),
                    self.messages().style.width,
                ));
            }
        }
        ended
    }

    /// Shows a table of the hottest edges; `more` says how to see all of them.
    pub(super) fn show_edges(&self, profile: &[FunctionEdges], top: Option<NonZeroUsize>, more: &str) -> Ended {
        let Hottest { table, left_out, taken } = hottest(&self.engine, profile, top);
        match (taken, left_out) {
            (0, _) => self.say("no edge was taken\n"),
            (_, 0) => self.say(&table),
            (_, left_out) => self.say(&format!("{table}and {left_out} more; {more}\n")),
        }
    }
}
