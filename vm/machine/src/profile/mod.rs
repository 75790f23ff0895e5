//! Path profiles of compiled code: what it writes to, and who reads it.
//!
//! The road: body -> [`Planner`] -> interpreter, or [`Probed`] code and words of events through a [`Channel`] -> one `Collected` a
//! function -> `Engine::profile`. A [`BurstSampler`] lets code with probes run for bursts alone. The adaptive system
//! takes the same road from a plan of its own, one window at a time.
//!
//! ```text
//!   plan -> Stream -> Report      array | table | steps   read once, from memory that code counts in
//!                                 bursts                  recorded in batches by the runtime
//!                                 events                  words, read by a consumer as the program runs
//! ```
//!
//! Executions of regions and branch histories are apart from paths: a plan that has them numbers none. They are counted in cells, run by
//! run; runs of registers that are too wide for a cell are events. Slots of tables and of cells are found alike ([`slots`]).
//! Invariant: every tier carries the same plan out, so that all report the same.

pub mod burst_cells;
pub mod bursts;
pub mod channel;
pub mod compiled;
pub mod consumer;
pub mod contexts;
pub mod forwarding_collector;
pub mod listener;
pub mod path_tables;
pub mod probed;
pub mod program;
pub mod reentry;
mod rows;
pub mod run_cells;
pub mod settings;
mod slots;
pub mod step_tables;
pub mod words;

pub use bursts::{BurstSampler, Pace};
pub use channel::{Channel, Placement};
pub use compiled::CompiledPaths;
pub use contexts::ContextListener;
pub use forwarding_collector::ForwardingCollector;
pub use listener::{Listening, PathListener};
pub use probed::Probed;
pub use program::{Frequencies, NumberedProgram, Planner, first_called};
