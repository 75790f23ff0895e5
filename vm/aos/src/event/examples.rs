//! One event of each kind, from a run that could have been: for tests of what is written, documented and told.

use super::PhaseKind::{Analyzing, Baseline as First, Compiling, Profiling, Resting, Specialized as Traced};
use super::{
    Candidate, Choice, CompileEnd, CompileStart, Considered, DropReason, Dropped, Episode, Event, Gain, GuardSummary,
    Inlined, Installed, Kind, Osr, Persistent, PhaseKind, Refused, RunEnd, Share, Subject, Thread, TickSummary,
    TraceFormed, Transition, Trigger, What,
};
use crate::{CompilationId, GuardCount, Micros, PartTime, Reason};
use holloway_jit::trace::Layout;

fn event(time: u64, version: Option<(u32, Kind)>, loop_line: Option<u32>, what: What) -> Event {
    let thread = match what {
        What::CompileStart(_) | What::CompileEnd(_) => Thread::Compiler,
        _ => Thread::Program,
    };
    let subject = match what {
        What::TickSummary(_) => Subject::default(),
        _ => Subject {
            function: Some("walk".into()),
            file: Some("walk.hw".into()),
            line: Some(3),
            loop_line,
            callee: matches!(what, What::Osr(_)).then(|| Inlined {
                function: "step".into(),
                file: "walk.hw".into(),
                call_line: 7,
            }),
            version: version.map(|(number, _)| number),
            tier: version.map(|(_, kind)| kind),
        },
    };
    Event { time: Micros(time), thread, subject, what }
}

fn candidate(choice: Choice, cost: f64, future: f64) -> Candidate {
    Candidate { choice, cost, future }
}

fn considered(trigger: Trigger, ticks: u64, candidates: Vec<Candidate>, choice: Choice, reason: &str) -> What {
    let expected = candidates[0].future;
    What::Considered(Considered { trigger, ticks, expected, candidates, choice, reason: reason.into() })
}

fn start(compilation: u32, plan: Kind, entry_line: Option<u32>, why: &str) -> What {
    let compilation = CompilationId(compilation);
    What::CompileStart(CompileStart { compilation, plan, entry_line, why: why.into(), ir_size: 74, estimate: 560.0 })
}

fn end(compilation: u32, plan: Kind, entry_line: Option<u32>, micros: u64, code_bytes: u64) -> What {
    let (compilation, micros) = (CompilationId(compilation), Micros(micros));
    let (inlined, guarded) = (0, 0);
    What::CompileEnd(CompileEnd {
        compilation,
        plan,
        entry_line,
        estimate: 560.0,
        figures: crate::input::CompileFigures {
            micros,
            ir_size: 74,
            code_bytes,
            inlined,
            guarded,
            parts: vec![PartTime { part: "gvn".into(), micros: 41.5 }],
        },
    })
}

fn installed(compilation: Option<u32>, entry_line: Option<u32>, waited: u64) -> What {
    What::Installed(Installed { compilation: compilation.map(CompilationId), entry_line, waited: Micros(waited) })
}

fn dropped(reason: DropReason, lived: u64, times: u32, next_k: Option<u64>) -> What {
    let (iterations, failures) = if times > 0 { (4_100_000, 310) } else { (0, 0) };
    let ticks = lived / 1_000;
    let (saved, cost) = (35_200.0, 2_400.0);
    What::Dropped(Dropped { reason, lived: Micros(lived), ticks, iterations, failures, saved, cost, times, next_k })
}

/// A transition at some time: from one phase to another, with the code in use and the code that is compiled.
fn transition(
    (time, since): (u64, u64),
    (from, to): (PhaseKind, PhaseKind),
    (code, next_code): (Kind, Option<Kind>),
    reason: Reason,
    loops: &[Episode],
) -> Event {
    let of_kind = |kind: Kind| match kind {
        Kind::Baseline => 0,
        Kind::Optimized => 1,
        Kind::Profiled => 2,
        Kind::Specialized => 3,
    };
    let candidates = if next_code.is_some() { vec![candidate(Choice::Stay, 0.0, 1_000.0)] } else { Vec::new() };
    let (generation, next_generation, since) = (of_kind(code), next_code.map(of_kind), Micros(since));
    let loops = loops.to_vec();
    let what = What::Transition(Transition {
        from,
        to,
        since,
        generation,
        code,
        next_generation,
        next_code,
        reason,
        candidates,
        loops,
    });
    event(time, None, None, what)
}

/// The run.
pub fn examples() -> Vec<Event> {
    use Kind::{Baseline, Optimized, Profiled, Specialized};
    let (loop_line, at) = (Some(5), Some(5));
    let general = |id| Some((id, Optimized));
    let shares = vec![
        Share { function: "walk".into(), loop_line, ticks: 231 },
        Share { function: "main".into(), loop_line: None, ticks: 19 },
    ];
    let hot = vec![candidate(Choice::Stay, 0.0, 1_000.0), candidate(Choice::Optimize, 280.0, 333.0)];
    let worth = vec![candidate(Choice::Stay, 0.0, 21_000.0), candidate(Choice::Profile, 1_900.0, 18_900.0)];
    let found = vec![candidate(Choice::Optimize, 0.0, 22_000.0), candidate(Choice::Specialize, 800.0, 13_900.0)];
    let persistent = Persistent {
        iterations: 1_024,
        k: Some(1_024),
        executions: Some(1_024),
        lines: vec![5, 6, 7, 12],
        untaken: vec![9, 10],
        ids: Vec::new(),
        period: None,
        way: None,
        alternatives: None,
        too_large: None,
        too_many: None,
        coverage: None,
        declined: None,
        proposal: None,
    };
    let one_path = Persistent {
        iterations: 96,
        k: None,
        executions: None,
        lines: vec![9, 10],
        untaken: Vec::new(),
        ids: vec!["3".into()],
        period: Some(1),
        way: None,
        alternatives: None,
        too_large: None,
        too_many: None,
        coverage: Some(1.0),
        declined: Some(Reason::NoProposal(crate::NoProposal::OnePath)),
        proposal: None,
    };
    let usual_way = Persistent {
        ids: vec!["2".into(), "0".into()],
        period: None,
        way: Some(2),
        alternatives: Some(3),
        too_large: Some(1),
        declined: None,
        ..one_path.clone()
    };
    let trace = TraceFormed {
        blocks: 12,
        guards: 6,
        traces: 1,
        layout: Layout::Apart,
        unrolled: 3,
        lines: vec![5, 6, 7, 12],
        coverage: 1.0,
        trace_cost: 6.2,
        general_cost: 10.0,
        estimated_gain: 0.38,
        break_even: 0.432,
    };
    let gain = Gain {
        estimated: Some(0.38),
        measured: Some(0.34),
        interval: Some((0.31, 0.36)),
        specialized: 14.0,
        general: 21.2,
        pairs: 9,
    };
    let worst = vec![GuardCount { line: 6, failures: 310 }];
    let guards = GuardSummary { iterations: 512, failures: 310, rate: 0.605, break_even: 0.432, worst };
    let episode = |profile, began, loop_line, found: &Persistent| Episode {
        profile,
        began: Micros(began),
        loop_line,
        declined: found.declined.clone(),
        found: Some(found.clone()),
        ..Episode::default()
    };
    let found_path = episode(1, 24_010, 5, &persistent);
    let formed = Episode { formed: Some(trace.clone()), ..found_path.clone() };
    let gained = Episode { gain: Some(gain.clone()), ..formed.clone() };
    let What::Dropped(lost) = dropped(DropReason::GuardsFail, 57_368, 1, Some(1_024)) else { unreachable!() };
    let dropped_trace = Episode { failing: Some(0.605), dropped: Some(lost), ..gained.clone() };
    let others = [episode(2, 252_000, 9, &one_path), episode(2, 253_000, 14, &usual_way)];
    let run_end =
        RunEnd { cpu: Micros(264_000), compiling: Micros(8_448), on_program_thread: Micros(1_200), share: 0.032 };
    let refused = Refused { plan: Optimized, reason: "its size is 9000, the largest is 5000".into() };
    vec![
        event(
            1_004,
            Some((0, Baseline)),
            loop_line,
            considered(Trigger::Tick, 1, hot, Choice::Optimize, "optimize comes to 0.61 ms, stay to 1.00 ms"),
        ),
        transition((1_004, 0), (First, Compiling), (Baseline, Some(Optimized)), Reason::TickFell, &[]),
        event(1_005, None, None, start(0, Optimized, None, "optimize comes to 0.61 ms, stay to 1.00 ms")),
        event(1_590, None, None, end(0, Optimized, None, 585, 912)),
        transition((1_595, 1_004), (Compiling, PhaseKind::Optimized), (Optimized, None), Reason::Installed, &[]),
        event(1_595, general(1), None, installed(Some(0), None, 590)),
        event(1_596, Some((0, Baseline)), None, dropped(DropReason::Replaced, 1_500, 0, None)),
        event(
            23_000,
            general(1),
            loop_line,
            considered(Trigger::Tick, 22, worth, Choice::Profile, "profile comes to 20.8 ms, stay to 21.0 ms"),
        ),
        transition(
            (23_000, 1_595),
            (PhaseKind::Optimized, Compiling),
            (Optimized, Some(Profiled)),
            Reason::TickFell,
            &[],
        ),
        event(23_001, None, loop_line, start(1, Profiled, at, "profile comes to 20.8 ms, stay to 21.0 ms")),
        event(23_700, None, loop_line, end(1, Profiled, at, 699, 1_204)),
        transition((23_702, 23_000), (Compiling, Profiling), (Profiled, None), Reason::Installed, &[]),
        event(23_702, Some((2, Profiled)), loop_line, installed(Some(1), at, 701)),
        event(23_703, Some((2, Profiled)), loop_line, What::Osr(Osr { from: 1, from_tier: Optimized, count: 1 })),
        transition((24_009, 23_702), (Profiling, Analyzing), (Optimized, None), Reason::WindowFull, &[]),
        event(24_010, Some((2, Profiled)), loop_line, What::Persistent(persistent)),
        event(
            24_011,
            Some((2, Profiled)),
            loop_line,
            considered(
                Trigger::WindowFull,
                23,
                found,
                Choice::Specialize,
                "specialize comes to 14.7 ms, optimize to 22.0 ms",
            ),
        ),
        transition(
            (24_011, 24_009),
            (Analyzing, Compiling),
            (Optimized, Some(Specialized)),
            Reason::Saves(0.38),
            &[found_path],
        ),
        event(24_012, None, loop_line, start(2, Specialized, at, "specialize comes to 14.7 ms, optimize to 22.0 ms")),
        event(24_930, None, loop_line, end(2, Specialized, at, 918, 2_230)),
        event(24_931, None, loop_line, What::TraceFormed(trace)),
        transition((24_933, 24_011), (Compiling, Traced), (Specialized, None), Reason::Installed, &[formed]),
        event(24_933, Some((3, Specialized)), loop_line, installed(Some(2), at, 921)),
        event(24_934, Some((2, Profiled)), loop_line, dropped(DropReason::ProfileDone, 1_232, 0, None)),
        event(41_000, Some((3, Specialized)), loop_line, What::Gain(gain)),
        transition((41_000, 24_933), (Traced, Traced), (Specialized, None), Reason::Gained(0.34), &[gained]),
        event(82_300, Some((3, Specialized)), loop_line, What::GuardReport(guards)),
        event(82_301, Some((3, Specialized)), loop_line, dropped(DropReason::GuardsFail, 57_368, 1, Some(1_024))),
        transition(
            (82_301, 41_000),
            (Traced, Resting),
            (Optimized, None),
            Reason::Dropped(DropReason::GuardsFail),
            &[dropped_trace],
        ),
        event(82_302, general(1), None, installed(None, None, 0)),
        event(
            250_000,
            None,
            None,
            What::TickSummary(TickSummary { ticks: 250, micros: Micros(250_000), functions: shares }),
        ),
        event(252_000, Some((2, Profiled)), Some(9), What::Persistent(one_path)),
        event(253_000, Some((2, Profiled)), Some(14), What::Persistent(usual_way)),
        transition((253_000, 252_000), (Analyzing, Resting), (Optimized, None), Reason::NothingRan, &others),
        event(260_000, None, None, What::Refused(refused)),
        Event {
            time: Micros(261_000),
            thread: Thread::Program,
            subject: Subject::default(),
            what: What::RunEnd(run_end),
        },
    ]
}
