//! Parts of the adaptive system that a run can do without, so that what each of them gains or costs can be measured.
//!
//! In: the names of parts. Out: a set that the controller and the executor ask. Invariant: a run without a part prints the same.

/// A part of the adaptive system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Part {
    /// counts of baseline code, for inlining, if-conversion and layout
    ObservedEdges,
    /// traces of persistent paths and of what persistently untaken blocks leave (TFP)
    Tfp,
    /// traces of sequences of paths that repeat (the k-slab forest)
    Forest,
    /// traces, whatever they were found by
    Traces,
    /// loops split by state
    Splits,
    /// code that is entered at a loop header, for activations that run already
    Osr,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 6] = [Part::ObservedEdges, Part::Tfp, Part::Forest, Part::Traces, Part::Splits, Part::Osr];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Part::ObservedEdges => "observed-edges",
            Part::Tfp => "tfp",
            Part::Forest => "forest",
            Part::Traces => "traces",
            Part::Splits => "splits",
            Part::Osr => "osr",
        }
    }
}

/// A set of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts(u8);

impl Parts {
    /// No part.
    pub const NONE: Parts = Parts(0);

    /// True iff the part is in the set, by itself or in `traces`.
    pub fn has(self, part: Part) -> bool {
        let is_in = |part: Part| self.0 & (1 << part as u8) != 0;
        match part {
            Part::Tfp | Part::Forest => is_in(part) || is_in(Part::Traces),
            Part::Traces => is_in(part) || (is_in(Part::Tfp) && is_in(Part::Forest)),
            Part::ObservedEdges | Part::Splits | Part::Osr => is_in(part),
        }
    }

    /// True iff nothing that follows from a path profile is left.
    pub fn has_all_specializations(self) -> bool {
        self.has(Part::Traces) && self.has(Part::Splits)
    }

    /// The names of the parts, with commas; empty if there are none.
    pub fn names(self) -> String {
        let is_in = |part: &Part| self.0 & (1 << *part as u8) != 0;
        Part::ALL.into_iter().filter(is_in).map(Part::name).collect::<Vec<_>>().join(",")
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

    fn parts<const N: usize>(parts: [Part; N]) -> Parts {
        parts.into_iter().collect()
    }

    #[test]
    fn traces_are_those_of_both_profiles() {
        assert!(parts([Part::Traces]).has(Part::Tfp) && parts([Part::Traces]).has(Part::Forest));
        assert!(parts([Part::Tfp, Part::Forest]).has(Part::Traces));
        assert!(!parts([Part::Forest]).has(Part::Traces) && !parts([Part::Forest]).has(Part::Tfp));
        assert!(!parts([Part::Traces]).has_all_specializations());
        assert!(parts([Part::Splits, Part::Traces]).has_all_specializations());
        assert!(Part::ALL.into_iter().all(|part| !Parts::default().has(part)));
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        assert_eq!(parts([Part::Osr, Part::Traces]).names(), "traces,osr");
    }
}
