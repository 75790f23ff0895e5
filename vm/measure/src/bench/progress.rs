//! The progress bar on standard error.

pub use indicatif::ProgressBar;
use indicatif::{ProgressFinish, ProgressStyle};

use crate::settings::TICK;

/// Progress display on standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A progress bar.
    Bar,
    /// No display.
    Silent,
}

/// A bar of `steps` runs; it is hidden if `progress` is silent.
pub fn bar(progress: Progress, steps: u64) -> ProgressBar {
    match progress {
        Progress::Silent => ProgressBar::hidden(),
        Progress::Bar => {
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {elapsed}").expect("a valid template");
            let bar = ProgressBar::new(steps).with_style(style).with_finish(ProgressFinish::AndClear);
            // A whole path takes a minute: the time shows that it goes on.
            bar.enable_steady_tick(TICK);
            bar
        }
    }
}
