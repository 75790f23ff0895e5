//! Amounts that reports show, and shares from which on they show something, each with its reason.
//!
//! In: nothing. Out: constants. Invariant: none of them changes what is counted or decided.

/// Share of its occurrences that the likeliest way on from a path must have: with half or more of them a reader takes it for what follows.
pub const FOLLOWED: f64 = 0.5;
/// Most columns of a function's name in a table: longer ones are rare, and tables stay within a screen.
pub(in crate::report) const MOST_NAME: usize = 28;
/// Lines of source in an excerpt: a path of more is read better in the file.
pub(in crate::report) const EXCERPT_LINES: usize = 16;
/// Lines of source beside a trace, or of a path in one line of text: more would hide what is said of it.
pub(in crate::report) const SHOWN_LINES: usize = 8;
/// Most persistent paths shown for a region: those that take most of its time.
pub(in crate::report) const REGION_PATHS: usize = 5;
/// Most monitored edges never taken shown for a region.
pub(in crate::report) const REGION_EDGES: usize = 5;
/// Frames shown at each end of the stack of a failure: a recursion is told by its beginning and its end.
pub(in crate::report) const FRAMES_AT_EACH_END: usize = 10;
/// Columns to which places in a stack are aligned, at most.
pub(in crate::report) const WIDEST_NAME: usize = 30;
/// Likeness from which on a name is proposed for one that is unknown: below it proposals read like chance.
pub(in crate::report) const ALIKE: f64 = 0.75;
/// Functions with less than this part of the time have no lane in the timeline.
pub(in crate::report) const LEAST_SHARE: f64 = 0.05;
/// Most lanes of the timeline, so that all is on one screen.
pub(in crate::report) const MOST_LANES: usize = 8;
/// Most columns of a lane.
pub(in crate::report) const MOST_COLUMNS: usize = 80;
/// Lines between two lines of a slice that are shown, too; more are left out.
pub(in crate::report) const LINES_BETWEEN: u32 = 3;
/// Blocks of a path trace that text shows at each end.
pub(in crate::report) const BLOCKS_AT_EACH_END: usize = 12;
/// Episodes of a loop that are told one by one: the last ones.
pub(in crate::report) const SHOWN_EPISODES: usize = 4;
/// Findings on the first screen.
pub(in crate::report) const SHOWN_FINDINGS: usize = 4;
