//! Holloway IR to machine code, one compile request at a time.
#![forbid(unsafe_code)]

pub mod abi;
