//! `trace`: whole paths of runs, recorded and asked.

mod analysis;
mod answer;
mod record;
mod run;

pub use answer::answer;
pub use record::record;
