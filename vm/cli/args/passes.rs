//! The passes of the optimizer, as options name them. Out: names of its own list, so that a new pass is an option's value.

use std::iter;

use clap::Args;
use clap::builder::PossibleValuesParser;

use holloway_jit::opt::pipeline::{ARRAYS, BUILD, INLINE, INLINE_OBSERVED, PASSES};

/// The passes that the optimizer skips.
#[derive(Args, Debug)]
pub struct PassArgs {
    /// Leave a pass of the optimizer out; may be given several times
    #[arg(long = "disable-pass", value_name = "PASS", value_parser = pass_names(), hide_possible_values = true)]
    pub disabled: Vec<String>,
}

fn pass_names() -> PossibleValuesParser {
    PASSES.iter().map(|pass| pass.name).chain([INLINE, INLINE_OBSERVED, ARRAYS]).into()
}

/// The stages between passes: the name of the pass before, or that of the stage before all of them.
pub(super) fn names_before_and_after_passes() -> PossibleValuesParser {
    iter::once(BUILD).chain(PASSES.iter().map(|pass| pass.name)).into()
}
