//! Text and JSON of calling contexts.
//!
//! In: the calling context tree of a run. Out: the contexts with the most activations, each with the calls on the way to it. Invariant: the
//! contexts that are not shown are counted.

use std::fmt::Write as _;

use cranelift_entity::EntityRef;
use holloway_jit::graph_of::block_of;
use holloway_lang::ir::{FuncRef, Inst};
use holloway_profiler::context_tree::{ContextId, ContextNode, ContextTree};
use holloway_profiler::event::FunctionId;
use holloway_profiler::scheme::call_of;
use serde_json::{Value, json};

use super::super::edges::name;
use super::super::text::{grouped, plural, share};
use crate::engine::{Engine, PathProfile};
use crate::report::Shown;

fn func_of(function: FunctionId) -> FuncRef {
    FuncRef::new(function.as_u32() as usize)
}

/// Contexts in the order in which they are shown, and how many that is.
fn ordered(tree: &ContextTree, shown: Shown) -> (Vec<(ContextId, &ContextNode)>, usize) {
    let mut all: Vec<_> = tree.nodes().collect();
    all.sort_by(|(a, of_a), (b, of_b)| shown.order(of_a.calls, of_b.calls).then(a.cmp(b)));
    let most = shown.top.map_or(all.len(), |top| top.get().min(all.len()));
    (all, most)
}

/// The contexts that are shown.
pub(super) fn contexts(engine: &Engine, profile: &PathProfile, shown: Shown) -> String {
    let tree = &profile.contexts;
    let (all, most) = ordered(tree, shown);
    let mut out = String::from("     count   share  context\n");
    let mut say = |line: std::fmt::Arguments<'_>| writeln!(out, "{line}").expect("strings take all text");
    for (context, node) in &all[..most] {
        let (count, part) = (grouped(node.calls as usize), share(node.calls, tree.activations()));
        let recursive = match node.recursive {
            0 => String::new(),
            calls => format!(", {} by recursion", grouped(calls as usize)),
        };
        say(format_args!("{count:>10}  {part:>6}  {}{recursive}", way(engine, profile, *context)));
    }
    if all.len() > most {
        say(format_args!("and {} more; --top 0 shows all", all.len() - most));
    }
    let activations = plural(tree.activations() as usize, "activation");
    say(format_args!("{activations} in {}", plural(all.len(), "context")));
    out
}

/// The context with most activations, in a line; `None` if nothing ran.
pub(in crate::report) fn headline(engine: &Engine, profile: &PathProfile) -> Option<String> {
    let tree = &profile.contexts;
    let (context, node) = tree.nodes().max_by_key(|(_, node)| node.calls)?;
    Some(format!("{} of activations: {}", share(node.calls, tree.activations()), way(engine, profile, context)))
}

/// The calls on the way to a context: `main:12 > near:3 > leaf`.
fn way(engine: &Engine, profile: &PathProfile, context: ContextId) -> String {
    let way = profile.contexts.way_to(context);
    let sites = way.iter().skip(1).map(|(_, site)| *site).chain([None]);
    let steps = way.iter().zip(sites).map(|((at, _), site)| {
        let func = func_of(profile.contexts.node(*at).function);
        match site.and_then(|site| line_of(engine, profile, func, site)) {
            Some(line) => format!("{}:{line}", name(engine, func)),
            None => name(engine, func).to_owned(),
        }
    });
    steps.collect::<Vec<_>>().join(" > ")
}

/// The line of a call.
fn line_of(engine: &Engine, profile: &PathProfile, func: FuncRef, site: u32) -> Option<u32> {
    let plan = profile.functions.iter().find(|function| function.func == func)?.plan.as_ref().ok()?;
    let call = call_of(&plan.graph, site)?;
    let data = &engine.module().function(func).blocks[block_of(call.block)];
    let is_call = |inst: &Inst| matches!(inst, Inst::Call { .. } | Inst::CallIndirect { .. });
    let mut spans = data.insts.iter().zip(&data.spans).filter(|(inst, _)| is_call(inst)).map(|(_, span)| *span);
    Some(engine.sources().line_col(spans.nth(call.number as usize)?).0)
}

/// The contexts as JSON, in the order in which they were entered first, and how many are left out.
pub(super) fn json(engine: &Engine, profile: &PathProfile, shown: Shown) -> (Vec<Value>, usize) {
    let (all, most) = ordered(&profile.contexts, shown);
    let mut chosen: Vec<_> = all[..most].to_vec();
    chosen.sort_by_key(|(context, _)| *context);
    let object = |(context, node): &(ContextId, &ContextNode)| {
        let func = func_of(node.function);
        let site = node.parent.and_then(|(parent, site)| {
            let caller = func_of(profile.contexts.node(parent).function);
            let plan = profile.functions.iter().find(|function| function.func == caller)?.plan.as_ref().ok()?;
            let call = call_of(&plan.graph, site?)?;
            Some(json!({
                "block": block_of(call.block).as_u32(), "number": call.number, "line": line_of(engine, profile, caller, site?),
            }))
        });
        json!({
            "id": context.as_u32(),
            "parent": node.parent.map(|(parent, _)| parent.as_u32()),
            "site": site,
            "function": engine.module().function(func).name,
            "calls": node.calls,
            "recursive": node.recursive,
        })
    };
    (chosen.iter().map(object).collect(), all.len() - most)
}
