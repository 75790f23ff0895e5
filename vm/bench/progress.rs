//! The bar on standard error while measuring.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use super::Progress;

/// A bar of `steps` runs; one that draws nothing where nothing is to be shown.
pub(crate) fn bar(progress: Progress, steps: u64) -> ProgressBar {
    match progress {
        Progress::Silent => ProgressBar::hidden(),
        Progress::Bar => {
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {elapsed}").expect("a valid template");
            let bar = ProgressBar::new(steps).with_style(style).with_finish(ProgressFinish::AndClear);
            bar.tick();
            bar
        }
    }
}
