//! Room for the traces of one loop, the most frequent first. Invariant: several traces are together no larger than one
//! may be.

use crate::settings::forest::{LARGEST, MOST_TRACES};

#[derive(Default)]
pub(super) struct Room {
    traces: usize,
    size: usize,
    left_out: NoRoom,
}

/// Cycles of a loop, or ways through it, that are frequent enough, and for which its traces have no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoRoom {
    /// The traces would be too large with them.
    pub too_large: u32,
    /// The traces are as many as there may be without them.
    pub too_many: u32,
}

impl Room {
    /// True if one more of so many IR instructions may become a trace; otherwise it counts as left out.
    pub(super) fn fits(&mut self, size: usize) -> bool {
        let is_small = self.size + size <= LARGEST;
        let is_one_more = self.traces < MOST_TRACES;
        match is_one_more {
            true => self.left_out.too_large += u32::from(!is_small),
            false => self.left_out.too_many += 1,
        }
        is_small && is_one_more
    }

    /// One more of so many instructions is a trace.
    pub(super) fn add(&mut self, size: usize) {
        self.traces += 1;
        self.size += size;
    }

    /// The number of those left out, if there are any.
    pub(super) fn left_out(&self) -> Option<NoRoom> {
        (self.left_out != NoRoom::default()).then_some(self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out(sizes: &[usize]) -> (usize, Option<NoRoom>) {
        let mut room = Room::default();
        for size in sizes {
            if room.fits(*size) {
                room.add(*size);
            }
        }
        (room.traces, room.left_out())
    }

    #[test]
    fn the_limit_that_decides_is_told() {
        let (half, quarter) = (LARGEST / 2, LARGEST / 4);
        let no_room = |too_large, too_many| Some(NoRoom { too_large, too_many });
        assert_eq!(left_out(&[half, half]), (2, None));
        assert_eq!(left_out(&[half, half, 1, 1]), (2, no_room(2, 0)));
        assert_eq!(left_out(&[LARGEST, 1]), (1, no_room(1, 0)));
        assert_eq!(left_out(&[LARGEST + 1]), (0, no_room(1, 0)));
        assert_eq!(left_out(&[quarter; MOST_TRACES + 3]), (MOST_TRACES, no_room(0, 3)));
    }
}
