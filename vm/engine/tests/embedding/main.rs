//! The embedding API, as a host uses it: functions of the host, typed calls, globals, arrays.
//!
//! In: programs with hosts. Out: failed tests. Invariant: what programs do is the same in every tier.

mod declarations;
mod derived;
mod dynamic;
mod examples;
mod functions;
mod globals;
mod host;
mod hot;
mod opaque;
mod reports;
mod typed;

use holloway::{Config, HeapConfig, Sink, TierChoice};
use std::num::NonZeroU32;

const TIERS: [TierChoice; 4] = [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto];

/// A configuration whose output can be taken.
fn captured(tier: TierChoice) -> Config {
    Config { tier, output: Sink::Captured(Vec::new()), ..Config::default() }
}

/// The same, with a collection at every third allocation: whatever is not kept is gone.
fn collecting(tier: TierChoice) -> Config {
    Config { heap: HeapConfig { stress: NonZeroU32::new(3), ..HeapConfig::default() }, ..captured(tier) }
}
