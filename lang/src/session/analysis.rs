//! Programs as an editor sees them: being written, and with errors more often than not.
//!
//! In: an input, and a place in it that is asked about. Out: an [`Analysis`]: all errors and warnings, the index of
//! names, and a session in which the names of the input mean something. Invariants: while a file does not parse, its
//! other errors are not told; the session of an analysis answers questions, and is not to be added to or run.

use super::load::load_understood;
use super::{Input, Loader, Session, SessionKind};
use crate::check::survey::{Survey, survey};
use crate::diagnostic::Diagnostic;
use crate::index::{Index, Scope, Symbol};
use crate::source::{FileId, SourceMap, Span};

/// Everything that is known of a program; see the module.
pub struct Analysis {
    /// Its names, for questions.
    pub session: Session,
    /// The file of the input; the others are those that it imports.
    pub root: Option<FileId>,
    /// Errors, then warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Definitions and uses.
    pub index: Index,
    /// The names that could stand at the place that is asked about.
    pub scope: Scope,
}

impl Session {
    /// Finds out what there is to know of a program; `probe` is the offset of a name in it whose surroundings are asked
    /// about.
    pub fn analyse(input: Input<'_>, loader: &mut dyn Loader, probe: Option<u32>) -> Analysis {
        let mut session = Session::new(SessionKind::Program);
        let kind = session.kind;
        let (files, errors) = load_understood(&input, &mut session.sources, loader, &mut session.loaded, kind);
        let root = files.last().map(|file| file.program.file);
        let probe = probe.and_then(|at| root.map(|file| Span::new(file, at, at)));
        let survey = survey(&mut session.env, &mut session.sources, kind, probe, files);
        session.publish();
        let Survey { diagnostics, definitions, mut symbols, uses, open, scope } = survey;
        for (name, kind, def) in definitions {
            let text = name.as_str();
            let (head, doc) = match def {
                Some(def) => {
                    let found = session.env.definition(text, def, &session.sources);
                    (found.head, found.doc)
                }
                None => (text.to_owned(), None),
            };
            symbols.push(Symbol { name: text.to_owned(), span: name.span, kind, head, doc });
        }
        let diagnostics = if errors.is_empty() { diagnostics } else { errors };
        Analysis { session, root, diagnostics, index: Index::new(symbols, uses, open), scope }
    }
}

impl Analysis {
    /// The program's files.
    pub fn sources(&self) -> &SourceMap {
        self.session.sources()
    }
}

#[cfg(test)]
#[path = "analysis_tests.rs"]
mod tests;
