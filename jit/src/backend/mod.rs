//! Cranelift set up for each tier.
//!
//! In: a tier. Out: a target ISA, made once and kept; the memory that a compilation works in ([`workspace`]); and the
//! time of each part of one ([`timings`]).
//! Invariant: frame pointers are kept in all code, which unwinding and sampling rely on.

pub(crate) mod timings;
pub(crate) mod workspace;

use crate::tier::Tier;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use std::sync::OnceLock;

/// The setting of Cranelift's verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verifier {
    On,
    Off,
}

/// The ISA of a tier: this machine, with every feature it has. Cranelift optimizes nothing: optimized code comes with
/// everything in the place where the passes put it, and its own pass over expressions would move some of it back.
pub fn isa(tier: Tier) -> &'static OwnedTargetIsa {
    static BASELINE: OnceLock<OwnedTargetIsa> = OnceLock::new();
    static OPTIMIZED: OnceLock<OwnedTargetIsa> = OnceLock::new();
    match tier {
        Tier::Baseline => {
            BASELINE.get_or_init(|| build(&[("opt_level", "none"), ("regalloc_algorithm", "single_pass")]))
        }
        Tier::Optimized => OPTIMIZED.get_or_init(|| build(&[("opt_level", "none")])),
    }
}

fn build(options: &[(&str, &str)]) -> OwnedTargetIsa {
    let verifier = if cfg!(debug_assertions) { Verifier::On } else { Verifier::Off };
    let mut flags = settings::builder();
    let common = [
        ("is_pic", "false"),
        ("preserve_frame_pointers", "true"),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
        ("enable_verifier", if verifier == Verifier::On { "true" } else { "false" }),
    ];
    for (name, value) in common.iter().chain(options) {
        flags.set(name, value).expect("Cranelift has this setting");
    }
    let isa = cranelift_native::builder().expect("the machine is one that Cranelift compiles for");
    isa.finish(settings::Flags::new(flags)).expect("the settings fit the machine")
}
