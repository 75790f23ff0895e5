//! Branches that [if-conversion](crate::opt::if_conversion) or [if-combining](crate::opt::if_combine) may remove, by
//! the shape of the body.
//!
//! In: a body. Out: the branches whose outcomes baseline code has to note; all others stay branches, however they go.
//!
//! ```text
//!   converted   B -> T -> J, B -> J      B -> T -> J, B -> F -> J      T and F return     T or F is such a branch itself
//!   combined    B -> D, B -> X           D -> N, D -> X
//! ```
//!
//! Invariant: a branch that is left out keeps the judgement by its counts. Inlining and simplification change shapes,
//! so that some that could be converted then are left out, and some are noted in vain.

use crate::settings::convertible::MOST_NESTED;
use crate::settings::if_combine::MAX_VAIN;
use crate::settings::if_conversion::EITHER_WAY_VAIN;
use holloway_lang::ir::{BinaryOp, Block, Function, Inst, Terminator};

/// The blocks of a body that end with such a branch.
pub fn convertible(body: &Function) -> impl Iterator<Item = Block> {
    body.blocks.iter().filter_map(|(block, data)| match data.term {
        Terminator::Branch { then, otherwise, .. } if then != otherwise => {
            let is_one = meet(body, (then, otherwise), MOST_NESTED).is_some()
                || shares(body, then, otherwise)
                || shares(body, otherwise, then);
            is_one.then_some(block)
        }
        _ => None,
    })
}

/// The place where the ways of a branch meet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    At(Block),
    /// Behind the call.
    Return,
}

fn meet(body: &Function, (then, otherwise): (Block, Block), nested: usize) -> Option<Meeting> {
    let (yes, no) = (through(body, then, nested), through(body, otherwise, nested));
    let straight = |way: Option<Meeting>, to: Block| way == Some(Meeting::At(to));
    match yes.is_some() && yes == no || straight(yes, otherwise) {
        true => yes,
        false => no.filter(|_| straight(no, then)),
    }
}

/// The way on from a block that may be executed in vain.
fn through(body: &Function, block: Block, nested: usize) -> Option<Meeting> {
    let data = &body.blocks[block];
    let computed = data.insts.iter().filter(|inst| !matches!(inst, Inst::Copy { .. })).count();
    if computed > EITHER_WAY_VAIN || !data.insts.iter().all(is_harmless) {
        return None;
    }
    match data.term {
        Terminator::Jump(to) => Some(Meeting::At(to)),
        Terminator::Return(_) => Some(Meeting::Return),
        Terminator::Branch { then, otherwise, .. } if nested > 0 => meet(body, (then, otherwise), nested - 1),
        _ => None,
    }
}

/// True if a block that a branch leads to is a branch itself with a target in common.
fn shares(body: &Function, block: Block, common: Block) -> bool {
    let data = &body.blocks[block];
    let is_branch = match data.term {
        Terminator::Branch { then, otherwise, .. } => then == common || otherwise == common,
        _ => false,
    };
    is_branch && data.insts.len() <= MAX_VAIN && data.insts.iter().all(is_harmless)
}

/// True if an instruction may become one that is executed in vain, or none.
fn is_harmless(inst: &Inst) -> bool {
    match inst {
        Inst::Binary { op, .. } => {
            !matches!(op, BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul | BinaryOp::FloatDiv)
        }
        Inst::Copy { .. }
        | Inst::Unary { .. }
        | Inst::GlobalGet { .. }
        | Inst::FieldGet { .. }
        | Inst::ElemGet { .. }
        | Inst::Len { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_lang::ir::{FuncRef, parse};

    fn of(blocks: &str) -> Vec<u32> {
        let text = format!(
            "type t0 = bool\ntype t1 = int\nsig0 = (t0, t1) -> t1\nfunction f0 \"f\" sig0(v0: bool, v1: int) -> int {{\n    local v2: float\n{blocks}\n}}"
        );
        let module = parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        convertible(module.function(FuncRef::from_u32(0))).map(Block::as_u32).collect()
    }

    #[test]
    fn ways_that_meet_are_convertible() {
        let triangle =
            "block0:\n branch v0, block1, block2\nblock1:\n v1 = iadd v1, 1\n jump block2\nblock2:\n return v1";
        let diamond = "block0:\n branch v0, block1, block2\nblock1:\n v1 = iadd v1, 1\n jump block3\nblock2:\n v1 = iadd v1, 2\n jump block3\nblock3:\n return v1";
        let returns = "block0:\n branch v0, block1, block2\nblock1:\n return v1\nblock2:\n v1 = iadd v1, 2\n return v1";
        assert_eq!([triangle, diamond, returns].map(of), [vec![0], vec![0], vec![0]]);
        let nested = "block0:\n branch v0, block1, block2\nblock1:\n v1 = iadd v1, 1\n jump block5\nblock2:\n branch v0, block3, block4\nblock3:\n v1 = iadd v1, 3\n jump block5\nblock4:\n v1 = iadd v1, 4\n jump block5\nblock5:\n return v1";
        assert_eq!(of(nested), [0, 2]);
    }

    #[test]
    fn a_chain_with_a_common_target_is() {
        let chain = "block0:\n branch v0, block1, block3\nblock1:\n branch v0, block2, block3\nblock2:\n v1 = iadd v1, 1\n jump block0\nblock3:\n return v1";
        assert_eq!(of(chain), [0]);
    }

    #[test]
    fn a_loop_test_is_not_nor_is_one_before_float_arithmetic() {
        let test = "block0:\n branch v0, block1, block2\nblock1:\n v1 = iadd v1, 1\n jump block0\nblock2:\n return v1";
        let float =
            "block0:\n branch v0, block1, block2\nblock1:\n v2 = fdiv v2, v2\n jump block2\nblock2:\n return v1";
        assert_eq!([test, float].map(of), [vec![], vec![]]);
    }
}
