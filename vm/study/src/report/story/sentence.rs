//! One event as a sentence, whose first line is printed beside the time; none of events whose contents another
//! includes. Invariant: every figure that a decision was based on is included.

use super::loops::no_room;
use crate::report::settings::SHOWN_LINES;
use crate::report::text::percent;

use holloway_aos::event::{
    Choice, CompileEnd, Considered, DropReason, Dropped, Gain, GuardSummary, Installed, Persistent, TraceFormed,
    Trigger, What, is_least,
};
use holloway_aos::{Clock, Event, Reason};

/// Tells an event whose times are `clock`'s; `source` gives a line with its number.
pub(crate) fn tell(event: &Event, clock: Clock, source: &dyn Fn(u32) -> String) -> Option<String> {
    let version = event.subject.version.map(|number| format!("version {number}")).unwrap_or_default();
    let tier = event.subject.tier.map_or("", |tier| tier.name());
    match &event.what {
        What::Considered(considered) => Some(tell_considered(considered, clock)),
        What::Transition(transition) if transition.reason == Reason::Rested => Some(transition.reason.to_string()),
        // What other events tell is not repeated: that of the end of a compilation, which `installed` gives the total
        // time of. The end of a run is about no function, and the report tells of it by itself.
        What::TickSummary(_) | What::Transition(_) | What::CompileStart(_) | What::RunEnd(_) => None,
        What::CompileEnd(end) => Some(tell_compiled(end)),
        What::Installed(installed) => Some(tell_installed(installed, clock, &version, tier)),
        What::Osr(osr) => Some(format!(
            "OSR: version {} ({}) -> {version} ({tier}){}{}{}",
            osr.from,
            osr.from_tier.name(),
            event.subject.loop_line.map_or(String::new(), |line| format!(" at line {line}")),
            if osr.count > 1 { format!(", {} times so far", osr.count) } else { String::new() },
            if osr.took > 0.0 { format!(", in {:.1} us", osr.took) } else { String::new() }
        )),
        What::Persistent(persistent) => Some(tell_persistent(persistent)),
        What::TraceFormed(trace) => Some(tell_formed(trace, source)),
        What::GuardReport(guards) => Some(tell_guards(guards, source)),
        What::Dropped(dropped) => Some(tell_dropped(dropped, clock, &version, tier)),
        What::Gain(gain) => Some(tell_gain(gain)),
        What::Refused(refused) => Some(format!("{} code refused: {}", refused.plan.name(), refused.reason)),
    }
}

/// A number with its noun.
pub(super) fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn lines(numbers: &[u32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    numbers.join(" ")
}

fn tell_considered(considered: &Considered, clock: Clock) -> String {
    let ticks = count(considered.ticks, "tick");
    let mut text = match considered.trigger {
        Trigger::Tick => format!("sampled {ticks}; expected to run on for {}", clock.show(considered.expected)),
        Trigger::WindowFull => {
            format!("the profile is complete; without probes it would run on for {}", clock.show(considered.expected))
        }
    };
    for candidate in &considered.candidates {
        let mark = if candidate.choice == considered.choice { '>' } else { ' ' };
        let (cost, future) = (clock.scale(candidate.cost), clock.scale(candidate.future));
        let (name, unit, total) = (candidate.choice.name(), clock.unit(), cost + future);
        let digits = if clock == Clock::Real { 2 } else { 0 };
        text += &format!(
            "\n{mark} {name:<10}  cost {cost:>6.digits$} + run {future:>7.digits$} = {total:>7.digits$} {unit}"
        );
    }
    // The figures alone explain the choice of least cost.
    let is_told = is_least(&considered.candidates, considered.choice);
    let says_more = considered.candidates.len() < 2 || considered.choice == Choice::Stay || !is_told;
    if says_more {
        text += &format!("\n  {}: {}", considered.choice.name(), considered.reason);
    }
    text
}

fn tell_compiled(end: &CompileEnd) -> String {
    let (plan, figures) = (end.plan.name(), &end.figures);
    let [took, expected] = [figures.micros.as_f64(), end.estimate].map(|micros| Clock::Real.show(micros));
    let (size, bytes, inlined) = (figures.ir_size, figures.code_bytes, tell_inlined(figures.inlined, figures.guarded));
    format!("compiled {plan} code in {took} (expected {expected}): {size} instructions, {bytes} bytes{inlined}")
}

fn tell_inlined(inlined: u32, guarded: u32) -> String {
    let calls = if inlined == 1 { "call" } else { "calls" };
    match (inlined, guarded) {
        (0, _) => String::new(),
        (_, 0) => format!("; {inlined} {calls} inlined"),
        (1, 1) => "; 1 indirect call inlined behind a guard".to_owned(),
        _ => format!("; {inlined} {calls} inlined, {guarded} indirect behind a guard"),
    }
}

fn tell_installed(installed: &Installed, clock: Clock, version: &str, tier: &str) -> String {
    let entry = match installed.entry_line {
        None => "entered by calls".to_owned(),
        Some(line) => format!("entered at the loop of line {line}"),
    };
    match installed.compilation {
        None => format!("{version}, {tier}, reinstated; {entry}"),
        Some(_) => {
            format!(
                "{version}, {tier}, installed {} after it was requested; {entry}",
                clock.show(installed.waited.as_f64())
            )
        }
    }
}

fn tell_persistent(found: &Persistent) -> String {
    let mut said = Vec::new();
    if let (Some(k), Some(executions)) = (found.k, found.executions) {
        said.push(format!(
            "{executions} consecutive iterations took one path (K = {k}): lines {}",
            lines(&found.lines)
        ));
    }
    let (coverage, ids) = (found.coverage.map(percent).unwrap_or_default(), found.ids.join("-"));
    if let Some(period) = found.period {
        said.push(match found.alternatives {
            None => format!("the paths {ids} repeat every {period}, in {coverage} of the iterations"),
            Some(several) => format!(
                "{several} cycles repeat in turn, in {coverage} of the iterations: the first is of the paths {ids}, every {period}"
            ),
        });
    }
    if let Some(way) = found.way {
        let iterations = count(way.into(), "iteration");
        said.push(match found.alternatives {
            None => format!("the paths {ids} are the usual way through it, {iterations}, with {coverage} of all"),
            Some(several) => format!(
                "{several} ways through it are usual, with {coverage} of all iterations: the first is of the paths {ids}, {iterations}"
            ),
        });
    }
    said.extend(no_room(found));
    if !found.untaken.is_empty() {
        said.push(format!("not taken meanwhile: lines {}", lines(&found.untaken)));
    }
    said.extend(found.declined.iter().map(|reason| format!("not specialized: {reason}")));
    let iterations = count(found.iterations, "iteration");
    let has_pattern = found.k.is_some() || found.period.is_some() || found.way.is_some();
    match (has_pattern, said.is_empty()) {
        (true, _) => format!("found in {iterations}: {}", said.join("\n  ")),
        (false, false) => format!("profiled for {iterations}, of which no pattern was found; {}", said.join("\n  ")),
        (false, true) => format!("profiled for {iterations}, of which no pattern was found"),
    }
}

fn tell_formed(trace: &TraceFormed, source: &dyn Fn(u32) -> String) -> String {
    let mut text = format!(
        "formed {} of {}: {}, {}; should save {} of the loop's time,\n  \
         an iteration on it costs {:.1} instead of {:.1}; pays while at most {} of iterations leave it",
        trace.form(),
        count(u64::from(trace.unrolled), "iteration"),
        count(u64::from(trace.blocks), "block"),
        count(u64::from(trace.guards), "guard"),
        percent(trace.estimated_gain),
        trace.trace_cost,
        trace.general_cost,
        percent(trace.break_even),
    );
    text.extend(trace.lines.iter().take(SHOWN_LINES).map(|line| format!("\n  {}", source(*line))));
    if let Some(more) = trace.lines.len().checked_sub(SHOWN_LINES).filter(|more| *more > 0) {
        text += &format!("\n  and {}", count(more as u64, "line"));
    }
    text
}

fn tell_guards(guards: &GuardSummary, source: &dyn Fn(u32) -> String) -> String {
    let verdict = if guards.rate > guards.break_even { "too many" } else { "few enough" };
    let mut text = format!(
        "{} of the last {} iterations failed a guard: {}, {verdict} (at most {} pay)",
        guards.failures,
        guards.iterations,
        percent(guards.rate),
        percent(guards.break_even)
    );
    if !guards.worst.is_empty() {
        text.push_str("\n  since installation:");
    }
    for guard in &guards.worst {
        text += &format!("\n  {:>8} times at line {}", guard.failures, source(guard.line));
        if let Some(arm) = guard.arm {
            let (column, words, to) = (guard.column, arm.words(), guard.to);
            let path = guard.path.map(|path| format!(", path {path} of the trace")).unwrap_or_default();
            let instead = guard.instead_of.map(|line| format!(" instead of {line}")).unwrap_or_default();
            text += &format!("\n{:17}column {column}{path}: {words}, so that it went on at line {to}{instead}", "");
        }
    }
    text
}

fn tell_dropped(dropped: &Dropped, clock: Clock, version: &str, tier: &str) -> String {
    let lived = clock.show(dropped.lived.as_f64());
    match dropped.reason {
        DropReason::Replaced => return format!("{version}, {tier}, replaced after {lived}"),
        DropReason::ProfileDone => {
            return format!("{version}, {tier}, profile complete; invalidated after {lived}");
        }
        DropReason::Abandoned => {
            return format!("{version}, {tier}, abandoned after {lived}: the function now runs inlined in its caller");
        }
        DropReason::Redefined | DropReason::GuardsFail | DropReason::NoGain | DropReason::Compared => {}
    }
    let reason = dropped.reason.words();
    let cycle = match dropped.times {
        0 | 1 => String::new(),
        times => format!("\n  a cycle: this trace was chosen and invalidated {times} times"),
    };
    let next = match dropped.next_k {
        Some(k) => format!("the next profile asks for {k} iterations alike"),
        None => "the loop stays general from now on".to_owned(),
    };
    format!(
        "{version}, {tier}, invalidated after {lived}: {reason}\n  \
         {} iterations, {} left the trace; saved {}, cost {}; {next}{cycle}",
        dropped.iterations,
        dropped.failures,
        clock.show(dropped.saved),
        clock.show(dropped.cost)
    )
}

fn tell_gain(gain: &Gain) -> String {
    let expected =
        |of: &str| gain.estimated.map(|part| format!(" (expected {}{of})", percent(part))).unwrap_or_default();
    let (Some(measured), Some((least, most))) = (gain.measured, gain.interval) else {
        let pairs = count(gain.pairs, "pair");
        return format!(
            "its gain{} could not be measured: it and general code took turns in {pairs} of windows only",
            expected("")
        );
    };
    let verb = if measured >= 0.0 { "gains" } else { "loses" };
    format!(
        "{verb} {} of the program's CPU time{}, between {} and {} by {} of windows: {:.1} ns an iteration, {:.1} in general code",
        percent(measured.abs()),
        expected(" of the loop's"),
        percent(least),
        percent(most),
        count(gain.pairs, "pair"),
        gain.specialized,
        gain.general,
    )
}
