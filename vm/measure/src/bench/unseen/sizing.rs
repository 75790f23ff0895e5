//! A size for a program that has none.
//!
//! In: the CPU time of the C program as a function of its argument. Out: an argument with which it takes about
//! [`TARGET`]. The argument is doubled until it does; where one doubling takes far too long, or fails, the interval in
//! front of it is bisected. Invariant: the argument is one that was tried, and with which the program ended well.

use std::time::Duration;

use super::super::race::Fault;
use crate::settings::{LEAST_TAKEN, MOST_BISECTIONS, MOST_FAILING_SIZE, MOST_SIZE, MOST_TAKEN, TARGET};

/// The end of one run.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Trial {
    /// It ended well after this CPU time.
    Took(Duration),
    /// It failed, or was ended after too long a time.
    Failed(Fault),
}

/// A size, and the CPU time that the C program takes with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FoundSize {
    /// The argument.
    pub(super) size: u64,
    /// The time.
    pub(super) took: Duration,
}

/// Finds a size; the fault is that of a program that ends well with none.
pub(super) fn find_size<E>(mut run: impl FnMut(u64) -> Result<Trial, E>) -> Result<Result<FoundSize, Fault>, E> {
    let mut tried: Vec<FoundSize> = Vec::new();
    let mut size = 1;
    // The size that is too large, if there is one.
    let mut above = loop {
        match run(size)? {
            Trial::Took(took) => {
                tried.push(FoundSize { size, took });
                if took > MOST_TAKEN {
                    break Some(size);
                }
                if took >= LEAST_TAKEN || size >= MOST_SIZE {
                    break None;
                }
            }
            // A program may need some size to work at all.
            Trial::Failed(_) if tried.is_empty() && size < MOST_FAILING_SIZE => {}
            Trial::Failed(fault) if tried.is_empty() => return Ok(Err(fault)),
            Trial::Failed(_) => break Some(size),
        }
        size *= 2;
    };
    let below = |tried: &[FoundSize]| tried.iter().filter(|one| one.took < LEAST_TAKEN).map(|one| one.size).max();
    for _ in 0..MOST_BISECTIONS {
        let (Some(from), Some(to)) = (below(&tried), above) else { break };
        let middle = from + (to - from) / 2;
        if middle == from {
            break;
        }
        match run(middle)? {
            Trial::Took(took) => {
                tried.push(FoundSize { size: middle, took });
                if took > MOST_TAKEN {
                    above = Some(middle);
                } else if took >= LEAST_TAKEN {
                    break;
                }
            }
            Trial::Failed(_) => above = Some(middle),
        }
    }
    // As a factor: a third of the time is as far away as three times it. Of equal ones the last one tried is the
    // largest that works.
    let distance = |one: &FoundSize| (one.took.as_secs_f64().max(1e-9) / TARGET.as_secs_f64()).ln().abs();
    let best = tried.into_iter().rev().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    Ok(Ok(best.expect("some size was tried with success")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// The size that is found if a run of a size takes so many milliseconds, and the number of runs.
    fn found(milliseconds: impl Fn(u64) -> Option<u64>) -> (Option<u64>, usize) {
        let mut runs = 0;
        let run = |size| {
            runs += 1;
            let took = milliseconds(size).map(|time| Trial::Took(Duration::from_millis(time)));
            Ok::<_, Infallible>(took.unwrap_or(Trial::Failed(Fault::TimedOut(Duration::from_secs(5)))))
        };
        let Ok(found) = find_size(run);
        (found.ok().map(|found| found.size), runs)
    }

    #[test]
    fn sizes_are_doubled() {
        assert_eq!(found(Some), (Some(512), 10));
        assert_eq!(found(|size| Some(size * size)), (Some(24), 7));
        assert_eq!(found(|_| Some(500)), (Some(1), 1));
    }

    #[test]
    fn a_program_that_explodes_is_bisected() {
        // 2^size microseconds: 0.5 s is nearly 2^19.
        let exploding = |size: u64| (size < 23).then(|| (1 << size) / 1000);
        assert_eq!(found(exploding).0, Some(19));
        // Nothing is near: 10 ms up to 99, no end from 100 on.
        let (size, runs) = found(|size| (size < 100).then_some(10));
        assert!(size.is_some_and(|size| size < 100) && runs < 20, "{size:?} {runs}");
    }

    #[test]
    fn some_programs_have_no_size() {
        assert_eq!(found(|_| None), (None, 11));
        assert_eq!(found(|size| (size >= 4).then_some(500)), (Some(4), 3));
        // The argument changes nothing.
        let (size, runs) = found(|_| Some(1));
        assert!(size.is_some() && runs <= 41, "{size:?} {runs}");
    }
}
