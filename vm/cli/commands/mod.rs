//! One function for each command, each in its file: from its configuration to an exit status.

pub mod bench;
pub mod calibrate;
pub mod check;
pub mod completions;
pub mod diff;
pub mod dump;
pub mod explain;
pub mod explain_code;
pub mod export;
pub mod fmt;
pub mod lab;
pub mod lab_import;
pub mod lsp;
pub mod man;
pub mod merge;
pub mod profile;
pub mod repl;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod stream;
pub mod trace;
