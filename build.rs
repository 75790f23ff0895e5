//! Prepares the build: how the binary is linked.
//!
//! In: the target. Out: instructions to cargo.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    link_at_a_fixed_address();
    link_small();
}

/// Nobody need write addresses into the pages of a binary with a fixed one before a short program starts. A static binary is linked with
/// `-static-pie` otherwise: that is taken back, so that it is said to be static once more.
fn link_at_a_fixed_address() {
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        if env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|features| features.contains("crt-static")) {
            println!("cargo::rustc-link-arg-bins=-static");
        }
    }
}

/// Lets functions with the same code become one where code is to be small, and leaves out the index of frames by their addresses, which nobody asks where a panic
/// aborts. It takes the linker that Rust comes with on this target.
fn link_small() {
    let is_small = env::var("OPT_LEVEL").is_ok_and(|level| level == "s" || level == "z");
    if is_small && env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        println!("cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
    }
}
