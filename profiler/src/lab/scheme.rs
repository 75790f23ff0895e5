//! The schemes that the lab evaluates.
//!
//! In: the name of a scheme. Out: a [`LabScheme`]. The registry has the schemes that the tiers carry out; those of which a lab evaluates
//! something else than a plan for each procedure are here. Invariant: names differ.

use crate::number::interprocedural::{AtCut, Base};
use crate::scheme::Scheme;

/// A scheme that the lab evaluates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabScheme {
    /// A scheme of the registry, on each procedure for itself.
    Registered(Scheme),
    /// The same, with a k of its own for each loop of these headers, which are named as in traces.
    Mixed(Scheme, Vec<(String, u32)>),
    /// Paths of several iterations of all loops of a nest at once, in each procedure for itself: of as many as the scheme's K, or as these loops have.
    Unrolled(Scheme, Vec<(String, u32)>),
    /// Calling contexts.
    CallingContexts,
    /// Intraprocedural context paths, in each procedure for itself.
    Context,
    /// Interprocedural paths.
    Interprocedural {
        /// The paths that are counted.
        base: Base,
        /// The call sites that they do not cross.
        cut: CutSites,
        /// The treatment of a path there.
        at_cut: AtCut,
    },
}

/// The call sites that paths do not cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutSites {
    /// The recursive ones.
    Recursive,
    /// These as well, named by their call blocks.
    Listed(Vec<String>),
    /// As well those that the traces execute least often, until numbers have at most so many bits.
    Coldest {
        /// The bits, at most 128.
        bits: u32,
    },
}

impl CutSites {
    /// The coldest, until a number fits a register.
    pub const FIT_A_WORD: CutSites = CutSites::Coldest { bits: u64::BITS };
}

const CCT: &str = "cct";
const CONTEXT: &str = "context";
const IP_CONTEXT: &str = "ip-context";
const IP_PIECEWISE: &str = "ip-piecewise";
const IP_HYBRID: &str = "ip-hybrid";

impl LabScheme {
    /// The scheme with this name, with its default settings.
    pub fn named(name: &str) -> Option<LabScheme> {
        let interprocedural = |base, cut| Some(LabScheme::Interprocedural { base, cut, at_cut: AtCut::Aside });
        match name {
            CCT => Some(LabScheme::CallingContexts),
            CONTEXT => Some(LabScheme::Context),
            IP_CONTEXT => interprocedural(Base::Context, CutSites::Recursive),
            IP_PIECEWISE => interprocedural(Base::Piecewise, CutSites::Recursive),
            IP_HYBRID => interprocedural(Base::Context, CutSites::FIT_A_WORD),
            _ => Scheme::named(name).map(LabScheme::Registered),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            LabScheme::Registered(scheme) | LabScheme::Mixed(scheme, _) | LabScheme::Unrolled(scheme, _) => {
                scheme.name()
            }
            LabScheme::CallingContexts => CCT,
            LabScheme::Context => CONTEXT,
            LabScheme::Interprocedural { base: Base::Context, cut: CutSites::Recursive, .. } => IP_CONTEXT,
            LabScheme::Interprocedural { base: Base::Piecewise, cut: CutSites::Recursive, .. } => IP_PIECEWISE,
            LabScheme::Interprocedural { cut: CutSites::Listed(_) | CutSites::Coldest { .. }, .. } => IP_HYBRID,
        }
    }

    /// The option K, where the scheme has one.
    pub fn k(&self) -> Option<u64> {
        match self {
            LabScheme::Registered(scheme) | LabScheme::Mixed(scheme, _) | LabScheme::Unrolled(scheme, _) => scheme.k(),
            LabScheme::CallingContexts | LabScheme::Context | LabScheme::Interprocedural { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::SCHEMES;

    #[test]
    fn names_are_read_back() {
        for name in SCHEMES.iter().map(|row| row.name) {
            assert_eq!(LabScheme::named(name).map(|scheme| scheme.name()), Some(name));
        }
        assert_eq!(LabScheme::named("ip"), None);
        assert_eq!((LabScheme::named("k-iter").unwrap().k(), LabScheme::Context.k()), (Some(2), None));
    }
}
