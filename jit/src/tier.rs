//! The compiled tiers, after Jikes RVM's compilers: cheap code first, better code where it pays.

/// With how much effort a function is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// At first call: locals in stack slots, no optimization, edge counters.
    Baseline,
    /// The pass pipeline and Cranelift at full speed.
    Optimized,
}

impl Tier {
    /// The name on the command line and in events.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Baseline => "baseline",
            Tier::Optimized => "optimized",
        }
    }

    /// The name of a kind of code: the tier, or of optimized code `specialized` with traces, `profiled` with path probes.
    pub fn kind(self, has_traces: bool, has_probes: bool) -> &'static str {
        match self {
            Tier::Optimized if has_traces => "specialized",
            Tier::Optimized if has_probes => "profiled",
            tier => tier.name(),
        }
    }
}
