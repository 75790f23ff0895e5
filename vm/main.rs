//! The `holloway` binary.
fn main() {}
