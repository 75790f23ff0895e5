//! What the name of a scheme stands for, here and in the REPL.
//!
//! In: a [`SchemeName`], and a K where one was written. Out: the [`Scheme`], or why it has no such K. Invariant: what is
//! left open is chosen here and nowhere else.

use super::args::SchemeName;
use crate::config::Scheme;
use crate::profile::PathScheme;
use crate::profile::scheme::{MOST_K, SEQUENCE, WINDOW};

/// Why a scheme cannot have a K.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoSuchK {
    /// It counts one thing at a time, which a K of 1 says too.
    Single,
    /// It joins at most [`MOST_K`] paths.
    TooMany,
}

/// A scheme of which nothing but the name is said.
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
