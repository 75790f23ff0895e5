//! The files of `bench-programs/` embedded in this binary, compressed; `vm/measure/build.rs` collects them.

use std::ops::Range;
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let compressed = include_bytes!(concat!(env!("OUT_DIR"), "/embedded.zst"));
    zstd::bulk::decompress(compressed, SIZE).expect("it was compressed when this was built")
});

fn bytes(range: &Range<usize>) -> &'static [u8] {
    &BYTES[range.clone()]
}

/// The file at `path` below `bench-programs/`.
pub fn file(path: &str) -> Option<&'static [u8]> {
    FILES.binary_search_by_key(&path, |(path, _)| path).ok().map(|at| bytes(&FILES[at].1))
}

/// Every file below `folder`, with its path below `bench-programs/`.
pub(super) fn files_below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().filter(move |(path, _)| path.starts_with(folder)).map(|(path, range)| (*path, bytes(range)))
}

/// The names of the Holloway programs, in alphabetical order.
pub(super) fn program_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(path, _)| path.strip_suffix(".hw")).filter(|name| !name.contains('/'))
}

/// The names of those that only `reproduce` has, with their folder.
pub(super) fn papers_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(path, _)| path.strip_suffix(".hw")).filter(|name| name.starts_with("papers/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_there_in_every_language() {
        let has = |name: &str, extension: &str| file(&format!("peers/programs/{name}.{extension}")).is_some();
        for name in program_names() {
            for extension in ["lua", "js", "java", "py"] {
                assert!(has(name, extension), "{name}.{extension}");
            }
        }
        assert!(program_names().count() >= 76);
        // Those that live on lists, dicts and closures are not written in C.
        assert!(program_names().filter(|name| has(name, "c")).count() >= 64);
        assert!(file("peers/lib/bench.h").is_some());
        assert!(file("no/such/file").is_none());
    }
}
