//! The arguments of `lab`.
//!
//! In: text. Out: [`LabArgs`]. Invariant: an input and a command exclude each other.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::scheme::BaseName;
use crate::examples;

/// `lab`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub struct LabArgs {
    /// Import an input instead of evaluating one.
    #[command(subcommand)]
    pub command: Option<LabCommand>,
    /// The graphs, traces and scheme; `-` is standard input
    #[arg(value_name = "INPUT", required = true)]
    pub input: Option<PathBuf>,
    /// Evaluate this scheme, with its default options, instead of the input's
    #[arg(long, value_name = "SCHEME")]
    pub scheme: Option<String>,
    /// With --scheme: its K
    #[arg(long, value_name = "K", requires = "scheme", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub k: Option<u32>,
    /// With --scheme ip-hybrid: the paths that are cut; `context` unless said otherwise
    #[arg(long, value_name = "BASE", requires = "scheme")]
    pub base: Option<BaseName>,
    /// With --scheme ip-hybrid: cut the coldest call sites until numbers have at most so many bits; 64 unless said otherwise
    #[arg(long, value_name = "BITS", requires = "scheme", value_parser = clap::value_parser!(u32).range(1..=128), allow_negative_numbers = true)]
    pub bits: Option<u32>,
    /// Print a line a procedure, as text: how many paths there are, how many were executed, how often
    #[arg(long)]
    pub summary: bool,
    /// Print the graphs with the value and the count of each edge, in DOT
    #[arg(long, conflicts_with = "summary")]
    pub dot: bool,
    /// With --summary: show at most N procedures, 0 all; 20 unless said otherwise
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub top: Option<usize>,
}

/// Commands of `lab`.
#[derive(Subcommand, Debug)]
pub enum LabCommand {
    /// Make an input from a C program that ran: its graphs from clang's LLVM IR, and the trace of its blocks
    ///
    /// PROG.ll is compiled with -fsanitize-coverage=trace-pc-guard,no-prune and linked with c-trace/holloway_trace.c, which writes TRACE.
    /// docs/lab.md has every step.
    #[command(after_help = examples::LAB_IMPORT)]
    Import(LabImportArgs),
}

/// `lab import`.
#[derive(Args, Debug)]
pub struct LabImportArgs {
    /// The program, as text of LLVM IR
    #[arg(long, value_name = "PROG.ll")]
    pub llvm: PathBuf,
    /// The trace of its run
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Write the input here and the trace beside it, to LAB.blocks; otherwise both are one JSON on standard output
    #[arg(short, long, value_name = "LAB.json")]
    pub output: Option<PathBuf>,
}
