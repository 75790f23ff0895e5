//! Facts about values on the way through a tree of tests, and examples of values that no arm takes.

use hashbrown::HashMap;

use crate::ast;
use crate::source::Span;
use crate::tast::VarId;

/// A fact about a value on the way to a leaf.
#[derive(Clone)]
pub(super) enum Known {
    Variant(String, Vec<VarId>),
    Tuple(Vec<VarId>),
    Some(VarId),
    Text(String),
}

/// The state of making one tree.
pub(super) struct Making {
    pub(super) span: Span,
    pub(super) subject: VarId,
    pub(super) known: HashMap<VarId, Known>,
    /// An example of a value that no arm takes.
    pub(super) missing: Option<String>,
    /// The arms that some value takes.
    pub(super) reached: Vec<bool>,
    /// Nodes from the root to the present one.
    pub(super) depth: usize,
    /// Rows in all nodes so far.
    pub(super) work: usize,
}

impl Making {
    /// A pattern that the value fits.
    pub(super) fn example(&self, value: VarId) -> String {
        let all = |parts: &[VarId]| parts.iter().map(|&part| self.example(part)).collect::<Vec<_>>().join(", ");
        match self.known.get(&value) {
            None => "_".to_owned(),
            Some(Known::Text(text)) => text.clone(),
            Some(Known::Some(content)) => self.example(*content),
            Some(Known::Tuple(parts)) => format!("({})", all(parts)),
            Some(Known::Variant(name, parts)) if parts.is_empty() => name.clone(),
            Some(Known::Variant(name, parts)) => format!("{name}({})", all(parts)),
        }
    }
}

/// The pattern that every value of a variant fits: `Name(_, _)`.
pub(super) fn pattern_of(variant: &ast::Variant) -> String {
    match variant.payloads.len() {
        0 => variant.name.text.to_string(),
        count => format!("{}({})", variant.name.as_str(), vec!["_"; count].join(", ")),
    }
}
