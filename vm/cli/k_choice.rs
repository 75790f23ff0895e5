//! The option `--k` of `k-iter` where loops differ: `--k LOOP=K` and `--k auto`.
//!
//! In: loops as users name them, or the acyclic paths of a base run. Out: [`LoopIterations`] of a loaded program. Invariant: each loop that is
//! named is one whose iterations can be told apart; else the message lists those that are.

use crate::config::{LoopName, LoopPlace};
use holloway::{Engine, PathProfile};
use holloway_jit::graph_of::{block_of, graph_of};
use holloway_lang::ir::FuncRef;
use holloway_profiler::graph::Node;
use holloway_profiler::number::k_iteration::loops_to_iterate;
use holloway_profiler::scheme::{LoopIterations, LoopK, Scheme};

/// A choice of K, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KChoice {
    /// K for every loop.
    Each(u32),
    /// K for one loop.
    Loop(LoopName, u32),
    /// A base run chooses for each loop.
    Auto,
}

/// `4`, `auto`, `main:12=4`, `main:b3=4`.
pub(super) fn parse(text: &str) -> Result<KChoice, String> {
    const EXPECTED: &str =
        "write a whole number from 1 to 4294967295; k-iter takes LOOP=K such as main:12=4, and auto, too";
    let number = |text: &str| text.parse::<u32>().ok().filter(|k| *k > 0).ok_or_else(|| EXPECTED.to_owned());
    if text == "auto" {
        return Ok(KChoice::Auto);
    }
    let Some((name, k)) = text.rsplit_once('=') else { return number(text).map(KChoice::Each) };
    let (function, place) = name.rsplit_once(':').ok_or(EXPECTED)?;
    let place = match place.strip_prefix('b') {
        Some(block) => block.parse().map(LoopPlace::Block),
        None => place.parse().map(LoopPlace::Line),
    };
    let name = LoopName { function: function.to_owned(), place: place.map_err(|_| EXPECTED)? };
    Ok(KChoice::Loop(name, number(k)?))
}

/// The loops of a function that `--k LOOP=K` takes: headers, with their lines.
fn loops(engine: &Engine, func: FuncRef) -> Vec<(Node, u32)> {
    let headers = loops_to_iterate(&graph_of(engine.module().function(func)));
    headers.into_iter().map(|header| (header, engine.lines_of(func, block_of(header)).0)).collect()
}

/// The loops that are named.
pub(super) fn named(engine: &Engine, names: &[(LoopName, u32)]) -> Result<LoopIterations, String> {
    let mut found = Vec::new();
    for (name, k) in names {
        let mut functions = engine.module().funcs.iter().filter(|(_, decl)| decl.body.name == name.function);
        let (func, _) = functions.next().ok_or_else(|| format!("--k: there is no function '{}'", name.function))?;
        let all = loops(engine, func);
        let is_it = |(header, line): &&(Node, u32)| match name.place {
            LoopPlace::Line(wanted) => *line == wanted,
            LoopPlace::Block(wanted) => block_of(*header).as_u32() == wanted,
        };
        let before = found.len();
        found.extend(all.iter().filter(is_it).map(|(header, _)| LoopK {
            function: name.function.clone(),
            header: *header,
            latch: None,
            k: *k,
        }));
        if found.len() == before {
            return Err(no_such_loop(name, &all));
        }
    }
    Ok(LoopIterations::new(found))
}

fn no_such_loop(name: &LoopName, all: &[(Node, u32)]) -> String {
    let function = &name.function;
    let lines: Vec<String> = all.iter().map(|(_, line)| format!("{function}:{line}")).collect();
    let place = match name.place {
        LoopPlace::Line(line) => format!("line {line}"),
        LoopPlace::Block(block) => format!("block b{block}"),
    };
    match lines.is_empty() {
        true => format!("--k: {function} has no loop whose iterations can be told apart"),
        false => format!(
            "--k: no loop of {function} whose iterations can be told apart starts in {place}; there are: {}",
            lines.join(", ")
        ),
    }
}

/// The loops that the acyclic paths of a base run choose.
pub(super) fn chosen(engine: &Engine, scheme: Scheme, base: &PathProfile) -> LoopIterations {
    let results = base.results();
    let executed = results.iter().flat_map(|(_, results)| &results.paths).map(|row| row.count).sum();
    let mut loops = Vec::new();
    for (function, results) in &results {
        let Ok(plan) = &function.plan else { continue };
        let paths: Vec<_> = results.paths.iter().map(|row| (row.path.clone(), row.count)).collect();
        let name = &engine.module().function(function.func).name;
        let of_function = scheme.choose_loops(&plan.graph, &paths, executed);
        loops.extend(of_function.into_iter().map(|(header, k)| LoopK {
            function: name.clone(),
            header,
            latch: None,
            k,
        }));
    }
    LoopIterations::new(loops)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_a_number_a_loop_or_auto() {
        let name = |place| LoopName { function: "main".to_owned(), place };
        assert_eq!(parse("4"), Ok(KChoice::Each(4)));
        assert_eq!(parse("auto"), Ok(KChoice::Auto));
        assert_eq!(parse("main:12=3"), Ok(KChoice::Loop(name(LoopPlace::Line(12)), 3)));
        assert_eq!(parse("main:b7=3"), Ok(KChoice::Loop(name(LoopPlace::Block(7)), 3)));
        for wrong in ["0", "-1", "main=3", "main:x=3", "main:12=0", "main:12=", "automatic", ""] {
            assert!(parse(wrong).is_err_and(|message| message.contains("LOOP=K")), "{wrong}");
        }
    }
}
