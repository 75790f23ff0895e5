//! Calls that optimized code makes because of its profile ([`holloway_jit::missed`]): the time lost by those which are
//! made far more often than it said, and the profile that they change for the next compilation. Invariant: a call that
//! is made as rarely as its profile says loses nothing.

use crate::Micros;
use crate::settings::LEAST_LOST;
use hashbrown::HashMap;
use holloway_ir::FuncRef;
use holloway_jit::missed::MissedCounts;
use holloway_jit::{Version, VersionId};
use holloway_machine::EdgeProfiles;
use std::sync::Arc;

/// Counts of such calls as they were read last.
#[derive(Default)]
pub(super) struct MissedCalls {
    looks: HashMap<VersionId, Look>,
}

/// The latest look at a version.
struct Look {
    version: Arc<Version>,
    at: Micros,
    counts: Vec<MissedCounts>,
    /// For each call, whether it is made far more often than the profile said.
    often: Vec<bool>,
}

impl MissedCalls {
    /// Gives the time lost by calls of a version since the last look, at `price` microseconds each, if some was.
    pub(super) fn look(&mut self, version: &Arc<Version>, now: Micros, price: f64) -> Option<Micros> {
        if version.missed.is_empty() {
            return None;
        }
        let counts: Vec<MissedCounts> = version.missed.iter().map(|missed| missed.counts()).collect();
        let Some(look) = self.looks.get_mut(&version.id) else {
            let (version, often) = (Arc::clone(version), vec![false; counts.len()]);
            self.looks.insert(version.id, Look { version, at: now, counts, often });
            return None;
        };
        let elapsed = now.since(look.at).as_f64();
        let mut lost = 0.0;
        for ((often, count), before) in look.often.iter_mut().zip(&counts).zip(&look.counts) {
            let MissedCounts { misses, hits } = count.since(*before);
            let time = misses as f64 * price;
            *often = time >= LEAST_LOST * elapsed && misses > hits;
            lost += if *often { time } else { 0.0 };
        }
        (look.at, look.counts) = (now, counts);
        (lost > 0.0).then_some(Micros(lost as u64))
    }

    /// Changes the profiles by the calls that versions of a function made too often when they were looked at last.
    pub(super) fn change(&mut self, func: FuncRef, profiles: &mut EdgeProfiles) {
        for look in self.looks.values_mut().filter(|look| look.version.func == func) {
            for (missed, often) in look.version.missed.iter().zip(&mut look.often) {
                if std::mem::take(often) {
                    profiles.missed(missed);
                }
            }
        }
    }

    /// Forgets versions that are not in use any more.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&Version) -> bool) {
        self.looks.retain(|_, look| is_kept(&look.version));
    }
}
