//! Configuration of an engine.

use holloway_aos::Session;
use holloway_jit::opt::pipeline::Options;
use holloway_runtime::heap::HeapConfig;
use holloway_runtime::{ErrorSink, FileAccess, Input, Limits, RuntimeConfig, Sink};

/// The tier that executes a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TierChoice {
    #[default]
    /// baseline code at first, hot functions recompiled
    Auto,
    /// the reference interpreter for everything
    Interp,
    /// baseline code for everything
    Baseline,
    /// optimized code for everything
    Optimized,
}

impl TierChoice {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Interp => "interp",
            Self::Baseline => "baseline",
            Self::Optimized => "optimized",
        }
    }
}

/// The configuration of an engine. `Config::default()` runs on standard input and output, without limits but the
/// heap's.
#[derive(Default)]
pub struct Config {
    /// The tier that executes the program.
    pub tier: TierChoice,
    /// The options of the optimizing tier.
    pub passes: Options,
    /// The size limit of the heap.
    pub heap: HeapConfig,
    /// Limits of each run and each call.
    pub limits: Limits,
    /// The sink of the program's output.
    pub output: Sink,
    /// The most bytes of output that are captured, where they are; `None` means as many as the heap may have.
    pub most_captured: Option<usize>,
    /// The sink of what it writes to standard error.
    pub errors: ErrorSink,
    /// The source that `input()` and `read_all()` read.
    pub input: Input,
    /// The result of `args()`.
    pub args: Vec<Vec<u8>>,
    /// Says if the program may read and write files; by default it may not.
    pub files: FileAccess,
    /// The adaptive system of the run; `None` means the cost-benefit model, whose events are not kept.
    pub adaptive: Option<Adaptive>,
    /// The directories and the environment that modules of WebAssembly may use, and the export that a run calls.
    #[cfg(feature = "wasm")]
    pub wasm: crate::module::WasmConfig,
}

/// An adaptive system: who decides about recompilation, and what is kept of it.
pub struct Adaptive(#[doc(hidden)] pub Session);

impl Adaptive {
    /// The cost-benefit model, which compiles on another thread; [`Engine::events`](crate::Engine::events) gives its events.
    pub fn keeping_events() -> Adaptive {
        Adaptive(Session::in_background().keeping_events())
    }
}

impl From<Config> for RuntimeConfig {
    fn from(config: Config) -> RuntimeConfig {
        let Config { heap, limits, output, most_captured, errors, input, args, files, .. } = config;
        RuntimeConfig { heap, sink: output, most_captured, errors, input, args, limits, files }
    }
}
