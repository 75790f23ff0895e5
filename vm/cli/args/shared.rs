//! Options that several commands take: of a program's execution, of messages, and the program itself.
//!
//! In: nothing. Out: what clap parses.

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::choice::choice;
use super::passes::PassArgs;
use super::wasm::WasmArgs;
use crate::quantity;
use holloway::TierChoice;
use holloway_measure::extent::SizeName;
use holloway_study::report::style::MessageFormat;

/// The options of a program's execution.
#[derive(Args, Debug)]
pub struct ExecutionArgs {
    /// The tier that executes the program; the output is the same from each
    #[arg(long, value_parser = choice::<TierChoice>(), default_value = "auto", value_name = "TIER")]
    pub tier: TierChoice,
    /// Compile on the running thread, driven by counters, so that two runs decide alike
    #[arg(long)]
    pub sync_compile: bool,
    /// Limit the program's heap; K, M and G count in 1024s
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, allow_negative_numbers = true)]
    pub heap_limit: Option<NonZeroU64>,
    /// Stop the program after this time, as in 10 or 0.5
    #[arg(long, value_name = "SECONDS", value_parser = quantity::seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,
    /// Stop the program after N loop iterations and calls
    #[arg(long, value_name = "N", value_parser = quantity::count, allow_negative_numbers = true)]
    pub fuel: Option<u64>,
    /// Refuse the program the reading and writing of files
    #[arg(long)]
    pub no_files: bool,
    /// The passes to skip.
    #[command(flatten)]
    pub passes: PassArgs,
    /// The options of modules of WebAssembly.
    #[command(flatten)]
    pub wasm: WasmArgs,
}

/// The options of messages.
#[derive(Args, Debug)]
pub struct MessageArgs {
    /// The shape of errors and warnings
    #[arg(long, value_parser = choice::<MessageFormat>(), default_value = "human", value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When messages are coloured; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,
}

/// When text is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorChoice {
    /// on a terminal, unless NO_COLOR is set
    Auto,
    /// even into a file
    Always,
    /// nowhere
    Never,
}

/// A program of a file or of the binary.
#[derive(Args, Debug)]
pub struct SubjectArgs {
    /// The program; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "bench")]
    pub file: Option<PathBuf>,
    /// The program's arguments
    #[arg(value_name = "ARGS")]
    pub args: Vec<OsString>,
    /// Run this benchmark program of the binary instead of a file
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    pub bench: Option<String>,
    /// With --bench: how much it does [default: mid]
    #[arg(long, value_parser = choice::<SizeName>(), value_name = "SIZE")]
    pub size: Option<SizeName>,
}
