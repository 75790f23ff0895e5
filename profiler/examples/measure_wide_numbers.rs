//! Cost of path numbers of 128 bits beside those of 64.
//!
//! In: nothing. Out: nanoseconds for each edge with a linear function, in both widths.
//! Run: `cargo run --release -p holloway-profiler --example measure_wide_numbers`

use std::hint::black_box;
use std::ops::{Add, Mul};
use std::time::Instant;

const EDGES: usize = 1 << 26;

/// Functions that fit both widths; which one an edge has is not predictable, as along an execution.
fn functions<N: From<u32>>() -> Vec<(N, N)> {
    (0..256_u32).map(|i| (N::from(i.wrapping_mul(2_654_435_761) >> 26), N::from(i))).collect()
}

/// Nanoseconds for each `pathNum += a * numValidCompsFromExit + b`.
fn per_edge<N>() -> f64
where
    N: From<u32> + Copy + Add<Output = N> + Mul<Output = N>,
{
    let functions = functions::<N>();
    let mut number = N::from(0);
    let start = Instant::now();
    for edge in 0..EDGES {
        let (a, b) = functions[edge % 256];
        let completions = black_box(N::from(7));
        number = number + a * completions + b;
    }
    black_box(number);
    start.elapsed().as_nanos() as f64 / EDGES as f64
}

fn least(measure: fn() -> f64) -> f64 {
    (0..5).map(|_| measure()).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("{:>10} {:>8} {:>8}", "", "64 bits", "128 bits");
    println!("{:>10} {:>8.2} {:>8.2}", "ns an edge", least(per_edge::<u64>), least(per_edge::<u128>));
}
