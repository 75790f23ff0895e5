//! Placeholder header, replaced by the first real module.
#![forbid(unsafe_code)]
