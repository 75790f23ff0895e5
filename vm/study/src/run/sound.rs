//! Soundness of a run that was read: what records refer to is there, and numbers are such as are counted and measured.
//!
//! In: a run. Out: true iff every view of it can rely on that. Invariant: every file that this program writes is sound.

use super::Run;
use super::record::{Call, End, Inlining, Sample};

/// Microseconds beyond which no time lies: thirty years.
const LONGEST: f64 = 1e15;
/// Lines beyond which no text goes.
const LINES: u32 = 1 << 30;

/// True iff a run is as this program writes them.
pub(super) fn is_sound(run: &Run) -> bool {
    places_are_sound(run)
        && samples_are_sound(run)
        && run.inlining.iter().all(|inlining| is_sound_inlining(run, inlining))
        && run.machine_code.iter().all(|code| {
            let is_sound = |(start, end, function, line): &(u32, u32, u32, u32)| {
                start <= end && below(*function, run.functions.len()) && *line < LINES
            };
            below(code.version, run.versions.len()) && code.lines.iter().all(is_sound)
        })
}

fn below(at: u32, count: usize) -> bool {
    (at as usize) < count
}

fn is_time(micros: f64) -> bool {
    (0.0..LONGEST).contains(&micros)
}

fn places_are_sound(run: &Run) -> bool {
    let (functions, versions) = (run.functions.len(), run.versions.len());
    run.functions.iter().all(|function| function.line < LINES && function.last_line < LINES)
        && run
            .versions
            .iter()
            .all(|version| below(version.function, functions) && version.entry_line.is_none_or(|line| line < LINES))
        && run
            .frames
            .iter()
            .all(|frame| below(frame.function, functions) && below(frame.version, versions) && frame.line < LINES)
        && run.stacks.iter().all(|stack| stack.frames.iter().all(|frame| below(*frame, run.frames.len())))
        && run
            .figures
            .iter()
            .all(|row| is_time(row.time_us) && row.line < LINES && row.entry_line.is_none_or(|line| line < LINES))
}

fn samples_are_sound(run: &Run) -> bool {
    let is_sound =
        |sample: &Sample| below(sample.stack, run.stacks.len()) && is_time(sample.at) && is_time(sample.weight);
    let ends = |end: &End| is_time(end.cpu) && is_time(end.sampled);
    run.samples.iter().all(is_sound)
        && run.samples.is_sorted_by(|before, after| before.at <= after.at)
        && run.end.as_ref().is_none_or(ends)
}

/// Calls stand behind those that they are inlined within.
fn is_sound_inlining(run: &Run, inlining: &Inlining) -> bool {
    let functions = run.functions.len();
    let is_sound = |(nth, call): (usize, &Call)| {
        below(call.at.0, functions)
            && below(call.callee, functions)
            && call.at.1 < LINES
            && call.within.is_none_or(|within| below(within, nth))
    };
    below(inlining.version, run.versions.len()) && inlining.calls.iter().enumerate().all(is_sound)
}

#[cfg(test)]
mod tests {
    use super::super::record::{Doing, Frame, Function, Stack, Version};
    use super::*;
    use holloway_aos::input::BodyHash;

    fn run() -> Run {
        let function =
            Function { name: "f".to_owned(), file: "f.hw".to_owned(), line: 1, last_line: 9, hash: BodyHash(7) };
        let version = Version {
            id: 0,
            name: "f/baseline-1".to_owned(),
            function: 0,
            tier: "baseline".to_owned(),
            entry_line: None,
            bytes: 9,
        };
        let call = |within| Call { at: (0, 2), callee: 0, size: 1, budget: 1, within, declined: None };
        Run {
            functions: vec![function],
            versions: vec![version],
            frames: vec![Frame { function: 0, line: 2, version: 0, inlined: false }],
            stacks: vec![Stack { doing: Doing::Code, frames: vec![0], left_out: None }],
            samples: vec![
                Sample { at: 1.0, weight: 1.0, stack: 0 },
                Sample { at: 1.0, weight: 0.0, stack: 0 },
                Sample { at: 3.0, weight: 2.0, stack: 0 },
            ],
            inlining: vec![Inlining { version: 0, calls: vec![call(None), call(Some(0))] }],
            end: Some(End { cpu: 4.0, sampled: 3.0, lost: 0, status: 0 }),
            ..Run::default()
        }
    }

    #[test]
    fn a_run_is_sound_until_one_thing_in_it_is_not() {
        assert!(is_sound(&run()));
        type Change = fn(&mut Run);
        let changes: [(&str, Change); 10] = [
            ("a call within itself", |run| run.inlining[0].calls[1].within = Some(1)),
            ("a call within a later one", |run| run.inlining[0].calls[0].within = Some(1)),
            ("a weight below zero", |run| run.samples[0].weight = -1.0),
            ("a weight that is none", |run| run.samples[0].weight = f64::NAN),
            ("a time without end", |run| run.samples[2].at = f64::INFINITY),
            ("times that fall", |run| run.samples[1].at = 0.5),
            ("an end before the beginning", |run| run.end.as_mut().expect("it ends").cpu = -4.0),
            ("a line of no text", |run| run.frames[0].line = u32::MAX),
            ("a last line of no text", |run| run.functions[0].last_line = u32::MAX),
            ("a stack that is not there", |run| run.samples[0].stack = 1),
        ];
        for (what, change) in changes {
            let mut changed = run();
            change(&mut changed);
            assert!(!is_sound(&changed), "{what}");
        }
    }
}
