//! The `holloway` binary.

use mimalloc::MiMalloc;

/// Compilers allocate many small objects, on a thread of their own: with the system's allocator, compiling took 1.19 times the CPU time
/// (`holloway bench --compile --tier optimized`; glibc 2.36, AMD EPYC, 2026-11-23).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> std::process::ExitCode {
    holloway::command()
}
