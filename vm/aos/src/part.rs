//! Parts of the adaptive system that a run can do without, so that the gain of each can be measured. Invariant: a run
//! without a part prints the same.

use serde::{Deserialize, Serialize};

/// A part of the adaptive system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Part {
    /// counts of baseline code, for inlining, if-conversion and layout
    ObservedEdges,
    /// traces of paths that repeat
    Traces,
    /// loops split by state: no run makes them any more, and its name is accepted as before
    Splits,
    /// code that is entered at a loop header, for activations that run already
    Osr,
}

impl Part {
    /// All parts that a run has.
    pub const ALL: [Part; 3] = [Part::ObservedEdges, Part::Traces, Part::Osr];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Part::ObservedEdges => "observed-edges",
            Part::Traces => "traces",
            Part::Splits => "splits",
            Part::Osr => "osr",
        }
    }
}

/// A set of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Parts(u8);

impl Parts {
    /// No part.
    pub const NONE: Parts = Parts(0);

    /// True iff the part is in the set.
    pub fn has(self, part: Part) -> bool {
        self.0 & (1 << part as u8) != 0
    }

    /// The names of the parts, with commas; empty if there are none.
    pub fn names(self) -> String {
        let parts = Part::ALL.into_iter().filter(|part| self.has(*part));
        parts.map(Part::name).collect::<Vec<_>>().join(",")
    }
}

impl From<Parts> for String {
    fn from(parts: Parts) -> String {
        parts.names()
    }
}

impl TryFrom<String> for Parts {
    type Error = String;

    fn try_from(names: String) -> Result<Parts, String> {
        let part = |name: &str| {
            let found = Part::ALL.into_iter().find(|part| part.name() == name);
            found.ok_or_else(|| format!("there is no part '{name}'"))
        };
        names.split(',').filter(|name| !name.is_empty()).map(part).collect()
    }
}

impl FromIterator<Part> for Parts {
    fn from_iter<T: IntoIterator<Item = Part>>(parts: T) -> Parts {
        Parts(parts.into_iter().fold(0, |set, part| set | 1 << part as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_it_was_made_of() {
        let parts: Parts = [Part::Osr, Part::Traces].into_iter().collect();
        assert_eq!(Part::ALL.map(|part| parts.has(part)), [false, true, true]);
        assert_eq!(parts.names(), "traces,osr");
        assert!(Part::ALL.into_iter().all(|part| !Parts::NONE.has(part)));
    }
}
