//! Options of modules of WebAssembly.
//!
//! In: nothing. Out: what clap parses.

use clap::Args;
use holloway::wasm::Directory;

/// The options of modules.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options for WebAssembly")]
pub struct WasmArgs {
    /// Let the module use a directory and what is below it, under its own name or the one behind `::`
    #[arg(long = "dir", value_name = "DIR[::NAME]", value_parser = directory)]
    pub directories: Vec<Directory>,
    /// Let the module see an environment variable: it sees no others
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub environment: Vec<(String, String)>,
    /// Call this export with ARGS, and print its results, instead of running `_start`
    #[arg(long, value_name = "NAME")]
    pub invoke: Option<String>,
}

fn directory(text: &str) -> Result<Directory, String> {
    let (host, guest) = text.split_once("::").unwrap_or((text, text));
    match host.is_empty() || guest.is_empty() {
        true => Err("name a directory, or two with `::` between them".to_owned()),
        false => Ok(Directory { host: host.into(), guest: guest.to_owned() }),
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err("write NAME=VALUE".to_owned()),
    }
}
