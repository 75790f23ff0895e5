//! Statements: lines of text at the present place.
//!
//! In: the context and scope. Out: lines, and the scope with their declarations. Invariants: a statement never leaves
//! on all its paths, so that its successor is reachable; each loop has a trip count known here (see [`crate::r#gen`]);
//! nothing but the loop itself assigns its counter.

mod assign;
mod branch;
mod declare;
mod each;
mod failure;
mod leave;
mod loops;

use crate::r#gen::Gen;
use crate::weights::{self, Stmt};

/// Blocks inside blocks inside one function.
const MAX_NESTING: u32 = 4;

impl Gen {
    /// At most `count` statements.
    pub(crate) fn statements(&mut self, count: u64) {
        let mut left = count;
        for _ in 0..4 * count {
            if left == 0 || self.room() < 30 {
                break;
            }
            if self.statement() {
                left -= 1;
            }
        }
        if left == count && self.rng.chance(80) {
            self.compound();
        }
    }

    /// Writes a statement, unless the one chosen is impossible here.
    pub(crate) fn statement(&mut self) -> bool {
        self.spend(2);
        let chosen = self.rng.weighted(weights::STATEMENTS);
        if has_blocks(chosen) && self.cx.nesting >= MAX_NESTING {
            return false;
        }
        match chosen {
            Stmt::Let => self.let_statement(),
            Stmt::LetFromBranches => self.let_from_branches(),
            Stmt::Const => self.const_statement(),
            Stmt::Shadow => self.shadow(),
            Stmt::Alias => self.alias(),
            Stmt::Assign => self.assign(),
            Stmt::Compound => self.compound(),
            Stmt::Swap => self.swap(),
            Stmt::Bulk => self.bulk(),
            Stmt::SortFloats => self.sort_floats(),
            Stmt::Seed => self.random_seed(),
            Stmt::If => self.if_statement(),
            Stmt::IfLet => self.if_let(),
            Stmt::NoneCheck => self.none_check(),
            Stmt::MatchInt => self.match_int(),
            Stmt::MatchOther => self.match_other(),
            Stmt::Block => self.block_statement(),
            Stmt::ForRange => self.for_range(),
            Stmt::ForEdge => self.for_edge(),
            Stmt::ForEach => self.for_each(),
            Stmt::While => self.while_loop(),
            Stmt::Halving => self.halving(),
            Stmt::Loop => self.endless_loop(),
            Stmt::WhileLet => self.while_let(),
            Stmt::Try => self.try_statement(),
            Stmt::Assert => self.assert_statement(),
            Stmt::Failing => self.failing(),
            Stmt::Print => self.print(),
            Stmt::Call => self.call_statement(),
            Stmt::Return => self.early_return(),
            Stmt::Leave => self.leave_loop(),
        }
    }

    /// A few statements in a scope of their own, between lines already written.
    pub(crate) fn body(&mut self, most: i64) {
        let mark = self.scope.enter();
        self.body_in_scope(most);
        self.scope.leave(mark);
    }

    /// A few statements one level deeper; the caller ends their scope.
    pub(crate) fn body_in_scope(&mut self, most: i64) {
        self.cx.nesting += 1;
        let count = self.rng.range(1, most) as u64;
        self.statements(count);
        self.cx.nesting -= 1;
    }

    /// Returns true if a `let` here would define a name of the top level.
    pub(crate) fn at_top_level(&self) -> bool {
        self.cx.result.is_none() && self.cx.nesting == 0
    }
}

fn has_blocks(chosen: Stmt) -> bool {
    match chosen {
        Stmt::LetFromBranches | Stmt::If | Stmt::IfLet | Stmt::NoneCheck | Stmt::MatchInt | Stmt::MatchOther => true,
        Stmt::ForRange | Stmt::ForEdge | Stmt::ForEach | Stmt::While | Stmt::Halving | Stmt::Loop => true,
        Stmt::WhileLet | Stmt::Try | Stmt::Block => true,
        Stmt::Let | Stmt::Const | Stmt::Shadow | Stmt::Alias | Stmt::Assign | Stmt::Compound | Stmt::Swap => false,
        Stmt::Bulk | Stmt::SortFloats | Stmt::Seed | Stmt::Assert | Stmt::Failing | Stmt::Print => false,
        Stmt::Call | Stmt::Return | Stmt::Leave => false,
    }
}
