//! Definitions with type parameters of which nothing was made: what is wrong in them whatever the types are.
//!
//! In: the definitions of an input. Out: errors about names, and about the number of arguments. The phases: make each one
//! for `int`, in a draft of the environment that is thrown away; keep the errors that no types would take away.
//! Invariant: a definition that would be right for some types is not refused.

use super::blueprint::TemplateItem;
use super::environment::{DefKind, Environment, TemplateId};
use super::error::CheckError;
use super::unit::Unit;
use super::{Attention, Checker, SessionKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::source::SourceMap;

impl Checker<'_> {
    /// Reports what is wrong in definitions of the input that nothing uses.
    pub(super) fn check_untried(&mut self, unit: &Unit) {
        let untried = self.untried(unit);
        // Errors of others may be the reason for which nothing uses them.
        if untried.is_empty() || !self.reports.spans().is_empty() {
            return;
        }
        let mut draft = self.env.clone();
        for id in untried {
            for error in errors_in(&mut draft, self.sources, self.kind, id) {
                self.report(error);
            }
        }
    }

    fn untried(&self, unit: &Unit) -> Vec<TemplateId> {
        let fns = unit.fns.iter().map(|(item, _)| &item.name);
        let types = unit.structs.iter().map(|item| &item.name).chain(unit.enums.iter().map(|item| &item.name));
        let id = |name: &crate::ast::Name| match self.env.lookup(name.as_str(), name.span.file)?.kind {
            DefKind::Template(id) => Some(id),
            DefKind::Fn(_) | DefKind::Struct(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => None,
        };
        fns.chain(types).filter_map(id).filter(|id| self.env.templates[*id].made.is_empty()).collect()
    }
}

/// The errors in one definition that do not depend on types.
fn errors_in(draft: &mut Environment, sources: &mut SourceMap, kind: SessionKind, id: TemplateId) -> Vec<Diagnostic> {
    let item = draft.templates[id].item.clone();
    let (used, whole) = (item.name().span, item.span());
    let types = vec![draft.basic.int; item.type_params().len()];
    let mut checker = Checker::new(draft, sources, kind, Attention::Errors);
    // What comes out is of no use: errors are all that is asked for.
    let _ = match item {
        TemplateItem::Fn(..) => checker.func_of_template(id, types, used).map(drop),
        TemplateItem::Struct(_) | TemplateItem::Enum(_) => checker.record_of_template(id, types, used).map(drop),
    };
    checker.check_made_functions();
    let mut found = std::mem::take(&mut checker.reports).finish();
    found.retain(|error| {
        error.span.file == whole.file && whole.start <= error.span.start && error.span.end <= whole.end
    });
    found.retain(|error| is_certain(error, &checker));
    found.iter_mut().for_each(|error| error.labels.retain(|(span, _)| *span != used));
    found
}

/// Returns true if an error would be there for any types.
fn is_certain(error: &Diagnostic, checker: &Checker<'_>) -> bool {
    let DiagnosticKind::Check(kind) = &error.kind else { return false };
    match kind {
        CheckError::UnknownName(_)
        | CheckError::UnknownType(_)
        | CheckError::UnknownLabel(_)
        | CheckError::UnknownMember { .. }
        | CheckError::TypeCount { .. }
        | CheckError::OutsideLoop(_) => true,
        // Built-ins take other numbers of arguments with other types, and what stands behind a dot may be a field.
        CheckError::ArgumentCount { callee, .. } => {
            let is_own = checker.env.lookup(callee, error.span.file).is_some();
            let call = checker.sources.snippet(error.span).strip_prefix(callee.as_str());
            is_own && call.is_some_and(|rest| rest.trim_start().starts_with('('))
        }
        _ => false,
    }
}
