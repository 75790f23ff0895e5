//! The hottest redundant loads or operations of a run.
//!
//! In: facts, those that held most often first. Out: a table with sums over all of them, or JSON.
//! Invariant: the sums are of all facts, whatever number of them is shown.

use super::place;
use crate::report::text::{cut, function_name, grouped, one_line, share};
use crate::trace::facts::place::SourceProgram;
use crate::trace::{Fact, HotFact, Optimized};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::num::NonZeroUsize;

/// The hottest facts of a program.
pub struct Hottest<'a> {
    /// The facts.
    pub found: &'a [HotFact],
    /// The program.
    pub program: SourceProgram<'a>,
    /// Their kind.
    pub fact: Fact,
    /// Number of them that is shown; `None` shows all.
    pub top: Option<NonZeroUsize>,
}

/// Number of statements, and of executions at which they were redundant.
#[derive(Clone, Copy, Default)]
struct Sum {
    statements: u64,
    holds: u64,
}

fn name(optimized: Optimized) -> &'static str {
    match optimized {
        Optimized::Removed => "removed",
        Optimized::Hoisted => "hoisted",
        Optimized::Kept => "kept",
    }
}

impl Hottest<'_> {
    fn shown(&self) -> &[HotFact] {
        &self.found[..self.top.map_or(usize::MAX, NonZeroUsize::get).min(self.found.len())]
    }

    fn sum(&self, counts: impl Fn(&HotFact) -> bool) -> Sum {
        self.found
            .iter()
            .filter(|fact| counts(fact))
            .fold(Sum::default(), |sum, fact| Sum { statements: sum.statements + 1, holds: sum.holds + fact.holds })
    }

    /// As JSON.
    pub fn json(&self) -> String {
        let fact = |it: &HotFact| -> Value {
            json!({
                "at": place(self.program.sources, it.at),
                "function": function_name(self.program.module, it.func),
                "source": self.program.sources.snippet(it.span),
                "executions": it.executions,
                "holds": it.holds,
                "exact": it.is_exact,
                "optimized": name(it.optimized),
            })
        };
        let facts: Vec<Value> = self.shown().iter().map(fact).collect();
        format!("{}\n", json!({ "facts": facts }))
    }

    /// As text.
    pub fn text(&self) -> String {
        let what = if self.fact == Fact::Load { "loads" } else { "operations" };
        let mut out = format!("{:>14} {:>14}          optimized  {what}\n", "redundant", "executions");
        for it in self.shown() {
            let [holds, executions] = [it.holds, it.executions].map(|number| grouped(number as usize));
            let percent = share(it.holds, it.executions);
            let (at, source) = (one_line(&place(self.program.sources, it.at)), self.program.sources.snippet(it.span));
            let (optimized, source) = (name(it.optimized), one_line(source));
            say(
                &mut out,
                format_args!("{holds:>14} {executions:>14} {percent:>7}  {optimized:<9}  {at}  {}", cut(&source)),
            );
        }
        let always = |optimized| self.sum(move |it| it.always_holds() && it.optimized == optimized);
        for (optimized, then) in [
            (Optimized::Removed, "optimized code has none of them"),
            (Optimized::Hoisted, "optimized code has them outside of a loop"),
            (Optimized::Kept, "optimized code has them still"),
        ] {
            let Sum { statements, holds } = always(optimized);
            let (statements, holds) = (grouped(statements as usize), grouped(holds as usize));
            say(&mut out, format_args!("always redundant: {statements} {what}, {holds} executions; {then}"));
        }
        out
    }
}

fn say(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("strings take all text");
}
