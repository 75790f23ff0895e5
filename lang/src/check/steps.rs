//! The steps of checking one input, in order.
//!
//! In: the files of an input. Out: what the last steps need, and the checker's tables filled. Invariant: every step is
//! done, whatever errors the ones before it have found.

use super::unit::Unit;
use super::{Checker, File};
use crate::diagnostic::Diagnostic;
use crate::ir::EntryPoint;

/// The outcome of all steps, errors aside.
pub(super) struct Ran {
    /// The files, taken apart.
    pub(super) unit: Unit,
    /// `fn main` of the input itself.
    pub(super) main: Option<EntryPoint>,
    /// The warnings, if they are wanted.
    pub(super) warnings: Vec<Diagnostic>,
}

impl Checker<'_> {
    /// Every step, in order.
    pub(super) fn run(&mut self, files: Vec<File>) -> Ran {
        self.decide_closures(&files);
        let imports = self.imports_to_watch(&files);
        let unit = self.collect(files);
        let outdated = self.outdated_data(&unit);
        self.declare_data(&unit, &outdated);
        let functions = self.declare_functions(&unit, &outdated);
        self.declare_fields(&unit, &outdated);
        self.evaluate_constants();
        self.check_top_level(&unit);
        self.check_functions(&functions);
        self.check_made_functions();
        self.check_counts();
        self.check_initialisation();
        let main = self.entry_point(&unit);
        let warnings = self.all_warnings(&unit, &imports);
        Ran { unit, main, warnings }
    }
}
