//! Measures the cost of counting an id that is in a buffer: hash tables against slab forests.
//!
//! In: nothing. Out: nanoseconds an id, decoding included, for several kinds of streams and lengths of activations.
//! Run: `cargo run --release -p holloway-profiler --example measure_sinks`

use std::time::Instant;

use holloway_profiler::counts::{Counts, PathCounts, TableKind};
use holloway_profiler::event::{Event, FunctionId, Streams};
use holloway_profiler::forest::SlabForest;
use holloway_profiler::machine::Sink;

const IDS: usize = 1_000_000;
const ROUNDS: usize = 5;
const BUFFER: usize = 4096;
const KS: [u32; 5] = [2, 3, 4, 8, 16];

fn main() {
    print!("{:<9} {:>5} {:>10} {:>6}", "stream", "paths", "activation", "hash");
    KS.iter().for_each(|k| print!(" {:>6}", format!("k={k}")));
    println!("   bytes at k=8");
    for length in [IDS, 10] {
        for (name, paths) in [
            ("single", 1),
            ("single", 100),
            ("periodic", 2),
            ("periodic", 7),
            ("periodic", 100),
            ("skewed", 4),
            ("skewed", 16),
            ("skewed", 100),
            ("uniform", 2),
            ("uniform", 4),
            ("uniform", 16),
        ] {
            let words = words(&stream(name, paths), length);
            let hash = best(&words, || {
                let mut counts = PathCounts::new(paths);
                counts.paths = Counts::of_kind(TableKind::Hash, paths);
                counts
            });
            let activation = if length == IDS { "one".to_string() } else { length.to_string() };
            print!("{name:<9} {paths:>5} {activation:>10} {:>6.2}", hash.0);
            let mut bytes = 0;
            for k in KS {
                // With a bound, since a uniform stream would otherwise measure the allocator.
                let (ns, streams) = best(&words, || SlabForest::new(k, paths).with_limit(64 << 20));
                print!(" {ns:>6.2}");
                if k == 8 {
                    bytes = streams.sink(FunctionId::from_u32(0)).map_or(0, SlabForest::bytes);
                }
            }
            println!(" {bytes:>14}");
        }
    }
}

fn best<S: Sink>(words: &[u64], make: impl Fn() -> S) -> (f64, Streams<S>) {
    let mut best = f64::INFINITY;
    let mut streams = Streams::default();
    for _ in 0..ROUNDS {
        streams = Streams::default();
        streams.attach(FunctionId::from_u32(0), make());
        let start = Instant::now();
        for buffer in words.chunks(BUFFER) {
            streams.read(buffer).expect("the words are those of events");
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / IDS as f64);
    }
    (best, streams)
}

fn words(ids: &[u64], length: usize) -> Vec<u64> {
    let mut words = Vec::new();
    for activation in ids.chunks(length) {
        Event::Enter(FunctionId::from_u32(0)).write(&mut words);
        words.extend(activation);
        Event::Leave.write(&mut words);
    }
    words
}

fn stream(name: &str, paths: u64) -> Vec<u64> {
    let ids = 0..IDS as u64;
    match name {
        "single" => ids.map(|_| paths - 1).collect(),
        "periodic" => ids.map(|i| i % paths).collect(),
        // Nine of ten are the same.
        "skewed" => random().take(IDS).map(|r| if r % 10 < 9 { 0 } else { (r >> 32) % paths }).collect(),
        _ => random().take(IDS).map(|r| (r >> 32) % paths).collect(),
    }
}

fn random() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(0x2545_f491_4f6c_dd1d_u64), |&x| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        Some(x ^ (x << 17))
    })
}
