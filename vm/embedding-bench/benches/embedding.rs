//! The embedding API, measured: `cargo bench` in this folder, with `--features peers` beside Lua (LuaJIT), Rhai and WebAssembly (Wasmtime).
//!
//! Each piece of work is measured in all languages before the next one. Structs are tables in Lua and maps in Rhai, which the host makes
//! for each call as it does here; WebAssembly has none that a host could pass, and is left out there. The numbers that are shared are an array
//! here, a table in Lua, a shared array of dynamic values in Rhai, and the memory of the module in WebAssembly. A creation includes the
//! program's compilation, or what there is of one, and a call.

use criterion::{Criterion, Throughput};
use holloway_embedding_bench::Piece;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut all = holloway_embedding_bench::all();
    for piece in [Piece::Call, Piece::HostCalls, Piece::Struct, Piece::Floats, Piece::Creation] {
        let mut group = criterion.benchmark_group(piece.name());
        group.throughput(Throughput::Elements(piece.times()));
        for work in all.iter_mut().filter(|work| work.piece == piece) {
            group.bench_function(work.language, |bencher| bencher.iter(&mut work.run));
        }
        group.finish();
    }
    criterion.final_summary();
}
