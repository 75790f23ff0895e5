//! Density of frames: for how many logical frames one of compiled code stands, and in how little stack.
//!
//! In: versions as they are made. Out: bounds over all of them, by which polls count frames on the safe side.

use holloway_jit::Version;

/// A return address and a frame pointer.
const LEAST_FRAME: usize = 16;

/// Logical frames for which a frame stands, in the worst of all code made so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Density {
    /// The most in one frame.
    pub frames: usize,
    /// The fewest bytes of stack for each.
    pub bytes: usize,
}

impl Default for Density {
    fn default() -> Density {
        Density { frames: 1, bytes: LEAST_FRAME }
    }
}

impl Density {
    pub(super) fn add(&mut self, version: &Version) {
        let frames = version.most_frames();
        self.frames = self.frames.max(frames);
        self.bytes = self.bytes.min((LEAST_FRAME + version.frame_size as usize) / frames).max(1);
    }
}
