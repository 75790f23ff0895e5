//! Text and JSON of calling contexts.
//!
//! In: the calling context tree of a run. Out: the contexts with the most activations, each with the calls on the way to it. Invariant: the
//! contexts that are not shown are counted.

use std::collections::HashMap;
use std::fmt::Write as _;

use cranelift_entity::EntityRef;
use holloway_lang::ir::{Block, BlockData, FuncRef};
use holloway_lang::source::Span;
use holloway_profiler::context_tree::{CallNumber, ContextId, ContextNode, ContextTree};
use holloway_profiler::event::FunctionId;
use serde_json::{Value, json};

use super::super::edges::name;
use super::super::text::{grouped, plural, share};
use super::super::unique_names::unique_names;
use crate::report::Shown;
use holloway::{Engine, PathProfile};

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
    let mut calls = CallNames::new(engine, tree);
    let mut say = |line: std::fmt::Arguments<'_>| writeln!(out, "{line}").expect("strings take all text");
    for (context, node) in &all[..most] {
        let (count, part) = (grouped(node.calls as usize), share(node.calls, tree.activations()));
        let recursive = match node.recursive {
            0 => String::new(),
            calls => format!(", {} by recursion", grouped(calls as usize)),
        };
        say(format_args!("{count:>10}  {part:>6}  {}{recursive}", calls.way(*context)));
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
    let way = CallNames::new(engine, tree).way(context);
    Some(format!("{} of activations: {way}", share(node.calls, tree.activations())))
}

/// A call of a function, in order of their numbers.
struct CallPlace {
    block: Block,
    /// Among the calls of the block.
    number: u32,
    line: u32,
    column: u32,
}

fn calls_of(engine: &Engine, func: FuncRef) -> Vec<CallPlace> {
    let of_block = |(block, data): (Block, &'_ BlockData)| {
        let calls = data.insts.iter().zip(&data.spans).filter(|(inst, _)| inst.is_call());
        let place = |(number, (_, span)): (u32, (_, &Span))| {
            let (line, column) = engine.sources().line_col(*span);
            CallPlace { block, number, line, column }
        };
        (0..).zip(calls).map(place).collect::<Vec<_>>()
    };
    engine.module().function(func).blocks.iter().flat_map(of_block).collect()
}

/// Names of calls: their lines, or lines and columns where a function makes several calls on one.
struct CallNames<'a> {
    engine: &'a Engine,
    tree: &'a ContextTree,
    names: HashMap<FuncRef, HashMap<CallNumber, String>>,
}

impl CallNames<'_> {
    fn new<'a>(engine: &'a Engine, tree: &'a ContextTree) -> CallNames<'a> {
        CallNames { engine, tree, names: HashMap::new() }
    }

    /// The calls on the way to a context: `main:12 > near:3 > leaf`.
    fn way(&mut self, context: ContextId) -> String {
        let way = self.tree.way_to(context);
        let sites = way.iter().skip(1).map(|(_, site)| *site).chain([None]);
        let steps = way.iter().zip(sites).map(|((at, _), site)| {
            let func = func_of(self.tree.node(*at).function);
            let of = name(self.engine, func);
            match site.and_then(|site| self.name(func, site)) {
                Some(call) => format!("{of}:{call}"),
                None => of,
            }
        });
        steps.collect::<Vec<_>>().join(" > ")
    }

    fn name(&mut self, func: FuncRef, call: CallNumber) -> Option<&str> {
        let engine = self.engine;
        let names = self.names.entry(func).or_insert_with(|| {
            let calls = calls_of(engine, func);
            let line = |call: CallNumber| calls[call as usize].line.to_string();
            let column = |call: CallNumber| format!("{}:{}", line(call), calls[call as usize].column);
            let numbered = |call: CallNumber| format!("{} call {}", column(call), call + 1);
            unique_names(0..calls.len() as CallNumber, &[&line, &column, &numbered])
        });
        names.get(&call).map(String::as_str)
    }
}

/// The contexts as JSON, in the order in which they were entered first, and how many are left out.
pub(super) fn json(engine: &Engine, profile: &PathProfile, shown: Shown) -> (Vec<Value>, usize) {
    let (all, most) = ordered(&profile.contexts, shown);
    let mut chosen: Vec<_> = all[..most].to_vec();
    chosen.sort_by_key(|(context, _)| *context);
    let mut calls: HashMap<FuncRef, Vec<CallPlace>> = HashMap::new();
    let mut object = |(context, node): &(ContextId, &ContextNode)| {
        let func = func_of(node.function);
        let site = node.parent.and_then(|(parent, site)| {
            let caller = func_of(profile.contexts.node(parent).function);
            let calls = calls.entry(caller).or_insert_with(|| calls_of(engine, caller));
            let CallPlace { block, number, line, column } = calls.get(site? as usize)?;
            Some(json!({ "block": block.as_u32(), "number": number, "line": line, "column": column }))
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
    (chosen.iter().map(&mut object).collect(), all.len() - most)
}
