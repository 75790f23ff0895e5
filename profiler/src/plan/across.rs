//! Steps of paths that keep a context or run across calls, after `[MR98]` sections 5.5, 6.3 and 7.
//!
//! In: nothing. Out: [`CrossStep`]. State of an activation beside the path register `pathNum`: `completions`
//! (`numValidCompsFromExit`), saved path registers (`pathNumOnEntry`), and `detached`: `cntOpenLfParens` is 0, as the path began
//! behind every call that is open. Where the paper passes a count of open calls along, an activation tells its caller only whether it is
//! 0, as the caller knows the rest.
//! Invariant: arithmetic wraps at 64 bits, and what is reported or passed has not reached that far where all numbers of paths fit 63.

use cranelift_entity::entity_impl;

/// A register that keeps a value of the path register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Saved(u32);
entity_impl!(Saved, "saved");

/// `a * completions + b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scaled {
    /// The coefficient.
    pub a: i64,
    /// The constant.
    pub b: i64,
}

impl Scaled {
    /// The function that is 0.
    pub const NOTHING: Scaled = Scaled { a: 0, b: 0 };

    /// The sum of two functions.
    pub fn plus(self, other: Scaled) -> Scaled {
        Scaled { a: self.a.wrapping_add(other.a), b: self.b.wrapping_add(other.b) }
    }

    /// The difference of two functions.
    pub fn minus(self, other: Scaled) -> Scaled {
        Scaled { a: self.a.wrapping_sub(other.a), b: self.b.wrapping_sub(other.b) }
    }

    /// Its value.
    pub fn at(self, completions: i64) -> i64 {
        self.a.wrapping_mul(completions).wrapping_add(self.b)
    }
}

/// The path of an activation that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// One of its own, which begins with this number; `completions = 1`.
    Own(i64),
    /// The caller's: `path` and `completions` are what was passed.
    Passed,
    /// One of its own if the caller passed 0 completions, else the caller's.
    Either(i64),
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossStep {
    /// At the entry: sets `path` and `completions`; `detached = 0`.
    Begin(Origin),
    /// If the completions are negative, the function was called by value: `completions = -completions; path += a * completions + b; flag = 1`. Else
    /// `flag = 0`.
    EnterByValue {
        /// The addend of the choice of this function.
        by: Scaled,
        /// The register that tells how the function was called, if the return needs it.
        flag: Option<Saved>,
    },
    /// If the path is detached and the flag is set: `path += value`, that of the return from this function to what chose it.
    LeaveByValue {
        /// The register.
        flag: Saved,
        /// The value.
        value: i64,
    },
    /// `path += a * completions + b`.
    Add(Scaled),
    /// `saved = path`.
    Save(Saved),
    /// `path = saved + a * completions + b`.
    Resume {
        /// The register.
        from: Saved,
        /// The addend.
        by: Scaled,
    },
    /// `passed completions = a * completions + b`; 0 tells the callee to begin a path.
    PassCompletions(Scaled),
    /// `passed detached = detached`.
    PassDetached,
    /// If what was passed is detached: `path += value`, and then as [`CrossStep::Detach`].
    ReceiveDetached {
        /// The value of the return edge, `edgeValue`.
        value: i64,
        /// Completions at the exit of this function.
        completions: i64,
    },
    /// `completions = value; detached = 1`: a path begins that knows no caller.
    Detach {
        /// Completions at the exit of this function.
        completions: i64,
    },
    /// Report the path that was passed as a complete one.
    FinishPassed,
}
