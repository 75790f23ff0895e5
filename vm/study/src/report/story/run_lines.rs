//! The source lines of a recorded run; of files of one name the last one counts, as it was loaded last.

use super::chapter::Lines;
use crate::run::Run;

impl Lines for Run {
    fn line(&self, file: &str, number: u32) -> Option<String> {
        let source = self.sources.iter().rev().find(|source| source.file == file)?;
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        source.text.lines().nth(at).map(str::to_owned)
    }
}
