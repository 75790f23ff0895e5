//! The command as its users meet it, and the house rules.
//!
//! In: the binary, as a child process. Out: checks of what it prints, writes and exits with. One test binary, since each one more costs
//! a link. Tests that look inside stand in `vm/engine/tests/`.

mod bad_input;
mod bad_options;
mod cli_bench;
mod cli_check;
mod cli_diff;
mod cli_endless;
mod cli_export;
mod cli_files;
mod cli_lab;
mod cli_lab_import;
mod cli_lab_papers;
mod cli_lsp;
mod cli_modules;
mod cli_outputs;
mod cli_passes;
mod cli_places;
mod cli_profile;
mod cli_report;
mod cli_reproduce;
mod cli_run;
mod cli_runs;
mod cli_scripts;
mod cli_trace;
mod cli_traces;
mod cli_usage;
mod cli_wasm;
mod cli_wasm_values;
mod command;
mod course;
mod editors;
mod file_graph;
mod limits;
mod observed_calls;
mod public_api;
mod repl;
mod tidy;
