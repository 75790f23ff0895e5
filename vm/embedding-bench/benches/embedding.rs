//! The embedding API, measured: `cargo bench` in this folder, with `--features peers` beside Lua and Rhai.

use criterion::{Criterion, Throughput};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut all = holloway_embedding_bench::all();
    for work in &mut all {
        let mut group = criterion.benchmark_group(work.name);
        group.throughput(Throughput::Elements(work.times));
        group.bench_function(work.language, |bencher| bencher.iter(&mut work.run));
        group.finish();
    }
    criterion.final_summary();
}
