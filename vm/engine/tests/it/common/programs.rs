//! Programs to run: random ones, and the benchmark programs.
//!
//! In: `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED`, `bench-programs/expected.json`, `tests/causes/expected.json`. Out: seeds; sources with the
//! small size as their argument, and their checksums. Invariant: each test sees the same programs in the same order.

use std::fs;
use std::ops::Range;
use std::path::Path;

/// Every effect of a failure on a path: it is caught in the same function or in a caller, or ends the program; with recursion, too.
pub(crate) const FAILURES: &str = "
    fn risky(n: int) -> int {
        if n % 3 == 0 { fail \"three\" }
        return 100 / (n % 5)
    }
    fn deep(n: int) -> int { if n == 0 { return risky(3) } return deep(n - 1) + 1 }
    var caught = 0
    for i in 0..50 {
        try { caught += risky(i) } catch e {
            caught += 1
            try { fail e } catch again { caught += len(again) }
        }
    }
    try { print(deep(20)) } catch e { print(e) }
    fn main() { for i in 0..10 { if i == 7 { exit(3) } else { print(risky(i + 1)) } } }
";

/// Number of random programs: `HOLLOWAY_PROGRAMS`, or the test's default.
pub(crate) fn how_many(default: u64) -> u64 {
    number("HOLLOWAY_PROGRAMS", default)
}

/// Returns true if `HOLLOWAY_PROGRAMS` asks for a long run.
pub(crate) fn is_asked_for_more() -> bool {
    std::env::var_os("HOLLOWAY_PROGRAMS").is_some()
}

/// The seeds of so many programs, from `HOLLOWAY_FIRST_SEED` on.
pub(crate) fn seeds(default: u64) -> Range<u64> {
    let first = first_seed();
    first..first + how_many(default)
}

/// The first seed.
pub(crate) fn first_seed() -> u64 {
    number("HOLLOWAY_FIRST_SEED", 0)
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// A benchmark program at one of its sizes.
pub(crate) struct Benchmark {
    pub(crate) name: String,
    pub(crate) source: String,
    /// Its only argument.
    pub(crate) size: String,
    /// Its output.
    pub(crate) checksum: String,
}

/// All benchmark programs at their small size.
fn benchmarks() -> Vec<Benchmark> {
    benchmarks_at("small")
}

/// Every eighth benchmark program from the given one on, at its small size; with `HOLLOWAY_PROGRAMS` all of them. Tests of one kind
/// begin with different ones.
pub(crate) fn every_eighth(first: usize) -> Vec<Benchmark> {
    let programs = benchmarks();
    if is_asked_for_more() { programs } else { programs.into_iter().skip(first).step_by(8).collect() }
}

/// The same at a quarter of that size, for tests that compare counts and no checksum: what recurs does so often enough.
pub(crate) fn some_benchmarks(first: usize) -> Vec<Benchmark> {
    let programs = every_eighth(first);
    if is_asked_for_more() { programs } else { programs.into_iter().map(shorter).collect() }
}

/// A program at a quarter of a size from which on it counts repetitions.
fn shorter(program: Benchmark) -> Benchmark {
    let size: u64 = program.size.parse().expect("a size is a number");
    let size = if size >= REPETITIONS { size / 4 } else { size };
    Benchmark { size: size.to_string(), ..program }
}

/// Smaller sizes are those of a tree or a table, of which a quarter would be nothing.
const REPETITIONS: u64 = 40;

/// All benchmark programs at one of the sizes in `bench-programs/expected.json`.
pub(crate) fn benchmarks_at(named_size: &str) -> Vec<Benchmark> {
    described("bench-programs", named_size)
}

/// The programs of `tests/causes/`, at their small size: each shows one cause that made code slow, and tells it in its first lines.
pub(crate) fn causes() -> Vec<Benchmark> {
    described("tests/causes", "small")
}

/// The programs that `expected.json` in a folder describes.
fn described(folder: &str, named_size: &str) -> Vec<Benchmark> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let expected = fs::read_to_string(folder.join("expected.json")).expect("the file is there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("the file is JSON");
    let program = |(name, entry): (&String, &serde_json::Value)| {
        let source = fs::read_to_string(folder.join(format!("{name}.hw"))).expect("the program is there");
        let size = entry["sizes"][named_size].to_string();
        let checksum = entry["checksums"][&size].to_string();
        Benchmark { name: name.clone(), source, size, checksum }
    };
    expected.as_object().expect("an entry for each program").iter().map(program).collect()
}
