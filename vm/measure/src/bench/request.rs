//! The tasks of child processes of `bench`.

use serde::{Deserialize, Serialize};

use super::modules::ModuleJob;
use super::profiled::job::Job;

/// The task of a child process, as JSON on its command line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// A run with a scheme that is timed: an [`Answer`](super::profiled::job::Answer).
    Run(Job),
    /// A run before, whose counts number the paths of timed ones: [`EdgeCounts`](crate::base_run::EdgeCounts).
    Base(Job),
    /// A run of a module: a [`ModuleRun`](super::modules::ModuleRun).
    Module(ModuleJob),
}
