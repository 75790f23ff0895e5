//! `trace`: whole paths of runs, recorded and asked.

mod analysis;
mod answer;
mod record;
mod replay_cut;
mod run;

pub use answer::answer;
pub use record::record;
