//! The stacks of a run's samples as most tools want them: outermost first, with places of what is no code of the program.
//!
//! In: a [`Run`]. Out: [`Place`]s, and names for them. Invariant: no stack is empty: time outside of the program's code is that of a place, too.

use crate::run::Run;
use crate::run::record::{Doing, Frame};

/// A place of a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Place {
    /// Code of the program, as an index into the run's frames.
    Code(u32),
    /// Frames that were left out of a deep stack.
    LeftOut,
    /// The runtime, called by compiled code.
    Runtime,
    /// Nothing of the program.
    Outside,
}

impl Place {
    /// The run's frame, if it is code of the program.
    pub(super) fn frame(self, run: &Run) -> Option<Frame> {
        match self {
            Place::Code(frame) => Some(run.frames[frame as usize]),
            Place::LeftOut | Place::Runtime | Place::Outside => None,
        }
    }

    /// The name of what is no code of the program.
    pub(super) fn words(self) -> &'static str {
        match self {
            Place::Code(_) => "(code)",
            Place::LeftOut => "(frames left out)",
            Place::Runtime => "(runtime)",
            Place::Outside => "(outside)",
        }
    }
}

/// A stack of the run by its index, outermost first.
pub(super) fn places(run: &Run, stack: u32) -> Vec<Place> {
    let stack = &run.stacks[stack as usize];
    let mut places: Vec<Place> = stack.frames.iter().map(|frame| Place::Code(*frame)).collect();
    if let Some(behind) = stack.left_out {
        places.insert(behind.min(places.len()), Place::LeftOut);
    }
    places.reverse();
    match stack.doing {
        Doing::Code if places.is_empty() => places.push(Place::Outside),
        Doing::Code => {}
        Doing::Runtime => places.push(Place::Runtime),
        Doing::Outside => places.push(Place::Outside),
    }
    places
}

/// Samples and their weight in nanoseconds by stack of the run, for each that samples fell on.
pub(super) fn weights(run: &Run) -> Vec<(u32, u64, u64)> {
    let mut all: Vec<(u32, u64, u64)> = (0..run.stacks.len()).map(|stack| (stack as u32, 0, 0)).collect();
    for sample in &run.samples {
        let (_, count, weight) = &mut all[sample.stack as usize];
        *count += 1;
        *weight += nanos(sample.weight);
    }
    all.retain(|(_, count, _)| *count > 0);
    all
}

/// A time in whole nanoseconds, which is how the clock told it.
pub(super) fn nanos(micros: f64) -> u64 {
    (micros * 1e3).round() as u64
}

/// Names that tell the run's functions apart.
pub(super) struct Names(Vec<String>);

impl Names {
    /// Those of a run.
    pub(super) fn of(run: &Run) -> Names {
        Names(run.function_names())
    }

    /// The name of a function.
    pub(super) fn function(&self, function: u32) -> &str {
        &self.0[function as usize]
    }

    /// The name of a place: that of its function, with the tier of the code.
    pub(super) fn place(&self, run: &Run, place: Place) -> String {
        match place.frame(run) {
            Some(frame) => {
                format!("{} [{}]", self.function(frame.function), run.versions[frame.version as usize].tier)
            }
            None => place.words().to_owned(),
        }
    }
}
