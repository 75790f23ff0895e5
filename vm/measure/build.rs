//! The benchmark programs, compressed, for embedding them in the binary.
//!
//! In: `bench-programs/`: the Holloway programs, their expected checksums and the peers in other languages. Out: in `OUT_DIR`, `embedded.zst`, all
//! files one behind the other, and `embedded.rs` with their size and one table `FILES` of (path below `bench-programs/`, range of its bytes).
//! Invariant: the table is sorted by path, so that the same tree always gives the same binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const ROOT: &str = "../../bench-programs";
const FOLDERS: [&str; 6] = ["", "papers", "peers/lib", "peers/programs", "peers/startup", "wasm/peers"];
/// The level of compression. Programs are compressed once a build, and shipped often.
const LEVEL: i32 = 19;

/// Writes both files.
fn main() {
    let mut paths: Vec<String> = FOLDERS.iter().flat_map(|folder| files_in(folder)).collect();
    paths.sort();
    let mut bytes = Vec::new();
    let mut table = String::from("static FILES: &[(&str, Range<usize>)] = &[\n");
    for path in &paths {
        let start = bytes.len();
        let file = Path::new(ROOT).join(path);
        bytes.extend(fs::read(&file).unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display())));
        writeln!(table, "    ({path:?}, {start}..{}),", bytes.len()).expect("writing to a string");
    }
    writeln!(table, "];\nconst SIZE: usize = {};", bytes.len()).expect("writing to a string");
    let compressed = zstd::bulk::compress(&bytes, LEVEL).expect("compressing in memory");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (name, content) in [("embedded.zst", compressed.as_slice()), ("embedded.rs", table.as_bytes())] {
        let file = out.join(name);
        fs::write(&file, content).unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
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
    const EXTENSIONS: [&str; 9] = ["hw", "c", "h", "lua", "js", "mjs", "java", "py", "json"];
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) && !name.ends_with(".lua54.lua")
}
