//! Meaning of a scheme's name, here and in the REPL.
//!
//! In: a [`SchemeName`], and a K if one was written. Out: the [`Scheme`], or the reason for which it has no such K.
//! Invariant: defaults are chosen here and nowhere else.

use super::args::SchemeName;
use crate::config::Scheme;
use crate::profile::PathScheme;
use crate::profile::scheme::{MOST_K, SEQUENCE, WINDOW};

/// Reasons for which a scheme cannot have a K.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoSuchK {
    /// It counts one thing at a time, which a K of 1 says too.
    Single,
    /// It joins at most [`MOST_K`] paths.
    TooMany,
}

/// A scheme with its defaults.
pub(crate) fn usual(name: SchemeName) -> Scheme {
    Scheme::Paths(match name {
        SchemeName::Edge => return Scheme::Edge,
        SchemeName::Bl => PathScheme::Bl { table: None },
        SchemeName::KBl => PathScheme::KBl { k: SEQUENCE, forest_limit: None, sample: None },
        SchemeName::Tfp => PathScheme::Tfp { k: u64::from(WINDOW) },
        SchemeName::Bala => PathScheme::Bala,
    })
}

/// The same scheme with the K that was written, if one was.
pub(crate) fn with_k(scheme: Scheme, k: Option<u32>) -> Result<Scheme, NoSuchK> {
    let Some(k) = k else { return Ok(scheme) };
    match scheme {
        Scheme::Edge | Scheme::Paths(PathScheme::Bl { .. } | PathScheme::Bala) if k == 1 => Ok(scheme),
        Scheme::Edge | Scheme::Paths(PathScheme::Bl { .. } | PathScheme::Bala) => Err(NoSuchK::Single),
        Scheme::Paths(PathScheme::KBl { .. }) if k > MOST_K => Err(NoSuchK::TooMany),
        Scheme::Paths(PathScheme::KBl { forest_limit, sample, .. }) => {
            Ok(Scheme::Paths(PathScheme::KBl { k, forest_limit, sample }))
        }
        Scheme::Paths(PathScheme::Tfp { .. }) => Ok(Scheme::Paths(PathScheme::Tfp { k: u64::from(k) })),
    }
}
