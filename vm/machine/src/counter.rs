//! Reading the counters that compiled code writes.
//!
//! In: a counter. Out: its present value, as code writes it behind the back of the compiler of this file.

/// The present value of a counter.
pub(super) fn read_counter(counter: &u64) -> u64 {
    std::hint::black_box(*counter)
}
