//! Switches: few cases are compared one after the other, near ones are in a table, and others are searched for.
//!
//! In: a value, and the blocks of its cases. Out: CLIF that goes there. Values beside a table are sent to the default by a comparison of their own, so the one that
//! Cranelift makes in front of each table is left out when code is taken from it ([`crate::arch::without_bounds`]).

use super::Translator;
use crate::emit::marks;
use crate::opt::ssa::{Block, Target, Value};
use crate::settings::clif::{MOST_BETWEEN, MOST_COMPARED, SPARSEST};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, JumpTableData, types};
use cranelift_frontend::Switch;
use std::ops::RangeInclusive;

impl Translator<'_> {
    /// Goes on at a case, or at the default. A switch passes no arguments, so each edge that has some is a block.
    pub(super) fn switch(&mut self, block: Block, value: Value, cases: &[(i64, Target)], default: &Target) {
        let value = self.value(value);
        let mut edges: Vec<(&Target, clif::Block)> = Vec::new();
        let cases: Vec<(i64, clif::Block)> =
            cases.iter().map(|(case, to)| (*case, self.switch_edge(to, &mut edges))).collect();
        let other = self.switch_edge(default, &mut edges);
        match span(&cases) {
            _ if cases.len() <= MOST_COMPARED => self.compare(value, &cases, other),
            Some(span) => {
                // Values beside the table and those between its cases go to the default by blocks of their own: edges that meet would need more blocks.
                let beside = self.emit.builder.create_block();
                edges.push((default, beside));
                self.look_up(value, &span, &cases, (beside, other));
            }
            None => self.search(value, &cases, other),
        }
        self.fill_edges(block, edges);
    }

    fn switch_edge<'t>(&mut self, to: &'t Target, edges: &mut Vec<(&'t Target, clif::Block)>) -> clif::Block {
        if let Some((_, own)) = edges.iter().find(|(known, _)| *known == to) {
            return *own;
        }
        let own = self.emit.builder.create_block();
        edges.push((to, own));
        own
    }

    /// Branches of few cases are foreseen better than an indirect jump.
    fn compare(&mut self, value: clif::Value, cases: &[(i64, clif::Block)], default: clif::Block) {
        for (case, to) in cases {
            let next = self.emit.builder.create_block();
            let case = self.emit.int(*case);
            let is_case = self.emit.builder.ins().icmp(IntCC::Equal, value, case);
            self.emit.builder.ins().brif(is_case, *to, &[], next, &[]);
            self.emit.builder.switch_to_block(next);
        }
        self.emit.builder.ins().jump(default, &[]);
    }

    fn look_up(
        &mut self,
        value: clif::Value,
        span: &RangeInclusive<i64>,
        cases: &[(i64, clif::Block)],
        (beside, between): (clif::Block, clif::Block),
    ) {
        let index = match *span.start() {
            0 => value,
            first => {
                let first = self.emit.int(first);
                self.emit.builder.ins().isub(value, first)
            }
        };
        let mut table = vec![between; places(span).expect("a span is not wide")];
        for (case, to) in cases {
            table[(case - span.start()) as usize] = *to;
        }
        let inside = self.emit.builder.create_block();
        let size = self.emit.int(table.len() as i64);
        let is_beside = self.emit.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, size);
        self.emit.builder.ins().brif(is_beside, beside, &[], inside, &[]);
        self.emit.builder.switch_to_block(inside);
        let pool = &mut self.emit.builder.func.dfg.value_lists;
        let mut call = |to| clif::BlockCall::new(to, [], pool);
        let entries: Vec<clif::BlockCall> = table.into_iter().map(&mut call).collect();
        let data = JumpTableData::new(call(between), &entries);
        let table = self.emit.builder.create_jump_table(data);
        let short = self.emit.builder.ins().ireduce(types::I32, index);
        let location = self.emit.builder.srcloc();
        self.emit.builder.set_srcloc(marks::of_table(location));
        self.emit.builder.ins().br_table(short, table);
        self.emit.builder.set_srcloc(location);
    }

    fn search(&mut self, value: clif::Value, cases: &[(i64, clif::Block)], default: clif::Block) {
        let mut switch = Switch::new();
        for (case, to) in cases {
            switch.set_entry(u128::from(*case as u64), *to);
        }
        switch.emit(&mut self.emit.builder, value, default);
    }
}

/// From the least case to the greatest, unless most of what is between is none.
fn span(cases: &[(i64, clif::Block)]) -> Option<RangeInclusive<i64>> {
    let of = || cases.iter().map(|(case, _)| *case);
    let span = of().min()?..=of().max()?;
    let places = places(&span)?;
    (places <= SPARSEST * cases.len() && places - cases.len() <= MOST_BETWEEN).then_some(span)
}

/// As many as there are values in a span.
fn places(span: &RangeInclusive<i64>) -> Option<usize> {
    span.end().checked_sub(*span.start())?.checked_add(1)?.try_into().ok()
}
