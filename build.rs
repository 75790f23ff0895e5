//! Embeds the benchmark programs in the binary.
//!
//! In: `bench-programs/`: the Holloway programs, their expected checksums and the peers in other languages. Out:
//! `embedded.rs` in `OUT_DIR`, one table `FILES` of (path below `bench-programs/`, bytes). Invariant: the table is
//! sorted by path, so that the same tree always gives the same binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const ROOT: &str = "bench-programs";
const FOLDERS: [&str; 5] = ["", "papers", "peers/lib", "peers/programs", "peers/startup"];

fn main() {
    let mut paths: Vec<String> = FOLDERS.iter().flat_map(|folder| files_in(folder)).collect();
    paths.sort();
    let mut table = String::from("pub(super) static FILES: &[(&str, &[u8])] = &[\n");
    for path in &paths {
        // A path relative to the package, so that no machine's path gets into the sources that are generated.
        writeln!(
            table,
            "    ({path:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))),",
            format!("/{ROOT}/{path}")
        )
        .expect("writing to a string");
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("embedded.rs");
    fs::write(&out, table).unwrap_or_else(|error| panic!("cannot write {}: {error}", out.display()));
    println!("cargo::rerun-if-changed=build.rs");
    link_at_a_fixed_address();
    link_small();
}

/// Nobody need write addresses into the pages of a binary with a fixed one before a short program starts. A static binary is linked with
/// `-static-pie` otherwise: that is taken back, so that it is said to be static once more.
fn link_at_a_fixed_address() {
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        if env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|features| features.contains("crt-static")) {
            println!("cargo::rustc-link-arg-bins=-static");
        }
    }
}

/// Lets functions with the same code become one where code is to be small, and leaves out the index of frames by their addresses, which nobody asks where a panic
/// aborts. It takes the linker that Rust comes with on this target.
fn link_small() {
    let is_small = env::var("OPT_LEVEL").is_ok_and(|level| level == "s" || level == "z");
    if is_small && env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        println!("cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
    }
}

/// The files of one folder that are of use at run time, as paths below [`ROOT`].
fn files_in(folder: &str) -> Vec<String> {
    let directory = Path::new(ROOT).join(folder);
    println!("cargo::rerun-if-changed={}", directory.display());
    let entries =
        fs::read_dir(&directory).unwrap_or_else(|error| panic!("cannot list {}: {error}", directory.display()));
    entries
        .map(|entry| entry.unwrap_or_else(|error| panic!("cannot list {}: {error}", directory.display())))
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().into_string().expect("the names of benchmark files are UTF-8"))
        .filter(|name| is_wanted(name))
        .map(|name| if folder.is_empty() { name } else { format!("{folder}/{name}") })
        .collect()
}

/// Variants for a plain Lua 5.4 are left out: LuaJIT is the peer.
fn is_wanted(name: &str) -> bool {
    const EXTENSIONS: [&str; 8] = ["hw", "c", "h", "lua", "js", "java", "py", "json"];
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) && !name.ends_with(".lua54.lua")
}
