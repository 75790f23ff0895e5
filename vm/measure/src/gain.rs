//! The gain of what path profiles lead to, measured from outside: whole runs of a program with and without, in turn.
//!
//! In: a program that can be run again. Out: the part of the CPU time of all threads that is saved, by pairs of runs. Invariant: both print the same and
//! end alike, or there is no gain.

use super::bench::child::Children;
use super::whole_runs::WholeRuns;
use holloway_study::report::story::MeasuredGain;

/// The options of both runs of a pair.
const OPTIONS: [&[&str]; 2] = [&[], &["--without", "traces"]];

/// Measures the gain; the error says why there is none.
pub fn measure_gain(runs: &WholeRuns, children: &Children) -> Result<MeasuredGain, String> {
    let options = OPTIONS.map(|options| options.iter().map(Into::into).collect());
    let times = runs.in_turns(&options, children)?;
    let saved = times[0].iter().zip(&times[1]).map(|(one, other)| 1.0 - one / other.max(f64::MIN_POSITIVE));
    Ok(MeasuredGain::of(saved.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::progress::Progress;
    use crate::extent::Rounds;
    use crate::whole_runs::RunEnd;

    /// A shell script in the place of `holloway`, and what the program printed before.
    fn measured(script: &str, output: &str) -> Result<MeasuredGain, String> {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("holloway");
        std::fs::write(&executable, format!("#!/bin/sh\n{script}\n")).unwrap();
        let mut permissions = std::fs::metadata(&executable).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
        std::fs::set_permissions(&executable, permissions).unwrap();
        let config = WholeRuns {
            executable,
            options: vec!["--fuel".into(), "9".into()],
            file: "p.hw".into(),
            args: vec!["7".into()],
            input: b"line\n\xff".to_vec(),
            end: RunEnd { status: Some(0), output: output.to_owned() },
            rounds: Rounds::new(2).unwrap(),
            progress: Progress::Silent,
        };
        measure_gain(&config, &Children::default())
    }

    #[test]
    fn whole_runs_are_compared_in_pairs() {
        let gain = measured(
            "case \"$*\" in 'run --fuel 9 p.hw 7'|'run --without traces --fuel 9 p.hw 7') echo 5;; *) exit 3;; esac",
            "5\n",
        );
        assert_eq!(gain.expect("both runs end alike").pairs, 2);
    }

    #[test]
    fn runs_that_end_differently_have_no_gain() {
        let said = measured("echo $2", "--fuel\n").expect_err("the outputs differ");
        assert!(said.starts_with("two runs of it do not end alike"), "{said}");
        assert!(measured("case \"$*\" in *without*) exit 1;; esac", "").is_err());
        assert!(measured("echo 5", "6\n").is_err(), "they are alike, and not as the run before");
    }

    #[test]
    fn every_run_reads_the_same() {
        measured("test \"$(od -An -tx1)\" = ' 6c 69 6e 65 0a ff'", "").expect("each has the whole input");
    }
}
