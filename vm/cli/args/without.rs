//! The options that change the adaptive system: parts that are left out, and settings.

use clap::Args;

use super::choice::choice;
use holloway_aos::Part;

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

/// The settings that are changed.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Decide by another value of a setting; a wrong name is answered with all of them, and with their values
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Options for recompilation")]
    pub set: Vec<String>,
}
