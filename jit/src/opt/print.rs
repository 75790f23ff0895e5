//! Prints the SSA form, for `dump --stage ir --after PASS` and for people who debug passes.

use super::cfg::Graph;
use super::op::Probe;
use super::ssa::{Block, Def, Func, Op, Target, Term, Value};
use crate::probes::Fold;
use holloway_lang::ir::Module;
use std::fmt::Write as _;

/// A function as text: blocks in reverse postorder.
pub fn function(module: &Module, func: &Func) -> String {
    let graph = Graph::compute(func);
    let mut out = String::new();
    for (slot, scalar) in func.slots.iter().enumerate() {
        writeln!(out, "    slot {slot}: {}", scalar.name()).expect("strings take all text");
    }
    for block in &graph.rpo {
        print_block(module, func, *block, &graph, &mut out);
    }
    out
}

fn print_block(module: &Module, func: &Func, block: Block, graph: &Graph, out: &mut String) {
    let data = &func.blocks[block];
    let params: Vec<String> =
        data.params.iter().map(|param| format!("{param}: {}", func.values[*param].scalar.name())).collect();
    let handler = data.handler.map(|handler| format!(" catch {handler}")).unwrap_or_default();
    let cold = if data.cold { " cold" } else { "" };
    let depth = graph.loop_depth(block);
    writeln!(out, "{block}({}){handler}{cold}: ; from {}, loop depth {depth}", params.join(", "), data.origin)
        .expect("strings take all text");
    for inst in &data.insts {
        let data = &func.insts[*inst];
        let result = data.result.map(|value| format!("{value} = ")).unwrap_or_default();
        writeln!(out, "    {result}{} {}", op(module, data.op), values(func, &data.args))
            .expect("strings take all text");
    }
    writeln!(out, "    {}", term(func, &data.term)).expect("strings take all text");
}

fn op(module: &Module, op: Op) -> String {
    match op {
        Op::Unary(op) => op.name().into(),
        Op::Binary(op) => op.name().into(),
        Op::Call(func) => format!("call {func} `{}`", module.function(func).name),
        Op::Builtin(builtin) => format!("builtin {}", builtin.name()),
        Op::Probe(probe) => self::probe(probe),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn probe(probe: Probe) -> String {
    match probe {
        Probe::Emit(_) => "emit".into(),
        Probe::Fold(Fold { cell, announce, .. }) => format!("fold({cell}, {announce})"),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn value(func: &Func, value: Value) -> String {
    match func.values[value].def {
        Def::Const(operand) => operand.to_string(),
        Def::Inst(_) | Def::Param(..) => value.to_string(),
    }
}

fn values(func: &Func, all: &[Value]) -> String {
    all.iter().map(|one| value(func, *one)).collect::<Vec<_>>().join(", ")
}

fn target(func: &Func, to: &Target) -> String {
    format!("{}({})", to.block, values(func, &to.args))
}

fn term(func: &Func, term: &Term) -> String {
    match term {
        Term::Jump(to) => format!("jump {}", target(func, to)),
        Term::Branch { cond, then, otherwise } => {
            format!("branch {}, {}, {}", value(func, *cond), target(func, then), target(func, otherwise))
        }
        Term::Switch { value: on, cases, default } => {
            let cases: Vec<String> = cases.iter().map(|(case, to)| format!("{case}: {}", target(func, to))).collect();
            format!("switch {} [{}], {}", value(func, *on), cases.join(", "), target(func, default))
        }
        Term::Return(None) => "return".into(),
        Term::Return(Some(result)) => format!("return {}", value(func, *result)),
        Term::Fail(kind, message) => format!("fail {} {}", kind.name(), value(func, *message)),
        Term::Exit(status) => format!("exit {}", value(func, *status)),
    }
}
