//! The figures of one run of a module.

/// Figures of a run: seconds, and bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample {
    pub(super) ready: f64,
    pub(super) cpu: f64,
    pub(super) wall: f64,
    pub(super) memory: f64,
}

impl Sample {
    pub(super) fn ready(&self) -> f64 {
        self.ready
    }

    pub(super) fn cpu(&self) -> f64 {
        self.cpu
    }

    pub(super) fn wall(&self) -> f64 {
        self.wall
    }

    pub(super) fn memory(&self) -> f64 {
        self.memory
    }
}
