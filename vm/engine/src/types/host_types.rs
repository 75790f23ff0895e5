//! Structs and enums of the host that programs know.
//!
//! In: types of functions of the host. Out: the definitions that programs need for them and do not have yet. Invariants: a
//! name stands for one definition; a type is noted once it is declared.

use super::{Described, OpaqueTypes};
use crate::error::DeclareError;
use hashbrown::{HashMap, HashSet};

/// Structs and enums of the host, by name, with their definitions.
#[derive(Clone, Default)]
pub(crate) struct HostTypes(HashMap<&'static str, String>);

impl HostTypes {
    /// True if programs know a struct or an enum by this name.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Appends the definitions that some types need and that are new, and notes them.
    pub(crate) fn define<'a>(
        &mut self,
        types: impl IntoIterator<Item = &'a Described>,
        opaque: &OpaqueTypes,
        text: &mut String,
    ) -> Result<(), DeclareError> {
        let mut seen = HashSet::new();
        types.into_iter().try_for_each(|described| self.define_one(described, opaque, text, &mut seen))
    }

    /// The same of one type, beside those that were looked at: a type may contain itself.
    fn define_one(
        &mut self,
        described: &Described,
        opaque: &OpaqueTypes,
        text: &mut String,
        seen: &mut HashSet<&'static str>,
    ) -> Result<(), DeclareError> {
        let mut named = Vec::new();
        described.each(&mut |part| named.push(part.clone()));
        for part in named {
            let (name, parts) = match &part {
                Described::Struct(name, fields) => (*name, fields().into_iter().map(|(_, ty)| ty).collect::<Vec<_>>()),
                Described::Enum(name, variants) => (*name, variants().into_iter().flat_map(|(_, of)| of).collect()),
                Described::Opaque { id, rust } if !opaque.contains_key(id) => return Err(DeclareError::Nameless(rust)),
                _ => continue,
            };
            let definition = part.definition(opaque);
            let is_opaque = opaque.values().any(|(of, _)| of == name);
            if is_opaque || self.0.get(name).is_some_and(|known| *known != definition) {
                return Err(DeclareError::NameTaken(name.to_owned()));
            }
            if !seen.insert(name) {
                continue;
            }
            if !self.0.contains_key(name) {
                *text += &definition;
                text.push('\n');
                self.0.insert(name, definition);
            }
            parts.iter().try_for_each(|part| self.define_one(part, opaque, text, seen))?;
        }
        Ok(())
    }
}
