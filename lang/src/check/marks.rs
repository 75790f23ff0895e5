//! Meanings that only types tell, noted while an input is checked for people who read it in an editor.
//!
//! In: fields and variants as the checker resolves them, and variables as it declares them. Out: spans with their
//! meaning. Invariants: nothing is noted unless it is asked for, and nothing of the prelude.

use hashbrown::HashMap;

use super::attention::Attention;
use crate::ir::TypeRef;
use crate::source::Span;

/// The meanings of one run; see the module.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) is_wanted: bool,
    /// Names of fields and variants, each with the definition.
    pub(super) uses: HashMap<Span, Span>,
    /// Variables by the span of their name. Of a body that is checked for several sets of types, the first one's.
    pub(super) types: HashMap<Span, TypeRef>,
    /// The place that is asked about: names could start there.
    probe: Option<Span>,
    /// The type of the value before the dot, if a name behind a dot is at that place.
    pub(super) receiver: Option<TypeRef>,
}

impl Marks {
    pub(super) fn new(attention: Attention) -> Self {
        match attention {
            Attention::Names(probe) => Self { is_wanted: true, probe, ..Self::default() },
            Attention::Errors | Attention::Warnings => Self::default(),
        }
    }

    /// The place that is asked about.
    pub(super) fn probe(&self) -> Option<Span> {
        self.probe
    }

    /// Notes that the name of a field or variant means a definition.
    pub(super) fn member(&mut self, name: Span, definition: Span) {
        if self.is_wanted {
            self.uses.insert(name, definition);
        }
    }

    /// Notes the type of a variable.
    pub(super) fn variable(&mut self, name: Span, ty: TypeRef) {
        if self.is_wanted {
            self.types.entry(name).or_insert(ty);
        }
    }

    /// Notes the type of the value before a dot.
    pub(super) fn receiver(&mut self, name: Span, ty: TypeRef) {
        if self.probe.is_some_and(|probe| starts_at(name, probe)) {
            self.receiver.get_or_insert(ty);
        }
    }
}

/// Returns true if a name starts at a place.
pub(super) fn starts_at(name: Span, place: Span) -> bool {
    (name.file, name.start) == (place.file, place.start)
}
