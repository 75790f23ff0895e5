//! The option that leaves parts of the adaptive system out.

use clap::Args;

use super::choice::choice;
use crate::adaptive::Part;

/// The parts of the adaptive system that are left out.
#[derive(Args, Debug)]
pub struct WithoutArgs {
    /// Leave parts of the adaptive system out, to see what each of them gains or costs
    #[arg(
        long = "without",
        value_parser = choice::<Part>(),
        value_name = "PART,...",
        value_delimiter = ',',
        help_heading = "Options for recompilation"
    )]
    pub parts: Vec<Part>,
}
