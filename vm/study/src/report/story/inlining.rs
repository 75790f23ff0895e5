//! The calls in each optimized version of a function, and why each was inlined or not: `--why inlining:FUNCTION`. A
//! call stands below the one behind whose inlined body it is.

use crate::report::text::{grouped, one_line, plural};
use crate::run::Run;
use crate::run::record::{Call, Inlining};

/// Calls of a version that are told.
const MOST_CALLS: usize = 200;

/// The text; `None` if nothing was decided about a function of that name.
pub(super) fn text(run: &Run, function: &str) -> Option<String> {
    let is_of = |inlining: &&Inlining| {
        let version = &run.versions[inlining.version as usize];
        run.functions[version.function as usize].name == function
    };
    let of: Vec<&Inlining> = run.inlining.iter().filter(is_of).collect();
    if of.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut before: Option<(&Inlining, String)> = None;
    for inlining in of {
        let version = &run.versions[inlining.version as usize];
        let name = format!("{} (version {}, {})", one_line(&version.name), version.id, version.tier);
        match &before {
            Some((same, as_in)) if same.calls == inlining.calls => {
                text += &format!("{name}: as in {as_in}\n\n");
            }
            _ => {
                let inlined = inlining.calls.iter().filter(|call| call.declined.is_none()).count();
                let calls = plural(inlining.calls.len(), "call");
                text += &format!("{name}: {calls} of known functions, {inlined} inlined\n");
                tree(run, &inlining.calls, &mut text);
                text.push('\n');
                before = Some((inlining, one_line(&version.name)));
            }
        }
    }
    Some(text)
}

fn tree(run: &Run, calls: &[Call], text: &mut String) {
    for call in calls.iter().take(MOST_CALLS) {
        let depth =
            std::iter::successors(call.within, |within| calls[*within as usize].within).take(calls.len()).count();
        let (function, line) = call.at;
        let place = format!("{}:{line}", one_line(&run.functions[function as usize].file));
        let callee = one_line(&run.functions[call.callee as usize].name);
        let told = match &call.declined {
            None => format!("inlined, {} instructions of {} left", grouped(call.size), grouped(call.budget)),
            Some(reason) => format!("called: {reason}"),
        };
        *text += &format!("  {:indent$}{place}  {callee}  {told}\n", "", indent = 2 * depth);
    }
    if calls.len() > MOST_CALLS {
        *text += &format!("  and {} more\n", calls.len() - MOST_CALLS);
    }
}
