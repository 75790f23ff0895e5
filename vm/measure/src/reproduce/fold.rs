//! The case of RNAfold, section 5.3 and figure 7 of `[NGF03]`: one loop, three compilations, four sizes of input.
//!
//! In: the workload. Out: jobs. The embedded program `rnafold` has the paper's loop; the length of its strand is a
//! constant of the program, which is replaced. The number of foldings makes the work about equal for each length.
//! Deviation: the paper unrolls by hand; here the optimizer leaves the loop, unrolls it, or the adaptive system
//! specializes it.

use super::job::Job;
use super::variant::Variant;
use crate::bench;
use crate::extent::SizeName;
use crate::subject::Code;

/// The embedded program.
pub(super) const PROGRAM: &str = "rnafold";

/// Numbers of bases in a strand; 200 is the program's own.
pub(super) const BASES: [u64; 4] = [50, 100, 200, 400];

/// The original code, the unrolled code, and the code generated when a persistent path is found.
pub(super) const VERSIONS: [Variant; 3] = [Variant::NotUnrolled, Variant::Plain, Variant::Auto];

/// One job for each length and version.
pub(super) fn jobs(size: SizeName) -> Vec<(u64, Job)> {
    let program = bench::select(&[PROGRAM.to_owned()]).expect("the program is embedded")[0];
    let usual = program.workload(size).size;
    let job = |bases: u64, variant: Variant| Job {
        program: Code::Embedded(PROGRAM.to_owned()),
        // The work of one folding grows with the cube of the length.
        size: (usual * 200_u64.pow(3) / bases.pow(3)).max(1),
        output: None,
        replaced: Some(("const N = 200".to_owned(), format!("const N = {bases}"))),
        variant,
        figures: false,
    };
    BASES.iter().flat_map(|&bases| VERSIONS.map(|variant| (bases, job(bases, variant)))).collect()
}
