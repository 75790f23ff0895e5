//! Views of runs: profiles, decisions and recordings, from data to text, JSON and graphs.
//!
//! In: an engine after a run, a file of a run, or graphs and traces from elsewhere. Out: reports. [`report`] renders what the engine
//! tells, [`run`] keeps what a run was like, [`page`] makes a page of that,
//! [`trace`] asks recorded paths, [`lab`] evaluates numbering schemes, and [`diff`] compares saved profiles.
//! Invariant: nothing here changes what is counted or decided.

pub mod diff;
pub mod lab;
pub mod page;
pub mod report;
pub mod run;
pub mod trace;
