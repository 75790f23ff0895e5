//! Measures the two ways to store the children of a slab forest, for the choice in `forest/trie.rs`.
//!
//! In: nothing. Out: a table of nanoseconds an id and bytes a forest, for several numbers of paths and kinds of stream.
//! Run: `cargo run --release -p holloway-profiler --example measure_children`

use std::time::Instant;

use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::trie::ChildKind;

const IDS: usize = 1_000_000;
const K: u32 = 8;

fn main() {
    println!(
        "{:>5}  {:<9} {:>9} {:>9} {:>12} {:>12}",
        "paths", "stream", "list ns", "dense ns", "list bytes", "dense bytes"
    );
    for paths in [2, 4, 8, 16, 32, 64, 256] {
        for (name, stream) in [("periodic", periodic(paths)), ("skewed", skewed(paths)), ("uniform", uniform(paths))] {
            let (list, list_bytes) = measure(ChildKind::List, &stream);
            let (dense, dense_bytes) = measure(ChildKind::Dense(paths as u32), &stream);
            println!("{paths:>5}  {name:<9} {list:>9.1} {dense:>9.1} {list_bytes:>12} {dense_bytes:>12}");
        }
    }
}

fn measure(kind: ChildKind, stream: &[u64]) -> (f64, usize) {
    let mut best = f64::INFINITY;
    let mut bytes = 0;
    for _ in 0..3 {
        // With a bound, since a uniform stream would otherwise measure the allocator; 64 MiB hold the hot nodes.
        let mut forest = SlabForest::with_children(K, kind).with_limit(64 << 20);
        forest.enter();
        let start = Instant::now();
        for ids in stream.chunks(4096) {
            forest.process_bl_path_ids(ids);
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / stream.len() as f64);
        bytes = forest.bytes();
    }
    (best, bytes)
}

/// A stream that repeats every `paths` ids.
fn periodic(paths: u64) -> Vec<u64> {
    (0..IDS as u64).map(|i| i % paths).collect()
}

/// A stream in which nine of ten ids are the same.
fn skewed(paths: u64) -> Vec<u64> {
    random().take(IDS).map(|r| if r % 10 < 9 { 0 } else { (r >> 32) % paths }).collect()
}

/// A stream without a pattern.
fn uniform(paths: u64) -> Vec<u64> {
    random().take(IDS).map(|r| (r >> 32) % paths).collect()
}

fn random() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(0x2545_f491_4f6c_dd1d_u64), |&x| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        Some(x ^ (x << 17))
    })
}
