//! The option `--cut` of `ip-hybrid`.
//!
//! In: a strategy, or calls as users name them. Out: a [`CutStrategy`] of a loaded program. Invariant: each name is that of a call; else
//! the message says so.

use crate::config::{CallName, CutChoice};
use holloway::Engine;
use holloway_jit::graph_of::node_of;
use holloway_lang::ir::{FuncRef, Inst};
use holloway_profiler::scheme::{CutCall, CutStrategy};

/// `coldest`, `all`, `other-files`, `exported`, `non-leaves`; `helper,main:12`.
pub(super) fn parse(text: &str) -> Result<CutChoice, String> {
    let strategy = match text {
        "coldest" => Some(CutStrategy::Coldest),
        "all" => Some(CutStrategy::All),
        "other-files" => Some(CutStrategy::OtherFiles),
        "exported" => Some(CutStrategy::Exported),
        "non-leaves" => Some(CutStrategy::NonLeaves),
        _ => None,
    };
    if let Some(strategy) = strategy {
        return Ok(CutChoice::Strategy(strategy));
    }
    let name = |text: &str| match text.rsplit_once(':') {
        Some((caller, line)) => Some(CallName::Line(caller.to_owned(), line.parse().ok()?)),
        None => (!text.is_empty()).then(|| CallName::Callee(text.to_owned())),
    };
    let names: Option<Vec<CallName>> = text.split(',').map(name).collect();
    names.map(CutChoice::Calls).ok_or_else(|| {
        "write coldest, all, other-files, exported, non-leaves, or calls: the name of a callee, or FUNCTION:LINE, with commas between"
            .to_owned()
    })
}

/// The strategy that cuts the calls of these names.
pub(super) fn named(engine: &Engine, names: &[CallName]) -> Result<CutStrategy, String> {
    let mut found = Vec::new();
    for name in names {
        let before = found.len();
        engine.module().funcs.keys().for_each(|func| found.extend(calls(engine, func, name)));
        if found.len() == before {
            return Err(match name {
                CallName::Callee(callee) => format!(
                    "--cut: nothing calls a function '{callee}'; strategies are coldest, all, other-files, exported, non-leaves"
                ),
                CallName::Line(caller, line) => format!("--cut: '{caller}' has no call of a function in line {line}"),
            });
        }
    }
    Ok(CutStrategy::listed(found))
}

/// The calls of a function that have a name.
fn calls(engine: &Engine, func: FuncRef, name: &CallName) -> Vec<CutCall> {
    let (module, body) = (engine.module(), engine.module().function(func));
    let mut found = Vec::new();
    for (block, data) in body.blocks.iter() {
        let mut number = 0;
        for (inst, span) in data.insts.iter().zip(&data.spans) {
            let is_named = match (inst, name) {
                (Inst::Call { func, .. }, CallName::Callee(callee)) => module.function(*func).name == *callee,
                (Inst::Call { .. }, CallName::Line(caller, line)) => {
                    body.name == *caller && engine.sources().line_col(*span).0 == *line
                }
                (Inst::CallIndirect { .. }, _) => false,
                _ => continue,
            };
            if is_named {
                found.push(CutCall { caller: body.name.clone(), block: node_of(block), number });
            }
            number += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_have_names_and_others_are_calls() {
        assert_eq!(parse("non-leaves"), Ok(CutChoice::Strategy(CutStrategy::NonLeaves)));
        let calls = vec![CallName::Callee("helper".to_owned()), CallName::Line("main".to_owned(), 12)];
        assert_eq!(parse("helper,main:12"), Ok(CutChoice::Calls(calls)));
        for wrong in ["", "helper,", "main:x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
