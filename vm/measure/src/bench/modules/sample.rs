//! The figures of one run of a module.

/// Figures of a run: seconds, and bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample {
    pub(super) ready: f64,
    pub(super) cpu: f64,
    pub(super) wall: f64,
    pub(super) memory: f64,
}
