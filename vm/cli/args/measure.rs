//! The options of the commands that measure: `bench`, `calibrate`, `reproduce`.
//!
//! In: the arguments after the command's name. Out: one structure a command. Invariant: each takes `--rounds` and
//! `--json`, with the same meaning.

use std::path::PathBuf;

use clap::Args;

use super::choice::choice;
use super::passes::PassArgs;
use super::scheme::{self, SchemeOptions};
use super::without::WithoutArgs;
use holloway::TierChoice;
use holloway_measure::bench::unseen::GivenSize;
use holloway_measure::extent::SizeName;
use holloway_profiler::scheme::Scheme;

/// `bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The programs to measure; all of them if none is named, with --warmup five
    #[arg(value_name = "NAME", conflicts_with_all = ["startup", "compile"])]
    pub names: Vec<String>,
    /// The tier that executes the programs
    #[arg(long, value_parser = choice::<TierChoice>(), default_value = "auto", value_name = "TIER")]
    pub tier: TierChoice,
    /// Also build and run the same programs in C (gcc, clang, wasmtime), LuaJIT, Node.js, Java and PyPy, whichever are installed
    #[arg(long, conflicts_with_all = ["startup", "warmup", "compile"])]
    pub peers: bool,
    /// Measure how long a program that does next to nothing takes, beside every peer that is installed
    #[arg(long, conflicts_with = "parts")]
    pub startup: bool,
    /// Measure the time until 90% of steady speed, beside LuaJIT, Node.js, Java and PyPy, whichever are installed
    ///
    /// Each process does a program's small workload again and again for three seconds. Steady speed is the median of
    /// the last quarter of these units. The time counts from the start of the process to the end of the first unit that
    /// takes at most 1/0.9 of the steady time, as does the median of it and the four after it. Without names:
    /// bytecodevm, lzw, matmul, nbody and spectralnorm.
    #[arg(long, conflicts_with_all = ["startup", "parts"])]
    pub warmup: bool,
    /// Measure how fast the tier compiles all of the programs, without running them
    #[arg(long, conflicts_with_all = ["startup", "warmup", "parts"])]
    pub compile: bool,
    /// Also show the time of each part of the compiler: the optimizer's passes, translation, and what Cranelift does
    #[arg(long, requires = "compile")]
    pub timings: bool,
    /// Measure each program in optimized code with the probes of this scheme and without, and show its hottest path or period
    #[arg(long, value_parser = scheme::scheme(), value_name = "SCHEME", conflicts_with_all = ["startup", "warmup", "compile", "peers", "tier", "parts"])]
    pub scheme: Option<Scheme>,
    /// The options of the scheme.
    #[command(flatten)]
    pub options: SchemeOptions,
    /// Measure the CPU time of each program with the adaptive system whole, and without each of its parts
    ///
    /// The table shows the time without a part as a ratio to that of the whole: above 1 the part gains. Parts are those of `run
    /// --without`; the last column is `--tier optimized`.
    #[arg(long, conflicts_with_all = ["startup", "warmup", "compile", "scheme", "peers", "tier", "parts"])]
    pub ablation: bool,
    /// Measure each program under every strategy of the adaptive system: CPU time, versions, compile time
    #[arg(long, conflicts_with_all = ["startup", "warmup", "compile", "scheme", "peers", "tier", "parts", "ablation"])]
    pub policies: bool,
    /// Measure the programs of a folder, each beside the same program in C by gcc -O2
    ///
    /// Every NAME.hw with a NAME.c beside it takes its size as its argument, and both print the same. The table shows
    /// the CPU time of optimized code and of the adaptive system as ratios to that of C and to each other, and what
    /// versions made of path profiles were expected and measured to save. DIR/expected.json may tell sizes and outputs;
    /// without a size one is found with which C takes half a second. Names select programs of the folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["startup", "warmup", "compile", "scheme", "peers", "tier", "ablation", "policies", "parts", "disabled"])]
    pub unseen: Option<PathBuf>,
    /// Measure the WebAssembly modules of a folder, each beside wasmtime and Node.js on the same module
    ///
    /// bench-programs/wasm/build.sh DIR makes such a folder. DIR/expected.json has the argument of each NAME.wasm, and may have its
    /// output: {"NAME": {"sizes": {"default": N, "mid": N}, "checksums": {"N": OUTPUT}}}. The tables show the CPU time of optimized code,
    /// of the adaptive system, and of it without traces, the time until the first instruction, and memory, as ratios to those of wasmtime
    /// (Python's package) and node. Names select modules of the folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["startup", "warmup", "compile", "scheme", "peers", "tier", "ablation", "policies", "unseen", "parts", "disabled"])]
    pub wasm: Option<PathBuf>,
    /// With --unseen: the size of a program, as in crc=300, or of all that have none of their own, as in 300
    #[arg(long, value_name = "[NAME=]N,...", value_delimiter = ',', value_parser = given_size, requires = "unseen")]
    pub sizes: Vec<GivenSize>,
    /// Show the hottest loops of one program beside those of its C peer: instructions, loads, stores and branches
    ///
    /// Both run once under Linux perf; C is compiled by gcc -O2, where it is installed.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["names", "startup", "warmup", "compile", "scheme", "peers", "ablation", "unseen", "wasm", "parts", "rounds"])]
    pub why: Option<String>,
    /// The parts that are left out.
    #[command(flatten)]
    pub without: WithoutArgs,
    /// The size at which the programs run
    #[arg(long, value_parser = choice::<SizeName>(), default_value = "default", value_name = "SIZE", conflicts_with_all = ["startup", "warmup", "compile"])]
    pub size: SizeName,
    /// The number of runs of each, taking turns [default: 3; with --unseen: 6; with --startup or --compile: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub rounds: Option<u32>,
    /// The passes to skip.
    #[command(flatten)]
    pub passes: PassArgs,
    /// Run the program with facts of a recorded run, as run --facts does
    #[arg(long, value_name = "FACTS", requires = "names", conflicts_with_all = ["startup", "warmup", "compile", "scheme", "ablation", "why", "unseen", "wasm"])]
    pub facts: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// Carry one run out; this is how the command starts itself
    #[arg(long, value_name = "JOB", hide = true)]
    pub child: Option<String>,
}

/// `crc=300` or `300`: a size of one program, or of all.
fn given_size(text: &str) -> Result<GivenSize, String> {
    let (program, size) = match text.rsplit_once('=') {
        Some(("", _)) => return Err("a program's name stands before the =, as in crc=300".to_owned()),
        Some((name, size)) => (Some(name.to_owned()), size),
        None => (None, text),
    };
    let size = size.parse().map_err(|_| "write a size such as 300, or one of a program such as crc=300".to_owned())?;
    Ok(GivenSize { program, size })
}

/// `calibrate`.
#[derive(Args, Debug)]
pub struct CalibrateArgs {
    /// The programs to measure; all of them if none is named
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The number of times each program is run and compiled; the least times count
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub rounds: u32,
    /// Save the table
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// `reproduce`.
#[derive(Args, Debug)]
pub struct ReproduceArgs {
    /// The tables to measure: delia, tfp, cost, twpp, roy, melski
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// The benchmark programs to measure on; all of them if left out
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Measure on the WebAssembly modules of a folder instead, as bench-programs/wasm/build.sh makes them
    ///
    /// DIR/expected.json has the argument of each NAME.wasm: {"NAME": {"sizes": {"default": N, "mid": N}}}. Tables and columns about
    /// programs of the papers are left out.
    #[arg(long, value_name = "DIR")]
    pub wasm: Option<PathBuf>,
    /// The size at which the programs run
    #[arg(long, value_parser = choice::<SizeName>(), default_value = "default", value_name = "SIZE")]
    pub size: SizeName,
    /// The number of times each is timed, taking turns; as many as the papers' means are of
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub rounds: u32,
    /// Draw each table as bars, into SVG files in this folder
    #[arg(long, value_name = "DIR")]
    pub plot: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Carry one job out; this is how the command starts itself
    #[arg(long, value_name = "JOB", hide = true)]
    pub child: Option<String>,
}
