//! One event as a sentence.
//!
//! In: an [`Event`], and source lines. Out: lines of text, the first of which is printed beside the time; `None` for
//! events whose contents another event includes. Invariant: every figure that a decision was based on is included.

use std::fmt::Write;

use crate::adaptive::event::{
    Choice, CompileEnd, Considered, DropReason, Dropped, Gain, GuardSummary, Installed, Persistent, TraceFormed,
    Trigger, What,
};
use crate::adaptive::{Event, TraceSource};

/// Most source lines shown for a trace.
const SHOWN_LINES: usize = 8;

/// The text of an event; `source` gives a line with its number.
pub(super) fn tell(event: &Event, source: &dyn Fn(u32) -> String) -> Option<String> {
    let version = event.subject.version.map(|number| format!("version {number}")).unwrap_or_default();
    let tier = event.subject.tier.map_or("", |tier| tier.name());
    match &event.what {
        What::TickSummary(_) => None,
        // The end event is reported instead; `installed` gives the total time.
        What::CompileStart(_) => None,
        What::Considered(considered) => Some(tell_considered(considered)),
        What::CompileEnd(end) => Some(tell_compiled(end)),
        What::Installed(installed) => Some(tell_installed(installed, &version, tier)),
        What::Osr(osr) => Some(format!(
            "a running loop went over from version {} ({}) to {version} ({tier}){}",
            osr.from,
            osr.from_tier.name(),
            if osr.count > 1 { format!(", the {}. time", osr.count) } else { String::new() }
        )),
        What::Persistent(persistent) => Some(tell_persistent(persistent)),
        What::TraceFormed(trace) => Some(tell_trace(trace, source)),
        What::GuardReport(guards) => Some(tell_guards(guards, source)),
        What::Dropped(dropped) => Some(tell_dropped(dropped, &version, tier)),
        What::Gain(gain) => Some(tell_gain(gain)),
        What::Refused(refused) => Some(format!("{} code could not be had: {}", refused.plan.name(), refused.reason)),
    }
}

fn ms(micros: f64) -> String {
    format!("{:.2} ms", micros / 1e3)
}

fn percent(part: f64) -> String {
    format!("{:.1}%", part * 100.0)
}

/// A number with its noun.
pub(super) fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn lines(numbers: &[u32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    numbers.join(" ")
}

fn tell_considered(considered: &Considered) -> String {
    let ticks = count(considered.ticks, "tick");
    let mut text = match considered.trigger {
        Trigger::Tick => format!("sampled {ticks}; expected to run on for {}", ms(considered.expected)),
        Trigger::WindowFull => {
            format!("the profile is complete; without probes it would run on for {}", ms(considered.expected))
        }
    };
    for candidate in &considered.candidates {
        let mark = if candidate.choice == considered.choice { '>' } else { ' ' };
        let (cost, future) = (candidate.cost / 1e3, candidate.future / 1e3);
        let name = candidate.choice.name();
        write!(text, "\n{mark} {name:<10}  cost {cost:>6.2} + run {future:>7.2} = {:>7.2} ms", cost + future)
            .expect("strings take all text");
    }
    let says_more = considered.candidates.len() < 2 || considered.choice == Choice::Stay || !is_least(considered);
    if says_more {
        write!(text, "\n  {}: {}", considered.choice.name(), considered.reason).expect("strings take all text");
    }
    text
}

/// Returns whether the choice has the least cost, so that the figures alone explain it.
fn is_least(considered: &Considered) -> bool {
    let least = considered.candidates.iter().min_by(|a, b| a.total().total_cmp(&b.total()));
    least.is_some_and(|least| least.choice == considered.choice)
}

fn tell_compiled(end: &CompileEnd) -> String {
    format!(
        "compiled {} code in {} (expected {}): {} instructions, {} bytes{}",
        end.plan.name(),
        ms(end.micros.as_f64()),
        ms(end.estimate),
        end.ir_size,
        end.code_bytes,
        tell_inlined(end.inlined, end.guarded)
    )
}

fn tell_inlined(inlined: u32, guarded: u32) -> String {
    let calls = if inlined == 1 { "call" } else { "calls" };
    match (inlined, guarded) {
        (0, _) => String::new(),
        (_, 0) => format!("; {inlined} {calls} inlined"),
        (1, 1) => "; 1 indirect call inlined behind a test".to_owned(),
        _ => format!("; {inlined} {calls} inlined, {guarded} indirect behind a test"),
    }
}

fn tell_installed(installed: &Installed, version: &str, tier: &str) -> String {
    let entry = match installed.entry_line {
        None => "entered by calls".to_owned(),
        Some(line) => format!("entered at the loop of line {line}"),
    };
    match installed.ticket {
        None => format!("{version}, {tier}, is in use again; {entry}"),
        Some(_) => {
            format!("{version}, {tier}, is in use {} after it was asked for; {entry}", ms(installed.waited.as_f64()))
        }
    }
}

fn tell_persistent(found: &Persistent) -> String {
    let mut said = Vec::new();
    if let (Some(k), Some(executions)) = (found.k, found.executions) {
        said.push(format!("{executions} iterations in a row took one path (K = {k}): lines {}", lines(&found.lines)));
    }
    if let Some(period) = found.period {
        let coverage = found.coverage.map(percent).unwrap_or_default();
        said.push(format!("the paths {} repeat every {period}, in {coverage} of the windows", found.ids.join("-")));
    }
    if !found.untaken.is_empty() {
        said.push(format!("never passed: lines {}", lines(&found.untaken)));
    }
    format!("found in {} iterations: {}", found.iterations, said.join("\n  "))
}

fn tell_trace(trace: &TraceFormed, source: &dyn Fn(u32) -> String) -> String {
    let mut text = formed(trace);
    for line in trace.lines.iter().take(SHOWN_LINES) {
        write!(text, "\n  {}", source(*line)).expect("strings take all text");
    }
    if let Some(more) = trace.lines.len().checked_sub(SHOWN_LINES).filter(|more| *more > 0) {
        write!(text, "\n  and {}", count(more as u64, "line")).expect("strings take all text");
    }
    text
}

fn formed(trace: &TraceFormed) -> String {
    if trace.source == TraceSource::States {
        return format!(
            "split the loop by the state it is in: {} more; should save {} of the loop's time,\n  \
             an iteration costs {:.1} instead of {:.1}",
            count(u64::from(trace.blocks), "block"),
            percent(trace.estimated_gain),
            trace.trace_cost,
            trace.general_cost,
        );
    }
    format!(
        "formed a trace of {}: {}, {}; should save {} of the loop's time,\n  \
         an iteration on it costs {:.1} instead of {:.1}; pays while at most {} of iterations leave it",
        count(u64::from(trace.unrolled), "iteration"),
        count(u64::from(trace.blocks), "block"),
        count(u64::from(trace.guards), "guard"),
        percent(trace.estimated_gain),
        trace.trace_cost,
        trace.general_cost,
        percent(trace.break_even),
    )
}

fn tell_guards(guards: &GuardSummary, source: &dyn Fn(u32) -> String) -> String {
    let verdict = if guards.rate > guards.break_even { "too many" } else { "few enough" };
    let mut text = format!(
        "{} of {} iterations left the trace: {}, {verdict} (at most {} pay)",
        guards.failures,
        guards.iterations,
        percent(guards.rate),
        percent(guards.break_even)
    );
    for guard in &guards.worst {
        write!(text, "\n  {:>8} times at line {}", guard.failures, source(guard.line)).expect("strings take all text");
    }
    text
}

fn tell_dropped(dropped: &Dropped, version: &str, tier: &str) -> String {
    let lived = ms(dropped.lived.as_f64());
    let reason = match dropped.reason {
        DropReason::Replaced => return format!("{version}, {tier}, made room after {lived}"),
        DropReason::ProfileDone => {
            return format!("{version}, {tier}, has told what it was for; dropped after {lived}");
        }
        DropReason::Redefined => "its function has a new body",
        DropReason::GuardsFail => "its guards fail too often",
        DropReason::NoGain => "it measured no faster than general code",
    };
    let cycle = match dropped.times {
        0 | 1 => String::new(),
        times => format!("\n  a cycle: this trace was chosen and dropped {times} times"),
    };
    let next = match dropped.next_k {
        Some(k) => format!("the next profile asks for {k} iterations alike"),
        None => "the loop stays general from now on".to_owned(),
    };
    format!(
        "{version}, {tier}, is dropped after {lived}: {reason}\n  \
         {} iterations, {} left the trace; saved {}, cost {}; {next}{cycle}",
        dropped.iterations,
        dropped.failures,
        ms(dropped.saved),
        ms(dropped.cost)
    )
}

/// Fewest ticks of a meaningful measurement.
const ROUGH: u64 = 16;

fn tell_gain(gain: &Gain) -> String {
    if gain.ticks_before < ROUGH {
        return format!(
            "takes {:.2} ns an iteration (expected a gain of {}); it was not seen for long enough before to say what that gains ({})",
            gain.after * 1e3,
            percent(gain.estimated),
            count(gain.ticks_before, "tick"),
        );
    }
    let verb = if gain.measured >= 0.0 { "gained" } else { "lost" };
    format!(
        "{verb} {} (expected a gain of {}): {:.2} ns an iteration, before it was {:.2} ({} and {})",
        percent(gain.measured.abs()),
        percent(gain.estimated),
        gain.after * 1e3,
        gain.before * 1e3,
        count(gain.ticks_after, "tick"),
        count(gain.ticks_before, "tick"),
    )
}
