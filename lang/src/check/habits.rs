//! Help for what other languages write in another way.
//!
//! In: a name that is refused. Out: a line of help with the text that is right, if the habit is known.

use super::Checker;
use super::blueprint::TemplateItem;
use super::environment::DefKind;

impl Checker<'_> {
    /// The variants that a name means with their enums before it.
    pub(super) fn variant_help(&self, name: &str) -> Option<String> {
        let has = |kind| match kind {
            DefKind::Template(id) => match &self.env.templates[id].item {
                TemplateItem::Enum(item) => item.variants.iter().any(|variant| variant.name.as_str() == name),
                TemplateItem::Fn(..) | TemplateItem::Struct(_) => false,
            },
            DefKind::Fn(_) | DefKind::Struct(_) | DefKind::Const(_) | DefKind::Global(_) | DefKind::Module(_) => false,
        };
        let enums = self.env.names.iter().filter(|(_, def)| has(def.kind));
        let mut all: Vec<String> = enums.map(|(of, _)| format!("`{of}.{name}`")).collect();
        all.sort_unstable();
        (!all.is_empty()).then(|| format!("write {}", all.join(" or ")))
    }
}
