//! Views of runs: profiles, decisions and recordings, from data to text, JSON and graphs.
//!
//! In: an engine after a run, a file of a run, or graphs and traces from elsewhere. Out: reports. [`report`] renders what the engine
//! tells, [`run`] keeps what a run was like, [`export`] gives it to other tools, [`page`] makes a page of it, [`trace`] asks recorded paths, [`lab`] evaluates
//! numbering schemes, [`diff`] compares saved profiles and runs, and [`merge`] adds profiles.
//! Invariant: nothing here changes what is counted or decided.

pub mod diff;
pub mod export;
pub mod lab;
pub mod merge;
pub mod page;
pub mod report;
pub mod run;
pub mod trace;
