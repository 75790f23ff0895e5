//! What an engine is made with.

use crate::adaptive::Session;
pub use crate::config::TierChoice;
use crate::heap::HeapConfig;
use crate::runtime::{Input, Limits, RuntimeConfig, Sink};
use holloway_jit::opt::pipeline::Options;

/// The configuration of an engine. `Config::default()` runs on standard input and output, without limits but the heap's.
#[derive(Default)]
pub struct Config {
    /// What executes the program.
    pub tier: TierChoice,
    /// What the optimizing tier leaves out.
    pub passes: Options,
    /// How large the heap may grow.
    pub heap: HeapConfig,
    /// Limits of each run and each call.
    pub limits: Limits,
    /// Where output goes.
    pub output: Sink,
    /// Where `input()` reads.
    pub input: Input,
    /// What `args()` gives.
    pub args: Vec<Vec<u8>>,
    /// The adaptive system of the run; without one, costs and benefits decide, and nothing of it is kept.
    pub adaptive: Option<Session>,
}

impl From<Config> for RuntimeConfig {
    fn from(config: Config) -> RuntimeConfig {
        let Config { heap, limits, output, input, args, tier: _, passes: _, adaptive: _ } = config;
        RuntimeConfig { heap, sink: output, input, args, limits }
    }
}
